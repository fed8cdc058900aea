"""ISMCTS with transpositions and inference, Manzke 2025, chapter 5: `ismcts-ti`.

It is `ismcts-t` whose worlds believe what was played, as far as Q♠, K♠ and A♠ go; docs/inference.md says how.
"""

from pathlib import Path
from typing import Any

from facedown.agents.tree import IsmctsT
from facedown.inference.spade_honours import GAME, INFERRED_SHARE, HonourInference
from facedown.inference.spade_table import read_table
from facedown.kernel import Array
from facedown.options import Option, Value
from facedown.view import View


def _is_given(value: Value) -> bool:
    return str(value) != ""


class IsmctsTi(IsmctsT):
    """Information set MCTS with transpositions, over worlds inferred from a table."""

    name = "ismcts-ti"
    summary = "ismcts-t over worlds in which Q♠, K♠ and A♠ lie where the plays so far say (Hearts)"
    plays = (GAME,)
    declared = (
        *IsmctsT.declared,
        Option(
            "inference_weight", INFERRED_SHARE, "the share of worlds that are inferred; the others are uniform", most=1.0
        ),
        Option("table", "", "the file of a table that facedown train wrote; by default the one shipped", opens=_is_given),
    )

    def __init__(self, seed: int = 0, **chosen: Value) -> None:
        """The table is read at once, so that a wrong file is refused before the game."""
        super().__init__(seed, **chosen)
        path = str(self.value("table"))
        self.inference = HonourInference(read_table(Path(path)) if path else None)

    def choose(self, view: Any) -> int:
        """Search; other games have no such honours."""
        self.check_game(view)
        return super().choose(view)

    def drawn(self, view: View, count: int, rng: Array) -> Array:
        """Inferred worlds."""
        return self.inference.worlds(view, count, rng, self.value("inference_weight"))
