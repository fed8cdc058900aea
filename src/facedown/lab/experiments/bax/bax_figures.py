"""The tables of Bax 2020 as they were printed, and what its experiments share: matches, and tables of their figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.claims import Claim, equal
from facedown.lab.experiments.published import Published, half_of_mean, half_of_share
from facedown.lab.experiments.result import BARS, Row, Table, bars
from facedown.lab.experiments.running import Contest, Lab
from facedown.stats import Estimate

SOURCE = "Bax 2020"
GAME, QUICK_GAME = "hearts32:match=75", "hearts32:match=16"
MATCHES = 1000
SEATINGS = 6
EXPLORATION = 0.141
OPPONENT = 125  # iterations of the player with open cards that Table 2 is played against
WORLDS, ITERATIONS = 25, 250
QUICK_DEALS, QUICK_WORLDS, QUICK_ITERATIONS = 1, 3, 20

EVEN = 0.5
MARGIN = 0.05  # of wins, within which a figure counts as the published one
POINTS, OTHERS, WINS = "points", "points of the opponents", "wins"
DEVIATIONS = ("SD of points", "SD of points of the opponents")
CLOSE = 2.0  # points, within which a figure counts as the published one


class Column(NamedTuple):
    """A column of a table: means, wins, and standard deviations where they are printed."""

    points: Published
    others: Published
    wins: Published
    deviations: tuple[Published | None, Published | None]

    @property
    def printed(self) -> tuple[Published, Published, Published]:
        """What a table has of every column."""
        return self.points, self.others, self.wins


Points = tuple[float, float | None]  # the mean, and the standard deviation where there is one


def published(points: Points, others: Points, percent: float) -> Column:
    """A column of a table."""
    deviations = (deviation_of(points[1]), deviation_of(others[1]))
    return Column(points_of(*points), points_of(*others), wins_of(percent), deviations)


def points_of(mean: float, deviation: float | None) -> Published:
    """Points as they were printed, with the interval that follows."""
    if deviation is None:
        return Published(mean)
    return Published(mean, half_of_mean(deviation, MATCHES), printed=f"{mean:.2f} (SD {deviation:.2f})")


def deviation_of(deviation: float | None) -> Published | None:
    """A standard deviation as it was printed."""
    return None if deviation is None else Published(deviation, printed=f"{deviation:.2f}")


def wins_of(percent: float) -> Published:
    """A share of matches as it was printed, with the interval that follows."""
    share = percent / 100
    return Published(share, half_of_share(share, MATCHES), rate=True, printed=f"{percent:.1f} %")


TABLE_1 = {
    "UCT 50": published((59.23, 18.66), (53.29, 19.14), 42.3),
    "UCT 100": published((58.97, 18.62), (53.63, 19.06), 40.8),
    "UCT 125": published((59.28, 18.75), (52.77, 19.23), 41.1),
    "UCT 250": published((58.26, 18.89), (54.18, 19.06), 44.0),
    "UCT 500": published((58.83, 18.75), (53.53, 19.23), 42.5),
}
SAMPLERS = {
    "random sample": "random",
    "cards played": "cards-played",
    "suits and cards played": "suits-and-cards-played",
}
BEST = "suits and cards played"
RANDOM, OPEN_CARDS = "random player", "UCT 250"
TABLE_2 = {
    "random sample": published((64.38, 18.05), (38.53, 17.73), 14.3),
    "cards played": published((60.32, None), (51.86, None), 37.3),
    "suits and cards played": published((59.32, 18.53), (53.76, 19.18), 42.1),
    RANDOM: published((66.14, 17.63), (28.60, 15.11), 3.4),
    OPEN_CARDS: published((52.77, 19.23), (59.28, 18.75), 59.1),
}


def uct(iterations: int, exploration: float = EXPLORATION) -> str:
    """The player with open cards."""
    return f"uct:iterations={iterations},exploration={exploration}"


def budget(lab: Lab) -> tuple[int, int]:
    """The worlds of a determinized player, and the iterations in each."""
    return (WORLDS, ITERATIONS) if lab.full else (QUICK_WORLDS, QUICK_ITERATIONS)


class Pair(NamedTuple):
    """A player, its opponent, and whether there are moons."""

    player: str
    opponent: str
    moons: bool = True


def play(lab: Lab, pairs: Mapping[str, Pair], played_as: str | None = None) -> dict[str, TournamentResult]:
    """Matches of pairs."""
    deals = -(-MATCHES // SEATINGS) if lab.full else QUICK_DEALS
    game = GAME if lab.full else QUICK_GAME
    return lab.play(
        {
            name: Contest(game if pair.moons else f"{game},moon=false", (pair.player, pair.opponent), deals)
            for name, pair in pairs.items()
        },
        played_as,
    )


def tables_of(results: dict[str, TournamentResult], figures: dict[str, Column]) -> list[Table]:
    """Points of both sides, and wins."""
    tables = []
    for place, (title, kind, plot) in enumerate(
        ((POINTS, "score", bars(POINTS)), (OTHERS, "score", bars(POINTS)), (WINS, "wins", BARS))
    ):
        number = 1 if title == OTHERS else 0
        found = {name: getattr(result.standing(number), kind) for name, result in results.items()}
        ours = {name: replace(one, unit="series", signed=False) for name, one in found.items()}
        tables.append(
            Table(
                title.capitalize(),
                [Row(f"{name}: {title}", figures[name].printed[place], ours[name]) for name in ours],
                plot,
            )
        )
    return tables


def deviations_of(results: dict[str, TournamentResult], figures: dict[str, Column]) -> Table:
    """How far the points of single players scatter at the end of a match."""
    rows = [
        Row(f"{name}: {title}", figures[name].deviations[number], scatter(result, number))
        for name, result in results.items()
        for number, title in enumerate(DEVIATIONS)
    ]
    return Table("Standard deviation of points", rows, bars(POINTS))


def scatter(result: TournamentResult, number: int) -> Estimate:
    """The standard deviation of the points of both players of a kind, `number` in the list of agents."""
    points, series = [], []
    for game in result.ledger.results:
        own = [game.scores[seat] for seat, agent in enumerate(result.schedule.lineups[game.seating]) if agent == number]
        points += own
        series += [game.deal] * len(own)
    return deviation(points, series)


def deviation(values: Sequence[float], series: Sequence[int]) -> Estimate:
    """The standard deviation of values, with its interval over series: the root of that of the mean squared distance."""
    array = np.array(values)
    squares = stats.mean_by_deal((array - array.mean()) ** 2, series)
    value, low, high = (sqrt(max(0.0, end)) for end in (squares.value, squares.low, squares.high))
    return Estimate(value, low, high, squares.count, "series", signed=False)


def points_as_published(tables: Sequence[Table], against: str = "") -> list[Claim]:
    """Claims of the points of both sides; `against` says in words who the opponents are."""
    rows = [row for table in tables for row in table.rows]
    return [
        equal(row.label.replace(":", f"{against}:", 1), row.published, row.ours, CLOSE)
        for row in rows
        if row.published and row.ours and not row.published.rate
    ]


def labels(columns: dict[str, Column]) -> dict[str, Published]:
    """The published figures by the labels of their rows."""
    kinds = (POINTS, OTHERS, WINS, *DEVIATIONS)
    return {
        f"{name}: {kind}": one
        for name, column in columns.items()
        for kind, one in zip(kinds, (*column.printed, *column.deviations), strict=True)
        if one
    }
