"""What the games of a tournament say about the agents: scores, leads, wins and ratings, each with its interval over deals.

A lead is the sum of the differences between a side's score and each other side's (Manzke 2025, eq. 4.1). A win is the best
score of a game; sides that tie for it share it. `par` is the share of wins of an agent exactly as good as the others.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown import stats
from facedown.arena.schedule import Schedule
from facedown.errors import StoreError
from facedown.options import parse_text
from facedown.stats import AnovaTable, Estimate
from facedown.store.results import GameResult

if TYPE_CHECKING:
    from facedown.store import Run

UNKNOWN = "no reason is known"


@dataclass(frozen=True)
class Standing:
    """The figures of one agent."""

    agent: str
    games: int
    score: Estimate  # the game's own
    lead: Estimate
    wins: Estimate
    par: float
    forfeits: int
    elo: Estimate | None = None
    skill: list[float] | None = None  # OpenSkill's mu and sigma
    reasons: dict[str, int] = field(default_factory=dict)  # of forfeits, the commonest first

    def after_stopping(self) -> "Standing":
        """The same, of games that a sequential test has stopped."""
        elo = self.elo.after_stopping() if self.elo else None
        marked = {name: getattr(self, name).after_stopping() for name in ("score", "lead", "wins")}
        return replace(self, **marked, elo=elo)

    def to_dict(self) -> dict[str, Any]:
        """The standing as plain data."""
        estimates = {name: getattr(self, name).to_dict() for name in ("score", "lead", "wins")}
        return {**asdict(self), **estimates, "elo": self.elo.to_dict() if self.elo else None}


@dataclass(frozen=True)
class Comparison:
    """Two agents in the games that both played: how much larger the lead of the first was."""

    first: str
    second: str
    difference: Estimate
    p_adjusted: float | None  # by Holm's method, for all comparisons of the tournament

    def after_stopping(self) -> "Comparison":
        """The same, of games that a sequential test has stopped."""
        return replace(self, difference=self.difference.after_stopping())

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {**asdict(self), "difference": self.difference.to_dict()}


@dataclass
class AgentFigures:
    """One agent's figures, game by game."""

    deals: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)  # of the sides of the game
    forfeits: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class Ledger:
    """The results of a schedule, agent by agent."""

    def __init__(self, schedule: Schedule, results: Iterable[GameResult]) -> None:
        self.schedule = schedule
        self.results = sorted(results, key=lambda one: (one.deal, one.seating))
        self.figures = {text: AgentFigures() for text in schedule.agents}
        self.meetings: dict[tuple[int, int], list[tuple[int, float]]] = {}  # of two agents: (deal, difference of leads)
        self.games: list[list[tuple[str, float]]] = []  # in the form that the ratings take
        seats = schedule.game.sides
        self.first_seats = [seats.index(side) for side in sorted(set(seats))]  # one seat for each side
        for result in self.results:
            self._add(result)

    def _add(self, result: GameResult) -> None:
        # Plain numbers: arrays of four take longer than they save.
        sign = -1.0 if self.schedule.game.lower_is_better else 1.0
        lineup, deal = self.schedule.lineups[result.seating], self.schedule.first_alike(result.deal)
        numbers = [lineup[seat] for seat in self.first_seats]
        points = [sign * result.scores[seat] for seat in self.first_seats]
        total, best = sum(points), max(points)
        win = 1.0 / points.count(best)
        self.games.append([(self.schedule.agents[number], score) for number, score in zip(numbers, points, strict=True)])
        means = {}
        for number in dict.fromkeys(numbers):
            own = [score for score, other in zip(points, numbers, strict=True) if other == number]
            mean = sum(own) / len(own)
            means[number] = len(points) * mean - total
            figures = self.figures[self.schedule.agents[number]]
            figures.deals.append(deal)
            figures.scores.append(sign * mean)
            figures.leads.append(means[number])
            figures.wins.append(win * own.count(best))
            figures.shares.append(len(own) / len(points))
            if result.forfeit is not None and lineup[result.forfeit] == number:
                figures.forfeits += 1
                figures.reasons[result.reason or UNKNOWN] += 1
        for one, other in combinations(sorted(means), 2):
            self.meetings.setdefault((one, other), []).append((deal, means[one] - means[other]))

    def standings(self, skills: bool = True) -> list[Standing]:
        """All agents that have played, the best lead first; OpenSkill's ratings take longest, and need its package."""
        deals = [self.schedule.first_alike(result.deal) for result in self.results]
        elo = stats.elo_ratings(self.games, deals).elo if self.games else {}
        skill_of = stats.openskill_ratings(self.games) if skills and self.games and find_spec("openskill") else {}
        found = []
        for text, figures in self.figures.items():
            if figures.deals:
                found.append(
                    Standing(
                        text,
                        len(figures.deals),
                        stats.mean_by_deal(figures.scores, figures.deals),
                        stats.mean_by_deal(figures.leads, figures.deals),
                        stats.win_rate_by_deal(figures.wins, figures.deals),
                        float(np.mean(figures.shares)),
                        figures.forfeits,
                        elo.get(text),
                        [skill_of[text].mu, skill_of[text].sigma] if text in skill_of else None,
                        dict(figures.reasons.most_common()),
                    )
                )
        return sorted(found, key=lambda one: -one.lead.value)

    def comparisons(self) -> list[Comparison]:
        """Every two agents that met."""
        found = []
        for (one, other), meetings in sorted(self.meetings.items()):
            deals, differences = zip(*meetings, strict=True)
            estimate = stats.paired_difference(differences, np.zeros(len(differences)), deals)
            found.append((self.schedule.agents[one], self.schedule.agents[other], estimate))
        tested = [estimate.p for _, _, estimate in found if estimate.p is not None]
        adjusted = iter(stats.holm(tested)) if tested else iter(())
        return [
            Comparison(first, second, estimate, next(adjusted) if estimate.p is not None else None)
            for first, second, estimate in found
        ]

    def anova(self, interactions: int = 2) -> AnovaTable:
        """How much of the leads each option of the agents explains, over deals; options are read from the agents' texts."""
        values: list[float] = []
        factors: dict[str, list[str]] = {}
        options = {text: {"agent": parse_text(text)[0], **parse_text(text)[1]} for text in self.schedule.agents}
        names = sorted({name for values_of in options.values() for name in values_of})
        varied = [name for name in names if len({str(one.get(name)) for one in options.values()}) > 1]
        for text, figures in self.figures.items():
            by_deal: dict[int, list[float]] = {}
            for deal, lead in zip(figures.deals, figures.leads, strict=True):
                by_deal.setdefault(deal, []).append(lead)
            for leads in by_deal.values():
                values.append(float(np.mean(leads)))
                for name in varied:
                    factors.setdefault(name, []).append(str(options[text].get(name)))
        return stats.multiway_anova(values, factors, interactions=interactions)

    def deal_scores(self, first: str, second: str) -> list[float]:
        """For each deal that is complete, in order: how the first did against the second, from 0 to 1.

        What is dealt again does not count: a sequential test may have used that deal already.
        """
        complete: dict[int, list[float]] = {}
        for result, game in zip(self.results, self.games, strict=True):
            pairs = [
                1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                for agent, mine in game
                if agent == first
                for other, theirs in game
                if other == second
            ]
            if pairs and self.schedule.first_alike(result.deal) == result.deal:
                complete.setdefault(result.deal, []).append(float(np.mean(pairs)))
        return [float(np.mean(complete[deal])) for deal in self.complete_deals() if deal in complete]

    def complete_deals(self) -> list[int]:
        """The deals whose seatings have all been played, from the first one without a gap."""
        counts: dict[int, int] = {}
        for result in self.results:
            counts[result.deal] = counts.get(result.deal, 0) + 1
        found = []
        for deal in range(self.schedule.deals):
            if counts.get(deal) != len(self.schedule.lineups):
                break
            found.append(deal)
        return found


def results_of(run: "Run", seats: int) -> list[GameResult]:
    """The results of a stored run, with the reasons of forfeits."""
    results, reasons = list(run.results()), run.reasons()
    if any(len(one.scores) != seats for one in results):
        raise StoreError(f"expected a score for each of {seats} seats in every game of the run, got others: it is damaged")
    return [one._replace(reason=reasons.get((one.deal, one.seating))) for one in results]


def first_deals(results: Sequence[GameResult], deals: int) -> list[GameResult]:
    """The results of the first n deals."""
    return [result for result in results if result.deal < deals]
