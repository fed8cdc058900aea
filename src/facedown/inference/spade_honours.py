"""Worlds in which Q♠, K♠ and A♠ lie where the plays so far say: Manzke 2025, sections 5.1, 5.3 and 5.4.

A state has one feature for each player: which of the three it holds. A set is one feature for each player, and it is legal
if some world of the view has it. By eq. 5.1 the likelihood of a set is the product of P(feature | history) over the players,
from a table counted in self-play; illegal sets have 0, and the rest is normalized. Of the worlds

- a share of 95 % has the sets in proportion to their likelihood, each legal set at least once, and
- the others are drawn uniformly, as without inference.

A history that was reached fewer than 10 times by legal features is replaced by an older one of the same player. All comes
from the view: what its seat can see and nothing else.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from facedown.errors import FacedownError
from facedown.games.hearts.rules import PLAYING, SEATS
from facedown.inference.spade_history import HONOURS, QUEEN, Reached, histories, honours_in
from facedown.inference.spade_table import LEAST_OBSERVATIONS, HonourTable, shipped_table
from facedown.kernel import Array, copied, kernel, new_records
from facedown.rng import shuffle
from facedown.view import History, View
from facedown.worlds import exact
from facedown.worlds.drawing import fill_in
from facedown.worlds.exact import count_ways, group_cards

GAME = "hearts"
INFERRED_SHARE = 0.95  # of the worlds (section 5.4)


class HonourSet(NamedTuple):
    """A legal set of features: who holds which of the three, and the worlds that have it."""

    held: tuple[int, ...]  # for each seat, the honours it holds now, as a mask of three bits; 0 for the view's own
    worlds: float  # how many
    hidden: Array  # what exact.prepare has made of it
    ways: Array


class HonourInference:
    """Worlds by a table."""

    def __init__(self, table: HonourTable | None = None) -> None:
        """By default the table that comes with facedown."""
        self.table = shipped_table() if table is None else table

    def worlds(self, view: View, count: int, rng: Array, share: float = INFERRED_SHARE) -> Array:
        """The records of `count` worlds in random order, of which a share is inferred."""
        sets = legal_sets(view)
        if len(sets) < 2:
            return view.sample_many(count, rng)
        numbers = quotas(self.chances(view, sets), round(share * count))
        rest = count - sum(numbers)
        worlds = new_records(count, view.data.dtype)
        worlds[:] = view.data
        begin = 0
        for one, number in zip(sets, numbers, strict=True):
            fill_in(worlds[begin : begin + number], view.seat, one.hidden, one.ways, rng)
            begin += number
        if rest:
            hidden = view.unseen()
            fill_in(worlds[begin:], view.seat, hidden, exact.prepare(hidden), rng)
        order = np.arange(count)
        shuffle(rng, order, 0, count)
        return worlds[order]

    def chances(self, view: View, sets: Sequence[HonourSet]) -> list[float]:
        """How likely each legal set is by eq. 5.1; by the number of its worlds where the table does not help."""
        uniform = [one.worlds / sum(other.worlds for other in sets) for one in sets]
        plays = plays_of(view)
        if plays is None:
            return uniform
        likelihoods = [1.0] * len(sets)
        reached = histories(plays, points_barred=not view.record.first_trick_points)
        for seat in range(SEATS):
            if seat == view.seat:
                continue  # its feature is the same in all sets
            played = honours_in(view.record.played[seat])
            found = self.believed(reached[seat], played, {one.held[seat] for one in sets})
            if found is None:
                return uniform
            row, since = found
            total = sum(row)
            likelihoods = [
                chance * row[one.held[seat] | since] / total for chance, one in zip(likelihoods, sets, strict=True)
            ]
        whole = sum(likelihoods)
        return [chance / whole for chance in likelihoods] if whole > 0 else uniform

    def believed(self, reached: Sequence[Reached], played: int, held: set[int]) -> tuple[list[int], int] | None:
        """The counts of a player's newest history with enough observations, and the honours it has played since then.

        Those it held when it reached the history: together with what it holds now they are its feature at that time.
        """
        for key, before in reversed(reached):
            row, since = self.table.row(key), played & ~before
            if row and sum(row[now | since] for now in held) >= LEAST_OBSERVATIONS:
                return row, since
        return None


def check_game(game: Any) -> None:
    """Refuse other games."""
    if game.name != GAME:
        raise FacedownError(f"expected {GAME}, which has a table of honours, got {game.name}")


def plays_of(view: View) -> History | None:
    """The cards played in this deal, in order; None where the view's history lacks some, as in a position from text."""
    count = SEATS * int(view.record.tricks_played) + int(view.record.in_trick)
    history = view.history
    return history[len(history) - count :] if len(history) >= count else None


def legal_sets(view: View) -> list[HonourSet]:
    """The sets of features that some world of a view has; none while cards are passed, when nobody has played."""
    if view.record.phase != PLAYING:
        return []
    hidden = view.unseen()
    may_hold = hidden["may_hold"][0].tolist()
    known = [honours_in(cards) for cards in hidden["known"][0].tolist()[:SEATS]]
    unseen = honours_in(hidden["unseen"][0]) & ~sum(known)
    unknown = [card for card in HONOURS if unseen >> card - QUEEN & 1]
    found = []
    for holders in product(*([seat for seat in range(SEATS) if may_hold[seat] >> card & 1] for card in unknown)):
        supposed = copied(hidden)
        held = list(known)
        for holder, card in zip(holders, unknown, strict=True):
            supposed["known"][0, holder] |= np.uint64(1 << card)
            held[holder] |= 1 << card - QUEEN
        ways, worlds = counted(supposed)
        if worlds:
            found.append(HonourSet(tuple(held), worlds, supposed, ways))
    return found


@kernel
def counted(hidden: Array) -> tuple[Array, float]:
    """What exact.prepare gives for the exact sampler, and the number of worlds, which may be 0."""
    knowledge = hidden[0]
    cells = group_cards(knowledge)
    places = 0
    for holder in range(knowledge.holders):
        places += knowledge.free[holder]
        if knowledge.free[holder] < 0:
            return np.zeros((1, 1)), 0.0
    if places != knowledge.group_start[knowledge.groups]:  # a card has no place
        return np.zeros((1, 1)), 0.0
    ways = np.full((knowledge.steps + 1, cells), -1.0)
    count_ways(knowledge, ways)
    return ways, max(0.0, ways[0, knowledge.start])


def quotas(chances: Sequence[float], count: int) -> list[int]:
    """How many of `count` worlds each set gets: in proportion, rounded by largest remainders, but at least one.

    With fewer worlds than sets, the likeliest sets get one each.
    """
    likeliest = sorted(range(len(chances)), key=lambda place: -chances[place])
    if count <= len(chances):
        return [int(place in likeliest[:count]) for place in range(len(chances))]
    exact_shares = [chance * count for chance in chances]
    numbers = [int(share) for share in exact_shares]
    by_remainder = sorted(range(len(chances)), key=lambda place: numbers[place] - exact_shares[place])
    for place in by_remainder[: count - sum(numbers)]:
        numbers[place] += 1
    while 0 in numbers:
        numbers[numbers.index(0)] = 1
        numbers[max(range(len(numbers)), key=numbers.__getitem__)] -= 1
    return numbers
