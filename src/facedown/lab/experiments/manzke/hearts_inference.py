"""Whether inference pays in Hearts: Manzke 2025, section 6.3, its accuracy, its strength and its robustness.

At full scale, as there: 52 cards and no passing, c = 0.9, 1,000 worlds, one player against three of another kind; 10,000
rounds against ISMCTS-T, and 4,000 against opponents of 50 iterations, for ISMCTS-TI and for ISMCTS-T. The iterations
against ISMCTS-T are not printed: 8,000, as in section 6.3.3. Departures:

1. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
2. Intervals are over deals. The paper counts rounds, four of which share their hands.
3. The table is the shipped one, of 9,000 deals by players of 500 iterations; the paper's have 16,000.
4. Accuracy is computed from the likelihoods of the sets of features, not from 1,000 worlds. It is that of the ISMCTS-TI
   player's decisions in the first 1,000 rounds at most, of 9,000 in the paper.
5. Decisions after Q♠ has been played are left out, but for the rows "all decisions"; the paper does not say whether it
   leaves them out. There are still more than its 2.6 a round. The last table counts them in three ways: all; those while Q♠
   is in the game; and of these only those where the table of honours has the newest history of all three others.
6. Play goes on after all points are taken; in the paper the round ends there.

Moons are printed as numbers, of 10,000 and 4,000 rounds; the intervals of these shares follow from that.
"""

from itertools import islice
from typing import Any

from facedown.inference.spade_honours import HonourInference
from facedown.lab.experiments.claims import Claim, equal, larger, no_difference, smaller
from facedown.lab.experiments.manzke import honour_figures
from facedown.lab.experiments.manzke.hearts_places import SEATS, Places, moons_printed, reward
from facedown.lab.experiments.manzke.honour_figures import Decisions
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import BARS, Row, Significance, Table, forest
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.record import GameRecord
from facedown.stats import paired_difference
from facedown.training.honour_accuracy import Judged, judge_deal

GAME = "hearts:passing=hold"
OPTIONS = "exploration=0.9,worlds=1000"
EQUAL, WEAK = "ISMCTS-TI against ISMCTS-T", "ISMCTS-TI against 50 iterations"
WEAK_WITHOUT = "ISMCTS-T against 50 iterations"
ROUNDS = {EQUAL: 10_000, WEAK: 4000, WEAK_WITHOUT: 4000}
WEAK_ITERATIONS = 50
JUDGED_ROUNDS = 1000

MARGINS = {EQUAL: 1.0, WEAK: 2.0, WEAK_WITHOUT: 2.0}  # within which a reward counts as the published one
MOON_MARGIN = 0.01
NEARLY_IDENTICAL = 1.0  # a difference of rewards that is none worth speaking of

QUICK_ITERATIONS, QUICK_DEALS = 100, 3
FULL_ITERATIONS = 8000  # printed for the test of robustness only

REWARDS = {
    EQUAL: Published(0.46, 0.60, ROUNDS[EQUAL]),
    WEAK: Published(9.09, 0.75, 4000),
    WEAK_WITHOUT: Published(9.27, 0.77, 4000),
}
MOONS = {EQUAL: (280, 271, 249, 269), WEAK: (32, 46, 52, 56), WEAK_WITHOUT: (47, 58, 60, 63)}  # its own, and the others'
PLACES = ("the player", *(f"opponent {place}" for place in range(1, SEATS)))
PUBLISHED = {
    **REWARDS,
    **{
        f"{name}: {place}": moons_printed(count, ROUNDS[name])
        for name, counts in MOONS.items()
        for place, count in zip(PLACES, counts, strict=True)
    },
    **honour_figures.PUBLISHED,
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
    tables = {name: Places(result) for name, result in results.items()}
    tests = [
        Significance(f"{name}: lead of {one.first} over {one.second}, paired", one.difference)
        for name, result in results.items()
        for one in result.comparisons[:1]
    ]
    notes = ["Rewards are those of eq. 4.1; intervals are 95 %, over deals."]
    decisions = Decisions.of(judged_rounds(lab))
    return Findings([*tables_of(tables), *decisions.tables()], tests, notes, [*claims_of(tables), *decisions.claims()])


def judged_rounds(lab: Lab) -> list[list[Judged]]:
    """The decisions of ISMCTS-TI in the first rounds against ISMCTS-T; they are kept in the store."""
    inference = HonourInference()

    def judge(record: GameRecord) -> list[list[Any]]:
        return [list(one) for one in judge_deal(record, inference, "ismcts-ti*")]

    rounds = {f"{number}": record for number, record in enumerate(islice(lab.records(EQUAL), JUDGED_ROUNDS))}
    return [[Judged(*one) for one in found] for found in lab.measured("accuracy", "rounds", rounds, judge).values()]


def tables_of(tables: dict[str, Places]) -> list[Table]:
    """Rewards, and the moons and points of every player."""
    rewards = [Row(name, REWARDS[name], places.reward(0)) for name, places in tables.items()]
    seats = [(name, place, text) for name in tables for place, text in enumerate(PLACES)]
    moons = [Row(f"{name}: {text}", PUBLISHED[f"{name}: {text}"], tables[name].moons(place)) for name, place, text in seats]
    points = [Row(f"{name}: {text}: points", None, tables[name].share(place)) for name, place, text in seats]
    return [
        Table("Average reward", rewards, forest("points")),
        Table("Share of rounds with a moon", moons, BARS),
        Table("Share of the points taken", points, BARS),
    ]


def claims_of(tables: dict[str, Places]) -> list[Claim]:
    """What the paper says of strength and robustness."""
    own = f"{EQUAL}: {PLACES[0]}"
    deals, (inferring, plain) = tables[WEAK].deals, (tables[name].values(reward, 0) for name in (WEAK, WEAK_WITHOUT))
    claims = [larger("ISMCTS-TI leads ISMCTS-T", str(REWARDS[EQUAL]), tables[EQUAL].reward(0))]
    claims += [equal(f"{name}: reward", REWARDS[name], tables[name].reward(0), MARGINS[name]) for name in ROUNDS]
    claims += [
        larger("ISMCTS-TI shoots more moons than an opponent, a round", "280 to 249-271", tables[EQUAL].moons_more()),
        equal("moons of ISMCTS-TI", PUBLISHED[own], tables[EQUAL].moons(0), MOON_MARGIN),
    ]
    claims += [
        smaller(f"{name}: the player shoots fewer moons than an opponent, a round", words, tables[name].moons_more())
        for name, words in ((WEAK, "32 to 46-56"), (WEAK_WITHOUT, "47 to 58-63"))
    ]
    text = "against 50 iterations ISMCTS-TI and ISMCTS-T are nearly identical: reward of ISMCTS-TI more"
    return [*claims, no_difference(text, "9.09 and 9.27", paired_difference(inferring, plain, deals), NEARLY_IDENTICAL)]


EXPERIMENT = Experiment(
    "hearts-inference",
    "Hearts: ISMCTS-TI against ISMCTS-T, its accuracy and its robustness",
    "Manzke 2025, section 6.3, figures 6.3 to 6.6",
    PUBLISHED,
    measure,
)
