"""Little Duel with a fault planted in one answer each, for the audit and the test of leaks to find."""

from typing import Any

import numpy as np

import facedown as fd
from facedown.cards import DECK_SIZE, NO_CARDS, SPADES, SUIT_MASK, texts_of
from facedown.kernel import Array, Record, count_ones
from little_duel import DECK, HAND_SIZE, REST, SEATS, STATE, apply, deal, is_over, legal, reward, scores, to_move
from little_duel import hide as honest_hide
from little_duel import place as honest_place
from little_duel import unseen as honest_unseen

ONE = np.uint64(1)
PLAY: list[Any] = [deal, to_move, legal, apply, is_over, scores, reward]


def faulty(name: str, hide: Any = honest_hide, unseen: Any = honest_unseen, place: Any = honest_place) -> fd.Game:
    """The game with some answers exchanged."""
    return fd.Game(name, fd.register(name, STATE, [*PLAY, hide, unseen, place]), seats=SEATS, actions=DECK_SIZE)


def forgetful() -> fd.Game:
    """`hide` forgets the cards that lie face down."""

    @fd.kernel
    def hide(state: Record, seat: int) -> None:
        """Erase the other hand only."""
        state.hands[1 - seat] = NO_CARDS

    return faulty("forgetful-duel", hide=hide)


def without_voids() -> fd.Game:
    """`unseen` ignores the voids shown."""

    @fd.kernel
    def unseen(state: Record, seat: int, hidden: Record) -> None:
        """The other hand may be anything."""
        hidden.holders = SEATS + 1
        hidden.pool = DECK & ~state.hands[seat]
        hidden.unseen = hidden.pool & ~(state.played[0] | state.played[1])
        hidden.may_hold[1 - seat] = hidden.unseen
        hidden.room[1 - seat] = HAND_SIZE - count_ones(state.played[1 - seat])
        hidden.may_hold[REST] = hidden.unseen
        hidden.room[REST] = 4

    return faulty("voidless-duel", unseen=unseen)


def too_sure() -> fd.Game:
    """`unseen` holds the lowest unseen card to lie with the rest, for no reason."""

    @fd.kernel
    def unseen(state: Record, seat: int, hidden: Record) -> None:
        """The lowest card is never in the other hand."""
        honest_unseen(state, seat, hidden)
        hidden.may_hold[1 - seat] &= hidden.unseen & (hidden.unseen - ONE)

    return faulty("sure-duel", unseen=unseen)


def lossy() -> fd.Game:
    """`place` gives the highest cards to the other seat, whatever was drawn."""

    @fd.kernel
    def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
        """Deal by rank."""
        state.rest = NO_CARDS
        left = hidden.held[REST] | hidden.held[1 - seat]
        for _ in range(count_ones(hidden.held[REST])):
            state.rest |= left & ~(left - ONE)
            left &= left - ONE
        state.hands[1 - seat] = left

    return faulty("lossy-duel", place=place)


def overfull() -> fd.Game:
    """`unseen` has more places than cards."""

    @fd.kernel
    def unseen(state: Record, seat: int, hidden: Record) -> None:
        """One place too many."""
        honest_unseen(state, seat, hidden)
        hidden.room[REST] += 1

    return faulty("overfull-duel", unseen=unseen)


def blabbing() -> fd.Game:
    """An error tells whoever errs what the other one holds."""
    game = faulty("blabbing-duel")
    game._functions["why_illegal"] = lambda state, action: (
        f"the other hand has {texts_of(state.hands[1 - int(state.to_move)])[0]}"
    )
    return game


def drawing() -> fd.Game:
    """The facts of a view count the spades that lie face down, for `hide` leaves them in a field of no use."""

    @fd.kernel
    def hide(state: Record, seat: int) -> None:
        """Erase the cards, but keep how many spades the other hand has."""
        spades = count_ones(state.hands[1 - seat] & SUIT_MASK[SPADES])
        honest_hide(state, seat)
        state.not_held[seat] = np.uint64(spades)

    return faulty("drawing-duel", hide=hide)


def hasty() -> fd.Game:
    """`hide` takes a record without the seat's own hand for one that hides all: each seat is shown what it may see."""

    @fd.kernel
    def hide(state: Record, seat: int) -> None:
        """Erase the cards, unless it seems to have been done."""
        if state.hands[seat] != NO_CARDS or count_ones(state.played[seat]) == HAND_SIZE:
            honest_hide(state, seat)

    return faulty("hasty-duel", hide=hide)
