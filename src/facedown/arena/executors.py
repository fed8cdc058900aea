"""Where work is done: in this thread, in threads, in processes, or on a Ray cluster, behind one method.

`run(work, tasks)` yields results as they come, in any order, and takes a task only when there is a worker for it. So tasks
may be generated on the way, and closing the generator stops the work. When a worker process crashes, a CrashHandler decides
what becomes of its task; work in this process is not protected from crashes.
"""

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from facedown.arena.processes import Processes
from facedown.arena.serve import sendable
from facedown.arena.workers import AHEAD, MOST_CRASHES, CrashHandler, Result, Task, Workers
from facedown.errors import BadOption, FacedownError, UnknownName

KINDS = ("local", "threads", "processes", "ray")


class Local(Workers):
    """The calling thread, one task after another."""

    count = 1

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], handler: CrashHandler[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """See Workers."""
        for task in tasks:
            yield work(task)


class Threads(Workers):
    """Threads of this process: searches run in parallel, since kernels release Python's lock."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], handler: CrashHandler[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """See Workers."""
        pool = ThreadPoolExecutor(self.count)
        under_way: set[Future[Result]] = set()
        try:
            for task in tasks:
                under_way.add(pool.submit(work, task))
                if len(under_way) >= self.count * (1 + AHEAD):
                    yield from _finished(under_way)
            while under_way:
                yield from _finished(under_way)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _finished(under_way: set[Future[Result]]) -> Iterator[Result]:
    done, _ = wait(under_way, return_when=FIRST_COMPLETED)
    for future in done:
        under_way.discard(future)
        yield future.result()


class Ray(Workers):
    """The workers of a Ray cluster: one of this machine's own by default, or the one at an address."""

    in_other_processes = True

    def __init__(self, count: int | None = None, address: str | None = None) -> None:
        try:
            import ray
        except ImportError:
            raise FacedownError("expected Ray to be installed for on=ray: pip install 'facedown[cluster]'") from None
        self._ray: Any = ray
        self._started = not ray.is_initialized()
        if self._started:
            own: dict[str, Any] = {
                "num_cpus": count or os.cpu_count() or 1,
                "runtime_env": {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}},
            }
            options: dict[str, Any] = {"address": address} if address else own
            try:
                ray.init(log_to_driver=False, configure_logging=False, include_dashboard=False, **options)
            except (ConnectionError, RuntimeError, ValueError) as error:
                where = address or "this machine"
                raise FacedownError(f"expected a Ray cluster at {where}, got: {str(error).splitlines()[0]}") from None
        self.count = count or max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], handler: CrashHandler[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """See Workers; a task whose worker crashes runs again in a process of the next worker, which observes the crash."""
        folder = os.getcwd()  # that relative paths refer to

        def call(task: Any) -> list[Any]:
            with suppress(OSError):
                os.chdir(folder)
            try:
                return [work(task)]
            except Exception as error:
                raise sendable(error) from None

        def call_in_process(task: Any) -> list[Any]:
            with suppress(OSError):
                os.chdir(folder)
            return list(Processes(1).run(work, [task], handler))

        retries = MOST_CRASHES if handler is None else 0
        first = self._ray.remote(num_cpus=1, max_retries=retries)(call)
        second = self._ray.remote(num_cpus=1, max_retries=MOST_CRASHES)(call_in_process)
        under_way: dict[Any, Task] = {}
        try:
            for task in tasks:
                under_way[first.remote(task)] = task
                while len(under_way) >= self.count * (1 + AHEAD):
                    yield from self._finished(under_way, None if handler is None else second)
            while under_way:
                yield from self._finished(under_way, None if handler is None else second)
        finally:
            for left in under_way:
                self._ray.cancel(left, force=True)

    def close(self) -> None:
        """Stop a cluster that was started for this."""
        if self._started:
            self._ray.shutdown()

    def _finished(self, under_way: dict[Any, Task], second: Any) -> Iterator[Any]:
        [done], _ = self._ray.wait(list(under_way), num_returns=1)
        task = under_way.pop(done)
        errors = self._ray.exceptions
        try:
            results = self._ray.get(done)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError) as error:
            if second is None:
                lost = f"expected workers to survive their tasks, but {MOST_CRASHES + 1} died one after another"
                raise FacedownError(lost) from error
            under_way[second.remote(task)] = task
            return
        yield from results


def check_place(on: str) -> tuple[str, str]:
    """The kind of a place to work on, and its address if it has one."""
    kind, _, address = on.partition(":")
    if kind not in KINDS or (address and kind != "ray"):
        raise UnknownName("place to work on", on, (*KINDS, "ray:ADDRESS"))
    return kind, address


def start_workers(on: str = "local", count: int | None = None) -> Workers:
    """Start workers by text: local, threads, processes, ray or ray:ADDRESS; by default one for each processor."""
    kind, address = check_place(on)
    if count is not None and count < 1:
        raise BadOption(f"expected at least one worker, got {count}")
    if kind == "ray":
        return Ray(count, address or None)
    if kind == "local":
        if count not in (None, 1):
            raise BadOption(f"expected one worker on local, got {count}; threads, processes and ray have more")
        return Local()
    number = count or os.cpu_count() or 1
    return Threads(number) if kind == "threads" else Processes(number)
