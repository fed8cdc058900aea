"""Multiple-observer information set MCTS (Cowling, Powley and Whitehouse 2012, algorithm 3): one tree for each seat.

All trees are descended side by side. The seat to move chooses in its own tree; then every tree follows the action as its
seat sees it, so a card passed face down is one node to the others. The trees lie in one array; seat s's root is node s.
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.search.ismcts import TreeSearch
from facedown.search.playouts.playout import NOTED, learn, note, play_out, result
from facedown.search.rave import found_children, new_child, pick_arm, spread
from facedown.search.run import count_depth
from facedown.search.search import FIRST_ROOM, Arm, Settings
from facedown.search.selection import mark_legal, new_scratch, untried_action
from facedown.search.tree import NO_NODE, ROOT, back_up, rooted
from facedown.view import View
from facedown.worlds.source import Source, next_world, room_for_world


@kernel
def child_by(tree: Array, node: int, action: int) -> tuple[int, int]:
    """The child an action leads to, or NO_NODE; and the one before it, or the last."""
    before = NO_NODE
    child = tree[node].first_child
    while child != NO_NODE and tree[child].action != action:
        before = child
        child = tree[child].next_sibling
    return int(child), int(before)


@kernel
def follow(tree: Array, run: Record, world: Record, at: Array, action: int) -> None:
    """Down every tree by an action as its seat sees it; a node that is missing is added."""
    mover = rules.to_move(world)
    for seat in range(run.seats):
        seen = rules.seen_as(world, seat, action)
        child, last = child_by(tree, at[seat], seen)
        if child == NO_NODE:
            child = run.nodes
            new_child(tree, at[seat], last, child, seen, mover)
            run.nodes += 1
        elif seat != mover:
            tree[child].available += 1  # nobody chooses here: how often it came about is all there is to count
        at[seat] = child


@kernel
def grow_trees(iterations: int, tree: Array, runs: Array, source: Any, memory: Array, rng: Array) -> int:
    """Make iterations until there are enough or the array is full; return how many were made."""
    run = runs[0]
    worlds = room_for_world(source)
    world = worlds[0]
    actions, marks, arms, moves, rewards = new_scratch(run)
    at = np.zeros(run.seats, np.int64)  # where each seat's descent stands
    for iteration in range(iterations):
        if run.nodes + run.seats * run.most_depth > tree.shape[0]:
            return iteration
        next_world(source, worlds, rng)
        for seat in range(run.seats):
            at[seat] = seat
        expanded = False
        moves[NOTED] = 0
        while not expanded and not rules.is_over(world):
            count = rules.legal(world, actions)
            mover = rules.to_move(world)
            node = at[mover]
            run.choices += 1
            mark_legal(actions, count, marks, run.choices)
            found, _ = found_children(tree, tree[node].first_child, count, marks, run.choices, arms)
            expanded = found < count
            if expanded:
                action = untried_action(actions, count - found, marks, run.choices, rng)
            else:
                trials = int(np.int64(tree[node].visits)) if run.worlds == 1 else 0
                best = pick_arm(tree, arms, count, trials, run)
                action = int(np.int64(tree[best].action))  # widened, so that there is one `apply` to compile
            follow(tree, run, world, at, action)
            note(memory, run, world, moves, mover, action)
            rules.apply(world, action)
        play_out(memory, run, world, moves, actions, rng)
        result(world, run, rewards)
        learn(memory, run, moves, rewards)
        for seat in range(run.seats):
            spread(tree, at[seat], run, moves, rewards)
            depth = back_up(tree, at[seat], rewards)
        count_depth(run, depth)
    return iterations


class TreesSearch(TreeSearch):
    """Multiple-observer ISMCTS: the searching seat's own tree is the one that is asked."""

    def __init__(self, view: View, settings: Settings, source: Source, rng: Array) -> None:
        super().__init__(view, settings, source, rng)
        self.seat = view.seat
        self.run["nodes"] = view.game.seats
        self.tree = rooted(FIRST_ROOM, view.game.seats, self.node)

    def _slice(self, iterations: int) -> int:
        return int(grow_trees(iterations, self.tree, self.run, self.source, self.memory, self.rng))

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The children of a node of the seat's own tree."""
        return super().arms(self.seat if node == ROOT else node)
