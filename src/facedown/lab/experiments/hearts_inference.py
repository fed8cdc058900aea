"""Whether inference pays in Hearts: Manzke 2025, section 6.3, its accuracy, its strength and its robustness.

As there: 52 cards and no passing, c = 0.9, 1,000 worlds, one player against three of another kind; 10,000 rounds against
ISMCTS-T, and 4,000 against opponents of 50 iterations, for ISMCTS-TI and for ISMCTS-T. Departures:

1. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
2. Intervals are over deals. The paper counts rounds, four of which share their hands.
3. The table is the shipped one, of 9,000 deals by players of fewer iterations than the paper's 16,000.
4. Accuracy is computed from the likelihoods of the sets of features, not from 1,000 worlds. It is that of the ISMCTS-TI
   player's decisions in the first 1,000 rounds. The paper seems to leave out decisions after Q♠: it has 2.6 a round.
"""

from itertools import islice

from facedown import stats
from facedown.inference.spade_honours import HonourInference
from facedown.lab.experiments.claims import Claim, equal, larger
from facedown.lab.experiments.hearts_transpositions import lead_of, moons_of
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.stats import Estimate
from facedown.training.honour_accuracy import Judged, judge_deal

GAME = "hearts:passing=hold"
OPTIONS = "exploration=0.9,worlds=1000"
EQUAL, WEAK, WEAK_WITHOUT = "against ISMCTS-T", "against 50 iterations", "ISMCTS-T against 50 iterations"
BEFORE_QUEEN = "while Q♠ is in the game"
ROUNDS = {EQUAL: 10_000, WEAK: 4000, WEAK_WITHOUT: 4000}
WEAK_ITERATIONS = 50
JUDGED_ROUNDS = 1000

MARGINS = {EQUAL: 1.0, WEAK: 2.0, WEAK_WITHOUT: 2.0}  # within which a reward counts as the published one

QUICK_ITERATIONS, QUICK_DEALS = 100, 3
FULL_ITERATIONS = 8000  # stated for the test of robustness only

PUBLISHED = {
    EQUAL: Published(0.46, 0.60, ROUNDS[EQUAL]),
    WEAK: Published(9.09, 0.75, ROUNDS[WEAK]),
    WEAK_WITHOUT: Published(9.27, 0.77, ROUNDS[WEAK_WITHOUT]),
    "moons of ISMCTS-TI": Published(280 / ROUNDS[EQUAL], count=ROUNDS[EQUAL], rate=True),
    f"{BEFORE_QUEEN}: inferred": Published(0.35, rate=True),
    f"{BEFORE_QUEEN}: uniform": Published(0.19, rate=True),
}


def contests(lab: Lab) -> dict[str, Contest]:
    """One player against three others, each deal in all four seatings."""
    iterations = FULL_ITERATIONS if lab.full else QUICK_ITERATIONS
    inferring, plain = (f"{name}:iterations={iterations},{OPTIONS}" for name in ("ismcts-ti", "ismcts-t"))
    weak = f"ismcts-t:iterations={WEAK_ITERATIONS},{OPTIONS}"
    pairs = {EQUAL: (inferring, plain), WEAK: (inferring, weak), WEAK_WITHOUT: (plain, weak)}
    return {
        name: Contest(GAME, agents, ROUNDS[name] // 4 if lab.full else QUICK_DEALS, pairing="field")
        for name, agents in pairs.items()
    }


def measure(lab: Lab) -> Findings:
    """Play the three tables, and judge the decisions of the first."""
    results = lab.play(contests(lab))
    leads = [Row(name, PUBLISHED[name], lead_of(0, result)) for name, result in results.items()]
    shot = "moons of ISMCTS-TI"
    moons = [Row(shot, PUBLISHED[shot], moons_of(0, results[EQUAL]))]
    tests = [
        Significance(f"{name}: lead of {one.first} over {one.second}, paired", one.difference)
        for name, result in results.items()
        for one in result.comparisons[:1]
    ]
    notes = ["Rewards are those of eq. 4.1; intervals are 95 %, over deals."]
    if not lab.full:
        notes.append(
            f"Quick: {QUICK_ITERATIONS} iterations in place of {FULL_ITERATIONS}, so the rewards are not comparable."
        )
    judged = accuracy_tables(decisions_of(lab))
    figures = {row.label: row.ours for table in [*judged, Table("", [*leads, *moons])] for row in table.rows if row.ours}
    tables = [Table("Average reward", leads), Table("Share of rounds with a moon", moons), *judged]
    return Findings(tables, tests, notes, claims_of(figures))


def claims_of(figures: dict[str, Estimate]) -> list[Claim]:
    """What the paper says of inference, as far as it was measured."""
    inferred, uniform = (f"{BEFORE_QUEEN}: {kind}" for kind in ("inferred", "uniform"))
    claims = [larger("ISMCTS-TI leads ISMCTS-T", str(PUBLISHED[EQUAL]), figures[EQUAL])]
    claims += [equal(f"{name}: reward", PUBLISHED[name], figures[name], MARGINS[name]) for name in ROUNDS]
    if inferred in figures:
        claims += [
            larger(
                "inferred worlds are right more often than uniform ones",
                "35 % and 19 %",
                figures[inferred],
                figures[uniform].high,
            ),
            equal("inferred worlds whose honours lie right", PUBLISHED[inferred], figures[inferred], 0.03),
            equal("uniform worlds whose honours lie right", PUBLISHED[uniform], figures[uniform], 0.03),
        ]
    return claims


def decisions_of(lab: Lab) -> list[tuple[int, Judged]]:
    """The decisions of ISMCTS-TI where inference matters, with the number of their deal."""
    inference = HonourInference()
    return [
        (round_ // 4, one)
        for round_, record in enumerate(islice(lab.records(EQUAL), JUDGED_ROUNDS))
        for one in judge_deal(record, inference, "ismcts-ti*")
    ]


def accuracy_tables(decisions: list[tuple[int, Judged]]) -> list[Table]:
    """Worlds with the three honours in the right places: in all, before Q♠ is played, and by trick as in figure 6.4."""

    def accuracy(some: list[tuple[int, Judged]], kind: str) -> Estimate:
        return stats.win_rate_by_deal([getattr(one, kind) for _, one in some], [deal for deal, _ in some])

    before = [(deal, one) for deal, one in decisions if one.queen_left]
    groups = {"all decisions": decisions, BEFORE_QUEEN: before}
    groups |= {f"trick {trick}": [(deal, one) for deal, one in before if one.trick == trick] for trick in range(1, 13)}
    rows = [
        Row(f"{name}: {kind}", PUBLISHED.get(f"{name}: {kind}"), accuracy(some, kind))
        for name, some in groups.items()
        for kind in ("inferred", "uniform")
        if some
    ]
    return [Table("Worlds whose honours lie right", rows)]


EXPERIMENT = Experiment(
    "hearts-inference",
    "Hearts: ISMCTS-TI against ISMCTS-T, its accuracy and its robustness",
    "Manzke 2025, section 6.3",
    PUBLISHED,
    measure,
)
