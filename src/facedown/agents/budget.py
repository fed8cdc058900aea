"""The budget of a decision: iterations or seconds, spent in slices that can be interrupted."""

import time
from dataclasses import dataclass, field
from math import inf
from threading import Event
from typing import Protocol

FIRST_SLICE = 64  # steps before the clock is first read; one, where there is a time limit
SLICE_SECONDS = 0.004  # that a slice should take: time limits are met to 10 ms, and interruptions are noticed

UNLIMITED = 1 << 60


class Work(Protocol):
    """What is done in slices: iterations of a search, worlds to draw, positions to solve."""

    deadline: float

    def advance(self, steps: int, most: int) -> int:
        """Make about `steps` steps, at most `most`; return their number, 0 if nothing is left to do."""


@dataclass
class Budget:
    """What a decision may spend: steps, or seconds from the beginning; `stop` ends all work that shares it."""

    seconds: float = 0.0  # 0: no time limit, steps count
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
        """Do `steps` steps of some work, or as many as fit into a share of the time that is left.

        At least `least` steps are done in any case. Before `enough` steps, the limit is the deadline instead of the share.
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
