"""Which action to follow: UCB1, for bandits of which only some arms are there at a time."""

from math import log, sqrt

import numpy as np

from facedown.kernel import Array, Record, kernel
from facedown.rng import draw
from facedown.search.tree import NO_NODE

LOGARITHMS = np.array([0.0, *(log(number) for number in range(1, 4096))])  # of most numbers that a search asks for


@kernel
def upper_confidence(mean: float, visits: int, trials: int, exploration: float) -> float:
    """Mean reward and a bonus for what was tried seldom: Manzke 2025, eq. 2.1 to 2.3.

    `trials` counts how often the action could have been chosen: its availability, or its parent's visits where every
    action is always there.
    """
    logarithm = LOGARITHMS[np.uint64(trials)] if trials < len(LOGARITHMS) else log(float(trials))
    return float(mean + exploration * sqrt(logarithm / float(visits)))


@kernel
def mark_legal(actions: Array, count: int, marks: Array, turn: int) -> None:
    """Mark the legal actions with the number of this turn."""
    for choice in range(count):
        marks[actions[choice]] = turn


@kernel
def legal_arms(tree: Array, node: int, count: int, marks: Array, turn: int, arms: Array) -> tuple[int, int]:
    """Write a node's children that are legal now; return how many, and the last child looked at.

    What is left marked is untried. Whether a child is legal in this world is a coin toss that no processor foresees: so
    there is no branch on it.
    """
    found = 0
    last = NO_NODE
    child = tree[node].first_child
    while child != NO_NODE and found < count:
        arm = tree[np.uint32(child)]
        legal = int(marks[np.uint16(arm.action)] == turn)
        marks[np.uint16(arm.action)] -= legal * turn
        arm.available += legal
        arms[np.uint64(found)] = child
        found += legal
        last = child
        child = arm.next_sibling
    return found, last


@kernel
def best_arm(tree: Array, node: int, run: Record, arms: Array, count: int) -> int:
    """The best of so many children."""
    best = NO_NODE
    best_bound = -np.inf
    for choice in range(count):
        arm = tree[np.uint64(arms[choice])]
        trials = tree[node].visits if run.worlds == 1 else arm.available
        bound = upper_confidence(arm.reward / arm.visits, arm.visits, trials, run.exploration)
        if bound > best_bound:
            best_bound = bound
            best = arms[choice]
    return int(best)


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
