"""The progress of long commands: a bar at a terminal, elsewhere a line now and then, so that a log shows life."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from facedown.arena.progress import WorkProgress
from facedown.compiler.activity import COMPILER

LONGEST_DOING = 60
BAR_WIDTH = 16
CLOSE = 0.2  # seconds between what a pace remembers
PACE_WIDTH = 28  # of 1:02:03 elapsed, 1:02:03 left, and spaces
FIRST_LINE, LONGEST_SILENCE = 2.0, 60.0  # seconds


def clock(seconds: float) -> str:
    """A time to go: 1:02:03 or 2:03; only hours where there are hundreds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 100:
        return f"{hours} h"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Pace:
    """How long the work has taken, and how long the rest of it will.

    Who has done one piece of work may have spent most of that time on compiling: no time is given before a second one, and
    the first never counts. Then the later half of the time does, for much else is slower at first.
    """

    def __init__(self) -> None:
        """It begins now."""
        self.begin = time.monotonic()
        self.seen: list[tuple[float, float]] = []  # when how much had been done, from the first piece of work on
        self.total: float | None = None
        self.start: float | None = None  # what had been done before
        self.since = self.begin
        COMPILER.listen()

    @property
    def done(self) -> float:
        """How much has been done."""
        return self.seen[-1][1] if self.seen else self.start or 0.0

    def note(self, done: float, total: float | None) -> None:
        """So much of all has been done by now."""
        now = time.monotonic()
        self.total = total
        if self.start is None or done < self.done:  # other work has begun
            self.start, self.since, self.seen = done, now, []
        elif done > self.done:
            if len(self.seen) > 2 and now - self.seen[-2][0] < CLOSE:
                self.seen.pop()
            self.seen.append((now, done))
            middle = (self.since + now) / 2
            while len(self.seen) > 2 and self.seen[1][0] <= middle:
                self.seen.pop(0)

    @property
    def elapsed(self) -> str:
        """How long it has taken; compiling is named as such."""
        return f"{'compiling, ' if COMPILER.at_work else ''}{clock(time.monotonic() - self.begin)} elapsed"

    @property
    def each(self) -> float | None:
        """Seconds that a piece of work takes, once that can be known."""
        if len(self.seen) < 2 or self.seen[-1][0] <= self.seen[0][0]:
            return None
        (since, before), (until, done) = self.seen[0], self.seen[-1]
        return (until - since) / (done - before)

    @property
    def speed(self) -> str:
        """How fast it goes, for games."""
        return f"{1 / self.each:.3g} games/s" if self.each else "" if self.seen else "getting ready"

    @property
    def left(self) -> float | None:
        """Seconds to go, once that can be known."""
        if self.each is None or self.total is None:
            return None
        until, done = self.seen[-1]
        return max(0.0, (self.total - done) * self.each - (time.monotonic() - until))

    @property
    def words(self) -> list[str]:
        """Both."""
        return [self.elapsed, *([] if self.left is None else [f"{clock(self.left)} left"])]


class PaceColumn(ProgressColumn):
    """What a pace has to say, in a bar."""

    def __init__(self, pace: Pace) -> None:
        super().__init__(Column(no_wrap=True))
        self.pace = pace

    def render(self, task: Task) -> Text:
        """As it is now."""
        return Text(", ".join(self.pace.words))


class Lines:
    """Plain lines on stderr, fewer and fewer of them, but one a minute."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.begin = time.monotonic()
        self.next = self.begin + FIRST_LINE

    def report(self, *parts: str, pace: Pace | None = None) -> None:
        """Print what is done, how long it has taken and will take, if it is time to."""
        now = time.monotonic()
        if self.quiet or now < self.next:
            return
        self.next = now + min(2 * (now - self.begin), LONGEST_SILENCE)
        known = [*parts, *(pace.words if pace else [])]
        print(", ".join(part for part in known if part), file=sys.stderr, flush=True)


class _Shown:
    """A bar that is there as long as it is needed, or lines in its place."""

    def __init__(self, quiet: bool) -> None:
        self.pace = Pace()
        columns = (TextColumn("{task.description}", markup=False), BarColumn(BAR_WIDTH), PaceColumn(self.pace))
        self.bar = Progress(*columns, console=Console(stderr=True, highlight=False), transient=True)
        self.bar.disable = quiet or not self.bar.console.is_terminal
        self.lines = Lines(quiet or self.bar.console.is_terminal)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.bar.stop()


class Bar(_Shown):
    """How far work of several tournaments is."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet)
        self.task = self.bar.add_task("starting", total=None)
        self.last: WorkProgress | None = None

    def show(self, progress: WorkProgress) -> None:
        """Draw how far it has come."""
        self.last = progress
        self.pace.note(progress.done, progress.total)
        lines = [cut(line, LONGEST_DOING) for line in (progress.doing, progress.best) if line]
        room = max(BAR_WIDTH, self.bar.console.width - BAR_WIDTH - PACE_WIDTH)
        text = "\n".join(cut(line, room) for line in lines)
        self.bar.update(self.task, description=text, total=progress.total, completed=progress.done)
        self.lines.report(*lines, f"{progress.done} of {progress.total} {progress.unit}", pace=self.pace)

    def say_where_it_stopped(self, store: str) -> None:
        """Tell that nothing is lost."""
        self.bar.stop()
        last = self.last
        done = f"{last.done} of {last.total} games" if last and last.unit == "games" else "all games so far"
        print(f"stopped: {done} are kept in {store}; the same command resumes", file=sys.stderr)


def cut(line: str, room: int) -> str:
    """As much of a line as there is room for; dots tell that it goes on."""
    return line if len(line) <= room else f"{line[: room - 1].rstrip(' ,')}…"


class StepBar(_Shown):
    """How far something is that goes in steps, or of which a fraction is known."""

    def __init__(self, what: str, total: float | None = None, quiet: bool = False) -> None:
        super().__init__(quiet)
        self.task = self.bar.add_task(what, total=total)
        self.pace.note(0.0, total)

    def report(self, what: str, fraction: float | None = None) -> None:
        """Show what is being done, and the fraction that is done, if that has changed."""
        self.bar.update(self.task, description=what, total=None if fraction is None else 1.0, completed=fraction)
        self._report()

    def advance(self, steps: float) -> None:
        """Count steps that are done."""
        self.bar.advance(self.task, steps)
        self._report()

    def _report(self) -> None:
        task = self.bar.tasks[0]
        self.pace.note(task.completed, task.total)
        self.lines.report(task.description, f"{task.percentage:.0f} %" if task.total else "", pace=self.pace)
