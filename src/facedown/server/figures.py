"""The figures of a competition under way: counted once for everybody who asks, and not with every game."""

import time
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

from facedown.arena.schedule import Schedule
from facedown.arena.standings import Comparison, Ledger, Standing
from facedown.lab.report.plots import Band
from facedown.lab.report.report import bands_of
from facedown.server.messages import Data
from facedown.stats.estimate import finite
from facedown.store.results import GameResult

SHARE = 0.05  # of the time that counting may take
POINTS = 80  # of a line in a plot


class Figures:
    """Standings, comparisons and how they converged, as they were counted last."""

    def __init__(self) -> None:
        self._counted = (0, False)  # games, and whether these were all
        self._next = 0.0  # when they may be counted again: those of many games take a while
        self._told: Data = {}
        self._counting = Lock()

    def now(self, plan: Schedule, results: Mapping[Any, GameResult], over: bool) -> Data:
        """The figures of all games so far, or of those of a moment ago; when it is over, of all. One thread counts."""
        if not self._counting.acquire(blocking=over or not self._told):
            return self._told
        try:
            return self._now(plan, results, over)
        finally:
            self._counting.release()

    def _now(self, plan: Schedule, results: Mapping[Any, GameResult], over: bool) -> Data:
        begin, games = time.monotonic(), [*results.values()]
        if (len(games), over) != self._counted and (over or begin >= self._next):
            ledger = Ledger(plan, games)
            standings = ledger.standings(skills=over)  # OpenSkill's ratings take as long as everything else
            self._told = figures(ledger, standings, ledger.comparisons())
            end = time.monotonic()
            self._counted, self._next = (len(games), over), end + (end - begin) / SHARE
        return self._told


def figures(ledger: Ledger, standings: Sequence[Standing], comparisons: Sequence[Comparison]) -> Data:
    """Standings and comparisons, each figure with its interval, and how the differences converged."""
    return {
        "standings": [one.to_dict() for one in standings],
        "comparisons": [one.to_dict() for one in comparisons],
        "running": [
            {"first": one.first, "second": one.second, **band_data(band)}
            for one, band in bands_of(ledger, standings, comparisons, POINTS)
        ],
    }


def band_data(band: Band) -> Data:
    """How a figure converged, as plain data; an infinite bound is None."""
    columns = {"at": band.at, "values": band.values, "lows": band.lows, "highs": band.highs}
    return {name: [finite(value) for value in column] for name, column in columns.items()}
