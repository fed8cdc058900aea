"""Agents that search: they allocate a tree, let compiled code grow it in slices, and explain what came of it."""

import time
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from facedown import deals
from facedown.agents.player import Agent
from facedown.decision import Decision, forced, from_tree
from facedown.errors import BadOption
from facedown.game import State, View
from facedown.kernel import Array
from facedown.options import Option
from facedown.rules import REWARDS
from facedown.search.ismcts import grow, new_run
from facedown.search.tree import enlarged, new_tree

FIRST_SLICE = 64  # iterations before the clock is read for the first time
SLICE_SECONDS = 0.005  # how long a slice should take, so that a time limit is met to 10 ms and Ctrl-C is heard
FIRST_NODES = 1 << 16

BUDGET = (
    Option("iterations", 1000, "how many iterations a decision gets", least=1),
    Option("seconds", 0.0, "how long a decision may take, in place of iterations; 0 counts iterations"),
    Option("exploration", 0.4, "the exploration constant of UCB1, for rewards from 0 to 1"),
    Option("reward", "points", "what the search maximizes", choices=tuple(REWARDS)),
)


class SearchAgent(Agent):
    """What searching agents share: a budget, a tree, and a decision to explain."""

    declared: ClassVar[tuple[Option, ...]] = BUDGET

    def value(self, name: str) -> Any:
        """An option's value."""
        return self.options[name].value

    def choose(self, view: State | View) -> int:
        """The most visited action."""
        legal = view.legal
        if not legal:
            raise BadOption(f"expected a position with somebody to move, got {view!r}")
        if len(legal) == 1:
            self.decision = forced(view.game, legal[0])
        else:
            self.decision = self.search(view)
        return self.decision.action

    def search(self, view: Any) -> Decision:
        """Grow a tree and decide."""
        raise NotImplementedError

    def grow(self, position: State | View, worlds: Array, fixed: int, hidden: Array, ways: Array) -> Decision:
        """Search from a position in slices, until the budget is spent."""
        game = position.game
        run = new_run(
            seat=position.seat or 0,
            exploration=self.value("exploration"),
            reward=REWARDS[self.value("reward")],
            worlds=fixed,
            actions=game.actions,
            seats=game.seats,
        )
        rng = self.stream(position)
        begin = time.perf_counter()
        tree, iterations = self._spend(run, lambda tree: grow(tree, run, worlds, hidden, ways, rng))
        seconds = time.perf_counter() - begin
        return from_tree(
            game,
            tree[: run[0].nodes],
            iterations=iterations,
            worlds=fixed,
            nodes=int(run[0].nodes),
            depth_mean=float(run[0].depth_total) / max(1, iterations),
            depth_most=int(run[0].depth_most),
            seconds=seconds,
        )

    def _spend(self, run: Any, more: Callable[[Any], int]) -> tuple[Any, int]:
        """Call `more(tree)` slice by slice, with more room when the tree is full; the tree and the iterations made."""
        seconds = self.value("seconds")
        budget = self.value("iterations") if not seconds else np.iinfo(np.int32).max
        tree = new_tree(min(budget + 1, FIRST_NODES))
        deadline = time.perf_counter() + seconds
        size = FIRST_SLICE
        done = 0
        while done < budget and (not seconds or time.perf_counter() < deadline or done == 0):
            if run[0].nodes == len(tree):
                tree = enlarged(tree, min(2 * len(tree), budget + 1))
            run[0].iterations = min(size, budget - done)
            begin = time.perf_counter()
            done += more(tree)
            if time.perf_counter() - begin < SLICE_SECONDS / 2:
                size *= 2
        return tree, done


class Uct(SearchAgent):
    """UCT with all cards open: the strongest a search can hope to be, and a cheat."""

    name = "uct"
    summary = "UCT that sees all cards (a cheat, for upper bounds)"
    sees_all = True

    def search(self, state: State) -> Decision:
        """One world: the true one."""
        return self.grow(state, state.data, 1, deals.new_hidden(), np.zeros((1, 1)))


class Ismcts(SearchAgent):
    """Single-observer information set MCTS."""

    name = "ismcts"
    summary = "single-observer information set MCTS"
    declared = (
        *BUDGET,
        Option("sampler", "exact", "how hidden cards are drawn", choices=tuple(deals.SAMPLERS)),
    )

    def search(self, view: View) -> Decision:
        """A fresh world each iteration; worlds by the slower samplers are drawn beforehand."""
        sampler = self.value("sampler")
        hidden = view.unseen(sampler)
        ways = deals.prepare(hidden)
        if sampler in deals.BY_EXACT_COUNT:
            return self.grow(view, view.data, 0, hidden, ways)
        worlds = view.sample_many(self.value("iterations"), self.stream(view), sampler)
        return self.grow(view, worlds, len(worlds), hidden, ways)
