"""Which action to follow: UCB1, for bandits of which only some arms are there at a time."""

from math import log, sqrt

import numpy as np

from facedown.kernel import Array, Record, kernel
from facedown.rng import draw
from facedown.search.tree import NO_NODE


@kernel
def upper_confidence(mean: float, visits: int, trials: int, exploration: float) -> float:
    """Mean reward and a bonus for what was tried seldom: Manzke 2025, eq. 2.1 to 2.3.

    `trials` counts how often the action could have been chosen: its availability, or its parent's visits where every
    action is always there.
    """
    return float(mean + exploration * sqrt(log(float(trials)) / float(visits)))


@kernel
def mark_legal(actions: Array, count: int, marks: Array, turn: int) -> None:
    """Mark the legal actions with the number of this turn."""
    for choice in range(count):
        marks[actions[choice]] = turn


@kernel
def best_arm(tree: Array, node: int, run: Record, marks: Array, turn: int) -> tuple[int, int]:
    """The best of a node's children that are legal now, and how many of these there are; what is left marked is untried."""
    found = 0
    best = NO_NODE
    best_bound = -np.inf
    child = tree[node].first_child
    while child != NO_NODE:
        arm = tree[child]
        if marks[arm.action] == turn:
            marks[arm.action] = 0
            found += 1
            arm.available += 1
            trials = tree[node].visits if run.worlds == 1 else arm.available
            bound = upper_confidence(arm.reward / arm.visits, arm.visits, trials, run.exploration)
            if bound > best_bound:
                best_bound = bound
                best = child
        child = arm.next_sibling
    return best, found


@kernel
def untried_action(actions: Array, untried: int, marks: Array, turn: int, rng: Array) -> int:
    """One of the actions still marked, each as likely."""
    skipped = draw(rng, untried)
    choice = 0
    while marks[actions[choice]] != turn or skipped > 0:
        if marks[actions[choice]] == turn:
            skipped -= 1
        choice += 1
    return int(actions[choice])
