"""How much a decision may cost: iterations or seconds, spent in slices that can be interrupted."""

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf
from threading import Event
from typing import Protocol

FIRST_SLICE = 64  # steps before the clock is read for the first time; one, where the clock decides
SLICE_SECONDS = 0.004  # how long a slice should take: a time limit is met to 10 ms, and an interruption is heard

UNLIMITED = 1 << 60


class Work(Protocol):
    """What is done in slices: iterations of a search, worlds to draw, positions to solve."""

    deadline: float

    def advance(self, steps: int, most: int) -> int:
        """Make so many steps, or a few more but at most so many; return how many, 0 where nothing is left to do."""


@dataclass
class Budget:
    """What a decision may spend: steps, or seconds from the beginning; `stop` ends all that share it."""

    seconds: float = 0.0  # 0 counts steps
    stop: Event = field(default_factory=Event)
    begin: float = field(default_factory=time.perf_counter)

    @property
    def deadline(self) -> float:
        """When all must end, by time.perf_counter."""
        return self.begin + self.seconds if self.seconds else inf

    @property
    def over(self) -> bool:
        """Whether it is spent, or has been stopped."""
        return self.stop.is_set() or time.perf_counter() >= self.deadline

    def spend(self, work: Work, steps: int, share: float = 1.0, least: int = 1, enough: int = 1) -> None:
        """Let some work have its steps, or a share of the time that is left.

        It has the `least` in any case. The share holds when `enough` steps are made; before, only the end of the time does.
        """
        now = time.perf_counter()
        limit = now + (self.deadline - now) * share if self.seconds else inf
        done, size = 0, 1 if self.seconds else FIRST_SLICE
        while done < steps:
            if done >= least:
                if self.stop.is_set() or now >= (limit if done >= enough else self.deadline):
                    return
                work.deadline = self.deadline
            before = now
            made = work.advance(min(size, steps - done), steps - done)
            if made == 0:
                return
            done += made
            now = time.perf_counter()
            speed = made / max(now - before, 1e-9)
            rest = min(SLICE_SECONDS, (limit if done >= enough else self.deadline) - now)
            size = max(1, min(2 * size, int(speed * max(0.0, rest))))


@contextmanager
def uncollected() -> Iterator[None]:
    """Put off Python's collection of garbage: it may take 100 ms, and can wait for as long as a choice takes."""
    collecting = gc.isenabled()
    if collecting:
        gc.disable()
    try:
        yield
    finally:
        if collecting:  # not if another thread has put it off, which will end that
            gc.enable()
