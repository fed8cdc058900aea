"""How searching agents draw the worlds they search: uniformly, by a sampler of the literature, or by what was played."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.errors import BadOption, FacedownError
from facedown.inference.policy import policy_of
from facedown.inference.posterior import InferredDrawing, card_beliefs
from facedown.kernel import Array
from facedown.options import Option, Value
from facedown.view import View
from facedown.worlds.counting import is_one
from facedown.worlds.drawing import Drawing
from facedown.worlds.knowledge import SAMPLERS

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

DRAWING_SHARE = 0.25  # of the time of a decision, for worlds that are drawn beforehand
WORLDS_A_SECOND = 2_000_000  # more than can be drawn in that share
FEWEST, MOST = 200, 1000  # worlds that are weighed, where worlds are inferred
ITERATIONS_A_CANDIDATE = 10  # so that weighing takes less time than the search
ORDERS = 16  # of a stock that are tried, to see whether a seat knows it
INFERENCES = ("none", "policy", "table")


def _is_given(value: Value) -> bool:
    return str(value) != ""


def world_options(inference: str = "none", weight: float = 0.9) -> tuple[Option, ...]:
    """The options of agents that draw worlds."""
    return (
        Option("sampler", "exact", "how hidden cards are drawn", choices=tuple(SAMPLERS)),
        Option(
            "one_world",
            "drawn",
            "where a seat knows every card: its one world is drawn like others, or the search is UCT on it",
            choices=("drawn", "uct"),
        ),
        Option(
            "inference",
            inference,
            "what plays tell of hidden cards: nothing, by a learnt policy, or by the table of spade honours (Hearts)",
            choices=INFERENCES,
        ),
        Option("inference_weight", weight, "the share of worlds that are inferred; the others are uniform", most=1.0),
        Option(
            "model", "", "the file of a policy or table that facedown train wrote; else the one shipped", opens=_is_given
        ),
    )


def infers(agent: "SearchAgent") -> bool:
    """Whether an agent weighs worlds by what was played."""
    return "inference" in agent.options and agent.value("inference") != "none"


def searched_world(agent: "SearchAgent", view: View) -> Array | None:
    """The only world of a view, where an agent is to search that by UCT (Fernandes 2016, section 6.6)."""
    return only_world(view, view.unseen()) if agent.value("one_world") == "uct" else None


def only_world(view: View, hidden: Array) -> Array | None:
    """The world that a seat is certain of, by what it knows of `hidden` cards: all of it, with the order of a stock."""
    if not is_one(hidden):
        return None
    first, *others = (view.every_world(1, seed) for seed in range(ORDERS))
    return first if all(first.tobytes() == other.tobytes() for other in others) else None


def draw_worlds(agent: "SearchAgent", view: View, count: int, rng: Array) -> Array:
    """Worlds drawn before a search: `count`, or fewer if they take too much of the time, two at least; or the only one."""
    if (only := searched_world(agent, view)) is not None:
        return only
    if infers(agent):
        return draw_inferred(agent, view, count, rng)
    seconds = agent.value("seconds")
    most = min(count, max(2, int(seconds * WORLDS_A_SECOND))) if seconds else count
    drawing = Drawing(view, most, rng, agent.value("sampler"))
    agent.budget.spend(drawing, most, share=DRAWING_SHARE, least=2)
    return drawing.worlds


def draw_inferred(agent: "SearchAgent", view: View, count: int, rng: Array) -> Array:
    """Worlds that believe what was played."""
    weight = agent.value("inference_weight")
    if agent.value("sampler") != "exact":
        raise BadOption(f"option sampler: expected exact, since worlds are inferred, got {agent.value('sampler')!r}")
    if agent.value("inference") == "table":
        return draw_by_table(agent.model, view, count, rng, weight)
    candidates = inferred_count(agent)
    drawing = InferredDrawing(view, policy_of(view.game, agent.model), candidates, rng)
    agent.budget.spend(drawing, candidates, share=DRAWING_SHARE, least=2)
    agent.card_beliefs = card_beliefs(view, drawing.candidates, drawing.weights(weight))
    return drawing.worlds(count, weight)


def inferred_count(agent: "SearchAgent") -> int:
    """How many worlds are weighed: some for each iteration; as many as time allows where it is counted."""
    if agent.value("seconds"):
        return MOST
    return min(MOST, max(FEWEST, int(agent.value("iterations")) // ITERATIONS_A_CANDIDATE))


def draw_by_table(inference: Any, view: View, count: int, rng: Array, weight: float) -> Array:
    """Worlds by the table of spade honours."""
    from facedown.inference.spade_honours import check_game

    check_game(view.game)
    worlds: Array = inference.worlds(view, count, rng, weight)
    return worlds


def read_model(agent: "SearchAgent") -> Any:
    """What an agent infers or plays out by, read at once, so that a wrong file is refused before play.

    A table of honours, or a policy's text: empty for the one that is shipped.
    """
    path = str(agent.value("model")) if "inference" in agent.options else ""
    if infers(agent) and agent.value("inference") == "table":
        from facedown.inference.spade_honours import HonourInference
        from facedown.inference.spade_table import read_table

        return HonourInference(read_table(Path(path)) if path else None)
    if not path:
        return ""
    try:
        return Path(path).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise FacedownError(f"expected the file of a policy, got {path!r}: {error}") from None
