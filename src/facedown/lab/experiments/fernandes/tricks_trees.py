"""Fernandes 2016, tables 5.1 and 5.2: how large the trees of determinized UCT and of ISMCTS can be, by exact count.

At each depth the paper counts how many actions there are: of a player whose cards are known, those in its hand; of another
player, for ISMCTS, all cards that are not known. We count the same, and beside it how many actions the rules really allow,
by deals that are played at random.
"""

from collections.abc import Sequence
from math import log10, prod
from random import Random

from facedown import stats
from facedown.games import load
from facedown.lab.experiments.claims import CONFIRMED, REFUTED, Claim
from facedown.lab.experiments.fernandes.three_games import GAMES, SOURCE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, bars
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate
from facedown.stats.estimate import COUNTED

NODES = {
    "Sueca, open cards": (1.03e27, 4.71),
    "Bisca, open cards": (5.02e32, 6.54),
    "Hearts, open cards": (8.97e39, 5.84),
    "Sueca, ISMCTS": (2.78e39, 9.66),
    "Bisca, ISMCTS": (3.25e36, 8.15),
    "Hearts, ISMCTS": (3.67e56, 12.22),
}
PUBLISHED = {f"{name}: log10 of nodes": Published(round(log10(nodes), 2)) for name, (nodes, _) in NODES.items()} | {
    f"{name}: branching factor": Published(factor) for name, (_, factor) in NODES.items()
}
ROUNDING = 0.005
BISCA_HAND, BISCA_DRAWS = 9, 11  # tricks after which cards are drawn


def choices(name: str) -> list[int]:
    """How many actions there are at each depth of a tree, as the paper counts them."""
    game, _, kind = name.partition(", ")
    hidden = kind == "ISMCTS"
    if game == "Bisca":
        others = [31 - 2 * trick if hidden else BISCA_HAND for trick in range(BISCA_DRAWS)]
        drawing = [count for other in others for count in (BISCA_HAND, other)]
        return [*drawing, *(left for left in range(BISCA_HAND, 0, -1) for _ in range(2))]
    hand = {"Sueca": 10, "Hearts": 13}[game]
    found = []
    for left in range(hand, 0, -1):
        found += [left, 3 * left, 3 * left - 1, 3 * left - 2] if hidden else [left] * 4
    return found


def nodes(counts: Sequence[int]) -> int:
    """The nodes of a tree with so many actions at each depth, its root counted."""
    return 1 + sum(prod(counts[:depth]) for depth in range(1, len(counts) + 1))


def branching_factor(size: float, depth: int) -> float:
    """The number b for which b + b² + ... + b^depth is the size of a tree, by bisection."""
    low, high = 1.0, 100.0
    for _ in range(100):
        middle = (low + high) / 2
        total = middle * (middle**depth - 1) / (middle - 1) if middle > 1 else depth
        low, high = (middle, high) if total < size else (low, middle)
    return low


def exactly(value: float) -> Estimate:
    """A figure that was counted."""
    return Estimate(value, value, value, 1, COUNTED, signed=False)


def measure(lab: Lab) -> Findings:
    """Count the trees, and the actions that the rules allow."""
    sizes, factors, claims = [], [], []
    for name, (published, factor) in NODES.items():
        counts = choices(name)
        size = nodes(counts)
        branching = branching_factor(size, len(counts))
        sizes.append(Row(f"{name}: log10 of nodes", PUBLISHED[f"{name}: log10 of nodes"], exactly(log10(size))))
        factors.append(Row(f"{name}: branching factor", PUBLISHED[f"{name}: branching factor"], exactly(branching)))
        same = abs(size / published - 1) < ROUNDING and abs(branching - factor) < 2 * ROUNDING
        ours = f"{float(size):.3g}, {branching:.2f}; {100 * prod(counts) / size:.1f} % are leaves"
        verdict = CONFIRMED if same else REFUTED
        claims.append(Claim(f"{name}: nodes, branching factor", f"{published:.3g}, {factor}", ours, verdict, "counted"))
    legal = [Row(f"{game}: legal actions of a decision", None, allowed(lab, text)) for game, text in GAMES.items()]
    tables = [
        Table("Tree nodes, log10", sizes, bars("log10 of nodes")),
        Table("Effective branching factor", factors, bars("actions")),
        Table("What the rules allow, in games at random", legal, bars("actions")),
    ]
    return Findings(tables, claims=claims)


def allowed(lab: Lab, text: str) -> Estimate:
    """How many actions a decision has on average in a deal that is played at random."""
    game, means = load(text), []
    for seed in range(1000 if lab.full else 5):
        state, chance, counts = game.deal(lab.settings.seed + seed), Random(seed), []
        while not state.over:
            counts.append(len(state.legal))
            state.play(chance.choice(state.legal))
        means.append(sum(counts) / len(counts))
    return stats.mean(means).unsigned()


EXPERIMENT = Experiment(
    "tricks-trees",
    "Sueca, Bisca, Hearts: how large the trees are",
    f"{SOURCE}, tables 5.1 and 5.2",
    PUBLISHED,
    measure,
)
