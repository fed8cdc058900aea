"""Games played to the end in compiled loops; a file without other imports, whose digest takes no time."""

from facedown import rules
from facedown.kernel import Array, kernel
from facedown.rules import REDUCED, UNIFORM


@kernel
def play_by_questions(positions: Array, actions: Array, rng: Array) -> None:
    """Play the first position to the end in the reduced style, one question after another."""
    state = positions[0]
    while not rules.is_over(state):
        rules.apply(state, rules.choose(state, REDUCED, actions, rng))


@kernel
def play_out(data: Array, actions: Array, rng: Array) -> None:
    """Play the first position to the end at random, as a game's own playout does."""
    rules.play_out(data[0], UNIFORM, actions, rng)
