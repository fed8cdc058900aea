"""The rules of Cheat on a record: cards are laid, taken and shown; who knows what of them is in knowledge.py."""

from typing import Any

import numpy as np

from facedown.cards import ALL_CARDS, DECK_SIZE, NO_CARD, NO_CARDS, SUIT_SIZE, bit, write_cards
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit
from facedown.rng import shuffle

SEATS = 2
SUITS = 4
MOST_RANKS = SUIT_SIZE
MOST_LAID = 4  # in one claim
MOST_BATCHES = DECK_SIZE  # in the pile at a time: each has a card at least

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
def rank_towards(state: Record, direction: int) -> int:
    """The rank that a claim up or down names: ranks lie on a circle."""
    last = int(np.int64(state.last_rank))
    top = int(np.int64(state.ranks)) - 1
    if direction == UP:
        return last + 1 if last < top else 0
    return last - 1 if last > 0 else top


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
