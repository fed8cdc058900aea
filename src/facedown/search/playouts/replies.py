"""Playouts that reply as it last went well: the last-good-reply policy (Drake 2009), or forget it (Baier and Drake 2010).

For each seat and each action before its own, the reply that was played when the seat last won. A reply is played again where
it is legal; all else is left to the game's plain playouts. With forgetting, a reply that loses is struck out.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rewards import DIFFERENCE, WIN_OR_LOSS
from facedown.rules import UNIFORM
from facedown.search.playouts.ngrams import note_move, seat_in
from facedown.search.playouts.playout import NO_ACTION, NOTED, policy

NO_REPLY = 0  # replies are kept as action + 1, so that an empty table knows none
ROOM = 1 << 13  # a power of two; where seats times actions are more, some share a record


@kernel
def place_of(memory: Array, run: Record, moves: Array, count: int, seat: int) -> int:
    """Where a seat's reply to the last of the first moves stands; at the root, its reply to nothing."""
    before = moves[count] % run.actions + 1 if count > 0 else 0
    return int(seat * (run.actions + 1) + before) & int(memory.shape[0] - 1)


@kernel
def has_won(reward: float, kind: int) -> bool:
    """Whether a reward is better than an even result."""
    return reward > (0.0 if kind in (WIN_OR_LOSS, DIFFERENCE) else 0.5)


@kernel
def good_reply(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> int:
    """The reply that last won, if it is legal."""
    reply = memory[place_of(memory, run, moves, moves[NOTED], rules.to_move(world))].reply - 1
    if reply >= 0:
        for choice in range(rules.legal(world, actions)):
            if actions[choice] == reply:
                return int(reply)
    return NO_ACTION


@kernel
def play_out_by_replies(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end by good replies, and as the game itself does where there is none."""
    while not rules.is_over(world):
        action = good_reply(memory, run, world, moves, actions, rng)
        if action == NO_ACTION:
            action = rules.choose(world, UNIFORM, actions, rng)
        note_move(memory, run, world, moves, rules.to_move(world), action)
        rules.apply(world, action)


@kernel
def learn_replies(memory: Array, run: Record, moves: Array, rewards: Array) -> None:
    """Keep the replies of the seats that won; where run.parameter is not 0, forget those of the others."""
    for last in range(1, moves[NOTED] + 1):
        seat = seat_in(run, moves[last])
        entry = memory[place_of(memory, run, moves, last - 1, seat)]
        reply = moves[last] % run.actions + 1
        if has_won(rewards[seat], run.reward):
            entry.reply = reply
        elif run.parameter != 0.0 and entry.reply == reply:
            entry.reply = NO_REPLY


REPLY = policy("reply", [("reply", np.int64)], note_move, play_out_by_replies, learn_replies, preferred=good_reply)


def reply_table() -> Array:
    """A table that knows no reply."""
    return new_records(ROOM, REPLY)
