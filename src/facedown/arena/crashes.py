"""Who is to blame when the worker that plays a game crashes, and what becomes of the game.

The game is played again, alone, in a new worker. If that worker also exits or crashes by itself while an agent is thinking,
the agent forfeits. A worker that is killed from outside, for example by a system short of memory, may be nobody's fault:
an agent forfeits for it only if it happens three times, each time at the same action of the same seat.
"""

import signal
from dataclasses import dataclass

from facedown.arena.game_log import MOST_MOVES, LoggedGame, is_thinking, read_log
from facedown.arena.supervise import Place, TournamentSpec, dealt, forfeited, game_of
from facedown.arena.workers import MOST_CRASHES, Crash, CrashHandler
from facedown.errors import FacedownError
from facedown.state import State
from facedown.store.results import PlayedGame

GRACE = 10.0  # seconds beyond the limit in which a worker can notice by itself that an action takes too long
SENT_FROM_OUTSIDE = {"SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"}


@dataclass(frozen=True)
class CrashPoint:
    """Where a game was when its worker crashed."""

    seat: int | None
    moves: int
    by_itself: bool


class GameCrashHandler(CrashHandler[list[Place], list[PlayedGame]]):
    """Decides what follows a crash in a tournament."""

    def __init__(self, spec: TournamentSpec) -> None:
        super().__init__()
        self.spec = spec
        self.crash_points: dict[Place, list[CrashPoint]] = {}

    def overdue(self, shared: memoryview, seconds: float) -> bool:
        """See CrashHandler: an agent may block even the thread of its worker that watches the clock."""
        limit = self.spec.move_seconds
        return bool(limit) and seconds > limit + GRACE and is_thinking(shared)

    def after(self, task: list[Place], crash: Crash) -> tuple[list[list[PlayedGame]], list[list[Place]]]:
        """See CrashHandler."""
        logged = read_log(crash.shared)
        if logged.place is None or logged.place >= len(task):
            return super().after(task, crash)
        place = task[logged.place]
        points = self.crash_points.setdefault(place, [])
        points.append(CrashPoint(logged.seat, logged.count, by_itself(crash)))
        rest = [other for other in task if other != place]
        tasks = [rest] if rest else []
        if logged.seat is not None and (crash.overdue or is_guilty(points)):
            return [[self.forfeit(place, logged, crash)]], tasks
        if len(points) == MOST_CRASHES:
            raise FacedownError(
                f"expected workers to survive deal {place[0]}, seating {place[1]}, but {len(points)} died in it one after "
                f"another, the last {how(crash)}"
            )
        return [], [[place], *tasks]

    def forfeit(self, place: Place, logged: LoggedGame, crash: Crash) -> PlayedGame:
        """The game up to the crash, forfeited by the agent that caused it."""
        if logged.count > MOST_MOVES:
            raise FacedownError(f"expected at most {MOST_MOVES} actions in a game that a worker died of, got {logged.count}")
        state: State = dealt(self.spec, game_of(self.spec), place[0])
        for action, seconds in logged.moves:
            state.play(action, seconds)
        thoughts = [None] * logged.count if self.spec.decisions else None
        late = f"took longer than {self.spec.move_seconds:g} s for an action"
        reason = late if crash.overdue else f"ended its process {how(crash)}"
        forfeit = {"seat": logged.seat, "reason": reason, "traceback": None}
        return PlayedGame(*place, forfeited(self.spec, state, place, forfeit, thoughts), None)


def by_itself(crash: Crash) -> bool:
    """Whether a process exited or crashed by itself, and was not killed by another."""
    return crash.code is not None and (crash.code >= 0 or signal_name(crash.code) not in SENT_FROM_OUTSIDE)


def is_guilty(points: list[CrashPoint]) -> bool:
    """Whether the agent caused the last of a game's crashes; all but the first happened while it was played alone."""
    if points[-1].by_itself:
        return len(points) > 1
    return len(points) == MOST_CRASHES and len({(point.seat, point.moves) for point in points}) == 1


def how(crash: Crash) -> str:
    """How a process ended."""
    return f"with exit code {crash.code}" if crash.code is None or crash.code >= 0 else f"by {signal_name(crash.code)}"


def signal_name(code: int) -> str:
    """The name of the signal that an exit code below 0 stands for."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
