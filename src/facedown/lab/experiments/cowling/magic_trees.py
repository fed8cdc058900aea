"""Cowling, Ward and Powley 2012, section VII-B: how many trees share 10,000 simulations (Table II, Figure 6), or 100,000.

Departures are in magic_published.py. Of 100,000 simulations the paper gives no figures, only which numbers were best.
"""

from collections.abc import Mapping, Sequence

from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.claims import Claim, larger
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    DECKS,
    EXPERT,
    QUICK_BUDGET,
    REDUCED,
    STANDARD,
    WIDE,
    duel,
    ensemble,
    lead_of,
    wins_of_first,
)
from facedown.lab.experiments.cowling.magic_published import SOURCE, as_printed, notes, rate
from facedown.lab.experiments.result import Row, Table, curves
from facedown.lab.experiments.running import Experiment, Findings, Lab

Cell = tuple[int, str, str]  # how many trees, who plays out, the opponent
TREES = (1, 2, 4, 5, 10, 20, 40, 50, 100, 250, 500, 1000)
BEST = (20, 40, 50, 100)  # "between 20 and 100"
BY_TREES = {
    ("rules", REDUCED): (27, 31, 45, 46, 45, 41, 48, 42, 55, 50, 38, 15),
    ("rules", EXPERT): (26, 29, 34, 35, 33, 36, 31, 34, 33, 29, 21, 12),
    ("reduced", REDUCED): (31, 44, 48, 38, 44, 46, 56, 52, 56, 45, 48, 41),
    ("reduced", EXPERT): (32, 38, 36, 40, 40, 44, 47, 46, 43, 47, 46, 26),
}
PERCENT: dict[Cell, int] = {
    (trees, *kind): percent for kind, percents in BY_TREES.items() for trees, percent in zip(TREES, percents, strict=True)
}
MAIN = ("reduced", EXPERT)  # the playouts that later sections use, against the stronger opponent
QUICK_TREES = (1, 100, 1000)  # of those for which no figures are published
MORE_TREES = (1, 2, 4, 5, 10, 20, 50, 100, 500, 1000, 2000, 5000, 10_000)
MORE_BEST = (100, 500, 1000)  # "from 100 to 1000" simulations for each tree, of 100,000


def label(cell: Cell) -> str:
    """The label of a figure."""
    trees, playout, opponent = cell
    return f"{trees} trees: playouts by the {playout.replace('rules', EXPERT)}, against the {opponent} player"


TABLE_2 = {label(cell): rate(percent) for cell, percent in PERCENT.items()}


def play(lab: Lab, cells: Sequence[Cell], budget: int, deals: int, deck: str = STANDARD) -> dict[Cell, TournamentResult]:
    """The baseline with more and more trees, and so fewer simulations in each."""
    names = {cell: f"{deck}, {label(cell)}" for cell in cells}
    duels = {
        name: duel(ensemble(f"playout={cell[1]}", budget, cell[0]), cell[2], deals, DECKS[deck])
        for cell, name in names.items()
    }
    results = lab.play(duels)
    return {cell: results[name] for cell, name in names.items()}


def table(title: str, results: Mapping[Cell, TournamentResult]) -> Table:
    """Wins of each cell beside the published ones."""
    rows = [Row(label(cell), TABLE_2.get(label(cell)), wins_of_first(result)) for cell, result in results.items()]
    return Table(title, rows, curves("trees"))


def measure_trees(lab: Lab) -> Findings:
    """Table II with the standard deck; with the wide one what later sections build on."""
    budget, deals = (BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    results = play(lab, list(PERCENT), budget, deals)
    cells = [cell for cell in PERCENT if cell[1:] == MAIN and (lab.full or cell[0] in QUICK_TREES)]
    wide = play(lab, cells, budget, deals, WIDE)
    tables = [table("Wins by the number of trees (Figure 6)", results), table("The same with the wide deck", wide)]
    claims = [*best_number(results, STANDARD), *best_number(wide, WIDE), *better_playouts(results)]
    return Findings(tables, notes=notes(lab), claims=claims)


def best_number(results: Mapping[Cell, TournamentResult], deck: str) -> list[Claim]:
    """Whether 20 to 100 trees are best, with the reduced player's playouts against the expert."""

    def wins(chosen: Sequence[int]) -> list[TournamentResult]:
        return [results[trees, *MAIN] for trees in chosen if (trees, *MAIN) in results]

    def printed(chosen: Sequence[int]) -> float:
        return sum(PERCENT[trees, *MAIN] for trees in chosen) / len(chosen)

    fewer, more = [trees for trees in TREES if trees < BEST[0]], [trees for trees in TREES if trees > BEST[-1]]
    claims = []
    for kind, others in (("fewer", fewer), ("more", more), ("a thousand", TREES[-1:])):
        ours, theirs = lead_of(wins(BEST), wins(others)), printed(BEST) - printed(others)
        claims += [
            larger(f"20 to 100 trees win more than {kind}, {deck}: points", f"{theirs:+.1f}", ours),
            as_printed(f"20 to 100 trees win as many points more than {kind} as printed, {deck}", theirs, ours),
        ]
    return claims


def better_playouts(results: Mapping[Cell, TournamentResult]) -> list[Claim]:
    """Whether playouts by the reduced player are better than the expert's."""
    claims = []
    for opponent in (REDUCED, EXPERT):
        groups = {who: [results[trees, who, opponent] for trees in TREES] for who in ("reduced", "rules")}
        printed = {who: sum(BY_TREES[who, opponent]) / len(TREES) for who in ("reduced", "rules")}
        ours, theirs = lead_of(groups["reduced"], groups["rules"]), printed["reduced"] - printed["rules"]
        text = f"playouts by the reduced player win more than the expert's, against the {opponent} player: points"
        claims += [
            larger(text, f"{theirs:+.1f}", ours),
            as_printed(
                f"playouts by the reduced player win as many points more as printed, against the {opponent} player",
                theirs,
                ours,
            ),
        ]
    return claims


def measure_more(lab: Lab) -> Findings:
    """Ten times the simulations, against the expert."""
    budget, deals = (10 * BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    cells = [(trees, *MAIN) for trees in (MORE_TREES if lab.full else QUICK_TREES)]
    results = play(lab, cells, budget, deals)
    rows = [Row(f"{cell[0]} trees: 100,000 simulations", None, wins_of_first(one)) for cell, one in results.items()]
    best, others = ([results[cell] for cell in cells if (cell[0] in MORE_BEST) is wanted] for wanted in (True, False))
    text = "trees of 100 to 1,000 simulations win more than others, of 100,000 in all: points"
    claims = [larger(text, "section VII-B", lead_of(best, others))]
    return Findings(
        [Table("Wins by the number of trees, 100,000 simulations", rows, curves("trees"))], notes=notes(lab), claims=claims
    )


TABLE = Experiment(
    "magic-table-2",
    "Magic: how many trees an ensemble needs",
    f"{SOURCE}, Table II and Figure 6",
    TABLE_2,
    measure_trees,
)
MORE = Experiment(
    "magic-trees-100k", "Magic: how many trees 100,000 simulations need", f"{SOURCE}, section VII-B", {}, measure_more
)
