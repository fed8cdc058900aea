"""The shape of an ensemble's trees: how many nodes they have at each depth, binary or with whole moves.

Figures 8 and 9 of Cowling, Ward and Powley 2012 are pictures of such trees.
"""

import numpy as np

from facedown.kernel import Array
from facedown.lab.experiments.cowling.magic_players import (
    BUDGET,
    DECKS,
    PLAYERS,
    QUICK_BUDGET,
    ensemble,
    main_phases,
    mean_by_phase,
    searches_in,
)
from facedown.lab.experiments.cowling.magic_published import WIDE
from facedown.lab.experiments.result import Row
from facedown.lab.experiments.running import Lab

SHAPES = {"binary (Figure 8)": "BT", "whole moves (Figure 9)": "BA"}
DEEPEST = 12


def shape_rows(lab: Lab) -> list[Row]:
    """Nodes of a tree at each depth, and children of a node that has any; over main phases with a choice."""
    rows = []
    phases = main_phases(50 if lab.full else 2, lab.settings.seed, DECKS[WIDE])
    for name in lab.steps("the shape of trees", "players", list(SHAPES)):
        player = ensemble(PLAYERS[SHAPES[name]], BUDGET if lab.full else QUICK_BUDGET)
        shapes = [
            shape(search.arrays.tree[: search.figure("nodes")], len(search.arrays.left))
            for search in searches_in(phases, player)
        ]
        means = np.array(shapes) if shapes else np.zeros((1, DEEPEST + 1))
        for depth in range(1, DEEPEST + 1):
            rows.append(Row(f"depth {depth}: {name}", None, mean_by_phase(means[:, depth])))
        rows.append(Row(f"children of a node: {name}", None, mean_by_phase(means[:, 0])))
    return rows


def shape(tree: Array, trees: int) -> list[float]:
    """The mean number of children of nodes that have any; then nodes at each depth, of one tree on average."""
    parents = tree["parent"]
    above = np.zeros(len(tree), bool)
    above[:trees] = True
    inner = np.unique(parents[trees:])
    found = [(len(tree) - trees) / max(1, len(inner))]
    for _ in range(DEEPEST):
        here = np.zeros(len(tree), bool)
        here[trees:] = above[parents[trees:]]
        found.append(here.sum() / trees)
        above = here
    return found
