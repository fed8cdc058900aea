"""Workers that are processes of this machine: they end with the process that started them, however it ends.

Each has a pipe of its own. So a crash is noticed at once, with the task it happened in, and does not affect the others.
"""

import multiprocessing
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import Any

from facedown.arena.serve import serve
from facedown.arena.workers import (
    AHEAD,
    MOST_CRASHES,
    SHARED_BYTES,
    SHARED_HEAD,
    Crash,
    CrashHandler,
    Result,
    Task,
    Workers,
)
from facedown.errors import FacedownError

CHECKED_EVERY = 1.0  # seconds: how often each worker's progress is checked
MOST_AT_A_CHECK = 2.0  # seconds counted from one check to the next: this process may have been suspended meanwhile
ENDS_WITHIN = 5.0  # seconds that a worker has to end by itself

# Never by forking: this process may have threads, and a fork would copy their locks without them.
CONTEXT = multiprocessing.get_context("spawn")


class Processes(Workers):
    """Processes of this machine; one that crashes is replaced."""

    in_other_processes = True

    def __init__(self, count: int) -> None:
        self.count = count

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], handler: CrashHandler[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """See Workers."""
        pool = ProcessPool(packed(work), iter(tasks), self.count, handler or CrashHandler())
        try:
            while pool.assign_tasks():
                yield from pool.collect()
        finally:
            pool.stop_all()


class WorkerProcess:
    """One process, and the tasks sent to it that it has not finished."""

    def __init__(self, work: bytes) -> None:
        self.memory = CONTEXT.RawArray("B", SHARED_BYTES)
        self.shared = memoryview(self.memory).cast("B")
        self.tasks: deque[Any] = deque()
        self.ready = False
        self.overdue = False
        self.head, self.idle_seconds = b"", 0.0  # the head of its shared memory, and for how long it has not changed
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(theirs, self.memory), name="facedown worker")
        with interrupts_blocked():
            self.process.start()
        theirs.close()
        self.kill_at_exit = Finalize(self, self.process.kill, exitpriority=10)  # or Python would wait for it at exit
        self.send(work)

    def send(self, message: bytes) -> None:
        """Send bytes; a crash is noticed when the answer is read."""
        with suppress(OSError):
            self.connection.send_bytes(message)

    def add(self, task: Any) -> None:
        """Add a task."""
        message = packed(task)
        self.tasks.append(task)
        self.send(message)

    def answer(self) -> tuple[str, Any]:
        """Its next message; EOFError or OSError if there will be none."""
        if not self.connection.poll():
            raise EOFError
        kind, value = pickle.loads(self.connection.recv_bytes())
        return kind, value

    def check_progress(self, seconds: float) -> None:
        """Check whether its shared memory has changed in the last `seconds`."""
        head = bytes(self.shared[:SHARED_HEAD])
        self.idle_seconds = self.idle_seconds + seconds if head == self.head else 0.0
        self.head = head

    def end(self) -> None:
        """End it: by itself if it has nothing to do, by force otherwise."""
        if self.ready and not self.tasks:
            self.send(b"")
            self.process.join(ENDS_WITHIN)
        self.process.kill()
        self.process.join()
        self.kill_at_exit.cancel()
        self.connection.close()


class ProcessPool:
    """The processes that do one kind of work."""

    def __init__(self, work: bytes, source: Iterator[Any], count: int, handler: CrashHandler[Any, Any]) -> None:
        self.work = work
        self.source = source
        self.count = count
        self.handler = handler
        self.retries: deque[Any] = deque()  # tasks whose worker crashed
        self.workers: list[WorkerProcess] = []
        self.failed_starts = 0  # workers in a row that crashed before their first task
        self.checked = time.monotonic()

    def assign_tasks(self) -> bool:
        """Give tasks to all workers while there are any; whether any task is unfinished."""
        while True:
            free = min(self.workers, key=lambda worker: len(worker.tasks), default=None)
            complete = len(self.workers) >= self.count
            if free is not None and complete and len(free.tasks) > AHEAD:
                return True
            try:
                task = self.retries.popleft() if self.retries else next(self.source)
            except StopIteration:
                return any(worker.tasks for worker in self.workers)
            if free is None or (free.tasks and not complete):
                free = self.start_worker()
            free.add(task)

    def start_worker(self) -> WorkerProcess:
        """Start one more process."""
        self.workers.append(WorkerProcess(self.work))
        return self.workers[-1]

    def collect(self) -> Iterator[Any]:
        """Wait for results or crashes."""
        wait([worker.connection for worker in self.workers], CHECKED_EVERY)
        now = time.monotonic()
        passed, self.checked = min(now - self.checked, MOST_AT_A_CHECK), now
        for worker in list(self.workers):
            if worker.connection.poll() or not worker.process.is_alive():
                yield from self.receive_from(worker)
                continue
            worker.check_progress(passed)
            if worker.tasks and self.handler.overdue(worker.shared, worker.idle_seconds):
                worker.overdue = True
                worker.process.kill()

    def receive_from(self, worker: WorkerProcess) -> Iterator[Any]:
        """Handle the next message of a worker: it is ready, a result, an error; or its crash."""
        try:
            kind, value = worker.answer()
        except (EOFError, OSError):
            yield from self.replace_crashed(worker)
            return
        if kind == "ready":
            worker.ready, self.failed_starts = True, 0
            return
        worker.tasks.popleft()
        if kind == "failed":
            raise value
        self.handler.survived()
        if kind == "last":  # it ends by itself, and its queued tasks go to others
            self.workers.remove(worker)
            self.retries.extend(worker.tasks)
            worker.tasks.clear()
            worker.end()
        yield value

    def replace_crashed(self, worker: WorkerProcess) -> Iterator[Any]:
        """Pass on the tasks of a worker that crashed; only the one it was doing can be the cause."""
        self.workers.remove(worker)
        worker.process.join(ENDS_WITHIN)
        crash = Crash(worker.process.exitcode, bytes(worker.shared), worker.overdue)
        left = list(worker.tasks)
        worker.tasks.clear()
        worker.end()
        if not worker.ready:
            self.failed_starts += 1
            if self.failed_starts == MOST_CRASHES:
                raise FacedownError(
                    f"expected workers to start, but {self.failed_starts} ended at once (exit code {crash.code}): "
                    'a script must start its work below `if __name__ == "__main__":`'
                )
            self.retries.extendleft(reversed(left))
        elif left:
            results, first = self.handler.after(left[0], crash)
            self.retries.extend([*first[1:], *left[1:]])
            if first:
                self.start_worker().add(first[0])
            yield from results

    def stop_all(self) -> None:
        """End all processes."""
        for worker in self.workers:
            if worker.tasks:
                worker.process.kill()
        for worker in self.workers:
            worker.end()
        self.workers.clear()


def packed(value: Any) -> bytes:
    """A value as bytes to send, or a refusal in one line."""
    try:
        return pickle.dumps(value)
    except Exception as error:
        why = " ".join(str(error).split())
        raise FacedownError(f"expected work that can be sent to other processes, got {str(value)[:80]!r}: {why}") from error


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Start a process with Ctrl-C blocked: the process that starts it handles Ctrl-C for all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
