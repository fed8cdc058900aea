"""What a seat knows in Cheat: its view, where the cards that it cannot see may lie, and what the last claim may have been.

When a pile is shown, all see who takes which cards up: `had`. From then on these cards are in that hand or lie face down in
a batch that it has laid since. The other cards that it holds, or has laid, are `fresh`: dealt or taken unseen. Nobody else
can tell these from the stock, but how many of them there were by the time of each batch is known to all.
"""

from facedown.cards import NO_CARD, NO_CARDS, write_cards
from facedown.games.cheat.claims import CALL, FALSE, MOST_LAID, RANK_MASK, SEEN, TAKE, TRUE, rank_named, size_of
from facedown.games.cheat.rules import CLAIM, MOST_BATCHES, SEATS, is_false, pack
from facedown.kernel import Array, Record, kernel
from facedown.rng import shuffle
from facedown.worlds.batches import with_batches
from facedown.worlds.knowledge import HOLDERS

STOCK = SEATS  # the holder after the seats
KNOWLEDGE = with_batches(MOST_BATCHES)


@kernel
def hide(state: Record, seat: int) -> None:
    """Leave a seat its own hand and the batches that it laid itself; the stock keeps its size, not its order."""
    state.hands[1 - seat] = NO_CARDS
    for batch in range(state.batches):
        if state.batch_seat[batch] != seat:
            state.batch_cards[batch] = NO_CARDS
    for place in range(state.stock_left):
        state.stock[place] = NO_CARD


@kernel
def seen_as(state: Record, seat: int, action: int) -> int:
    """Of the other's claim a seat sees the rank and the number of cards."""
    if seat == state.to_move or action in (TAKE, CALL):
        return int(action)
    return SEEN + rank_named(state, action) * MOST_LAID + size_of(action) - 1


@kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The other's hand, the batches that it has laid, and the stock."""
    other = 1 - seat
    own = state.hands[seat] | state.face_up
    hidden.layer = other
    for batch in range(state.batches):
        if state.batch_seat[batch] == seat:
            own |= state.batch_cards[batch]
        else:
            hidden.batch_size[hidden.batches] = state.batch_size[batch]
            hidden.batch_fresh[hidden.batches] = state.batch_fresh[batch]
            hidden.batches += 1
    hidden.holders = STOCK + 1
    hidden.pool = pack(state) & ~state.hands[seat]
    hidden.unseen = pack(state) & ~own
    hidden.room[other] = state.held[other]
    hidden.room[STOCK] = state.stock_left
    hidden.may_hold[other] = hidden.unseen
    hidden.may_hold[STOCK] = hidden.unseen & ~state.had[other]
    if hidden.batches > 0:
        hidden.had = state.had[other]
    else:
        hidden.known[other] = state.had[other]


@kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Give the other its hand and its batches, and put the stock in any order."""
    other = 1 - seat
    state.hands[other] = hidden.held[other]
    batch_of_other = 0
    for batch in range(state.batches):
        if state.batch_seat[batch] == other:
            state.batch_cards[batch] = hidden.held[HOLDERS + batch_of_other]
            batch_of_other += 1
    write_cards(hidden.held[STOCK], state.stock)
    shuffle(rng, state.stock, 0, state.stock_left)


# --- The last claim ---------------------------------------------------------------------------------------------------


@kernel
def may_lie(state: Record, seat: int) -> bool:
    """Whether the last action is a claim of the other's that the seat can still call: it may be true or false."""
    return bool(state.last_action == CLAIM and state.to_move == seat)


@kernel
def assume(state: Record, seat: int, which: int, hidden: Record) -> int:
    """All cards of the last batch are of the rank named, or one at least is not."""
    if not may_lie(state, seat):
        return 1
    hidden.marked = RANK_MASK[state.last_rank]
    if which == TRUE:
        hidden.fewest_marked = state.batch_size[state.batches - 1]
    else:
        hidden.fewest_unmarked = 1
    return 2


@kernel
def hypothesis(state: Record, seat: int) -> int:
    """Whether the last claim is true or false."""
    return FALSE if may_lie(state, seat) and is_false(state, state.batches - 1) else TRUE
