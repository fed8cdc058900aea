"""ISMCTS with transpositions (Manzke 2025, algorithm 2): a graph of abstracted information sets.

Nodes are positions by the game's `position_key`, as the searching seat knows them; statistics are on the edges, which carry
relative actions. Only edges of the path down are updated (update-descent), and worlds come from a fixed set of k.

    slots ──key──> node ── first_edge ──> edge ── next_sibling ──> edge ── next_sibling ──> NO_NODE
                                            └── child ──> node, perhaps one that other edges lead to

A node, an edge and two slots take 48 bytes in all. An edge's mean is a running one, in single precision.
"""

from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, bytes_of, kernel, room_for
from facedown.rng import draw
from facedown.search.playouts.playout import learn, note, play_out, result
from facedown.search.run import count_depth
from facedown.search.search import ENTERED_A_SECOND, FIRST_ROOM, Arm, Search, Settings, new_run_of
from facedown.search.selection import best_arm, legal_children, mark_legal, new_scratch
from facedown.search.tree import NO_NODE, ROOT
from facedown.view import View
from facedown.worlds.source import Source, next_world, room_for_world

NODE = np.dtype([("key", np.uint64), ("check", np.uint32), ("first_edge", np.int32)], align=True)
EDGE = np.dtype(
    [
        ("average", np.float32),
        ("visits", np.int32),
        ("available", np.int32),
        ("child", np.int32),
        ("next_sibling", np.int32),
        ("action", np.int16),  # a relative one
        ("seat", np.int16),  # who chooses it
    ],
    align=True,
)
EMPTY = -1
LOWER_HALF = np.uint64(0xFFFFFFFF)


class Graph(NamedTuple):
    """The arrays of a search."""

    nodes: Array
    edges: Array
    slots: Array
    squares: Array  # sums of squared rewards, by relative action at the root


class GraphScratch(NamedTuple):
    """Scratch (see selection.py), and what a graph needs beside."""

    actions: Array  # the legal ones, as relative actions
    marks: Array
    arms: Array
    moves: Array
    rewards: Array
    legal: Array  # the game's own actions
    action_of: Array  # the game's own action, by relative action
    path: Array  # the edges followed
    key: Array
    trial: Array  # a world in which an action is tried


# --- The table of positions -------------------------------------------------------------------------------------------


@kernel
def find(nodes: Array, slots: Array, key: Array) -> int:
    """The node with a key, or NO_NODE."""
    slot = key[0] & np.uint64(slots.shape[0] - 1)
    while slots[slot] != EMPTY:
        node = slots[slot]
        if nodes[node].key == key[0] and nodes[node].check == np.uint32(key[1] & LOWER_HALF):
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
def add_node(graph: Graph, run: Record, key: Array) -> int:
    """Write a new node and enter it."""
    node = run.nodes
    run.nodes += 1
    write_node(graph.nodes, graph.slots, node, key)
    return int(node)


@kernel
def write_node(nodes: Array, slots: Array, node: int, key: Array) -> None:
    """The same with its number."""
    nodes[node].key = key[0]
    nodes[node].check = np.uint32(key[1] & LOWER_HALF)
    nodes[node].first_edge = NO_NODE
    put(slots, key[0], node)


@kernel
def add_edge(graph: Graph, run: Record, node: int, child: int, action: int, seat: int) -> int:
    """Write a new edge from a node to a child, before the others."""
    edge = run.edges
    run.edges += 1
    new = graph.edges[edge]
    new.average = 0.0
    new.visits = 0
    new.available = 1
    new.child = child
    new.next_sibling = graph.nodes[node].first_edge
    new.action = action
    new.seat = seat
    graph.nodes[node].first_edge = edge
    return int(edge)


@kernel
def plant(graph: Graph, runs: Array, world: Array) -> None:
    """Make the root: the searching seat's own position, which is the same in all worlds."""
    key = np.zeros(2, np.uint64)
    rules.position_key(world[0], runs[0].seat, runs[0].merge, key)
    write_node(graph.nodes, graph.slots, ROOT, key)


@kernel
def first_world(source: Any, rng: Array) -> Any:
    """A world of the source."""
    world = room_for_world(source)
    next_world(source, world, rng)
    return world


@kernel
def relative_at_root(world: Array, runs: Array, action: int) -> int:
    """An action's relative name at the root."""
    return rules.relative_action(world[0], runs[0].seat, runs[0].merge, action)


# --- Iterations -------------------------------------------------------------------------------------------------------


@kernel
def name_actions(world: Record, run: Record, scratch: GraphScratch) -> int:
    """Write the legal actions by their relative names; how many there are."""
    legal, actions, action_of = scratch.legal, scratch.actions, scratch.action_of
    count = rules.legal(world, legal)
    for choice in range(count):
        actions[choice] = rules.relative_action(world, run.seat, run.merge, legal[choice])
        action_of[actions[choice]] = legal[choice]
    return count


@kernel
def select(graph: Graph, run: Record, world: Record, node: int, scratch: GraphScratch) -> tuple[int, int]:
    """The best edge of a node; and how many legal actions lead to positions never met, as scratch.actions then has them."""
    count = name_actions(world, run, scratch)
    marks, arms = scratch.marks, scratch.arms
    run.choices += 1
    mark_legal(scratch.actions, count, marks, run.choices)
    found, _ = legal_children(graph.edges, graph.nodes[node].first_edge, count, marks, run.choices, arms)
    best = best_arm(graph.edges, arms, found, 0, run.exploration)
    if found == count:
        return best, 0
    known, fresh = connect(graph, run, world, node, scratch, count)
    if known != NO_NODE and (best == NO_NODE or graph.edges[best].visits > 0):
        best = known
    return best, fresh


@kernel
def connect(graph: Graph, run: Record, world: Record, node: int, scratch: GraphScratch, count: int) -> tuple[int, int]:
    """Add edges for actions without one that lead to known positions; the first of these, and how many do not."""
    actions, marks, legal, key, trial = scratch.actions, scratch.marks, scratch.legal, scratch.key, scratch.trial
    nodes, slots = graph.nodes, graph.slots
    first = NO_NODE
    fresh = 0
    for choice in range(count):
        action = actions[choice]
        if marks[action] != run.choices:
            continue
        trial[0] = world
        rules.apply(trial[0], legal[choice])
        rules.position_key(trial[0], run.seat, run.merge, key)
        child = find(nodes, slots, key)
        if child == NO_NODE:
            actions[fresh] = action
            fresh += 1
            continue
        edge = add_edge(graph, run, node, child, action, rules.to_move(world))
        run.transpositions += 1
        if first == NO_NODE:
            first = edge
    return first, fresh


@kernel
def expand(graph: Graph, run: Record, world: Record, node: int, action: int) -> int:
    """Add an edge to a position never met, which is not there yet."""
    return add_edge(graph, run, node, run.nodes, action, rules.to_move(world))


@kernel
def arrive(graph: Graph, run: Record, world: Record, edge: int, scratch: GraphScratch) -> tuple[int, bool]:
    """The node of the position that an edge has led to in this world, and whether it is new."""
    rules.position_key(world, run.seat, run.merge, scratch.key)
    node = int(np.int64(graph.edges[edge].child))
    if node != run.nodes and graph.nodes[node].key == scratch.key[0]:
        return node, False
    node = find(graph.nodes, graph.slots, scratch.key)
    is_new = node == NO_NODE
    if is_new:
        node = add_node(graph, run, scratch.key)
    graph.edges[edge].child = node
    return node, is_new


@kernel
def descend(graph: Graph, run: Record, world: Record, memory: Array, scratch: GraphScratch, rng: Array) -> tuple[int, int]:
    """Down the graph in one world to a position never met, which is added; how many edges, and how many moves noted."""
    actions, moves, path, action_of = scratch.actions, scratch.moves, scratch.path, scratch.action_of
    edges = graph.edges
    node = ROOT
    steps = 0
    noted = 0
    expanded = False
    while not expanded and not rules.is_over(world):
        edge, fresh = select(graph, run, world, node, scratch)
        if fresh > 0:
            edge = expand(graph, run, world, node, actions[draw(rng, fresh)])
        path[steps] = edge
        steps += 1
        action = action_of[edges[edge].action]
        noted = note(memory, run, moves, noted, rules.to_move(world), action)
        rules.apply(world, action)
        node, expanded = arrive(graph, run, world, edge, scratch)
    return steps, noted


@kernel
def back_up(graph: Graph, path: Array, steps: int, rewards: Array) -> None:
    """Update the edges of the path down."""
    edges, squares = graph.edges, graph.squares
    for step in range(steps):
        arm = edges[path[step]]
        reward = rewards[arm.seat]
        arm.visits += 1
        arm.average += (reward - arm.average) / arm.visits
        if step == 0:
            squares[arm.action] += reward * reward


@kernel
def new_graph_scratch(run: Record, source: Any) -> GraphScratch:
    """Scratch for one thread."""
    own = new_scratch(run)
    rows = np.zeros((2, run.actions), np.int64)
    path = np.empty(run.most_depth + 1, np.int64)
    key = np.zeros(2, np.uint64)
    return GraphScratch(
        own.actions, own.marks, own.arms, own.moves, own.rewards, rows[0], rows[1], path, key, room_for_world(source)
    )


@kernel
def grow_graph(iterations: int, graph: Graph, runs: Array, source: Any, memory: Array, rng: Array) -> int:
    """Make iterations until there are enough or the graph is full; return how many were made."""
    run = runs[0]
    worlds = room_for_world(source)
    world = worlds[0]
    scratch = new_graph_scratch(run, source)
    legal, moves, rewards, path = scratch.legal, scratch.moves, scratch.rewards, scratch.path
    most_nodes = graph.nodes.shape[0]
    most_edges = graph.edges.shape[0] - run.actions * (run.most_depth + 1)
    for iteration in range(iterations):
        if run.nodes >= most_nodes or run.edges > most_edges:
            return iteration
        next_world(source, worlds, rng)
        steps, noted = descend(graph, run, world, memory, scratch, rng)
        noted = play_out(memory, run, world, moves, noted, legal, rng)
        result(world, run, rewards)
        learn(memory, run, moves, noted, rewards)
        back_up(graph, path, steps, rewards)
        count_depth(run, steps)
    return iterations


# --- The Python side --------------------------------------------------------------------------------------------------


def new_graph(nodes: int, edges: int, squares: Array) -> Graph:
    """A graph with room for some nodes and edges."""
    slots = np.full(1 << (2 * nodes - 1).bit_length(), EMPTY, np.int32)
    return Graph(room_for(nodes, NODE), room_for(edges, EDGE), slots, squares)


def enlarged(graph: Graph, run: Array) -> Graph:
    """The same graph with twice the room, for nodes or for edges."""
    nodes, edges = int(run["nodes"][0]), int(run["edges"][0])
    full = nodes >= len(graph.nodes)
    larger = new_graph(len(graph.nodes) * (2 if full else 1), len(graph.edges) * (1 if full else 2), graph.squares)
    bytes_of(larger.nodes)[: nodes * NODE.itemsize] = bytes_of(graph.nodes)[: nodes * NODE.itemsize]
    bytes_of(larger.edges)[: edges * EDGE.itemsize] = bytes_of(graph.edges)[: edges * EDGE.itemsize]
    fill_slots(larger.nodes, larger.slots, nodes)
    return larger


class GraphSearch(Search):
    """ISMCTS with transpositions."""

    def __init__(self, view: View, settings: Settings, source: Source, rng: Array) -> None:
        self.run = new_run_of(view, settings, source.size)
        self.source = source
        self.memory = settings.playout()
        self.rng = rng
        most_edges = int(self.run["actions"][0]) * (int(self.run["most_depth"][0]) + 1)  # that an iteration may add
        self.graph = new_graph(FIRST_ROOM, max(FIRST_ROOM, 2 * most_edges), np.zeros(view.game.actions))
        world = first_world(source.for_another_thread(), rng.copy())
        plant(self.graph, self.run, world)
        self.actions = {int(relative_at_root(world, self.run, action)): action for action in view.legal}

    def _slice(self, iterations: int) -> int:
        return int(grow_graph(iterations, self.graph, self.run, self.source, self.memory, self.rng))

    def _make_room(self) -> None:
        self.graph = enlarged(self.graph, self.run)

    def _room_seconds(self) -> float:
        return len(self.graph.nodes) / ENTERED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The edges of a node; below the root they carry relative actions."""
        found = []
        edge = int(self.graph.nodes["first_edge"][node])
        while edge != NO_NODE:
            one = self.graph.edges[edge]
            action, visits = int(one["action"]), int(one["visits"])
            found.append(
                Arm(
                    self.actions[action] if node == ROOT else action,
                    int(one["seat"]),
                    visits,
                    int(one["available"]),
                    float(one["average"]) * visits,
                    float(self.graph.squares[action]) if node == ROOT else 0.0,
                    [(self, int(one["child"]))],
                    relative=node != ROOT,
                )
            )
            edge = int(one["next_sibling"])
        return found
