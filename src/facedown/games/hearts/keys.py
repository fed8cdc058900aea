"""Hearts positions in which the same cards do the same things (Manzke 2025, section 4.1).

What counts of a card is its suit, who may hold it, its place among the cards of its suit that are left, and whether it is
the queen of spades; of the trick, who led, which card is winning and what it is worth; of the points taken, which seats have
any. Gathering a seat's cards of a suit by the mask of those left does the renumbering.

Departures: the winning card stands in its suit's order, and whose it is belongs to the trick (the paper names only the card,
with which two positions of different value would be one); whether hearts are broken and whether rule 5 is in force are kept
too, since options decide them. Suits that differ only in name may be merged, the paper's own suggestion for later work.
"""

from typing import Any

import numpy as np

from facedown.cards import CLUBS, DIAMONDS, HEARTS, NO_CARDS, SPADES, SUIT_MASK, SUIT_SIZE, bit, suit_of
from facedown.games.hashing import hash_in, hash_start
from facedown.games.hearts.rules import PASSED_CARDS, PASSING, QUEEN_OF_SPADES, SEATS, lowest_club, receiver
from facedown.kernel import Array, Record, count_ones, gathered, kernel

QUEEN_GONE = 15
NOBODY, SEVERAL = 0, SEATS + 1  # who has taken points; a single seat is 1 + its number
CLUB, DIAMOND, SPADE, HEART = SUIT_MASK


@kernel
def may_hold(state: Record, seat: int, holder: int, cards: Any) -> Any:
    """Those of the cards left that a holder may have, as a seat knows; those it has, for seat -1 and for the seat itself."""
    if seat < 0 or holder == seat or state.hands[holder] == NO_CARDS:
        return state.hands[holder]
    cards &= ~(state.hands[seat] | state.not_held[holder])
    if receiver(state, seat) != holder:
        cards &= ~state.passed[seat]
    if state.opener != holder:
        cards &= ~bit(lowest_club(state))
    return cards


@kernel
def cards_left(state: Record) -> Any:
    """All cards in hands, and the one that is winning the trick."""
    cards = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]
    return cards | bit(state.winning_card) if state.in_trick > 0 else cards


@kernel
def suit_words(state: Record, seat: int) -> tuple[Any, Any, Any, Any]:
    """Each suit as one number: how many cards are left, and who may hold which; nobody holds the one that is winning."""
    cards = cards_left(state)
    in_hands = cards
    if state.in_trick > 0:
        in_hands &= ~bit(state.winning_card)
    clubs, diamonds, spades, hearts = cards & CLUB, cards & DIAMOND, cards & SPADE, cards & HEART
    shift = np.uint64(SUIT_SIZE)
    a, b = np.uint64(count_ones(clubs)), np.uint64(count_ones(diamonds))
    c, d = np.uint64(count_ones(spades)), np.uint64(count_ones(hearts))
    for holder in range(SEATS):
        held = may_hold(state, seat, holder, in_hands)
        a = a << shift | gathered(held, clubs)
        b = b << shift | gathered(held, diamonds)
        c = c << shift | gathered(held, spades)
        d = d << shift | gathered(held, hearts)
    return a, b, c, d


@kernel
def takers(state: Record) -> int:
    """Which seats have taken points: nobody, one of them, or several (six cases)."""
    result = NOBODY
    for seat in range(SEATS):
        if state.points[seat] > 0:
            result = 1 + seat if result == NOBODY else SEVERAL
    return result


@kernel
def place_in_suit(state: Record, card: Any) -> int:
    """How many cards of its suit are left below a card."""
    return count_ones(cards_left(state) & SUIT_MASK[suit_of(card)] & (bit(card) - np.uint64(1)))


@kernel
def queen_place(state: Record) -> int:
    """The queen of spades' place among the spades left, while she is in a hand."""
    in_hands = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]
    return place_in_suit(state, QUEEN_OF_SPADES) if in_hands & bit(QUEEN_OF_SPADES) != NO_CARDS else QUEEN_GONE


@kernel
def suit_place(state: Record, seat: int, suit: int) -> int:
    """The place of a suit among those that differ from it only in name, by their words; its own where none do."""
    a, b, c, _ = suit_words(state, seat)
    if suit == HEARTS or (suit == SPADES and queen_place(state) != QUEEN_GONE):
        return suit
    if queen_place(state) != QUEEN_GONE:
        c = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
    word = a if suit == CLUBS else b if suit == DIAMONDS else c
    earlier_a = a < word or (a == word and suit > CLUBS)
    earlier_b = b < word or (b == word and suit > DIAMONDS)
    earlier_c = c < word
    return int(earlier_a) + int(earlier_b) + int(earlier_c)


@kernel
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Write two hashes of what a seat knows and still needs to know."""
    queen = queen_place(state)
    rest = np.uint64(state.phase)
    rest = rest << np.uint64(4) | np.uint64(state.chosen)
    rest = rest << np.uint64(3) | np.uint64(state.leader + 1)
    rest = rest << np.uint64(2) | np.uint64(state.in_trick)
    rest = rest << np.uint64(5) | np.uint64(state.trick_points)
    rest = rest << np.uint64(3) | np.uint64(takers(state))
    rest = rest << np.uint64(1) | np.uint64(state.hearts_broken)
    rest = rest << np.uint64(1) | np.uint64(state.scoring_barred)
    rest = rest << np.uint64(4) | np.uint64(queen)
    if state.phase == PASSING:
        hash_start(key, rest)
        for holder in range(SEATS):
            if seat < 0 or holder == seat:
                hash_in(key, state.hands[holder])
        return
    a, b, c, d = suit_words(state, seat)
    if state.in_trick > 0:
        led = int(state.suit_led)
        rest = rest << np.uint64(3) | np.uint64(1 + (suit_place(state, seat, led) if merge else led))
        rest = rest << np.uint64(4) | np.uint64(place_in_suit(state, state.winning_card))
        rest = rest << np.uint64(2) | np.uint64(state.winner)
    if merge:
        a, b = min(a, b), max(a, b)
        if queen == QUEEN_GONE:
            b, c = min(b, c), max(b, c)
            a, b = min(a, b), max(a, b)
    hash_start(key, rest)
    hash_in(key, a)
    hash_in(key, b)
    hash_in(key, c)
    hash_in(key, d)


@kernel
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """A card by its suit's place and its own among the cards left; the card itself while passing."""
    if state.phase == PASSING:
        return int(action)
    suit = suit_of(action)
    if merge:
        return suit_place(state, seat, suit) * SUIT_SIZE + place_in_suit(state, action)
    return suit * SUIT_SIZE + place_in_suit(state, action)


@kernel
def moves_left(state: Record) -> int:
    """The cards not yet played, and those not yet passed: a view tells as much as a state."""
    moves = int(state.deck_size)
    for seat in range(SEATS):
        moves -= count_ones(state.played[seat])
    return moves + SEATS * PASSED_CARDS - int(state.chosen) if state.phase == PASSING else moves
