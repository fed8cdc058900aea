"""From a position to the end of the deal: which actions a playout takes, and what it learns from the results.

A policy is an array of records, or a named tuple of such, whose type says how playouts go; search is compiled for that type,
so the plain case pays nothing for the others. Three functions make a policy: `note` an action as it is played, `play_out` to
the end, and `learn` from the rewards. Some can also be asked for `one_action` at a time, after `begin_playout`, or for one
that is `preferred`, if any: combined.py has several at once. A policy may also choose for the other seats inside the tree
(`expected_action`), in place of the search, and prepare for it when a descent begins (`begin`).
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, compile_as, kernel, new_records
from facedown.kernel_cache import mark_of
from facedown.rules import UNIFORM
from facedown.search.run import write_reward

NOTED = 0  # where `moves` has how many moves were noted; they follow it, as the policy keeps them

NO_ACTION = -1

POLICIES: dict[Any, dict[str, Any]] = {}  # by the name of the first field of a policy's records, or by its tuple


def policy(name: str, fields: list[Any], note: Any, play_out: Any, learn: Any, **more: Any) -> np.dtype[Any]:
    """Make a policy of three functions or more; the type of its records, whose first field stands for them."""
    functions = {"begin": begin_nothing, "begin_playout": begin_nothing, "expected_action": expect_nothing}
    functions |= {"note": note, "play_out": play_out, "learn": learn, **more}
    mark = mark_of(name, functions)
    POLICIES[mark] = functions
    return np.dtype([(mark, np.int64), *fields], align=True)


def add_tuple_policy(kind: type, **functions: Any) -> None:
    """Make a policy of functions, all of those below that it is asked for; its memory is a named tuple of this kind."""
    POLICIES[kind] = functions


def _by_policy(name: str) -> Any:
    """A function that the type of its first argument chooses: see rules.py, where the record chooses the game."""

    def call(memory: Any, *rest: Any) -> Any:
        kind = type(memory) if isinstance(memory, tuple) else memory.dtype.names[0]
        return POLICIES[kind][name](memory, *rest)

    def function(memory: Any) -> Any:
        kind = getattr(memory, "instance_class", None) or next(iter(memory.dtype.fields))
        return POLICIES[kind][name]

    compile_as(call, function)
    return call


note = _by_policy("note")  # (memory, run, world, moves, seat, action), before it is played
play_out = _by_policy("play_out")  # (memory, run, world, moves, actions, rng)
learn = _by_policy("learn")  # (memory, run, moves, rewards)
one_action = _by_policy("one_action")  # (memory, run, world, actions, rng) -> action
preferred = _by_policy("preferred")  # (memory, run, world, moves, actions, rng) -> action or NO_ACTION
one_move = _by_policy("one_move")  # (memory, run, world, moves, actions, rng) -> action
begin = _by_policy("begin")  # (memory, run, world, rng)
begin_playout = _by_policy("begin_playout")  # (memory, run, world, rng)
expected_action = _by_policy("expected_action")  # (memory, run, world, actions, rng) -> action or NO_ACTION


@kernel
def result(world: Record, run: Record, rewards: Array) -> None:
    """Write each seat's reward for a finished world; a reward to come late is worth less, where the search discounts."""
    write_reward(run, world, rewards)
    if run.discount < 1.0:
        worth = 1.0
        for _ in range(rules.turns(world) - run.turns):  # a power would be rounded otherwise where it is interpreted
            worth *= run.discount
        for seat in range(run.seats):
            rewards[seat] *= worth


@kernel
def note_nothing(memory: Array, run: Record, world: Record, moves: Array, seat: int, action: int) -> None:
    """Nothing is learnt, so nothing is kept."""


@kernel
def play_out_uniformly(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end as the game itself does."""
    rules.play_out(world, UNIFORM, actions, rng)


@kernel
def learn_nothing(memory: Array, run: Record, moves: Array, rewards: Array) -> None:
    """Results leave no trace."""


@kernel
def begin_nothing(memory: Array, run: Record, world: Record, rng: Array) -> None:
    """A descent, or a playout, begins as the last one ended."""


@kernel
def expect_nothing(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """The search finds out what others do."""
    return NO_ACTION


@kernel
def one_plain_action(memory: Array, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """An action as the game's own playouts choose it."""
    return rules.choose(world, UNIFORM, actions, rng)


PLAIN = policy("uniform", [], note_nothing, play_out_uniformly, learn_nothing, one_action=one_plain_action)


def uniform() -> Array:
    """The plain policy."""
    return new_records(1, PLAIN)
