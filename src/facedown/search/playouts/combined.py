"""Several playout policies at once (Powley, Cowling and Whitehouse 2014: ICARUS), asked in order for each action.

Each may prefer an action: last-good-reply where the reply is legal, others that learn where they have met a sequence that a
legal action ends. The first that does decides; else the last of the order, which always has an action, such as the game's
plain playouts. All learn from every result.

    Chain(first, figures, rest) ── rest ──> Chain ... ── rest ──> Noted(last)

A chain is a named tuple, whose type says which policies it has: search is compiled for it. `Noted` alone is a policy that is
played action by action and notes them, for searches that ask what was played (rave.py).

Departure: the paper lets policies decide by weights of all their statistics; here the first that prefers an action decides,
so that no weights have to be found for each game.
"""

from typing import Any, NamedTuple

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.search.playouts.episodes import note_in_episode
from facedown.search.playouts.ngrams import note_move
from facedown.search.playouts.playout import (
    NO_ACTION,
    add_tuple_policy,
    begin,
    begin_playout,
    expected_action,
    learn,
    learn_nothing,
    note,
    one_action,
    one_move,
    preferred,
)


class Noted(NamedTuple):
    """A policy that always has an action, and moves noted."""

    last: Array


class Chain(NamedTuple):
    """A policy that may prefer an action, and what is asked where it does not."""

    first: Array
    figures: Array  # a RUN record with what this policy reads
    rest: Any  # a Chain or Noted


@kernel
def begin_last(memory: Noted, run: Record, world: Record, rng: Array) -> None:
    """A descent begins as the policy has it."""
    begin(memory.last, run, world, rng)


@kernel
def expect_as_last(memory: Noted, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """What others do, where the policy knows it."""
    return int(expected_action(memory.last, run, world, actions, rng))


@kernel
def begin_playout_of_last(memory: Noted, run: Record, world: Record, rng: Array) -> None:
    """A playout begins as the policy has it."""
    begin_playout(memory.last, run, world, rng)


@kernel
def move_of_last(memory: Noted, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> int:
    """The policy's action."""
    return int(one_action(memory.last, run, world, actions, rng))


@kernel
def begin_rest(memory: Chain, run: Record, world: Record, rng: Array) -> None:
    """See begin_last."""
    begin(memory.rest, run, world, rng)


@kernel
def expect_as_rest(memory: Chain, run: Record, world: Record, actions: Array, rng: Array) -> int:
    """See expect_as_last."""
    return int(expected_action(memory.rest, run, world, actions, rng))


@kernel
def begin_playout_of_rest(memory: Chain, run: Record, world: Record, rng: Array) -> None:
    """See begin_playout_of_last."""
    begin_playout(memory.rest, run, world, rng)


@kernel
def move_of_chain(memory: Chain, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> int:
    """The action that the first policy prefers, or else what the rest has."""
    action = preferred(memory.first, memory.figures[0], world, moves, actions, rng)
    if action == NO_ACTION:
        action = one_move(memory.rest, run, world, moves, actions, rng)
    return int(action)


@kernel
def learn_all(memory: Chain, run: Record, moves: Array, rewards: Array) -> None:
    """Every policy learns."""
    learn(memory.first, memory.figures[0], moves, rewards)
    learn(memory.rest, run, moves, rewards)


@kernel
def play_out_noting(memory: Any, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end, action by action."""
    begin_playout(memory, run, world, rng)
    while not rules.is_over(world):
        action = one_move(memory, run, world, moves, actions, rng)
        note(memory, run, world, moves, rules.to_move(world), action)
        rules.apply(world, action)


add_tuple_policy(
    Noted,
    begin=begin_last,
    expected_action=expect_as_last,
    begin_playout=begin_playout_of_last,
    one_move=move_of_last,
    note=note_move,
    play_out=play_out_noting,
    learn=learn_nothing,
)
add_tuple_policy(
    Chain,
    begin=begin_rest,
    expected_action=expect_as_rest,
    begin_playout=begin_playout_of_rest,
    one_move=move_of_chain,
    note=note_in_episode,
    play_out=play_out_noting,
    learn=learn_all,
)
