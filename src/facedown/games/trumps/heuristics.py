"""Sueca and Bisca by rules of thumb: quick, no search, and it looks only at what its seat may see.

Each legal card gets a merit: the points it is expected to win or lose, less what it would be worth later. The best is
played.
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARDS, SUIT_MASK, bit, suit_of
from facedown.games.tricks.play import cards_played
from facedown.games.trumps.rules import CARD_POINTS, PACK, SIDES, STRENGTH, beats, legal_cards
from facedown.kernel import Array, Record, kernel, lowest_bit
from facedown.rng import draw

TRUMP_VALUE = 5.0  # what even the lowest trump is kept for
STRENGTH_VALUE = 0.4  # what each step in rank adds
RISK = 0.5  # of what a card wins, where others may still take the trick


@kernel
def later_value(state: Record, card: int) -> float:
    """What a card may still be worth if it is kept: a trump will hardly lose its points."""
    value = STRENGTH_VALUE * float(STRENGTH[card])
    return value + TRUMP_VALUE + float(CARD_POINTS[card]) if suit_of(card) == state.trump else value


@kernel
def is_safe(state: Record, card: int, seat: int) -> bool:
    """Whether no card that a seat cannot see beats this one in its suit: only a trump can."""
    left = PACK & ~(cards_played(state) | state.hands[seat]) & SUIT_MASK[suit_of(card)]
    while left != NO_CARDS:
        if STRENGTH[lowest_bit(left)] > STRENGTH[card]:
            return False
        left &= left - np.uint64(1)
    return True


@kernel
def merit_of_lead(state: Record, card: int) -> float:
    """High cards are cashed once suits must be followed; before that a lead is a gift, and should be a small one."""
    points = float(CARD_POINTS[card])
    if state.stock_left == 0 and suit_of(card) != state.trump and is_safe(state, card, state.to_move):
        return points
    return -points - later_value(state, card)


@kernel
def merit_of_reply(state: Record, card: int) -> float:
    """Points for the partner's trick, or for a trick that can be had; nothing of value for the others'."""
    seat = state.to_move
    points = float(CARD_POINTS[card])
    last = state.in_trick == state.seats - 1
    takes = beats(card, state.winning_card, state.trump)
    if not takes and state.winner % SIDES == seat % SIDES:
        sure = last or is_safe(state, state.winning_card, seat)
        return (points if sure else -points) - later_value(state, card)
    if takes:
        sure = last or is_safe(state, card, seat)
        won = points + float(state.trick_points)
        return (won if sure else RISK * won - RISK * points) - later_value(state, card)
    return -points - later_value(state, card) - (0.0 if last else RISK * float(state.trick_points))


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """The legal card of the greatest merit; one of those that tie, uniformly."""
    choice: Any = legal_cards(state)
    best = -1
    most = -np.inf
    ties = 0
    while choice != NO_CARDS:
        card = lowest_bit(choice)
        choice &= ~bit(card)
        merit = merit_of_lead(state, card) if state.in_trick == 0 else merit_of_reply(state, card)
        if merit > most:
            best, most, ties = card, merit, 1
        elif merit == most:
            ties += 1
            if draw(rng, ties) == 0:
                best = card
    return best
