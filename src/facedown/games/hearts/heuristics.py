"""Hearts by rules of thumb: quick, no search, and it looks only at what its seat may see."""

from typing import Any

import numpy as np

from facedown.cards import HEARTS, NO_CARDS, SPADES, SUIT_MASK, SUIT_SIZE, bit, or_else, random_card
from facedown.games.hearts.rules import (
    NO_SEAT,
    PASSING,
    QUEEN_OF_SPADES,
    SCORING_CARDS,
    SEATS,
    all_points,
    legal_cards,
    points_taken,
)
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit, nth_bit
from facedown.rng import draw

ONE = np.uint64(1)
QUEEN = np.uint64(1 << QUEEN_OF_SPADES)
HIGH_SPADES = np.uint64(0b11 << QUEEN_OF_SPADES + 1)  # king and ace
ALARM = 3  # one seat alone with a third of all points may be shooting the moon
NO_HIGHER_LEFT = SUIT_SIZE  # the danger of a lead that nobody can take over


@kernel
def highest_card(cards: Any) -> int:
    """The highest card number of a set that is not empty; of one suit, its highest card."""
    return nth_bit(cards, count_ones(cards) - 1)


@kernel
def highest_of_any_suit(cards: Any, rng: Array) -> int:
    """A card of the highest rank in a set that is not empty, of any suit that has it."""
    best = 0
    best_rank = -1
    ties = 0
    for suit in range(4):
        held = cards & SUIT_MASK[suit]
        if held == NO_CARDS:
            continue
        card = highest_card(held)
        rank = card - suit * SUIT_SIZE
        if rank > best_rank:
            best_rank = rank
            best = card
            ties = 1
        elif rank == best_rank:
            ties += 1
            if draw(rng, ties) == 0:
                best = card
    return best


@kernel
def cards_played(state: Record) -> Any:
    """All cards played in this deal, this trick's included."""
    return state.played[0] | state.played[1] | state.played[2] | state.played[3]


@kernel
def shooter(state: Record) -> int:
    """Another seat that has taken all points so far, and many; or NO_SEAT."""
    taken = points_taken(state)
    if not state.moon or ALARM * taken < all_points(state):
        return NO_SEAT
    for seat in range(SEATS):
        if state.points[seat] == taken and seat != state.to_move:
            return seat
    return NO_SEAT


@kernel
def queen_threatens(state: Record) -> bool:
    """Whether another seat still holds the queen of spades."""
    return bool((cards_played(state) | state.hands[state.to_move]) & QUEEN == NO_CARDS)


@kernel
def rule_card(state: Record, rng: Array) -> int:
    """A legal card by rules of thumb."""
    choice = legal_cards(state)
    if choice & (choice - ONE) == NO_CARDS:
        return lowest_bit(choice)
    if state.phase == PASSING:
        return card_to_dump(state, choice, rng)
    if state.in_trick == 0:
        return card_to_lead(state, choice, rng)
    if choice & SUIT_MASK[state.suit_led] != NO_CARDS:
        return card_to_follow(state, choice)
    moon = shooter(state)
    if moon != NO_SEAT and moon == state.winner:
        choice = or_else(choice & ~SCORING_CARDS, choice)
    return card_to_dump(state, choice, rng)


@kernel
def card_to_dump(state: Record, choice: Any, rng: Array) -> int:
    """The card a hand is best rid of: queen of spades, what may catch her, hearts, high cards."""
    if choice & QUEEN != NO_CARDS:
        return QUEEN_OF_SPADES
    if choice & HIGH_SPADES != NO_CARDS and queen_threatens(state):
        return highest_card(choice & HIGH_SPADES)
    if choice & SUIT_MASK[HEARTS] != NO_CARDS and state.phase != PASSING:
        return highest_card(choice & SUIT_MASK[HEARTS])
    return highest_of_any_suit(choice, rng)


@kernel
def card_to_follow(state: Record, choice: Any) -> int:
    """A card of the suit led: under the winning one if possible, and high where the trick costs nothing."""
    below = choice & (bit(state.winning_card) - ONE)
    above = choice & ~below
    if above & ~QUEEN != NO_CARDS and state.trick_points > 0:
        moon = shooter(state)
        if moon != NO_SEAT and moon == state.winner:
            return highest_card(above & ~QUEEN)
    if below & QUEEN != NO_CARDS:
        return QUEEN_OF_SPADES
    cheap = or_else(choice & ~QUEEN, choice)
    last = state.in_trick == SEATS - 1
    if state.scoring_barred or (last and state.trick_points == 0):
        return highest_card(cheap)
    if below != NO_CARDS:
        return highest_card(below)
    return highest_card(cheap) if last else lowest_bit(cheap)


@kernel
def card_to_lead(state: Record, choice: Any, rng: Array) -> int:
    """The lowest card of a suit in which others hold few lower cards and some higher ones."""
    hand = state.hands[state.to_move]
    if hand & QUEEN != NO_CARDS:
        choice = or_else(choice & ~SUIT_MASK[SPADES], or_else(choice & ~QUEEN, choice))
    elif queen_threatens(state):
        choice = or_else(choice & ~HIGH_SPADES, choice)
    others = ~(cards_played(state) | hand)
    best = NO_CARDS
    least = NO_HIGHER_LEFT + 1
    for suit in range(4):
        held = choice & SUIT_MASK[suit]
        if held == NO_CARDS:
            continue
        card = held & (~held + ONE)
        lower = others & SUIT_MASK[suit] & (card - ONE)
        higher = others & SUIT_MASK[suit] & ~lower
        danger = count_ones(lower) if higher != NO_CARDS else NO_HIGHER_LEFT
        if danger < least:
            least = danger
            best = card
        elif danger == least:
            best |= card
    return random_card(best, rng)


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """See rule_card."""
    return rule_card(state, rng)
