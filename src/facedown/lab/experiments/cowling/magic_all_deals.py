"""Cowling, Ward and Powley 2012, section VII-A: search over all possible deals (AP).

The paper has two readings of such a tree: a chance node for each draw, as in its Figure 5, or one at the top with a branch
for each deal of both decks (section VI). No deal comes twice then, each has one simulation, and visits say nothing about
moves. The second is tried as Table I has it, without pruning, and with lands always played.

A third way to the published figures needs no search: readings of the reduced player and of AP (magic_mixtures.py). They were
chosen by their agreement, so they are shown and judge nothing.
"""

from facedown.lab.experiments.claims import Claim, equal, reading, smaller
from facedown.lab.experiments.cowling.magic_mixtures import THREE, three_at_once
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    EXPERT,
    PLAYERS,
    QUICK_BUDGET,
    REDUCED,
    duel,
    ensemble,
)
from facedown.lab.experiments.cowling.magic_published import EVEN, EXPERT_WINS, MARGIN, SOURCE, rate
from facedown.lab.experiments.result import BARS, Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate

EACH, TOP, LANDS = "a chance node for each draw", "one chance node at the top", "one at the top, lands played"
ON_TOP = PLAYERS["AP"].replace("ap=true", "ap=top")
READINGS = {EACH: PLAYERS["AP"], TOP: ON_TOP, LANDS: ON_TOP.replace("mp=none", "mp=non-paying")}
AGAINST = {EXPERT: rate(23, 1000), REDUCED: rate(38, 1000)}
DECKS = ("standard deck", "best of 24 decks", "mean of other decks")
SOUGHT = (
    "The figures without search judge no claim. Their players were sought until they met the published figures, among seven "
    "mixtures of the rule players and about ten readings of AP, and the best of 24 decks was chosen for its agreement; the "
    "mean is over decks that were not chosen. They show what could lie behind the paper's figures, not that it does."
)
FIGURES = dict(zip(THREE, (EXPERT_WINS, *AGAINST.values()), strict=True))


def label(reading: str, opponent: str) -> str:
    """The label of a figure of AP."""
    return f"{reading}: against the {opponent} player"


PUBLISHED = {label(reading, opponent): figure for reading in READINGS for opponent, figure in AGAINST.items()}
PUBLISHED |= {f"{deck}: {name}": figure for deck in DECKS for name, figure in FIGURES.items()}


def measure(lab: Lab) -> Findings:
    """AP by each reading against both players by rule; then the readings that need no search."""
    budget, deals = (BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    contests = {
        label(reading, opponent): duel(ensemble(options, budget), opponent, deals)
        for reading, options in READINGS.items()
        for opponent in AGAINST
    }
    wins = {name: result.standing(0).wins for name, result in lab.play(contests).items()}
    three = three_at_once(lab, *((10_000, 24) if lab.full else (5, 2)))
    found = {f"{deck}: {name}": one for deck, figures in three.items() for name, one in figures.items()}
    tables = [
        Table("Wins of AP", [Row(name, PUBLISHED[name], one) for name, one in wins.items()], BARS),
        Table(
            "Without search: a reduced player that attacks by Algorithm 1, and an AP that knows of lands alone",
            [Row(name, PUBLISHED[name], one) for name, one in found.items()],
            BARS,
        ),
    ]
    return Findings(tables, notes=[SOUGHT], claims=claims(wins))


def claims(wins: dict[str, Estimate]) -> list[Claim]:
    """What the paper says of AP; what it may mean as well does not count again."""
    judged = []
    for way in READINGS:
        for opponent, figure in AGAINST.items():
            one = wins[label(way, opponent)]
            if way == EACH:
                judged.append(smaller(f"AP is weaker than the {opponent} player: wins", str(figure), one, EVEN))
            text = f"AP wins {100 * figure.value:g} % against the {opponent} player, with {way}"
            printed = equal(text, figure, one, MARGIN)
            judged.append(printed if way == EACH else reading(printed))
    return judged


EXPERIMENT = Experiment(
    "magic-all-deals", "Magic: search over all possible deals", f"{SOURCE}, section VII-A", PUBLISHED, measure
)
