"""Ensemble determinization (Cowling, Ward and Powley 2012, section VI): many trees, each with a world of its own.

A tree's world, the order of every stock and the cards of other seats, is drawn before its first iteration. A departure: the
text fixes a card when a state of the tree first needs it, so that moves side by side may be followed by different cards.
Playouts shuffle what is left of the stocks, since the text fixes cards in the tree only.

A compound move (see drafts.py) is one step down, or in a binary tree a step for each part that may be taken or left; where
there is only one move, it is a step too, but a plain action without alternative is none. With `chances`, the stocks are
shuffled before every iteration, and what is drawn is a step of its own. A `near` tree ends with what the searching seat does
now: playouts take over at the first question to another seat or in another turn.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel
from facedown.rng import draw
from facedown.search.drafts import MAXIMAL, answer, asks, begin, complete, find_move, put_in_order
from facedown.search.ensemble_run import add_twig, child_labelled, take_home
from facedown.search.interest import draw_interesting, reorder_leaf
from facedown.search.playouts.playout import play_out, result
from facedown.search.selection import upper_confidence
from facedown.search.tree import NO_ACTION, NO_NODE

LEAVE, TAKE = range(2)
TRIALS_AT_ONCE = 256  # playouts
IN_A_ROW = 32  # iterations of one tree before the next has its turn: an ensemble broken off has grown evenly


@kernel
def best_child(tree: Array, run: Record, node: int) -> tuple[int, int]:
    """The child to follow, and how many there are."""
    trials = tree[node].visits
    best = NO_NODE
    best_bound = -np.inf
    count = 0
    child = tree[node].first_child
    while child != NO_NODE:
        arm = tree[np.uint32(child)]
        bound = upper_confidence(arm.reward / arm.visits, arm.visits, trials, run.exploration)
        if bound > best_bound:
            best_bound = bound
            best = child
        count += 1
        child = arm.next_sibling
    return int(best), count


@kernel
def untried(tree: Array, run: Record, draft: Record, node: int, left: int, rng: Array) -> int:
    """The number of a move that is not among the children, each as likely."""
    run.choices += 1
    child = tree[node].first_child
    while child != NO_NODE:
        draft.used[tree[child].label] = run.choices
        child = tree[child].next_sibling
    skipped = draw(rng, left)
    number = 0
    while draft.used[number] == run.choices or skipped > 0:
        skipped -= draft.used[number] != run.choices
        number += 1
    return number


@kernel
def draft_in_steps(
    tree: Array, run: Record, draft: Record, node: int, mover: int, means: int, rng: Array
) -> tuple[int, bool]:
    """Down a binary tree to the end of a move, or to an answer never tried: then the rest is made up."""
    begin(draft, means)
    if not asks(draft, run.pruning):
        child = tree[node].first_child
        return (add_twig(tree, run, node, TAKE, NO_ACTION, mover), True) if child == NO_NODE else (int(child), False)
    while asks(draft, run.pruning):
        child, count = best_child(tree, run, node)
        if count < 2:
            take = draw(rng, 2) == TAKE if count == 0 else tree[child].label == LEAVE
            node = add_twig(tree, run, node, int(take), draft.menu[draft.place, 0], mover)
            answer(draft, take)
            complete(draft, run.pruning if run.by_chance else MAXIMAL, not run.greedy, rng)
            return node, True
        node = child
        answer(draft, tree[node].label == TAKE)
    return node, False


@kernel
def draft_at_once(
    tree: Array, run: Record, draft: Record, node: int, mover: int, means: int, rng: Array
) -> tuple[int, bool]:
    """One step down, by a whole move."""
    if tree[node].moves == 0:
        tree[node].moves = find_move(draft, means, run.pruning, -1)[1]
    child, count = best_child(tree, run, node)
    if count == tree[node].moves:
        begin(draft, means)
        take_answers(draft, run.pruning, tree[child].answers)
        return child, False
    number = untried(tree, run, draft, node, tree[node].moves - count, rng)
    answers = find_move(draft, means, run.pruning, number)[0]
    return add_twig(tree, run, node, number, answers, mover), True


@kernel
def take_answers(draft: Record, pruning: int, answers: int) -> None:
    """Draft on by given answers to the end."""
    while asks(draft, pruning):
        answer(draft, answers & 1 == TAKE)
        answers >>= 1


@kernel
def open_menu(world: Record, run: Record, draft: Record) -> int:
    """Write the menu of the compound move under way in the order in which its parts are asked about.

    Return the action that ends the move; -1 if there is none.
    """
    draft.closing, draft.parts, draft.allowance = rules.compound_move(world, draft.menu)
    put_in_order(draft, run.order, run.salt)
    return int(draft.closing)


@kernel
def compound_step(
    tree: Array, run: Record, world: Record, draft: Record, node: int, mover: int, rng: Array
) -> tuple[int, bool, int]:
    """Choose a compound move from the menu and make it up to its closing action, which is returned."""
    if run.binary:
        node, fresh = draft_in_steps(tree, run, draft, node, mover, draft.allowance, rng)
    else:
        node, fresh = draft_at_once(tree, run, draft, node, mover, draft.allowance, rng)
    for pick in range(draft.picked):
        rules.apply(world, draft.picks[pick])
    last = int(draft.closing)
    if draft.first == NO_ACTION:
        draft.first = draft.picks[0] if draft.picked > 0 else last
    return node, fresh, last


@kernel
def plain_step(
    tree: Array, run: Record, world: Record, draft: Record, actions: Array, node: int, mover: int, rng: Array
) -> tuple[int, bool, int]:
    """Choose a plain action."""
    count = rules.legal(world, actions)
    fresh = False
    action = int(np.int64(actions[0]))
    if count > 1:
        child, tried = best_child(tree, run, node)
        if tried == count:
            node = child
            action = int(np.int64(tree[node].label))
        else:
            skipped = draw(rng, count - tried)
            choice = 0
            while child_labelled(tree, node, actions[choice]) != NO_NODE or skipped > 0:
                skipped -= child_labelled(tree, node, actions[choice]) == NO_NODE
                choice += 1
            action = int(np.int64(actions[choice]))
            node = add_twig(tree, run, node, action, action, mover)
            fresh = True
    if draft.first == NO_ACTION:
        draft.first = action
    return node, fresh, action


@kernel
def descend(tree: Array, run: Record, world: Record, draft: Record, actions: Array, node: int, rng: Array) -> int:
    """Down a tree in its world, to something never tried, which is added; that node."""
    draft.first = NO_ACTION
    fresh = False
    while not fresh and not rules.is_over(world):
        mover = rules.to_move(world)
        if run.near and (mover != run.seat or rules.turns(world) != run.now):
            break
        if open_menu(world, run, draft) >= 0:
            node, fresh, action = compound_step(tree, run, world, draft, node, mover, rng)
        else:
            node, fresh, action = plain_step(tree, run, world, draft, actions, node, mover, rng)
        outcome = rules.chance_outcome(world, action) if run.chances and not fresh else -1
        rules.apply(world, action)
        if run.settles and not rules.is_over(world):
            rules.settle(world, actions, rng)
        if outcome >= 0:
            child = child_labelled(tree, node, outcome)
            fresh = child == NO_NODE
            node = add_twig(tree, run, node, outcome, outcome, -1) if fresh else child
    return node


@kernel
def next_tree(run: Record, left: Array) -> bool:
    """Whose turn it is: after some iterations in a row the next tree's that has any left; whether there is one."""
    count = left.shape[0]
    if run.in_a_row < IN_A_ROW and left[run.tree] > 0:
        return True
    run.in_a_row = 0
    for _ in range(count):
        run.tree = (run.tree + 1) % count
        if left[run.tree] > 0:
            return True
    return False


@kernel
def grow_ensemble(
    iterations: int,
    tree: Array,
    runs: Array,
    worlds: Array,
    left: Array,
    rngs: Array,
    view: Array,
    hidden: Array,
    ways: Array,
    drafts: Array,
    tally: Array,
    scratch: Array,
    memory: Array,
) -> int:
    """Make iterations, or a few more, until there are enough or no room is left; return how many were made.

    Node t is the root of tree t; `left` says how many iterations it is to have yet. A tree that has had none has no world.
    Playouts to find what matters take far longer than an iteration may: after some of them it ends early, for the clock.
    """
    run = runs[0]
    draft = drafts[0]
    here = view[:1].copy()
    spare = view[:1].copy()
    world = here[0]
    rewards = np.zeros(run.seats)
    done = 0
    last_trial = run.trials + TRIALS_AT_ONCE
    while done < iterations and run.trials < last_trial and run.nodes < run.room and next_tree(run, left):
        number = run.tree
        rng = rngs[number]
        if tree[number].moves < 0:
            tree[number].moves = 0
            spent = draw_interesting(here, view, spare, run, hidden[0], ways, memory, rewards, scratch, rng)
            worlds[number] = here[0]
            left[number] -= spent
            done += spent
        here[0] = worlds[number]
        if run.chances:
            rules.shuffle_stock(world, rng)
        node = descend(tree, run, world, draft, scratch[0], number, rng)
        if not run.keeps_order:
            reorder_leaf(here, spare, run, memory, rewards, scratch, rng)
        play_out(memory, run, world, scratch[1], 0, scratch[0], rng)
        result(world, run, rewards)
        depth = take_home(tree, node, rewards)
        run.depth_total += depth
        run.depth_most = max(run.depth_most, depth)
        value = rewards[run.seat]
        tally[draft.first, 0] += 1.0
        tally[draft.first, 1] += value
        tally[draft.first, 2] += value * value
        left[number] -= 1
        run.in_a_row += 1
        done += 1
    return done
