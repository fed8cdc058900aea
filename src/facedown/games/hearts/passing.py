"""Passing in Hearts as one choice, and the cautious judgement of it (Manzke 2025, section 6.1.2).

For each three cards that may be passed, the paper looks at all sets of three that may be received, keeps the 1,000 most
damaging outcomes by a heuristic function, and passes the cards whose worst outcomes are least damaging. It does not say what
the function is. Here the damage of a hand is a sum over its suits, in tenths of a point:

- Clubs, diamonds, hearts: the n-th lowest card of a suit (n from 0) is safe up to the rank SAFE_RANK + 3n, since the others
  play three cards to a trick; each rank above costs RANK_COST, in hearts HEART_COST. The 2 is rank 0.
- Spades: low ones cost nothing. The queen costs QUEEN_COST, less GUARD for each other spade. Where she is not held, king and
  ace cost CATCH_COST each, less GUARD for each spade below her: she may be led out into them.
- A suit that is not held is worth VOID, unless it is spades.

A search has a first guess from the same figures, of the cards that are kept: where it has time for few playouts, it makes
none of what looks bad.
"""

from typing import Any

import numpy as np

from facedown.cards import HEARTS, NO_CARDS, SPADES, SUIT_MASK, SUIT_SIZE, bit
from facedown.games.hearts.bold import losers
from facedown.games.hearts.rules import PASSED_CARDS, PASSING, QUEEN_OF_SPADES, SEATS, deck_of
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit

MOST_DAMAGING = 1000  # outcomes that are kept
SAFE_RANK = 2
FOLLOWERS = 3
RANK_COST, HEART_COST = 2, 3
QUEEN_COST, CATCH_COST, GUARD = 100, 60, 15
VOID = 20
MOON_LOSERS, MOON_BONUS = 5, 2.0  # points for each card fewer that does not take a trick
REWARD_OF_POINT = 0.0192  # eq. 4.1 of the paper, from 0 to 1
LOW_SPADES = np.uint64((1 << QUEEN_OF_SPADES) - (1 << SPADES * SUIT_SIZE))
QUEEN = np.uint64(1 << QUEEN_OF_SPADES)
ZERO = 4 * VOID  # added to damage, so that none is negative
DAMAGES = 1024  # more than there are


def joint_choice(state: Record) -> int:
    """Three cards, while cards are passed (rule 2)."""
    if state.phase != PASSING:
        return 0
    for seat in range(SEATS):
        state.hands[seat] |= state.passed[seat]
        state.passed[seat] = NO_CARDS
    state.chosen = 0
    state.to_move = 0
    return PASSED_CARDS


@kernel
def suit_damage(suit: int, held: Any) -> int:
    """What the cards of one suit may cost, in tenths of a point."""
    if suit == SPADES:
        return spade_damage(held)
    if held == NO_CARDS:
        return -VOID
    damage = 0
    safe = SAFE_RANK
    while held != NO_CARDS:
        rank = lowest_bit(held) - suit * SUIT_SIZE
        damage += max(0, rank - safe) * (HEART_COST if suit == HEARTS else RANK_COST)
        safe += FOLLOWERS
        held &= held - np.uint64(1)
    return damage


@kernel
def spade_damage(held: Any) -> int:
    """What spades may cost: the queen of spades, or the cards that catch her."""
    if held & QUEEN != NO_CARDS:
        return max(0, QUEEN_COST - GUARD * (count_ones(held) - 1))
    low = count_ones(held & LOW_SPADES)
    high = count_ones(held) - low
    return high * max(0, CATCH_COST - GUARD * low)


@kernel
def hand_damage(hand: Any) -> int:
    """What a hand may cost before play, in tenths of a point."""
    damage = 0
    for suit in range(4):
        damage += suit_damage(suit, hand & SUIT_MASK[suit])
    return damage


@kernel
def first_guess(state: Record, seat: int, sets: Array, out: Array) -> None:
    """Half the damage of the cards kept; they are worth more where few of them do not take tricks."""
    hand = state.hands[seat]
    for place in range(sets.shape[0]):
        kept = hand
        for card in sets[place]:
            kept &= ~bit(card)
        points = MOON_BONUS * max(0, MOON_LOSERS - losers(kept, deck_of(state) & ~hand, MOON_LOSERS)) if state.moon else 0.0
        out[place] = REWARD_OF_POINT * (points - hand_damage(kept) / 20.0)


@kernel
def suit_damages(table: Array) -> None:
    """Write the damage of all cards that a hand may have of a suit, for each suit, by their mask."""
    for suit in range(4):
        for held in range(1 << SUIT_SIZE):
            table[suit, held] = suit_damage(suit, np.uint64(held) << np.uint64(suit * SUIT_SIZE))


@kernel
def count_outcomes(kept: Any, unseen: Array, count: int, table: Array, numbers: Array) -> None:
    """Count, for each damage, the sets of three unseen cards with which a hand of ten has it."""
    numbers[:] = 0
    for first in range(count):
        one = kept | bit(unseen[first])
        for second in range(first + 1, count):
            two = one | bit(unseen[second])
            for third in range(second + 1, count):
                hand = two | bit(unseen[third])
                damage = table[0, hand & np.uint64(0x1FFF)] + table[1, hand >> np.uint64(13) & np.uint64(0x1FFF)]
                damage += table[2, hand >> np.uint64(26) & np.uint64(0x1FFF)] + table[3, hand >> np.uint64(39)]
                numbers[damage + ZERO] += 1


@kernel
def mean_of_worst(numbers: Array) -> float:
    """The mean of the most damaging outcomes."""
    left = MOST_DAMAGING
    total = 0
    for place in range(numbers.shape[0] - 1, -1, -1):
        some = min(left, numbers[place])
        total += some * (place - ZERO)
        left -= some
    return total / (MOST_DAMAGING - left)


@kernel
def damages(state: Record, seat: int, sets: Array, out: Array) -> None:
    """The mean of the 1,000 most damaging outcomes of each pass, in points."""
    hand = state.hands[seat]
    unseen = np.empty(SEATS * SUIT_SIZE, np.int64)
    count = 0
    left = deck_of(state) & ~hand
    while left != NO_CARDS:
        unseen[count] = lowest_bit(left)
        left &= left - np.uint64(1)
        count += 1
    table = np.empty((4, 1 << SUIT_SIZE), np.int64)
    suit_damages(table)
    numbers = np.empty(DAMAGES, np.int64)
    for place in range(sets.shape[0]):
        kept = hand
        for card in sets[place]:
            kept &= ~bit(card)
        count_outcomes(kept, unseen, count, table, numbers)
        out[place] = mean_of_worst(numbers) / 10.0
