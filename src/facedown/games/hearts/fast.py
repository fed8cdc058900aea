"""Uniform playouts of Hearts: the rules once more, a trick at a time and in few variables. Tests compare the two."""

from facedown import cards
from facedown.cards import HEARTS, NO_CARDS, SUIT_MASK, bit, or_else, suit_of
from facedown.games.hearts.rules import (
    OVER,
    PASSING,
    QUEEN_OF_SPADES,
    SCORING_CARDS,
    SEATS,
    all_points,
    apply,
    end_deal,
    hand_size,
    legal_cards,
    lowest_club,
    points_taken,
)
from facedown.kernel import Array, Record, count_ones, kernel


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """Any legal card, uniformly."""
    return cards.random_card(legal_cards(state), rng)


@kernel
def play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Any legal card, uniformly, to the end: what `legal_cards` and `play` do, a trick at a time and in few variables.

    It stops when all points are taken, since nothing is decided after that, and leaves only points, totals and turns right.
    """
    while state.phase == PASSING or state.in_trick > 0:
        apply(state, cards.random_card(legal_cards(state), rng))
    if state.phase == OVER:
        return
    leader = state.to_move
    broken = state.hearts_broken
    barred = state.scoring_barred
    opening = NO_CARDS
    if state.tricks_played == 0 and state.lowest_club_leads:
        opening = bit(lowest_club(state))
    points_left = all_points(state) - points_taken(state)
    tricks_left = hand_size(state) - state.tricks_played
    while tricks_left > 0 and points_left > 0:
        tricks_left -= 1
        hand = state.hands[leader]
        choice = hand
        if opening != NO_CARDS:  # 3. the lowest club opens
            choice = opening
            opening = NO_CARDS
        else:
            if not broken:
                choice = or_else(choice & ~SUIT_MASK[HEARTS], choice)  # 6. hearts wait until broken
            if barred:
                choice = or_else(choice & ~SCORING_CARDS, choice)  # 5. no points on the first trick
        card = cards.random_card(choice, rng)
        suit = SUIT_MASK[suit_of(card)]
        best = bit(card)
        trick = best
        winner = leader
        state.hands[leader] = hand & ~best
        for step in range(1, SEATS):
            seat = (leader + step) % SEATS
            hand = state.hands[seat]
            choice = or_else(hand & suit, hand)  # 4. follow suit
            if barred:
                choice = or_else(choice & ~SCORING_CARDS, choice)  # 5. no points on the first trick
            played = bit(cards.random_card(choice, rng))
            state.hands[seat] = hand & ~played
            trick |= played
            if played & suit > best:
                best = played
                winner = seat
        leader = winner
        barred = False
        if trick & SCORING_CARDS != NO_CARDS:
            points = count_ones(trick & SUIT_MASK[HEARTS])
            broken |= points > 0
            if trick & bit(QUEEN_OF_SPADES) != NO_CARDS:
                points += hand_size(state)
                broken |= state.queen_breaks_hearts
            state.points[winner] += points
            points_left -= points
    if state.early_end:
        state.tricks_played = hand_size(state) - tricks_left
    else:
        state.tricks_played = hand_size(state)
    end_deal(state)
