"""ISMCTS with transpositions (Manzke 2025, algorithm 2): a graph of abstracted information sets.

Nodes are positions by the game's `position_key`, as the searching seat knows them; statistics are on the edges, which carry
relative actions. Only edges on the way down are updated (update-descent), and worlds come from a fixed set of k.

    slots ──key──> node ── first_edge ──> edge ── next ──> edge ── next ──> NO_EDGE
                                            └── child ──> node, perhaps one that other edges lead to

A node, an edge and two slots take 48 bytes together. An edge's mean is a running one, in single precision.
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, bytes_of, kernel, room_for
from facedown.rng import draw
from facedown.search.playouts.playout import learn, note, play_out, result
from facedown.search.selection import upper_confidence

NODE = np.dtype([("key", np.uint64), ("check", np.uint32), ("first_edge", np.int32)], align=True)
EDGE = np.dtype(
    [
        ("average", np.float32),
        ("visits", np.int32),
        ("available", np.int32),
        ("child", np.int32),
        ("next", np.int32),
        ("label", np.int16),  # the relative action
        ("seat", np.int16),  # who chooses it
    ],
    align=True,
)
ROOT = 0
NO_EDGE = NO_NODE = -1
EMPTY = -1


class Graph:
    """The arrays of a search, with room for so many nodes and edges."""

    def __init__(self, nodes: int, edges: int) -> None:
        self.nodes = room_for(nodes, NODE)
        self.edges = room_for(edges, EDGE)
        self.slots = np.full(1 << (2 * nodes - 1).bit_length(), EMPTY, np.int32)

    def enlarged(self, run: Any) -> "Graph":
        """The same graph with twice the room, for nodes or for edges."""
        nodes, edges = int(run["nodes"][0]), int(run["edges"][0])
        full = nodes >= len(self.nodes)
        larger = Graph(len(self.nodes) * (2 if full else 1), len(self.edges) * (1 if full else 2))
        bytes_of(larger.nodes)[: nodes * NODE.itemsize] = bytes_of(self.nodes)[: nodes * NODE.itemsize]
        bytes_of(larger.edges)[: edges * EDGE.itemsize] = bytes_of(self.edges)[: edges * EDGE.itemsize]
        fill_slots(larger.nodes, larger.slots, nodes)
        return larger


@kernel
def find(nodes: Array, slots: Array, key: Array) -> int:
    """The node with a key, or NO_NODE."""
    slot = key[0] & np.uint64(slots.shape[0] - 1)
    while slots[slot] != EMPTY:
        node = slots[slot]
        if nodes[node].key == key[0] and nodes[node].check == np.uint32(key[1] & np.uint64(0xFFFFFFFF)):
            return int(node)
        slot = (slot + np.uint64(1)) & np.uint64(slots.shape[0] - 1)
    return NO_NODE


@kernel
def put(slots: Array, key: Any, node: int) -> None:
    """Enter a node under its key."""
    slot = key & np.uint64(slots.shape[0] - 1)
    while slots[slot] != EMPTY:
        slot = (slot + np.uint64(1)) & np.uint64(slots.shape[0] - 1)
    slots[slot] = node


@kernel
def fill_slots(nodes: Array, slots: Array, count: int) -> None:
    """Enter all nodes into new slots."""
    for node in range(count):
        put(slots, nodes[node].key, node)


@kernel
def add_node(nodes: Array, slots: Array, node: int, key: Array) -> None:
    """Write a new node and enter it."""
    nodes[node].key = key[0]
    nodes[node].check = np.uint32(key[1] & np.uint64(0xFFFFFFFF))
    nodes[node].first_edge = NO_EDGE
    put(slots, key[0], node)


@kernel
def add_edge(nodes: Array, edges: Array, node: int, edge: int, child: int, label: int, seat: int) -> None:
    """Write a new edge from a node to a child."""
    new = edges[edge]
    new.average = 0.0
    new.visits = 0
    new.available = 1
    new.child = child
    new.next = nodes[node].first_edge
    new.label = label
    new.seat = seat
    nodes[node].first_edge = edge


@kernel
def plant(nodes: Array, slots: Array, runs: Array, positions: Array) -> None:
    """Make the root: the searching seat's own position."""
    key = np.zeros(2, np.uint64)
    rules.position_key(positions[0], runs[0].seat, runs[0].merge, key)
    add_node(nodes, slots, ROOT, key)


@kernel
def label_of(positions: Array, runs: Array, action: int) -> int:
    """An action's relative name at the root."""
    return rules.relative_action(positions[0], runs[0].seat, runs[0].merge, action)


@kernel
def grow_graph(
    iterations: int,
    nodes: Array,
    edges: Array,
    slots: Array,
    runs: Array,
    positions: Array,
    squares: Array,
    memory: Array,
    rng: Array,
) -> int:
    """Make iterations until there are enough or the graph is full; return how many were made.

    `positions` holds the k worlds; `squares` sums squared rewards by root label.
    """
    run = runs[0]
    worlds = positions[:2].copy()
    world = worlds[0]
    trial = worlds[1]
    actions = np.empty(run.actions, np.int64)
    labels = np.empty(run.actions, np.int64)
    marks = np.zeros(run.actions, np.int64)  # the last turn at which a label was legal and without an edge
    action_of = np.zeros(run.actions, np.int64)  # by label, this turn
    path = np.empty(run.most_depth + 1, np.int64)
    moves = np.empty(run.most_depth + 1, np.int64)
    key = np.zeros(2, np.uint64)
    rewards = np.zeros(run.seats)
    seat = run.seat
    merge = run.merge
    turn = 0
    for iteration in range(iterations):
        if run.nodes >= nodes.shape[0] or run.edges + run.actions * (run.most_depth + 1) > edges.shape[0]:
            return iteration
        worlds[0] = positions[draw(rng, run.worlds)]
        node = ROOT
        depth = 0
        expanded = False
        noted = 0
        while not expanded and not rules.is_over(world):
            count = rules.legal(world, actions)
            mover = rules.to_move(world)
            turn += 1
            for choice in range(count):
                labels[choice] = rules.relative_action(world, seat, merge, actions[choice])
                marks[labels[choice]] = turn
                action_of[labels[choice]] = actions[choice]

            # Step 1. The edges whose actions are there in this world, and the best of them.
            best = NO_EDGE
            best_bound = -np.inf
            untried = count
            edge = nodes[node].first_edge
            while edge != NO_EDGE:
                arm = edges[edge]
                if marks[arm.label] == turn:
                    marks[arm.label] = 0
                    untried -= 1
                    arm.available += 1
                    bound = np.inf
                    if arm.visits > 0:
                        bound = upper_confidence(arm.average, arm.visits, arm.available, run.exploration)
                    if bound > best_bound:
                        best_bound = bound
                        best = edge
                edge = arm.next

            # Step 2. Actions without an edge: connect those whose position is known already.
            fresh = 0
            for choice in range(count):
                if untried == 0 or marks[labels[choice]] != turn:
                    continue
                worlds[1] = worlds[0]
                rules.apply(trial, actions[choice])
                rules.position_key(trial, seat, merge, key)
                child = find(nodes, slots, key)
                if child == NO_NODE:
                    labels[fresh] = labels[choice]
                    fresh += 1
                    continue
                edge = run.edges
                add_edge(nodes, edges, node, edge, child, labels[choice], mover)
                run.edges += 1
                run.transpositions += 1
                if best_bound < np.inf:
                    best_bound = np.inf
                    best = edge

            if fresh > 0:
                # Step 3. Add one of the positions never met.
                label = labels[draw(rng, fresh)]
                best = run.edges
                add_edge(nodes, edges, node, best, run.nodes, label, mover)
                run.edges += 1
            path[depth] = best
            depth += 1
            noted = note(memory, run, moves, noted, mover, action_of[edges[best].label])
            rules.apply(world, action_of[edges[best].label])
            rules.position_key(world, seat, merge, key)
            node = edges[best].child
            if node == run.nodes or nodes[node].key != key[0]:
                node = find(nodes, slots, key)
                if node == NO_NODE:
                    node = run.nodes
                    add_node(nodes, slots, node, key)
                    run.nodes += 1
                    expanded = True
                edges[best].child = node

        # Step 4. Play to the end, and step 5, update the edges of the way down.
        noted = play_out(memory, run, world, moves, noted, actions, rng)
        result(world, run, rewards)
        learn(memory, run, moves, noted, rewards)
        for step in range(depth):
            arm = edges[path[step]]
            reward = rewards[arm.seat]
            arm.visits += 1
            arm.average += (reward - arm.average) / arm.visits
            if step == 0:
                squares[arm.label] += reward * reward
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)
    return iterations
