"""Playouts by a learnt policy: each seat plays as recorded players do, each action in proportion to its chance.

A seat plays the rest of the deal in one of the policy's modes. Which one is drawn when the playout begins, by what its cards
promise then (question `seat_features`); a seat that such features say nothing of plays in the first mode.
"""

from functools import cache
from typing import Any

import numpy as np

from facedown import rules
from facedown.inference.policy import Policy, mode_utilities, utilities
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rng import uniform
from facedown.search.playouts.playout import learn_nothing, note_nothing, policy


@kernel
def draw_mode(memory: Record, world: Record, seat: int, rng: Array) -> int:
    """The mode that a seat plays in from here on."""
    modes = memory.modes.shape[0]
    # Slices are plain arrays: for fields of records, which are not, all features would be compiled once more.
    if modes == 1 or mode_utilities(world, seat, memory.modes[:], memory.features[:], memory.utility[0]) == 0:
        return 0
    return draw_choice(memory.utility[0], modes, rng)


@kernel
def draw_choice(utility: Array, count: int, rng: Array) -> int:
    """One of `count` choices, each in proportion to exp(utility)."""
    highest = utility[0]
    for row in range(1, count):
        highest = max(highest, utility[row])
    total = 0.0
    for row in range(count):
        utility[row] = np.exp(utility[row] - highest)
        total += utility[row]
    point = uniform(rng) * total
    for row in range(count - 1):
        point -= utility[row]
        if point < 0.0:
            return row
    return count - 1


@kernel
def one_learnt_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action by the policy, in the mode that the seat was given."""
    learnt = memory[0]
    mode = learnt.mode[rules.to_move(world)]
    count = utilities(world, learnt.weights[mode : mode + 1], actions, learnt.rows[:], learnt.utility[:])
    return int(actions[0 if count == 1 else draw_choice(learnt.utility[0], count, rng)])


@kernel
def draw_modes(memory: Array, run: Record, world: Record, rng: Array) -> None:
    """A mode for each seat."""
    for seat in range(run.seats):
        memory[0].mode[seat] = draw_mode(memory[0], world, seat, rng)


@kernel
def play_on_as_learnt(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end in the modes that the seats have."""
    while not rules.is_over(world):
        rules.apply(world, one_learnt_action(memory, run, world, actions, rng))


@kernel
def play_out_as_learnt(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end, each seat in a mode that is drawn now."""
    draw_modes(memory, run, world, rng)
    play_on_as_learnt(memory, run, world, moves, actions, rng)


@cache
def learnt_type(shape: tuple[int, int, int], actions: int, seats: int, in_tree: bool) -> np.dtype[Any]:
    """Records of a policy of a shape (modes, features, features of seats), and room to work in."""
    modes, features, seat_features = shape
    fields = [
        ("weights", np.float64, (modes, features)),
        ("modes", np.float64, (modes, seat_features)),
        ("features", np.float64, seat_features),
        ("rows", np.float64, (actions, features)),
        ("utility", np.float64, (modes, actions)),
        ("mode", np.int64, seats),
    ]
    if in_tree:  # a seat keeps its mode from the root of the tree to the end of the playout
        in_mode = {"begin": draw_modes, "expected_action": one_learnt_action, "one_action": one_learnt_action}
        return policy("learnt", fields, note_nothing, play_on_as_learnt, learn_nothing, **in_mode)
    by_action = {"begin_playout": draw_modes, "one_action": one_learnt_action}
    return policy("learnt", fields, note_nothing, play_out_as_learnt, learn_nothing, **by_action)


def learnt(found: Policy, actions: int, seats: int, in_tree: bool = False) -> Array:
    """The memory of playouts by a policy, in a game of so many actions and seats; the others play by it in the tree too."""
    shape = (*found.weights.shape, max(1, found.modes.shape[1]))
    memory = new_records(1, learnt_type(shape, actions, seats, in_tree))
    memory["weights"][0] = found.weights
    if found.modes.size:
        memory["modes"][0] = found.modes
    return memory
