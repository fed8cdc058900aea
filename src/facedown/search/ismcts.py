"""Single-observer information set MCTS (Cowling, Powley and Whitehouse 2012; Manzke 2025, algorithm 1), and UCT.

One tree for the searching seat. Each iteration descends in another world, one that the seat holds possible, and may follow
only actions that are legal there. With a single world, the true one, this is UCT.

Departure: a child's bonus counts from 1 for the iteration that created it, as its siblings count that iteration too.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, kernel
from facedown.rng import draw
from facedown.search.playouts import learn, note, play_out
from facedown.search.selection import best_arm, mark_legal, untried_action
from facedown.search.tree import ROOT, add_child, back_up


@kernel
def grow(tree: Array, runs: Array, positions: Array, hidden: Array, ways: Array, memory: Array, rng: Array) -> int:
    """Make iterations until there are enough or the tree is full; return how many were made.

    `positions` holds the searching seat's view, or else the fixed worlds.
    """
    run = runs[0]
    worlds = positions[:1].copy()
    world = worlds[0]
    actions = np.empty(run.actions, np.int64)
    marks = np.zeros(run.actions, np.int64)  # the last turn at which an action was legal and not yet in the tree
    rewards = np.zeros(run.seats)
    moves = np.empty(run.most_depth + 1, np.int64)  # as the policy of playouts keeps them
    turn = 0
    for iteration in range(run.iterations):
        if run.nodes >= run.room:
            return iteration
        # Step 1. A world that the seat holds possible.
        if run.worlds == 0:
            worlds[0] = positions[0]
            rules.deal_unseen(world, run.seat, hidden[0], ways, rng)
        else:
            worlds[0] = positions[draw(rng, run.worlds)]

        # Step 2. Down the tree, to an action never tried here.
        node = ROOT
        noted = 0
        while not rules.is_over(world):
            count = rules.legal(world, actions)
            mover = rules.to_move(world)
            turn += 1
            mark_legal(actions, count, marks, turn)
            best, found = best_arm(tree, node, run, marks, turn)
            if found == count:
                node = best
                action = int(np.int64(tree[node].action))  # widened, so that there is one `apply` to compile
                noted = note(memory, run, moves, noted, mover, action)
                rules.apply(world, action)
                continue

            # Step 3. Add one of the actions never tried.
            action = untried_action(actions, count - found, marks, turn, rng)
            child = run.nodes
            add_child(tree, node, child, action, mover)
            run.nodes += 1
            node = child
            noted = note(memory, run, moves, noted, mover, action)
            rules.apply(world, action)
            break

        # Step 4. Play to the end, and step 5, take the result home.
        noted = play_out(memory, run, world, moves, noted, actions, rng)
        rules.reward(world, run.reward, rewards)
        learn(memory, run, moves, noted, rewards)
        depth = back_up(tree, node, rewards)
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)
    return int(run.iterations)
