"""Several threads on one tree: inside it in turn (tree parallelization), or only at its leaves (leaf parallelization).

Each thread has its own random numbers, hidden cards and memory of playouts.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import Any

from facedown.kernel import Array, copied
from facedown.rewards import LOWEST
from facedown.search.leaves import Batch, begin_batch, end_batch, grow_shared, play_leaves
from facedown.search.search import Settings, TreeSearch
from facedown.state import State
from facedown.view import View

TREE_BATCH = 16  # leaves for which a thread enters the tree: fewer, and threads wait for each other
LEAF_BATCH = 1024  # leaves for each thread to play out: fewer, and waking it costs more than it does
YOUTH = 8  # a batch is at most one in so many of the visits there have been: more would look too far from the best


class SharedSearch(TreeSearch):
    """A tree and the threads that work on it; `rngs` has one stream for each."""

    def __init__(
        self, position: State | View, settings: Settings, worlds: Array, fresh: bool, hidden: Array, rngs: list[Array]
    ) -> None:
        super().__init__(position, settings, worlds, fresh, hidden, rngs[0])
        self.rngs = rngs
        self.memories = [self.memory, *(settings.playout() for _ in rngs[1:])]
        self.run["pending"] = LOWEST[settings.reward]
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

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.hiddens = [self.hidden, *(copied(self.hidden) for _ in self.rngs[1:])]
        self.batches = [Batch(TREE_BATCH, self.worlds, self.run).first(TREE_BATCH) for _ in self.rngs]

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        count = len(self.rngs)

        def work(index: int) -> int:
            share = (iterations + count - 1 - index) // count
            grounds = (self.tree, self.run, self.worlds, self.hiddens[index], self.ways)
            own: Any = (*self.batches[index], *grounds, self.memories[index], self.rngs[index])
            return int(grow_shared(share, *own))

        return sum(self._in_threads(work))


class LeafParallelSearch(SharedSearch):
    """One thread descends to many leaves, all play them out, and one takes the results home: the same in every run."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.batch = Batch(LEAF_BATCH * len(self.rngs), self.worlds, self.run)

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
        grounds = (self.tree, self.run, self.worlds, self.hidden, self.ways, self.memory, self.rng)
        asked: Any = (*self.batch.first(iterations)[:4], *grounds)
        count = int(begin_batch(*asked))
        worlds, leaves, moves, noted, rewards = self.batch.first(count)

        def work(index: int) -> None:
            place = (index, len(self.rngs))
            play_leaves(*place, worlds, moves, noted, rewards, self.run, self.memories[index], self.rngs[index])

        self._in_threads(work)
        end_batch(leaves, rewards, self.tree, self.run)
        return count
