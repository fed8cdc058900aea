"""The search tree: one array of nodes, linked by index.

    ROOT ── first_child ──> child ── next_sibling ──> child ── next_sibling ──> NO_NODE
                              └── first_child ──> ...                     each knows its parent

A node stands for the action that leads to it; its statistics are those of the seat that chose that action. One node is one
record of 40 bytes, so that reading a child touches one cache line, where separate arrays would touch six.
"""

from typing import Any

import numpy as np

from facedown.kernel import Array, Record, bytes_of, kernel, room_for

NODE = np.dtype(
    [
        ("reward", np.float64),  # sum over visits, for the seat that chose the action
        ("squares", np.float64),  # sum of squared rewards, for the interval
        ("visits", np.int32),
        ("available", np.int32),  # how often the action could have been chosen
        ("parent", np.int32),
        ("first_child", np.int32),
        ("next_sibling", np.int32),
        ("action", np.int16),
        ("seat", np.int16),
    ],
    align=True,
)

ROOT = 0
NO_NODE = -1
NO_ACTION = -1


@kernel
def add_child(tree: Array, node: int, last: int, child: int, action: int, seat: int) -> None:
    """Write a new node, number `child`, below `node` and after the `last` child it has.

    The oldest children are the likeliest to be legal: who looks for the legal ones can stop early.
    """
    new = tree[child]
    new.reward = 0.0
    new.squares = 0.0
    new.visits = 0
    new.available = 1
    new.parent = node
    new.first_child = NO_NODE
    new.next_sibling = NO_NODE
    new.action = action
    new.seat = seat
    if last == NO_NODE:
        tree[node].first_child = child
    else:
        tree[last].next_sibling = child


@kernel
def add_result(visited: Record, rewards: Array) -> None:
    """Add the reward of the seat that chose the action; nobody chose a root."""
    if visited.seat >= 0:
        reward = rewards[visited.seat]
        visited.reward += reward
        visited.squares += reward * reward


@kernel
def back_up(tree: Array, node: int, rewards: Array) -> int:
    """Add a result to a node and to all above it; return how deep the node lies."""
    depth = -1
    while node != NO_NODE:
        visited = tree[node]
        visited.visits += 1
        add_result(visited, rewards)
        node = visited.parent
        depth += 1
    return depth


# --- Virtual loss -----------------------------------------------------------------------------------------------------


@kernel
def add_virtual_loss(tree: Array, node: int, loss: float) -> None:
    """Count a visit whose result is still to come, at a node and at all above it: so others look elsewhere meanwhile."""
    while node != NO_NODE:
        tree[node].visits += 1
        tree[node].reward += loss
        node = tree[node].parent


@kernel
def resolve_virtual_loss(tree: Array, node: int, rewards: Array, loss: float) -> int:
    """Put a result in the place of a virtual loss; return how deep the node lies."""
    depth = -1
    while node != NO_NODE:
        visited = tree[node]
        visited.reward -= loss
        add_result(visited, rewards)
        node = visited.parent
        depth += 1
    return depth


# --- Room -------------------------------------------------------------------------------------------------------------


def rooted(nodes: int, roots: int, kind: np.dtype[Any] = NODE) -> Array:
    """A tree with room for `nodes` nodes of a kind, holding its roots."""
    tree = room_for(nodes, kind)
    bytes_of(tree[:roots])[:] = 0
    for name in ("parent", "first_child", "next_sibling", "action", "seat"):
        tree[name][:roots] = NO_NODE
    return tree
