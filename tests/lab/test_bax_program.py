"""Players that search as Bax's program does: compared with a slow and literal search, rule by rule."""

from math import log, sqrt
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.kernel import COMPILED
from facedown.lab.experiments.bax.bax_program import PACK, ProgramPimc, ProgramUct, hands_in_order, new_room, vote
from facedown.rng import draw, stream
from facedown.rules import UNIFORM

pytestmark = pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")

GAME = "hearts32:moon=false"


class Slow:
    """A node of the literal search: a position, the points of its playouts and its children by action."""

    def __init__(self, state: fd.State) -> None:
        self.state = state
        self.visits = 0
        self.points = [0, 0, 0, 0]
        self.children: dict[int, Slow] = {}

    def grow(self) -> None:
        for action in self.state.legal:
            after = self.state.copy()
            after.play(action)
            self.children[action] = Slow(after)

    def best(self, constant: float, whole: bool) -> int:
        untried = [action for action, child in self.children.items() if child.visits == 0]
        if untried:
            return untried[0]

        def bound(child: Slow) -> float:
            mean = child.points[self.state.seat or 0] / child.visits
            return abs((int(mean) if whole else mean) / 26 - 1) + constant * sqrt(log(self.visits) / child.visits)

        return max(self.children, key=lambda action: bound(self.children[action]))


def slow_search(state: fd.State, iterations: int, constant: float, whole: bool, rng: Any) -> Slow:
    root, actions = Slow(state), np.empty(52, np.int64)
    for _ in range(iterations):
        path = [root]
        while not path[-1].state.over:
            node = path[-1]
            if node.children:
                path.append(node.children[node.best(constant, whole)])
            else:
                node.grow()
                path.append(list(node.children.values())[draw(rng, len(node.children))])
            if path[-1].visits == 0:
                break
        end = path[-1].state.data.copy()
        if not path[-1].state.over:
            rules.play_out(end[0], UNIFORM, actions, rng)
        for node in path:
            node.visits += 1
            node.points = [sum(pair) for pair in zip(node.points, end[0]["points"].tolist(), strict=True)]
    return root


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_search_is_that_of_a_slow_and_literal_one(seed: int, whole: bool) -> None:
    state = fd.load(GAME).deal(seed=seed)
    for _ in range(12):
        state.play(state.legal[-1])
    room = new_room(150)
    vote(state.data, 150, 0.283, whole, room, stream(seed))
    slow = slow_search(state, 150, 0.283, whole, stream(seed))
    first, count = int(room.first_child[0]), int(room.children[0])
    found = {int(room.action[child]): int(room.visits[child]) for child in range(first, first + count)}
    assert found == {action: child.visits for action, child in slow.children.items()}
    assert int(room.votes.argmax()) == slow.best(0.283, whole)
    assert room.votes.sum() == 1


def test_the_same_view_and_seed_give_the_same_choice() -> None:
    state = fd.load(GAME).deal(seed=5)
    view = state.view(state.seat or 0)
    assert len({ProgramPimc(seed=3, iterations=20, worlds=3).choose(view) for _ in range(3)}) == 1


def test_hands_in_order_are_dealt_from_the_whole_pack_without_the_own_cards() -> None:
    state = fd.load(GAME).deal(seed=5)
    for _ in range(6):
        state.play(state.legal[0])
    seat = state.seat or 0
    view = state.view(seat)
    hands = hands_in_order(view)
    left = [card for card in PACK if not int(state.record.hands[seat]) >> card & 1]
    for other in range(4):
        held = [card for card in PACK if int(hands[other]) >> card & 1]
        if other == seat:
            assert int(hands[seat]) == int(state.record.hands[seat])
        else:
            assert held == left[: len(held)]
            assert len(held) == len(state.hands[other])
            left = left[len(held) :]


def test_in_order_hands_can_be_searched_to_the_end_of_a_deal() -> None:
    players: list[fd.Agent | str] = [
        ProgramPimc(iterations=10, worlds=2, sampler="in-order"),
        ProgramUct(iterations=10),
        "random",
        "random",
    ]
    assert sum(fd.play(GAME, players, seed=4).scores) == 16


def test_what_the_program_could_not_play_is_refused() -> None:
    with pytest.raises(
        fd.BadOption, match="expected hearts32:moon=false, which is all that program-uct can play, got moons"
    ):
        ProgramUct().choose(fd.load("hearts32").deal(seed=1))
    with pytest.raises(fd.BadOption, match="expected the game hearts32, which is all that program-uct can play, got sueca"):
        ProgramUct().choose(fd.load("sueca").deal(seed=1))
