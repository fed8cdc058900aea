"""Agents that fail in every way an agent can."""

import ctypes
import os
import re
import signal
import time
from typing import Any

import facedown as fd


class Strange(fd.Agent):
    """Plays the lowest action, until something happens at its third turn."""

    name = "strange"

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed, **options)
        self.turns = 0

    def choose(self, view: Any) -> int:
        self.turns += 1
        return self.happen(view) if self.turns == 3 else int(min(view.legal))

    def happen(self, view: Any) -> int:
        return int(min(view.legal))


class Crashing(Strange):
    name = "crashing"

    def happen(self, view: Any) -> int:
        raise ZeroDivisionError("no cards to divide")


class Illegal(Strange):
    name = "illegal"

    def happen(self, view: Any) -> int:
        return next(action for action in range(52) if action not in view.legal)


class Hanging(Strange):
    name = "hanging"

    def happen(self, view: Any) -> int:
        while True:
            time.sleep(0.01)


class Exiting(Strange):
    name = "exiting"

    def happen(self, view: Any) -> int:
        raise SystemExit("bye")


class Interrupting(Strange):
    name = "interrupting"

    def happen(self, view: Any) -> int:
        raise KeyboardInterrupt("stop")


class Closing(Strange):
    name = "closing"

    def happen(self, view: Any) -> int:
        raise GeneratorExit


class Unborn(Strange):
    name = "unborn"

    def __init__(self, seed: int = 0, **options: Any) -> None:
        super().__init__(seed, **options)
        if seed:
            raise RuntimeError("not for this seed")


class Leaving(Strange):
    name = "leaving"

    def happen(self, view: Any) -> int:
        os._exit(7)


class Segfaulting(Strange):
    name = "segfaulting"

    def happen(self, view: Any) -> int:
        ctypes.string_at(0)
        return 0


class Killing(Strange):
    name = "killing"

    def happen(self, view: Any) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 0


class Selfish(Strange):
    """Lets no other thread run, not even those that look at the clock."""

    name = "selfish"

    def happen(self, view: Any) -> int:
        re.match("(a+)+$", "a" * 64 + "b")
        return 0


class Printing(Strange):
    """Prints by every means there is."""

    name = "printing"

    def choose(self, view: Any) -> int:
        print("thinking")
        os.write(1, b"deeply\n")
        return super().choose(view)
