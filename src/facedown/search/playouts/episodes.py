"""Playouts by episodes: episodic information capture and reuse, EPIC (Powley, Cowling and Whitehouse 2014).

A deal falls into episodes, such as tricks (the game's question `episode`). What is learnt belongs to the sequence of actions
since the episode began: NAST, with sequences that end where the game does, not after n actions.

Departures: this is the playout policy alone; the tree has statistics of its own. The episode under way at the root has begun
before it, so sequences in it are kept apart from those of later episodes. Sequences are known by a hash of 40 bits.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records, wrapping_product, wrapping_sum
from facedown.search.playouts.ngrams import GOLDEN_RATIO, drawn_by, learn_sequence, preferred_of, seat_in, weigh
from facedown.search.playouts.playout import NOTED, policy

ROOM = 1 << 17  # records, a power of two
HASH_BITS = np.uint64(24)  # that are dropped of 64
HALF = np.uint64(32)


@kernel
def note_in_episode(memory: Array, run: Record, world: Record, moves: Array, seat: int, action: int) -> None:
    """Keep the action, who played it, and in which episode."""
    moves[NOTED] += 1
    moves[moves[NOTED]] = (rules.episode(world) * run.seats + seat) * run.actions + action


@kernel
def key_in_episode(run: Record, moves: Array, count: int, seat: int, episode: int) -> int:
    """The key of a seat's action 0 after the first moves, in an episode; other actions follow it."""
    history = np.uint64(0)
    place = count
    while place > 0 and moves[place] // (run.seats * run.actions) == episode:
        mixed = wrapping_product(wrapping_sum(history, moves[place] % run.actions + 1), GOLDEN_RATIO)
        history = mixed ^ (mixed >> HALF)
        place -= 1
    if place == 0:  # it reaches back to the root
        history = wrapping_product(wrapping_sum(history, run.actions + 1), GOLDEN_RATIO)
    return (int(np.int64(history >> HASH_BITS)) * int(run.seats) + seat) * int(run.actions) + 1


@kernel
def learn_episodes(memory: Array, run: Record, moves: Array, rewards: Array) -> None:
    """Give every sequence of an episode, from the root on, the reward of the seat that ended it."""
    for last in range(1, moves[NOTED] + 1):
        seat = seat_in(run, moves[last])
        key = key_in_episode(run, moves, last - 1, seat, moves[last] // (run.seats * run.actions))
        learn_sequence(memory, key + moves[last] % run.actions, rewards[seat])


@kernel
def play_out_by_episodes(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end by what the sequences have been worth."""
    weights = np.empty(run.actions)
    while not rules.is_over(world):
        legal = rules.legal(world, actions)
        mover = rules.to_move(world)
        choice = 0
        if legal > 1:
            key = key_in_episode(run, moves, moves[NOTED], mover, rules.episode(world))
            weigh(memory, run, key, actions[:legal], weights[:legal])
            choice = drawn_by(weights[:legal], rng)
        action = int(actions[choice])
        note_in_episode(memory, run, world, moves, mover, action)
        rules.apply(world, action)


@kernel
def prefer_by_episode(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> int:
    """An action by the sequences of the episode; none where no legal action's has been met."""
    legal = rules.legal(world, actions)
    key = key_in_episode(run, moves, moves[NOTED], rules.to_move(world), rules.episode(world))
    return preferred_of(memory, run, key, actions[:legal], rng)


EPISODE = policy(
    "episode",
    [("key", np.int64), ("visits", np.int64), ("reward", np.float64)],  # reward: sum over visits
    note_in_episode,
    play_out_by_episodes,
    learn_episodes,
    preferred=prefer_by_episode,
)


def episode_table() -> Array:
    """A table that knows no sequence."""
    return new_records(ROOM, EPISODE)
