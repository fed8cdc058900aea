"""Little duel: two seats, 16 cards (jack to ace), most tricks win. It answers all that any search asks.

1. Each seat gets six cards; the last four lie face down until the end.
2. Seat 0 leads to the first trick. Follow the suit led if possible; otherwise play any card.
3. The higher card of the suit led takes the trick; its player leads to the next. A trick scores 1.
"""

from typing import Any

import numpy as np

import facedown as fd
from facedown.cards import DECK_SIZE, NO_CARD, NO_CARDS, SUIT_MASK, SUIT_SIZE, bit, mask_of, suit_of, write_cards
from facedown.kernel import Array, Record, count_ones
from facedown.rewards import POINTS
from facedown.rng import shuffle
from facedown.rules import win_rewards

SEATS = 2
REST = SEATS
HAND_SIZE = 6
JACK = 9
DECK = mask_of(suit * SUIT_SIZE + rank for suit in range(4) for rank in range(JACK, SUIT_SIZE))

STATE = np.dtype(
    [
        ("hands", np.uint64, SEATS),
        ("rest", np.uint64),
        ("played", np.uint64, SEATS),
        ("not_held", np.uint64, SEATS),
        ("led", np.int8),  # the card led, or NO_CARD
        ("score", np.int8, SEATS),
        ("to_move", np.int8),
    ]
)


@fd.kernel
def deal(state: Record, rng: Array) -> None:
    """Six cards each (rule 1)."""
    pack = np.empty(DECK_SIZE, np.int8)
    count = write_cards(DECK, pack)
    shuffle(rng, pack, 0, count)
    state.rest = DECK
    for seat in range(SEATS):
        state.hands[seat] = state.played[seat] = state.not_held[seat] = NO_CARDS
        state.score[seat] = 0
        for place in range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE):
            state.hands[seat] |= bit(pack[place])
        state.rest &= ~state.hands[seat]
    state.led = NO_CARD
    state.to_move = 0


@fd.kernel
def to_move(state: Record) -> int:
    """The seat to act."""
    return int(state.to_move)


@fd.kernel
def legal(state: Record, actions: Array) -> int:
    """Rule 2."""
    hand = state.hands[state.to_move]
    if state.led != NO_CARD and hand & SUIT_MASK[suit_of(state.led)] != NO_CARDS:
        hand &= SUIT_MASK[suit_of(state.led)]
    return write_cards(hand, actions)


@fd.kernel
def apply(state: Record, action: int) -> None:
    """Play a card; the second ends the trick (rule 3)."""
    seat = state.to_move
    state.hands[seat] &= ~bit(action)
    state.played[seat] |= bit(action)
    if state.led == NO_CARD:
        state.led = action
        state.to_move = 1 - seat
        return
    if suit_of(action) != suit_of(state.led):
        state.not_held[seat] |= SUIT_MASK[suit_of(state.led)]
    wins = suit_of(action) == suit_of(state.led) and action > state.led
    winner = seat if wins else 1 - seat
    state.score[winner] += 1
    state.led = NO_CARD
    state.to_move = winner


@fd.kernel
def is_over(state: Record) -> bool:
    """Whether all cards have been played."""
    return bool(state.hands[0] | state.hands[1] == NO_CARDS and state.led == NO_CARD)


@fd.kernel
def scores(state: Record, out: Array) -> None:
    """Tricks."""
    out[0] = state.score[0]
    out[1] = state.score[1]


@fd.kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """Tricks as a share, or winning."""
    scores(state, out)
    if kind == POINTS:
        out[0] /= HAND_SIZE
        out[1] /= HAND_SIZE
    else:
        win_rewards(state, 1.0, kind, out)


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """Erase the other hand and the rest."""
    state.rest = state.hands[1 - seat] = NO_CARDS


@fd.kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The other hand, within the voids it showed, and the rest."""
    hidden.holders = SEATS + 1
    hidden.pool = DECK & ~state.hands[seat]
    hidden.unseen = hidden.pool & ~(state.played[0] | state.played[1])
    hidden.may_hold[1 - seat] = hidden.unseen & ~state.not_held[1 - seat]
    hidden.room[1 - seat] = HAND_SIZE - count_ones(state.played[1 - seat])
    hidden.may_hold[REST] = hidden.unseen
    hidden.room[REST] = 4


@fd.kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Give the cards drawn."""
    state.rest = hidden.held[REST]
    state.hands[1 - seat] = hidden.held[1 - seat]


@fd.kernel
def moves_left(state: Record) -> int:
    """The cards not yet played; a view tells as much as a state."""
    return SEATS * HAND_SIZE - count_ones(state.played[0] | state.played[1])


@fd.kernel
def mixed(key: Any, word: Any) -> Any:
    """Mix a word into a hash; shifts only, so that nothing overflows."""
    key ^= word
    key ^= key << np.uint64(13)
    key ^= key >> np.uint64(7)
    return key ^ key << np.uint64(17)


@fd.kernel
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Who holds or may hold what, whose turn it is and the card led: nothing is abstracted."""
    own = max(0, seat)
    key[0] = mixed(np.uint64(88172645463325252), np.uint64(state.to_move * 64 + state.led + 1))
    key[0] = mixed(key[0], state.hands[own])
    if seat < 0:
        key[0] = mixed(key[0], state.hands[1 - own])
    else:
        key[0] = mixed(key[0], (state.hands[1 - own] | state.rest) & ~state.not_held[1 - own])
        key[0] = mixed(key[0], state.hands[1 - own] | state.rest)
    key[1] = mixed(key[0], np.uint64(0x9E3779B97F4A7C15))


@fd.kernel
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """A card is itself."""
    return int(action)


GAME = fd.Game(
    "little-duel",
    fd.register(
        "little-duel",
        STATE,
        [
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
            moves_left,
            position_key,
            relative_action,
        ],
    ),
    seats=SEATS,
    actions=DECK_SIZE,
    summary="Most tricks of six",
    rewards=("points", "pwl", "wl"),
)
