"""What runs in a worker process: tasks come through a pipe, and results go back through it."""

import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from facedown.arena.workers import ends_after_task, use_shared_memory
from facedown.errors import FacedownError

SET_PARENT_DEATH_SIGNAL = 1  # of prctl(2)
STDOUT, STDERR = 1, 2


def serve(connection: Connection, memory: Any) -> None:
    """Do tasks as they come; end when the process that sends them ends."""
    messages: SimpleQueue[bytes] = SimpleQueue()
    end_with_parent()
    threading.Thread(target=receive, args=(connection, messages), daemon=True).start()
    redirect_stdout()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    use_shared_memory(memoryview(memory).cast("B"))
    connection.send_bytes(pickle.dumps(("ready", None)))
    work = messages.get()
    while task := messages.get():
        connection.send_bytes(done(work, task))
        if ends_after_task():
            return


def done(work: bytes, task: bytes) -> bytes:
    """The answer to a task."""
    try:
        result = unpacked(work)(pickle.loads(task))
        return pickle.dumps(("last" if ends_after_task() else "done", result))
    except BaseException as error:
        return pickle.dumps(("failed", sendable(error)))


@cache
def unpacked(work: bytes) -> Callable[[Any], Any]:
    """The work itself; unpickling it imports most of a worker's code."""
    found: Callable[[Any], Any] = pickle.loads(work)
    return found


def sendable(error: BaseException) -> Exception:
    """An error that can be pickled, with its traceback if nobody raised it on purpose."""
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
    """Receive messages while the work runs; when the sender is gone, end at once."""
    try:
        while True:
            messages.put(connection.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)


def end_with_parent() -> None:
    """Where the system supports it, end with the parent even inside code that blocks all threads."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def redirect_stdout() -> None:
    """Send everything printed here to stderr, C code's output too: stdout is for the results."""
    try:
        os.dup2(STDERR, STDOUT)
    except OSError:  # there is no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
