"""How strong agents are, from games between two or more sides: Elo with intervals over deals, and OpenSkill.

A game of several sides is split into its pairs. In the Plackett-Luce model of a ranking any two sides meet as they do in the
Bradley-Terry model, so both models have the same ratings. Pairs also allow ties, as half wins, and one agent in several
seats; both are common in card games, and rankings allow neither. The pairs of a game are not independent, and neither are
the games of a deal; the intervals account for both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, isfinite, log, log10, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from facedown.errors import BadData, UnknownName, require_extra
from facedown.stats.estimate import Estimate, Labels, Numbers, numbered, same_length
from facedown.stats.means import student_estimate

ELO = 400 / log(10)  # Elo in one unit of log odds
MOST_STEPS = 200  # of the fit; ten are enough unless agents are thousands of Elo apart
NO_STEP = 1e-9  # in log odds

Sides: TypeAlias = Sequence[tuple[str, float]]  # of a game: each side's agent and score, more is better


def expected_score(elo: float) -> float:
    """The mean score, from 0 to 1, of a side that is stronger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The Elo difference at which a mean score between 0 and 1 is expected."""
    if not 0 < score < 1:
        raise BadData(f"expected a score between 0 and 1, got {score}")
    return 400 * log10(score / (1 - score))


# --- Elo --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ratings:
    """Elo of each agent, strongest first; zero is the anchor, or the mean of `compared`.

    An agent above all of these that lost to none of them, not even through others, has no upper bound, and one that never
    won has no lower bound. Its value then depends on the prior.
    """

    elo: dict[str, Estimate]
    compared: list[str]  # the anchor, or the largest group in which chains of wins lead from each agent to each other
    _fit: "_Fit" = field(repr=False, compare=False)

    def difference(self, ours: str, theirs: str) -> Estimate:
        """How much stronger one agent is than another, with its p."""
        if ours == theirs:
            raise BadData(f"expected two agents, got {ours!r} twice")
        return self._fit.estimate(self._fit.place(ours), [self._fit.place(theirs)], compared=True)


def elo_ratings(games: Sequence[Sides], deals: Labels | None = None, anchor: str | None = None) -> Ratings:
    """Bradley-Terry ratings in Elo from the pairs of sides of each game; a tie is half a win.

    The prior: each pair that met also shared one more deal, half of it won by either. It is worth one deal among all that
    were played, and keeps ratings finite where one agent always won.
    """
    fit = _Fit.of(games, range(len(games)) if deals is None else deals)
    group = [fit.place(anchor)] if anchor is not None else fit.largest_group()
    order = np.argsort(-fit.strengths, kind="stable")
    return Ratings(
        {fit.agents[place]: fit.estimate(int(place), group) for place in order},
        [fit.agents[place] for place in group],
        fit,
    )


@dataclass(frozen=True)
class _Fit:
    """Log strengths that fit the pairs best, and all that intervals need."""

    agents: list[str]
    deals: int
    strengths: Numbers  # [agent]
    covariance: Numbers  # [agent, agent]
    reaches: NDArray[np.bool_]  # [a, b]: a chain of wins or ties leads from a to b

    @classmethod
    def of(cls, games: Sequence[Sides], deals: Labels) -> "_Fit":
        pairs = _Pairs.of(games, deals)
        wins = np.zeros((len(pairs.agents),) * 2)
        np.add.at(wins, (pairs.first, pairs.second), pairs.score)
        np.add.at(wins, (pairs.second, pairs.first), 1 - pairs.score)
        met = wins + wins.T
        strangers = np.flatnonzero(~_chains(met > 0)[0])
        if strangers.size:
            apart = f"{pairs.agents[0]!r} and {pairs.agents[strangers[0]]!r}"
            raise BadData(f"expected games that connect all agents, got none between {apart}, not even through others")
        prior = _one_deal_each(pairs, met)
        strengths = _most_likely(wins + prior / 2)
        return cls(pairs.agents, pairs.deals, strengths, _covariance(pairs, met, prior, strengths), _chains(wins > 0))

    def place(self, agent: str) -> int:
        """An agent's place in the arrays."""
        if agent not in self.agents:
            raise UnknownName("agent", agent, self.agents)
        return self.agents.index(agent)

    def largest_group(self) -> list[int]:
        """The agents of the largest group with chains of wins both ways; of equals, the one that appears first."""
        groups = self.reaches & self.reaches.T
        return [int(place) for place in np.flatnonzero(groups[np.argmax(groups.sum(axis=1))])]

    def estimate(self, agent: int, group: list[int], compared: bool = False) -> Estimate:
        """The Elo of an agent above the mean of a group."""
        weights = np.zeros(len(self.agents))
        weights[group] -= 1 / len(group)
        weights[agent] += 1
        value, variance = ELO * float(weights @ self.strengths), ELO**2 * float(weights @ self.covariance @ weights)
        bounded = student_estimate(value, sqrt(max(0.0, variance)), self.deals, "deals", compared)
        return replace(
            bounded,
            low=bounded.low if self.reaches[agent, group].any() else -inf,
            high=bounded.high if self.reaches[group, agent].any() else inf,
        )


@dataclass(frozen=True)
class _Pairs:
    """Every two sides of every game."""

    agents: list[str]
    deals: int
    deal: NDArray[np.intp]  # [pair]
    first: NDArray[np.intp]  # [pair], an agent
    second: NDArray[np.intp]  # [pair], the other one
    score: Numbers  # [pair], of the first agent: 1, or 1/2 for a tie, or 0

    @classmethod
    def of(cls, games: Sequence[Sides], deals: Labels) -> "_Pairs":
        if not len(games):
            raise BadData("expected at least one game, got none")
        same_length("deals, one for each game", len(games), len(deals))
        agents: dict[str, int] = {}
        rows = []
        for deal, result in zip(numbered(deals)[1], games, strict=True):
            sides = [(agents.setdefault(agent, len(agents)), score) for agent, score in checked(result)]
            for (first, ours), (second, theirs) in combinations(sides, 2):
                if first != second:
                    rows.append((deal, first, second, (ours > theirs) + (ours == theirs) / 2))
        if not rows:
            raise BadData(f"expected games between at least two agents, got only {next(iter(agents))!r}")
        columns = np.array(rows).T
        deal_of, first_of, second_of = columns[:3].astype(np.intp)
        return cls(list(agents), len(np.unique(deal_of)), deal_of, first_of, second_of, columns[3])


def checked(result: Sides) -> Sides:
    """A game's result, if it has at least two sides and finite scores."""
    if len(result) < 2:
        raise BadData(f"expected at least two sides in a game, got {len(result)}")
    if not all(isfinite(score) for _, score in result):
        raise BadData(f"expected finite scores, got {dict(result)}")
    return result


def _one_deal_each(pairs: _Pairs, met: Numbers) -> Numbers:
    """For each two agents their games on an average deal of those on which they met: the weight of the prior."""
    low, high = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    _, ones, others = np.unique([pairs.deal, low, high], axis=1)
    shared = np.zeros_like(met)
    np.add.at(shared, (ones, others), 1)
    shared += shared.T
    return np.divide(met, shared, out=np.zeros_like(met), where=shared > 0)


def _most_likely(wins: Numbers) -> Numbers:
    """The log strengths, zero on average, under which wins[a, b] of a against b are most likely.

    Newton's method, with no two agents moved apart by more than 1 in a step: then every step makes the wins likelier.
    """
    met = wins + wins.T
    strengths = np.zeros(len(wins))
    for _ in range(MOST_STEPS):
        chances = _chances(strengths)
        step = _inverse(_information(met, chances)) @ (wins - met * chances).sum(axis=1)
        strengths += step / max(1.0, np.ptp(step))
        if np.ptp(step) < NO_STEP:
            break
    return strengths


def _chances(strengths: Numbers) -> Numbers:
    """The probability that each agent beats each other."""
    from scipy.special import expit

    return np.asarray(expit(strengths[:, None] - strengths))


def _information(met: Numbers, chances: Numbers) -> Numbers:
    """The negated second derivatives of the log likelihood."""
    weights = met * chances * (1 - chances)
    return np.diag(weights.sum(axis=1)) - weights


def _inverse(information: Numbers) -> Numbers:
    """An inverse for differences of strengths; their sum, on which nothing depends, stays fixed."""
    return np.linalg.inv(information + information.trace() / len(information) ** 2)


def _covariance(pairs: _Pairs, met: Numbers, prior: Numbers, strengths: Numbers) -> Numbers:
    """The sandwich estimator: how much the fit would vary with other deals like these.

    The two halves of the prior count as two more deals. Without them an agent that always won would have no uncertainty.
    """
    chances = _chances(strengths)
    surprise = pairs.score - chances[pairs.first, pairs.second]
    pulls = np.zeros((int(pairs.deal.max()) + 1, len(strengths)))  # of each deal on each agent's rating
    np.add.at(pulls, (pairs.deal, pairs.first), surprise)
    np.add.at(pulls, (pairs.deal, pairs.second), -surprise)
    of_prior = (prior / 2) ** 2 * (chances**2 + (1 - chances) ** 2)
    meat = pairs.deals / max(1, pairs.deals - 1) * pulls.T @ pulls + np.diag(of_prior.sum(axis=1)) - of_prior
    bread = _inverse(_information(met + prior, chances))
    return bread @ meat @ bread


def _chains(leads: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which agents a chain of such steps leads to, from each agent; every agent is its own chain."""
    chains = leads | np.eye(len(leads), dtype=bool)
    for middle in range(len(leads)):
        chains |= chains[:, middle, None] & chains[middle]
    return chains


# --- OpenSkill --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Skill:
    """OpenSkill's belief about an agent: a normal distribution. Its sigma assumes that all games are independent."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A skill that the agent has almost surely, mu - 3 sigma; what to sort by."""
        return self.mu - 3 * self.sigma

    def to_dict(self) -> dict[str, float]:
        """The skill as plain data."""
        return {"mu": self.mu, "sigma": self.sigma, "ordinal": self.ordinal}

    def __str__(self) -> str:
        return f"{self.mu:.1f} (sigma {self.sigma:.1f})"


def openskill_ratings(games: Sequence[Sides]) -> dict[str, Skill]:
    """Ratings by OpenSkill's Plackett-Luce model, best first; games count in the order given, late ones more.

    An agent in several seats of a game gets the mean of what each seat brings it.
    """
    require_extra("openskill", "OpenSkill", "stats")
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    beliefs: dict[str, Any] = {}
    for result in games:
        seats = [[beliefs.get(agent) or model.rating()] for agent, _ in checked(result)]
        rated = model.rate(seats, scores=[score for _, score in result])
        for agent in dict(result):
            own = [belief for (name, _), (belief,) in zip(result, rated, strict=True) if name == agent]
            mu, sigma = (sum(values) / len(own) for values in ([one.mu for one in own], [one.sigma for one in own]))
            beliefs[agent] = model.rating(mu=mu, sigma=sigma)
    skills = {agent: Skill(belief.mu, belief.sigma) for agent, belief in beliefs.items()}
    return dict(sorted(skills.items(), key=lambda item: -item[1].ordinal))
