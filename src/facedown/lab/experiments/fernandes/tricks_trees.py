"""Fernandes 2016, tables 5.1 and 5.2: how large the trees of determinized UCT and of ISMCTS can be, by exact count.

At each depth the paper counts how many actions there are: of a player whose cards are known, those in its hand; of another
player, for ISMCTS, all cards that are not known. We count the same, and beside it how many actions the rules really allow,
by deals that are played at random. The state space is all ways to deal the cards, in Bisca with all orders of the stock. The
paper multiplies it by the nodes of an ISMCTS tree, and calls the product the information set space.

Its text has 34.64 % of the nodes of Sueca's ISMCTS tree as leaves; counted, they are 34.66 %.
"""

from collections.abc import Sequence
from math import factorial, log10, prod
from random import Random
from typing import NamedTuple

from facedown import stats
from facedown.games import load
from facedown.lab.experiments.claims import CONFIRMED, REFUTED, Claim
from facedown.lab.experiments.fernandes.three_games import GAMES, SOURCE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, bars
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import Estimate
from facedown.stats.estimate import COUNTED


class Tree(NamedTuple):
    """The size of a tree, as printed."""

    nodes: float
    leaves: float
    depth: int
    branching: float  # the effective branching factor
    space: float  # of states; for ISMCTS, of information sets


TREES = {
    "Sueca, open cards": Tree(1.03e27, 1.73e26, 40, 4.71, 4.71e21),
    "Bisca, open cards": Tree(5.02e32, 1.30e32, 40, 6.54, 6.20e36),
    "Hearts, open cards": Tree(8.97e39, 1.50e39, 52, 5.84, 5.36e28),
    "Sueca, ISMCTS": Tree(2.78e39, 9.63e38, 40, 9.66, 1.31e61),
    "Bisca, ISMCTS": Tree(3.25e36, 8.39e35, 40, 8.15, 2.01e73),
    "Hearts, ISMCTS": Tree(3.67e56, 1.27e56, 52, 12.22, 1.97e85),
}
LOGS = {"nodes": "Tree nodes", "leaves": "Leaf nodes", "space": "States that can be dealt; for ISMCTS, information sets"}
PUBLISHED = {
    f"{name}: log10 of {size}": Published(round(log10(getattr(tree, size)), 2))
    for name, tree in TREES.items()
    for size in LOGS
} | {f"{name}: branching factor": Published(tree.branching) for name, tree in TREES.items()}
DEALS = {  # how many there are
    "Sueca": factorial(40) // factorial(10) ** 4,
    "Bisca": factorial(40) // factorial(9) ** 2,
    "Hearts": factorial(52) // factorial(13) ** 4,
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


def counted(name: str) -> Tree:
    """The size of a tree, counted as the paper does."""
    counts = choices(name)
    game, _, kind = name.partition(", ")
    size = nodes(counts)
    space = DEALS[game] * (size if kind == "ISMCTS" else 1)
    return Tree(size, prod(counts), len(counts), branching_factor(size, len(counts)), space)


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
    trees = {name: counted(name) for name in TREES}
    tables = [
        Table(f"{title}, log10", [log_row(name, size, tree) for name, tree in trees.items()], bars(f"log10 of {size}"))
        for size, title in LOGS.items()
    ]
    labels = {name: f"{name}: branching factor" for name in TREES}
    factors = [Row(labels[name], PUBLISHED[labels[name]], exactly(tree.branching)) for name, tree in trees.items()]
    tables.append(Table("Effective branching factor", factors, bars("actions")))
    legal = [Row(f"{game}: legal actions of a decision", None, allowed(lab, text)) for game, text in GAMES.items()]
    tables.append(Table("What the rules allow, in games at random", legal, bars("actions")))
    return Findings(tables, claims=[as_counted(name, tree) for name, tree in trees.items()])


def log_row(name: str, size: str, tree: Tree) -> Row:
    """How many there are of something in a tree, as a power of ten."""
    label = f"{name}: log10 of {size}"
    return Row(label, PUBLISHED[label], exactly(log10(getattr(tree, size))))


def as_counted(name: str, tree: Tree) -> Claim:
    """Whether the printed numbers are those that the paper's way of counting gives."""
    printed = TREES[name]
    same = all(abs(ours / theirs - 1) < ROUNDING for ours, theirs in zip(tree, printed, strict=True))
    text = f"{name}: nodes, leaves, depth, branching factor, space"
    return Claim(text, in_words(printed), in_words(tree), CONFIRMED if same else REFUTED, "counted")


def in_words(tree: Tree) -> str:
    """The size of a tree in a line."""
    return f"{tree.nodes:.3g}, {tree.leaves:.3g}, {tree.depth}, {tree.branching:.2f}, {tree.space:.3g}"


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
