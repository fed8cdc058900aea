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
from facedown.search.playouts.playout import NOTED, learn, note, play_out, result
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
def write_node(nodes: Array, slots: Array, node: int, key: Array) -> None:
    """Write a new node and enter it."""
    nodes[node].key = key[0]
    nodes[node].check = np.uint32(key[1] & LOWER_HALF)
    nodes[node].first_edge = NO_NODE
    put(slots, key[0], node)


@kernel
def add_edge(edges: Array, run: Record, node: Record, child: int, action: int, seat: int) -> int:
    """Write a new edge from a node to a child, before the others."""
    edge = run.edges
    run.edges += 1
    new = edges[edge]
    new.average = 0.0
    new.visits = 0
    new.available = 1
    new.child = child
    new.next_sibling = node.first_edge
    new.action = action
    new.seat = seat
    node.first_edge = edge
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
def name_actions(world: Record, run: Record, legal: Array, count: int, actions: Array, action_of: Array) -> None:
    """Write the relative names of the legal actions, and the action of each name."""
    seat = run.seat
    merge = run.merge
    for choice in range(count):
        name = rules.relative_action(world, seat, merge, legal[choice])
        actions[choice] = name
        action_of[name] = legal[choice]


@kernel
def back_up(edges: Array, path: Array, steps: int, rewards: Array, squares: Array) -> None:
    """Update the edges of the path down."""
    for step in range(steps):
        arm = edges[path[step]]
        reward = rewards[arm.seat]
        arm.visits += 1
        arm.average += (reward - arm.average) / arm.visits
        if step == 0:
            squares[arm.action] += reward * reward


@kernel
def grow_graph(iterations: int, graph: Graph, runs: Array, source: Any, memory: Array, rng: Array) -> int:
    """Make iterations until there are enough or the graph is full; return how many were made."""
    run = runs[0]
    nodes, edges, slots, squares = graph
    worlds = room_for_world(source)
    world = worlds[0]
    actions, marks, arms, moves, rewards = new_scratch(run)
    legal = np.empty(run.actions, np.int64)
    action_of = np.empty(run.actions, np.int64)  # by relative name, of the choice under way
    path = np.empty(run.most_depth + 1, np.int64)
    key = np.zeros(2, np.uint64)
    trials = room_for_world(source)
    trial = trials[0]  # a world in which an action is tried
    seat = run.seat
    merge = run.merge
    turn = 0
    most_edges = edges.shape[0] - run.actions * (run.most_depth + 1)
    for iteration in range(iterations):
        if run.nodes >= nodes.shape[0] or run.edges > most_edges:
            return iteration
        next_world(source, worlds, rng)
        node = ROOT
        steps = 0
        moves[NOTED] = 0
        expanded = False
        while not expanded and not rules.is_over(world):
            # Step 1. Select: the best of the edges whose actions are legal in this world.
            count = rules.legal(world, legal)
            mover = rules.to_move(world)
            name_actions(world, run, legal, count, actions, action_of)
            turn += 1
            mark_legal(actions, count, marks, turn)
            found, _ = legal_children(edges, nodes[node].first_edge, count, marks, turn, arms)
            best = best_arm(edges, arms, found, 0, run)
            # Step 2. Expand: connect the actions without an edge whose positions are known, and add one position never met.
            fresh = 0
            for choice in range(count if found < count else 0):
                action = actions[choice]
                if marks[action] != turn:
                    continue
                trials[0] = worlds[0]
                rules.apply(trial, legal[choice])
                rules.position_key(trial, seat, merge, key)
                child = find(nodes, slots, key)
                if child == NO_NODE:
                    actions[fresh] = action
                    fresh += 1
                    continue
                edge = add_edge(edges, run, nodes[node], child, action, mover)
                run.transpositions += 1
                if best == NO_NODE or edges[best].visits > 0:
                    best = edge
            if fresh > 0:
                best = add_edge(edges, run, nodes[node], run.nodes, actions[draw(rng, fresh)], mover)
            path[steps] = best
            steps += 1
            action = action_of[edges[best].action]
            note(memory, run, world, moves, mover, action)
            rules.apply(world, action)
            rules.position_key(world, seat, merge, key)
            node = int(np.int64(edges[best].child))
            if node == run.nodes or nodes[node].key != key[0]:
                node = find(nodes, slots, key)
                expanded = node == NO_NODE
                if expanded:
                    node = run.nodes
                    run.nodes += 1
                    write_node(nodes, slots, node, key)
                edges[best].child = node
        # Step 3. Play to the end. Step 4. Back up.
        play_out(memory, run, world, moves, legal, rng)
        result(world, run, rewards)
        learn(memory, run, moves, rewards)
        back_up(edges, path, steps, rewards, squares)
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
