"""Multiple-observer information set MCTS (Cowling, Powley and Whitehouse 2012, algorithm 3): one tree for each seat.

All trees are descended together. Who is to move chooses in its own tree; in every tree the way goes on along the action as
that seat sees it, so a card passed face down is one node to the others. The trees lie in one array; seat s's root is node s.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, kernel
from facedown.search.playouts.playout import learn, note, play_out, result
from facedown.search.selection import best_arm, legal_arms, mark_legal, untried_action
from facedown.search.tree import NO_NODE, add_child, back_up


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
def grow_trees(
    iterations: int, tree: Array, runs: Array, positions: Array, hidden: Array, ways: Array, memory: Array, rng: Array
) -> int:
    """Make iterations until there are enough or the array is full; return how many were made."""
    run = runs[0]
    worlds = positions[:1].copy()
    world = worlds[0]
    actions = np.empty(run.actions, np.int64)
    marks = np.zeros(run.actions, np.int64)
    arms = np.empty(run.actions, np.int64)
    rewards = np.zeros(run.seats)
    moves = np.empty(run.most_depth + 1, np.int64)
    at = np.zeros(run.seats, np.int64)  # where each seat's descent stands
    turn = 0
    for iteration in range(iterations):
        if run.nodes + run.seats * run.most_depth > tree.shape[0]:
            return iteration
        # Step 1. A world that the searching seat holds possible.
        worlds[0] = positions[0]
        rules.deal_unseen(world, run.seat, hidden[0], ways, rng)
        for seat in range(run.seats):
            at[seat] = seat
        expanded = False
        noted = 0
        while not expanded and not rules.is_over(world):
            # Step 2. The mover's choice, in its own tree.
            count = rules.legal(world, actions)
            mover = rules.to_move(world)
            node = at[mover]
            turn += 1
            mark_legal(actions, count, marks, turn)
            found, _ = legal_arms(tree, node, count, marks, turn, arms)
            if found == count:
                best = best_arm(tree, node, run, arms, count)
                action = int(np.int64(tree[best].action))  # widened, so that there is one `apply` to compile
            else:
                # Step 3. An action never tried here.
                expanded = True
                action = untried_action(actions, count - found, marks, turn, rng)
            # Every tree follows the action as its seat sees it.
            for seat in range(run.seats):
                seen = rules.seen_as(world, seat, action)
                child, last = child_by(tree, at[seat], seen)
                if child == NO_NODE:
                    child = run.nodes
                    add_child(tree, at[seat], last, child, seen, mover)
                    run.nodes += 1
                elif seat != mover:
                    tree[child].available += 1  # nobody chooses here: how often it came about is all there is to count
                at[seat] = child
            noted = note(memory, run, moves, noted, mover, action)
            rules.apply(world, action)

        # Step 4. Play to the end, and step 5, take the result home in every tree.
        noted = play_out(memory, run, world, moves, noted, actions, rng)
        result(world, run, rewards)
        learn(memory, run, moves, noted, rewards)
        for seat in range(run.seats):
            depth = back_up(tree, at[seat], rewards)
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)
    return iterations
