"""Cowling, Ward and Powley 2012, section VI-B: in which order binary decisions ask for cards.

The paper gives no figures. As `magic-preliminaries`, but with the standard deck: nearly all creatures of the wide one cost
the same, so that its orders by cost are nearly one.
"""

from facedown.lab.experiments.cowling.magic_players import BUDGET, QUICK_BUDGET, duel, ensemble
from facedown.lab.experiments.cowling.magic_preliminaries import even
from facedown.lab.experiments.cowling.magic_published import SOURCE
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab

ORDERS = ("ascending", "random")
PLAYED_AS = "magic-preliminaries"


def measure(lab: Lab) -> Findings:
    """Other orders against descending ones."""
    budget, deals = (BUDGET, 50) if lab.full else (QUICK_BUDGET, 1)
    usual = ensemble("bt=true", budget)
    duels = {
        f"order of BT: {order} against descending": duel(ensemble(f"bt=true,order={order}", budget), usual, deals)
        for order in ORDERS
    }
    wins = {name: result.standing(0).wins for name, result in lab.play(duels, PLAYED_AS).items()}
    claims = [
        even(f"{order} orders are as good as descending ones: wins", one)
        for order, one in zip(ORDERS, wins.values(), strict=True)
    ]
    return Findings([Table("Wins of the first", [Row(name, None, one) for name, one in wins.items()])], claims=claims)


EXPERIMENT = Experiment("magic-orders", "Magic: orders of binary decisions", f"{SOURCE}, section VI-B", {}, measure)
