"""The trees of an ensemble: one array of nodes, linked by index as in tree.py.

A node stands for an answer, a whole move, a plain action or what chance brought; its world is fixed, so all
children are always there. 48 bytes a node.
"""

import numpy as np

from facedown.kernel import Array, Record, kernel
from facedown.search.selection import upper_confidence
from facedown.search.tree import NO_NODE

NODE = np.dtype(
    [
        ("reward", np.float64),  # sum over visits, for the seat that chose it
        ("answers", np.int64),  # of a whole move, as bits; of a single question, the part it is about; of a root, its luck
        ("visits", np.int32),
        ("parent", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("label", np.int32),  # what distinguishes siblings: take or leave, the number of a move, an action, an outcome
        (
            "moves",
            np.int32,
        ),  # how many there are to choose from below; 0 before they are counted, -1 before there is a world
        ("seat", np.int8),
    ],
    align=True,
)


@kernel
def add_node(tree: Array, run: Record, node: int, label: int, answers: int, seat: int) -> int:
    """Write a new node as the first child of another; its number."""
    child = run.nodes
    run.nodes += 1
    new = tree[child]
    new.reward = 0.0
    new.answers = answers
    new.visits = 0
    new.parent = node
    new.first_child = NO_NODE
    new.next_sibling = tree[node].first_child
    new.label = label
    new.moves = 0
    new.seat = seat
    tree[node].first_child = child
    return int(child)


@kernel
def child_labelled(tree: Array, node: int, label: int) -> int:
    """The child with a label; NO_NODE if there is none."""
    child = tree[node].first_child
    while child != NO_NODE and tree[child].label != label:
        child = tree[child].next_sibling
    return int(child)


@kernel
def best_child(tree: Array, run: Record, node: int) -> tuple[int, int]:
    """The child to follow, and how many there are."""
    trials = tree[node].visits
    best = NO_NODE
    best_bound = -np.inf
    count = 0
    child = tree[node].first_child
    while child != NO_NODE:
        arm = tree[np.uint32(child)]
        bound = upper_confidence(arm.reward / arm.visits, arm.visits, trials, run.exploration)
        if bound > best_bound:
            best_bound = bound
            best = child
        count += 1
        child = arm.next_sibling
    return int(best), count


@kernel
def back_up(tree: Array, node: int, rewards: Array) -> int:
    """Add a result to a node and to all above it; return how deep the node lies."""
    depth = -1
    while node != NO_NODE:
        visited = tree[np.uint32(node)]
        visited.visits += 1
        if visited.seat >= 0:
            visited.reward += rewards[visited.seat]
        node = visited.parent
        depth += 1
    return depth
