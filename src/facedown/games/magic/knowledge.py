"""What a seat knows in Magic: its view, and where the cards that it cannot see may lie.

Both decks are known. Of the other seat's cards a seat sees those that were played; the others lie in the hand or in the
library, each choice of copies for the hand with the same probability. Copies are numbered kind by kind, the played ones
first. The seat's own unseen cards all lie in its own library: only their order is hidden, which `place` draws, and worlds do
not count.
"""

from collections import Counter

import numpy as np

from facedown.cards import NO_CARDS, bit
from facedown.games.magic.combat import whole
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.record import KINDS, NO_CARD, SEATS
from facedown.kernel import Array, Record, kernel, lowest_bit
from facedown.rng import shuffle
from facedown.view import History

LIBRARY = SEATS  # of the other seat: one more holder of cards


@kernel
def hide(state: Record, seat: int) -> None:
    """Leave a seat its own hand; the other hand and the order of both libraries are hidden."""
    for kind in range(KINDS):
        state.hand[1 - seat, kind] = 0
    for owner in range(SEATS):
        for place in range(DECK_SIZE):
            state.library[owner, place] = NO_CARD


@kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The copies of the other seat that have not been played lie in its hand or in its library."""
    other = 1 - seat
    hidden.holders = LIBRARY + 1
    copy = 0
    for kind in range(KINDS):
        for number in range(state.deck[other, kind]):
            hidden.pool |= bit(copy)
            if number >= state.played[other, kind]:
                hidden.unseen |= bit(copy)
            copy += 1
    hidden.may_hold[other] = hidden.unseen
    hidden.room[other] = state.in_hand[other]
    hidden.may_hold[LIBRARY] = hidden.unseen
    hidden.room[LIBRARY] = state.in_library[other]


@kernel
def kind_of_copy(state: Record, seat: int, copy: int) -> int:
    """The kind of a copy of a seat's deck, by its number."""
    kind = 0
    last = whole(state.deck[seat, 0])
    while copy >= last:
        kind += 1
        last += whole(state.deck[seat, kind])
    return kind


@kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Give the other seat its hand, and put both libraries in any order."""
    other = 1 - seat
    held = hidden.held[other]
    while held != NO_CARDS:
        state.hand[other, kind_of_copy(state, other, lowest_bit(held))] += 1
        held &= held - np.uint64(1)
    held = hidden.held[LIBRARY]
    count = 0
    while held != NO_CARDS:
        state.library[other, count] = kind_of_copy(state, other, lowest_bit(held))
        held &= held - np.uint64(1)
        count += 1
    shuffle(rng, state.library[other], 0, count)
    count = 0
    for kind in range(KINDS):
        for _ in range(state.deck[seat, kind] - state.played[seat, kind] - state.hand[seat, kind]):
            state.library[seat, count] = kind
            count += 1
    shuffle(rng, state.library[seat], 0, count)


def look_alike(state: Record, seat: int) -> list[int]:
    """The kind of each copy that `unseen` numbers for a seat: copies of a kind cannot be distinguished."""
    return [int(kind) for kind in range(KINDS) for _ in range(int(state.deck[1 - seat, kind]))]


def rewind(dealt: Record, world: Record, viewer: int, seen: History, history: History) -> list[int]:
    """Write the deal that a world came from over the real one.

    The seat that looks has drawn what it has drawn. The other's cards come in the order in which they were played, so that
    each was there in time, and those it still holds come last.
    """
    for seat in range(SEATS):
        left, first = int(world.in_library[seat]), int(dealt.in_library[seat])
        hand = [kind for kind in range(KINDS) for _ in range(int(dealt.hand[seat, kind]))]
        owned = Counter({kind: int(world.hand[seat, kind]) + int(world.played[seat, kind]) for kind in range(KINDS)})
        dealt.library[seat][:left] = world.library[seat][:left]
        if seat == viewer:
            continue
        cards = [action for mover, action in history if mover == seat and action <= dealt.kinds]
        cards += (owned - Counter(cards)).elements()
        for kind in range(KINDS):
            dealt.hand[seat, kind] = cards[: len(hand)].count(kind)
        dealt.library[seat][left:first] = cards[len(hand) :][::-1]
    return [action for _, action in history]
