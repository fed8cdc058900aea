"""Readings of Fernandes 2016: what stands before the constant of UCB1, and what a tree votes for.

Equation 2.1 adds c √(ln n / nⱼ), algorithms 2 and 3 add c √(2 ln n / nⱼ): by them each printed constant is √2 times as
large here. Beside both algorithms c is a factor of a constant of 1/√2. Then a printed constant of 0.7 is c = 1, and by this
definition each is 2 times as large here. Constants are rounded to two digits. All three play, in Sueca and Bisca, section
6.3, figure 6.4 and what figures 6.5 and 6.6 say of the constant 0.25 against 0.7. The claims are those of `tricks-bounds`,
`tricks-rewards` and `tricks-exploration`, by each reading. In the last table the constants of the baseline meet, and votes
by means and by visits. How they are played is told under what the experiments of this study share.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt

from facedown.lab.experiments.claims import CONFIRMED, REFUTED, Claim, reading
from facedown.lab.experiments.fernandes.three_games import (
    EXPLORATION,
    ITERATIONS,
    SOURCE,
    UNITS,
    Duels,
    baseline,
    options,
    row_label,
)
from facedown.lab.experiments.fernandes.tricks_figures import (
    BOUNDS,
    CHEATING,
    CONSTANTS,
    EXPLORED_ITERATIONS,
    LITTLE,
    RANDOM,
    USUAL,
    as_good,
    as_often,
    explored,
    little_is_best,
    of_sides,
    rewarded,
)
from facedown.lab.experiments.result import BARS, Row, Table, bars
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate

EQUATION = "by the equation"  # as all other experiments have it
READINGS = {EQUATION: 1.0, "by the algorithms": sqrt(2), "by the definition": 2.0}  # what a constant is multiplied by
VISITS = "votes by visits"
TREES, TREE_ITERATIONS = 25, 500
OF_SIDES = ("Sueca", "Bisca")
PUBLISHED = {
    row_label(label, f"{reading}: wins"): figure
    for label, figure in BOUNDS.items()
    if label.startswith(OF_SIDES)
    for reading in READINGS
}


def constant(printed: float, reading: str) -> float:
    """A printed constant on our scale."""
    return round(READINGS[reading] * printed, 2)


class Reading:
    """The figures of the paper by one reading of its constants, played."""

    def __init__(self, lab: Lab, name: str) -> None:
        own = {game: constant(EXPLORATION[game], name) for game in OF_SIDES}
        baselines = {game: baseline(lab, game, exploration=own[game]) for game in OF_SIDES}
        bounds = {(game, RANDOM): "random" for game in OF_SIDES}
        bounds |= {(game, CHEATING): f"uct:{options(lab, game, exploration=own[game], final='mean')}" for game in OF_SIDES}
        self.bounds = Duels(lab, bounds, baselines, name)

        def player(game: str, reward: str, printed: float, iterations: int = ITERATIONS) -> str:
            return rewarded(lab, game, reward, constant(printed, name), iterations)

        rewards = {
            (game, reward): player(game, reward, CONSTANTS[reward][game]) for game in OF_SIDES for reward in CONSTANTS
        }
        self.rewards = Duels(lab, rewards, baselines, name)
        self.little = {}
        for reward in CONSTANTS:
            little = {
                (game, explored(reward, LITTLE)): player(game, reward, LITTLE, EXPLORED_ITERATIONS) for game in OF_SIDES
            }
            usual = {game: player(game, reward, USUAL, EXPLORED_ITERATIONS) for game in OF_SIDES}
            self.little[reward] = Duels(lab, little, usual, name)

    def claims(self) -> list[Claim]:
        """The claims of the paper on these figures."""
        found = [*as_often(self.bounds), *of_sides(self.rewards)]
        for reward, duels in self.little.items():
            found += [*as_good(duels, [f"Sueca: {explored(reward, LITTLE)}"]), *little_is_best(duels, reward)]
        return found

    def leads(self) -> dict[str, Estimate]:
        """How much more often variations have won than their baselines."""
        return {label: duels.ahead(label) for duels in (self.rewards, *self.little.values()) for label in duels.results}


def measure(lab: Lab) -> Findings:
    """The paper's figures by each reading, and readings against each other."""
    readings = {name: Reading(lab, name) for name in READINGS}
    constants = Duels(
        lab,
        {
            (game, name): baseline(lab, game, exploration=constant(EXPLORATION[game], name))
            for game in OF_SIDES
            for name in READINGS
            if name != EQUATION
        },
        {game: baseline(lab, game) for game in OF_SIDES},
    )

    def forest(game: str, vote: str) -> str:
        return f"pimc:worlds={TREES if lab.full else 3},{options(lab, game, TREE_ITERATIONS, vote=vote)}"

    votes = Duels(
        lab, {(game, VISITS): forest(game, "visits") for game in OF_SIDES}, {game: forest(game, "mean") for game in OF_SIDES}
    )
    wins = {name: {label: one.bounds.wins(label) for label in one.bounds.results} for name, one in readings.items()}
    leads = {name: one.leads() for name, one in readings.items()}
    against = [
        Row(f"{label}: wins ahead", None, duels.ahead(label)) for duels in (constants, votes) for label in duels.results
    ]
    unit = bars(UNITS["wins ahead"])
    tables = [
        Table("Section 6.3: wins, counted as in the paper", beside(wins, "wins"), BARS),
        Table("Figures 6.4 to 6.6: wins more than the baseline, in percentage points", beside(leads, "wins ahead"), unit),
        Table("Each reading against ours: wins more, in percentage points", against, unit),
    ]
    judged = {name: one.claims() for name, one in readings.items()}
    claims = [reading(replace(claim, text=f"{name}: {claim.text}")) for name, some in judged.items() for claim in some]
    return Findings(tables, notes=came_out(judged) if lab.full else [], claims=claims)


def beside(figures: Mapping[str, Mapping[str, Estimate]], kind: str) -> list[Row]:
    """Figures by each reading beside each other."""
    labels = [
        (row_label(label, f"{name}: {kind}"), label, name) for label in next(iter(figures.values())) for name in figures
    ]
    return [Row(shown, PUBLISHED.get(shown), figures[name][label]) for shown, label, name in labels]


def came_out(judged: Mapping[str, Sequence[Claim]]) -> list[str]:
    """Which readings give the published figures."""
    best = [name for name, claims in judged.items() if all(one.verdict == CONFIRMED for one in claims)]
    wrong = [name for name, claims in judged.items() if any(one.verdict == REFUTED for one in claims)]
    left = [name for name in judged if name not in (*best, *wrong)]
    last = f"Readings that give all of these published figures: {listed(best)}; that do not: {listed(wrong)}"
    return [f"{last}; not decided: {listed(left)}."]


def listed(texts: Sequence[str]) -> str:
    """Texts in a sentence."""
    return "; ".join(texts) or "none"


EXPERIMENT = Experiment(
    "tricks-readings",
    "Sueca, Bisca, Hearts: readings of UCB1 and of votes",
    f"{SOURCE}, equation 2.1, algorithms 2 and 3, sections 6.3 and 6.4",
    PUBLISHED,
    measure,
)
