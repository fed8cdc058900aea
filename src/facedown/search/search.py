"""The Python side of a search in progress: arrays that grow, iterations in slices, and what has been learnt so far.

Kernels run for a few milliseconds at a time and keep their tree between slices; so time limits, interruption, progress and
more memory are matters of plain Python.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from facedown.errors import NoRoom
from facedown.kernel import Array, bytes_of, room_for
from facedown.search import ismcts_t
from facedown.search.endgame import moves_left_in
from facedown.search.ismcts import grow
from facedown.search.mo_ismcts import grow_trees
from facedown.search.playouts.playout import uniform
from facedown.search.run import new_run
from facedown.search.tree import NO_NODE, NODE, ROOT
from facedown.state import State
from facedown.turns import turns_taken
from facedown.view import View
from facedown.worlds import exact

FIRST_ROOM = 1 << 12  # nodes; twice as many whenever they are used up
COPIED_A_SECOND = 5e8  # bytes, at least, when a tree is given more room
ENTERED_A_SECOND = 1e7  # nodes, at least, when a table of them is made anew


@dataclass
class Arm:
    """One action of a position, as far as it has been searched."""

    action: int  # of the game, or a relative one below the root of a graph
    seat: int  # who chooses it
    visits: int
    available: int
    reward: float  # sum over visits
    squares: float = 0.0  # sum of squares; kept at the root only where memory is short
    places: list[tuple["Search", int]] = field(default_factory=list)  # the nodes it leads to
    relative: bool = False


@dataclass
class Settings:
    """What all searches are told."""

    exploration: float
    reward: int
    merge: bool = False
    discount: float = 1.0
    playout: Callable[[], Array] = uniform  # makes the memory of a policy
    figures: dict[str, float] = field(default_factory=dict)  # fields of RUN that the policy reads


class Search:
    """A search in progress."""

    run: Array
    deadline = inf  # when it has to end, by time.perf_counter

    def advance(self, iterations: int, most: int) -> int:
        """Make so many iterations, or a few more but at most so many; return how many: fewer where time runs out."""
        return self._make(iterations)

    def _make(self, iterations: int) -> int:
        """Make so many iterations, with more room where it is needed; fewer if there is no time to make room.

        A search by the clock ends where there is no more memory either; one that has to make its iterations is refused.
        """
        done = self._slice(iterations)
        while done < iterations and time.perf_counter() + self._room_seconds() < self.deadline:
            try:
                self._make_room()
            except NoRoom:
                if self.deadline == inf:
                    raise
                break
            done += self._slice(iterations - done)
        return done

    def close(self) -> None:
        """Let go of what only a search in progress needs."""

    def _slice(self, iterations: int) -> int:
        raise NotImplementedError

    def _make_room(self) -> None:
        raise NotImplementedError

    def _room_seconds(self) -> float:
        """How long it takes to make room, at most."""
        return 0.0

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The actions tried at a node."""
        raise NotImplementedError

    def figure(self, name: str) -> int:
        """A count of the run: nodes, depth_total, depth_most, transpositions."""
        return int(self.run[name][0])


def new_run_of(position: State | View, settings: Settings, worlds: int) -> Array:
    """What the kernels of a search are told."""
    return new_run(
        seat=position.seat or 0,
        seats=position.game.seats,
        actions=position.game.actions,
        exploration=settings.exploration,
        reward=settings.reward,
        merge=settings.merge,
        discount=settings.discount,
        turns=turns_taken(position.data) if settings.discount < 1 else 0,
        worlds=worlds,
        most_depth=moves_left_in(position.data) if "moves_left" in position.game.rules.answers else 0,
        **settings.figures,
    )


class TreeSearch(Search):
    """UCT on one world, or single-observer ISMCTS over many."""

    def __init__(
        self,
        position: State | View,
        settings: Settings,
        worlds: Array,
        fresh: bool,
        hidden: Any,
        rng: Array,
        room: int = FIRST_ROOM,
    ) -> None:
        """`worlds` are the fixed worlds, or the seat's view where each iteration draws a `fresh` one."""
        self.run = new_run_of(position, settings, 0 if fresh else len(worlds))
        self.worlds = worlds
        self.hidden = hidden
        self.ways = exact.prepare(hidden) if fresh else np.zeros((1, 1))
        self.memory = settings.playout()
        self.rng = rng
        self.tree = rooted(room, 1)

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        return int(grow(iterations, self.tree, self.run, self.worlds, self.hidden, self.ways, self.memory, self.rng))

    def _make_room(self) -> None:
        self.tree = doubled(self.tree)

    def _room_seconds(self) -> float:
        return self.tree.nbytes / COPIED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The children of a node."""
        found = []
        child = int(self.tree["first_child"][node])
        while child != NO_NODE:
            # All fields at once: one by one they take ten times as long.
            reward, squares, visits, available, _, _, sibling, action, seat = self.tree[child].item()
            found.append(Arm(action, seat, visits, available, reward, squares, [(self, child)]))
            child = sibling
        return found


class TreesSearch(TreeSearch):
    """Multiple-observer ISMCTS: the searching seat's own tree is the one that is asked."""

    def __init__(self, view: View, settings: Settings, hidden: Any, rng: Array) -> None:
        super().__init__(view, settings, view.data, True, hidden, rng)
        self.seat = view.seat
        self.run["nodes"] = view.game.seats
        self.tree = rooted(FIRST_ROOM, view.game.seats)

    def _slice(self, iterations: int) -> int:
        return int(grow_trees(iterations, self.tree, self.run, self.worlds, self.hidden, self.ways, self.memory, self.rng))

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The children of a node of the seat's own tree."""
        return super().arms(self.seat if node == ROOT else node)


class GraphSearch(Search):
    """ISMCTS with transpositions, over k fixed worlds."""

    def __init__(self, view: View, settings: Settings, worlds: Array, rng: Array) -> None:
        self.run = new_run_of(view, settings, len(worlds))
        self.worlds = worlds
        self.memory = settings.playout()
        self.rng = rng
        self.squares = np.zeros(view.game.actions)
        most_edges = int(self.run["actions"][0]) * (int(self.run["most_depth"][0]) + 1)  # that an iteration may add
        self.graph = ismcts_t.Graph(FIRST_ROOM, max(FIRST_ROOM, 2 * most_edges))
        ismcts_t.plant(self.graph.nodes, self.graph.slots, self.run, worlds)
        self.actions = {int(ismcts_t.label_of(worlds, self.run, action)): action for action in view.legal}

    def _slice(self, iterations: int) -> int:
        graph = self.graph
        arrays = (graph.nodes, graph.edges, graph.slots, self.run, self.worlds, self.squares)
        return int(ismcts_t.grow_graph(iterations, *arrays, self.memory, self.rng))

    def _make_room(self) -> None:
        self.graph = self.graph.enlarged(self.run)

    def _room_seconds(self) -> float:
        return len(self.graph.nodes) / ENTERED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The edges of a node; below the root they carry relative actions."""
        found = []
        edge = int(self.graph.nodes["first_edge"][node])
        while edge != ismcts_t.NO_EDGE:
            one = self.graph.edges[edge]
            label, visits = int(one["label"]), int(one["visits"])
            found.append(
                Arm(
                    self.actions[label] if node == ROOT else label,
                    int(one["seat"]),
                    visits,
                    int(one["available"]),
                    float(one["average"]) * visits,
                    float(self.squares[label]) if node == ROOT else 0.0,
                    [(self, int(one["child"]))],
                    relative=node != ROOT,
                )
            )
            edge = int(one["next"])
        return found


def rooted(nodes: int, roots: int) -> Array:
    """A tree with room for so many nodes, holding its roots."""
    tree = room_for(nodes, NODE)
    bytes_of(tree[:roots])[:] = 0
    for name in ("parent", "first_child", "next_sibling", "action", "seat"):
        tree[name][:roots] = NO_NODE
    return tree


def doubled(records: Array) -> Array:
    """The same records, with room for twice as many."""
    larger = room_for(2 * len(records), records.dtype)
    bytes_of(larger)[: records.nbytes] = bytes_of(records)
    return larger


def together(arms: list[Arm]) -> list[Arm]:
    """The arms of several searches of the same position, action by action, most visited first."""
    by_action: dict[int, Arm] = {}
    for arm in arms:
        known = by_action.get(arm.action)
        if known is None:
            by_action[arm.action] = Arm(**{**arm.__dict__, "places": list(arm.places)})
            continue
        known.visits += arm.visits
        known.available += arm.available
        known.reward += arm.reward
        known.squares += arm.squares
        known.places += arm.places
    return sorted(by_action.values(), key=lambda arm: (-arm.visits, arm.action))
