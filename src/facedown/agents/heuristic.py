"""Agents that play by a game's own rules of thumb: no search."""

from typing import ClassVar

import numpy as np

from facedown import rules
from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.kernel import Array, kernel
from facedown.options import Option
from facedown.view import View


class Ruled(Agent):
    """What rule players share."""

    asks: ClassVar[tuple[str, ...]]  # the special questions a game must answer

    def choose(self, view: View) -> int:
        """The action by rule."""
        if view.over:
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        style = self.style
        actions, rng = np.empty(view.game.actions, np.int64), self.stream(view)
        if style == rules.EXPERT:
            view.game.rules.require(self.name, "rule_action")
            return int(rule_choice(view.data, actions, rng))
        view.game.rules.require(self.text, "styled_action")
        return int(styled_choice(view.data, style, actions, rng))

    @property
    def style(self) -> int:
        """How it plays."""
        raise NotImplementedError


class Expert(Ruled):
    """The best rules that a game has."""

    name = "expert"
    summary = "the game's own rules of thumb, without search"
    asks = ("rule_action",)
    declared = (Option("printed", False, "follow the published algorithms to the letter, where their text says otherwise"),)

    @property
    def style(self) -> int:
        """By the text, or by the letter."""
        return rules.PRINTED if self.options["printed"].value else rules.EXPERT


class Reduced(Ruled):
    """A simpler player, with chance in it."""

    name = "reduced"
    summary = "the simpler of the game's own rules, with chance in them"
    asks = ("styled_action",)
    style = rules.REDUCED


@kernel
def rule_choice(data: Array, actions: Array, rng: Array) -> int:
    """The action that the rules of a game choose in a view; they read no more than the seat may see."""
    return int(rules.rule_action(data[0], actions, rng))


@kernel
def styled_choice(data: Array, style: int, actions: Array, rng: Array) -> int:
    """The same in a style."""
    return int(rules.styled_action(data[0], style, actions, rng))
