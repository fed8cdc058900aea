"""Agents that play by a game's own rules of thumb: no search."""

from collections.abc import Callable
from functools import cache

import numpy as np

from facedown import rules
from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.kernel import Array, kernel
from facedown.options import Option
from facedown.rules import EXPERT
from facedown.view import View


class Ruled(Agent):
    """What rule players share."""

    def choose(self, view: View) -> int:
        """The action by rule."""
        if not view.legal:  # which refuses a view of somebody else's turn, a spectator's too
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        view.game.rules.require(self.text, f"choose:{self.style}")
        actions, rng = np.empty(view.game.actions, np.int64), self.stream(view)
        return int(choice_in(rules.style(self.style))(view.data, actions, rng))

    @property
    def style(self) -> str:
        """How it plays."""
        raise NotImplementedError


class Expert(Ruled):
    """The best rules that a game has."""

    name = "expert"
    summary = "the game's own rules of thumb, without search"
    asks = ("choose:expert",)
    declared = (
        Option("printed", False, "follow the published algorithms to the letter, where the paper's prose says otherwise"),
    )

    @property
    def style(self) -> str:
        """By the paper's prose, or by its printed algorithms."""
        return "printed" if self.options["printed"].value else "expert"


class Reduced(Ruled):
    """A simpler player, with chance in it."""

    name = "reduced"
    summary = "the simpler of the game's own rules, with chance in them"
    asks = ("choose:reduced",)
    style = "reduced"


@cache
def choice_in(style: int) -> Callable[[Array, Array, Array], int]:
    """What chooses an action in a style by a view; the rules read no more than the seat may see."""

    @kernel
    def choice(data: Array, actions: Array, rng: Array) -> int:
        return int(rules.choose(data[0], style, actions, rng))

    return choice


rule_choice = choice_in(EXPERT)
