"""From a position to the end of the deal."""

from facedown import rules
from facedown.kernel import Array, Record, kernel


@kernel
def play_out(world: Record, actions: Array, rng: Array) -> None:
    """Play to the end as the game itself does; `actions` is scratch space."""
    rules.play_out(world, actions, rng)
