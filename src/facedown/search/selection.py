"""Which action to follow: UCB1, for bandits of which only some arms are there at a time.

Arms are records, linked by index, of either layout: nodes of a tree, or edges of a graph (ismcts_t.py).
"""

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from facedown.kernel import Array, Record, compile_as, kernel
from facedown.rng import draw
from facedown.search.tree import NO_NODE

LOGARITHMS = np.array([0.0, *(log(number) for number in range(1, 4096))])  # of most numbers that a search asks for


class Scratch(NamedTuple):
    """What an iteration writes to; a search that needs more has a type of its own with these fields.

    Kernels take the arrays out before their loops: to do it inside costs a few percent.
    """

    actions: Array  # the legal ones
    marks: Array  # the number of the choice at which an action was last legal and not yet in the tree
    arms: Array  # the children that are legal
    moves: Array  # noted, for the policy of playouts: see playout.NOTED
    rewards: Array  # by seat


@kernel
def new_scratch(run: Record) -> Scratch:
    """Scratch for one thread."""
    rows = np.zeros((3, run.actions), np.int64)
    return Scratch(rows[0], rows[1], rows[2], np.zeros(run.most_depth + 1, np.int64), np.zeros(run.seats))


@kernel
def mark_legal(actions: Array, count: int, marks: Array, turn: int) -> None:
    """Mark the legal actions with the number of this choice."""
    for choice in range(count):
        marks[actions[choice]] = turn


@kernel
def legal_children(records: Array, first: int, count: int, marks: Array, turn: int, arms: Array) -> tuple[int, int]:
    """Write the children, from the `first` on, that are legal now; return how many, and the last child looked at.

    What is left marked is untried. Whether a child is legal in this world is a coin toss that no processor predicts: so
    there is no branch on it.
    """
    found = 0
    last = NO_NODE
    child = first
    while child != NO_NODE and found < count:
        arm = records[np.uint32(child)]
        legal = int(marks[np.uint16(arm.action)] == turn)
        marks[np.uint16(arm.action)] -= legal * turn
        arm.available += legal
        arms[np.uint64(found)] = child
        found += legal
        last = child
        child = arm.next_sibling
    return found, last


@kernel
def untried_action(actions: Array, untried: int, marks: Array, turn: int, rng: Array) -> int:
    """One of the actions still marked, uniformly."""
    skipped = draw(rng, untried)
    choice = 0
    while marks[actions[choice]] != turn or skipped > 0:
        if marks[actions[choice]] == turn:
            skipped -= 1
        choice += 1
    return int(actions[choice])


@kernel
def arm_with(records: Array, arms: Array, count: int, action: int) -> int:
    """The one of `count` arms that has this action."""
    for place in range(count):
        if records[np.uint64(arms[place])].action == action:
            return int(arms[place])
    return NO_NODE


# --- UCB1 -------------------------------------------------------------------------------------------------------------


@kernel
def upper_confidence(mean: float, visits: int, trials: int, exploration: float) -> float:
    """Mean reward and a bonus for what was tried seldom: Manzke 2025, eq. 2.1 to 2.3.

    `trials` counts how often the action could have been chosen: its availability, or its parent's visits where every
    action is always there.
    """
    logarithms = LOGARITHMS  # once: compiled code holds it for each use
    logarithm = logarithms[np.uint64(trials)] if trials < len(logarithms) else log(float(trials))
    return float(mean + exploration * sqrt(logarithm / float(visits)))


@kernel
def mean_of_sum(arm: Record) -> float:
    """The mean of an arm that keeps the sum."""
    return float(arm.reward / arm.visits)


@kernel
def running_mean(arm: Record) -> float:
    """The mean of an arm that keeps it."""
    return float(arm.average)


def _mean(fields: Any) -> Any:
    return running_mean if "average" in fields else mean_of_sum


def mean_reward(arm: Record) -> float:
    """The mean reward of an arm of either layout."""
    return float(_mean(arm.dtype.names)(arm))


compile_as(mean_reward, lambda arm: _mean(arm.fields))


@kernel
def best_arm(records: Array, arms: Array, count: int, trials: int, run: Record) -> int:
    """The first of the best of `count` arms; one never tried is best. Where `trials` is 0, each counts its availability."""
    best = NO_NODE
    best_bound = -np.inf
    for choice in range(count):
        arm = records[np.uint64(arms[choice])]
        bound = np.inf
        if arm.visits > 0:
            bound = upper_confidence(
                mean_reward(arm), arm.visits, trials if trials > 0 else int(np.int64(arm.available)), run.exploration
            )
        if bound > best_bound:
            best_bound = bound
            best = arms[choice]
    return int(best)
