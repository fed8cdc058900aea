"""Where work is done: in this thread, in threads, in processes, or on a Ray cluster, behind one method.

`run(work, tasks)` gives results as they come, in any order, and takes a task only when there is a worker for it; so tasks
may be made up on the way, and whoever stops asking stops the work. A task whose worker dies is given to another.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Self, TypeVar

from facedown.errors import BadOption, FacedownError, UnknownName

Task = TypeVar("Task")
Result = TypeVar("Result")

KINDS = ("local", "threads", "processes", "ray")
AHEAD = 1  # tasks that wait for each worker, so that it need not wait for us
MOST_DEATHS = 3  # of workers, one after another, before the tasks are to blame


class Workers:
    """Some workers."""

    count: int

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let them go."""

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """The result of each task, as it is finished; in any order."""
        raise NotImplementedError


class Local(Workers):
    """The thread that asks, one task after another."""

    count = 1

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """See Workers."""
        for task in tasks:
            yield work(task)


class Threads(Workers):
    """Threads of this process: searches run side by side, since kernels let go of Python's lock."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
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


class Processes(Workers):
    """Processes of this machine; when one dies, its tasks go to new ones."""

    def __init__(self, count: int) -> None:
        self.count = count

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """See Workers."""
        source = iter(tasks)
        again: list[Task] = []  # tasks whose worker died
        under_way: dict[Future[Result], Task] = {}
        deaths = 0  # since there was a result
        pool = self._pool()
        try:
            while True:
                broken = False
                while len(under_way) < self.count * (1 + AHEAD) and not broken:
                    task = again.pop() if again else next(source, None)
                    if task is None:
                        break
                    try:
                        under_way[pool.submit(work, task)] = task
                    except BrokenProcessPool:  # a worker has died since those under way were looked at
                        again.append(task)
                        broken = True
                if not under_way and not broken:
                    return
                done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                if broken or any(isinstance(future.exception(), BrokenProcessPool) for future in done):
                    done, _ = wait(under_way)  # one death ends them all
                    deaths += 1
                    if deaths == MOST_DEATHS:
                        raise FacedownError(f"expected workers to survive their tasks, but {deaths} died one after another")
                    pool.shutdown(wait=False)
                    pool = self._pool()
                for future in done:
                    task = under_way.pop(future)
                    if isinstance(future.exception(), BrokenProcessPool):
                        again.append(task)
                    else:
                        deaths = 0
                        yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self) -> Executor:
        # Never by forking: this process may have threads, and a fork would copy their locks without them.
        return ProcessPoolExecutor(self.count, mp_context=multiprocessing.get_context("spawn"))


class Ray(Workers):
    """The workers of a Ray cluster: one of this machine's own by default, or the one at an address."""

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

    def run(self, work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result, None, None]:
        """See Workers."""

        def call(task: Any) -> Any:
            return work(task)

        remote = self._ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(call)
        under_way: list[Any] = []
        try:
            for task in tasks:
                under_way.append(remote.remote(task))
                if len(under_way) >= self.count * (1 + AHEAD):
                    yield self._first(under_way)
            while under_way:
                yield self._first(under_way)
        finally:
            for left in under_way:
                self._ray.cancel(left, force=True)

    def close(self) -> None:
        """Let go of a cluster that was started for this."""
        if self._started:
            self._ray.shutdown()

    def _first(self, under_way: list[Any]) -> Any:
        done, _ = self._ray.wait(under_way, num_returns=1)
        under_way.remove(done[0])
        return self._ray.get(done[0])


def hire(on: str = "local", count: int | None = None) -> Workers:
    """Workers by text: local, threads, processes, ray or ray:ADDRESS; as many as there are processors by default."""
    kind, _, address = on.partition(":")
    if kind not in KINDS or (address and kind != "ray"):
        raise UnknownName("place to work on", on, (*KINDS, "ray:ADDRESS"))
    if count is not None and count < 1:
        raise BadOption(f"expected at least one worker, got {count}")
    if kind == "ray":
        return Ray(count, address or None)
    if kind == "local":
        if count not in (None, 1):
            raise BadOption(f"expected one worker on local, got {count}; threads, processes and ray have more")
        return Local()
    many = count or os.cpu_count() or 1
    return Threads(many) if kind == "threads" else Processes(many)
