"""Single-observer information set MCTS (Cowling, Powley and Whitehouse 2012; Manzke 2025, algorithm 1), and UCT.

One tree for the searching seat. Each iteration descends in another world, one that the seat holds possible, and may follow
only actions that are legal there. With a single world, the true one, this is UCT.

With AMAF (rave.py), arms are chosen by two means.

A policy of playouts may choose for the other seats inside the tree too (`expected_action`). The search is then for the best
answer to players who play by that policy and see their own cards only.

Departure: a child's bonus counts from 1 for the iteration that created it, as its siblings count that iteration too.
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.search.playouts.playout import NO_ACTION, NOTED, begin, expected_action, learn, note, play_out, result
from facedown.search.rave import RAVE_NODE, found_children, new_child, pick_arm, spread
from facedown.search.run import count_depth
from facedown.search.search import COPIED_A_SECOND, FIRST_ROOM, Arm, Search, Settings, doubled, new_run_of
from facedown.search.selection import Scratch, arm_with, mark_legal, new_scratch, untried_action
from facedown.search.tree import NO_NODE, NODE, ROOT, back_up, rooted
from facedown.state import State
from facedown.view import View
from facedown.worlds.source import Source, next_world, room_for_world


@kernel
def descend(tree: Array, run: Record, world: Record, memory: Array, scratch: Scratch, rng: Array) -> int:
    """Down the tree in one world, to an action never tried, which is added; that node."""
    actions, marks, arms, moves, _ = scratch
    node = ROOT
    moves[NOTED] = 0
    begin(memory, run, world, rng)
    while not rules.is_over(world):
        count = rules.legal(world, actions)
        mover = rules.to_move(world)
        run.choices += 1
        mark_legal(actions, count, marks, run.choices)
        found, last = found_children(tree, tree[node].first_child, count, marks, run.choices, arms)
        action = expected_action(memory, run, world, actions, rng) if mover != run.seat else NO_ACTION
        following = NO_NODE
        if action != NO_ACTION:
            following = arm_with(tree, arms, found, action)
        elif found == count:
            trials = int(np.int64(tree[node].visits)) if run.worlds == 1 else 0
            following = pick_arm(tree, arms, count, trials, run)
        if following != NO_NODE:
            node = following
            action = int(np.int64(tree[node].action))  # widened, so that there is one `apply` to compile
            note(memory, run, world, moves, mover, action)
            rules.apply(world, action)
            continue
        if action == NO_ACTION:
            action = untried_action(actions, count - found, marks, run.choices, rng)
        child = run.nodes
        new_child(tree, node, last, child, action, mover)
        run.nodes += 1
        note(memory, run, world, moves, mover, action)
        rules.apply(world, action)
        return int(child)
    return node


@kernel
def grow(iterations: int, tree: Array, runs: Array, source: Any, memory: Array, rng: Array) -> int:
    """Make iterations until there are enough or the tree is full; return how many were made."""
    run = runs[0]
    worlds = room_for_world(source)
    world = worlds[0]
    scratch = new_scratch(run)
    actions, _, _, moves, rewards = scratch
    for iteration in range(iterations):
        if run.nodes >= run.room:
            return iteration
        next_world(source, worlds, rng)
        node = descend(tree, run, world, memory, scratch, rng)
        play_out(memory, run, world, moves, actions, rng)
        result(world, run, rewards)
        learn(memory, run, moves, rewards)
        spread(tree, node, run, moves, rewards)
        count_depth(run, back_up(tree, node, rewards))
    return iterations


class TreeSearch(Search):
    """UCT on one world, or single-observer ISMCTS over many."""

    def __init__(
        self, position: State | View, settings: Settings, source: Source, rng: Array, room: int = FIRST_ROOM
    ) -> None:
        self.run = new_run_of(position, settings, source.size)
        self.source = source
        self.memory = settings.playout()
        self.rng = rng
        self.node = RAVE_NODE if settings.equivalence else NODE  # the type of the tree's nodes
        self.tree = rooted(room, 1, self.node)

    def _slice(self, iterations: int) -> int:
        self.run["room"] = len(self.tree)
        return int(grow(iterations, self.tree, self.run, self.source, self.memory, self.rng))

    def _make_room(self) -> None:
        self.tree = doubled(self.tree)

    def _room_seconds(self) -> float:
        return self.tree.nbytes / COPIED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The children of a node."""
        found = []
        first = (self.node.names or ()).index("reward")
        child = int(self.tree["first_child"][node])
        while child != NO_NODE:
            # All fields at once: one by one they take ten times as long.
            reward, squares, visits, available, _, _, sibling, action, seat = self.tree[child].item()[first : first + 9]
            found.append(Arm(action, seat, visits, available, reward, squares, [(self, child)]))
            child = sibling
        return found
