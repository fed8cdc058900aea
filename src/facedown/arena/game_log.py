"""A log of the game under way, in memory that is still readable after its worker has crashed."""

from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from facedown.arena.match import TurnTracker
from facedown.arena.workers import SHARED_BYTES, SHARED_HEAD
from facedown.state import State

HEAD = np.dtype([(name, np.int64) for name in ("begun", "place", "seat", "doing", "moves", "checks")])
MOVE = np.dtype([("action", np.int64), ("seconds", np.float64)])
MOST_MOVES = (SHARED_BYTES - SHARED_HEAD) // MOVE.itemsize
NOBODY = -1
NOTHING, PREPARING, THINKING = range(3)  # what the seat is doing; at NOTHING the rules apply its action


@dataclass(frozen=True)
class LoggedGame:
    """A log as a worker left it."""

    place: int | None  # of the game under way, in the list of games that were to be played
    seat: int | None  # whose agent was being made or was thinking; None while the rules ran
    moves: list[tuple[int, float | None]]  # actions with their seconds; those beyond MOST_MOVES are missing
    count: int  # of moves


def read_log(shared: bytes | memoryview) -> LoggedGame:
    """The log in shared memory."""
    head = np.frombuffer(shared, HEAD, 1)[0]
    count = int(head["moves"])
    rows = np.frombuffer(shared, MOVE, min(count, MOST_MOVES), SHARED_HEAD).tolist()
    return LoggedGame(
        int(head["place"]) if head["begun"] else None,
        None if head["doing"] == NOTHING else int(head["seat"]),
        [(action, None if isnan(seconds) else seconds) for action, seconds in rows],
        count,
    )


def is_thinking(shared: memoryview) -> bool:
    """Whether an agent was asked to act and has not answered."""
    return bool(np.frombuffer(shared, HEAD, 1)[0]["doing"] == THINKING)


class GameLog(TurnTracker):
    """Writes turns to shared memory as they come; without shared memory it writes nothing."""

    def __init__(self, shared: memoryview | None, place: int) -> None:
        super().__init__()
        self.state: State | None = None
        self.moves = 0
        self._head: Any = None
        if shared is not None:
            self._head = np.frombuffer(shared, HEAD, 1)
            self._rows = np.frombuffer(shared, MOVE, MOST_MOVES, SHARED_HEAD)
            self._head[0] = (1, place, NOBODY, NOTHING, 0, 0)

    def close(self) -> None:
        """The game is over: a later crash has nothing to do with it."""
        if self._head is not None:
            self._head[0] = (0, 0, NOBODY, NOTHING, 0, 0)

    def prepare(self, seat: int | None) -> None:
        """See TurnTracker."""
        super().prepare(seat)
        self._write(NOBODY if seat is None else seat, NOTHING if seat is None else PREPARING)

    def begin(self, seat: int) -> None:
        """See TurnTracker."""
        super().begin(seat)
        self._write(seat, THINKING)

    def act(self) -> None:
        """See TurnTracker."""
        super().act()
        self._write(self.seat or 0, NOTHING)

    def end(self) -> None:
        """See TurnTracker."""
        if self._head is not None and self.state is not None:
            if self.moves < MOST_MOVES:
                seconds = self.state.seconds[-1]
                self._rows[self.moves] = (self.state.history[-1][1], nan if seconds is None else seconds)
            self.moves += 1
            self._head["moves"] = self.moves
        super().end()

    def clock_checked(self) -> None:
        """See TurnTracker: while this process can check the clock, no other process needs to."""
        if self._head is not None:
            self._head["checks"] += 1

    def _write(self, seat: int, doing: int) -> None:
        if self._head is not None:
            self._head["seat"] = seat
            self._head["doing"] = doing
