"""Positions of Sueca and Bisca in which the same cards do the same things.

What counts of a card is whether it is a trump, who may hold it, its place among the cards of its suit that are left, and its
points. Only the five highest ranks have points, and they are kept as they are; the others are known by their place alone. Of
the trick, who led, the suit led, what the winning card beats, whose it is, and what the trick is worth so far; of the
stock how much is left, and for seat -1 in which order. In a match the points taken count too, since game points come in
steps. Of the suits that are not trumps, those that differ only in name may be merged.
"""

from typing import Any

import numpy as np

from facedown.cards import RANKS, SUIT_MASK, SUIT_SIZE, bit, mask_of, suit_of
from facedown.games.hashing import hash_in, hash_start
from facedown.games.tricks.play import cards_played
from facedown.games.trumps.knowledge import need
from facedown.games.trumps.rules import MOST_SEATS, PACK, PACK_SIZE, RANK_ORDER
from facedown.kernel import Array, Record, count_ones, gathered, kernel

SUITS = 4
TRUMP_PLACE = 3  # trumps come after the suits that may be merged
HONOURS = 5  # ranks with points: the highest

# Ranks in the order of their strength, within the 13 bits of a suit: 2 to 6 and J stay, Q K 7 move, A is highest.
QUEENS, KINGS, SEVENS = (mask_of(suit * SUIT_SIZE + RANKS.index(rank) for suit in range(SUITS)) for rank in "QK7")
UNMOVED = PACK & ~(QUEENS | KINGS | SEVENS)
LOWEST_HONOUR = np.uint64(8)  # where the queen goes


@kernel
def by_strength(cards: Any) -> Any:
    """A set of cards with the bits of each suit in the order of strength: Q 8, J 9, K 10, 7 11, A 12."""
    queens, kings, sevens = cards & QUEENS, cards & KINGS, cards & SEVENS
    return cards & UNMOVED | queens >> np.uint64(2) | kings >> np.uint64(1) | sevens << np.uint64(6)


@kernel
def cards_left(state: Record) -> Any:
    """All cards in hands and in the stock: a view tells as much as a state."""
    return PACK & ~cards_played(state)


@kernel
def may_hold(state: Record, seat: int, holder: int, left: Any) -> Any:
    """Those of the cards left that a holder may have, as a seat knows; those it has, for seat -1 and for the seat itself."""
    if seat < 0 or holder == seat:
        return state.hands[holder]
    left &= ~(state.hands[seat] | state.not_held[holder])
    return left if state.shown_holder == holder else left & ~bit(state.shown)


@kernel
def suit_words(state: Record, seat: int) -> tuple[Any, Any, Any, Any]:
    """Each suit as one number: whether it was led, what is left of it, and who may hold which; trumps come last."""
    left = cards_left(state)
    ordered = by_strength(left)
    first, second, third, trumps = suits_in_order(state)
    a, b = beginning(state, ordered, first), beginning(state, ordered, second)
    c, d = beginning(state, ordered, third), beginning(state, ordered, trumps)
    shift = np.uint64(len(RANK_ORDER))
    for holder in range(state.seats):
        held = by_strength(may_hold(state, seat, holder, left))
        a = a << shift | gathered(held, ordered & SUIT_MASK[first])
        b = b << shift | gathered(held, ordered & SUIT_MASK[second])
        c = c << shift | gathered(held, ordered & SUIT_MASK[third])
        d = d << shift | gathered(held, ordered & SUIT_MASK[trumps])
    return a, b, c, d


@kernel
def suits_in_order(state: Record) -> tuple[int, int, int, int]:
    """The suits with trumps last."""
    trump = int(np.int64(state.trump))
    return int(trump < 1), 1 + int(trump < 2), 2 + int(trump < 3), trump


@kernel
def beginning(state: Record, ordered: Any, suit: int) -> Any:
    """Whether a suit was led to this trick, which of its honours are left, and how many other cards."""
    led = np.uint64(state.in_trick > 0 and state.suit_led == suit)
    left = (ordered & SUIT_MASK[suit]) >> np.uint64(suit * SUIT_SIZE)
    honours = left >> LOWEST_HONOUR
    others = np.uint64(count_ones(left)) - np.uint64(count_ones(honours))
    return (led << np.uint64(HONOURS) | honours) << np.uint64(3) | others


@kernel
def place_in_suit(state: Record, card: int) -> int:
    """How many cards of its suit are left that a card beats."""
    left = by_strength(cards_left(state)) & SUIT_MASK[suit_of(card)]
    return count_ones(left & (by_strength(bit(card)) - np.uint64(1)))


@kernel
def suit_place(state: Record, seat: int, merge: bool, suit: int) -> int:
    """A suit's place among those that are not trumps: by their words where they may be merged, by their numbers if not."""
    if suit == state.trump:
        return TRUMP_PLACE
    place = suit - int(suit > state.trump)
    if not merge:
        return place
    a, b, c, _ = suit_words(state, seat)
    word = a if place == 0 else b if place == 1 else c
    earlier_a = a < word or (a == word and place > 0)
    earlier_b = b < word or (b == word and place > 1)
    return int(earlier_a) + int(earlier_b) + int(c < word)


@kernel
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Write two hashes of what a seat knows and still needs to know."""
    rest = np.uint64(state.phase)
    rest = rest << np.uint64(2) | np.uint64(TRUMP_PLACE if merge else state.trump)
    rest = rest << np.uint64(6) | np.uint64(state.stock_left)
    rest = rest << np.uint64(2) | np.uint64(state.leader)
    rest = rest << np.uint64(2) | np.uint64(state.in_trick)
    if state.in_trick > 0:
        trumped = state.winning_card // SUIT_SIZE != state.suit_led
        rest = rest << np.uint64(1) | np.uint64(trumped)
        rest = rest << np.uint64(4) | np.uint64(place_in_suit(state, state.winning_card))
        rest = rest << np.uint64(2) | np.uint64(state.winner)
        rest = rest << np.uint64(6) | np.uint64(state.trick_points)
    if state.match > 0:
        rest = rest << np.uint64(7) | np.uint64(state.points[0])
        rest = rest << np.uint64(7) | np.uint64(state.points[1])
    a, b, c, d = suit_words(state, seat)
    if merge:
        a, b = min(a, b), max(a, b)
        b, c = min(b, c), max(b, c)
        a, b = min(a, b), max(a, b)
    hash_start(key, rest)
    hash_in(key, a)
    hash_in(key, b)
    hash_in(key, c)
    hash_in(key, d)
    if seat < 0:
        hash_stock(state, merge, key)
    elif state.mandar_abaixo:
        hash_needs(state, seat, key)


@kernel
def hash_stock(state: Record, merge: bool, key: Array) -> None:
    """Add the order of the stock to a key."""
    for place in range(state.stock_left):
        hash_in(key, np.uint64(relative_action(state, -1, merge, state.stock[place])))


@kernel
def hash_needs(state: Record, seat: int, key: Array) -> None:
    """Add to a seat's key what rule 10 tells it about the other hands."""
    word = np.uint64(0)
    for other in range(MOST_SEATS):
        if other != seat:
            word = word << np.uint64(4) | np.uint64(need(state, other))
    hash_in(key, word)


@kernel
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """A card by its suit's place and its own among the cards left."""
    return suit_place(state, seat, merge, suit_of(action)) * SUIT_SIZE + place_in_suit(state, action)


@kernel
def moves_left(state: Record) -> int:
    """The cards not yet played: a view tells as much as a state."""
    return PACK_SIZE - count_ones(cards_played(state))
