"""Cowling, Ward and Powley 2012, section VI: what its preliminary experiments said, for which it gives no figures.

How many moves a decision offers; worlds in which moves matter, at the root or at the leaves, for 0 to 5 % of the
simulations, kept in playouts or not; uniform playouts. With the wide deck, whose decisions offer 5 moves before any are
pruned; `magic-orders` has the orders of binary decisions. One question is ours: what it matters that a card is drawn for
each state of a tree (`lazy`, the paper's way), not in one order for all.

Moves are counted in games between experts, under each pruning: over all main phases, and over those with more than one move.
A deck that offers 5 to 6 moves of which none is part of another was sought, and not found over all main phases. The widest
deck found is the one with most such moves of 300 decks, each of 17 lands and 23 creatures that all differ and have one to
four costs (it came out with one). The search went by other deals than the count.
"""

from dataclasses import replace

from facedown.lab.experiments.claims import Claim, larger, no_difference, smaller
from facedown.lab.experiments.cowling.magic_decks import PRUNINGS, WIDE_DECK, moves_offered_by, widest_deck
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    DECKS,
    PLAYERS,
    QUICK_BUDGET,
    duel,
    ensemble,
    lead_of,
    main_phases,
    mean_by_phase,
    searches_in,
    seconds_spent,
)
from facedown.lab.experiments.cowling.magic_published import EVEN, SOURCE, STANDARD, WIDE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, bars, forest
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate

AT_5, AT_1 = (f"worlds that matter: for {share} %, against the baseline" for share in (5, 1))
AT_LEAVES, KEPT = "worlds that matter: at the leaves, against the root", "worlds that matter: kept in playouts, against not"
UNIFORM = "uniform playouts: against the reduced player's"
DUELS = {  # the options of two players
    "BT: against the baseline": ("bt=true", ""),
    AT_5: ("ir=true", ""),
    AT_1: ("ir=true,interest=0.01", ""),
    "worlds that matter: for 2 %, against the baseline": ("ir=true,interest=0.02", ""),
    KEPT: ("ir=true,fixed_order=true", "ir=true"),
    "draws for each state: against one order for a tree": ("lazy=true", ""),
    UNIFORM: ("playout=uniform", ""),
    AT_LEAVES: ("il=true", "ir=true"),
}
UNKNOWN = (
    "How many moves a decision offers depends on the deck, and the paper's is not known: these figures judge no claim. The "
    "wide deck was made to offer as many as the paper says, counted before anything is pruned."
)
TYPICAL = Published(5.5, 0.5, unit="moves", printed="5-6")  # moves at a decision node, nothing pruned
WIDEST = "widest deck found"
NEAR = 5  # percentage points of wins: no difference worth speaking of
ALLOWED = 12  # playouts to find a world that matters: 5 % of 250
PLAYOUTS = f"playouts for a tree: of {ALLOWED}"
ROOT_COST, LEAF_COST = (f"worlds that matter at the {place}: times the baseline's seconds" for place in ("root", "leaves"))
FOUND = "trees that found one: share"
WORLDS_THAT_MATTER = (  # tables: titles, units, rows
    ("Worlds that matter: trees that found one", "share of the trees", (FOUND,)),
    ("Worlds that matter: how they are found", "playouts", (PLAYOUTS,)),
    ("Worlds that matter: what they cost", "times the baseline's seconds", (ROOT_COST, LEAF_COST)),
)
LEAVES_SLOWER = "worlds that matter slow a search down by a factor of up to 2 at the leaves"
BY_TABLE_4 = "below 2; Table IV has 13, and our reading of IL follows it"
MOVES = {f"{deck}: {PRUNINGS[0]}": TYPICAL for deck in (STANDARD, WIDE)}


def measure(lab: Lab) -> Findings:
    """Count moves, play the duels, and look at how worlds that matter are found."""
    moves = moves_by_deck(lab)
    budget, deals = (BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    played = lab.play(
        {
            name: duel(ensemble(one, budget), ensemble(other, budget), deals, DECKS[WIDE])
            for name, (one, other) in DUELS.items()
        }
    )
    wins = {name: result.standing(0).wins for name, result in played.items()}
    figures = {**interest(lab, budget), **slowdown(lab, budget)}
    tables = [
        Table(
            "Moves that a decision offers", [Row(name, MOVES.get(name), one) for name, one in moves.items()], bars("moves")
        ),
        Table("Duels, wide deck: wins of the first", [Row(name, None, one) for name, one in wins.items()]),
        *(
            Table(title, [Row(name, None, figures[name]) for name in some], forest(unit))
            for title, unit, some in WORLDS_THAT_MATTER
        ),
    ]
    gain = lead_of([played[AT_5]], [played[AT_1]])
    claims = [*strength_claims(wins, gain), *cost_claims(figures)]
    return Findings(tables, notes=[UNKNOWN], claims=claims)


def moves_by_deck(lab: Lab) -> dict[str, Estimate]:
    """The moves that main phases offer with each deck, under each pruning."""
    seed, deals = lab.settings.seed, 2000 if lab.full else 5
    decks, few = (300, 60) if lab.full else (2, 2)
    widest = widest_deck(decks, few, seed + deals)  # chosen by deals that do not count
    texts = {STANDARD: "standard", WIDE: WIDE_DECK, WIDEST: widest}
    return {
        f"{name}: {pruning}": one
        for name, deck in texts.items()
        for pruning, one in moves_offered_by(deck, deals, seed).items()
    }


def interest(lab: Lab, budget: int) -> dict[str, Estimate]:
    """How often a tree has found a world that matters, and how many of its playouts that took; over main phases."""
    phases = main_phases(50 if lab.full else 3, lab.settings.seed, DECKS[WIDE])
    shares, playouts = [], []
    for search in searches_in(phases, ensemble("ir=true", budget)):
        trees = len(search.arrays.left)
        shares.append(search.figure("interesting") / trees)
        playouts.append(search.figure("trials") / trees)
    return {
        FOUND: mean_by_phase(shares or [0.0]),
        PLAYOUTS: mean_by_phase(playouts or [0.0]),
    }


def slowdown(lab: Lab, budget: int) -> dict[str, Estimate]:
    """How many times the CPU time of the baseline a main phase takes, where that searches."""
    spent = seconds_spent(lab, {name: ensemble(PLAYERS[name], budget) for name in ("BA", "IR", "IL")}, DECKS[WIDE])
    searched = [place for place, one in enumerate(spent["BA"]) if one >= max(spent["BA"]) / 10]
    return {
        text: mean_by_phase([spent[name][place] / spent["BA"][place] for place in searched])
        for name, text in (("IR", ROOT_COST), ("IL", LEAF_COST))
    }


def strength_claims(wins: dict[str, Estimate], gain: Estimate) -> list[Claim]:
    """What the paper found in its preliminary duels; `gain` is that of 5 % over 1 %."""
    return [
        larger(
            "binary trees show promise: wins against the baseline", "section VI-B", wins["BT: against the baseline"], EVEN
        ),
        larger("worlds that matter improve strength modestly: wins of IR", "section VI-A", wins[AT_5], EVEN),
        larger("5 % of the simulations for worlds that matter win more than 1 %: points", "good results around 5 %", gain),
        even("worlds that matter are worth as much at the leaves as at the root: wins of IL", wins[AT_LEAVES]),
        even("worlds that matter are worth as much when playouts keep them: wins", wins[KEPT]),
        smaller("uniform playouts are very weak: wins against the reduced player's", "section VIII", wins[UNIFORM], EVEN),
    ]


def cost_claims(figures: dict[str, Estimate]) -> list[Claim]:
    """What worlds that matter cost."""
    text = f"a world that matters is usually found in a small fraction of the playouts: of {ALLOWED}"
    return [
        smaller(text, "usually", figures[PLAYOUTS], ALLOWED / 2),
        replace(smaller(LEAVES_SLOWER, "up to 2", figures[LEAF_COST], 2.0), reason=BY_TABLE_4),
        smaller(
            "worlds that matter do not slow a search down at the root: times",
            "no slowdown is evident",
            figures[ROOT_COST],
            1.1,
        ),
    ]


def even(text: str, wins: Estimate) -> Claim:
    """Whether two players are as good as each other."""
    value, low, high = (100 * (end - EVEN) for end in (wins.value, wins.low, wins.high))
    lead = replace(wins, value=value, low=low, high=high, rate=False)
    return replace(no_difference(text, "no difference", lead, NEAR, "percentage points"), ours=str(wins))


EXPERIMENT = Experiment(
    "magic-preliminaries", "Magic: what the preliminary experiments said", f"{SOURCE}, section VI", MOVES, measure
)
