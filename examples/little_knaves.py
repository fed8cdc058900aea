"""Little Knaves: win tricks, but not the jacks. A whole game in one page; copy this file to start your own.

1. Three seats, 24 cards (9 to ace). Each seat gets seven; the last three, the widow, stay face down until the end.
2. Seat 0 leads to the first trick. Follow the suit led if possible; otherwise play any card. There are no trumps.
3. The highest card of the suit led takes the trick; its player leads to the next.
4. A trick scores 1. Each jack in it costs its taker: spades 1, clubs 2, diamonds 3, hearts 4.
5. The highest score after seven tricks wins.

After Knaves, a game for three with 52 cards; the short pack, the widow and the missing trumps are deviations.
"""

import numpy as np

import facedown as fd
from facedown.cards import DECK_SIZE, NO_CARD, NO_CARDS, SUIT_MASK, SUIT_SIZE, bit, mask_of, suit_of, write_cards
from facedown.kernel import Array, Record, count_ones
from facedown.rng import shuffle

SEATS = 3
WIDOW = SEATS  # the widow is one more holder of cards, numbered after the seats
HAND_SIZE = 7
NINE, JACK = 7, 9  # ranks: the 2 is rank 0
DECK = mask_of(suit * SUIT_SIZE + rank for suit in range(4) for rank in range(NINE, SUIT_SIZE))
JACK_COST = np.array([2, 3, 1, 4])  # clubs, diamonds, spades, hearts
LOWEST, HIGHEST = -10, 7  # no score lies outside these

STATE = np.dtype(
    [
        ("hands", np.uint64, SEATS),
        ("widow", np.uint64),
        ("played", np.uint64, SEATS),  # cards a seat has played
        ("not_held", np.uint64, SEATS),  # cards a seat has shown not to hold: it did not follow suit
        ("trick", np.int8, SEATS),  # the card of each seat in this trick
        ("score", np.int8, SEATS),
        ("leader", np.int8),
        ("to_move", np.int8),
        ("in_trick", np.int8),  # cards in this trick
        ("tricks_played", np.int8),
    ]
)


@fd.kernel
def deal(state: Record, rng: Array) -> None:
    """Seven cards to each seat, three to the widow (rule 1)."""
    pack = np.empty(DECK_SIZE, np.int8)
    count = write_cards(DECK, pack)
    shuffle(rng, pack, 0, count)
    state.widow = DECK
    for seat in range(SEATS):
        state.hands[seat] = state.played[seat] = state.not_held[seat] = NO_CARDS
        state.trick[seat] = NO_CARD
        state.score[seat] = 0
        for place in range(seat * HAND_SIZE, (seat + 1) * HAND_SIZE):
            state.hands[seat] |= bit(pack[place])
        state.widow &= ~state.hands[seat]
    state.leader = state.to_move = state.in_trick = state.tricks_played = 0


@fd.kernel
def to_move(state: Record) -> int:
    """The seat to act."""
    return int(state.to_move)


@fd.kernel
def legal(state: Record, actions: Array) -> int:
    """Write the cards that may be played (rule 2); an action is a card's number."""
    hand = state.hands[state.to_move]
    if state.in_trick > 0:
        following = hand & SUIT_MASK[suit_of(state.trick[state.leader])]
        if following != NO_CARDS:
            hand = following
    return write_cards(hand, actions)


@fd.kernel
def apply(state: Record, action: int) -> None:
    """Play a card, and remember the void it may show."""
    seat = state.to_move
    state.hands[seat] &= ~bit(action)
    state.played[seat] |= bit(action)
    state.trick[seat] = action
    suit_led = suit_of(state.trick[state.leader])
    if suit_of(action) != suit_led:
        state.not_held[seat] |= SUIT_MASK[suit_led]
    state.to_move = (seat + 1) % SEATS
    state.in_trick += 1
    if state.in_trick == SEATS:
        take_trick(state)


@fd.kernel
def take_trick(state: Record) -> None:
    """The winner scores the trick, pays for its jacks, and leads to the next (rules 3 and 4)."""
    winner = state.leader
    value = 1
    for seat in range(SEATS):
        card = state.trick[seat]
        if suit_of(card) == suit_of(state.trick[winner]) and card > state.trick[winner]:
            winner = seat
        if card % SUIT_SIZE == JACK:
            value -= JACK_COST[suit_of(card)]
    state.score[winner] += value
    state.leader = state.to_move = winner
    state.in_trick = 0
    state.tricks_played += 1


@fd.kernel
def is_over(state: Record) -> bool:
    """Whether all seven tricks have been played."""
    return bool(state.tricks_played == HAND_SIZE)


@fd.kernel
def scores(state: Record, out: Array) -> None:
    """Write each seat's score."""
    for seat in range(SEATS):
        out[seat] = state.score[seat]


@fd.kernel
def hide(state: Record, seat: int) -> None:
    """Erase the other hands and the widow; all else lies open."""
    state.widow = NO_CARDS
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = NO_CARDS


@fd.kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """Write who may hold the cards that `seat` cannot see: the other seats, within the voids they showed, and the widow."""
    hidden.holders = SEATS + 1
    hidden.pool = DECK & ~state.hands[seat]
    hidden.unseen = hidden.pool & ~(state.played[0] | state.played[1] | state.played[2])
    for other in range(SEATS):
        if other != seat:
            hidden.may_hold[other] = hidden.unseen & ~state.not_held[other]
            hidden.room[other] = HAND_SIZE - count_ones(state.played[other])
    hidden.may_hold[WIDOW] = hidden.unseen
    hidden.room[WIDOW] = count_ones(DECK) - SEATS * HAND_SIZE


@fd.kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Put the cards drawn into a view, so that it becomes a whole state."""
    state.widow = hidden.held[WIDOW]
    for other in range(SEATS):
        if other != seat:
            state.hands[other] = hidden.held[other]


GAME = fd.Game(
    "little-knaves",
    fd.register(
        "little-knaves",
        STATE,
        [deal, to_move, legal, apply, is_over, scores, hide, unseen, place],
        score_range=(LOWEST, HIGHEST),
    ),
    seats=SEATS,
    actions=DECK_SIZE,
    summary="Knaves for three with 24 cards: win tricks, but not the jacks",
)
