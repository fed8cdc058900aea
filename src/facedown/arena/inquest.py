"""Whose fault it is when the worker that plays a game dies, and what becomes of the game.

It is played again, alone, in a new worker. If that one dies as well, while somebody thinks and by itself (it ends, or it
crashes), that agent forfeits. A worker that is ended from outside, as a system does that is short of memory, may be nobody's
fault: a game is forfeited for it only if it happens three times, each time at the same action of the same seat.
"""

import signal
from dataclasses import dataclass

from facedown.arena.journal import MOST_MOVES, Page, is_thinking, read
from facedown.arena.supervise import Place, Played, Terms, dealt, forfeited, game_of
from facedown.arena.workers import MOST_DEATHS, Death, Inquest
from facedown.errors import FacedownError
from facedown.state import State

GRACE = 10.0  # seconds beyond the limit, in which a worker may see for itself that an action takes too long
FROM_OUTSIDE = {"SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"}


@dataclass(frozen=True)
class Mark:
    """Where a game stood when its worker died."""

    seat: int | None
    moves: int
    by_itself: bool


class GameInquest(Inquest[list[Place], list[Played]]):
    """What follows from a death in a tournament."""

    def __init__(self, terms: Terms) -> None:
        super().__init__()
        self.terms = terms
        self.marks: dict[Place, list[Mark]] = {}

    def overdue(self, slate: memoryview, seconds: float) -> bool:
        """See Inquest: an agent may keep even its worker from looking at the clock."""
        limit = self.terms.move_seconds
        return bool(limit) and seconds > limit + GRACE and is_thinking(slate)

    def after(self, task: list[Place], death: Death) -> tuple[list[list[Played]], list[list[Place]]]:
        """See Inquest."""
        page = read(death.slate)
        if page.place is None or page.place >= len(task):
            return super().after(task, death)
        place = task[page.place]
        marks = self.marks.setdefault(place, [])
        marks.append(Mark(page.seat, page.count, by_itself(death)))
        rest = [other for other in task if other != place]
        tasks = [rest] if rest else []
        if page.seat is not None and (death.overdue or is_guilty(marks)):
            return [[self.forfeit(place, page, death)]], tasks
        if len(marks) == MOST_DEATHS:
            raise FacedownError(
                f"expected workers to survive deal {place[0]}, seating {place[1]}, but {len(marks)} died in it one after "
                f"another, the last {how(death)}"
            )
        return [], [[place], *tasks]

    def forfeit(self, place: Place, page: Page, death: Death) -> Played:
        """The game as far as it came, lost by who ended its worker."""
        if page.count > MOST_MOVES:
            raise FacedownError(f"expected at most {MOST_MOVES} actions in a game that a worker died of, got {page.count}")
        state: State = dealt(self.terms, game_of(self.terms), place[0])
        for action, seconds in page.moves:
            state.play(action, seconds)
        thoughts = [None] * page.count if self.terms.decisions else None
        seat = page.seat
        assert seat is not None
        late = f"took longer than {self.terms.move_seconds:g} s for an action"
        why = late if death.overdue else f"ended its process {how(death)}"
        return Played(*place, forfeited(self.terms, state, place, seat, why, None, thoughts), None)


def by_itself(death: Death) -> bool:
    """Whether a process has ended or crashed, and was not ended by another."""
    return death.code is not None and (death.code >= 0 or signal_name(death.code) not in FROM_OUTSIDE)


def is_guilty(marks: list[Mark]) -> bool:
    """Whether the last of a game's deaths is its agent's doing; all but the first happened where it was played alone."""
    if marks[-1].by_itself:
        return len(marks) > 1
    return len(marks) == MOST_DEATHS and len({(mark.seat, mark.moves) for mark in marks}) == 1


def how(death: Death) -> str:
    """How a process ended."""
    return f"with exit code {death.code}" if death.code is None or death.code >= 0 else f"by {signal_name(death.code)}"


def signal_name(code: int) -> str:
    """The name of the signal that is behind an exit code below 0."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
