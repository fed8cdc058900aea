"""Uniform playouts of Sueca and Bisca: the rules once more, a trick at a time. Tests compare the two."""

import numpy as np

from facedown import cards
from facedown.cards import SUIT_MASK, bit, or_else, suit_of
from facedown.games.trumps.rules import CARD_POINTS, OVER, PACK_SIZE, SIDES, apply, beats, end_deal, legal_cards
from facedown.kernel import Array, Record, kernel


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """Any legal card, uniformly."""
    return cards.random_card(legal_cards(state), rng)


@kernel
def play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Any legal card, uniformly, to the end: what `legal_cards` and `apply` do, a trick at a time and in few variables.

    It leaves only points, totals and turns right.
    """
    while state.in_trick > 0:
        apply(state, cards.random_card(legal_cards(state), rng))
    if state.phase == OVER:
        return
    seats = int(np.int64(state.seats))
    stock_left = int(np.int64(state.stock_left))
    leader = int(np.int64(state.to_move))
    trump = int(np.int64(state.trump))
    for _ in range(state.tricks_played, PACK_SIZE // seats):
        winner = leader
        best = cards.random_card(state.hands[leader], rng)
        state.hands[leader] &= ~bit(best)
        points = int(np.int64(CARD_POINTS[best]))
        suit = SUIT_MASK[suit_of(best)]
        seat = leader
        for _ in range(1, seats):
            seat = seat + 1 if seat + 1 < seats else 0
            hand = state.hands[seat]
            choice = hand if stock_left > 0 else or_else(hand & suit, hand)  # 5. follow suit, once the stock is gone
            card = cards.random_card(choice, rng)
            state.hands[seat] = hand & ~bit(card)
            points += CARD_POINTS[card]
            if beats(card, best, trump):
                best = card
                winner = seat
        state.points[winner % SIDES] += points
        leader = winner
        if stock_left > 0:
            seat = winner
            for _ in range(seats):  # 7. the winner draws first
                stock_left -= 1
                state.hands[seat] |= bit(state.stock[stock_left])
                seat = seat + 1 if seat + 1 < seats else 0
    state.tricks_played = PACK_SIZE // seats
    end_deal(state)
