"""Agents that play by a game's own rules of thumb: no search."""

from typing import ClassVar

import numpy as np

from facedown import rules
from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.game import View
from facedown.kernel import Array, kernel
from facedown.options import Option


class Ruled(Agent):
    """What rule players share."""

    style: ClassVar[int]

    def choose(self, view: View) -> int:
        """The action by rule."""
        if view.over:
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        style = self._style()
        view.game.rules.require(self.text, "styled_action" if style != rules.EXPERT else "rule_action")
        return int(choice(view.data, style, np.empty(view.game.actions, np.int64), self.stream(view)))

    def _style(self) -> int:
        return self.style


class Expert(Ruled):
    """The best rules that a game has."""

    name = "expert"
    summary = "the game's own rules of thumb, without search"
    style = rules.EXPERT
    declared = (Option("printed", False, "follow the published algorithms to the letter, where their text says otherwise"),)

    def _style(self) -> int:
        return rules.PRINTED if self.options["printed"].value else rules.EXPERT


class Reduced(Ruled):
    """A simpler player, with chance in it."""

    name = "reduced"
    summary = "the simpler of the game's own rules, with chance in them"
    style = rules.REDUCED


@kernel
def choice(data: Array, style: int, actions: Array, rng: Array) -> int:
    """The action that the rules of a game choose in a view; they read no more than the seat may see."""
    return int(rules.styled_action(data[0], style, actions, rng))
