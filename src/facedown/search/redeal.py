"""ISMCTS in which the other seats do not see the searching seat's cards: re-determinization (after Goodman 2019).

Plain ISMCTS searches worlds in which the searching seat has its own cards, so the others learn to answer these cards. Here
every iteration is followed by another for the others: the searching seat's action at the root is chosen as before, then the
world is dealt again as one of the other seats sees it, the searching seat's cards with the rest. Arms of the others learn
from these worlds only, arms of the searching seat from its own worlds only. There is one tree.

Departures: a world is dealt again once, after the action at the root, not at each node; such worlds are drawn before the
search, some for each action. In them the searching seat plays any card from its second action on.
"""

from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records
from facedown.rng import draw
from facedown.search.ismcts import TreeSearch
from facedown.search.playouts.playout import NOTED, begin, learn, note, play_out, result
from facedown.search.run import count_depth
from facedown.search.search import FIRST_ROOM, Settings
from facedown.search.selection import Scratch, best_arm, legal_children, mark_legal, new_scratch, untried_action
from facedown.search.tree import NO_NODE, ROOT, add_child, add_result
from facedown.view import View
from facedown.worlds import exact
from facedown.worlds.knowledge import new_hidden
from facedown.worlds.source import Source, next_world, room_for_world


class Redealt(NamedTuple):
    """Worlds as others may see them, after each action at the root: the n-th legal one has places n, n + actions, ..."""

    worlds: Array
    place: Array  # [action] n
    step: int  # how many actions there are


@kernel
def redeal(worlds: Array, seat: int, hidden: Array, rng: Array) -> None:
    """Deal a world again as a seat sees it."""
    rules.hide(worlds[0], seat)
    rules.unseen(worlds[0], seat, hidden[0])
    cells = exact.group_cards(hidden[0])
    ways = np.full((hidden[0].steps + 1, cells), -1.0)
    exact.count_ways(hidden[0], ways)
    exact.draw_world(hidden[0], ways, rng)
    rules.place(worlds[0], seat, hidden[0], rng)


@kernel
def fill_redealt(out: Array, place: Array, source: Any, run: Record, blank: Array, rng: Array) -> None:
    """Write the worlds."""
    worlds = room_for_world(source)
    hidden = blank.copy()
    actions = np.zeros(run.actions, np.int64)
    for number in range(out.shape[0]):
        next_world(source, worlds, rng)
        count = rules.legal(worlds[0], actions)
        which = number % count
        place[actions[which]] = which
        rules.apply(worlds[0], actions[which])
        seat = (run.seat + 1 + draw(rng, run.seats - 1)) % run.seats
        hidden[0] = blank[0]
        if not rules.is_over(worlds[0]):
            redeal(worlds, seat, hidden, rng)
        out[number] = worlds[0]


@kernel
def descend(
    tree: Array, run: Record, worlds: Array, redealt: Any, scratch: Scratch, memory: Array, others: bool, rng: Array
) -> int:
    """Down the tree to an action never tried, which is added; that node."""
    actions, marks, arms, moves, _ = scratch
    pool, place, step = redealt
    world = worlds[0]
    node = ROOT
    moves[NOTED] = 0
    begin(memory, run, world, rng)
    while not rules.is_over(world):
        count = rules.legal(world, actions)
        mover = rules.to_move(world)
        run.choices += 1
        mark_legal(actions, count, marks, run.choices)
        found, last = legal_children(tree, tree[node].first_child, count, marks, run.choices, arms)
        new = found < count
        if others and mover == run.seat and node != ROOT:
            choice = int(actions[draw(rng, count)])
            following = NO_NODE
            for number in range(found):
                if tree[arms[number]].action == choice:
                    following = int(arms[number])
            new = following == NO_NODE
            action = choice
        elif new:
            action = untried_action(actions, count - found, marks, run.choices, rng)
            following = NO_NODE
        else:
            following = best_arm(tree, arms, count, 0, run.exploration)
            action = int(np.int64(tree[following].action))
        if new:
            following = int(run.nodes)
            add_child(tree, node, last, following, action, mover)
            run.nodes += 1
        note(memory, run, moves, mover, action)
        if others and node == ROOT:
            first = place[action]
            worlds[0] = pool[first + step * draw(rng, (pool.shape[0] - first + step - 1) // step)]
        else:
            rules.apply(world, action)
        node = following
        if new:
            return node
    return node


@kernel
def back_up_of(tree: Array, node: int, rewards: Array, seat: int, others: bool) -> int:
    """Add a result to those nodes above that the searching seat chose, or the others."""
    depth = -1
    while node != NO_NODE:
        visited = tree[node]
        if visited.seat < 0 or (visited.seat != seat) == others:
            visited.visits += 1
            add_result(visited, rewards)
        node = visited.parent
        depth += 1
    return depth


@kernel
def grow_redealt(iterations: int, tree: Array, runs: Array, source: Any, redealt: Any, memory: Array, rng: Array) -> int:
    """Make pairs of iterations until there are enough or the tree is full; return how many were made."""
    run = runs[0]
    worlds = room_for_world(source)
    scratch = new_scratch(run)
    actions, _, _, moves, rewards = scratch
    for iteration in range(iterations):
        if run.nodes + 2 > run.room:
            return iteration
        for kind in range(2):
            next_world(source, worlds, rng)
            node = descend(tree, run, worlds, redealt, scratch, memory, kind == 1, rng)
            play_out(memory, run, worlds[0], moves, actions, rng)
            result(worlds[0], run, rewards)
            learn(memory, run, moves, rewards)
            depth = back_up_of(tree, node, rewards, run.seat, kind == 1)
        count_depth(run, depth)
    return iterations


class RedealtSearch(TreeSearch):
    """ISMCTS whose other seats learn from worlds that are dealt again as they see them."""

    def __init__(self, view: View, settings: Settings, source: Source, rng: Array, count: int) -> None:
        super().__init__(view, settings, source, rng, FIRST_ROOM)
        self.redealt = Redealt(new_records(count, view.data.dtype), np.zeros(view.game.actions, np.int64), len(view.legal))
        blank = new_hidden(kind=view.game.knowledge)
        fill_redealt(self.redealt.worlds, self.redealt.place, source, self.run[0], blank, rng)

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        return int(grow_redealt(iterations, self.tree, self.run, self.source, self.redealt, self.memory, self.rng))
