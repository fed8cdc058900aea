"""ISMCTS by batches, for several threads on one tree: descend to many leaves, play them out, take the results home.

A leaf at a time would be too little work to hand to a thread, or to take a lock for. Whoever is under way counts as a visit
without success (virtual loss), so that those who come after look elsewhere.
"""

import numpy as np

from facedown.kernel import Array, Record, acquire, kernel, release, room_for
from facedown.search.ismcts import choose_world, descend
from facedown.search.playouts.playout import learn, play_out, result
from facedown.search.tree import lend, settle


class Batch:
    """The arrays for so many leaves."""

    def __init__(self, size: int, worlds: Array, run: Array) -> None:
        self.worlds = room_for(size, worlds.dtype)  # as they are at the leaves
        self.leaves = np.zeros(size, np.int64)  # their nodes
        self.moves = np.zeros((size, int(run["most_depth"][0]) + 1), np.int64)
        self.noted = np.zeros(size, np.int64)  # how many moves
        self.rewards = np.zeros((size, int(run["seats"][0])))

    def first(self, count: int) -> tuple[Array, ...]:
        """The arrays, of the first so many leaves."""
        return self.worlds[:count], self.leaves[:count], self.moves[:count], self.noted[:count], self.rewards[:count]


@kernel
def draw_worlds(worlds: Array, run: Record, positions: Array, hidden: Record, ways: Array, rng: Array) -> None:
    """A world for each leaf."""
    for place in range(worlds.shape[0]):
        choose_world(worlds[place : place + 1], positions, run, hidden, ways, rng)


@kernel
def gather(
    worlds: Array, leaves: Array, moves: Array, noted: Array, tree: Array, run: Record, memory: Array, rng: Array
) -> int:
    """Descend in each world, as far as there is room for new nodes; return how many were done."""
    scratch = np.zeros((3, run.actions), np.int64)
    for place in range(worlds.shape[0]):
        if run.nodes >= run.room:
            return place
        leaves[place], noted[place] = descend(tree, run, worlds[place], memory, moves[place], scratch, rng)
        lend(tree, leaves[place], run.pending)
    return int(worlds.shape[0])


@kernel
def play_leaves(
    first: int, step: int, worlds: Array, moves: Array, noted: Array, rewards: Array, runs: Array, memory: Array, rng: Array
) -> None:
    """Play out every so many-th leaf: one thread's share."""
    run = runs[0]
    actions = np.empty(run.actions, np.int64)
    for place in range(first, worlds.shape[0], step):
        count = play_out(memory, run, worlds[place], moves[place], noted[place], actions, rng)
        result(worlds[place], run, rewards[place])
        learn(memory, run, moves[place], count, rewards[place])


@kernel
def take_home(leaves: Array, rewards: Array, tree: Array, run: Record) -> None:
    """Put all results into the tree."""
    for place in range(leaves.shape[0]):
        depth = settle(tree, leaves[place], rewards[place], run.pending)
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)


@kernel
def begin_batch(
    worlds: Array,
    leaves: Array,
    moves: Array,
    noted: Array,
    tree: Array,
    runs: Array,
    positions: Array,
    hidden: Array,
    ways: Array,
    memory: Array,
    rng: Array,
) -> int:
    """All that comes before the playouts; return how many there are to make."""
    draw_worlds(worlds, runs[0], positions, hidden[0], ways, rng)
    return gather(worlds, leaves, moves, noted, tree, runs[0], memory, rng)


@kernel
def end_batch(leaves: Array, rewards: Array, tree: Array, runs: Array) -> None:
    """All that comes after them."""
    take_home(leaves, rewards, tree, runs[0])


@kernel
def grow_shared(
    iterations: int,
    worlds: Array,
    leaves: Array,
    moves: Array,
    noted: Array,
    rewards: Array,
    tree: Array,
    runs: Array,
    positions: Array,
    hidden: Array,
    ways: Array,
    memory: Array,
    rng: Array,
) -> int:
    """One thread's iterations on a tree that others grow too: inside it, one thread at a time."""
    run = runs[0]
    done = 0
    while done < iterations:
        asked = min(iterations - done, worlds.shape[0], 1 + run.nodes // 64)  # a young tree has little to spread over
        draw_worlds(worlds[:asked], run, positions, hidden[0], ways, rng)
        acquire(runs)
        count = gather(worlds[:asked], leaves, moves, noted, tree, run, memory, rng)
        release(runs)
        play_leaves(0, 1, worlds[:count], moves, noted, rewards, runs, memory, rng)
        acquire(runs)
        take_home(leaves[:count], rewards, tree, run)
        release(runs)
        done += count
        if count < asked:
            return done
    return done
