"""Fibs: a game of bluff small enough to reckon out.

1. Eight cards: three red, five black. Each seat gets three; two lie aside, face down.
2. Seats take turns, seat 0 first. A turn: lay a card face down and say that it is red, which is true (the lowest red card)
   or false (the lowest black one); or call, if the other seat has just laid a card.
3. A call ends the deal: the caller wins if the claim was false, else the other seat.
4. Who has laid the last card wins when the other seat lays one too, in place of calling.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import facedown as fd
from facedown.cards import NO_CARDS, bit, mask_of, write_cards
from facedown.errors import BadText
from facedown.kernel import Array, Record, count_ones
from facedown.options import Option
from facedown.rewards import WIN_OR_LOSS
from facedown.rng import draw, shuffle

SEATS = 2
LAST, EARLIER, ASIDE = SEATS, SEATS + 1, SEATS + 2  # holders after the seats
HAND_SIZE = 3
REDS, BLACKS = mask_of(range(3)), mask_of(range(3, 8))
PACK = REDS | BLACKS
TRUE, FALSE, CALL, LAY = range(4)  # laying is all that the other seat sees
WORDS = ("true", "false", "call", "lay")
NOBODY = -1

STATE = np.dtype(
    [
        ("hands", np.uint64, SEATS),
        ("laid", np.uint64, SEATS),  # before the last card
        ("last", np.uint64),  # the card just laid
        ("aside", np.uint64),
        ("turn", np.int8),  # actions so far
        ("winner", np.int8),
        ("blind", np.bool_),  # an option: the information set does not distinguish true claims from false ones
    ]
)


@fd.kernel
def deal(state: Record, rng: Array) -> None:
    """Rule 1."""
    pack = np.empty(64, np.int8)
    count = write_cards(PACK, pack)
    shuffle(rng, pack, 0, count)
    state.aside = PACK
    for seat in range(SEATS):
        state.hands[seat] = state.laid[seat] = NO_CARDS
        for place in range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE):
            state.hands[seat] |= bit(pack[place])
        state.aside &= ~state.hands[seat]
    state.last = NO_CARDS
    state.turn = 0
    state.winner = NOBODY


@fd.kernel
def to_move(state: Record) -> int:
    """Seats take turns."""
    return int(np.int64(state.turn % SEATS))


@fd.kernel
def legal(state: Record, actions: Array) -> int:
    """Rule 2."""
    hand = state.hands[state.turn % SEATS]
    count = 0
    if hand & REDS != NO_CARDS:
        actions[count] = TRUE
        count += 1
    if hand & BLACKS != NO_CARDS:
        actions[count] = FALSE
        count += 1
    if state.turn > 0:
        actions[count] = CALL
        count += 1
    return count


@fd.kernel
def apply(state: Record, action: int) -> None:
    """Rules 2 to 4."""
    seat = state.turn % SEATS
    state.turn += 1
    if action == CALL:
        state.winner = seat if state.last & REDS == NO_CARDS else 1 - seat
        return
    if state.turn > 1 and state.hands[1 - seat] == NO_CARDS:
        state.winner = 1 - seat
    state.laid[1 - seat] |= state.last
    cards = state.hands[seat] & (REDS if action == TRUE else BLACKS)
    state.last = cards & ~(cards - np.uint64(1))
    state.hands[seat] &= ~state.last


@fd.kernel
def is_over(state: Record) -> bool:
    """Whether somebody has won."""
    return bool(state.winner != NOBODY)


@fd.kernel
def scores(state: Record, out: Array) -> None:
    """One for the winner."""
    for seat in range(SEATS):
        out[seat] = 1.0 if state.winner == seat else 0.0


@fd.kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """The same, or -1 for the loser."""
    for seat in range(SEATS):
        won = 1.0 if state.winner == seat else 0.0
        out[seat] = 2.0 * won - 1.0 if kind == WIN_OR_LOSS else won


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """Erase what the other seat holds and has laid, and what lies aside."""
    state.hands[1 - seat] = state.laid[1 - seat] = state.aside = NO_CARDS
    if state.turn % SEATS == seat and state.winner == NOBODY:
        state.last = NO_CARDS


@fd.kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The other hand, its cards laid, and those aside; each action so far was a card laid."""
    others = (state.turn + seat) // 2  # cards that the other seat has laid
    hidden.holders = SEATS + 3
    hidden.pool = PACK & ~state.hands[seat]
    hidden.unseen = hidden.pool & ~state.laid[seat] & ~state.last
    hidden.room[1 - seat] = HAND_SIZE - others
    hidden.room[LAST] = 1 if state.turn > 0 and state.turn % SEATS == seat else 0
    hidden.room[EARLIER] = others - hidden.room[LAST]
    hidden.room[ASIDE] = 2
    for holder in range(hidden.holders):
        hidden.may_hold[holder] = hidden.unseen if holder != seat else NO_CARDS


@fd.kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Put the cards where they were drawn."""
    state.hands[1 - seat] = hidden.held[1 - seat]
    state.laid[1 - seat] = hidden.held[EARLIER]
    state.aside = hidden.held[ASIDE]
    if hidden.room[LAST] > 0:
        state.last = hidden.held[LAST]


@fd.kernel
def seen_as(state: Record, seat: int, action: int) -> int:
    """A card laid is seen face down."""
    return int(action) if action == CALL or state.turn % SEATS == seat else LAY


@fd.kernel
def turns(state: Record) -> int:
    """Actions so far."""
    return int(np.int64(state.turn))


@fd.kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """Mostly the first of the legal actions, which is honest; a call now and then."""
    count = legal(state, actions)
    return int(actions[draw(rng, count)]) if draw(rng, 4) == 0 else int(actions[0])


@fd.kernel
def assume(state: Record, seat: int, which: int, hidden: Record) -> int:
    """The card just laid is red, or black; nothing is hidden of a seat's own."""
    hidden.may_hold[LAST] &= REDS if which == TRUE else BLACKS
    return 2 if state.turn > 0 and state.turn % SEATS == seat else 1


@fd.kernel
def hypothesis(state: Record, seat: int) -> int:
    """Whether the last claim was false."""
    return 1 if state.turn > 0 and state.last & REDS == NO_CARDS else 0


@fd.kernel
def information_set(state: Record, seat: int) -> int:
    """The turn, the last claim's truth, and whether there is a red card: coarse, for black ones make a claim legal too."""
    kind = 2 if state.turn == 0 or state.blind else hypothesis(state, seat)
    red = 1 if count_ones(state.hands[seat] & REDS) > 0 else 0
    return int(np.int64((state.turn * 3 + kind) * 2 + red))


def parse(text: str) -> int:
    """An action by its word."""
    if text not in WORDS:
        raise BadText(f"expected one of {', '.join(WORDS)}, got {text!r}")
    return WORDS.index(text)


ANSWERS: list[Callable[..., Any]] = [
    deal,
    to_move,
    legal,
    apply,
    is_over,
    scores,
    reward,
    hide,
    unseen,
    place,
    seen_as,
    turns,
    assume,
    information_set,
]


def game(name: str, silent: str = "") -> fd.Game:
    """The game; it may keep silent on a question."""
    return fd.Game(
        name,
        fd.register(
            name,
            STATE,
            [answer for answer in ANSWERS if answer.__name__ != silent],
            styles={} if silent == "choose" else {"expert": [choose]},
        ),
        seats=SEATS,
        actions=len(WORDS),
        summary="Say red",
        options=[Option("blind", False, "the information set does not distinguish true claims from false ones")],
        text=WORDS.__getitem__,
        parse=parse,
        hypothesis=hypothesis,
        rewards=("points", "pwl", "wl"),
    )


GAME = game("fibs")
