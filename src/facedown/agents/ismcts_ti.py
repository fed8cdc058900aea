"""ISMCTS with transpositions and inference, Manzke 2025, chapter 5: `ismcts-ti`.

It is `ismcts-t` whose worlds believe what was played, as far as Q♠, K♠ and A♠ go; docs/inference.md says how.
"""

from typing import Any

from facedown.agents.tree import IsmctsT, options
from facedown.agents.worlds import world_options
from facedown.inference.spade_honours import GAME, INFERRED_SHARE

DECLARED = {
    option.name: option
    for option in (
        *options(final="mean", passers=("cautious", "search", "steps")),
        *IsmctsT.declared[len(options()) :],
        *world_options("table", INFERRED_SHARE),
    )
}


class IsmctsTi(IsmctsT):
    """Information set MCTS with transpositions, over worlds inferred from a table."""

    name = "ismcts-ti"
    summary = "ismcts-t over worlds in which Q♠, K♠ and A♠ lie where the plays so far say (Hearts)"
    plays = (GAME,)
    declared = tuple(DECLARED.values())

    def choose(self, view: Any) -> int:
        """Search; other games have no such honours."""
        self.check_game(view)
        return super().choose(view)
