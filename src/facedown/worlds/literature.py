"""Samplers of the literature, to compare the exact one with: accept-reject and two card-by-card matrices.

Bax's three qualities of memory are not here: they are the exact sampler of exact.py with less knowledge.
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARDS, bit, write_cards
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit
from facedown.rng import draw, shuffle, uniform
from facedown.worlds.exact import draw_exact, draw_world, needs_are_met
from facedown.worlds.knowledge import ACCEPT_REJECT, CARDS


@kernel
def draw_accept_reject(hidden: Record, ways: Array, rng: Array) -> None:
    """Deal all the unseen cards at random until no holder has one it cannot have; the exact sampler draws alike."""
    count = write_cards(hidden.unseen, hidden.order)
    for _ in range(hidden.patience):
        shuffle(rng, hidden.order, 0, count)
        position = 0
        possible = True
        for holder in range(hidden.holders):
            held = NO_CARDS
            for place in range(position, position + hidden.room[holder]):
                held |= bit(hidden.order[place])
            position += hidden.room[holder]
            hidden.held[holder] = held
            possible &= held & ~hidden.may_hold[holder] == NO_CARDS and hidden.known[holder] & ~held == NO_CARDS
        if possible and needs_are_met(hidden):
            return
    draw_exact(hidden, ways, rng)


@kernel
def draw_matrix(hidden: Record, ways: Array, rng: Array) -> None:
    """Card by card, the most restricted holder first; from the start again where that leads nowhere."""
    for _ in range(hidden.patience):
        if try_matrix(hidden, rng) and needs_are_met(hidden):
            return
    draw_exact(hidden, ways, rng)


@kernel
def try_matrix(hidden: Record, rng: Array) -> bool:
    """Assign all cards by algorithm 1 of Fernandes 2016; False where it runs into a dead end."""
    cards = hidden.unseen
    left = hidden.left
    for holder in range(hidden.holders):
        hidden.held[holder] = hidden.sure[holder]
        cards &= ~hidden.sure[holder]
        left[holder] = hidden.free[holder]
    while cards != NO_CARDS:
        holder, card = forced_assignment(hidden, cards)
        if card < 0:
            holder = most_restricted(hidden, cards, rng)
            if holder < 0:
                return False
            card = believed_card(hidden, holder, cards & hidden.may_hold[holder], rng)
        hidden.held[holder] |= bit(card)
        cards &= ~bit(card)
        left[holder] -= 1
    return True


@kernel
def forced_assignment(hidden: Record, cards: Any) -> tuple[int, int]:
    """A card that only one holder may have, or one of a holder that needs all it may have; card -1 if there is none."""
    rest = cards
    while rest != NO_CARDS:
        card = lowest_bit(rest)
        rest &= rest - np.uint64(1)
        holders = 0
        only = -1
        for holder in range(hidden.holders):
            if hidden.left[holder] > 0 and hidden.may_hold[holder] & bit(card) != NO_CARDS:
                holders += 1
                only = holder
        if holders == 1:
            return only, card
    for holder in range(hidden.holders):
        possible = cards & hidden.may_hold[holder]
        if hidden.left[holder] > 0 and count_ones(possible) == hidden.left[holder]:
            return holder, lowest_bit(possible)
    return -1, -1


@kernel
def most_restricted(hidden: Record, cards: Any, rng: Array) -> int:
    """A holder with the least choice, ties at random; -1 where one has too few cards left or nobody can take more."""
    least = CARDS + 1
    ties = 0
    chosen = -1
    for holder in range(hidden.holders):
        if hidden.left[holder] == 0:
            continue
        choice = count_ones(cards & hidden.may_hold[holder]) - hidden.left[holder]
        if choice < 0:
            return -1
        if choice < least:
            least = choice
            ties = 0
        if choice == least:
            ties += 1
            if draw(rng, ties) == 0:
                chosen = holder
    return chosen


@kernel
def believed_card(hidden: Record, holder: int, cards: Any, rng: Array) -> int:
    """One of the cards: uniformly in the possibility matrix, by belief in the biased one.

    Cards that are believed impossible are not among them: see exact.prepare.
    """
    total = 0.0
    left = cards
    while left != NO_CARDS:
        total += hidden.belief[holder, lowest_bit(left)]
        left &= left - np.uint64(1)
    target = uniform(rng) * total
    left = cards
    card = -1
    while left != NO_CARDS:
        card = lowest_bit(left)
        target -= hidden.belief[holder, card]
        if target < 0.0:
            break
        left &= left - np.uint64(1)
    return card


@kernel
def draw_by_sampler(hidden: Record, ways: Array, rng: Array) -> None:
    """One world by the record's sampler, whichever it is.

    Search calls `draw_world` itself: the samplers that differ from it in more than knowledge would double its compile time.
    """
    if hidden.sampler == ACCEPT_REJECT:
        draw_accept_reject(hidden, ways, rng)
    elif hidden.sampler > ACCEPT_REJECT:
        draw_matrix(hidden, ways, rng)
    else:
        draw_world(hidden, ways, rng)
