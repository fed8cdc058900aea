"""What the experiments of Fernandes 2016 (chapter 6) share: a variation against a baseline in Sueca, Bisca and Hearts.

As there: 1,000 games for each variation; the baseline is ISMCTS with 10,000 iterations, win or loss as 1 or 0 (PWL) and an
exploration constant of 0.7, in Bisca 0.25; in Sueca and Bisca one side is the baseline, in Hearts two seats are. Hearts is a
single deal without passing, and points may be played to the first trick. Wins are counted as there: who has more points
wins, nobody where both have as many, and in Hearts each of those with the fewest points. Departures:

1. Each deal is played in all seatings, and intervals are over deals. The paper has new cards for each game.
2. Its figures show no numbers; what its text says of them is what we compare with.
3. Its equation 2.1 and its algorithms differ in what the constant stands before, and it does not say which it ran. These are
   by the equation; `tricks-readings` has both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import BARS, Plot, Row, Table
from facedown.lab.experiments.running import Contest, Lab
from facedown.stats import Estimate

SOURCE = "Fernandes 2016"
GAMES = {"Sueca": "sueca", "Bisca": "bisca", "Hearts": "hearts:passing=hold,first_trick_points=true"}
SEATINGS = {"Sueca": 2, "Bisca": 2, "Hearts": 6}
EXPLORATION = {"Sueca": 0.7, "Bisca": 0.25, "Hearts": 0.7}
ITERATIONS, QUICK_ITERATIONS = 10_000, 50
ROUNDS = 1000
QUICK = "Quick: few deals and tiny searches, so the figures are not comparable."
UNITS = {"wins ahead": "percentage points", "points ahead": "points"}  # of figures that are no shares
# A lead in wins, in percentage points, that the paper's 1,000 games would hardly have missed; a smaller one counts as none.
CLOSE = {"Sueca": 10, "Bisca": 10, "Hearts": 5}


def options(lab: Lab, game: str, iterations: int = ITERATIONS, **others: object) -> str:
    """An agent's options: those of the baseline unless others are given."""
    scaled = iterations if lab.full else max(1, iterations * QUICK_ITERATIONS // ITERATIONS)
    given = {"iterations": scaled, "reward": "pwl", "exploration": EXPLORATION[game], **others}
    return ",".join(f"{name}={value}" for name, value in given.items())


def baseline(lab: Lab, game: str, iterations: int = ITERATIONS, **others: object) -> str:
    """The ISMCTS player that variations are played against."""
    return f"ismcts:{options(lab, game, iterations, **others)}"


class Duels:
    """Variations against the baseline of each game, played."""

    def __init__(self, lab: Lab, variations: Mapping[tuple[str, str], str], baselines: Mapping[str, str]) -> None:
        """Variations by game and name."""
        contests = {}
        for (game, name), text in variations.items():
            deals = ROUNDS // SEATINGS[game] if lab.full else 2
            contests[f"{game}: {name}"] = Contest(GAMES[game], (text, baselines[game]), deals)
        self.results = lab.play(contests)

    def wins(self, label: str) -> Estimate:
        """The share of games that the variation has won, counted as the paper does."""
        return stats.win_rate_by_deal(*wins_as_published(self.results[label], 0))

    def wins_of_baseline(self, label: str) -> Estimate:
        """The share of games that the baseline has won against the variation."""
        return stats.win_rate_by_deal(*wins_as_published(self.results[label], 1))

    def wins_divided(self, label: str) -> Estimate:
        """The share of games that the seats of the variation have won together; a win that several share is divided."""
        result = self.results[label]
        return next(one.wins for one in result.standings if one.agent == result.schedule.agents[0])

    def ahead(self, label: str) -> Estimate:
        """How much more often the variation has won than the baseline, in percentage points."""
        (ours, deals), (theirs, _) = (wins_as_published(self.results[label], number) for number in range(2))
        return stats.paired_difference(percent(ours), percent(theirs), deals)

    def points(self, label: str) -> Estimate:
        """How many points more the variation has scored than the baseline: better is more, except in Hearts."""
        result = self.results[label]
        ours, theirs = (result.ledger.figures[text] for text in result.schedule.agents)
        return stats.paired_difference(ours.scores, theirs.scores, ours.deals)

    def gain(self, label: str, other: str) -> Estimate:
        """How many percentage points more one variation has won than another, on the same deals against the baseline."""
        (ours, deals), (theirs, _) = (wins_as_published(self.results[one], 0) for one in (label, other))
        return stats.paired_difference(percent(ours), percent(theirs), deals)

    def tables(self, published: Mapping[str, Published], plot: Plot = BARS, about: str = "") -> list[Table]:
        """The figures of all variations, drawn in groups by game."""
        kinds = {
            "Wins, counted as in the paper": ("wins", self.wins),
            "Wins of the baseline against each": ("wins of the baseline", self.wins_of_baseline),
            "Wins, divided among those who share one": ("wins divided", self.wins_divided),
            "Wins more than the baseline, in percentage points": ("wins ahead", self.ahead),
            "Points more than the baseline; in Hearts fewer are better": ("points ahead", self.points),
        }
        return [
            Table(
                f"{about}: {title}" if about else title,
                [Row(f"{label}: {kind}", published.get(f"{label}: {kind}"), find(label)) for label in self.results],
                replace(plot, up=UNITS.get(kind, "")),
            )
            for title, (kind, find) in kinds.items()
        ]


def percent(shares: Sequence[float]) -> list[float]:
    """Shares of 1 in per cent."""
    return [100 * share for share in shares]


def wins_as_published(result: TournamentResult, number: int) -> tuple[list[float], list[int]]:
    """For each game the share of an agent's seats that won it, and its deal."""
    schedule = result.schedule
    many_sides = len(set(schedule.game.sides)) > 2
    values = []
    for game in result.ledger.results:
        best = (min if schedule.game.lower_is_better else max)(game.scores)
        own = [seat for seat, agent in enumerate(schedule.lineups[game.seating]) if agent == number]
        shared = not many_sides and len(set(game.scores)) == 1
        values.append(0.0 if shared else sum(game.scores[seat] == best for seat in own) / len(own))
    return values, [game.deal for game in result.ledger.results]


def notes(lab: Lab, *more: str) -> Sequence[str]:
    """What a reader has to know."""
    return more if lab.full else (*more, QUICK)
