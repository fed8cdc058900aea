"""A claim in Cheat: how it is written as an action, which rank it names, and which cards it lays."""

from typing import Any

import numpy as np

from facedown.cards import DECK_SIZE, NO_CARDS, SUIT_SIZE, bit
from facedown.kernel import Record, count_ones, kernel, lowest_bit

SUITS = 4
MOST_RANKS = SUIT_SIZE
MOST_LAID = 4  # in one claim

# Actions. The first are the abstract ones, which `legal` lists: direction, truth and count.
UP, DOWN = range(2)
TRUE, FALSE = range(2)
CLAIMS = 16
TAKE, CALL = CLAIMS, CLAIMS + 1
ACTIONS = CLAIMS + 2
# Then a claim as the other seat sees it: rank and count. The last are claims of any cards a person likes: as seen, and
# the cards in four places of six bits, lowest first, and NO_MORE in places that are not used.
SEEN = ACTIONS
CARDS_LAID = SEEN + MOST_RANKS * MOST_LAID
PLACE_BITS = 6
NO_MORE = (1 << PLACE_BITS) - 1
ALL_PLACES = MOST_LAID * PLACE_BITS

# Which cards a lie is made of (option lies_with).
LIE_RULES = ("furthest", "nearest", "fewest", "most")
FURTHEST, NEAREST, FEWEST, MOST = range(4)

RANK_MASK = np.array([sum(1 << suit * SUIT_SIZE + rank for suit in range(SUITS)) for rank in range(MOST_RANKS)], np.uint64)
MOST_DISTANCE = MOST_RANKS // 2


def _circle() -> Any:
    """AT_DISTANCE[ranks, rank, distance]: the cards at a distance from a rank, on a circle of n ranks."""
    table = np.zeros((MOST_RANKS + 1, MOST_RANKS, MOST_DISTANCE + 1), np.uint64)
    for ranks in range(1, MOST_RANKS + 1):
        for rank in range(ranks):
            for other in range(ranks):
                distance = min((rank - other) % ranks, (other - rank) % ranks)
                table[ranks, rank, distance] |= RANK_MASK[other]
    return table


AT_DISTANCE = _circle()


# --- As an action -----------------------------------------------------------------------------------------------------


@kernel
def rank_towards(state: Record, direction: int) -> int:
    """The rank that a claim up or down names: ranks lie on a circle."""
    last = int(np.int64(state.last_rank))
    top = int(np.int64(state.ranks)) - 1
    if direction == UP:
        return last + 1 if last < top else 0
    return last - 1 if last > 0 else top


@kernel
def card_in(action: int, place: int) -> int:
    """A card of a claim of any cards."""
    return (action - CARDS_LAID) >> PLACE_BITS * (MOST_LAID - 1 - place) & NO_MORE


@kernel
def size_of(action: int) -> int:
    """How many cards a claim is of, however it is written."""
    if action < CLAIMS:
        return action % 4 + 1
    if action < CARDS_LAID:
        return (action - SEEN) % MOST_LAID + 1
    return ((action - CARDS_LAID) >> ALL_PLACES) % MOST_LAID + 1


@kernel
def rank_named(state: Record, action: int) -> int:
    """The rank a claim names, however it is written."""
    if action < CLAIMS:
        return rank_towards(state, action // 8)
    if action < CARDS_LAID:
        return (action - SEEN) // MOST_LAID
    return ((action - CARDS_LAID) >> ALL_PLACES) // MOST_LAID


@kernel
def allows(state: Record, action: int) -> bool:
    """Whether a claim of any cards names a rank it may, and its cards are held and written in order."""
    if action < CARDS_LAID or action >= CARDS_LAID + (MOST_RANKS * MOST_LAID << ALL_PLACES):
        return False
    rank = rank_named(state, action)
    if rank != rank_towards(state, UP) and rank != rank_towards(state, DOWN):
        return False
    size = size_of(action)
    before = -1
    for place in range(MOST_LAID):
        card = card_in(action, place)
        if place >= size:
            if card != NO_MORE:
                return False
        elif card <= before or card >= DECK_SIZE or state.hands[state.to_move] & bit(card) == NO_CARDS:
            return False
        before = card
    return True


# --- Which cards ------------------------------------------------------------------------------------------------------


@kernel
def cards_of_claim(state: Record, action: int) -> Any:
    """The cards that a claim lays."""
    if action >= CARDS_LAID:
        cards = NO_CARDS
        for place in range(size_of(action)):
            cards |= bit(card_in(action, place))
        return cards
    hand = state.hands[state.to_move]
    rank = rank_named(state, action)
    if action % 8 < 4:
        return lowest_of(hand & RANK_MASK[rank], size_of(action))
    return cards_of_lie(state, hand & ~RANK_MASK[rank], rank, size_of(action))


@kernel
def lowest_of(cards: Any, count: int) -> Any:
    """The first `count` cards of a set: suit by suit, and in a suit the lowest first."""
    chosen = NO_CARDS
    for _ in range(count):
        chosen |= bit(lowest_bit(cards & ~chosen))
    return chosen


@kernel
def cards_of_lie(state: Record, cards: Any, rank: int, count: int) -> Any:
    """Which cards a lie about a rank is made of: by default those that are furthest from it, and so useless for longest."""
    rule = state.lies_with
    chosen = NO_CARDS
    for group in range(1, SUITS + 1):  # how many the hand has of a rank, for the rules that ask
        by_number = rule >= FEWEST
        for step in range(1, MOST_DISTANCE + 1):
            distance = step if rule == NEAREST else MOST_DISTANCE + 1 - step
            some = cards & AT_DISTANCE[state.ranks, rank, distance]
            if by_number:
                some = of_ranks_held(some, group if rule == FEWEST else SUITS + 1 - group)
            missing = count - count_ones(chosen)
            chosen |= some if count_ones(some) <= missing else lowest_of(some, missing)
            if count_ones(chosen) == count:
                return chosen
    return chosen


@kernel
def of_ranks_held(cards: Any, number: int) -> Any:
    """Those of the cards of whose rank there are `number`."""
    chosen = NO_CARDS
    for rank in range(MOST_RANKS):
        if count_ones(cards & RANK_MASK[rank]) == number:
            chosen |= cards & RANK_MASK[rank]
    return chosen
