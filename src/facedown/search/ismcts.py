"""Single-observer information set MCTS (Cowling, Powley and Whitehouse 2012; Manzke 2025, algorithm 1), and UCT.

One tree for the searching seat. Each iteration descends in another world, one that the seat holds possible, and may follow
only actions that are legal there. With a single world, the true one, this is UCT.

Departure: a child's bonus counts from 1 for the iteration that created it, as its siblings count that iteration too.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.rng import draw
from facedown.search.playouts.playout import learn, note, play_out, result
from facedown.search.selection import best_arm, legal_arms, mark_legal, untried_action
from facedown.search.tree import ROOT, add_child, back_up


@kernel
def choose_world(world: Array, positions: Array, run: Record, hidden: Record, ways: Array, rng: Array) -> None:
    """A world that the seat holds possible: a fresh one made of its view, or one of the fixed ones."""
    if run.worlds == 0:
        world[0] = positions[0]
        rules.deal_unseen(world[0], run.seat, hidden, ways, rng)
    else:
        world[0] = positions[draw(rng, run.worlds)]


@kernel
def descend(
    tree: Array, run: Record, world: Record, memory: Array, moves: Array, scratch: Array, rng: Array
) -> tuple[int, int]:
    """Down the tree in one world, to an action never tried, which is added; that node, and how many moves were noted."""
    actions = scratch[0]
    marks = scratch[1]  # the number of the choice at which an action was last legal and not yet in the tree
    arms = scratch[2]  # the children that are legal
    node = ROOT
    noted = 0
    while not rules.is_over(world):
        count = rules.legal(world, actions)
        mover = rules.to_move(world)
        run.choices += 1
        turn = run.choices
        mark_legal(actions, count, marks, turn)
        found, last = legal_arms(tree, node, count, marks, turn, arms)
        if found == count:
            node = best_arm(tree, node, run, arms, count)
            action = int(np.int64(tree[node].action))  # widened, so that there is one `apply` to compile
            noted = note(memory, run, moves, noted, mover, action)
            rules.apply(world, action)
            continue
        action = untried_action(actions, count - found, marks, turn, rng)
        child = run.nodes
        add_child(tree, node, last, child, action, mover)
        run.nodes += 1
        noted = note(memory, run, moves, noted, mover, action)
        rules.apply(world, action)
        return child, noted
    return node, noted


@kernel
def grow(
    iterations: int, tree: Array, runs: Array, positions: Array, hidden: Array, ways: Array, memory: Array, rng: Array
) -> int:
    """Make iterations until there are enough or the tree is full; return how many were made.

    `positions` holds the searching seat's view, or else the fixed worlds.
    """
    run = runs[0]
    worlds = positions[:1].copy()
    world = worlds[0]
    scratch = np.zeros((3, run.actions), np.int64)
    rewards = np.zeros(run.seats)
    moves = np.empty(run.most_depth + 1, np.int64)  # as the policy of playouts keeps them
    for iteration in range(iterations):
        if run.nodes >= run.room:
            return iteration
        choose_world(worlds, positions, run, hidden[0], ways, rng)
        node, noted = descend(tree, run, world, memory, moves, scratch, rng)
        noted = play_out(memory, run, world, moves, noted, scratch[0], rng)
        result(world, run, rewards)
        learn(memory, run, moves, noted, rewards)
        depth = back_up(tree, node, rewards)
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)
    return iterations
