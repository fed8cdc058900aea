"""Workers that are processes of this machine: they end with the process that hired them, whatever ends it.

Each has a pipe of its own, so a death is known at once, with the task it happened in, and costs nobody else anything.
"""

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.util import Finalize
from queue import SimpleQueue
from typing import Any

from facedown.arena.workers import (
    AHEAD,
    MOST_DEATHS,
    SLATE_BYTES,
    SLATE_HEAD,
    Death,
    Inquest,
    Result,
    Task,
    Workers,
    is_leaving,
    take_slate,
)
from facedown.errors import FacedownError

LOOKED_EVERY = 1.0  # seconds, at the slates
MOST_AT_A_LOOK = 2.0  # seconds that count from one look to the next: this process may have been stopped meanwhile
ENDS_WITHIN = 5.0  # seconds, once a worker is told to
SET_PARENT_DEATH_SIGNAL = 1  # of prctl(2)
STDOUT, STDERR = 1, 2

# Never by forking: this process may have threads, and a fork would copy their locks without them.
CONTEXT = multiprocessing.get_context("spawn")


class Processes(Workers):
    """Processes of this machine; when one dies, another takes its place."""

    elsewhere = True

    def __init__(self, count: int) -> None:
        self.count = count

    def run(
        self, work: Callable[[Task], Result], tasks: Iterable[Task], inquest: Inquest[Task, Result] | None = None
    ) -> Generator[Result, None, None]:
        """See Workers."""
        crew = Crew(packed(work), iter(tasks), self.count, inquest or Inquest())
        try:
            while crew.hand_out():
                yield from crew.collect()
        finally:
            crew.dismiss()


class Hand:
    """One process, and the tasks that it was sent and has not answered."""

    def __init__(self, work: bytes) -> None:
        self.memory = CONTEXT.RawArray("B", SLATE_BYTES)
        self.slate = memoryview(self.memory).cast("B")
        self.tasks: deque[Any] = deque()
        self.ready = False
        self.overdue = False
        self.head, self.still = b"", 0.0  # what its slate begins with, and for how many seconds it has
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=serve, args=(theirs, self.memory), name="facedown worker")
        with deaf_to_interrupts():
            self.process.start()
        theirs.close()
        self.last_resort = Finalize(self, self.process.kill, exitpriority=10)  # or Python would wait for it as it ends
        self.send(work)

    def send(self, message: bytes) -> None:
        """Send bytes; a death is noticed when an answer is wanted."""
        with suppress(OSError):
            self.connection.send_bytes(message)

    def give(self, task: Any) -> None:
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

    def look(self, seconds: float) -> None:
        """See whether its slate has changed."""
        head = bytes(self.slate[:SLATE_HEAD])
        self.still = self.still + seconds if head == self.head else 0.0
        self.head = head

    def end(self) -> None:
        """Let it end by itself if it has nothing to do, and at once otherwise."""
        if self.ready and not self.tasks:
            self.send(b"")
            self.process.join(ENDS_WITHIN)
        self.process.kill()
        self.process.join()
        self.last_resort.cancel()
        self.connection.close()


class Crew:
    """The processes of one piece of work."""

    def __init__(self, work: bytes, source: Iterator[Any], count: int, inquest: Inquest[Any, Any]) -> None:
        self.work = work
        self.source = source
        self.count = count
        self.inquest = inquest
        self.again: deque[Any] = deque()  # tasks whose worker died
        self.hands: list[Hand] = []
        self.stillborn = 0  # workers that died before their first task, one after another
        self.looked = time.monotonic()

    def hand_out(self) -> bool:
        """Give everybody something to do, as long as there is; whether anything is being done."""
        while True:
            free = min(self.hands, key=lambda hand: len(hand.tasks), default=None)
            everybody = len(self.hands) >= self.count
            if free is not None and everybody and len(free.tasks) > AHEAD:
                return True
            try:
                task = self.again.popleft() if self.again else next(self.source)
            except StopIteration:
                return any(hand.tasks for hand in self.hands)
            if free is None or (free.tasks and not everybody):
                free = self.hire()
            free.give(task)

    def hire(self) -> Hand:
        """One more."""
        self.hands.append(Hand(self.work))
        return self.hands[-1]

    def collect(self) -> Iterator[Any]:
        """Wait for results, or for a death."""
        wait([hand.connection for hand in self.hands], LOOKED_EVERY)
        now = time.monotonic()
        passed, self.looked = min(now - self.looked, MOST_AT_A_LOOK), now
        for hand in list(self.hands):
            if hand.connection.poll() or not hand.process.is_alive():
                yield from self.hear(hand)
                continue
            hand.look(passed)
            if hand.tasks and self.inquest.overdue(hand.slate, hand.still):
                hand.overdue = True
                hand.process.kill()

    def hear(self, hand: Hand) -> Iterator[Any]:
        """What one has to say."""
        try:
            kind, value = hand.answer()
        except (EOFError, OSError):
            yield from self.bury(hand)
            return
        if kind == "ready":
            hand.ready, self.stillborn = True, 0
            return
        hand.tasks.popleft()
        if kind == "failed":
            raise value
        self.inquest.survived()
        if kind == "last":  # it ends by itself, and what it was to do next is done by another
            self.hands.remove(hand)
            self.again.extend(hand.tasks)
            hand.tasks.clear()
            hand.end()
        yield value

    def bury(self, hand: Hand) -> Iterator[Any]:
        """Put another in the place of one that has died; only the task that it was at may have to do with it."""
        self.hands.remove(hand)
        hand.process.join(ENDS_WITHIN)
        death = Death(hand.process.exitcode, bytes(hand.slate), hand.overdue)
        left = list(hand.tasks)
        hand.tasks.clear()
        hand.end()
        if not hand.ready:
            self.stillborn += 1
            if self.stillborn == MOST_DEATHS:
                raise FacedownError(
                    f"expected workers to start, but {self.stillborn} ended at once (exit code {death.code}): "
                    'a script must start its work below `if __name__ == "__main__":`'
                )
            self.again.extendleft(reversed(left))
        elif left:
            results, first = self.inquest.after(left[0], death)
            self.again.extend([*first[1:], *left[1:]])
            if first:
                self.hire().give(first[0])
            yield from results

    def dismiss(self) -> None:
        """Let all go."""
        for hand in self.hands:
            if hand.tasks:
                hand.process.kill()
        for hand in self.hands:
            hand.end()
        self.hands.clear()


def packed(what: Any) -> bytes:
    """What is to be sent, or a refusal in one line."""
    try:
        return pickle.dumps(what)
    except Exception as error:
        why = " ".join(str(error).split())
        raise FacedownError(f"expected work that can be sent to other processes, got {str(what)[:80]!r}: {why}") from error


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let a process begin its life deaf to Ctrl-C, which the one that hired it answers for all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- In a worker ------------------------------------------------------------------------------------------------------


def serve(connection: Connection, memory: Any) -> None:
    """Do tasks as they come, to the end of the process that sends them at the latest."""
    messages: SimpleQueue[bytes] = SimpleQueue()
    end_with_parent()
    threading.Thread(target=receive, args=(connection, messages), daemon=True).start()
    keep_off_stdout()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    take_slate(memoryview(memory).cast("B"))
    connection.send_bytes(pickle.dumps(("ready", None)))
    work = messages.get()
    while task := messages.get():
        connection.send_bytes(done(work, task))
        if is_leaving():
            return


def done(work: bytes, task: bytes) -> bytes:
    """The answer to a task."""
    try:
        result = unpacked(work)(pickle.loads(task))
        return pickle.dumps(("last" if is_leaving() else "done", result))
    except BaseException as error:
        return pickle.dumps(("failed", sendable(error)))


@cache
def unpacked(work: bytes) -> Callable[[Any], Any]:
    """The work itself; most of a worker's code is imported here."""
    found: Callable[[Any], Any] = pickle.loads(work)
    return found


def sendable(error: BaseException) -> Exception:
    """An error as it can be sent, with the way to it if nobody raised it on purpose."""
    if not isinstance(error, FacedownError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        twin = pickle.loads(pickle.dumps(error))
        if type(twin) is type(error) and isinstance(twin, Exception):
            return twin
    except Exception:
        pass
    if isinstance(error, FacedownError):
        return FacedownError(str(error))
    return RuntimeError(f"{type(error).__name__}: {error}")


def receive(connection: Connection, messages: "SimpleQueue[bytes]") -> None:
    """Take in messages while work is done; when there is nobody left to send any, nobody wants the work."""
    try:
        while True:
            messages.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def end_with_parent() -> None:
    """Where the system can see to it, end with the parent even inside code that lets no thread run."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def keep_off_stdout() -> None:
    """Whatever is printed here goes to stderr, by whatever means: stdout is for the results."""
    try:
        os.dup2(STDERR, STDOUT)
    except OSError:  # there is no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
