"""Ensemble search against exact play: small endgames with nothing hidden, solved by plain recursion."""

from functools import cache
from random import Random

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.games.magic.record import LAND, MAIN
from facedown.kernel import Array, copied, record_in
from facedown.rng import stream
from facedown.state import State
from magic_boards import board

CARDS = ["1/1", "2/1", "2/2", "1/3", "2/3", "3/2", "3/3", "2/4"]
DECK = "17xland+3x1/1for1+3x2/1for2+3x2/2for2+3x1/3for2+3x2/3for3+3x3/2for3+3x3/3for4+2x2/4for4"
LEFT = 2  # cards of each library, all of them lands: so their order hides nothing


def endgame(seed: int) -> State:
    """A main phase near the end: little life, few cards, and libraries of lands."""
    random = Random(seed)

    def some(least: int, most: int) -> str:
        return ", ".join(random.sample(CARDS, random.randint(least, most)))

    life = (random.randint(1, 6), random.randint(1, 6))
    creatures, others, hand, lands = some(1, 3), some(1, 3), some(2, 3), random.randint(3, 5)
    state = board(creatures, others, hand=hand, lands=lands, other_lands=4, life=life, game=f"magic:deck={DECK}")
    record = state.record
    record.phase = MAIN
    for seat in range(2):
        record.played[seat] = record.deck[seat] - record.hand[seat]
        record.played[seat, LAND] -= LEFT
        record.library[seat] = -1
        record.library[seat][:LEFT] = LAND
        record.in_library[seat] = LEFT
    # Lands that are not in a library are in play; all but a few are spent.
    record.spent = record.played[0, LAND] - random.randint(3, 5)
    state._legal = None
    return state


ACTIONS = np.empty(1000, np.int64)


def after(data: Array, action: int) -> Array:
    """What a small action and combat by the expert lead to."""
    data = copied(data)
    record = record_in(data)
    rules.apply(record, action)
    rules.settle(record, ACTIONS, stream(0))
    return data


class Solver:
    """Who wins, if both play their cards as well as can be."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}

    def value(self, data: Array) -> int:
        """1 if seat 0 wins, and 0 if it does not."""
        record = record_in(data)
        if rules.is_over(record):
            return int(record.winner == 0)
        key = data.tobytes()
        if key not in self.known:
            own = record.active == 0
            legal = ACTIONS[: rules.legal(record, ACTIONS)].tolist()
            known = int(not own)
            for action in legal:
                if self.value(after(data, action)) == own:
                    known = int(own)
                    break
            self.known[key] = known
        return self.known[key]


@cache
def close_positions(count: int) -> list[tuple[State, list[int]]]:
    """Endgames in which some cards win and others do not, with those that win."""
    found: list[tuple[State, list[int]]] = []
    for seed in range(400):
        state, solver = endgame(seed), Solver()
        values = {action: solver.value(after(state.data, action)) for action in state.legal}
        if 0 in values.values() and 1 in values.values():
            found.append((state, [action for action, value in values.items() if value == 1]))
        if len(found) == count:
            break
    assert len(found) == count
    return found


@pytest.mark.parametrize("ways", ["", "bt=true", "bt=true,order=ascending", "bt=true,order=random", "ap=true", "lazy=true"])
def test_a_search_with_nothing_hidden_finds_what_wins(ways: str) -> None:
    options = f"mp=none,trees=1,simulations=4000,discount=1,exploration=0.7{',' if ways else ''}{ways}"
    for state, winning in close_positions(6):
        view = state.view(0)
        assert view.worlds() == 1
        agent = fd.agent(f"ensemble:{options}")
        assert agent.choose(view) in winning, (state.facts, agent.decision)
