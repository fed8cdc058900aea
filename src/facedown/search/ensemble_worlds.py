"""Worlds for an ensemble: interesting card orders, in which moves matter (Cowling, Ward and Powley 2012, section VI-A).

An order of the cards is interesting if the seat to move does better or worse by making no move than by the move that the
game's rules suggest, in a pair of playouts. A few pairs are tried for each order; any one will do. Where none is tried, the
record of the ensemble has no field for the number of trials, and nothing of this is compiled.
"""

from typing import NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, by_field, copied, kernel
from facedown.rules import EXPERT
from facedown.search.compound_moves import MOST_PARTS, closing_action
from facedown.search.playouts.playout import play_out
from facedown.search.run import write_reward
from facedown.view import View
from facedown.worlds.source import Fresh, fresh, next_world

PAIRS = 2  # of playouts for one order, at most


class Worlds(NamedTuple):
    """Where worlds come from, and what tries them out."""

    source: Fresh
    world: Array  # room for the world of an iteration,
    spare: Array  # and for a copy of it that is tried out
    memory: Array  # of the playouts' policy
    menu: Array  # room for the parts of a compound move,
    actions: Array  # for the actions that a playout chooses from,
    moves: Array  # for those that it notes,
    rewards: Array  # and for what it brings each seat


def new_worlds(view: View, memory: Array) -> Worlds:
    """The worlds of a view."""
    actions, moves, rewards = np.zeros(view.game.actions, np.int64), np.zeros(1, np.int64), np.zeros(view.game.seats)
    menu = np.empty((MOST_PARTS, 3), np.int64)
    source = fresh(view.data, view.seat, view.unseen())
    return Worlds(source, copied(view.data), copied(view.data), memory, menu, actions, moves, rewards)


@kernel
def trial_value(worlds: Worlds, run: Record, seat: int, rng: Array) -> float:
    """What a playout of the spare world brings a seat, whenever it ends."""
    play_out(worlds.memory, run, worlds.spare[0], worlds.moves, worlds.actions, rng)
    write_reward(run, worlds.spare[0], worlds.rewards)
    return float(worlds.rewards[seat])


@kernel
def move_by_rules(world: Record, last: int, actions: Array, rng: Array) -> None:
    """Make the whole compound move that the game's rules suggest, up to its last action."""
    action = rules.choose(world, EXPERT, actions, rng)
    while action != last:
        rules.apply(world, action)
        action = rules.choose(world, EXPERT, actions, rng)
    rules.apply(world, last)


@kernel
def matters(worlds: Worlds, run: Record, ensemble: Record, rng: Array) -> bool:
    """Whether no move and the move by rules end differently, in a pair of playouts."""
    spare = worlds.spare[0]
    seat = rules.to_move(worlds.world[0])
    ensemble.trials += 2
    worlds.spare[0] = worlds.world[0]
    last = closing_action(spare, worlds.menu)
    rules.apply(spare, last)
    idle = trial_value(worlds, run, seat, rng)
    worlds.spare[0] = worlds.world[0]
    move_by_rules(spare, last, worlds.actions, rng)
    found = trial_value(worlds, run, seat, rng) != idle
    ensemble.interesting += found
    return found


@kernel
def draw_any(ensemble: Record, worlds: Worlds, run: Record, rng: Array) -> int:
    """Draw a world for a tree; no trials were made."""
    next_world(worlds.source, worlds.world, rng)
    return 0


@kernel
def draw_interesting(ensemble: Record, worlds: Worlds, run: Record, rng: Array) -> int:
    """Draw a world for a tree: an interesting one, if `root_trials` playouts find one; how many were made."""
    next_world(worlds.source, worlds.world, rng)
    spent = 0
    if closing_action(worlds.world[0], worlds.menu) < 0:
        return spent
    while spent + 2 <= ensemble.root_trials:
        if spent > 0 and spent % (2 * PAIRS) == 0:
            next_world(worlds.source, worlds.world, rng)
        spent += 2
        if matters(worlds, run, ensemble, rng):
            return spent
    return spent


@kernel
def shuffle_once(ensemble: Record, worlds: Worlds, run: Record, rng: Array) -> None:
    """Shuffle the stock of a leaf for its playout, unless that keeps the order of the tree's world."""
    if not ensemble.keeps_order:
        rules.shuffle_stock(worlds.world[0], rng)


@kernel
def shuffle_until_interesting(ensemble: Record, worlds: Worlds, run: Record, rng: Array) -> None:
    """The same, to an interesting order, if `leaf_trials` playouts find one."""
    world = worlds.world[0]
    if ensemble.leaf_trials == 0:
        shuffle_once(ensemble, worlds, run, rng)
        return
    if ensemble.leaf_trials < 2 or rules.is_over(world) or closing_action(world, worlds.menu) < 0:
        rules.shuffle_stock(world, rng)
        return
    spent = 0
    while spent + 2 <= ensemble.leaf_trials:
        if spent % (2 * PAIRS) == 0:
            rules.shuffle_stock(world, rng)
        spent += 2
        if matters(worlds, run, ensemble, rng):
            return


draw_world = by_field("root_trials", draw_interesting, draw_any)  # (ensemble, worlds, run, rng) -> how many trials
shuffle_leaf = by_field("leaf_trials", shuffle_until_interesting, shuffle_once)  # (ensemble, worlds, run, rng)
