"""Whether the compiler is at work, and for how long it has been: no clock that a person sees counts that as thinking.

Numba tells of each function that it compiles; what comes from the cache on disk is none. Nothing is imported here, so that
commands that compile nothing start as fast as ever.
"""

import sys
import time
from typing import Any


class Compiler:
    """The compiler of this process."""

    def __init__(self) -> None:
        """Not listened to yet."""
        self._listens = False
        self._depth = 0  # compiling one function may ask for another
        self._since = 0.0
        self._spent = 0.0

    def listen(self) -> None:
        """Take note of compilations from now on, if Numba has been imported."""
        events: Any = sys.modules.get("numba.core.event")
        if self._listens or events is None:
            return
        self._listens = True
        heard = self

        class Listener(events.Listener):  # type: ignore[misc]  # Numba has no types
            def on_start(self, event: object) -> None:
                heard.start()

            def on_end(self, event: object) -> None:
                heard.end()

        events.register("numba:compile", Listener())

    def start(self) -> None:
        """A function is being compiled."""
        if self._depth == 0:
            self._since = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        """It has been, or cannot be."""
        self._depth -= 1
        if self._depth == 0:
            self._spent += time.perf_counter() - self._since

    @property
    def at_work(self) -> bool:
        """Whether something is being compiled."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """How long it has been at work, all in all."""
        return self._spent + (time.perf_counter() - self._since if self._depth else 0.0)


COMPILER = Compiler()


def is_compiling() -> bool:
    """Whether another thread compiles functions, or gets compiled ones from the disk."""
    module: Any = sys.modules.get("numba.core.compiler_lock")
    lock = getattr(getattr(module, "global_compiler_lock", None), "_lock", None)  # its own question is about this thread
    if lock is None or lock.acquire(blocking=False):
        if lock is not None:
            lock.release()
        return False
    return True
