"""The bar that long commands show: what is going on, how far it is, and how long it will take."""

import sys

from rich.console import Console

from facedown.cli_tournament import clock
from facedown.progress import WorkProgress

LONGEST_DOING = 60


class Bar:
    """A bar at a terminal with what is going on; nothing elsewhere until the end."""

    def __init__(self, quiet: bool) -> None:
        from rich.progress import BarColumn, Progress, TextColumn

        console = Console(stderr=True, highlight=False)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(20), TextColumn("{task.fields[left]}"))
        self.bar = Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)
        self.task = self.bar.add_task("starting", total=None, left="")
        self.last: WorkProgress | None = None

    def __enter__(self) -> "Bar":
        self.bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.stop()

    def show(self, progress: WorkProgress) -> None:
        """Draw how far it has come."""
        self.last = progress
        left = f"{clock(progress.left)} left" if progress.left is not None else ""
        lines = [line[:LONGEST_DOING] for line in (progress.doing, progress.best) if line]
        text = "\n".join(lines)
        self.bar.update(self.task, description=text, total=progress.total, completed=progress.done, left=left)

    def say_where_it_stopped(self, store: str) -> None:
        """Tell that nothing is lost."""
        self.bar.stop()
        done = f"{self.last.done} of {self.last.total} games" if self.last else "all games so far"
        print(f"stopped: {done} are kept in {store}; the same command goes on", file=sys.stderr)
