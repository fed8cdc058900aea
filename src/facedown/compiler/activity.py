"""Whether the compiler is running, and for how long it has run: compile time does not count as thinking time.

Numba reports each function that it compiles, not those loaded from the cache on disk. Numba is not imported here, so that
commands that compile nothing start fast.
"""

import sys
import time
from typing import Any


class Compiler:
    """The compiler of this process."""

    def __init__(self) -> None:
        """Not registered with Numba yet."""
        self._listens = False
        self._depth = 0  # compiling one function may ask for another
        self._since = 0.0
        self._spent = 0.0

    def listen(self) -> None:
        """Record compilations from now on, if Numba has been imported."""
        events: Any = sys.modules.get("numba.core.event")
        if self._listens or events is None:
            return
        self._listens = True
        compiler = self

        class Listener(events.Listener):  # type: ignore[misc]  # Numba has no types
            def on_start(self, event: object) -> None:
                compiler.start()

            def on_end(self, event: object) -> None:
                compiler.end()

        events.register("numba:compile", Listener())

    def start(self) -> None:
        """A function is being compiled."""
        if self._depth == 0:
            self._since = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        """Its compilation has ended, perhaps with an error."""
        self._depth -= 1
        if self._depth == 0:
            self._spent += time.perf_counter() - self._since

    @property
    def at_work(self) -> bool:
        """Whether something is being compiled."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """The total time it has run."""
        return self._spent + (time.perf_counter() - self._since if self._depth else 0.0)


COMPILER = Compiler()


def is_compiling() -> bool:
    """Whether another thread compiles functions, or loads compiled ones from disk."""
    module: Any = sys.modules.get("numba.core.compiler_lock")
    lock = getattr(getattr(module, "global_compiler_lock", None), "_lock", None)  # Numba's own function is about this thread
    if lock is None or lock.acquire(blocking=False):
        if lock is not None:
            lock.release()
        return False
    return True
