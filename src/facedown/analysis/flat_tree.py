"""A whole search tree in arrays, so that it can be sent to another process and shown part by part.

    nodes    0 is the root; first[node] is its first edge, and count[node] how many it has
    edges    those of a node stand together, most visited first; each leads to a node

A tree is flattened best first, by visits, until it has so many nodes; what lies below the others is left out. In a graph
with transpositions a node has several edges that lead to it, and is there once. Searches side by side are added up, as
in `Decision.tree`.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from facedown.compiler.memory import uncollected
from facedown.kernel import Array
from facedown.search.decision import Decision, arms_below
from facedown.search.search import Arm, Search

MOST_NODES = 50_000
ROOT = 0

EDGE = np.dtype(
    [
        ("node", np.int32),  # that it leads to
        ("text", np.int32),  # its place among the texts
        ("seat", np.int16),
        ("visits", np.int64),
        ("available", np.int64),
        ("mean", np.float64),
        ("on_line", np.bool_),  # of what the search expects
    ]
)


@dataclass(frozen=True)
class FlatTree:
    """A tree in arrays."""

    first: Array  # [node]
    count: Array  # [node]
    ways: Array  # [node]: edges that lead there
    edges: Array
    texts: list[str]

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.first)

    @property
    def root(self) -> dict[str, Any]:
        """The root as its children are told."""
        visits = int(self._edges_of(ROOT)["visits"].sum())
        figures = {"visits": visits, "available": visits, "mean": None, "share": 1.0}
        return {"node": ROOT, "text": None, "seat": None, **figures, "children": int(self.count[ROOT]), **PLACE_OF_ROOT}

    def children(self, node: int, start: int, limit: int) -> tuple[list[dict[str, Any]], int]:
        """Some of the edges of a node, and how many come after these."""
        edges = self._edges_of(node)
        whole = max(1, int(edges["visits"].sum()))
        shown = [self._told(edge, whole) for edge in edges[start : start + limit].tolist()]
        return shown, max(0, len(edges) - start - len(shown))

    def _edges_of(self, node: int) -> Array:
        found: Array = self.edges[self.first[node] : self.first[node] + self.count[node]]
        return found

    def _told(self, edge: Sequence[Any], whole: int) -> dict[str, Any]:
        node, text, seat, visits, available, mean, on_line = edge
        return {
            "node": node,
            "text": self.texts[text],
            "seat": seat if seat >= 0 else None,
            "visits": visits,
            "available": available,
            "mean": mean,
            "share": visits / whole,
            "children": int(self.count[node]),
            "again": bool(self.ways[node] > 1),
            "on_line": on_line,
        }


PLACE_OF_ROOT = {"again": False, "on_line": True}
Place = frozenset[tuple[Search, int]]


@dataclass
class Flattening:
    """A tree on its way into arrays."""

    decision: Decision
    first: list[int] = field(default_factory=lambda: [0])
    count: list[int] = field(default_factory=lambda: [0])
    ways: list[int] = field(default_factory=lambda: [0])
    edges: list[tuple[Any, ...]] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    waiting: list[tuple[int, int, Arm]] = field(default_factory=list)  # (-visits, node, one arm that leads there)
    known: dict[Place, int] = field(default_factory=dict)  # nodes of graphs by what they stand for
    named: dict[tuple[int, bool], str] = field(default_factory=dict)  # texts of actions, which take long to make

    def text_of(self, arm: Arm) -> str:
        """An action below the root as text."""
        key = arm.action, arm.relative
        if key not in self.named:
            self.named[key] = self.decision.text_below(arm)
        return self.named[key]

    def add(self, node: int, arms: Sequence[Arm], texts: Sequence[str]) -> None:
        """Write the edges of a node."""
        self.first[node], self.count[node] = len(self.edges), len(arms)
        for arm, text in zip(arms, texts, strict=True):
            number = self.texts.setdefault(text, len(self.texts))
            mean = arm.reward / max(1, arm.visits)
            self.edges.append((self.node_of(arm), number, arm.seat, arm.visits, arm.available, mean, False))

    def node_of(self, arm: Arm) -> int:
        """The node that an arm leads to, a new one if it is not known."""
        place = frozenset(arm.places)
        node = self.known.get(place) if place else None
        if node is None:
            node = len(self.first)
            for column in (self.first, self.count, self.ways):
                column.append(0)
            if place:
                self.known[place] = node
                heapq.heappush(self.waiting, (-arm.visits, node, arm))
        self.ways[node] += 1
        return node

    def mark_line(self) -> None:
        """Mark the edges that the expected line goes along."""
        node = ROOT
        for text in (
            self.decision.line if not self.decision.candidates[:1] or not self.decision.candidates[0].actions else ()
        ):
            own = range(self.first[node], self.first[node] + self.count[node])
            found = next((edge for edge in own if self.edges[edge][1] == self.texts.get(text)), None)
            if found is None:
                return
            self.edges[found] = (*self.edges[found][:-1], True)
            node = self.edges[found][0]


def flatten(decision: Decision, most: int = MOST_NODES) -> FlatTree:
    """The tree of a decision, as much of it as has so many nodes."""
    flat, arms = Flattening(decision), decision.arms()
    flat.add(ROOT, arms, decision.root_texts(arms))
    with uncollected():
        while flat.waiting:
            _, node, arm = heapq.heappop(flat.waiting)
            below = arms_below(arm)
            if len(flat.first) + len(below) > most:
                break
            if below:
                flat.add(node, below, [flat.text_of(one) for one in below])
    flat.mark_line()
    first, count, ways = (np.array(column, np.int32) for column in (flat.first, flat.count, flat.ways))
    return FlatTree(first, count, ways, np.array(flat.edges, EDGE), list(flat.texts))
