"""Cowling, Ward and Powley 2012, section IV: the expert against the reduced player.

Where the printed algorithms contradict the prose beside them, `expert` follows the prose, and `expert, as printed` the print
(docs/magic.md).
"""

from facedown.lab.experiments.claims import Claim, equal, impossible, larger
from facedown.lab.experiments.cowling import magic_mixtures
from facedown.lab.experiments.cowling.magic_mixtures import alike_rows, deck_rows, mixture_rows
from facedown.lab.experiments.cowling.magic_players import EXPERT, REDUCED, duel
from facedown.lab.experiments.cowling.magic_published import EVEN, EXPERT_WINS, SOURCE
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate

PUBLISHED = {"expert": EXPERT_WINS, **magic_mixtures.PUBLISHED}
HUMANS = "the expert wins 42.1 % of 114 games against strong human players: 27 of 58 going first, 21 of 56 going second"
CLOSE = 0.02  # of wins, to the published rate


def measure(lab: Lab) -> Findings:
    """The expert against the reduced player on any deals, by several readings; and what each of its rules is worth."""
    deals, few = (5000, 2000) if lab.full else (10, 5)
    readings = {
        "expert": duel(EXPERT, REDUCED, deals, "magic"),
        "expert, as printed": duel(f"{EXPERT}:printed=true", REDUCED, deals, "magic"),
        "expert, the first player draws in the first turn": duel(EXPERT, REDUCED, deals, "magic:first_draw=true"),
    }
    results = lab.play(readings)
    rows = [Row(name, PUBLISHED.get(name), result.standing(0).wins) for name, result in results.items()]
    mixed = mixture_rows(lab, 10 * deals)
    others, spans = deck_rows(lab, 24 if lab.full else 2, few)
    tables = [
        Table("Wins against the reduced player", rows),
        Table("What the expert's rules are worth: its wins", mixed),
        Table("The expert's wins with other decks", others),
        Table("The expert's wins with decks of one creature", alike_rows(lab, few)),
    ]
    wins = next(row.ours for row in mixed if row.ours)
    return Findings(tables, notes=[spans], claims=claims(wins))


def claims(wins: Estimate) -> list[Claim]:
    """What the paper says of the expert; its wins are those of ten times the deals, played a phase at a time."""
    people = "Seven people played; there are no such people here."
    return [
        larger("the expert is much stronger than the reduced player: wins", str(EXPERT_WINS), wins, EVEN),
        equal("the expert wins 63.7 % against the reduced player", EXPERT_WINS, wins, CLOSE),
        impossible(HUMANS, "section IV-C", people),
    ]


EXPERIMENT = Experiment(
    "magic-expert-reduced", "Magic: the expert against the reduced player", f"{SOURCE}, section IV-B", PUBLISHED, measure
)
