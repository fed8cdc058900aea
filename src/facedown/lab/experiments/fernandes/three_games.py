"""What the experiments of Fernandes 2016 (chapter 6) share: a variation against a baseline in Sueca, Bisca and Hearts.

At full scale, as there: 1,000 games for each variation, which are 500 deals; in Hearts 996 games, of 166 deals. A run with
more or fewer deals says how many beside its figures. The baseline is ISMCTS with 10,000 iterations and an exploration
constant of 0.7, in Bisca 0.25. Its reward is 1 for a win, 0.5 for a tie and 0 for a loss (PWL). In Sueca and Bisca one side
is the baseline, in Hearts two seats are. Hearts is a single deal without passing, and points may be played to the first
trick. Wins are counted as there: who has more points wins, nobody where both have as many, and in Hearts each of those with
the fewest points. Scores are points of cards; the score of two seats in Hearts is their mean. Where all iterations have
lost, the search's own choice stands (`last_stand=false`): by default our players would still play for the score then.

The other rewards are "win or loss" (WL), which is 1, 0 or -1, and "score difference" (SD), from -4 to 4. Their exploration
constants in figure 6.4, for Sueca, Bisca and Hearts: WL 1.75, 0.25 and 1.5; SD 0.5, 0.25 and 0.25.

Where the paper finds no difference, a lead of less than 10 percentage points in wins counts as none, in Hearts less than 5:
a lead of that size would be significant in about nine of ten experiments with the paper's 1,000 games. Of a printed range
the middle counts, and half its width is its spread. Departures:

1. Each deal is played in all seatings, and intervals are over deals. The paper has new cards for each game. Variations that
   begin late in a deal (figure 6.9, and what is proposed but for constants) play the same until then as a twin of the
   baseline does, with the same seeds: what the twin leads by in the same games, which is luck, is subtracted.
2. Its figures show no numbers; what its text says of them is what we compare with.
3. Its equation 2.1 and its algorithms differ in what the constant stands before, and it does not say which it ran. These are
   by the equation; `tricks-readings` has these and a third reading.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.kernel import Array
from facedown.lab.experiments.published import Published, in_percent
from facedown.lab.experiments.result import BARS, Plot, Row, Table
from facedown.lab.experiments.running import Contest, Lab
from facedown.stats import Estimate

SOURCE = "Fernandes 2016"
GAMES = {"Sueca": "sueca", "Bisca": "bisca", "Hearts": "hearts:passing=hold,first_trick_points=true"}
SEATINGS = {"Sueca": 2, "Bisca": 2, "Hearts": 6}
EXPLORATION = {"Sueca": 0.7, "Bisca": 0.25, "Hearts": 0.7}
ITERATIONS, QUICK_ITERATIONS = 10_000, 50
ROUNDS = 1000
TWIN, NO_CHANGE = "twin", "ngram=3"  # an option that counts in other playouts only: the baseline under another name
PLAYED_AS = "tricks"  # so that two experiments with the same contest play it once
UNITS = {"wins ahead": "percentage points", "points ahead": "points", "score": "points"}  # of figures that are no shares
# A lead in wins, in percentage points, that nine of ten experiments with 1,000 games would show; a smaller one is none.
CLOSE = {"Sueca": 10, "Bisca": 10, "Hearts": 5}


def options(lab: Lab, game: str, iterations: int = ITERATIONS, **others: object) -> str:
    """An agent's options: those of the baseline unless others are given."""
    scaled = iterations if lab.full else max(1, iterations * QUICK_ITERATIONS // ITERATIONS)
    given = {"iterations": scaled, "reward": "pwl", "exploration": EXPLORATION[game], "last_stand": "false", **others}
    return ",".join(f"{name}={value}" for name, value in given.items())


def baseline(lab: Lab, game: str, iterations: int = ITERATIONS, **others: object) -> str:
    """The ISMCTS player that variations are played against."""
    return f"ismcts:{options(lab, game, iterations, **others)}"


class Duels:
    """Variations against the baseline of each game, played."""

    compared = "baseline"  # what leads are over

    def __init__(
        self, lab: Lab, variations: Mapping[tuple[str, str], str], baselines: Mapping[str, str], reading: str = ""
    ) -> None:
        """Variations by game and name; those of several readings have the same names, but each its own tournaments."""
        contests, way = {}, f" {reading}" if reading else ""
        for (game, name), text in variations.items():
            deals = ROUNDS // SEATINGS[game] if lab.full else 2
            contests[f"{game}: {name}{way}"] = Contest(GAMES[game], (text, baselines[game]), deals)
        self.results = {name.removesuffix(way): result for name, result in lab.play(contests, PLAYED_AS).items()}

    def wins(self, label: str) -> Estimate:
        """The share of games that the variation has won, counted as the paper does."""
        return stats.win_rate_by_deal(*wins_as_published(self.results[label], 0))

    def wins_of_baseline(self, label: str) -> Estimate:
        """The share of games that the baseline has won against the variation."""
        return stats.win_rate_by_deal(*wins_as_published(self.results[label], 1))

    def wins_divided(self, label: str) -> Estimate:
        """The share of games that the seats of the variation have won together; a win that several share is divided."""
        return self.results[label].standing(0).wins

    def ahead(self, label: str) -> Estimate:
        """How much more often the variation has won than the baseline, in percentage points."""
        leads, deals = leads_in_wins(self.results[label])
        return stats.paired_difference(leads, np.zeros(len(leads)), deals)

    def points(self, label: str) -> Estimate:
        """How many points more the variation has scored than the baseline: better is more, except in Hearts."""
        leads, deals = leads_in_points(self.results[label])
        return stats.paired_difference(leads, np.zeros(len(leads)), deals)

    def score(self, label: str) -> Estimate:
        """The mean score of the variation."""
        return self.mean_score(label, 0)

    def score_of_baseline(self, label: str) -> Estimate:
        """The mean score of the baseline against the variation."""
        return self.mean_score(label, 1)

    def mean_score(self, label: str, number: int) -> Estimate:
        """The mean score of an agent's seats."""
        result = self.results[label]
        figures = result.ledger.figures[result.schedule.agents[number]]
        return stats.mean_by_deal(figures.scores, figures.deals).unsigned()

    def gain(self, label: str, other: str) -> Estimate:
        """How many percentage points more one variation has won than another, on the same deals against the baseline."""
        (ours, deals), (theirs, _) = (wins_as_published(self.results[one], 0) for one in (label, other))
        return stats.paired_difference(in_percent(ours), in_percent(theirs), deals)

    def tables(self, published: Mapping[str, Published], plot: Plot = BARS, about: str = "") -> list[Table]:
        """What the claims are judged by; then what the paper draws, the baseline beside each variation of a game."""
        kinds: dict[str, Measures] = {
            f"Wins more than the {self.compared}, in percentage points": {"wins ahead": self.ahead},
            f"Points more than the {self.compared}; in Hearts fewer are better": {"points ahead": self.points},
            "Wins, divided among those who share one": {"wins divided": self.wins_divided},
        }
        found = [self.table(title, list(self.results), measures, published, plot) for title, measures in kinds.items()]
        found += [
            self.table(f"{game}: {title}", [one for one in self.results if one.startswith(game)], measures, published, plot)
            for title, measures in self.both_sides().items()
            for game in dict.fromkeys(label.partition(": ")[0] for label in self.results)
        ]
        return [replace(table, title=f"{about}: {table.title}") for table in found] if about else found

    def both_sides(self) -> dict[str, "Measures"]:
        """The figures of a variation and of the baseline beside it, by the titles of their tables."""
        return {
            "wins, counted as in the paper": {"wins": self.wins, "wins of the baseline": self.wins_of_baseline},
            "mean scores": {"score": self.score, "score of the baseline": self.score_of_baseline},
        }

    def table(
        self, title: str, labels: Sequence[str], measures: "Measures", published: Mapping[str, Published], plot: Plot
    ) -> Table:
        """Figures of some variations: one of each, in groups by game; or several of each, in groups by variation."""
        rows = [
            Row(name, published.get(name), find(label))
            for label in labels
            for kind, find in measures.items()
            for name in [row_label(label, kind) if len(measures) > 1 else f"{label}: {kind}"]
        ]
        return Table(title, rows, replace(plot, up=UNITS.get(next(iter(measures)), "")))


class LateDuels(Duels):
    """Variations that differ from the baseline only near the end of a deal, less what its twin leads by.

    Until then they play the twin's games, with its seeds. So what luck did there is subtracted; a twin's true lead is 0.
    """

    compared = "baseline's twin"

    def __init__(self, lab: Lab, variations: Mapping[tuple[str, str], str], baselines: Mapping[str, str]) -> None:
        games = list(dict.fromkeys(game for game, _ in variations))
        twins = {(game, TWIN): f"{baselines[game]},{NO_CHANGE}" for game in games}
        super().__init__(lab, {**variations, **twins}, baselines)
        self.twins = {game: self.results.pop(f"{game}: {TWIN}") for game in games}

    def ahead(self, label: str) -> Estimate:
        """See Duels."""
        return self.beyond_twin(label, leads_in_wins)

    def points(self, label: str) -> Estimate:
        """See Duels."""
        return self.beyond_twin(label, leads_in_points)

    def beyond_twin(self, label: str, leads: Callable[[TournamentResult], tuple[Array, list[int]]]) -> Estimate:
        """By how much more the variation leads than the twin does, game by game."""
        (ours, deals), (twins, _) = leads(self.results[label]), leads(self.twins[label.partition(": ")[0]])
        return stats.paired_difference(ours, twins, deals)


Measures: TypeAlias = Mapping[str, Callable[[str], Estimate]]  # by what their rows are called


def row_label(label: str, kind: str) -> str:
    """The label of a row beside others of its variation: what stands before the colon is a group of bars."""
    return f"{label.replace(': ', ', ', 1)}: {kind}"


def leads_in_wins(result: TournamentResult) -> tuple[Array, list[int]]:
    """For each game how much more of its seats the first agent won with than the second, in percentage points; its deal."""
    (ours, deals), (theirs, _) = (wins_as_published(result, number) for number in range(2))
    return np.array(in_percent(ours)) - np.array(in_percent(theirs)), deals


def leads_in_points(result: TournamentResult) -> tuple[Array, list[int]]:
    """For each game how many points more the first agent has scored than the second; its deal."""
    ours, theirs = (result.ledger.figures[text] for text in result.schedule.agents)
    return np.array(ours.scores) - np.array(theirs.scores), ours.deals


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
