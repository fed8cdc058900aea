"""All moves as first (AMAF), mixed into UCB1: rapid action value estimation, RAVE (Gelly and Silver 2007 and 2011).

An action that a seat plays anywhere in an iteration counts for every position on the path in which that seat could have
played it. An arm is then worth

    (1 - beta) mean + beta AMAF mean + c sqrt(log n / visits)        beta = sqrt(k / (3 n + k))

where n counts trials as UCB1 does, and k is `equivalence`: with so many trials both means weigh the same.

Trees with AMAF have a node type of their own, for which kernels are compiled; a node still takes 48 bytes, since its squares
are kept in single precision.

Departures: an arm that is new comes before all else, since only arms in the tree have AMAF means. An action could have been
played where it was legal in the iteration's world, and n is the arm's availability, as in all searches over many worlds.
"""

from math import sqrt
from typing import Any

import numpy as np

from facedown.kernel import Array, Record, compile_as, kernel
from facedown.search.playouts.playout import NOTED
from facedown.search.selection import best_arm, legal_children, mean_reward, upper_confidence
from facedown.search.tree import NO_NODE, NODE, add_child

AMAF = "amaf"
RAVE_NODE = np.dtype(
    [
        (AMAF, np.float32),  # mean reward of the iterations in which the action was played here or later
        ("amaf_visits", np.int32),
        *((name, np.float32 if name == "squares" else NODE[name]) for name in NODE.names or ()),
        ("legal_at", np.int32),  # the number of the choice at which it was last legal
    ],
    align=True,
)
TURNS = 0x7FFF_FFFF  # numbers of choices are kept modulo this and one more


def _by_layout(with_amaf: Any, without: Any) -> Any:
    """A kernel for trees with AMAF or for those without, by the type of the nodes."""

    def call(tree: Any, *rest: Any) -> Any:
        return (with_amaf if AMAF in tree.dtype.names else without)(tree, *rest)

    compile_as(call, lambda tree: with_amaf if AMAF in tree.dtype.fields else without)
    return call


@kernel
def pick_by_rave(tree: Array, arms: Array, count: int, trials: int, run: Record) -> int:
    """The first of the best of `count` arms by both means; one never tried is best."""
    best = NO_NODE
    best_bound = -np.inf
    for choice in range(count):
        arm = tree[np.uint64(arms[choice])]
        bound = np.inf
        if arm.visits > 0:
            n = trials if trials > 0 else int(np.int64(arm.available))
            beta = sqrt(run.equivalence / (3.0 * n + run.equivalence)) if arm.amaf_visits > 0 else 0.0
            mean = (1.0 - beta) * mean_reward(arm) + beta * float(arm.amaf)
            bound = upper_confidence(mean, arm.visits, n, run.exploration)
        if bound > best_bound:
            best_bound = bound
            best = arms[choice]
    return int(best)


@kernel
def stamped_children(tree: Array, first: int, count: int, marks: Array, turn: int, arms: Array) -> tuple[int, int]:
    """As legal_children; keep in the nodes at which choice they were legal."""
    found, last = legal_children(tree, first, count, marks, turn, arms)
    for choice in range(found):
        tree[np.uint64(arms[choice])].legal_at = turn & TURNS
    return found, last


@kernel
def add_rave_child(tree: Array, node: int, last: int, child: int, action: int, seat: int) -> None:
    """As add_child."""
    add_child(tree, node, last, child, action, seat)
    tree[child].amaf = 0.0
    tree[child].amaf_visits = 0
    tree[child].legal_at = NO_NODE


@kernel
def spread_nothing(tree: Array, node: int, run: Record, moves: Array, rewards: Array) -> None:
    """Results go to the path only."""


@kernel
def spread_result(tree: Array, node: int, run: Record, moves: Array, rewards: Array) -> None:
    """Give a result to all arms along the path to a node whose actions their seats played there or later.

    From the last move back to the first: `played` has what each seat has played from there on.
    """
    depth = 0
    above = tree[node].parent
    while above != NO_NODE:
        above = tree[above].parent
        depth += 1
    played = np.zeros(run.seats * run.actions, np.bool_)
    for place in range(moves[NOTED], 0, -1):
        played[moves[place] % (run.seats * run.actions)] = True
        if place <= depth:
            turn = (run.choices - depth + place) & TURNS
            reward = rewards[tree[node].seat]
            first = int(np.int64(tree[node].seat)) * run.actions
            child = tree[tree[node].parent].first_child
            while child != NO_NODE:
                arm = tree[child]
                if child == node or (arm.legal_at == turn and played[first + arm.action]):
                    arm.amaf_visits += 1
                    arm.amaf += (reward - arm.amaf) / arm.amaf_visits
                child = arm.next_sibling
            node = int(np.int64(tree[node].parent))


pick_arm = _by_layout(pick_by_rave, best_arm)  # (tree, arms, count, trials, run) -> arm
found_children = _by_layout(stamped_children, legal_children)  # see selection.legal_children
new_child = _by_layout(add_rave_child, add_child)  # see tree.add_child
spread = _by_layout(spread_result, spread_nothing)  # (tree, node, run, moves, rewards)
