"""Semi-determinized MCTS (Bitan and Kraus 2018, algorithms 1 and 2): a table of information sets for each seat.

What the last action was, as far as it was hidden, is supposed, and all kinds it may have been of are searched in turn;
hidden actions to come are open to all seats. The other hidden cards stay hidden: each simulation draws a world.

    slots ──(seat, abstraction)──> set ── first_child ──> arm ── next_sibling ──> arm ── next_sibling ──> NO_NODE
                                                           └── first_child ──> the set that came next, when last tried

Sets and arms are nodes of one array. Sets 0, 1, ... are the roots, one for each supposition, even where the game's
abstraction does not tell them apart. A set met for the first time is added, and its seat leaves its tree: from there on it
plays by the policy of playouts in this simulation, and the set is given the result of the action taken in it.

Departure: a way longer than the array for it is followed by the policy of playouts.
"""

from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, wrapping_product
from facedown.search.playouts.playout import one_action, play_out, result
from facedown.search.selection import legal_arms, mark_legal, untried_action
from facedown.search.smooth import smooth_arm
from facedown.search.tree import NO_NODE, add_child

SLOT = np.dtype([("key", np.int64), ("node", np.int32), ("seat", np.int32)], align=True)
EMPTY = -1
GOLDEN_RATIO = np.uint64(0x9E37_79B9_7F4A_7C15)  # of 2^64: spreads keys that lie close together
UPPER_BITS = np.uint64(32)
SEAT_BITS = np.uint64(62)  # above those of an abstraction
LONGEST_WAY = 512  # choices in the trees in one simulation


# --- The table --------------------------------------------------------------------------------------------------------


@kernel
def slot_of(slots: Array, seat: int, key: int) -> Any:
    """Where a seat's information set stands in the table; if nowhere, the empty place for it."""
    last = np.uint64(slots.shape[0] - 1)
    word = np.uint64(key) ^ np.uint64(seat) << SEAT_BITS
    slot = wrapping_product(word, GOLDEN_RATIO) >> UPPER_BITS & last
    while slots[slot].node != EMPTY and (slots[slot].key != key or slots[slot].seat != seat):
        slot = (slot + np.uint64(1)) & last
    return slot


@kernel
def enter(slots: Array, slot: Any, seat: int, key: int, node: int) -> None:
    """Write a set into the table."""
    slots[slot].key = key
    slots[slot].seat = seat
    slots[slot].node = node


@kernel
def refill(slots: Array, larger: Array) -> None:
    """Enter all sets of a table into a larger one."""
    for place in range(slots.shape[0]):
        old = slots[place]
        if old.node != EMPTY:
            enter(larger, slot_of(larger, old.seat, old.key), old.seat, old.key, old.node)


@kernel
def plant_root(slots: Array, run: Record, world: Record, root: int) -> None:
    """Enter a root into the table, unless it cannot be told from a set that is there."""
    key = rules.information_set(world, run.seat)
    slot = slot_of(slots, run.seat, key)
    if slots[slot].node == EMPTY:
        enter(slots, slot, run.seat, key, root)
        run.sets += 1


@kernel
def found_set(tree: Array, slots: Array, run: Record, world: Record, seat: int) -> int:
    """The information set of the seat to act; one that is new is added, and has no visits."""
    key = rules.information_set(world, seat)
    slot = slot_of(slots, seat, key)
    if slots[slot].node != EMPTY:
        return int(np.int64(slots[slot].node))
    node = run.nodes
    run.nodes += 1
    run.sets += 1
    enter(slots, slot, seat, key, node)
    tree[node].visits = 0
    tree[node].first_child = NO_NODE
    return int(node)


# --- Simulations ------------------------------------------------------------------------------------------------------


@kernel
def add_arm(tree: Array, run: Record, node: int, last: int, action: int, seat: int) -> int:
    """A new arm of a set, after the last one it has."""
    arm = run.nodes
    run.nodes += 1
    add_child(tree, node, last, arm, action, seat)
    return int(arm)


@kernel
def choose_arm(tree: Array, run: Record, world: Record, node: int, seat: int, scratch: Array, rng: Array) -> int:
    """The arm to follow at a set that has been visited: one never tried, or by Smooth-UCT."""
    actions = scratch[0]
    marks = scratch[1]
    arms = scratch[2]
    count = rules.legal(world, actions)
    run.choices += 1
    turn = run.choices
    mark_legal(actions, count, marks, turn)
    found, last = legal_arms(tree, node, count, marks, turn, arms)
    if found == count:
        return smooth_arm(tree, node, run, arms, count, rng)
    return add_arm(tree, run, node, last, untried_action(actions, count - found, marks, turn, rng), seat)


@kernel
def simulate(
    tree: Array,
    slots: Array,
    run: Record,
    world: Record,
    root: int,
    memory: Array,
    path: Array,
    outside: Array,
    scratch: Array,
    rng: Array,
) -> int:
    """Play a world until all seats have left their trees (algorithm 2); how many arms were followed, into `path`."""
    actions = scratch[0]
    outside[:] = False
    inside = run.seats
    steps = 0
    while inside > 0 and not rules.is_over(world):
        mover = rules.to_move(world)
        if outside[mover] or steps == path.shape[0]:
            rules.apply(world, one_action(memory, run, world, actions, rng))
            continue
        node = root if steps == 0 else found_set(tree, slots, run, world, mover)
        if tree[node].visits == 0:
            action = one_action(memory, run, world, actions, rng)
            arm = add_arm(tree, run, node, NO_NODE, action, mover)
            outside[mover] = True
            inside -= 1
        else:
            arm = choose_arm(tree, run, world, node, mover, scratch, rng)
            action = int(np.int64(tree[arm].action))
        path[steps] = arm
        steps += 1
        rules.apply(world, action)
    return steps


@kernel
def back_up_way(tree: Array, path: Array, steps: int, rewards: Array) -> None:
    """Give every arm of the way the result of the seat that chose it."""
    for step in range(steps):
        arm = tree[path[step]]
        reward = rewards[arm.seat]
        arm.visits += 1
        arm.reward += reward
        arm.squares += reward * reward
        tree[arm.parent].visits += 1
        if step > 0:
            tree[path[step - 1]].first_child = arm.parent


@kernel
def grow_sets(
    iterations: int,
    tree: Array,
    slots: Array,
    runs: Array,
    positions: Array,
    hidden: Array,
    ways: Array,
    memory: Array,
    scratch: Array,
    rng: Array,
) -> int:
    """Make simulations until there are enough or the arrays are full; return how many were made.

    `positions` holds the searching seat's view; `hidden` and `ways` describe the worlds of each supposition, which take
    turns (algorithm 1).
    """
    run = runs[0]
    worlds = positions[:1].copy()
    world = worlds[0]
    rewards = np.zeros(run.seats)
    outside = np.zeros(run.seats, np.bool_)
    path = np.empty(LONGEST_WAY, np.int64)
    moves = np.empty(1, np.int64)  # of which the policies that can be asked for one action keep nothing
    most_sets = 3 * slots.shape[0] // 4 - run.seats
    for iteration in range(iterations):
        if run.nodes + LONGEST_WAY + run.seats > tree.shape[0] or run.sets > most_sets:
            return iteration
        root = run.simulations % hidden.shape[0]
        run.simulations += 1
        worlds[0] = positions[0]
        rules.deal_unseen(world, run.seat, hidden[root], ways[root], rng)
        if tree[root].visits == 0:
            plant_root(slots, run, world, root)
        steps = simulate(tree, slots, run, world, root, memory, path, outside, scratch, rng)
        play_out(memory, run, world, moves, 0, scratch[0], rng)
        result(world, run, rewards)
        back_up_way(tree, path, steps, rewards)
        run.depth_total += steps
        run.depth_most = max(run.depth_most, steps)
    return iterations
