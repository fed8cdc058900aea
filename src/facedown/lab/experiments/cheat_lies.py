"""Which cards a lie should be made of in Cheat: Bitan & Kraus 2018, section 4.4, leave it open.

Each rule of the option `lies_with` against the rule that the paper states, `furthest`: both seats play by the rollout policy
of the paper, and differ only in the cards of their lies. Every deal is played from both seats; a deal is one observation.
"""

import numpy as np

from facedown import rules, stats
from facedown.games import load
from facedown.games.cheat.rules import FURTHEST, LIE_RULES
from facedown.kernel import Array, kernel, new_records
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.rng import stream
from facedown.rules import EXPERT

FULL_DEALS, QUICK_DEALS = 20_000, 200
SEATS = 2


@kernel
def duel(empty: Array, rule: int, stated: int, actions: Array, rng: Array, out: Array) -> None:
    """For each deal the share of its two games that a rule wins against the stated one."""
    dealt = empty.copy()
    game = empty.copy()
    scores = np.zeros(SEATS)
    for deal in range(out.shape[0]):
        dealt[0] = empty[0]
        rules.deal(dealt[0], rng)
        out[deal] = 0.0
        for own in range(SEATS):
            game[0] = dealt[0]
            while not rules.is_over(game[0]):
                game[0].lies_with = rule if rules.to_move(game[0]) == own else stated
                rules.apply(game[0], rules.choose(game[0], EXPERT, actions, rng))
            rules.scores(game[0], scores)
            out[deal] += scores[own] / SEATS


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
            rows.append(Row(f"{name} against furthest", None, stats.mean(shares)))
    return Findings([Table("share of wins", rows)])


EXPERIMENT = Experiment(
    "cheat-lies",
    "Cheat: which cards a lie should be made of",
    "Bitan & Kraus 2018, section 4.4 (left open there)",
    {},
    measure,
)
