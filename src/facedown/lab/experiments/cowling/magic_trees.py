"""Cowling, Ward and Powley 2012, section VII-B: how many trees share 10,000 simulations (Table II, Figure 6), or 100,000.

Departures beside those of the whole study:

1. The paper finds 20 to 100 trees best "in each case". The claims are of one column of Table II: playouts by the reduced
   player, which its later sections use, against the expert.
2. Of 100,000 simulations it gives no figures, only which numbers were best, and does not say against whom: they are tried
   with the same playouts, against the expert, with the standard deck.
3. It gives CPU seconds of 1, 50 and 1,000 trees, but not for which playouts: ours are with those by the reduced player.
"""

from collections.abc import Mapping, Sequence

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.claims import Claim, larger
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    DECKS,
    EXPERT,
    QUICK_BUDGET,
    REDUCED,
    duel,
    ensemble,
    lead_of,
    mean_by_phase,
    seconds_spent,
)
from facedown.lab.experiments.cowling.magic_published import GAMES, SOURCE, STANDARD, WIDE, as_printed, lead, rate, with_deck
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, curves
from facedown.lab.experiments.running import Experiment, Findings, Lab

Cell = tuple[int, str, str]  # how many trees, who plays out, the opponent
TREES = (1, 2, 4, 5, 10, 20, 40, 50, 100, 250, 500, 1000)
BEST = (20, 40, 50, 100)  # "between 20 and 100"
OTHERS = {"1 to 10": (1, 2, 4, 5, 10), "250 to 1,000": (250, 500, 1000), "1,000": (1000,)}
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
SECONDS = {1: 0.62, 50: 1.12, 1000: 14.01}  # of a move, by the number of trees
WHO = {"rules": "the expert", "reduced": "the reduced player"}
OPPONENTS = {REDUCED: "the reduced player", EXPERT: "the expert"}
SETTING = "playouts by the reduced player, against the expert"  # of MAIN
MORE_TREES = (1, 2, 4, 5, 10, 20, 50, 100, 500, 1000, 2000, 5000, 10_000)
MORE_BEST = (100, 500, 1000)  # "from 100 to 1000" simulations for each tree, of 100,000


def label(cell: Cell) -> str:
    """The label of a figure."""
    trees, playout, opponent = cell
    return f"trees {trees}: playouts by {WHO[playout]}, against {OPPONENTS[opponent]}"


def seconds_label(trees: int) -> str:
    """The label of what a move costs."""
    return f"trees {trees}: seconds"


TABLE_2 = {label(cell): rate(percent, GAMES) for cell, percent in PERCENT.items()}
TABLE_2 |= {seconds_label(trees): Published(seconds) for trees, seconds in SECONDS.items()}


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
    rows = [Row(label(cell), TABLE_2.get(label(cell)), result.standing(0).wins) for cell, result in results.items()]
    return Table(title, rows, curves("trees"))


def measure_trees(lab: Lab) -> Findings:
    """Table II with the standard deck; with the wide one what later sections build on."""
    budget, deals = (BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    results = play(lab, list(PERCENT), budget, deals)
    cells = [cell for cell in PERCENT if cell[1:] == MAIN and (lab.full or cell[0] in QUICK_TREES)]
    wide = play(lab, cells, budget, deals, WIDE)
    spent = seconds_by_trees(lab, budget)
    rows = [Row(name, TABLE_2[name], mean_by_phase(one)) for name, one in spent.items()]
    tables = [
        *(
            table(
                f"Wins against {name} by the number of trees (Figure 6), {STANDARD}",
                {cell: result for cell, result in results.items() if cell[2] == opponent},
            )
            for opponent, name in OPPONENTS.items()
        ),
        table(f"Wins by the number of trees, {WIDE}", wide),
        Table(f"CPU seconds a move, {STANDARD}", rows, curves("trees", log=True, up="seconds")),
    ]
    claims = [*with_deck(best_number(results), STANDARD), *with_deck(best_number(wide), WIDE)]
    claims += [*better_playouts(results), slower(spent)]
    return Findings(tables, claims=claims)


def seconds_by_trees(lab: Lab, budget: int) -> dict[str, list[float]]:
    """The CPU time of the baseline with more and more trees, in the same main phases."""
    return seconds_spent(lab, {seconds_label(trees): ensemble("", budget, trees) for trees in SECONDS})


def slower(spent: Mapping[str, Sequence[float]]) -> Claim:
    """Whether more trees cost more; of a thousand the paper says that it is its program's doing."""
    one, fifty = (spent[seconds_label(trees)] for trees in (1, 50))
    text = "50 trees take more time than one: seconds more"
    return larger(text, f"{SECONDS[50]} s against {SECONDS[1]} s", stats.paired_difference(fifty, one))


def best_number(results: Mapping[Cell, TournamentResult]) -> list[Claim]:
    """Whether 20 to 100 trees are best, with the reduced player's playouts against the expert."""

    def wins(chosen: Sequence[int]) -> list[TournamentResult]:
        return [results[trees, *MAIN] for trees in chosen if (trees, *MAIN) in results]

    def printed(chosen: Sequence[int]) -> list[int]:
        return [PERCENT[trees, *MAIN] for trees in chosen]

    claims = []
    for kind, others in OTHERS.items():
        ours, theirs = lead_of(wins(BEST), wins(others)), lead(printed(BEST), printed(others), GAMES)
        claims += [
            larger(f"20 to 100 trees win more than {kind}, {SETTING}", f"{theirs} points", ours),
            as_printed(f"20 to 100 trees win as many points more than {kind} as printed, {SETTING}", theirs, ours),
        ]
    return claims


def better_playouts(results: Mapping[Cell, TournamentResult]) -> list[Claim]:
    """Whether playouts by the reduced player are better than the expert's."""
    claims = []
    for opponent in (REDUCED, EXPERT):
        groups = {who: [results[trees, who, opponent] for trees in TREES] for who in ("reduced", "rules")}
        ours = lead_of(groups["reduced"], groups["rules"])
        theirs = lead(BY_TREES["reduced", opponent], BY_TREES["rules", opponent], GAMES)
        text = f"playouts by the reduced player win more than the expert's, against the {opponent} player: points"
        claims += [
            larger(text, str(theirs), ours),
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
    rows = [Row(f"trees {cell[0]}: 100,000 simulations", None, one.standing(0).wins) for cell, one in results.items()]
    best, others = ([results[cell] for cell in cells if (cell[0] in MORE_BEST) is wanted] for wanted in (True, False))
    text = f"trees of 100 to 1,000 simulations win more than others, of 100,000 in all, {SETTING}, {STANDARD}: points"
    claims = [larger(text, "section VII-B", lead_of(best, others))]
    title = f"Wins by the number of trees, 100,000 simulations, {SETTING}, {STANDARD}"
    return Findings([Table(title, rows, curves("trees"))], claims=claims)


MAGIC_TABLE_2 = Experiment(
    "magic-table-2",
    "Magic: how many trees an ensemble needs",
    f"{SOURCE}, Table II and Figure 6",
    TABLE_2,
    measure_trees,
)
MAGIC_TREES_100K = Experiment(
    "magic-trees-100k", "Magic: how many trees 100,000 simulations need", f"{SOURCE}, section VII-B", {}, measure_more
)
