"""What passes tell in Hearts: how likely the other seats were to pass what they passed, in a world, by a learnt policy.

Who holds a hand of a world was dealt those cards, less the three it received, and the three it passed. A seat knows what it
passed and received itself. What the others passed to one another lies in the hands of the world: three cards of each are
drawn, high ones more often, some times over, and how likely these passes are is averaged, each by how often it is drawn
(importance sampling).

The chance of three cards is the product of exp(weights . features) of each, in proportion to that of any other three of the
hand: the order in which they are named tells nothing.
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARDS, SPADES, SUIT_SIZE, bit
from facedown.games.hearts.feature_names import LEAD, PASS
from facedown.games.hearts.features import Situation, pass_features, strength
from facedown.games.hearts.rules import HOLD, PASSED_CARDS, PASSING, QUEEN_OF_SPADES, SEATS, deck_of, receiver
from facedown.kernel import Array, Record, kernel, lowest_bit
from facedown.rng import uniform

DRAWS = 2  # of the passes between others
ONE = np.uint64(1)

# How often a card is drawn as one of those passed: any figures above 0 give the same mean, good ones with fewer draws.
LOWEST = (3.0, 2.0, 1.75, 1.0)  # by suit; more by rank, in spades from the queen
DRAWN = np.array([least + rank * rank / 16.0 for least in LOWEST for rank in range(SUIT_SIZE)])
DRAWN[SPADES * SUIT_SIZE : QUEEN_OF_SPADES] = LOWEST[SPADES]
DRAWN[QUEEN_OF_SPADES : (SPADES + 1) * SUIT_SIZE] = 18.0, 12.0, 12.0

# Rows of the room to work in.
FEATURES, SUMS = 0, 1
CARD = PASSED_CARDS + 1  # column of the card that is next


@kernel
def hidden_choices(state: Record, seat: int, weights: Array, chances: Array, room: Array, rng: Array) -> float:
    """How likely the other seats' passes are, as a logarithm; of a deal at the beginning of play."""
    if state.phase == PASSING or state.direction == HOLD:
        return 0.0
    mean = -np.inf
    for _ in range(DRAWS):
        whole = 0.0
        for giver in range(SEATS):
            if giver != seat and receiver(state, giver) != seat:
                state.passed[giver], chance = draw_pass(state.hands[receiver(state, giver)], room[SUMS:], rng)
                whole -= chance
        for giver in range(SEATS):
            if giver != seat:
                whole += log_pass(state, giver, weights, chances[giver], room)
        mean = np.logaddexp(mean, whole)
    return float(mean - np.log(DRAWS))


@kernel
def draw_pass(hand: Any, sums: Array, rng: Array) -> tuple[Any, float]:
    """Three cards of a hand, in proportion to the product of DRAWN; and the logarithm of the chance of these."""
    count = 0
    sums[0, 0], sums[0, 1], sums[0, 2], sums[0, 3] = 1.0, 0.0, 0.0, 0.0
    while hand != NO_CARDS:  # a row for the first cards of the hand: the sums over their sets of 0, 1, 2 and 3
        card = lowest_bit(hand)
        hand &= hand - ONE
        before, after = sums[count], sums[count + 1]
        before[CARD] = card
        after[0] = 1.0
        for size in range(1, PASSED_CARDS + 1):
            after[size] = before[size] + DRAWN[card] * before[size - 1]
        count += 1
    chance = -np.log(sums[count, PASSED_CARDS])
    drawn = NO_CARDS
    missing = PASSED_CARDS
    while missing > 0:
        count -= 1
        card = int(sums[count, CARD])
        taken = DRAWN[card] * sums[count, missing - 1]
        if count < missing or uniform(rng) * sums[count + 1, missing] < taken:
            drawn |= bit(card)
            chance += np.log(DRAWN[card])
            missing -= 1
    return drawn, chance


@kernel
def log_pass(state: Record, giver: int, weights: Array, chances: Array, room: Array) -> float:
    """How likely a seat was to pass what it passed, as a logarithm."""
    passed = state.passed[giver]
    hand = state.hands[giver] | passed
    for other in range(SEATS):
        if receiver(state, other) == giver:
            hand &= ~state.passed[other]
    others = deck_of(state) & ~hand
    seen = Situation(hand, others, strength(hand, others) if state.moon else 0.0, 0.0, 0.0)
    row = room[FEATURES]
    sums = room[SUMS:]
    for mode in range(weights.shape[0]):
        for size in range(CARD + 1):
            sums[mode, size] = 0.0
    while hand != NO_CARDS:
        card = lowest_bit(hand)
        hand &= hand - ONE
        for column in range(LEAD - PASS):
            row[column] = 0.0
        pass_features(card, seen, row)
        for mode in range(weights.shape[0]):
            add_card(weights[mode], row, passed & bit(card) != NO_CARDS, sums[mode])
    whole = -np.inf
    for mode in range(weights.shape[0]):
        whole = np.logaddexp(whole, chances[mode] + sums[mode, 0] - np.log(sums[mode, PASSED_CARDS]))
    return float(whole)


@kernel
def add_card(weights: Array, row: Array, is_passed: bool, sums: Array) -> None:
    """Add a card to the sums over all sets of 1, 2 and 3; and its utility to that of those passed, in place 0."""
    even = 0.0  # two sums side by side take half the time of one
    odd = 0.0
    for column in range(0, LEAD - PASS - 1, 2):
        even += weights[PASS + column] * row[column]
        odd += weights[PASS + column + 1] * row[column + 1]
    if (LEAD - PASS) % 2 == 1:
        even += weights[LEAD - 1] * row[LEAD - PASS - 1]
    utility = even + odd
    if is_passed:
        sums[0] += utility
    chance = np.exp(utility)
    sums[3] += chance * sums[2]
    sums[2] += chance * sums[1]
    sums[1] += chance
