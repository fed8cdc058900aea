"""What a game under way has come to, written where the death of its worker leaves it readable."""

from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from facedown.arena.match import Turn
from facedown.arena.workers import SLATE_BYTES, SLATE_HEAD
from facedown.state import State

HEAD = np.dtype([(name, np.int64) for name in ("begun", "place", "seat", "doing", "moves", "looks")])
MOVE = np.dtype([("action", np.int64), ("seconds", np.float64)])
MOST_MOVES = (SLATE_BYTES - SLATE_HEAD) // MOVE.itemsize
NOBODY = -1
NOTHING, PREPARING, THINKING = range(3)  # what the seat is doing; at NOTHING its action is being played, by the rules


@dataclass(frozen=True)
class Page:
    """A journal as it was left."""

    place: int | None  # of the game under way, in the list of games that were to be played
    seat: int | None  # whose agent was being made or was thinking; None while the rules were at work
    moves: list[tuple[int, float | None]]  # actions and the seconds they took; the last ones are missing in endless games
    count: int  # of moves


def read(slate: bytes | memoryview) -> Page:
    """The journal on a slate."""
    head = np.frombuffer(slate, HEAD, 1)[0]
    count = int(head["moves"])
    rows = np.frombuffer(slate, MOVE, min(count, MOST_MOVES), SLATE_HEAD).tolist()
    return Page(
        int(head["place"]) if head["begun"] else None,
        None if head["doing"] == NOTHING else int(head["seat"]),
        [(action, None if isnan(seconds) else seconds) for action, seconds in rows],
        count,
    )


def is_thinking(slate: memoryview) -> bool:
    """Whether somebody had been asked to act, and has not answered."""
    return bool(np.frombuffer(slate, HEAD, 1)[0]["doing"] == THINKING)


class Journal(Turn):
    """Turns that are written down as they come; on no slate they are not."""

    def __init__(self, slate: memoryview | None, place: int) -> None:
        super().__init__()
        self.state: State | None = None
        self.moves = 0
        self._head: Any = None
        if slate is not None:
            self._head = np.frombuffer(slate, HEAD, 1)
            self._rows = np.frombuffer(slate, MOVE, MOST_MOVES, SLATE_HEAD)
            self._head[0] = (1, place, NOBODY, NOTHING, 0, 0)

    def close(self) -> None:
        """The game is over, and whatever happens now has nothing to do with it."""
        if self._head is not None:
            self._head[0] = (0, 0, NOBODY, NOTHING, 0, 0)

    def prepare(self, seat: int | None) -> None:
        """See Turn."""
        super().prepare(seat)
        self._note(NOBODY if seat is None else seat, NOTHING if seat is None else PREPARING)

    def begin(self, seat: int) -> None:
        """See Turn."""
        super().begin(seat)
        self._note(seat, THINKING)

    def act(self) -> None:
        """See Turn."""
        super().act()
        self._note(self.seat or 0, NOTHING)

    def end(self) -> None:
        """See Turn."""
        if self._head is not None and self.state is not None:
            if self.moves < MOST_MOVES:
                seconds = self.state.seconds[-1]
                self._rows[self.moves] = (self.state.history[-1][1], nan if seconds is None else seconds)
            self.moves += 1
            self._head["moves"] = self.moves
        super().end()

    def look(self) -> None:
        """See Turn: as long as somebody can look at the clock here, nobody else needs to."""
        if self._head is not None:
            self._head["looks"] += 1

    def _note(self, seat: int, doing: int) -> None:
        if self._head is not None:
            self._head["seat"] = seat
            self._head["doing"] = doing
