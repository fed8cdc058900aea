"""Exactly uniform sampling of hidden cards. The samplers of the literature stand beside it in literature.py.

A game writes into a HIDDEN record which cards each holder (a seat, or the stock) may have and is known to have. The exact
sampler groups the cards that nobody is known to have by the set of holders that may have them. It counts, by dynamic
programming over groups and free places, in how many ways the rest can be completed; draws how many cards of a group each
holder gets in proportion to these counts; and then which, at random. So every possible world comes out with the same
probability, up to the rounding of a double. The counts are made once, a world then costs a fraction of a microsecond.

    steps:    (group 0, holder 1) (group 0, holder 2) (group 1, holder 1) ...      the last group takes what is left
    ways:     ways[step, cell] = completions from here on; a cell numbers the free places of all holders, in mixed radix
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARDS, bit, random_cards
from facedown.errors import BadGame, BadOption, NoWorlds
from facedown.kernel import Array, Record, compile_as, count_ones, kernel, lowest_bit
from facedown.rng import uniform
from facedown.worlds.batches import draw_laid, has_batches, prepare_laid
from facedown.worlds.knowledge import (
    ACCEPT_REJECT,
    BIASED_MATRIX,
    BY_EXACT_COUNT,
    CARDS,
    CARDS_PLAYED,
    CHOOSE,
    EXACT,
    FACTORIAL,
    HIDDEN,
    HOLDERS,
    RANDOM,
    SAMPLERS,
    STEPS,
    new_hidden,
)

__all__ = [
    "BY_EXACT_COUNT",
    "CARDS",
    "HIDDEN",
    "HOLDERS",
    "SAMPLERS",
    "believe",
    "draw_exact",
    "draw_world",
    "new_hidden",
    "prepare",
]


# --- Preparing: who may hold what, counted once -----------------------------------------------------------------------


def prepare(hidden: Any) -> Array:
    """Group and count the worlds of a HIDDEN record; the table that drawing needs."""
    if hidden[0].sampler == BIASED_MATRIX:
        _rule_out(hidden)
    if has_batches(hidden):
        possible = prepare_laid(hidden[0])
        ways = np.zeros((1, 1))
    else:
        possible, ways = _prepare_groups(hidden)
    if not possible:
        raise NoWorlds("expected a position with at least one possible world, got one with none")
    return ways


def believe(hidden: Any, beliefs: Any) -> None:
    """Write how likely each holder is to have each card, as weights, for the biased matrix."""
    weights = np.asarray(beliefs, np.float64)
    expected = f"expected beliefs as weights from 0 up, at most {HOLDERS} holders x {CARDS} cards, got"
    if weights.ndim != 2 or weights.shape[0] > HOLDERS or weights.shape[1] > CARDS:
        raise BadOption(f"{expected} {' x '.join(map(str, weights.shape))}")
    wrong = weights[~((weights >= 0) & np.isfinite(weights))]
    if wrong.size:
        raise BadOption(f"{expected} {wrong[0]:g}")
    hidden[0].belief[: weights.shape[0], : weights.shape[1]] = weights


def _rule_out(hidden: Any) -> None:
    """What is believed with 0 is impossible, unless it is known to be so (Fernandes 2016, section 4.1.0.2)."""
    impossible = np.packbits(hidden[0].belief == 0.0, axis=1, bitorder="little").view("<u8")[:, 0]
    hidden[0].may_hold &= ~impossible | hidden[0].known


def _prepare_groups(hidden: Any) -> tuple[bool, Array]:
    """Whether there is a world, and the table."""
    cells = group_cards(hidden[0])
    if cells < 0:
        raise BadGame(f"expected what `unseen` tells of {CARDS} cards to differ in at most {STEPS} ways, got more")
    each_card_has_a_place = hidden[0].group_start[hidden[0].groups] == hidden[0].free.sum()
    if not each_card_has_a_place or hidden[0].free.min() < 0:
        return False, np.zeros((1, 1))
    ways = np.full((int(hidden[0].steps) + 1, cells), -1.0)
    count_ways(hidden[0], ways)
    return bool(ways[0, hidden[0].start] > 0), ways


@kernel
def group_cards(hidden: Record) -> int:
    """Group the cards to draw by their possible holders; return how many cells a step has, or -1."""
    sampler = hidden.sampler
    drawn = hidden.unseen
    if sampler == RANDOM:
        drawn = hidden.pool
    places = 0
    hidden.minds_needs = 0
    for holder in range(hidden.holders):
        hidden.sure[holder] = NO_CARDS
        if sampler == EXACT or sampler >= ACCEPT_REJECT:
            hidden.sure[holder] = hidden.known[holder]
            hidden.minds_needs += hidden.need[holder] > 0
        hidden.free[holder] = hidden.room[holder] - count_ones(hidden.sure[holder])
        places += hidden.room[holder]
    if sampler == RANDOM:
        hidden.room[hidden.holders] = count_ones(drawn) - places
        hidden.free[hidden.holders] = hidden.room[hidden.holders]
        hidden.sure[hidden.holders] = NO_CARDS
        hidden.holders += 1
    for holder in range(hidden.holders):
        drawn &= ~hidden.sure[holder]

    # Sets of holders come in order of size, so that the last group, which takes what is left, is the widest.
    hidden.groups = 0
    hidden.group_start[0] = 0
    for size in range(1, hidden.holders + 1):
        left = drawn
        while left != NO_CARDS:
            holders = holders_of(hidden, lowest_bit(left))
            if count_ones(holders) != size:
                left &= left - np.uint64(1)
                continue
            group = hidden.groups
            hidden.group_holders[group] = holders
            hidden.group_cards[group] = NO_CARDS
            end = hidden.group_start[group]
            rest = left
            while rest != NO_CARDS:
                card = lowest_bit(rest)
                rest &= rest - np.uint64(1)
                if holders_of(hidden, card) == holders:
                    hidden.group_cards[group] |= bit(card)
                    end += 1
                    left &= ~bit(card)
                    drawn &= ~bit(card)
            hidden.group_start[group + 1] = end
            hidden.groups = group + 1
    return number_steps(hidden)


@kernel
def holders_of(hidden: Record, card: int) -> Any:
    """The mask of holders that may have a card and have a place for one."""
    holders = np.uint64(0)
    everyone = hidden.sampler == CARDS_PLAYED or hidden.sampler == RANDOM
    for holder in range(hidden.holders):
        if hidden.free[holder] > 0 and (everyone or hidden.may_hold[holder] & bit(card) != NO_CARDS):
            holders |= np.uint64(1) << np.uint64(holder)
    return holders


@kernel
def number_steps(hidden: Record) -> int:
    """List the decisions (n cards of this group to this holder) and number the cells; -1 if there is no room."""
    cells = 1
    hidden.start = 0
    for holder in range(hidden.holders):
        hidden.stride[holder] = cells
        hidden.start += cells * hidden.free[holder]
        cells *= hidden.free[holder] + 1
    hidden.steps = 0
    for group in range(hidden.groups - 1):
        holders = hidden.group_holders[group]
        while holders != np.uint64(0):
            if hidden.steps == STEPS:
                return -1
            hidden.step_group[hidden.steps] = group
            hidden.step_holder[hidden.steps] = lowest_bit(holders)
            hidden.steps += 1
            holders &= holders - np.uint64(1)
    return cells


@kernel
def free_in(hidden: Record, cell: int, holder: int) -> int:
    """A holder's free places in a cell."""
    return int(cell // hidden.stride[holder] % (hidden.free[holder] + 1))


@kernel
def left_in_group(hidden: Record, step: int, cell: int) -> int:
    """How many of the step's group are still to deal: all free places, less the cards of later groups."""
    free = 0
    for holder in range(hidden.holders):
        free += free_in(hidden, cell, holder)
    return int(free - (hidden.group_start[hidden.groups] - hidden.group_start[hidden.step_group[step] + 1]))


@kernel
def fewest(hidden: Record, step: int, left: int) -> int:
    """The fewest cards the step's holder may get: the last holder of a group takes all that are left."""
    last_of_group = step + 1 == hidden.steps or hidden.step_group[step + 1] != hidden.step_group[step]
    return left if last_of_group else 0


@kernel
def count_ways(hidden: Record, ways: Array) -> None:
    """Fill ways[step, cell] for all cells that can be reached."""
    if hidden.groups == 0:
        ways[0, hidden.start] = 1.0
        return
    # Forward: mark what can be reached.
    ways[0, hidden.start] = 0.0
    for step in range(hidden.steps):
        holder = hidden.step_holder[step]
        for cell in range(ways.shape[1]):
            if ways[step, cell] < 0.0:
                continue
            left = left_in_group(hidden, step, cell)
            for count in range(fewest(hidden, step, left), min(left, free_in(hidden, cell, holder)) + 1):
                ways[step + 1, cell - count * hidden.stride[holder]] = 0.0
    # Backward: the last group fills the free places exactly, then each step adds up its choices.
    for cell in range(ways.shape[1]):
        if ways[hidden.steps, cell] == 0.0:
            ways[hidden.steps, cell] = completions_of_last_group(hidden, cell)
    for step in range(hidden.steps - 1, -1, -1):
        holder = hidden.step_holder[step]
        for cell in range(ways.shape[1]):
            if ways[step, cell] == 0.0:
                left = left_in_group(hidden, step, cell)
                for count in range(fewest(hidden, step, left), min(left, free_in(hidden, cell, holder)) + 1):
                    ways[step, cell] += CHOOSE[left, count] * ways[step + 1, cell - count * hidden.stride[holder]]


@kernel
def completions_of_last_group(hidden: Record, cell: int) -> float:
    """In how many ways the last group fills the places that are left: none if another holder has places too."""
    group = hidden.groups - 1
    result = FACTORIAL[hidden.group_start[group + 1] - hidden.group_start[group]]
    for holder in range(hidden.holders):
        free = free_in(hidden, cell, holder)
        if free > 0 and not hidden.group_holders[group] >> np.uint64(holder) & np.uint64(1):
            return 0.0
        result /= FACTORIAL[free]
    return float(result)


# --- Drawing ----------------------------------------------------------------------------------------------------------


@kernel
def draw_exact(hidden: Record, ways: Array, rng: Array) -> None:
    """One of all worlds without batches, uniformly: a draw that leaves somebody in need is made again from the start."""
    draw_by_count(hidden, ways, rng)
    while not needs_are_met(hidden):
        draw_by_count(hidden, ways, rng)


@kernel
def draw_with_batches(hidden: Record, ways: Array, rng: Array) -> None:
    """One of all worlds, uniformly, of a game with batches; there may be none just now."""
    if hidden.batches > 0:
        draw_laid(hidden, rng)
    else:
        draw_exact(hidden, ways, rng)


def _drawing(fields: Any) -> Any:
    return draw_with_batches if "batches" in fields else draw_exact


def draw_world(hidden: Record, ways: Array, rng: Array) -> None:
    """One of all worlds, uniformly, by the sampler that the type of the record asks for."""
    _drawing(hidden.dtype.names)(hidden, ways, rng)


compile_as(draw_world, lambda hidden: _drawing(hidden.fields), None)


@kernel
def needs_are_met(hidden: Record) -> bool:
    """Whether the cards drawn for each holder are worth what they are known to be."""
    if hidden.minds_needs:
        for holder in range(hidden.holders):
            if worth_of(hidden, hidden.held[holder]) < hidden.need[holder]:
                return False
    return True


@kernel
def worth_of(hidden: Record, cards: Any) -> int:
    """What some cards are worth in all."""
    total = 0
    while cards != NO_CARDS:
        total += hidden.worth[lowest_bit(cards)]
        cards &= cards - np.uint64(1)
    return total


@kernel
def draw_by_count(hidden: Record, ways: Array, rng: Array) -> None:
    """One of the worlds that groups and places allow, uniformly."""
    for holder in range(hidden.holders):
        hidden.held[holder] = hidden.sure[holder]
        hidden.left[holder] = hidden.free[holder]
    if hidden.groups == 0:
        return
    cell = hidden.start
    group = -1
    rest = NO_CARDS
    for step in range(hidden.steps):
        if hidden.step_group[step] != group:
            group = hidden.step_group[step]
            rest = hidden.group_cards[group]
        holder = hidden.step_holder[step]
        count = draw_count(hidden, ways, step, cell, rng, count_ones(rest))
        cell -= count * hidden.stride[holder]
        rest = hand_out(hidden, holder, rest, count, rng)
    rest = hidden.group_cards[hidden.groups - 1]
    for holder in range(hidden.holders):
        rest = hand_out(hidden, holder, rest, hidden.left[holder], rng)


@kernel
def draw_count(hidden: Record, ways: Array, step: int, cell: int, rng: Array, cards: int) -> int:
    """How many of a group's remaining cards the step's holder gets, in proportion to the worlds that follow."""
    holder = hidden.step_holder[step]
    count = fewest(hidden, step, cards)
    most = min(cards, hidden.left[holder])
    if count == most:
        return count
    target = uniform(rng) * ways[step, cell]
    chosen = count
    while count <= most:
        weight = CHOOSE[cards, count] * ways[step + 1, cell - count * hidden.stride[holder]]
        if weight > 0.0:
            chosen = count
            target -= weight
            if target < 0.0:
                break
        count += 1
    return chosen


@kernel
def hand_out(hidden: Record, holder: int, cards: Any, count: int, rng: Array) -> Any:
    """Give a holder some of a group's cards; return the rest."""
    given = random_cards(cards, count, rng)
    hidden.held[holder] |= given
    hidden.left[holder] -= count
    return cards & ~given
