"""The result of a tuning: its trials or matches, and the best agent measured on fresh deals."""

from dataclasses import asdict, dataclass, field
from typing import Any

from facedown.options import Value
from facedown.stats import Estimate


@dataclass(frozen=True)
class Trial:
    """A candidate and its result on the deals that all candidates play."""

    number: int  # from 1
    agent: str
    values: dict[str, Value]
    objective: Estimate
    forfeits: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The trial as plain data."""
        return {**asdict(self), "objective": self.objective.to_dict()}


@dataclass(frozen=True)
class Pairing:
    """A match of a knock-out; without an opponent the first advances."""

    first: str
    second: str | None
    winner: str
    wins: Estimate | None  # of the winner

    def to_dict(self) -> dict[str, Any]:
        """The match as plain data."""
        return {**asdict(self), "wins": self.wins.to_dict() if self.wins else None}


@dataclass(frozen=True)
class Fresh:
    """The best candidate against the agent as it was, on deals that were not used for tuning."""

    deals: int
    seed: int
    lead: Estimate
    wins: Estimate
    par: float

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {**asdict(self), "lead": self.lead.to_dict(), "wins": self.wins.to_dict()}


@dataclass(frozen=True)
class TuningResult:
    """The result of a tuning."""

    game: str
    agent: str  # as it was
    over: str
    against: list[str]
    method: str
    objective: str
    deals: int  # of a trial or a match
    seed: int
    best: str  # the agent with the best settings
    fresh: Fresh | None  # None where the best is the agent as it was
    trials: list[Trial] = field(default_factory=list)  # in their order, no candidate twice
    bracket: list[list[Pairing]] = field(default_factory=list)  # round by round

    @property
    def best_trials(self) -> list[Trial]:
        """The candidates, the best first."""
        return sorted(self.trials, key=lambda one: (-one.objective.value, one.number))

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, the same however often it was stopped."""
        return {
            **asdict(self),
            "fresh": self.fresh.to_dict() if self.fresh else None,
            "trials": [trial.to_dict() for trial in self.trials],
            "bracket": [[pairing.to_dict() for pairing in matches] for matches in self.bracket],
        }
