"""Every search: convergence to exact values, counts by hand and by a literal oracle, golden trees, threads, rewards."""

import json
import threading
import time
from functools import cache
from math import log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import facedown as fd
import little_duel
from facedown import rules
from facedown.kernel import COMPILED, Array, copied, kernel
from facedown.rewards import REWARDS
from facedown.rng import draw
from facedown.rules import UNIFORM
from facedown.search.decision import Decision
from facedown.state import State
from facedown.view import View
from facedown.worlds import exact
from facedown.worlds.source import deal_unseen
from interpreting import interpreted
from positions import late as position
from solving import late, leads

GOLDEN = Path(__file__).parent / "golden"
HEARTS = "hearts:passing=false"
HIDDEN = ["ismcts", "ismcts-t", "minimax", "mo-ismcts", "pimc"]


def decided(text: str, state: State, seed: int = 0) -> Decision:
    agent = fd.agent(text, seed=seed)
    agent.choose(state if agent.sees_all else state.view(state.seat or 0))
    assert agent.decision is not None
    return agent.decision


@cache
def open_position(game: str | fd.Game, moves: int, seed: int) -> State:
    """A late position in which the seat to move knows every card, and its actions differ in value."""
    for step in range(5000):
        state = late(game, moves, seed * 5000 + step)
        if state.view(state.seat or 0).worlds() == 1 and len(set(leads(state).values())) > 1:
            return state
    raise AssertionError("expected such a position")


@pytest.mark.parametrize("agent", ["uct", "ismcts", "ismcts-t", "mo-ismcts", "pimc:worlds=2"])
def test_where_nothing_is_hidden_a_search_finds_the_exact_best(agent: str) -> None:
    for seed in range(5):
        state = open_position("hearts32", 8, seed)
        values = leads(state)
        text = f"{agent}{',' if ':' in agent else ':'}iterations=6000"
        assert values[decided(text, state).action] == max(values.values())


@pytest.mark.parametrize("seed", range(4))
def test_uct_finds_the_best_card_of_a_duel(seed: int) -> None:
    state = late(little_duel.GAME, 8, seed)
    values = leads(state)
    assert values[decided("uct:iterations=10000", state).action] == max(values.values())


def test_several_observers_see_what_one_sees_where_actions_are_open() -> None:
    """One tree for each seat, and all alike: the searching seat's is the one that a single observer grows."""
    state = late(HEARTS, 16, 2)
    single, several = decided("ismcts:iterations=500", state), decided("mo-ismcts:iterations=500", state)
    assert visits(single.tree(4)) == visits(several.tree(4))
    assert single.candidates == several.candidates


def visits(node: dict[str, Any]) -> Any:
    """How often each action of a tree was tried, and what it brought."""
    return node["visits"], node["mean"], {one["action"]: visits(one) for one in node["children"]}


# --- A literal single-observer ISMCTS ---------------------------------------------------------------------------------


@kernel
def fill(data: Any, seat: int, hidden: Any, ways: Any, rng: Any) -> None:
    """Draw a world."""
    deal_unseen(data[0], seat, hidden[0], ways, rng)


@kernel
def finish(data: Any, rng: Any, out: Any) -> None:
    """Play out, and the points reward."""
    rules.play_out(data[0], UNIFORM, np.empty(64, np.int64), rng)
    rules.reward(data[0], 0, out)


def literal_ismcts(view: View, iterations: int, rng: Any, exploration: float, only: Array | None = None) -> dict[str, Any]:
    """Cowling, Powley and Whitehouse 2012, algorithm 1, with dictionaries and no thought of speed; or UCT."""
    root: dict[str, Any] = {"visits": 0, "children": {}}
    hidden = view.unseen()
    ways = exact.prepare(hidden)
    for _ in range(iterations):
        data = copied(view.data if only is None else only)
        if only is None:
            fill(data, view.seat, hidden, ways, rng)
        world, node, path = State(view.game, data, 0, []), root, [root]
        while not world.over:
            known = [child for child in node["children"].values() if child["action"] in world.legal]
            untried = [action for action in world.legal if action not in node["children"]]
            for child in known:
                child["available"] += 1
            seat = world.seat
            if untried:
                action = untried[draw(rng, len(untried))]
                child = {"action": action, "seat": seat, "visits": 0, "available": 1, "reward": 0.0, "children": {}}
                node["children"][action] = child
            else:
                trials = [c["available"] if only is None else node["visits"] for c in known]
                bonuses = [exploration * sqrt(log(n) / c["visits"]) for n, c in zip(trials, known, strict=True)]
                bounds = [c["reward"] / c["visits"] + bonus for c, bonus in zip(known, bonuses, strict=True)]
                child = known[bounds.index(max(bounds))]
            world.play(child["action"])
            node = child
            path.append(node)
            if untried:
                break
        rewards = np.zeros(view.game.seats)
        finish(world.data, rng, rewards)
        for node in path:
            node["visits"] += 1
            if node is not root:
                node["reward"] += rewards[node["seat"]]
    return root


def counts(node: dict[str, Any]) -> Any:
    """Visits and availability of a tree, whichever way it was made."""
    children = node["children"].values() if isinstance(node["children"], dict) else node["children"]
    return node["visits"], {one["action"]: (one["available"], counts(one)) for one in children}


@pytest.mark.parametrize(("game", "moves"), [(HEARTS, 16), ("hearts32", 12), (little_duel.GAME, 8)])
def test_ismcts_grows_the_tree_of_a_literal_ismcts(game: str | fd.Game, moves: int) -> None:
    view = late(game, moves, 5).view(late(game, moves, 5).seat or 0)
    agent = fd.agent("ismcts:iterations=300", seed=3)
    agent.choose(view)
    assert agent.decision is not None
    literal = literal_ismcts(view, 300, fd.agent("ismcts", seed=3).stream(view), 0.4)
    assert counts(agent.decision.tree(20)) == counts(literal)
    for one in agent.decision.candidates:
        assert one.mean * one.visits == pytest.approx(literal["children"][one.action]["reward"])


def check_counts(node: dict[str, Any], leaves: int) -> None:
    """A visit continues to one child, but for the one that created the node; no action is tried more than it was there."""
    if node["children"]:
        assert sum(child["visits"] for child in node["children"]) == node["visits"] - leaves
    for child in node["children"]:
        assert child["visits"] <= child["available"] <= node["visits"]
        check_counts(child, 1)


@pytest.mark.parametrize(
    "agent",
    [
        "ismcts",
        "uct",
        "mo-ismcts",
    ],
)
def test_visits_and_availability_add_up(agent: str) -> None:
    tree = decided(f"{agent}:iterations=1500", late(HEARTS, 24, 1)).tree(5)
    assert tree["visits"] == 1500
    check_counts(tree, 0)


@pytest.mark.parametrize("agent", ["ismcts", "mo-ismcts", "uct", "ismcts-t"])
def test_at_the_root_every_action_is_always_there(agent: str) -> None:
    """By hand: whatever the world, a seat has its own cards; an action misses only the iterations before its first."""
    decision = decided(f"{agent}:iterations=400", late(HEARTS, 16, 3))
    assert sorted(one.available for one in decision.candidates) == [
        401 - place for place in range(len(decision.candidates), 0, -1)
    ]


# --- Golden trees -----------------------------------------------------------------------------------------------------


def rounded(data: Any) -> Any:
    """Floats to nine places, so that the last bit of a logarithm does not matter."""
    if isinstance(data, float):
        return round(data, 9)
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    return [rounded(value) for value in data] if isinstance(data, list | tuple) else data


def golden(name: str) -> Any:
    """A decision as data, without its time."""
    decision = decided(f"{name}:iterations=200", late(HEARTS, 12 if name == "minimax" else 24, 7), seed=1)
    figures = {key: value for key, value in decision.to_dict().items() if key != "seconds"}
    return json.loads(json.dumps(rounded({"decision": figures, "tree": decision.tree(2)})))


@pytest.mark.parametrize("name", ["uct", *HIDDEN])
def test_a_search_tree_is_the_golden_one(name: str) -> None:
    assert golden(name) == json.loads((GOLDEN / f"{name}.json").read_text())


# --- Threads, time, interruption --------------------------------------------------------------------------------------


LEAF = "parallel=leaf,"
TREE = "parallel=tree,"


@pytest.mark.parametrize(
    "agent",
    [
        "ismcts:",
        "ismcts-t:",
        "mo-ismcts:",
        "uct:",
        "pimc:worlds=6,",
        f"ismcts:{LEAF}",
        f"uct:{LEAF}",
        f"ismcts:{LEAF}playout=mast,",
    ],
)
def test_threads_give_the_same_decision_for_the_same_seed(agent: str) -> None:
    text, state = f"{agent}iterations=1000,threads=2", late(HEARTS, 24, 4)
    first, second = decided(text, state), decided(text, state)
    assert first.tree(3) == second.tree(3)
    assert first.iterations == (6000 if "pimc" in agent else 1000)


@pytest.mark.parametrize("agent", ["ismcts:", f"ismcts:{LEAF}", f"ismcts:{TREE}"])
def test_an_odd_number_of_iterations_is_shared_out_whole(agent: str) -> None:
    assert decided(f"{agent}iterations=1000,threads=3", late(HEARTS, 24, 4)).iterations == 1000


@pytest.mark.parametrize(
    "agent", ["ismcts:iterations=30000", "ismcts:iterations=20000,worlds=30,playout=mast", "uct:iterations=9000"]
)
@pytest.mark.parametrize("reward", ["points", "wl"])
def test_threads_that_share_a_tree_leave_it_whole(agent: str, reward: str) -> None:
    """Every node has the visits of its children and of its playouts, and no virtual loss is left."""
    state = late(HEARTS, 20, 4)
    searcher: Any = fd.agent(f"{agent},parallel=tree,threads=4,reward={reward}")
    searcher.choose(state if searcher.sees_all else state.view(state.seat or 0))
    search = searcher._searches[0]
    tree = search.tree[: search.figure("nodes")]
    children = np.zeros(len(tree), np.int64)
    np.add.at(children, tree["parent"][1:], tree["visits"][1:])
    own = tree["visits"] - children
    leaf = tree["first_child"] < 0
    assert tree["visits"][0] == searcher.value("iterations")
    assert (own[1:][~leaf[1:]] == 1).all()  # the visit that made it; the others went on
    assert own[0] == 0
    lowest = -1 if reward == "wl" else 0
    mean = tree["reward"][1:] / tree["visits"][1:]
    assert ((mean >= lowest - 1e-9) & (mean <= 1 + 1e-9)).all()
    linked = sum(1 for node in range(len(tree)) for _ in search.arms(node))
    assert linked == len(tree) - 1, "every node is some other's child"


@pytest.mark.parametrize("parallel", ["leaf", "tree"])
def test_shared_trees_find_the_exact_best(parallel: str) -> None:
    for seed in range(3):
        state = open_position("hearts32", 8, seed)
        values = leads(state)
        for agent in ("uct", "ismcts"):
            text = f"{agent}:iterations=6000,threads=2,parallel={parallel}"
            assert values[decided(text, state).action] == max(values.values())


def test_one_thread_on_a_shared_tree_searches_as_ever() -> None:
    state = late(HEARTS, 24, 4)
    alone = decided("ismcts:iterations=64", state)
    shared = decided(f"ismcts:{TREE}iterations=64", state)
    assert [one.visits for one in alone.candidates] == [one.visits for one in shared.candidates]


# --- Discount ---------------------------------------------------------------------------------------------------------


def test_a_late_reward_is_worth_less() -> None:
    """Eight cards from the end, each is worth 0.9 of the one before."""
    state = late(HEARTS, 8, 5)
    whole, less = decided("uct:iterations=1", state), decided("uct:iterations=1,discount=0.9", state)
    assert whole.candidates[0].mean > 0
    assert less.candidates[0].mean == pytest.approx(whole.candidates[0].mean * 0.9**8)


def test_a_game_that_counts_no_turns_cannot_be_discounted() -> None:
    with pytest.raises(fd.MissingAnswer, match="discount asks 'turns', which the game 'little-duel' does not answer"):
        decided("uct:discount=0.9", late(little_duel.GAME, 8, 0))


@pytest.mark.parametrize("discount", [0, -1, 1.01])
def test_a_discount_lies_between_nothing_and_one(discount: float) -> None:
    with pytest.raises(fd.BadOption, match="option discount: "):
        fd.agent(f"ismcts:discount={discount}")


def test_only_those_that_grow_one_tree_can_share_it() -> None:
    with pytest.raises(fd.FacedownError, match="option parallel: expected one of root, got 'tree'"):
        fd.agent("pimc:parallel=tree")


@pytest.mark.parametrize("agent", ["ismcts:", "pimc:", "ismcts-t:", "ismcts:threads=2,", f"ismcts:threads=2,{TREE}"])
def test_a_search_can_be_interrupted(agent: str) -> None:
    state = late(HEARTS, 40, 4)
    view = state.view(state.seat or 0)
    searcher: Any = fd.agent(f"{agent}iterations=1000000000")
    begin = time.perf_counter()
    timer = threading.Timer(0.2, searcher.interrupt)
    timer.start()
    assert searcher.choose(view) in view.legal
    assert time.perf_counter() - begin < 5
    timer.join()


# --- Rewards ----------------------------------------------------------------------------------------------------------


@kernel
def write_reward(data: Any, kind: int, out: Any) -> None:
    """Ask for rewards."""
    rules.reward(data[0], kind, out)


def rewards(kind: str, *points: int, moon: bool = True) -> list[float]:
    """What seats with so many points get."""
    hands = ["2.-.-.-", "3.-.-.-", "4.-.-.-", "5.-.-.-"]
    state = position("hearts:moon=true" if moon else "hearts:moon=false", hands, points=points)
    out = np.zeros(4)
    write_reward(state.data, REWARDS[kind], out)
    return [float(reward) for reward in out]


@pytest.mark.parametrize("behind", range(27))
def test_score_difference_is_that_of_the_table(behind: int) -> None:
    """Fernandes 2016, section 5.3: the winner's score less the player's, in seven steps of which the best is 4."""
    step = {0: 4, 13: 0, 26: -4}.get(behind)
    if step is None:
        step = 2 if behind <= 6 else 1 if behind <= 12 else -1 if behind <= 18 else -2
    assert rewards("sd", 0, behind, 0, 26 - behind, moon=False)[1] == step / 4


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((13, 2, 7, 4), (-26, 18, -2, 10)),
        ((0, 6, 7, 13), (26, 2, -2, -26)),
        ((26, 0, 0, 0), (78, -26, -26, -26)),  # the moon; the paper has 72, which its equation does not give
        ((0, 0, 25, 1), (26, 26, -74, 22)),
        ((13, 13, 0, 0), (-26, -26, 26, 26)),
    ],
)
def test_points_are_leads_as_in_the_table(points: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """Manzke 2025, table 4.1, from 0 to 1."""
    assert rewards("points", *points) == pytest.approx([0.5 + lead / 156 for lead in expected])


def test_winning_losing_and_tying() -> None:
    assert rewards("pwl", 0, 6, 7, 13) == [1, 0, 0, 0]
    assert rewards("pwl", 13, 13, 0, 0) == [0, 0, 0.5, 0.5]
    assert rewards("wl", 0, 6, 7, 13) == [1, -1, -1, -1]
    assert rewards("wl", 13, 13, 0, 0) == [-1, -1, 0, 0]
    assert rewards("wl", 26, 0, 0, 0) == [1, -1, -1, -1]


def test_the_hybrid_puts_winning_first_and_score_second() -> None:
    assert rewards("hybrid", 0, 6, 7, 13) == pytest.approx([1.0, 0.2 * 0.75, 0.2 * 0.625, 0.2 * 0.5])
    assert rewards("hybrid", 13, 13, 0, 0) == pytest.approx([0.1, 0.1, 0.6, 0.6])


# --- Compiled and interpreted -----------------------------------------------------------------------------------------

SEARCHES = [
    *("uct:iterations=40", "ismcts:iterations=40", "mo-ismcts:iterations=40", "pimc:iterations=20,worlds=3"),
    *(
        "minimax:endgame=8,endgame_worlds=3",
        "ismcts:endgame=8,endgame_worlds=3,endgame_aim=win",
        "ismcts:iterations=40,parallel=leaf,threads=2",
        "uct:iterations=20,discount=0.9",
    ),
    *("ismcts-t:iterations=40,worlds=20", "ismcts-t:iterations=40,worlds=20,merge_suits=true"),
]


def found(texts: list[str]) -> Any:
    """What searches decide in one position, and their trees."""
    decisions = [decided(text, late(HEARTS, 8, 2)) for text in texts]
    return json.loads(json.dumps(rounded([[one.tree(3), {**one.to_dict(), "seconds": 0}] for one in decisions])))


def test_interpreted_and_compiled_searches_agree() -> None:
    assert COMPILED
    for text, one, other in zip(
        SEARCHES, found(SEARCHES), interpreted("test_search_family", "found", SEARCHES), strict=True
    ):
        assert one == other, text


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for algorithm in ["uct", *HIDDEN]:
        (GOLDEN / f"{algorithm}.json").write_text(json.dumps(golden(algorithm), indent=1) + "\n")
