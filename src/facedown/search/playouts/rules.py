"""Playouts by the game's own rules: its best ones, or simpler ones with chance in them.

Players that err now and then are policies of their own, so that those who never do are compiled without.
"""

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rng import uniform
from facedown.rules import EXPERT, REDUCED, UNIFORM
from facedown.search.playouts.playout import learn_nothing, note_nothing, policy


@kernel
def one_expert_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by the best rules."""
    return rules.choose(world, EXPERT, actions, rng)


@kernel
def play_out_as_experts(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end."""
    rules.play_out(world, EXPERT, actions, rng)


@kernel
def one_erring_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by the best rules, and with the probability run.parameter any legal one."""
    if uniform(rng) < run.parameter:
        return rules.choose(world, UNIFORM, actions, rng)
    return rules.choose(world, EXPERT, actions, rng)


@kernel
def play_out_erring(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end, erring now and then."""
    while not rules.is_over(world):
        rules.apply(world, one_erring_action(memory, run, world, actions, rng))


@kernel
def play_out_reduced(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end by the simpler rules."""
    rules.play_out(world, REDUCED, actions, rng)


@kernel
def one_reduced_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by the simpler rules."""
    return rules.choose(world, REDUCED, actions, rng)


@kernel
def one_reduced_erring_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by the simpler rules, and with the probability run.parameter any legal one."""
    if uniform(rng) < run.parameter:
        return rules.choose(world, UNIFORM, actions, rng)
    return rules.choose(world, REDUCED, actions, rng)


@kernel
def play_out_reduced_erring(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end by the simpler rules, erring now and then."""
    while not rules.is_over(world):
        rules.apply(world, one_reduced_erring_action(memory, run, world, actions, rng))


AS_EXPERTS = policy("experts", [], note_nothing, play_out_as_experts, learn_nothing, one_action=one_expert_action)
AS_ERRING = policy("erring", [], note_nothing, play_out_erring, learn_nothing, one_action=one_erring_action)
AS_REDUCED = policy("reduced", [], note_nothing, play_out_reduced, learn_nothing, one_action=one_reduced_action)
AS_REDUCED_ERRING = policy(
    "reduced_erring", [], note_nothing, play_out_reduced_erring, learn_nothing, one_action=one_reduced_erring_action
)


def experts() -> Array:
    """The policy; it keeps nothing."""
    return new_records(1, AS_EXPERTS)


def erring() -> Array:
    """The policy of experts that err with the probability run.parameter."""
    return new_records(1, AS_ERRING)


def reduced() -> Array:
    """The policy by simpler rules."""
    return new_records(1, AS_REDUCED)


def reduced_erring() -> Array:
    """The same, erring."""
    return new_records(1, AS_REDUCED_ERRING)
