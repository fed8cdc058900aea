"""Games played to the end in compiled loops; a file without other imports, whose digest takes no time."""

from facedown import rules
from facedown.kernel import Array, kernel


@kernel
def play_by_questions(positions: Array, style: int, actions: Array, rng: Array) -> None:
    """Play the first position to the end in a style, one question after another."""
    state = positions[0]
    while not rules.is_over(state):
        rules.apply(state, rules.styled_action(state, style, actions, rng))
