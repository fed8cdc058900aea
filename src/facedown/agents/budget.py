"""How much a decision may cost: iterations or seconds, spent in slices that can be interrupted."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

from facedown.search.growing import Search

FIRST_SLICE = 64  # iterations before the clock is read for the first time
SLICE_SECONDS = 0.004  # how long a slice should take: a time limit is met to 10 ms, and an interruption is heard

UNLIMITED = 1 << 60


@dataclass
class Budget:
    """What searches may spend: iterations of their own, or seconds from the beginning; `stop` ends all that share it."""

    seconds: float = 0.0  # 0 counts iterations
    stop: Event = field(default_factory=Event)
    progress: Callable[[float], None] | None = None  # told the fraction that one search has spent of its share
    begin: float = field(default_factory=time.perf_counter)

    def spend(self, search: Search, iterations: int, waiting: int = 0) -> None:
        """Let a search have its iterations, or the time that is left, divided with those that wait for it to end."""
        begin = time.perf_counter()
        limit = (self.begin + self.seconds - begin) / (waiting + 1)
        done, size = 0, FIRST_SLICE
        while done == 0 or not self.stop.is_set():
            before = time.perf_counter()
            left = limit - (before - begin)
            count = size if self.seconds else min(size, iterations - done)
            if done > 0 and (left <= 0 if self.seconds else count <= 0):
                return
            count = search.advance(count, UNLIMITED if self.seconds else iterations - done)
            done += count
            speed = count / max(time.perf_counter() - before, 1e-9)
            rest = min(SLICE_SECONDS, left - count / speed) if self.seconds else SLICE_SECONDS
            size = max(1, min(2 * size, int(speed * max(0.0, rest))))
            if self.progress:
                self.progress(min(1.0, (time.perf_counter() - begin) / limit if self.seconds else done / iterations))
