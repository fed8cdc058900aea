"""How an ensemble is searched, and how far it has got: the record that its kernels read and count in, and its nodes."""

from typing import Any

import numpy as np

from facedown.kernel import Array, kernel
from facedown.search.tree import NO_NODE

# A node stands for an answer, a whole move, a plain action or what chance brought; trees share one array. 48 bytes.
TWIG = np.dtype(
    [
        ("reward", np.float64),  # sum over visits, for the seat that chose it
        ("answers", np.int64),  # of a whole move, as bits; of a single question, the part it is about
        ("visits", np.int32),
        ("parent", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("label", np.int32),  # what tells siblings apart: take or leave, the number of a move, an action, an outcome
        ("moves", np.int32),  # how many there are to choose from below; 0 before they are counted
        ("seat", np.int8),
    ],
    align=True,
)

ENSEMBLE = np.dtype(
    [
        # Set before:
        ("seat", np.int64),
        ("seats", np.int64),
        ("actions", np.int64),
        ("exploration", np.float64),
        ("reward", np.int64),
        ("discount", np.float64),
        ("turns", np.int64),
        ("most_depth", np.int64),
        ("ngram", np.int64),
        ("policy", np.int64),
        ("parameter", np.float64),
        ("room", np.int64),
        ("salt", np.uint64),  # of a shuffled order of parts
        ("order", np.int64),  # of drafts: see drafts.py
        ("pruning", np.int64),
        ("binary", np.bool_),  # each part is a choice of its own, not the whole move
        ("settles", np.bool_),  # questions that are not settled are left to the game's rules
        ("chances", np.bool_),  # what chance brings is a node of its own: all possible deals
        ("keeps_order", np.bool_),  # playouts draw the cards that the tree's world has for them
        ("near", np.bool_),  # trees end where another seat or another turn begins
        ("now", np.int64),  # turns taken before the search, for a near one
        ("by_chance", np.bool_),  # playouts are plain: a move that is broken off may go on in any way, or else to a full one
        ("greedy", np.bool_),  # playouts have no chance in them: it goes on with all that can be taken
        ("root_trials", np.int64),  # for each tree, to find a world in which moves matter; playouts
        ("leaf_trials", np.int64),  # at each leaf, to find an order in which they do; playouts
        # Counted:
        ("nodes", np.int64),
        ("choices", np.int64),
        ("tree", np.int64),  # whose turn it is
        ("in_a_row", np.int64),  # iterations it has had
        ("depth_total", np.int64),
        ("depth_most", np.int64),
        ("transpositions", np.int64),
        ("trials", np.int64),  # playouts to find worlds or orders in which moves matter
        ("interesting", np.int64),  # worlds or orders found so
    ],
    align=True,
)


@kernel
def add_twig(tree: Any, run: Any, node: int, label: int, answers: int, seat: int) -> int:
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
def child_labelled(tree: Any, node: int, label: int) -> int:
    """The child with a label; NO_NODE if there is none."""
    child = tree[node].first_child
    while child != NO_NODE and tree[child].label != label:
        child = tree[child].next_sibling
    return int(child)


@kernel
def take_home(tree: Any, node: int, rewards: Array) -> int:
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
