"""How long commands tell how far they are: by a bar at a terminal, elsewhere by a line now and then, so that a log lives."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from facedown.progress import WorkProgress

LONGEST_DOING = 60
FIRST_LINE, LONGEST_SILENCE = 2.0, 60.0  # seconds


def clock(seconds: float) -> str:
    """A time to go: 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Lines:
    """Plain lines on stderr, fewer and fewer of them, but one a minute."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.begin = time.monotonic()
        self.next = self.begin + FIRST_LINE

    def say(self, *parts: str, left: float | None) -> None:
        """Tell what there is to tell and how long it will take, if it is time to."""
        now = time.monotonic()
        if self.quiet or now < self.next:
            return
        self.next = now + min(2 * (now - self.begin), LONGEST_SILENCE)
        told = [*parts, f"{clock(left)} left" if left is not None else ""]
        print(", ".join(part for part in told if part), file=sys.stderr, flush=True)


class _Shown:
    """A bar that is there as long as it is needed, or lines in its place."""

    def __init__(self, bar: Progress, quiet: bool) -> None:
        self.bar = bar
        self.bar.disable = quiet or not bar.console.is_terminal
        self.lines = Lines(quiet or bar.console.is_terminal)

    def __enter__(self) -> Self:
        self.bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.bar.stop()


class Bar(_Shown):
    """How far work of several tournaments is."""

    def __init__(self, quiet: bool) -> None:
        columns = (TextColumn("{task.description}", markup=False), BarColumn(20), TextColumn("{task.fields[left]}"))
        super().__init__(Progress(*columns, console=Console(stderr=True, highlight=False), transient=True), quiet)
        self.task = self.bar.add_task("starting", total=None, left="")
        self.last: WorkProgress | None = None

    def show(self, progress: WorkProgress) -> None:
        """Draw how far it has come."""
        self.last = progress
        left = f"{clock(progress.left)} left" if progress.left is not None else ""
        lines = [line[:LONGEST_DOING] for line in (progress.doing, progress.best) if line]
        text = "\n".join(lines)
        self.bar.update(self.task, description=text, total=progress.total, completed=progress.done, left=left)
        self.lines.say(*lines, f"{progress.done} of {progress.total} {progress.unit}", left=progress.left)

    def say_where_it_stopped(self, store: str) -> None:
        """Tell that nothing is lost."""
        self.bar.stop()
        last = self.last
        done = f"{last.done} of {last.total} games" if last and last.unit == "games" else "all games so far"
        print(f"stopped: {done} are kept in {store}; the same command goes on", file=sys.stderr)


class StepBar(_Shown):
    """How far something is that goes in steps, or of which a fraction is known."""

    def __init__(self, what: str, total: float | None = None, quiet: bool = False) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        super().__init__(Progress(*columns, console=Console(stderr=True), transient=True), quiet)
        self.task = self.bar.add_task(what, total=total)

    def tell(self, what: str, fraction: float | None = None) -> None:
        """Say what is being done, and how much of all is, if that is known anew."""
        self.bar.update(self.task, description=what, total=None if fraction is None else 1.0, completed=fraction)
        self._say()

    def advance(self, steps: float) -> None:
        """So many steps more are done."""
        self.bar.advance(self.task, steps)
        self._say()

    def _say(self) -> None:
        task = self.bar.tasks[0]
        self.lines.say(task.description, f"{task.percentage:.0f} %" if task.total else "", left=task.time_remaining)
