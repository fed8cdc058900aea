"""From recorded matches to the chance to win one: the models behind `reward=match` in Hearts, Sueca and Bisca.

A match is taken for a random walk: each deal is one of those recorded, whatever the totals are, and its scores go to the
seats in any order. In Hearts walks from every node of the model are played out by chance; in Sueca and Bisca the shares of
deals worth 1, 2 and 4 game points are all there is to know, and the chain is exact (games/trumps/match.py). A model is
judged on matches that it was not fitted on: what it says before each deal against who won.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import FacedownError
from facedown.files import whole_file, write_text
from facedown.games import load
from facedown.games.hearts.match import (
    CHANCE,
    DECKS,
    GAP_NEAR,
    GAPS,
    HIGH,
    LAST,
    LOW,
    ROWS,
    TIME_NEAR,
    TIMES,
    VERSION,
    WHOLE,
    in_order,
    write_outlook,
)
from facedown.games.hearts.rules import SEATS
from facedown.games.trumps.match import chain
from facedown.kernel import Array, kernel
from facedown.record import GameRecord
from facedown.rng import draw, stream

ORDERS = np.array(list(permutations(range(SEATS))))
WALKS = 100_000  # from each node: standard errors of 0.0016 at most
BINS = 10  # of the reliability table
LEAST_DEALS = 100

# What a deal of 26 points may end with, roughly: the extremes, the queen alone, hearts alone, equal shares; and the moon.
SPREADS = (
    (26, 0, 0, 0),
    (25, 1, 0, 0),
    (13, 13, 0, 0),
    (20, 6, 0, 0),
    (13, 7, 6, 0),
    (13, 5, 4, 4),
    (9, 9, 8, 0),
    (7, 7, 6, 6),
)


@dataclass(frozen=True)
class Matches:
    """Recorded matches of one game: for each the scores of its deals, by seat or by side."""

    game: str
    limit: int
    deals: list[Array]
    agents: list[str]  # who played

    @property
    def all_deals(self) -> Array:
        """The deals of all matches."""
        return np.concatenate(self.deals)


@dataclass(frozen=True)
class Calibration:
    """What a model says before each deal, beside who won the match."""

    matches: int
    forecasts: int
    brier: float  # mean squared distance of forecasts from who won
    brier_of_equal: float  # of somebody who says that all are equally likely
    table: list[tuple[float, float, int]]  # mean forecast, share that won, forecasts


def matches_in(records: Iterable[GameRecord]) -> Matches:
    """The deals of recorded matches, by playing them again; forfeited ones are left out."""
    found, games, agents = [], set(), set()
    for record in records:
        if record.forfeit is not None:
            continue
        game = load(record.game)
        if "match" not in game.options or not game.options["match"].value:
            raise FacedownError(f"expected matches of several deals, got {game.full_name}")
        games.add((game.name, int(game.options["match"].value or 0)))
        agents.update(record.agents)
        found.append(scores_by_deal(record))
    if len(games) != 1:
        raise FacedownError(f"expected matches of one game to one limit, got {sorted(games) or 'none'}")
    (name, limit), *_ = games
    return Matches(name, limit, found, sorted(agents))


def scores_by_deal(record: GameRecord) -> Array:
    """What each seat, or each side, scored in each deal of a match."""
    totals, deals = [], -1
    for state in record.steps():
        if state.data["deals"][0] > deals:
            deals = int(state.data["deals"][0])
            totals.append(state.data["totals"][0].copy())
    return np.diff(np.array(totals, np.int64), axis=0)


# --- Hearts -----------------------------------------------------------------------------------------------------------


@kernel
def walk(left: Array, deals: Array, orders: Array, walks: int, rng: Array, wins: Array) -> None:
    """Add to wins[seat] what each seat wins of some walks from the points left; equal ones share."""
    here = left.copy()
    for _ in range(walks):
        here[:] = left
        nearest = here.min()
        while nearest > 0:
            choice = draw(rng, deals.shape[0] * orders.shape[0])
            order = choice % orders.shape[0]
            deal = choice // orders.shape[0]
            for seat in range(here.shape[0]):
                here[seat] -= deals[deal, orders[order, seat]]
            nearest = here.min()
        farthest = here.max()
        winners = 0
        for seat in range(here.shape[0]):
            winners += here[seat] == farthest
        for seat in range(here.shape[0]):
            if here[seat] == farthest:
                wins[seat] += 1.0 / winners


def walked(left: Sequence[int], deals: Array, walks: int, rng: Array) -> Array:
    """The share of walks that each seat wins; seats with as much left have the same."""
    wins, start = np.zeros(SEATS), np.array(left, np.int64)
    walk(start, deals, ORDERS, walks, rng, wins)
    for value in set(left):
        wins[start == value] = wins[start == value].mean()
    return wins / walks


@kernel
def outlooks(table: Array, lefts: Array, out: Array) -> None:
    """Write each seat's chance by a model, for many positions of a match."""
    for place in range(lefts.shape[0]):
        left = lefts[place]
        keys = in_order(SEATS * left[0], SEATS * left[1] + 1, SEATS * left[2] + 2, SEATS * left[3] + 3)
        write_outlook(table, 0, keys, out[place])


def chances_after(table: Array, lefts: Array) -> Array:
    """Each seat's chance by a model, for positions of a match, (position, seat)."""
    out = np.zeros(lefts.shape)
    outlooks(table[None], np.ascontiguousarray(lefts, np.int64), out)
    return out


def fit_hearts(
    matches: Matches, walks: int = WALKS, seed: int = 0, watch: Callable[[int, int], None] | None = None
) -> Array:
    """The model's table: for each node and seat, in order of points left, the chance and the range that a deal reaches."""
    deals = matches.all_deals
    if len(deals) < LEAST_DEALS:
        raise FacedownError(f"expected {LEAST_DEALS} deals at least, got {len(deals)}")
    table = np.zeros((ROWS, 3, SEATS), np.uint16)
    nodes = nodes_in_order()
    for row, (time, gaps) in enumerate(nodes):
        chances = walked(left_at(TIMES[time], [GAPS[gap] for gap in gaps]), deals, walks, stream(seed, row))
        table[row, CHANCE] = np.round(WHOLE * chances)
        if watch:
            watch(row + 1, len(nodes))
    ends = possible_ends(26 if matches.game == "hearts" else 16)
    for row, (time, gaps) in enumerate(nodes):
        after = chances_after(table, (box_around(time, gaps)[:, None, :] - ends).reshape(-1, SEATS))
        low, high = np.floor(WHOLE * after.min(axis=0)), np.ceil(WHOLE * after.max(axis=0))
        equal = np.equal.outer(*[left_at(TIMES[time], [GAPS[gap] for gap in gaps])] * 2)  # such seats have one range
        table[row, LOW] = [low[ranks].min() for ranks in equal]
        table[row, HIGH] = [high[ranks].max() for ranks in equal]
    return table


def nodes_in_order() -> list[tuple[int, tuple[int, ...]]]:
    """The nodes, a time and three gaps in order, as their rows are."""
    triples = sorted(combinations_with_replacement(range(len(GAPS)), 3), key=lambda gaps: gaps[::-1])
    return [(time, gaps) for time in range(len(TIMES)) for gaps in triples]


def left_at(time: int, gaps: Sequence[int]) -> list[int]:
    """The points left of the four seats, the least first; gaps are those behind the leader, the least first."""
    leader = time + gaps[2]
    return [time, leader - gaps[1], leader - gaps[0], leader]


def possible_ends(points: int) -> Array:
    """Scores that a deal may end with, moons among them."""
    spreads = {tuple(round(score * points / 26) for score in spread) for spread in SPREADS} | {(0, points, points, points)}
    return np.array(sorted({order for spread in spreads for order in permutations(spread)}))


def box_around(time: int, gaps: Sequence[int]) -> Array:
    """Points left at a node, and at the corners of all that is nearest to it."""
    near = [np.flatnonzero(time == TIME_NEAR).clip(1), *(np.flatnonzero(gap == GAP_NEAR) for gap in gaps)]
    edges = [(int(numbers.min()), int(numbers.max())) for numbers in near]
    corners = [corner for corner in product(*edges) if corner[1] <= corner[2] <= corner[3]]
    node = (TIMES[time], *(GAPS[gap] for gap in gaps))
    return np.array([left_at(corner[0], corner[1:]) for corner in [node, *corners]])


# --- Sueca and Bisca --------------------------------------------------------------------------------------------------


def fit_trumps(matches: Matches) -> dict[str, float]:
    """The shares of the deals worth 1, 2 and 4 game points, among those that somebody won."""
    values = matches.all_deals.max(axis=1)
    won = values[values > 0]
    if len(won) < LEAST_DEALS:
        raise FacedownError(f"expected {LEAST_DEALS} deals at least, got {len(won)}")
    return {str(value): round(float((won == value).mean()), 6) for value in (1, 2, 4)}


# --- Any of them ------------------------------------------------------------------------------------------------------


def fit(matches: Matches, path: Path, about: dict[str, Any], walks: int = WALKS, seed: int = 0) -> dict[str, Any]:
    """Fit the model of a game and write its file: match_NAME.npz for Hearts, match_NAME.json for Sueca and Bisca."""
    about = {
        "version": VERSION,
        "game": matches.game,
        "limit": matches.limit,
        "matches": len(matches.deals),
        "deals": len(matches.all_deals),
        "agents": matches.agents,
        **about,
    }
    if matches.game not in DECKS:
        shares = fit_trumps(matches)
        write_text(path, json.dumps({**about, "shares": shares}, indent=1) + "\n")
        return {"shares": shares}
    about |= {"walks": walks, "seed": seed}
    table = fit_hearts(matches, walks, seed)
    deals, counts = np.unique(np.sort(matches.all_deals, axis=1), axis=0, return_counts=True)
    about_text = np.array(json.dumps(about))
    columns: dict[str, Any] = {
        "table": table,
        "deals": deals.astype(np.int8),
        "counts": counts.astype(np.int32),
        "about": about_text,
    }
    with whole_file(path) as file:
        np.savez_compressed(file, **columns)
    return {"table": table}


def train(
    records: Iterable[GameRecord],
    test_records: Iterable[GameRecord],
    path: Path,
    command: str,
    walks: int = WALKS,
    seed: int = 0,
) -> Calibration:
    """Fit a model on some recorded matches, write its file with the command that made it, and judge it on others."""
    model = fit(matches_in(records), path, {"command": command}, walks, seed)
    return calibration(matches_in(test_records), model)


def forecasts(matches: Matches, model: dict[str, Any]) -> tuple[Array, Array]:
    """For each deal and seat or side the chance before it, by a model as `fit` returns it, and the share won in the end."""
    said, came = [], []
    exact = (
        chain({int(value): share for value, share in model["shares"].items()}, matches.limit) if "shares" in model else None
    )
    for deals in matches.deals:
        left = matches.limit - np.concatenate([np.zeros((1, deals.shape[1]), np.int64), deals.cumsum(axis=0)])
        if exact is None:
            won = left[-1] == left[-1].max()
            said.append(chances_after(model["table"], left[:-1]))
        else:
            won = left[-1] == left[-1].min()
            said.append(np.stack([exact[left[:-1, 0], left[:-1, 1]], exact[left[:-1, 1], left[:-1, 0]]], axis=1))
        came.append(np.tile(won / won.sum(), (len(deals), 1)))
    return np.concatenate(said), np.concatenate(came)


def calibration(matches: Matches, model: dict[str, Any]) -> Calibration:
    """How well a model forecasts matches that it was not fitted on."""
    said, came = forecasts(matches, model)
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    table = []
    for place in range(BINS):
        here = places == place
        if here.any():
            table.append((round(float(said[here].mean()), 4), round(float(came[here].mean()), 4), int(here.sum())))
    return Calibration(
        matches=len(matches.deals),
        forecasts=said.size,
        brier=float(((said - came) ** 2).mean()),
        brier_of_equal=float(((1 / said.shape[1] - came) ** 2).mean()),
        table=table,
    )


def error_against_walks(deals: Array, model: dict[str, Any], positions: int, walks: int, seed: int) -> tuple[float, float]:
    """The root mean square and the greatest distance of a model's chances from fresh walks, between its nodes too."""
    chance = np.random.default_rng(seed)
    lefts = chance.integers(1, LAST + 1, (positions, SEATS))
    said = chances_after(model["table"], lefts)
    true = np.array([walked(left.tolist(), deals, walks, stream(seed, 1, place)) for place, left in enumerate(lefts)])
    return float(np.sqrt(((said - true) ** 2).mean())), float(np.abs(said - true).max())
