"""Agents that fail in every way an agent can."""

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
