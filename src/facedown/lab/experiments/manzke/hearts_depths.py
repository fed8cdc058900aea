"""How deep ISMCTS and ISMCTS-T look in Hearts: Manzke 2025, section 6.2.1, figures 6.1 and 6.2.

At full scale, as there: no passing, a round ends once all points are taken, c = 0.9, a fixed set of 1,000 worlds; 4,000
rounds of one ISMCTS-T against three ISMCTS with 8,000 iterations; only searches before the 8th trick count. Departures:

1. Figure 6.2: the paper has 100 rounds of two ISMCTS-T and two ISMCTS, where each search goes on until it has reached depth
   9. We take 60 positions of the games of figure 6.1, one of each deal. Each is searched from the same seed until depth 9 is
   reached, first with 16 iterations and then with a quarter more each time. So "16" is 16 or fewer, and the other figures
   are up to a quarter too high.
2. A forced action is not searched.
3. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
4. The key of a position also tells who played the winning card; the paper names only the card.
5. Intervals are over deals. Where no search at all has a depth, nothing is known of the spread, and each deal counts as one
   search; so the interval of a 0 % is wider than that of a share just above it.

The paper's searches look less deep than these. So the last tables have other readings, in 400 positions for the share and in
60 for the iterations, the same ones for all: other scales of c, and four times c, which the paper does not ask for; ISMCTS
with a new world for each iteration, as its algorithm 1 has it; and depths without the action that is added to the tree,
which are one less. A key that does not tell who played it cannot be tried: no option leaves that out.
"""

from collections.abc import Iterator
from itertools import islice

from facedown import stats
from facedown.arena.replay import Move, Replay
from facedown.lab.experiments.claims import Claim, equal, larger, smaller
from facedown.lab.experiments.manzke import depth_readings
from facedown.lab.experiments.manzke.depth_readings import (
    BEYOND,
    BUDGET_MARGIN,
    DEEPEST,
    ITERATIONS_TO_9,
    NAMES,
    QUICK_SEARCHED,
    SEARCHED,
    SHARE_MARGIN,
    Measured,
    mean_of,
)
from facedown.lab.experiments.manzke.hearts_transpositions import FULL_ITERATIONS, GAME, GRAPH, ONE, TREE
from facedown.lab.experiments.manzke.hearts_transpositions import contests as transposition_contests
from facedown.lab.experiments.manzke.honour_figures import SEATINGS
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, curves
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.record import GameRecord
from facedown.stats import Estimate
from facedown.view import View

TRICKS = 7  # searches from the 8th trick on do not count
DEALS, QUICK_DEALS = 1000, 1
POSITIONS, QUICK_POSITIONS, QUICK_DEEPEST = 60, 2, 3
LEAST_RATIO = 50  # of iterations: "a reduction of over 98 %"
STEP = 7  # from deal to deal, which of its searches is taken: another trick and another seat
BEYOND_13, BEYOND_15 = "ISMCTS: deeper than 13", "ISMCTS-T: deeper than 15"
SEARCHES = 70_000
RARE = 0.005  # as good as never: 1,000 deals without one leave up to 0.4 %

PUBLISHED = {
    BEYOND_13: Published(0.0, count=SEARCHES, rate=True),
    BEYOND_15: BEYOND,
    **depth_readings.PUBLISHED,
}
DEPTHS = {  # as far as they are printed; a quick search does not get there
    f"{TREE}: depth 13": Published(1 / SEARCHES, count=SEARCHES, rate=True, printed=f"once in {SEARCHES:,}")
}
TO_9 = {f"{name}: iterations to depth {DEEPEST}": published for name, published in ITERATIONS_TO_9.items()}


def contest(lab: Lab) -> Contest:
    """One ISMCTS-T against three ISMCTS, with what they thought."""
    played = transposition_contests(lab)[ONE]
    return Contest(GAME, played.agents, DEALS if lab.full else QUICK_DEALS, played.pairing, decisions=True)


def measure(lab: Lab) -> Findings:
    """The depths of searches with a fixed budget, and the budgets that depths take."""
    lab.play({ONE: contest(lab)})
    depths = list(depths_in(lab.records(ONE)))
    reached = [row for name in NAMES.values() for row in depth_rows(name, depths)]
    beyond = {BEYOND_13: beyond_of(depths, TREE, 13), BEYOND_15: beyond_of(depths, GRAPH, 15)}
    budgets = budgets_of(lab)
    needed = budget_rows(budgets)
    claims = [
        smaller(
            f"ISMCTS looks no deeper than 13 actions with {FULL_ITERATIONS:,} iterations", "never", beyond[BEYOND_13], RARE
        ),
        equal("ISMCTS-T looks deeper than 15 in 6.8 % of its searches", BEYOND, beyond[BEYOND_15], SHARE_MARGIN),
        *budget_claims(needed, budgets),
    ]
    tables = [
        Table("Searches that look further than", [Row(name, PUBLISHED[name], ours) for name, ours in beyond.items()]),
        Table("Deepest action of a search (figure 6.1): share of searches", reached, curves("depth")),
        Table("Iterations to reach a depth (figure 6.2)", needed, curves("depth", log=True, up="iterations")),
    ]
    read, deepest = readings_of(lab)
    tables += depth_readings.tables_of(read, deepest)
    return Findings(tables, notes=[depth_readings.note_of(read)] if lab.full else [], claims=claims)


def readings_of(lab: Lab) -> tuple[dict[str, Measured], int]:
    """The figures of other readings, and the depth to which iterations are counted."""
    count, deepest = (POSITIONS, DEEPEST) if lab.full else (QUICK_POSITIONS, QUICK_DEEPEST)
    searched = list(islice(positions(lab.records(ONE)), SEARCHED if lab.full else QUICK_SEARCHED))
    return depth_readings.measured(lab, searched, searched[:count], deepest), deepest


# --- Figure 6.1 -------------------------------------------------------------------------------------------------------

Depth = tuple[str, int, int]  # who searched, the depth reached, the deal


def depths_in(records: Iterator[GameRecord]) -> Iterator[Depth]:
    """The depth of each search that counts."""
    for number, record in enumerate(records):
        for move in searched(record):
            if move.decision is not None and not move.decision.forced:
                yield NAMES[record.agents[move.seat].partition(":")[0]], move.decision.depth_most, number // SEATINGS


def searched(record: GameRecord) -> Iterator[Move]:
    """The actions that were searched before the 8th trick."""
    return (move for move in Replay(record).moves if move.is_choice and move.state.facts["tricks_played"] < TRICKS)


def beyond_of(depths: list[Depth], name: str, depth: int) -> Estimate:
    """The share of searches that looked further than a depth."""
    own = [one for one in depths if one[0] == name]
    return stats.win_rate_by_deal([float(one[1] > depth) for one in own], [one[2] for one in own])


def depth_rows(name: str, depths: list[Depth]) -> list[Row]:
    """How often each depth was the deepest."""
    own = [one for one in depths if one[0] == name]
    deals = [one[2] for one in own]
    return [
        Row(text, DEPTHS.get(text), stats.win_rate_by_deal([float(one[1] == depth) for one in own], deals))
        for depth in range(min(one[1] for one in own), max(one[1] for one in own) + 1)
        for text in [f"{name}: depth {depth}"]
    ]


# --- Figure 6.2 -------------------------------------------------------------------------------------------------------


Budgets = dict[str, list[list[int]]]  # by algorithm, for each position, the iterations for each depth from 1 on


def budgets_of(lab: Lab) -> Budgets:
    """How many iterations each algorithm needs for each depth, in the same positions."""
    count, deepest = (POSITIONS, DEEPEST) if lab.full else (QUICK_POSITIONS, QUICK_DEEPEST)
    views = list(islice(positions(lab.records(ONE)), count))
    return {name: depth_readings.budgets_of(lab, text, views, deepest) for text, name in NAMES.items()}


def budget_rows(budgets: Budgets) -> list[Row]:
    """The iterations for each depth, on average over positions."""
    rows = []
    for name, found in budgets.items():
        for depth, iterations in enumerate(zip(*found, strict=True), start=1):
            label = f"{name}: iterations to depth {depth}"
            rows.append(Row(label, TO_9.get(label), mean_of(iterations)))
    return rows


def positions(records: Iterator[GameRecord]) -> Iterator[View]:
    """One position of each deal that was searched, of other tricks and seats from deal to deal."""
    for number, record in enumerate(islice(records, 0, None, SEATINGS)):
        moves = list(searched(record))
        move = moves[STEP * number % len(moves)]
        yield move.state.view(move.seat)


def budget_claims(rows: list[Row], budgets: Budgets) -> list[Claim]:
    """What the paper says of depth 9."""
    claims = [
        equal(f"{row.label}, about", row.published, row.ours, BUDGET_MARGIN * row.published.value)
        for row in rows
        if row.published and row.ours
    ]
    tree, graph = ([found[DEEPEST - 1] for found in budgets[name] if len(found) >= DEEPEST] for name in (TREE, GRAPH))
    if tree and graph:
        text = "ISMCTS needs more than 50 times as many iterations for depth 9: times"
        claims.append(larger(text, "60 times; a reduction of over 98 %", stats.ratio(tree, graph), LEAST_RATIO))
    return claims


EXPERIMENT = Experiment(
    "hearts-depths",
    "Hearts: how deep ISMCTS-T and ISMCTS look",
    "Manzke 2025, section 6.2.1, figures 6.1 and 6.2",
    PUBLISHED,
    measure,
)
