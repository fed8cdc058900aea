"""What workers are, wherever they are: tasks go in, results come out, and a death is looked into.

A worker that is a process of its own has a slate: memory that outlives it, in which its work may note what it is at.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from facedown.errors import FacedownError

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 1  # tasks that wait for each worker, so that it need not wait for us
MOST_DEATHS = 3  # of workers, one after another, before the tasks are to blame
SLATE_BYTES = 1 << 20
SLATE_HEAD = 64  # its first bytes: as long as they stay the same, the work has not gone on


@dataclass(frozen=True)
class Death:
    """How a worker ended while it was at a task."""

    code: int | None  # its exit code, or less than 0: the signal that ended it
    slate: bytes
    overdue: bool = False  # whether it was ended from here, since it did not go on


class Inquest(Generic[Task, Result]):
    """What follows from the death of a worker: its task goes to another, unless several die one after another."""

    def __init__(self) -> None:
        self.deaths = 0

    def survived(self) -> None:
        """A task has come to its end."""
        self.deaths = 0

    def overdue(self, slate: memoryview, seconds: float) -> bool:
        """Whether a worker whose slate has not changed for so long should be ended."""
        return False

    def after(self, task: Task, death: Death) -> tuple[list[Result], list[Task]]:
        """The results that a task has by its worker's death, and the tasks that are left of it, the first for a new one."""
        self.deaths += 1
        if self.deaths == MOST_DEATHS:
            raise FacedownError(f"expected workers to survive their tasks, but {self.deaths} died one after another")
        return [], [task]


class Workers:
    """Some workers."""

    count: int
    elsewhere = False  # whether they are other processes, to which work has to be sent

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let them go."""

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], inquest: Inquest[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """The result of each task, as it is finished; in any order."""
        raise NotImplementedError


# --- In a worker ------------------------------------------------------------------------------------------------------


class _Here:
    """What this process is, if it is a worker."""

    slate: memoryview | None = None
    leaving = False


def slate() -> memoryview | None:
    """The slate of this process, if it is a worker of its own."""
    return _Here.slate


def take_slate(memory: memoryview) -> None:
    """Make this process a worker that has a slate."""
    _Here.slate = memory


def leave() -> None:
    """Let this worker end after its task, for something in it cannot be stopped otherwise; another takes its place."""
    _Here.leaving = True


def is_leaving() -> bool:
    """Whether this worker wants to end."""
    return _Here.leaving
