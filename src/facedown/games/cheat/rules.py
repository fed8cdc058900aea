"""The rules of Cheat on a record: cards are laid, taken and shown; who knows what of them is in knowledge.py."""

from typing import Any

import numpy as np

from facedown.cards import ALL_CARDS, DECK_SIZE, NO_CARD, NO_CARDS, SUIT_SIZE, bit, write_cards
from facedown.games.cheat.claims import (
    CALL,
    MOST_LAID,
    MOST_RANKS,
    RANK_MASK,
    TAKE,
    TRUE,
    cards_of_claim,
    rank_named,
    rank_towards,
    size_of,
)
from facedown.kernel import Array, Record, count_ones, kernel
from facedown.rng import shuffle

SEATS = 2
MOST_BATCHES = DECK_SIZE  # in the pile at a time: each has a card at least

# What the last action was.
CLAIM, TOOK, CALLED = range(3)

NOBODY = -1
NO_WINNER = 2  # equal hands when the turns are used up

STATE = np.dtype(
    [
        ("ranks", np.int8),  # options
        ("hand_size", np.int8),
        ("turn_limit", np.int16),
        ("lies_with", np.int8),
        ("to_move", np.int8),
        ("turn", np.int16),  # turns taken
        ("winner", np.int8),
        ("last_rank", np.int8),  # the last rank named
        ("last_action", np.int8),
        ("hands", np.uint64, SEATS),
        ("held", np.int8, SEATS),  # how many cards each seat has, for all to see
        ("stock", np.int8, DECK_SIZE),  # the last is the next to be taken
        ("stock_left", np.int8),
        # The pile: a card that lies face up since the deal, and what has been laid since it was last shown.
        ("face_up", np.uint64),
        ("pile_size", np.int8),
        ("batches", np.int8),
        ("batch_cards", np.uint64, MOST_BATCHES),
        ("batch_seat", np.int8, MOST_BATCHES),
        ("batch_rank", np.int8, MOST_BATCHES),
        ("batch_size", np.int8, MOST_BATCHES),
        ("batch_fresh", np.int8, MOST_BATCHES),  # the layer's `fresh` at that time
        # What both seats have seen; see knowledge.py.
        ("had", np.uint64, SEATS),  # cards of each hand that all saw when it last took up a pile, or before
        ("fresh", np.int8, SEATS),  # how many others it has had in its hand since then
        ("claimed", np.int8, (SEATS, MOST_RANKS)),  # cards claimed of each rank since the pile was last shown
        ("caught_on", np.uint16, SEATS),  # a mask of ranks
        # How often each seat has done what, for all to see: lies and truths as they came out when piles were shown.
        ("claims", np.int8, SEATS),
        ("lies_shown", np.int8, SEATS),
        ("truths_shown", np.int8, SEATS),
        ("caught", np.int8, SEATS),
        ("takes", np.int8, SEATS),
        ("calls", np.int8, SEATS),
        ("calls_right", np.int8, SEATS),
    ]
)

# --- The deal ---------------------------------------------------------------------------------------------------------


@kernel
def pack(state: Record) -> Any:
    """All cards of the game."""
    cards = NO_CARDS
    for rank in range(state.ranks):
        cards |= RANK_MASK[rank]
    return cards & ALL_CARDS


@kernel
def deal(state: Record, rng: Array) -> None:
    """Rule 1: hands for both seats, and the first card of the pile, which names the first rank."""
    state.stock[:] = NO_CARD
    left = write_cards(pack(state), state.stock)
    shuffle(rng, state.stock, 0, left)
    for seat in range(SEATS):
        state.hands[seat] = NO_CARDS
        for _ in range(state.hand_size):
            left -= 1
            state.hands[seat] |= bit(state.stock[left])
            state.stock[left] = NO_CARD
        state.held[seat] = state.hand_size
        state.fresh[seat] = state.hand_size
    left -= 1
    first = state.stock[left]
    state.stock[left] = NO_CARD
    state.face_up = bit(first)
    state.pile_size = 1
    state.last_rank = first % SUIT_SIZE
    state.last_action = TOOK
    state.stock_left = left
    state.winner = NOBODY


# --- Asking -----------------------------------------------------------------------------------------------------------


@kernel
def to_move(state: Record) -> int:
    """Turns alternate: also after a call, when the turn passes to who made the claim."""
    return int(state.to_move)


@kernel
def is_over(state: Record) -> bool:
    """Somebody has won, or the turns are used up."""
    return bool(state.winner != NOBODY)


@kernel
def legal(state: Record, actions: Array) -> int:
    """The abstract actions that there are cards for: direction, truth and count; take, call."""
    mover = state.to_move
    count = 0
    for direction in range(2):
        right = count_ones(state.hands[mover] & RANK_MASK[rank_towards(state, direction)])
        for lie in range(2):
            most = min(MOST_LAID, right if lie == TRUE else int(np.int64(state.held[mover])) - right)
            for size in range(most):
                actions[count] = direction * 8 + lie * 4 + size
                count += 1
    if state.stock_left > 0:
        actions[count] = TAKE
        count += 1
    if state.last_action == CLAIM:
        actions[count] = CALL
        count += 1
    return count


# --- Playing ----------------------------------------------------------------------------------------------------------


@kernel
def apply(state: Record, action: int) -> None:
    """One turn; who has no cards left after the other's answer has won."""
    mover = state.to_move
    other = 1 - mover
    if action == TAKE:
        take_card(state, mover)
    elif action == CALL:
        show_pile(state, mover)
    else:
        lay_cards(state, mover, cards_of_claim(state, action), rank_named(state, action), size_of(action))
    state.turn += 1
    state.to_move = other
    if state.held[other] == 0:
        state.winner = other
    elif state.turn >= state.turn_limit:
        state.winner = NO_WINNER
        if state.held[0] != state.held[1]:
            state.winner = 0 if state.held[0] < state.held[1] else 1


@kernel
def take_card(state: Record, mover: int) -> None:
    """Rule 4."""
    state.stock_left -= 1
    state.hands[mover] |= bit(state.stock[state.stock_left])
    state.stock[state.stock_left] = NO_CARD
    state.held[mover] += 1
    state.fresh[mover] += 1
    state.takes[mover] += 1
    state.last_action = TOOK


@kernel
def lay_cards(state: Record, mover: int, cards: Any, rank: int, size: int) -> None:
    """Rule 3."""
    batch = state.batches
    state.batch_cards[batch] = cards
    state.batch_seat[batch] = mover
    state.batch_rank[batch] = rank
    state.batch_size[batch] = size
    state.batch_fresh[batch] = state.fresh[mover]
    state.batches += 1
    state.pile_size += size
    state.hands[mover] &= ~cards
    state.held[mover] -= size
    state.claimed[mover, rank] += size
    state.claims[mover] += 1
    state.last_rank = rank
    state.last_action = CLAIM


@kernel
def is_false(state: Record, batch: int) -> bool:
    """Whether a claim was a lie."""
    return bool(state.batch_cards[batch] & ~RANK_MASK[state.batch_rank[batch]] != NO_CARDS)


@kernel
def show_pile(state: Record, caller: int) -> None:
    """Rule 5: all see the pile, and it goes to the liar, or to the caller if there was no lie."""
    claimer = 1 - caller
    last = state.batches - 1
    shown = state.face_up
    for batch in range(state.batches):
        shown |= state.batch_cards[batch]
        if is_false(state, batch):
            state.lies_shown[state.batch_seat[batch]] += 1
        else:
            state.truths_shown[state.batch_seat[batch]] += 1
    state.calls[caller] += 1
    taker = caller
    if is_false(state, last):
        taker = claimer
        state.calls_right[caller] += 1
        state.caught[claimer] += 1
        state.caught_on[claimer] |= np.uint16(1 << state.batch_rank[last])
    state.hands[taker] |= shown
    state.held[taker] += state.pile_size
    for seat in range(SEATS):
        state.had[seat] &= ~shown
    state.had[taker] |= shown
    for seat in range(SEATS):
        state.fresh[seat] = state.held[seat] - count_ones(state.had[seat])
    clear_pile(state)
    state.last_action = CALLED


@kernel
def clear_pile(state: Record) -> None:
    """Nothing lies on the table, and no claim stands."""
    for batch in range(state.batches):
        state.claimed[state.batch_seat[batch], state.batch_rank[batch]] = 0
        state.batch_cards[batch] = NO_CARDS
        state.batch_seat[batch] = 0
        state.batch_rank[batch] = 0
        state.batch_size[batch] = 0
        state.batch_fresh[batch] = 0
    state.batches = 0
    state.pile_size = 0
    state.face_up = NO_CARDS


@kernel
def turns(state: Record) -> int:
    """A turn is one action of one seat."""
    return int(np.int64(state.turn))


@kernel
def moves_left(state: Record) -> int:
    """As many as there are turns."""
    return int(np.int64(state.turn_limit)) - int(np.int64(state.turn))


@kernel
def scores(state: Record, out: Array) -> None:
    """One for the winner; a half each where nobody has won."""
    for seat in range(SEATS):
        out[seat] = 0.0
        if state.winner == seat:
            out[seat] = 1.0
        elif state.winner == NO_WINNER:
            out[seat] = 0.5
