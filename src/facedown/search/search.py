"""The Python side of a search in progress: arrays that grow, iterations in slices, and what has been learnt so far.

Kernels run for a few milliseconds at a time and keep their tree between slices; so time limits, interruption, progress and
more memory are matters of plain Python.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Any

from facedown.compiler.asking import turns_taken
from facedown.errors import NoRoom
from facedown.kernel import Array, bytes_of, room_for
from facedown.search.endgame import moves_left_in
from facedown.search.playouts.playout import uniform
from facedown.search.run import new_run
from facedown.search.tree import ROOT
from facedown.state import State
from facedown.view import View

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
    """What all searches need to know."""

    exploration: float
    reward: int
    merge: bool = False
    equivalence: float = 0.0  # of AMAF and visits; 0 without AMAF
    discount: float = 1.0
    playout: Callable[[], Any] = uniform  # makes the memory of a policy
    figures: dict[str, float] = field(default_factory=dict)  # fields of RUN that the policy reads


class Search:
    """A search in progress."""

    run: Array
    deadline = inf  # when it has to end, by time.perf_counter

    def advance(self, iterations: int, most: int) -> int:
        """Make some iterations, or a few more up to `most`; return how many: fewer where time runs out."""
        return self._make(iterations)

    def _make(self, iterations: int) -> int:
        """Make some iterations, with more room where it is needed; fewer if there is no time to make room.

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


def new_run_of(position: State | View, settings: Settings, worlds: int, bounded: bool = True) -> Array:
    """What the kernels of a search need to know; how many actions there may be to the end, where they are `bounded`."""
    return new_run(
        seat=position.seat or 0,
        seats=position.game.seats,
        actions=position.game.actions,
        exploration=settings.exploration,
        equivalence=settings.equivalence,
        reward=settings.reward,
        merge=settings.merge,
        discount=settings.discount,
        turns=turns_taken(position.data) if settings.discount < 1 else 0,
        worlds=worlds,
        most_depth=moves_left_in(position.data) if bounded and "moves_left" in position.game.rules.answers else 0,
        **settings.figures,
    )


def merge_arms(arms: list[Arm]) -> list[Arm]:
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


def doubled(records: Array) -> Array:
    """The same records, with room for twice as many."""
    larger = room_for(2 * len(records), records.dtype)
    bytes_of(larger)[: records.nbytes] = bytes_of(records)
    return larger
