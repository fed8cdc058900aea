"""Playouts by the rules of thumb of the game itself."""

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rng import uniform
from facedown.search.playouts import learn_nothing, note_nothing, policy


@kernel
def play_out_by_rules(
    memory: Array, run: Record, world: Record, moves: Array, count: int, actions: Array, rng: Array
) -> int:
    """Play to the end by rules in the style run.policy, and with probability run.parameter as plain playouts do."""
    if run.parameter == 0.0:
        rules.styled_play_out(world, run.policy, actions, rng)
        return 0
    while not rules.is_over(world):
        if uniform(rng) < run.parameter:
            action = rules.playout_action(world, actions, rng)
        else:
            action = rules.styled_action(world, run.policy, actions, rng)
        rules.apply(world, action)
    return 0


RULED = policy("ruled", [], note_nothing, play_out_by_rules, learn_nothing)


def ruled() -> Array:
    """The policy; it keeps nothing."""
    return new_records(1, RULED)
