"""From a position to the end of the deal, by the game's own playout action."""

from facedown import rules
from facedown.kernel import Array, Record, kernel


@kernel
def play_out(world: Record, actions: Array, rng: Array) -> None:
    """Play to the end; `actions` is scratch space."""
    while not rules.is_over(world):
        rules.apply(world, rules.playout_action(world, actions, rng))
