"""Lost cause: seat 0 has lost, and may only say when. It answers all that any search asks.

1. One of two cards lies face down, the other is out of play: nobody sees either, and neither matters.
2. Seat 0 gives up, which ends the game at once, or answers briefly, which ends it after seat 1 has nodded, or talks, which
   ends it after three more words. All other words are the same.
3. Seat 1 has won.
"""

from typing import Any

import numpy as np

import facedown as fd
from coin_guess import ASIDE, BOTH, COIN, SEATS
from facedown.cards import NO_CARDS, bit
from facedown.errors import BadText
from facedown.kernel import Array, Record
from facedown.rng import draw
from facedown.rules import win_rewards

GIVE_UP, BRIEFLY, TALK, NOD, SMILE = range(5)
WORDS = ("give up", "briefly", "talk", "nod", "smile")
FIRST = 9  # what is left before the first word: more than there is after any

STATE = np.dtype([("coin", np.uint64), ("aside", np.uint64), ("left", np.int8), ("said", np.int8), ("to_move", np.int8)])


@fd.kernel
def deal(state: Record, rng: Array) -> None:
    """Rule 1."""
    state.coin = bit(draw(rng, 2))
    state.aside = BOTH & ~state.coin
    state.left = FIRST
    state.said = state.to_move = 0


@fd.kernel
def to_move(state: Record) -> int:
    """In turn."""
    return int(state.to_move)


@fd.kernel
def legal(state: Record, actions: Array) -> int:
    """Rule 2."""
    if state.left == FIRST:
        for choice in range(3):
            actions[choice] = choice
        return 3
    actions[0] = NOD
    actions[1] = SMILE
    return 2


@fd.kernel
def apply(state: Record, action: int) -> None:
    """Rule 2."""
    if action == GIVE_UP:
        state.left = 0
    elif action == BRIEFLY:
        state.left = 1
    elif action == TALK:
        state.left = 3
    else:
        state.left -= 1
    state.said += 1
    state.to_move = 1 - state.to_move


@fd.kernel
def is_over(state: Record) -> bool:
    """When nothing is left to say."""
    return bool(state.left == 0)


@fd.kernel
def scores(state: Record, out: Array) -> None:
    """Rule 3."""
    out[0] = 0.0
    out[1] = 1.0 if state.left == 0 else 0.0


@fd.kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """To win is all."""
    scores(state, out)
    win_rewards(state, 1.0, kind, out)


@fd.kernel
def turns(state: Record) -> int:
    """Words said."""
    return int(state.said)


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """Nobody sees the cards."""
    state.coin = state.aside = NO_CARDS


@fd.kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """Rule 1."""
    hidden.holders = SEATS + 2
    hidden.pool = hidden.unseen = BOTH
    hidden.may_hold[COIN] = hidden.may_hold[ASIDE] = BOTH
    hidden.room[COIN] = hidden.room[ASIDE] = 1


@fd.kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Lay the cards drawn."""
    state.coin = hidden.held[COIN]
    state.aside = hidden.held[ASIDE]


@fd.kernel
def moves_left(state: Record) -> int:
    """Four words at most."""
    return 4 if state.left == FIRST else int(state.left)


@fd.kernel
def information_set(state: Record, seat: int) -> int:
    """All that matters."""
    return int(np.int64(state.left)) * 16 + int(np.int64(state.said))


@fd.kernel
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """The cards do not matter."""
    key[0] = np.uint64(information_set(state, seat))
    key[1] = np.uint64(state.to_move)


@fd.kernel
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """A word is itself."""
    return int(action)


@fd.kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """The first there is."""
    legal(state, actions)
    return int(actions[0])


def parse(text: str) -> int:
    """An action by its words."""
    if text not in WORDS:
        raise BadText(f"expected one of {', '.join(WORDS)}, got {text!r}")
    return WORDS.index(text)


ANSWERS: list[Any] = [deal, to_move, legal, apply, is_over, scores, reward, turns, hide, unseen, place]
ANSWERS += [moves_left, position_key, relative_action, information_set]

GAME = fd.Game(
    "lost-cause",
    fd.register("lost-cause", STATE, ANSWERS, styles={"expert": [choose]}),
    seats=SEATS,
    actions=len(WORDS),
    summary="Lose late",
    rewards=("points", "pwl", "wl"),
    text=WORDS.__getitem__,
    parse=parse,
)
