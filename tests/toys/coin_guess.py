"""Coin guess: strategy fusion in its smallest form (Fernandes 2016, figure 2.6 (a)).

1. One of two cards, the coin, lies face down; the other is out of play, face down too. Nobody sees either.
2. Seat 0 says "safe" and scores what the option says, 100 per cent of 1 at first, or it says "guess".
3. After "guess" it names the coin. Right scores 1, wrong scores 0.

Seat 1 only watches: a lone seat would be a game too, but searches are meant for two or more.
"""

import numpy as np

import facedown as fd
from facedown.cards import NO_CARDS, bit, mask_of
from facedown.errors import BadText
from facedown.kernel import Array, Record
from facedown.options import Option
from facedown.rng import draw

SEATS = 2
COIN, ASIDE = SEATS, SEATS + 1  # holders after the seats
HEADS, TAILS, SAFE, GUESS = range(4)
WORDS = ("heads", "tails", "safe", "guess")
BOTH = mask_of([HEADS, TAILS])

STATE = np.dtype(
    [
        ("coin", np.uint64),
        ("aside", np.uint64),
        ("safe", np.int8),  # what safety is worth, in per cent
        ("score", np.int8),  # of seat 0, in per cent
        ("guessing", np.bool_),
        ("over", np.bool_),
    ]
)


@fd.kernel
def deal(state: Record, rng: Array) -> None:
    """Lay the coin (rule 1)."""
    state.coin = bit(draw(rng, 2))
    state.aside = BOTH & ~state.coin
    state.score = 0
    state.guessing = state.over = False


@fd.kernel
def to_move(state: Record) -> int:
    """Always seat 0."""
    return 0


@fd.kernel
def legal(state: Record, actions: Array) -> int:
    """Safe or guess, then heads or tails."""
    first = HEADS if state.guessing else SAFE
    actions[0] = first
    actions[1] = first + 1
    return 2


@fd.kernel
def apply(state: Record, action: int) -> None:
    """Rules 2 and 3."""
    if action == GUESS:
        state.guessing = True
        return
    state.over = True
    if action == SAFE:
        state.score = state.safe
    elif bit(action) == state.coin:
        state.score = 100


@fd.kernel
def is_over(state: Record) -> bool:
    """Whether seat 0 has played safe or named the coin."""
    return bool(state.over)


@fd.kernel
def scores(state: Record, out: Array) -> None:
    """Seat 1 gets what seat 0 does not."""
    out[0] = state.score / 100.0
    out[1] = 1.0 - out[0]


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """Nobody sees the coin."""
    state.coin = state.aside = NO_CARDS


@fd.kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """One card is the coin, the other lies aside."""
    hidden.holders = SEATS + 2
    hidden.pool = hidden.unseen = BOTH
    hidden.may_hold[COIN] = hidden.may_hold[ASIDE] = BOTH
    hidden.room[COIN] = hidden.room[ASIDE] = 1


@fd.kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Lay the cards drawn."""
    state.coin = hidden.held[COIN]
    state.aside = hidden.held[ASIDE]


def parse(text: str) -> int:
    """An action by its word."""
    if text not in WORDS:
        raise BadText(f"expected one of {', '.join(WORDS)}, got {text!r}")
    return WORDS.index(text)


GAME = fd.Game(
    "coin-guess",
    fd.register(
        "coin-guess", STATE, [deal, to_move, legal, apply, is_over, scores, hide, unseen, place], score_range=(0, 1)
    ),
    seats=SEATS,
    actions=len(WORDS),
    summary="Play safe, or guess a coin",
    options=[Option("safe", 100, "what safety is worth, in per cent", most=100)],
    text=WORDS.__getitem__,
    parse=parse,
)
