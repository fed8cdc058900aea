"""Rewards of kind `match` in Hearts: the chance to win the match once a deal is over, on the range that the deal can reach.

The chance is that of a random walk: deals are drawn from recorded matches, their scores go to the seats in any order, and
the fewest points win when a seat reaches the limit; equal ones share the win. It depends on the points that each seat has
left to the limit and on nothing else, so one model serves every limit. training/match_model.py makes it.

    points left, in order ──> time: the least of them; gaps: the leader's less each other's
                          ──> a cell, and a fraction in each of the four ──> the simplex around it: mean of 5 nodes

A node is one of TIMES and three of GAPS in order; it has a chance for each seat. In a simplex of Kuhn's triangulation (the
greatest fraction first) gaps stay in order, equal seats have equal chances, and the four add up to 1.

A seat's reward is (chance - low + POINTS_WEIGHT * points) / (high - low + POINTS_WEIGHT). Low and high are the least and
greatest chances after any deal from these totals: early in a match a deal moves chances by little, and without this a search
would explore as if nothing mattered. The map is the same for all ends of a deal, so it changes no preference. Points, as the
reward of that name has them, decide where the chance does not: in a match that is all but lost or won.
"""

import json
from importlib.resources import files
from math import comb, sqrt
from typing import Any

import numpy as np

from facedown.games.hearts.rules import OVER, SEATS, deal_score
from facedown.kernel import Array, Record, kernel

DECKS = ("hearts", "hearts32")  # a model each
VERSION = 1  # of the files

TIMES = (1, 2, 4, 7, 12, 19, 29, 44, 66, 100)  # points left to the seat that is nearest to the limit
GAPS = (0, 2, 4, 7, 10, 14, 19, 25, 32, 42, 60, 100)  # points between the leader and another
LAST = 100  # of both
TRIPLES = comb(len(GAPS) + 2, 3)
ROWS = len(TIMES) * TRIPLES
WHOLE = (1 << 16) - 1  # a chance of 1, and a fraction of 1
POINTS_WEIGHT = 0.01  # all points of a deal against none are worth as much as this chance; the model is no more exact


def cells(nodes: tuple[int, ...]) -> tuple[Array, Array, Array]:
    """For each number up to LAST: the node below, the fraction of the way to the next, and the node that is nearest."""
    numbers = np.arange(LAST + 1).clip(nodes[0])
    below = np.searchsorted(np.array(nodes[1:-1]), numbers, "right")
    first, second = np.array(nodes)[below], np.array(nodes)[below + 1]
    fraction = np.round(WHOLE * (numbers - first) / (second - first)).astype(np.int64)
    return below, fraction, np.abs(np.array(nodes) - numbers[:, None]).argmin(axis=1)


TIME, TIME_FRACTION, TIME_NEAR = cells(TIMES)
GAP, GAP_FRACTION, GAP_NEAR = cells(GAPS)
PLACE = np.array(
    [[comb(node + rank, rank + 1) for node in range(len(GAPS))] for rank in range(3)]
)  # parts of a triple's row


# --- The model's files ------------------------------------------------------------------------------------------------


def read_model(name: str) -> tuple[Array, Array, dict[str, Any]]:
    """A model that comes with the game: its table, the deals that it was fitted on, and what else is known about it."""
    with (files(__package__) / f"match_{name}.npz").open("rb") as file, np.load(file, allow_pickle=False) as model:
        about = json.loads(str(model["about"]))
        table: Array = model["table"]
        if about["version"] != VERSION or table.shape != (ROWS, 3, SEATS):
            raise ValueError(f"expected a match model of version {VERSION}, got {about['version']}")
        return table, np.repeat(model["deals"].astype(np.int64), model["counts"], axis=0), about


CHANCE, LOW, HIGH = range(3)
TABLE = np.stack(
    [read_model(name)[0] for name in DECKS]
)  # (deck, row, what, rank): in parts of WHOLE, least points left first


# --- The chance to win ------------------------------------------------------------------------------------------------


@kernel
def in_order(first: int, second: int, third: int, fourth: int) -> Any:
    """Four numbers, the smallest first."""
    first, second = min(first, second), max(first, second)
    third, fourth = min(third, fourth), max(third, fourth)
    first, third = min(first, third), max(first, third)
    second, fourth = min(second, fourth), max(second, fourth)
    return first, min(second, third), max(second, third), fourth


@kernel
def coordinates(keys: Any) -> Any:
    """The time, and the gaps of the seats behind the leader, least first, of keys in order: SEATS * points left + seat.

    Where the limit is farther than the model has it, time is cut to LAST and gaps by the root of the factor: in twice as
    many deals a walk spreads by the root of 2.
    """
    time, leader = keys[0] // SEATS, keys[3] // SEATS
    gaps = (leader - keys[2] // SEATS, leader - keys[1] // SEATS, leader - time)
    if time > LAST:
        factor = sqrt(LAST / time)
        gaps = (int(factor * gaps[0] + 0.5), int(factor * gaps[1] + 0.5), int(factor * gaps[2] + 0.5))
    return min(max(time, 1), LAST), min(gaps[0], LAST), min(gaps[1], LAST), min(gaps[2], LAST)


@kernel
def write_chances(table: Array, deck: int, keys: Any, out: Array) -> None:
    """Write each seat's chance to win a match that continues."""
    gaps, places, parts = GAP, PLACE, GAP_FRACTION  # each use of a global array is another one in compiled code
    time, gap0, gap1, gap2 = coordinates(keys)
    cell0, cell1, cell2 = gaps[gap0], gaps[gap1], gaps[gap2]
    row = TIME[time] * TRIPLES + places[0, cell0] + places[1, cell1] + places[2, cell2]
    steps = (
        places[0, cell0 + 1] - places[0, cell0],
        places[1, cell1 + 1] - places[1, cell1],
        places[2, cell2 + 1] - places[2, cell2],
        TRIPLES,
    )
    fractions = in_order(
        SEATS * parts[gap0],
        SEATS * parts[gap1] + 1,
        SEATS * parts[gap2] + 2,
        SEATS * TIME_FRACTION[time] + 3,
    )
    sum0 = sum1 = sum2 = sum3 = 0
    above = WHOLE
    for step in range(SEATS + 1):
        below = fractions[3 - step] // SEATS if step < SEATS else 0
        weight = above - below
        sum0 += weight * int(table[deck, row, CHANCE, 0])
        sum1 += weight * int(table[deck, row, CHANCE, 1])
        sum2 += weight * int(table[deck, row, CHANCE, 2])
        sum3 += weight * int(table[deck, row, CHANCE, 3])
        above = below
        if step < SEATS:
            row += steps[fractions[3 - step] % SEATS]
    out[keys[0] % SEATS] = sum0 / (WHOLE * WHOLE)
    out[keys[1] % SEATS] = sum1 / (WHOLE * WHOLE)
    out[keys[2] % SEATS] = sum2 / (WHOLE * WHOLE)
    out[keys[3] % SEATS] = sum3 / (WHOLE * WHOLE)


@kernel
def write_shares(keys: Any, out: Array) -> None:
    """Write who has won a match that is over: who has most points left to the limit, and equal ones share."""
    winners = 0
    for rank in range(SEATS):
        winners += keys[rank] // SEATS == keys[3] // SEATS
    for rank in range(SEATS):
        out[keys[rank] % SEATS] = 1.0 / winners if keys[rank] // SEATS == keys[3] // SEATS else 0.0


@kernel
def write_outlook(table: Array, deck: int, keys: Any, out: Array) -> None:
    """Write each seat's chance to win the match, over or not."""
    if keys[0] // SEATS > 0:
        write_chances(table, deck, keys, out)
    else:
        write_shares(keys, out)


# --- The reward -------------------------------------------------------------------------------------------------------


@kernel
def row_near(keys: Any) -> int:
    """The row of the node that is nearest."""
    near, places = GAP_NEAR, PLACE
    time, gap0, gap1, gap2 = coordinates(keys)
    place = places[0, near[gap0]] + places[1, near[gap1]] + places[2, near[gap2]]
    return int(TIME_NEAR[time] * TRIPLES + place)


@kernel
def match_rewards(state: Record, before: Any, out: Array) -> None:
    """Turn what each seat scores in a deal into rewards; `before` are the totals before it."""
    table = TABLE  # once: compiled code holds it for each use
    limit = int(state.match)
    deck = 0 if state.deck_size > 32 else 1
    left = (limit - before[0], limit - before[1], limit - before[2], limit - before[3])
    scores = (int(out[0]), int(out[1]), int(out[2]), int(out[3]))
    after = in_order(
        SEATS * (left[0] - scores[0]),
        SEATS * (left[1] - scores[1]) + 1,
        SEATS * (left[2] - scores[2]) + 2,
        SEATS * (left[3] - scores[3]) + 3,
    )
    write_outlook(table, deck, after, out)
    if limit == 0:  # a single deal is a match of its own
        return
    keys = in_order(SEATS * left[0], SEATS * left[1] + 1, SEATS * left[2] + 2, SEATS * left[3] + 3)
    row = row_near(keys)
    total = scores[0] + scores[1] + scores[2] + scores[3]
    for rank in range(SEATS):
        seat = keys[rank] % SEATS
        low, high = int(table[deck, row, LOW, rank]) / WHOLE, int(table[deck, row, HIGH, rank]) / WHOLE
        points = 0.5 + (total - SEATS * scores[seat]) / (3.0 * int(state.deck_size))
        reward = (out[seat] - low + POINTS_WEIGHT * points) / (high - low + POINTS_WEIGHT)
        out[seat] = min(max(reward, 0.0), 1.0)


@kernel
def totals_before(state: Record) -> Any:
    """Each seat's points of the match before this deal."""
    over = state.phase == OVER
    return (
        int(state.totals[0]) - (deal_score(state, 0) if over else 0),
        int(state.totals[1]) - (deal_score(state, 1) if over else 0),
        int(state.totals[2]) - (deal_score(state, 2) if over else 0),
        int(state.totals[3]) - (deal_score(state, 3) if over else 0),
    )


@kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """A finished deal as a search sees it that wants to win the match."""
    for seat in range(SEATS):
        out[seat] = deal_score(state, seat)
    match_rewards(state, totals_before(state), out)
