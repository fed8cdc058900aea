"""A player somewhere else: whoever is asked answers, over a network or in any other way, and games know nothing of it."""

import time
from collections.abc import Callable

from facedown.agents.player import Agent
from facedown.view import View

CLOCK_DIGITS = 3  # of the seconds it took


class Remote(Agent):
    """Somebody who is asked for an action and answers with it, a number or its text; the game waits."""

    name = "remote"
    summary = "a player somewhere else"

    def __init__(self, ask: Callable[[View], int | str], who: str = name) -> None:
        """`ask` is given the view and returns when there is an answer; `who` is the name for records."""
        super().__init__()
        self.who = who
        self._ask = ask

    @property
    def text(self) -> str:
        """The name of who plays: no text makes this agent again."""
        return self.who

    def choose(self, view: View) -> int:
        """The answer."""
        asked = time.perf_counter()
        answer = self._ask(view)
        self.seconds = round(time.perf_counter() - asked, CLOCK_DIGITS)
        return view.game.parse(answer) if isinstance(answer, str) else int(answer)
