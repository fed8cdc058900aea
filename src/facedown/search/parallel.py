"""Several threads on one tree: inside it in turn (tree parallelization), or only at its leaves (leaf parallelization).

ISMCTS by batches: descend to many leaves, play them out, back the results up. One leaf at a time would be too little work to
hand to a thread, or to take a lock for. An iteration under way counts as a visit without success (virtual loss), so that
those that come after look elsewhere. Each thread has its own random numbers, hidden cards and memory of playouts.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import Any, NamedTuple

import numpy as np

from facedown.kernel import Array, Record, acquire, kernel, release, room_for
from facedown.rewards import LOWEST
from facedown.search.ismcts import TreeSearch, descend
from facedown.search.playouts.playout import learn, play_out, result
from facedown.search.run import count_depth
from facedown.search.search import Settings
from facedown.search.selection import Scratch, new_scratch
from facedown.search.tree import add_virtual_loss, resolve_virtual_loss
from facedown.state import State
from facedown.view import View
from facedown.worlds.source import Source, next_world

TREE_BATCH = 16  # leaves for which a thread enters the tree: fewer, and threads wait for each other
LEAF_BATCH = 1024  # leaves for each thread to play out: fewer, and waking it costs more than it does
YOUTH = 8  # a batch is at most this share of the visits there have been, 1 in 8: more would look too far from the best


class Batch(NamedTuple):
    """Leaves to play out."""

    worlds: Array  # as they are at the leaves
    leaves: Array  # their nodes
    moves: Array  # a row each
    rewards: Array  # a row each, by seat

    def first(self, count: int) -> "Batch":
        """The first leaves, for Python code: see first_of."""
        return Batch(*(array[:count] for array in self))


class Shared(NamedTuple):
    """What all threads work on."""

    tree: Array
    runs: Array


@kernel
def first_of(batch: Batch, count: int) -> Batch:
    """The first leaves of a batch."""
    return Batch(batch.worlds[:count], batch.leaves[:count], batch.moves[:count], batch.rewards[:count])


@kernel
def draw_worlds(batch: Batch, source: Any, rng: Array) -> None:
    """A world for each leaf."""
    for place in range(batch.worlds.shape[0]):
        next_world(source, batch.worlds[place : place + 1], rng)


@kernel
def gather(batch: Batch, tree: Array, run: Record, memory: Array, own: Scratch, rng: Array) -> int:
    """Descend in each world, as far as there is room for new nodes; return how many were done."""
    for place in range(batch.worlds.shape[0]):
        if run.nodes >= run.room:
            return place
        scratch = Scratch(own.actions, own.marks, own.arms, batch.moves[place], own.rewards)
        batch.leaves[place] = descend(tree, run, batch.worlds[place], memory, scratch, rng)
        add_virtual_loss(tree, batch.leaves[place], run.virtual_loss)
    return int(batch.worlds.shape[0])


@kernel
def play_leaves(batch: Batch, first: int, step: int, runs: Array, memory: Array, rng: Array) -> None:
    """Play out one leaf in every `step`, from `first` on: one thread's share."""
    run = runs[0]
    actions = np.empty(run.actions, np.int64)
    for place in range(first, batch.worlds.shape[0], step):
        world = batch.worlds[place]
        play_out(memory, run, world, batch.moves[place], actions, rng)
        result(world, run, batch.rewards[place])
        learn(memory, run, batch.moves[place], batch.rewards[place])


@kernel
def back_up_leaves(batch: Batch, tree: Array, run: Record) -> None:
    """Put all results into the tree."""
    for place in range(batch.worlds.shape[0]):
        count_depth(run, resolve_virtual_loss(tree, batch.leaves[place], batch.rewards[place], run.virtual_loss))


@kernel
def begin_batch(batch: Batch, shared: Shared, source: Any, memory: Array, rng: Array) -> int:
    """All that comes before the playouts; return how many there are to make."""
    draw_worlds(batch, source, rng)
    run = shared.runs[0]
    return gather(batch, shared.tree, run, memory, new_scratch(run), rng)


@kernel
def end_batch(batch: Batch, shared: Shared) -> None:
    """All that comes after them."""
    back_up_leaves(batch, shared.tree, shared.runs[0])


@kernel
def grow_shared(iterations: int, room: Batch, shared: Shared, source: Any, memory: Array, rng: Array) -> int:
    """One thread's iterations on a tree that others grow too: inside it, one thread at a time."""
    tree = shared.tree
    runs = shared.runs
    run = runs[0]
    scratch = new_scratch(run)
    done = 0
    while done < iterations:
        asked = min(iterations - done, room.worlds.shape[0], 1 + run.nodes // 64)  # a young tree has little to spread over
        batch = first_of(room, asked)
        draw_worlds(batch, source, rng)
        acquire(runs)
        count = gather(batch, tree, run, memory, scratch, rng)
        release(runs)
        batch = first_of(batch, count)
        play_leaves(batch, 0, 1, runs, memory, rng)
        acquire(runs)
        back_up_leaves(batch, tree, run)
        release(runs)
        done += count
        if count < asked:
            return done
    return done


# --- The Python side --------------------------------------------------------------------------------------------------


def new_batch(size: int, worlds: np.dtype[Any], run: Array) -> Batch:
    """Room for some leaves."""
    moves = np.zeros((size, int(run["most_depth"][0]) + 1), np.int64)
    rewards = np.zeros((size, int(run["seats"][0])))
    return Batch(room_for(size, worlds), np.zeros(size, np.int64), moves, rewards)


class SharedSearch(TreeSearch):
    """A tree and the threads that work on it; `rngs` has one stream for each."""

    def __init__(self, position: State | View, settings: Settings, source: Source, rngs: list[Array]) -> None:
        super().__init__(position, settings, source, rngs[0])
        self.rngs = rngs
        self.memories = [self.memory, *(settings.playout() for _ in rngs[1:])]
        self.run["virtual_loss"] = LOWEST[settings.reward]
        self._pool = ThreadPoolExecutor(len(rngs))

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown()

    def _in_threads(self, work: Callable[[int], Any]) -> list[Any]:
        """What the work of each thread gives, known by its number; the first is this very thread."""
        others = [self._pool.submit(work, index) for index in range(1, len(self.rngs))]
        return [work(0), *(other.result() for other in others)]


class TreeParallelSearch(SharedSearch):
    """All threads grow the tree: who comes first differs from run to run."""

    def __init__(self, position: State | View, settings: Settings, source: Source, rngs: list[Array]) -> None:
        super().__init__(position, settings, source, rngs)
        self.sources = [source, *(source.for_another_thread() for _ in rngs[1:])]
        self.batches = [new_batch(TREE_BATCH, position.data.dtype, self.run) for _ in rngs]

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        shared, count = Shared(self.tree, self.run), len(self.rngs)

        def work(index: int) -> int:
            share = (iterations + count - 1 - index) // count
            own = (self.sources[index], self.memories[index], self.rngs[index])
            return int(grow_shared(share, self.batches[index], shared, *own))

        return sum(self._in_threads(work))


class LeafParallelSearch(SharedSearch):
    """One thread descends to many leaves, all play them out, and one backs the results up: the same in every run."""

    def __init__(self, position: State | View, settings: Settings, source: Source, rngs: list[Array]) -> None:
        super().__init__(position, settings, source, rngs)
        self.batch = new_batch(LEAF_BATCH * len(rngs), position.data.dtype, self.run)

    def advance(self, iterations: int, most: int) -> int:
        """Make whole batches, so that the time a slice takes has no say in what is found."""
        done = 0
        while done < iterations:
            batch = min(most - done, len(self.batch.leaves), 1 + int(self.tree["visits"][0]) // YOUTH)
            if self.deadline < inf:  # nor has it if time decides anyway
                batch = min(batch, iterations - done)
            made = self._make(batch)
            done += made
            if made < batch:
                break
        return done

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        shared = Shared(self.tree, self.run)
        count = int(begin_batch(self.batch.first(iterations), shared, self.source, self.memory, self.rng))
        batch = self.batch.first(count)

        def work(index: int) -> None:
            play_leaves(batch, index, len(self.rngs), self.run, self.memories[index], self.rngs[index])

        self._in_threads(work)
        end_batch(batch, shared)
        return count
