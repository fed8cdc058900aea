"""All moves as first in tree selection, against a literal version; and what agents make of it."""

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import facedown as fd
import little_duel
from facedown import rules
from facedown.kernel import COMPILED, copied, kernel
from facedown.rng import draw
from facedown.rules import UNIFORM
from facedown.search.rave import RAVE_NODE
from facedown.state import State
from facedown.view import View
from facedown.worlds import exact
from solving import late, leads
from test_search_family import counts, decided, fill

EXPLORATION, EQUIVALENCE = 0.4, 60.0


@kernel
def plain_action(data: Any, rng: Any) -> int:
    """An action as the game's own playouts choose it."""
    return rules.choose(data[0], UNIFORM, np.empty(64, np.int64), rng)


@kernel
def points(data: Any, out: Any) -> None:
    """The points reward."""
    rules.reward(data[0], 0, out)


def bound(child: dict[str, Any]) -> float:
    """Gelly and Silver 2011: both means, by how often the action could have been chosen; and the bonus of UCB1."""
    trials, visits = child["available"], child["visits"]
    beta = sqrt(EQUIVALENCE / (3 * trials + EQUIVALENCE)) if child["amaf_visits"] else 0.0
    mean = (1 - beta) * child["reward"] / visits + beta * child["amaf"]
    return float(mean + EXPLORATION * sqrt(log(trials) / visits))


def literal_rave(view: View, iterations: int, rng: Any) -> dict[str, Any]:
    """Single-observer ISMCTS with RAVE, with dictionaries and no thought of speed."""
    root: dict[str, Any] = {"visits": 0, "children": {}}
    hidden = view.unseen()
    ways = exact.prepare(hidden)
    for _ in range(iterations):
        data = copied(view.data)
        fill(data, view.seat, hidden, ways, rng)
        world, node = State(view.game, data, 0, []), root
        path: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []  # each node with the arms that were legal beside it
        moves: list[tuple[int, int]] = []
        untried: list[int] = []
        while not world.over and not untried:
            known = [child for child in node["children"].values() if child["action"] in world.legal]
            untried = [action for action in world.legal if action not in node["children"]]
            seat = world.seat or 0
            for child in known:
                child["available"] += 1
            if untried:
                action = untried[draw(rng, len(untried))]
                child = {"action": action, "seat": seat, "visits": 0, "available": 1, "reward": 0.0, "children": {}}
                child |= {"amaf": 0.0, "amaf_visits": 0}
                node["children"][action] = child
            else:
                bounds = [bound(child) for child in known]
                child = known[bounds.index(max(bounds))]
            moves.append((seat, child["action"]))
            world.play(child["action"])
            path.append((child, known if child in known else [*known, child]))
            node = child
        while not world.over:
            moves.append((world.seat or 0, int(plain_action(world.data, rng))))
            world.play(moves[-1][1])
        rewards = np.zeros(view.game.seats)
        points(world.data, rewards)
        root["visits"] += 1
        for place, (node, arms) in enumerate(path):
            node["visits"] += 1
            node["reward"] += rewards[node["seat"]]
            for arm in arms:
                if (arm["seat"], arm["action"]) in moves[place:]:
                    arm["amaf_visits"] += 1
                    mean = arm["amaf"] + (rewards[arm["seat"]] - arm["amaf"]) / arm["amaf_visits"]
                    arm["amaf"] = float(np.float32(mean))  # as precise as a node has it
    return root


@pytest.mark.parametrize(("game", "moves"), [("hearts32", 14), (little_duel.GAME, 8)])
def test_ismcts_with_rave_grows_the_tree_of_a_literal_one(game: str | fd.Game, moves: int) -> None:
    state = late(game, moves, 5)
    view = state.view(state.seat or 0)
    agent: Any = fd.agent(f"ismcts:iterations=300,exploration={EXPLORATION},rave={EQUIVALENCE}", seed=3)
    agent.choose(view)
    literal = literal_rave(view, 300, fd.agent("ismcts", seed=3).stream(view))
    assert counts(agent.decision.tree(20)) == counts(literal)
    plain: Any = fd.agent(f"ismcts:iterations=300,exploration={EXPLORATION}", seed=3)
    plain.choose(view)
    assert counts(plain.decision.tree(20)) != counts(literal)


@pytest.mark.parametrize("seed", range(3))
def test_uct_with_rave_finds_the_best_card_of_a_duel(seed: int) -> None:
    state = late(little_duel.GAME, 8, seed)
    values = leads(state)
    text = f"uct:iterations={10000 if COMPILED else 300},rave=100"
    assert values[decided(text, state).action] == max(values.values()) or not COMPILED


def test_several_observers_with_rave_see_what_one_sees_where_actions_are_open() -> None:
    state = late("hearts32", 14, 2)
    single, several = (decided(f"{name}:iterations=300,rave=50", state) for name in ("ismcts", "mo-ismcts"))
    assert single.candidates == several.candidates


def test_a_node_with_rave_takes_no_more_than_48_bytes() -> None:
    assert RAVE_NODE.itemsize == 48


def test_rave_needs_a_tree_of_its_own() -> None:
    with pytest.raises(fd.BadOption, match="option rave: expected parallel=root with rave, got leaf"):
        fd.agent("ismcts:rave=10,parallel=leaf")
    with pytest.raises(fd.FacedownError, match="unknown option of ismcts-t 'rave'"):
        fd.agent("ismcts-t:rave=10")
