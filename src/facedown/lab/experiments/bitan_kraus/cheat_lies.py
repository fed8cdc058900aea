"""Which cards a lie should be made of in Cheat: Bitan & Kraus 2018, section 4.4, leave it open.

Each rule of the option `lies_with` against `furthest`, which is our choice: both seats play by the rollout policy
of the paper, and differ only in the cards of their lies. A lie is made of the cards whose ranks are furthest from the rank
that is named, of those nearest to it, or of those of the ranks of which the hand has fewest or most. Every deal is played
from both seats; a deal is one observation.
"""

import numpy as np

from facedown import stats
from facedown.games import load
from facedown.games.cheat.claims import FURTHEST, LIE_RULES
from facedown.kernel import new_records
from facedown.lab.experiments.bitan_kraus.cheat_duel import duel
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.rng import stream

FULL_DEALS, QUICK_DEALS = 20_000, 200


def measure(lab: Lab) -> Findings:
    """Each other rule against the stated one."""
    game = load("cheat")
    empty = new_records(1, game.rules.state)
    for name, option in game.options.items():
        empty[name] = 0 if isinstance(option.value, str) else option.value
    rows = []
    for rule, name in enumerate(LIE_RULES):
        if rule != FURTHEST:
            shares = np.zeros(FULL_DEALS if lab.full else QUICK_DEALS)
            duel(empty, rule, FURTHEST, np.zeros(game.actions, np.int64), stream(lab.settings.seed, rule), shares)
            rows.append(Row(f"{name} against furthest", None, stats.win_rate_by_deal(shares, range(len(shares)))))
    return Findings([Table("Wins against lies of the furthest cards", rows)])


EXPERIMENT = Experiment(
    "cheat-lies",
    "Cheat: which cards a lie should be made of",
    "Bitan & Kraus 2018, section 4.4 (left open there)",
    {},
    measure,
)
