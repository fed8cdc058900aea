"""What a seat knows in Hearts: its view, the hands the others may hold, and how it sees a card that is passed."""

from facedown import cards
from facedown.cards import NO_CARDS, bit
from facedown.games.hearts.rules import (
    FACE_DOWN,
    HOLD,
    PASSED_CARDS,
    PASSING,
    SEATS,
    begin_play,
    deck_of,
    hand_size,
    lowest_club,
    receiver,
)
from facedown.kernel import Array, Record, count_ones, kernel


@kernel
def hide(state: Record, seat: int) -> None:
    """Leave a seat its own hand, and the cards it passed and received."""
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = NO_CARDS
            if state.phase == PASSING or receiver(state, other) != seat:
                state.passed[other] = NO_CARDS


@kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The other hands: every card unseen, less what they have shown not to hold, with what the seat knows them to hold."""
    own = state.hands[seat]
    if state.phase == PASSING:
        own |= state.passed[seat]
    hidden.holders = SEATS
    hidden.pool = deck_of(state) & ~own
    hidden.unseen = hidden.pool
    for holder in range(SEATS):
        hidden.unseen &= ~state.played[holder]
    for holder in range(SEATS):
        hidden.may_hold[holder] = NO_CARDS
        hidden.known[holder] = NO_CARDS
        hidden.room[holder] = 0
        if holder != seat:
            hidden.may_hold[holder] = hidden.unseen & ~state.not_held[holder]
            hidden.room[holder] = hand_size(state) - count_ones(state.played[holder])
    if state.phase != PASSING:
        hidden.known[receiver(state, seat)] |= state.passed[seat] & hidden.unseen
        hidden.known[state.opener] |= bit(lowest_club(state)) & hidden.unseen


@kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Give the other seats their cards, and some history of passing that fits them.

    Any three cards of a hand may be the ones passed to it, so their number is the same in every world, and drawing
    the hands first and these next leaves all worlds equally likely.
    """
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = hidden.held[other]
    if state.direction == HOLD:
        return
    for other in range(SEATS):
        if other == seat:
            continue
        if state.phase == PASSING:
            aside = min(PASSED_CARDS, max(0, int(state.chosen) - other * PASSED_CARDS))
            state.passed[other] = cards.random_cards(state.hands[other], aside, rng)
            state.hands[other] &= ~state.passed[other]
        elif receiver(state, other) != seat:
            given = receiver(state, other)
            state.passed[other] = cards.random_cards(state.hands[given] | state.played[given], PASSED_CARDS, rng)


@kernel
def seen_as(state: Record, seat: int, action: int) -> int:
    """The other seats see only the back of a card that is passed."""
    if state.phase == PASSING and state.to_move != seat:
        return FACE_DOWN
    return int(action)


@kernel
def recall(state: Record, world: Record, seat: int, actions: Array) -> int:
    """The hands of a world before any card was played; after the passing, of which `hidden_choices` says more."""
    if world.phase == PASSING:
        return len(actions)
    for holder in range(SEATS):
        state.hands[holder] = world.hands[holder] | world.played[holder]
        state.passed[holder] = world.passed[holder]
    passes = 0 if state.phase != PASSING else SEATS * PASSED_CARDS
    begin_play(state)
    return passes
