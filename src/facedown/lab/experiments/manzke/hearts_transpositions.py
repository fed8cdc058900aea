"""Whether transpositions pay in Hearts at equal iterations: Manzke 2025, section 6.2.2, tables 6.1 and 6.2, all rows.

At full scale, as there: 52 cards and no passing, c = 0.9, a fixed set of 1,000 worlds, the reward of eq. 4.1, a round ends
once all points are taken, and 4,000 rounds for each number of ISMCTS-T players. The iterations are not printed: 8,000, as
in section 6.2.1. Departures:

1. Each deal is played in all seatings, not only with the hands rotated; with one player against three that is the same.
2. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
3. Intervals are over deals. The paper counts rounds, four of which share their hands.
4. Shares of points are ours: the paper says that it collected them, and prints none.

Moons are printed as numbers, of 4,000 rounds; the intervals of these shares follow from that.
"""

from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.claims import Claim, equal, larger, smaller
from facedown.lab.experiments.manzke.hearts_places import SEATS, Kind, Places, moons_printed
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table, bars, forest
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.stats import Estimate

GAME = "hearts:passing=hold,early_end=true"  # a round ends once all points are taken (section 4.2)
OPTIONS = "exploration=0.9,worlds=1000"
ROUNDS = 4000
ONE, TWO, THREE = "one ISMCTS-T", "two ISMCTS-T", "three ISMCTS-T"  # at the table, among ISMCTS
GRAPH, TREE = "ISMCTS-T", "ISMCTS"

MARGIN, MOON_MARGIN = 1.5, 0.015  # within which a figure counts as the published one

QUICK_ITERATIONS, QUICK_DEALS = 50, 4
FULL_ITERATIONS = 8000

# The mean reward and the moons of each place at the table; the only player of its kind has the first place of table 6.1 and
# the last one of table 6.2.
PLACES = {
    ONE: ((GRAPH, 1.27, 0.92, 105), (TREE, 0.15, 0.94, 78), (TREE, -0.47, 0.96, 103), (TREE, -0.95, 0.93, 103)),
    THREE: ((GRAPH, 0.47, 0.92, 89), (GRAPH, 0.82, 0.93, 91), (GRAPH, 0.03, 0.94, 89), (TREE, -1.32, 0.96, 88)),
}
ALONE = {ONE: 1, THREE: SEATS}
KINDS = {GRAPH: (0.88, 0.66, 216), TREE: (-0.88, 0.68, 200)}  # of two against two; moons of both together
MOONS = "moons"


def label(table: str, kind: str, place: int | None = None) -> str:
    """The label of a player's figures."""
    return f"{table}: {kind}" + (f", place {place}" if place else "")


def published() -> dict[str, Published]:
    """The published figures by their labels."""
    found = {label(TWO, kind): figures for kind, figures in KINDS.items()}
    for table, places in PLACES.items():
        found |= {
            label(table, kind, place): (reward, half, moons) for place, (kind, reward, half, moons) in enumerate(places, 1)
        }
    rewards = {name: Published(reward, half, ROUNDS) for name, (reward, half, _) in found.items()}
    return rewards | {f"{name}: {MOONS}": moons_printed(moons, ROUNDS) for name, (*_, moons) in found.items()}


PUBLISHED = published()


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
    rewards, moons, points = figures_of(results)
    tests = []
    for name, result in results.items():
        compared = result.comparisons[0]
        tests.append(Significance(f"{name}: lead of {compared.first} over {compared.second}, paired", compared.difference))
    notes = ["Rewards are those of eq. 4.1; intervals are 95 %, over deals."]
    by_place = bars(across="place")
    tables = [
        Table("Average reward", rows(rewards), forest("points")),
        Table("Share of rounds with a moon; two against two: of both players of a kind together", rows(moons), by_place),
        Table("Share of the points taken; two against two: by both players of a kind together", rows(points), by_place),
    ]
    return Findings(tables, tests, notes, claims_of(rewards, moons))


Figures = dict[str, Estimate]


def figures_of(results: dict[str, TournamentResult]) -> tuple[Figures, Figures, Figures]:
    """Rewards, moons and shares of points of every player: by place, or by kind where there are two of each."""
    rewards, moons, points = {}, {}, {}
    for name, result in results.items():
        if name == TWO:
            for number, kind in enumerate(KINDS):
                own = label(name, kind)
                rewards[own] = result.standing(number).lead  # the reward of eq. 4.1
                moons[f"{own}: {MOONS}"] = Kind(result, number).moons()
                points[f"{own}: points"] = Kind(result, number).share()
            continue
        places = Places(result)
        for place, (kind, *_) in enumerate(PLACES[name], 1):
            own, away = label(name, kind, place), (place - ALONE[name]) % SEATS
            rewards[own] = places.reward(away)
            moons[f"{own}: {MOONS}"] = places.moons(away)
            points[f"{own}: points"] = places.share(away)
    return rewards, moons, points


def claims_of(rewards: Figures, moons: Figures) -> list[Claim]:
    """That transpositions pay, at each table, and by how much."""
    claims = []
    for own in (label(ONE, GRAPH, 1), label(TWO, GRAPH), label(TWO, TREE), label(THREE, TREE, SEATS)):
        ours, published = rewards[own], PUBLISHED[own]
        if own != label(TWO, TREE):  # its reward is that of the other two with the sign turned
            text = f"{own} {'leads' if published.value > 0 else 'is behind'} at equal iterations"
            claims.append((larger if published.value > 0 else smaller)(text, str(published), ours))
            claims.append(equal(f"{own}: reward", published, ours, MARGIN))
        shot = f"{own}: {MOONS}"
        claims.append(equal(shot, PUBLISHED[shot], moons[shot], MOON_MARGIN))
    return claims


def rows(figures: Figures) -> list[Row]:
    """Our figures beside the published ones."""
    return [Row(name, PUBLISHED.get(name), ours) for name, ours in figures.items()]


EXPERIMENT = Experiment(
    "hearts-transpositions",
    "Hearts: ISMCTS-T against ISMCTS at equal iterations",
    "Manzke 2025, section 6.2.2, tables 6.1 and 6.2",
    PUBLISHED,
    measure,
)
