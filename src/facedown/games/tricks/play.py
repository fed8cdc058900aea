"""The play of tricks, compiled: who leads, which card is winning, whose turn it is.

A game's record has the fields of TRICK and, for each seat, `hands`, `played`, `not_held` and `trick`. What a card may be
played on, what it beats and what it scores is the game's own.
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARD, NO_CARDS, bit, suit_of
from facedown.kernel import Record, kernel

NO_SEAT = -1

TRICK = (
    ("leader", np.int8),
    ("to_move", np.int8),
    ("in_trick", np.int8),  # cards in this trick
    ("suit_led", np.int8),
    ("winner", np.int8),  # who is winning the trick
    ("winning_card", np.int8),
    ("trick_points", np.int8),
    ("tricks_played", np.int8),
)


@kernel
def no_tricks(state: Record) -> None:
    """No card of this deal has been played; the game says who leads."""
    for seat in range(len(state.trick)):
        state.played[seat] = NO_CARDS
        state.not_held[seat] = NO_CARDS
        state.trick[seat] = NO_CARD
    state.in_trick = 0
    state.suit_led = NO_CARD
    state.winner = NO_SEAT
    state.winning_card = NO_CARD
    state.trick_points = 0
    state.tricks_played = 0


@kernel
def to_move(state: Record) -> int:
    """The seat to act."""
    return int(state.to_move)


@kernel
def cards_played(state: Record) -> Any:
    """All cards played in this deal, this trick's included."""
    return state.played[0] | state.played[1] | state.played[2] | state.played[3]


@kernel
def lead(state: Record, card: int) -> None:
    """Open a trick: the others follow the card's suit."""
    state.leader = state.to_move
    state.suit_led = suit_of(card)
    win_so_far(state, card)


@kernel
def win_so_far(state: Record, card: int) -> None:
    """The card that is being played is the one to beat."""
    state.winner = state.to_move
    state.winning_card = card


@kernel
def lay_down(state: Record, card: int, seats: int) -> None:
    """Move the card from its hand to the trick; the next of the seats is to move."""
    seat = state.to_move
    state.hands[seat] &= ~bit(card)
    state.played[seat] |= bit(card)
    state.trick[seat] = card
    state.in_trick += 1
    state.to_move = (seat + 1) % seats


@kernel
def end_trick(state: Record) -> None:
    """The winner leads to the next trick; its points have been given."""
    state.leader = state.winner
    state.to_move = state.winner
    state.in_trick = 0
    state.trick_points = 0
    state.tricks_played += 1
