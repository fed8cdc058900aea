"""Steps down the trees of an ensemble: a compound move, or one answer of it in a binary tree, or a plain action.

A lazy tree shuffles the stocks before each draw, by random numbers that belong to the state. So what is drawn is its own:
the same whenever it is visited, whatever is drawn after other moves.
"""

from typing import NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, by_field, kernel, wrapping_sum
from facedown.rng import draw, mixed
from facedown.search.compound_moves import BINARY, LEAVE, TAKE, answer, asks, begin, complete, find_move, open_menu
from facedown.search.ensemble_tree import add_node, best_child, child_labelled
from facedown.search.tree import NO_ACTION, NO_NODE


class Steps(NamedTuple):
    """What a step down a tree reads and writes."""

    tree: Array
    run: Record
    ensemble: Record
    draft: Record
    actions: Array  # room for the legal ones


@kernel
def untried_move(tree: Array, run: Record, draft: Record, node: int, left: int, rng: Array) -> int:
    """The number of a move that is not among the children, uniformly; `left` are not."""
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
def draft_in_steps(draft: Record, tree: Array, run: Record, node: int, mover: int, rng: Array) -> tuple[int, bool]:
    """Down a binary tree to the end of a move, or to an answer never tried: then the rest is made up."""
    begin(draft)
    if not asks(draft, draft.pruning):
        child = tree[node].first_child
        return (add_node(tree, run, node, TAKE, NO_ACTION, mover), True) if child == NO_NODE else (int(child), False)
    while asks(draft, draft.pruning):
        child, count = best_child(tree, run, node)
        if count < 2:
            take = draw(rng, 2) == TAKE if count == 0 else tree[child].label == LEAVE
            node = add_node(tree, run, node, int(take), draft.menu[draft.place, 0], mover)
            answer(draft, take)
            complete(draft, rng)
            return node, True
        node = child
        answer(draft, tree[node].label == TAKE)
    return node, False


@kernel
def draft_at_once(draft: Record, tree: Array, run: Record, node: int, mover: int, rng: Array) -> tuple[int, bool]:
    """One step down, by a whole move."""
    if tree[node].moves == 0:
        tree[node].moves = find_move(draft, -1)[1]
    child, count = best_child(tree, run, node)
    if count == tree[node].moves:
        begin(draft)
        take_answers(draft, tree[child].answers)
        return child, False
    number = untried_move(tree, run, draft, node, tree[node].moves - count, rng)
    answers = find_move(draft, number)[0]
    return add_node(tree, run, node, number, answers, mover), True


@kernel
def take_answers(draft: Record, answers: int) -> None:
    """Draft by given answers to the end."""
    while asks(draft, draft.pruning):
        answer(draft, answers & 1 == TAKE)
        answers >>= 1


draft_move = by_field(BINARY, draft_in_steps, draft_at_once)  # (draft, tree, run, node, mover, rng) -> node, is it new


@kernel
def compound_step(tree: Array, run: Record, world: Record, draft: Record, node: int, rng: Array) -> tuple[int, bool, int]:
    """Choose a compound move from the menu and make it up to its closing action, which is returned."""
    node, fresh = draft_move(draft, tree, run, node, rules.to_move(world), rng)
    for pick in range(draft.picked):
        rules.apply(world, draft.picks[pick])
    return node, fresh, int(draft.closing)


@kernel
def plain_step(tree: Array, run: Record, world: Record, actions: Array, node: int, rng: Array) -> tuple[int, bool, int]:
    """Choose a plain action."""
    count = rules.legal(world, actions)
    if count == 1:
        return node, False, int(np.int64(actions[0]))
    child, tried = best_child(tree, run, node)
    if tried == count:
        return child, False, int(np.int64(tree[child].label))
    skipped = draw(rng, count - tried)
    choice = 0
    while child_labelled(tree, node, actions[choice]) != NO_NODE or skipped > 0:
        skipped -= child_labelled(tree, node, actions[choice]) == NO_NODE
        choice += 1
    action = int(np.int64(actions[choice]))
    return add_node(tree, run, node, action, action, rules.to_move(world)), True, action


@kernel
def settle_nothing(ensemble: Record, world: Record, actions: Array, rng: Array) -> None:
    """The search decides every question."""


@kernel
def settle_by_rules(ensemble: Record, world: Record, actions: Array, rng: Array) -> None:
    """Questions that are not settled are left to the game's rules."""
    if not rules.is_over(world):
        rules.settle(world, actions, rng)


settle = by_field("settles", settle_by_rules, settle_nothing)  # (ensemble, world, actions, rng)


@kernel
def keep_stock(ensemble: Record, tree: Array, node: int, world: Record, action: int) -> None:
    """The tree's world says what is drawn, after every move the same."""


@kernel
def shuffle_for_state(ensemble: Record, tree: Array, node: int, world: Record, action: int) -> None:
    """What is drawn now depends on the tree and the way to the node alone: the same at every visit, anything elsewhere."""
    if rules.chance_outcome(world, action) < 0:
        return
    key = np.uint64(0)
    while tree[node].parent != NO_NODE:
        key = mixed(wrapping_sum(key, np.uint64(tree[node].label + 1)))
        node = tree[node].parent
    key = mixed(key ^ np.uint64(tree[node].answers))
    ensemble.luck[0] = key
    ensemble.luck[1] = mixed(~key)
    rules.shuffle_stock(world, ensemble.luck)


prepare_draw = by_field("luck", shuffle_for_state, keep_stock)  # (ensemble, tree, node, world, action)


@kernel
def descend(steps: Steps, node: int, world: Record, rng: Array) -> tuple[int, int]:
    """Down a tree in its world, to something never tried, which is added; that node, and the first small action."""
    tree, run, ensemble, draft, actions = steps
    first = NO_ACTION
    fresh = False
    while not fresh and not rules.is_over(world):
        if ensemble.near and (rules.to_move(world) != run.seat or rules.turns(world) != ensemble.now):
            break
        if open_menu(world, draft) >= 0:
            node, fresh, action = compound_step(tree, run, world, draft, node, rng)
            begun = draft.picks[0] if draft.picked > 0 else action
        else:
            node, fresh, action = plain_step(tree, run, world, actions, node, rng)
            begun = action
        first = begun if first == NO_ACTION else first
        outcome = rules.chance_outcome(world, action) if ensemble.chances and not fresh else -1
        prepare_draw(ensemble, tree, node, world, action)
        rules.apply(world, action)
        settle(ensemble, world, actions, rng)
        if outcome >= 0:
            child = child_labelled(tree, node, outcome)
            fresh = child == NO_NODE
            node = add_node(tree, run, node, outcome, outcome, -1) if fresh else child
    return node, first
