"""What the games of a tournament say about the agents: scores, leads, wins and ratings, each with its interval over deals.

A lead is how far a side's score is ahead of all the others' together (Manzke 2025, eq. 4.1). A win is the best score of a
game; those who tie for it share it. `par` is the share of wins that an agent as good as the others would have.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

from facedown import stats
from facedown.arena.schedule import Schedule
from facedown.errors import StoreError
from facedown.options import parse_text
from facedown.stats import AnovaTable, Estimate

UNKNOWN = "no reason is known"


@dataclass(frozen=True)
class Outcome:
    """What statistics need of a game."""

    deal: int
    seating: int
    scores: tuple[float, ...]  # by seat
    forfeit: int | None = None  # seat
    reason: str | None = None  # of the forfeit


@dataclass(frozen=True)
class Standing:
    """How one agent did."""

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
    """Two agents, game by game where both played: how much larger the first one's lead was."""

    first: str
    second: str
    difference: Estimate
    p_adjusted: float | None  # by Holm's method, for all comparisons of the tournament together

    def after_stopping(self) -> "Comparison":
        """The same, of games that a sequential test has stopped."""
        return replace(self, difference=self.difference.after_stopping())

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {**asdict(self), "difference": self.difference.to_dict()}


@dataclass
class Sheet:
    """One agent's figures, game by game."""

    deals: list[int] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    leads: list[float] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)  # of the sides of the game
    forfeits: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


class Ledger:
    """The outcomes of a schedule, agent by agent."""

    def __init__(self, schedule: Schedule, outcomes: Iterable[Outcome]) -> None:
        self.schedule = schedule
        self.outcomes = sorted(outcomes, key=lambda one: (one.deal, one.seating))
        self.sheets = {text: Sheet() for text in schedule.agents}
        self.meetings: dict[tuple[int, int], list[tuple[int, float]]] = {}  # of two agents: (deal, difference of leads)
        self.games: list[list[tuple[str, float]]] = []  # as the ratings want them
        seats = schedule.game.sides
        self.first_seats = [seats.index(side) for side in sorted(set(seats))]  # one seat speaks for its side
        for outcome in self.outcomes:
            self._enter(outcome)

    def _enter(self, outcome: Outcome) -> None:
        # Plain numbers: arrays of four take longer than they save.
        sign = -1.0 if self.schedule.game.lower_is_better else 1.0
        lineup = self.schedule.lineups[outcome.seating]
        numbers = [lineup[seat] for seat in self.first_seats]
        points = [sign * outcome.scores[seat] for seat in self.first_seats]
        total, best = sum(points), max(points)
        win = 1.0 / points.count(best)
        self.games.append([(self.schedule.agents[number], score) for number, score in zip(numbers, points, strict=True)])
        means = {}
        for number in dict.fromkeys(numbers):
            own = [score for score, other in zip(points, numbers, strict=True) if other == number]
            mean = sum(own) / len(own)
            means[number] = len(points) * mean - total
            sheet = self.sheets[self.schedule.agents[number]]
            sheet.deals.append(outcome.deal)
            sheet.scores.append(sign * mean)
            sheet.leads.append(means[number])
            sheet.wins.append(win * own.count(best))
            sheet.shares.append(len(own) / len(points))
            if outcome.forfeit is not None and lineup[outcome.forfeit] == number:
                sheet.forfeits += 1
                sheet.reasons[outcome.reason or UNKNOWN] += 1
        for one, other in combinations(sorted(means), 2):
            self.meetings.setdefault((one, other), []).append((outcome.deal, means[one] - means[other]))

    def standings(self, skills: bool = True) -> list[Standing]:
        """All agents that have played, the best lead first; OpenSkill's ratings take longest, and need its package."""
        deals = [outcome.deal for outcome in self.outcomes]
        elo = stats.elo_ratings(self.games, deals).elo if self.games else {}
        skill_of = stats.openskill_ratings(self.games) if skills and self.games and find_spec("openskill") else {}
        found = []
        for text, sheet in self.sheets.items():
            if sheet.deals:
                found.append(
                    Standing(
                        text,
                        len(sheet.deals),
                        stats.mean_by_deal(sheet.scores, sheet.deals),
                        stats.mean_by_deal(sheet.leads, sheet.deals),
                        stats.win_rate_by_deal(sheet.wins, sheet.deals),
                        float(np.mean(sheet.shares)),
                        sheet.forfeits,
                        elo.get(text),
                        [skill_of[text].mu, skill_of[text].sigma] if text in skill_of else None,
                        dict(sheet.reasons.most_common()),
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
        """How much of the leads each option of the agents explains, over deals; the agents' texts say which they have."""
        values: list[float] = []
        factors: dict[str, list[str]] = {}
        options = {text: {"agent": parse_text(text)[0], **parse_text(text)[1]} for text in self.schedule.agents}
        names = sorted({name for values_of in options.values() for name in values_of})
        varied = [name for name in names if len({str(one.get(name)) for one in options.values()}) > 1]
        for text, sheet in self.sheets.items():
            by_deal: dict[int, list[float]] = {}
            for deal, lead in zip(sheet.deals, sheet.leads, strict=True):
                by_deal.setdefault(deal, []).append(lead)
            for leads in by_deal.values():
                values.append(float(np.mean(leads)))
                for name in varied:
                    factors.setdefault(name, []).append(str(options[text].get(name)))
        return stats.multiway_anova(values, factors, interactions=interactions)

    def deal_scores(self, first: str, second: str) -> list[float]:
        """For each deal that is complete, in order: how the first did against the second, from 0 to 1."""
        complete: dict[int, list[float]] = {}
        for outcome, game in zip(self.outcomes, self.games, strict=True):
            pairs = [
                1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                for agent, mine in game
                if agent == first
                for other, theirs in game
                if other == second
            ]
            if pairs:
                complete.setdefault(outcome.deal, []).append(float(np.mean(pairs)))
        return [float(np.mean(complete[deal])) for deal in self.complete_deals() if deal in complete]

    def complete_deals(self) -> list[int]:
        """The deals of which every seating has been played, from the first on without a gap."""
        counts: dict[int, int] = {}
        for outcome in self.outcomes:
            counts[outcome.deal] = counts.get(outcome.deal, 0) + 1
        found = []
        for deal in range(self.schedule.deals):
            if counts.get(deal) != len(self.schedule.lineups):
                break
            found.append(deal)
        return found


def outcomes_of(rows: Iterable[Any], reasons: Mapping[tuple[int, int], str], seats: int) -> list[Outcome]:
    """Outcomes out of a store's rows, which have the same names, with the reasons of forfeits by deal and seating."""
    rows = list(rows)
    if any(len(row.scores) != seats for row in rows):
        raise StoreError(f"expected a score for each of {seats} seats in every game of the run, got others: it is damaged")
    return [
        Outcome(row.deal, row.seating, tuple(row.scores), row.forfeit, reasons.get((row.deal, row.seating))) for row in rows
    ]


def first_deals(outcomes: Sequence[Outcome], deals: int) -> list[Outcome]:
    """The outcomes of the first so many deals."""
    return [outcome for outcome in outcomes if outcome.deal < deals]
