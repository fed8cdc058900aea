"""The agent of Bitan & Kraus 2018 with a model of bluffing: `pmga`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from facedown.agents.sdmcts import HypothesisAgent, options
from facedown.inference.cheat import NAMES, features, may_call
from facedown.inference.forest import Forest, read_forest, shipped
from facedown.options import Option, Value
from facedown.view import View

SHIPPED = "cheat.npz"


def _is_given(value: Value) -> bool:
    return str(value) != ""


class Pmga(HypothesisAgent):
    """Semi-determinized MCTS that weighs a true and a false claim by what a model says of it."""

    name = "pmga"
    summary = "Smooth-UCT with a model of bluffing (Cheat): how likely the last claim is a lie"
    plays = ("cheat",)
    declared = (
        *options(),
        Option("model", "", "the file of a model that facedown train wrote; by default the one shipped", opens=_is_given),
    )

    def __init__(self, seed: int = 0, **chosen: Value) -> None:
        """The model is read at once, so that a wrong file is refused before the game."""
        super().__init__(seed, **chosen)
        path = str(self.options["model"].value)
        self.model: Forest = read_forest(Path(path), NAMES) if path else shipped(SHIPPED, NAMES)

    def choose(self, view: Any) -> int:
        """Search by the model; other games have no claims."""
        self.check_game(view)
        return super().choose(view)

    def beliefs(self, view: View) -> Sequence[float]:
        """The chances that the claim is true, and that it is false."""
        if not may_call(view):
            return super().beliefs(view)
        lie = float(self.model.chance(features(view)[None])[0])
        return [1.0 - lie, lie]
