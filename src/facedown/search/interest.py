"""Worlds in which moves matter: interesting card orders (Cowling, Ward and Powley 2012, section VI-A).

An order of the cards is interesting if the seat to move does better or worse by making no move than by the move that the
game's rules suggest, in a pair of playouts. A few pairs are tried for each order; any one will do.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.rules import EXPERT
from facedown.search.drafts import MOST_PARTS
from facedown.search.playouts.playout import play_out
from facedown.worlds.source import deal_unseen

PAIRS = 2  # of playouts for one order, at most


@kernel
def value_of(world: Record, run: Record, seat: int, memory: Array, rewards: Array, scratch: Array, rng: Array) -> float:
    """What a playout brings a seat, whenever it ends."""
    play_out(memory, run, world, scratch[1], 0, scratch[0], rng)
    rules.reward(world, run.reward, rewards)
    return float(rewards[seat])


@kernel
def closing_action(world: Record) -> int:
    """The action that ends the compound move under way; -1 if there is none."""
    return rules.compound_move(world, np.empty((MOST_PARTS, 3), np.int64))[0]


@kernel
def move_by_rules(world: Record, actions: Array, rng: Array) -> None:
    """Make the whole compound move that the game's rules suggest."""
    last = closing_action(world)
    action = rules.choose(world, EXPERT, actions, rng)
    while action != last:
        rules.apply(world, action)
        action = rules.choose(world, EXPERT, actions, rng)
    rules.apply(world, last)


@kernel
def matters(worlds: Array, spare: Array, run: Record, memory: Array, rewards: Array, scratch: Array, rng: Array) -> bool:
    """Whether a pair of playouts tells no move from the move by rules; the world is left as it was."""
    seat = rules.to_move(worlds[0])
    run.trials += 2
    spare[0] = worlds[0]
    rules.apply(spare[0], closing_action(spare[0]))
    idle = value_of(spare[0], run, seat, memory, rewards, scratch, rng)
    spare[0] = worlds[0]
    move_by_rules(spare[0], scratch[0], rng)
    return value_of(spare[0], run, seat, memory, rewards, scratch, rng) != idle


@kernel
def draw_interesting(
    worlds: Array,
    view: Array,
    spare: Array,
    run: Record,
    hidden: Record,
    ways: Array,
    memory: Array,
    rewards: Array,
    scratch: Array,
    rng: Array,
) -> int:
    """Draw a world for a tree: an interesting one, if so many playouts find one; how many were made."""
    worlds[0] = view[0]
    deal_unseen(worlds[0], run.seat, hidden, ways, rng)
    spent = 0
    if run.root_trials < 2 or closing_action(worlds[0]) < 0:
        return spent
    while spent + 2 <= run.root_trials:
        if spent > 0 and spent % (2 * PAIRS) == 0:
            worlds[0] = view[0]
            deal_unseen(worlds[0], run.seat, hidden, ways, rng)
        spent += 2
        if matters(worlds, spare, run, memory, rewards, scratch, rng):
            run.interesting += 1
            return spent
    return spent


@kernel
def reorder_leaf(
    worlds: Array, spare: Array, run: Record, memory: Array, rewards: Array, scratch: Array, rng: Array
) -> None:
    """Put the stock of a leaf into an order for its playout: an interesting one, where the search looks for one."""
    if run.leaf_trials < 2 or rules.is_over(worlds[0]) or closing_action(worlds[0]) < 0:
        rules.shuffle_stock(worlds[0], rng)
        return
    spent = 0
    while spent + 2 <= run.leaf_trials:
        if spent % (2 * PAIRS) == 0:
            rules.shuffle_stock(worlds[0], rng)
        spent += 2
        if matters(worlds, spare, run, memory, rewards, scratch, rng):
            run.interesting += 1
            return


def new_scratch(actions: int, moves: int) -> Array:
    """Room for actions and for the moves that a playout notes."""
    return np.zeros((2, max(actions, moves + 1)), np.int64)
