"""What the seat that may call knows about a claim in Cheat: 21 features, for a model of bluffing.

Bitan & Kraus 2018, section 4.7, have 21 "mostly statistical" features and name four kinds: rounds played, the response
time, #caught / #cheat until the last call, and cards taken per round. The others follow from what, by the paper, players
keep track of. All come from the view of the seat that may call, just after the claim; NaN stands for what it cannot know,
such as a time that was not measured.
"""

from math import comb, exp, log, nan
from typing import Any, NamedTuple

import numpy as np

from facedown.cards import SUIT_SIZE, cards_of
from facedown.errors import FacedownError
from facedown.games.cheat.claims import ALL_PLACES, CALL, CARDS_LAID, DOWN, MOST_LAID, RANK_MASK, SEEN, SUITS, TAKE, UP
from facedown.games.cheat.plain import Table, plain
from facedown.games.cheat.rules import CLAIM
from facedown.kernel import Array
from facedown.view import History, Seconds, View

FEATURES = {
    "turns": "turns of the game so far, this claim included",
    "seconds": "how long the claimer took",
    "seconds_to_usual": "that time divided by the geometric mean of its earlier claims' times in this game",
    "caught_per_lie": "how often it was caught, divided by its lies that were shown up to the last call",
    "takes_per_turn": "cards it took, divided by its turns so far",
    "lie_share": "its claims that were shown to be false, divided by all that were shown",
    "claims_shown": "its claims that were shown",
    "caught": "how often it was caught",
    "caught_on_rank": "1 if it was ever caught on this rank, else 0",
    "calls_against": "how often the seat that may call now has called before",
    "count": "cards claimed",
    "cards_left": "cards left in the claimer's hand",
    "own_cards": "cards in the hand of the seat that may call",
    "pile": "cards on the table, this claim included",
    "stock": "cards left in the stock",
    "rank_elsewhere": "cards of this rank that cannot be in the claim: held, laid or seen by the seat that may call",
    "rank_had": "cards of this rank the claimer is known to have had, less those it claimed before since",
    "rank_claimed": "cards of this rank it claimed since the last call, before this claim",
    "other_rank_had": "as rank_had, for the rank it could have named in the other direction",
    "same_direction": "1 if it went in the direction of its last claim, 0 if in the other",
    "able": "the probability that it held that many cards of this rank, by the cards alone",
}
NAMES = tuple(FEATURES)
LEAST_SECONDS = 0.1  # shorter times count as this


def may_call(view: View) -> bool:
    """Whether there is a claim that the view's seat may call."""
    record = plain(view)
    return bool(record.last_action == CLAIM and record.to_move == view.seat)


def features(view: View) -> Array:
    """The 21 features of the claim that the view's seat may call now."""
    if view.game.name != "cheat" or not may_call(view):
        raise FacedownError(f"expected a view of cheat just after the other's claim, got {view!r}")
    record, history = plain(view), view.history
    seat, claimer = view.seat, 1 - view.seat
    rank, count = record.last_rank, record.batch_size[record.batches - 1]
    seconds, usual = times(history, view.seconds, claimer)
    named = ranks_named(record, history)
    directions = [one.direction for one in named if one.seat == claimer]
    before = named[-1].before if named else None
    other_rank = (2 * before - rank) % record.ranks if before is not None else None
    lies, truths = record.lies_shown[claimer], record.truths_shown[claimer]
    caught, turns = record.caught[claimer], record.turn
    claimed = record.claimed[claimer][rank] - count
    values = {
        "turns": turns,
        "seconds": seconds,
        "seconds_to_usual": seconds / usual,
        "caught_per_lie": caught / lies if lies else nan,
        "takes_per_turn": record.takes[claimer] / ((turns + 1) // 2),  # turns alternate: this was one of the claimer's
        "lie_share": lies / (lies + truths) if lies + truths else nan,
        "claims_shown": lies + truths,
        "caught": caught,
        "caught_on_rank": record.caught_on[claimer] >> rank & 1,
        "calls_against": record.calls[seat],
        "count": count,
        "cards_left": record.held[claimer],
        "own_cards": record.held[seat],
        "pile": record.pile_size,
        "stock": record.stock_left,
        "rank_elsewhere": SUITS - count_of(unseen_by(record, seat) | record.had[claimer], rank),
        "rank_had": max(0, count_of(record.had[claimer], rank) - claimed),
        "rank_claimed": claimed,
        "other_rank_had": nan if other_rank is None else seems_to_have(record, claimer, other_rank),
        "same_direction": nan if None in directions[-2:] or len(directions) < 2 else directions[-1] == directions[-2],
        "able": chance_able(record, seat, rank, count),
    }
    return np.array([values[name] for name in NAMES], np.float64)


# --- Times and ranks --------------------------------------------------------------------------------------------------


class Named(NamedTuple):
    """A claim as others see it: who named which rank, the rank named before it, and the direction; None is unknown."""

    seat: int
    rank: int | None
    before: int | None
    direction: int | None


def is_claim(action: int) -> bool:
    """Whether an action lays cards."""
    return action not in (TAKE, CALL)


def times(history: History, seconds: Seconds, claimer: int) -> tuple[float, float]:
    """How long the last claim took, and the geometric mean of its claimer's earlier ones; NaN where unknown."""
    known = [
        log(max(LEAST_SECONDS, taken))
        for (seat, action), taken in zip(history[:-1], seconds[:-1], strict=True)
        if seat == claimer and is_claim(action) and taken is not None
    ]
    last = seconds[-1] if seconds else None  # a position set up from text has no history
    return nan if last is None else max(LEAST_SECONDS, last), exp(sum(known) / len(known)) if known else nan


def ranks_named(record: Table, history: History) -> list[Named]:
    """All claims so far; the first rank of the game is known as long as its card is face up."""
    ranks = record.ranks
    rank = cards_of(record.face_up)[0] % SUIT_SIZE if record.face_up else None
    found = []
    for seat, action in history:
        if not is_claim(action):
            continue
        before, direction = rank, None
        if action >= SEEN:
            rank = (action - SEEN) // MOST_LAID if action < CARDS_LAID else (action - CARDS_LAID >> ALL_PLACES) // MOST_LAID
            direction = None if before is None else (UP if (rank - before) % ranks == 1 else DOWN)
        else:  # the seat's own claim by direction
            direction = action // 8
            rank = None if before is None else (before + (1 if direction == UP else -1)) % ranks
        found.append(Named(seat, rank, before, direction))
    return found


# --- Cards ------------------------------------------------------------------------------------------------------------


def count_of(cards: Any, rank: int) -> int:
    """How many cards of a set are of a rank."""
    return (int(cards) & int(RANK_MASK[rank])).bit_count()


def seems_to_have(record: Table, seat: int, rank: int) -> int:
    """How many cards of a rank a seat is known to have had, less those it has claimed since."""
    return max(0, count_of(record.had[seat], rank) - int(record.claimed[seat][rank]))


def unseen_by(record: Table, seat: int) -> int:
    """The cards whose place a seat does not know: in the stock, or never shown in the other's hand and batches."""
    unseen = sum(int(RANK_MASK[rank]) for rank in range(record.ranks))
    unseen &= ~int(record.hands[seat] | record.face_up | record.had[1 - seat])
    for batch in range(record.batches):
        if record.batch_seat[batch] == seat:
            unseen &= ~int(record.batch_cards[batch])
    return unseen


def chance_able(record: Table, seat: int, rank: int, count: int) -> float:
    """The probability that the claimer held `count` cards of the rank, if the unseen cards of its hand are random."""
    claimer = 1 - seat
    unseen = unseen_by(record, seat)
    laid = sum(record.batch_size[batch] for batch in range(record.batches - 1) if record.batch_seat[batch] == claimer)
    shown = max(0, record.had[claimer].bit_count() - laid)  # of its hand; the cards it laid are assumed to come from these
    hand = record.held[claimer] + count
    drawn = min(max(0, hand - shown), unseen.bit_count())
    missing = count - max(0, count_of(record.had[claimer], rank) - (record.claimed[claimer][rank] - count))
    right, others = count_of(unseen, rank), unseen.bit_count() - count_of(unseen, rank)
    if missing <= 0:
        return 1.0
    ways = sum(comb(right, some) * comb(others, drawn - some) for some in range(missing, min(right, drawn) + 1))
    return ways / comb(right + others, drawn)
