"""Whether transpositions pay in Hearts at equal iterations: Manzke 2025, section 6.2.2, tables 6.1 and 6.2.

As there: 52 cards and no passing, c = 0.9, a fixed set of 1,000 worlds, 8,000 iterations, the reward of eq. 4.1, and 4,000
rounds for each number of ISMCTS-T players. Departures:

1. Each deal is played in all seatings, not only with the hands rotated; with one player against three that is the same.
2. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
3. Intervals are over deals. The paper counts rounds, four of which share their hands.
"""

from collections.abc import Iterable

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.claims import Claim, equal, larger, smaller
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.stats import Estimate
from facedown.store import GameResult

GAME = "hearts:passing=hold,early_end=true"  # a round ends once all points are taken (section 4.2)
OPTIONS = "exploration=0.9,worlds=1000"
ROUNDS = 4000
ALL_POINTS = 26
ONE, TWO, THREE = "one ISMCTS-T", "two ISMCTS-T", "three ISMCTS-T"  # at the table, among ISMCTS
GRAPH, TREE = "ISMCTS-T", "ISMCTS"

MARGIN, MOON_MARGIN = 1.5, 0.015  # within which a figure counts as the published one

QUICK_ITERATIONS, QUICK_DEALS = 50, 4
FULL_ITERATIONS = 8000

PUBLISHED = {
    f"{ONE}: {GRAPH}": Published(1.27, 0.92, ROUNDS),
    f"{TWO}: {GRAPH}": Published(0.88, 0.66, ROUNDS),
    f"{TWO}: {TREE}": Published(-0.88, 0.68, ROUNDS),
    f"{THREE}: {TREE}": Published(-1.32, 0.96, ROUNDS),
    f"{ONE}: moons of {GRAPH}": Published(105 / ROUNDS, count=ROUNDS, rate=True),
    f"{THREE}: moons of {TREE}": Published(88 / ROUNDS, count=ROUNDS, rate=True),
}


def contests(lab: Lab) -> dict[str, Contest]:
    """The three tables, each deal in all seatings: 4, 6 and 4 of them."""
    iterations = FULL_ITERATIONS if lab.full else QUICK_ITERATIONS
    graph, tree = (f"{name}:iterations={iterations},{OPTIONS}" for name in ("ismcts-t", "ismcts"))

    def deals(seatings: int) -> int:
        return -(-ROUNDS // seatings) if lab.full else QUICK_DEALS

    return {
        ONE: Contest(GAME, (graph, tree), deals(4), pairing="field"),
        TWO: Contest(GAME, (graph, tree), deals(6)),
        THREE: Contest(GAME, (tree, graph), deals(4), pairing="field"),
    }


def measure(lab: Lab) -> Findings:
    """Play the three tables."""
    results = lab.play(contests(lab))
    leads = {
        f"{ONE}: {GRAPH}": lead_of(0, results[ONE]),
        f"{TWO}: {GRAPH}": lead_of(0, results[TWO]),
        f"{TWO}: {TREE}": lead_of(1, results[TWO]),
        f"{THREE}: {TREE}": lead_of(0, results[THREE]),
    }
    moons = {
        f"{ONE}: moons of {GRAPH}": moons_of(0, results[ONE]),
        f"{THREE}: moons of {TREE}": moons_of(0, results[THREE]),
    }
    tests = []
    for name, result in results.items():
        compared = result.comparisons[0]
        tests.append(Significance(f"{name}: lead of {compared.first} over {compared.second}, paired", compared.difference))
    notes = ["Rewards are those of eq. 4.1; intervals are 95 %, over deals."]
    if not lab.full:
        notes.append(
            f"Quick: {QUICK_ITERATIONS} iterations in place of {FULL_ITERATIONS}, so the figures are not comparable."
        )
    tables = [Table("Average reward", rows(leads)), Table("Share of rounds with a moon", rows(moons))]
    return Findings(tables, tests, notes, claims_of(leads, moons))


def claims_of(leads: dict[str, Estimate], moons: dict[str, Estimate]) -> list[Claim]:
    """That transpositions pay, at each table, and by how much."""
    claims = []
    for label, ours in leads.items():
        ahead = label.endswith(GRAPH)
        text = f"{label} {'leads' if ahead else 'is behind'} at equal iterations"
        claims.append((larger if ahead else smaller)(text, str(PUBLISHED[label]), ours))
        claims.append(equal(f"{label}: reward", PUBLISHED[label], ours, MARGIN))
    return claims + [equal(label, PUBLISHED[label], ours, MOON_MARGIN) for label, ours in moons.items()]


def rows(figures: dict[str, Estimate]) -> list[Row]:
    """Our figures beside the published ones."""
    return [Row(label, PUBLISHED[label], ours) for label, ours in figures.items()]


def lead_of(number: int, result: TournamentResult) -> Estimate:
    """The mean reward of an agent: eq. 4.1 is the lead."""
    text = result.schedule.agents[number]
    return next(one.lead for one in result.standings if one.agent == text)


def moons_of(number: int, result: TournamentResult) -> Estimate:
    """The share of rounds in which the only player of its kind shot the moon."""
    results = result.ledger.results
    shot = moons(results, [lineup.index(number) for lineup in result.schedule.lineups])
    return stats.win_rate_by_deal(shot, [result.deal for result in results])


def moons(results: Iterable[GameResult], seats: list[int]) -> list[float]:
    """For each round whether its player shot the moon; `seats` are those of the player, by seating."""
    return [float(sum(result.scores) == 3 * ALL_POINTS and result.scores[seats[result.seating]] == 0) for result in results]


EXPERIMENT = Experiment(
    "hearts-transpositions",
    "Hearts: ISMCTS-T against ISMCTS at equal iterations",
    "Manzke 2025, section 6.2.2, tables 6.1 and 6.2",
    PUBLISHED,
    measure,
)
