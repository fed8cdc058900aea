"""Playouts by the rules of thumb of the game itself, or in another style of rule play that it has."""

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rng import uniform
from facedown.search.playouts.playout import learn_nothing, note_nothing, policy


@kernel
def one_ruled_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by rules of thumb, and with the probability run.parameter as the game's plain playouts choose it."""
    if run.parameter > 0.0 and uniform(rng) < run.parameter:
        return rules.playout_action(world, actions, rng)
    return rules.rule_action(world, actions, rng)


@kernel
def play_out_by_rules(
    memory: Array, run: Record, world: Record, moves: Array, count: int, actions: Array, rng: Array
) -> int:
    """Play to the end."""
    if run.parameter == 0.0:
        rules.rule_play_out(world, actions, rng)
        return 0
    while not rules.is_over(world):
        rules.apply(world, one_ruled_action(memory, run, world, actions, rng))
    return 0


@kernel
def one_styled_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """The same in the style run.policy."""
    if run.parameter > 0.0 and uniform(rng) < run.parameter:
        return rules.playout_action(world, actions, rng)
    return rules.styled_action(world, run.policy, actions, rng)


@kernel
def play_out_in_style(
    memory: Array, run: Record, world: Record, moves: Array, count: int, actions: Array, rng: Array
) -> int:
    """Play to the end in the style run.policy."""
    if run.parameter == 0.0:
        rules.styled_play_out(world, run.policy, actions, rng)
        return 0
    while not rules.is_over(world):
        rules.apply(world, one_styled_action(memory, run, world, actions, rng))
    return 0


RULED = policy("ruled", [], note_nothing, play_out_by_rules, learn_nothing, one_ruled_action)
STYLED = policy("styled", [], note_nothing, play_out_in_style, learn_nothing, one_styled_action)


def ruled() -> Array:
    """The policy; it keeps nothing."""
    return new_records(1, RULED)


def styled() -> Array:
    """The policy for another style; it keeps nothing either."""
    return new_records(1, STYLED)
