"""Agents think outside the event loop: on a bounded number of workers, one question of each table after another.

A worker is given the view of one seat and nothing else. A worker process that takes too long or crashes is replaced, and
its agent fails. `--on ray` asks the workers of a cluster instead.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import get_ident
from typing import Any, Protocol, TypeVar

from facedown.agents import agent
from facedown.agents.player import Agent
from facedown.arena.executors import start_workers
from facedown.arena.processes import WorkerProcess, packed
from facedown.compiler.activity import COMPILER
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load, offer
from facedown.kernel import Array, new_records
from facedown.view import History, Seconds, View

TOO_SLOW = "took longer than {limit:g} s for an action"
CRASHED = "its worker process crashed"
WORKER_MEMORY = 2 << 30  # bytes that a worker process may take beside what it begins with
STARTS_WITHIN = 60.0  # seconds that a new worker may take beside, to start and to compile


Found = TypeVar("Found")
Found_co = TypeVar("Found_co", covariant=True)


class AgentFailed(Exception):
    """An agent that has no answer: it forfeits."""


class Asked(Protocol[Found_co]):
    """Something for a worker to find out; plain data for other processes."""

    def answer(self) -> Found_co:
        """What is found, in the worker; never a text, since a text is the reason why nothing is."""


@dataclass(frozen=True)
class Shown:
    """A position as one seat sees it; plain data for other processes."""

    game: str
    seat: int
    data: bytes
    history: History
    seconds: Seconds

    @classmethod
    def of(cls, view: View) -> "Shown":
        """The data of a view."""
        known = [*view.seconds] if any(one is not None for one in view.seconds) else []
        return cls(view.game.full_path, view.seat, view.data.tobytes(), view.history, known)

    def view(self) -> View:
        """The view again, in another process."""
        game = loaded(self.game)
        return View(game, record_of(game, self.data), self.seat, list(self.history), list(self.seconds))


@dataclass(frozen=True)
class Question:
    """A position as one seat sees it, and who is asked about it."""

    shown: Shown
    agent: str
    seed: int

    @classmethod
    def of(cls, view: View, text: str, seed: int) -> "Question":
        """What an agent is asked about a view."""
        return cls(Shown.of(view), text, seed)

    def answer(self) -> "Answer":
        """What the agent chooses."""
        asked, view = player(self.agent, self.seed), self.shown.view()
        COMPILER.listen()
        begin, compiled = time.perf_counter(), COMPILER.seconds
        action = int(asked.choose(view))
        seconds = time.perf_counter() - begin - (COMPILER.seconds - compiled)
        return Answer(action, max(0.0, seconds), asked.seconds)


@dataclass(frozen=True)
class Answer:
    """What an agent answers."""

    action: int
    seconds: float  # that it took, without compiling
    said_seconds: float | None = None  # how long it says that it took, if it plays a person


@lru_cache(maxsize=64)
def loaded(text: str) -> Game:
    """A game by a text from outside."""
    return load(text, trusted=False)


def record_of(game: Game, data: bytes) -> Array:
    """A record of a game, from its bytes."""
    record = new_records(1, game.rules.state)
    record.view("u1")[:] = bytearray(data)
    return record


def player(text: str, seed: int) -> Agent:
    """An agent by a text from outside, of this thread alone; it keeps nothing from one decision to the next."""
    return player_of_thread(text, seed, get_ident())


@lru_cache(maxsize=256)
def player_of_thread(text: str, seed: int, thread: int) -> Agent:
    """The same, for each thread."""
    return agent(text, seed, trusted=False)


def think(question: Asked[Found], games: tuple[str, ...] = ()) -> Found | str:
    """The answer to a question, in a worker, which may not know the operator's games yet; the reason where there is none."""
    try:
        for text in games:
            offer(text)
        return question.answer()
    except MemoryError:
        return "took more memory than a worker has"
    except Exception as error:
        return str(error) if isinstance(error, FacedownError) else f"{type(error).__name__}: {error}"


def think_within_bounds(question: Asked[Found], games: tuple[str, ...] = ()) -> Found | str:
    """The same in a worker process of its own, whose memory is bounded."""
    bound_memory()
    return think(question, games)


@cache
def bound_memory() -> None:
    """Let this process take some more memory, and then no more, where the system can see to that."""
    try:
        import resource
    except ImportError:  # Windows
        return
    taken = Path("/proc/self/statm")
    if taken.exists():
        most = int(taken.read_text().split()[0]) * resource.getpagesize() + WORKER_MEMORY
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


class Thinkers:
    """Workers that answer questions, each owner's in turn."""

    def __init__(
        self, on: str = "processes", count: int | None = None, limit: float = 60.0, games: tuple[str, ...] = ()
    ) -> None:
        """`limit`: seconds for one answer, compiling not counted; `games`: the operator's own, from files or modules."""
        self._think = partial(think, games=games) if games else think
        self._think_within_bounds = partial(think_within_bounds, games=games) if games else think_within_bounds
        self._workers = start_workers(on, count)
        self.count = self._workers.count
        self.limit = limit
        self._in_processes = on == "processes"
        self._free: SimpleQueue[WorkerProcess | None] = SimpleQueue()
        for _ in range(self.count):
            self._free.put(None)  # a process is started when it is first needed
        self._threads = ThreadPoolExecutor(self.count, thread_name_prefix="facedown thinker")
        self._waiting: OrderedDict[str, deque[tuple[Asked[Any], asyncio.Future[Any]]]] = OrderedDict()
        self._thinking: set[WorkerProcess] = set()  # processes that have a question
        self._busy = 0
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def waiting(self) -> int:
        """How many questions no worker has begun with."""
        return sum(map(len, self._waiting.values()))

    async def ask(self, owner: str, question: Asked[Found]) -> Found:
        """The answer, when it is the owner's turn and a worker is free."""
        future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append((question, future))
        self._start_next()
        return await future

    def _start_next(self) -> None:
        while self._waiting and self._busy < self.count and not self._closed:
            owner, questions = self._waiting.popitem(last=False)
            question, future = questions.popleft()
            if questions:
                self._waiting[owner] = questions  # behind all others
            if not future.done():  # else nobody waits for it any more
                self._busy += 1
                task = asyncio.create_task(self._answer(question, future))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(self, question: Asked[Found], future: "asyncio.Future[Found]") -> None:
        loop = asyncio.get_running_loop()
        ask: Callable[[Asked[Found]], Found | str] = self._ask_process if self._in_processes else self._ask_workers
        try:
            answer = await loop.run_in_executor(self._threads, ask, question)
            if future.done():
                return
            if isinstance(answer, str):
                future.set_exception(AgentFailed(answer))
            else:
                future.set_result(answer)
        except Exception as error:
            if not future.done():
                future.set_exception(AgentFailed(f"{type(error).__name__}: {error}"))
        finally:
            self._busy -= 1
            self._start_next()

    def _ask_workers(self, question: Asked[Found]) -> Found | str:
        return next(self._workers.run(self._think, [question]))

    def _ask_process(self, question: Asked[Found]) -> Found | str:
        """An answer; a worker that crashes is replaced and asked again once, for it may have been killed with others."""
        answer = self._ask_one(question)
        return self._ask_one(question) if answer == CRASHED and not self._closed else answer

    def _ask_one(self, question: Asked[Found]) -> Found | str:
        worker = self._free.get()
        kept: WorkerProcess | None = None
        try:
            worker = worker or WorkerProcess(packed(self._think_within_bounds))
            self._thinking.add(worker)
            worker.add(question)
            deadline = time.monotonic() + self.limit + (0 if worker.ready else STARTS_WITHIN)
            while True:
                if worker.connection.poll(max(0.0, deadline - time.monotonic())):
                    kind, value = worker.answer()
                    if kind == "ready":
                        worker.ready = True
                        continue
                    worker.tasks.popleft()
                    kept = worker
                    answer: Found | str = value if kind == "done" else str(value)
                    return answer
                return TOO_SLOW.format(limit=self.limit)
        except (EOFError, OSError):
            return CRASHED
        finally:
            if worker is not None:
                self._thinking.discard(worker)
            if kept is None and worker is not None:
                worker.end()
            self._free.put(kept)

    async def close(self) -> None:
        """Stop all workers; nobody is answered any more."""
        self._closed = True
        for questions in self._waiting.values():
            for _, future in questions:
                future.cancel()
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for busy in list(self._thinking):
            busy.process.kill()  # or its thread would wait for an answer that nobody wants
        while not self._free.empty():
            worker = self._free.get()
            if worker is not None:
                worker.end()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._workers.close()
