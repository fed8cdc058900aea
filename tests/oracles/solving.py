"""Exact values by plain Python: the oracle for solvers and searches."""

from typing import Any

import numpy as np

import facedown as fd
from facedown import rules
from facedown.kernel import kernel
from facedown.rng import draw, stream
from facedown.state import State


def lead(scores: Any, seat: int, sign: float) -> float:
    """A seat's score against all the others' (Manzke 2025, eq. 4.1)."""
    return sign * float(len(scores) * scores[seat] - sum(scores))


def max_n(state: State) -> list[float]:
    """The final scores when every seat sees all cards and takes the first of its best actions; no table."""
    if state.over:
        return list(state.scores)
    sign, seat = -1.0 if state.game.lower_is_better else 1.0, state.seat or 0
    return max((max_n(after(state, action)) for action in state.legal), key=lambda scores: lead(scores, seat, sign))


def after(state: State, action: int) -> State:
    """The state one action on."""
    state = state.copy()
    state.play(action)
    return state


def leads(state: State) -> dict[int, float]:
    """What each legal action brings the seat to move: its lead in the end less its lead now."""
    sign, seat = -1.0 if state.game.lower_is_better else 1.0, state.seat or 0
    now = lead(state.scores, seat, sign)
    return {action: lead(max_n(after(state, action)), seat, sign) - now for action in state.legal}


def takes_every_point(state: State, seat: int) -> bool:
    """Whether a seat of Hearts takes all points of a deal against the other three together; every card is tried."""
    points = state.record.points.tolist()
    if sum(points) > points[seat]:
        return False
    if state.over:
        return True
    answers = (takes_every_point(after(state, action), seat) for action in state.legal)
    return any(answers) if state.seat == seat else all(answers)


def late(game: str | fd.Game, moves: int, seed: int) -> State:
    """A deal played at random until at most so many cards are left and there is a choice."""
    state = (fd.load(game) if isinstance(game, str) else game).deal(seed)
    rng = stream(seed, 1)
    while sum(len(hand) for hand in state.hands) > moves or len(state.legal) < 2:
        state.play(state.legal[draw(rng, len(state.legal))])
        if state.over:
            return late(game, moves, seed + 1000)
    return state


@kernel
def write_key(data: Any, seat: int, merge: bool, key: Any) -> None:
    """Ask a game for a key."""
    rules.position_key(data[0], seat, merge, key)


@kernel
def relative(data: Any, seat: int, merge: bool, action: int) -> int:
    """Ask a game for a relative action."""
    return rules.relative_action(data[0], seat, merge, action)


def key_of(state: State, seat: int = -1, merge: bool = False) -> tuple[int, int]:
    """A position's key."""
    key = np.zeros(2, np.uint64)
    write_key(state.data, seat, merge, key)
    return int(key[0]), int(key[1])


def relative_legal(state: State, seat: int = -1, merge: bool = False) -> dict[int, int]:
    """The legal actions by their relative names."""
    return {relative(state.data, seat, merge, action): action for action in state.legal}
