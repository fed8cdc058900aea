"""How searching agents play games out: by policies of search/playouts, one or several, or as recorded players do.

`a+b` asks a for each action, and b where a prefers none. What always has an action stands last; if nothing does, the game's
plain playouts follow.
"""

from functools import partial
from typing import TYPE_CHECKING

from facedown.errors import BadOption
from facedown.game import Game
from facedown.inference.playouts import learnt
from facedown.inference.policy import policy_of
from facedown.options import Option
from facedown.search.playouts.combined import Chain, Noted
from facedown.search.playouts.policies import PLAYOUTS, Prepared
from facedown.search.run import new_run

if TYPE_CHECKING:
    from facedown.agents.tree import SearchAgent

LEARNT = "policy"
JOINT = "+"
LEARNING = ("mast", "nast", "epic", "last-good-reply")  # prefer an action, or none; all others always have one
WITH_PARAMETER = ("mast", "nast", "epic")  # of several, those that the option `parameter` is for
NAMES = (*PLAYOUTS, LEARNT)
OPPONENTS = Option(
    "opponents",
    "search",
    "how the other seats choose in the tree: each by search as if it saw all cards, or as playout=policy does",
    choices=("search", LEARNT),
)


def asked(name: str) -> tuple[str, ...]:
    """The questions that a game must answer to be played out so."""
    names = name.split(JOINT)
    asks = [question for one in names for question in (("action_features",) if one == LEARNT else PLAYOUTS[one].asks)]
    return tuple(dict.fromkeys(asks + ["moves_left"] * (len(names) > 1)))


def equivalence(agent: "SearchAgent") -> float:
    """The constant of RAVE; 0 without it."""
    return float(agent.value("rave")) if "rave" in agent.options else 0.0


def expects(agent: "SearchAgent") -> bool:
    """Whether the other seats play by the policy in the tree too."""
    return "opponents" in agent.options and agent.value("opponents") == LEARNT


def check(agent: "SearchAgent") -> None:
    """Refuse what contradicts itself."""
    name, parallel = str(agent.value("playout")), agent.value("parallel")
    *firsts, last = name.split(JOINT)
    for one in firsts:
        if one not in LEARNING:
            raise BadOption(f"option playout: expected {one} last, since it always has an action, got {name!r}")
    if expects(agent) and last != LEARNT:
        raise BadOption(f"option opponents: expected playout=policy with opponents=policy, got playout={name}")
    if expects(agent) and parallel != "root":
        raise BadOption(f"option opponents: expected parallel=root with opponents=policy, got {parallel}")
    if equivalence(agent) and parallel != "root":
        raise BadOption(f"option rave: expected parallel=root with rave, got {parallel}")


def prepared(agent: "SearchAgent", game: Game | None) -> Prepared:
    """What an agent's options ask for; without a game, only what does not depend on it."""
    check(agent)
    names = str(agent.value("playout")).split(JOINT)
    parameter = None if agent.value("parameter") < 0 else agent.value("parameter")
    if len(names) > 1:
        return several(agent, game, names, parameter)
    memory, figures = single(agent, game, names[0], parameter)
    if equivalence(agent) and names[0] not in LEARNING:
        return lambda: Noted(memory()), figures
    return memory, figures


def single(agent: "SearchAgent", game: Game | None, name: str, parameter: float | None) -> Prepared:
    """One policy."""
    if name == LEARNT:
        if game is None:
            return PLAYOUTS["uniform"]()
        own = agent.model if isinstance(agent.model, str) else ""  # a table serves inference only
        return partial(learnt, policy_of(game, own), game.actions, game.seats, expects(agent)), {}
    return PLAYOUTS[name](length=agent.value("ngram"), policy=agent.value("policy"), parameter=parameter)


def several(agent: "SearchAgent", game: Game | None, names: list[str], parameter: float | None) -> Prepared:
    """Policies that are asked one after another."""
    made = [single(agent, game, one, parameter if one in WITH_PARAMETER else None) for one in names]
    last, figures = made.pop() if names[-1] not in LEARNING else PLAYOUTS["uniform"]()
    if game is None:
        return last, figures
    seats, actions = game.seats, game.actions
    runs = [new_run(seats=seats, actions=actions, reward=agent.kind, **found) for _, found in made]

    def chain() -> Chain | Noted:
        memory: Chain | Noted = Noted(last())
        for (first, _), run in zip(reversed(made), reversed(runs), strict=True):
            memory = Chain(first(), run, memory)
        return memory

    return chain, figures
