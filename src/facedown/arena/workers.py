"""What workers are, wherever they run: tasks go in, results come out, and a crash is handled.

A worker that is a process of its own has shared memory that outlives it. Its work may write there how far it has come.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from facedown.errors import FacedownError

Task = TypeVar("Task")
Result = TypeVar("Result")

AHEAD = 1  # tasks queued for each worker beside the one it is doing
MOST_CRASHES = 3  # of workers in a row, before the tasks are to blame
SHARED_BYTES = 1 << 20
SHARED_HEAD = 64  # its first bytes: while they stay the same, the work makes no progress


@dataclass(frozen=True)
class Crash:
    """How a worker ended in the middle of a task."""

    code: int | None  # its exit code; below 0, the signal that ended it
    shared: bytes  # its shared memory
    overdue: bool = False  # whether we killed it, because it made no progress


class CrashHandler(Generic[Task, Result]):
    """Decides what follows a crash: the task goes to another worker, unless several crash in a row."""

    def __init__(self) -> None:
        self.crashes = 0

    def survived(self) -> None:
        """A task has been finished."""
        self.crashes = 0

    def overdue(self, shared: memoryview, seconds: float) -> bool:
        """Whether to kill a worker whose shared memory has not changed for `seconds`."""
        return False

    def after(self, task: Task, crash: Crash) -> tuple[list[Result], list[Task]]:
        """The results that a crash gives a task, and the tasks that remain of it; the first goes to a new worker."""
        self.crashes += 1
        if self.crashes == MOST_CRASHES:
            raise FacedownError(f"expected workers to survive their tasks, but {self.crashes} died one after another")
        return [], [task]


class Workers:
    """Some workers."""

    count: int
    in_other_processes = False  # whether work has to be sent to them

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop them."""

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], handler: CrashHandler[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """The result of each task as it is finished, in any order."""
        raise NotImplementedError


# --- In a worker ------------------------------------------------------------------------------------------------------


class _Here:
    """What this process is, if it is a worker."""

    shared: memoryview | None = None
    ending = False


def shared_memory() -> memoryview | None:
    """The shared memory of this process, if it is a worker."""
    return _Here.shared


def use_shared_memory(memory: memoryview) -> None:
    """Make this process a worker with shared memory."""
    _Here.shared = memory


def end_after_task() -> None:
    """End this worker after its task, because something in it cannot be stopped otherwise; another replaces it."""
    _Here.ending = True


def ends_after_task() -> bool:
    """Whether this worker ends after its task."""
    return _Here.ending
