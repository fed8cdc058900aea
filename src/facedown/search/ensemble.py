"""Ensemble determinization (Cowling, Ward and Powley 2012, section VI): many trees, each with a world of its own.

A tree's world, the order of every stock and the cards of other seats, is drawn before its first iteration. A departure: the
paper fixes a card when a state of the tree first needs it, so that moves side by side may be followed by different cards.
Playouts shuffle what is left of the stocks, since the paper fixes cards in the tree only.

A compound move (see compound_moves.py) is one step down, or in a binary tree a step for each part that may be taken or left;
where there is only one move, it is a step too, but a plain action without alternative is none. With `chances`, the stocks
are shuffled before every iteration, and what is drawn is a step of its own. A `near` tree ends with what the searching seat
does now: playouts take over at the first question to another seat or in another turn.

What the trees say about whole moves is in ensemble_moves.py.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.compiler.asking import turns_taken
from facedown.kernel import Array, Record, by_field, door, kernel, new_records
from facedown.rng import draw, random_word
from facedown.search.compound_moves import (
    BINARY,
    BINARY_DRAFT,
    DRAFT,
    LEAVE,
    TAKE,
    answer,
    asks,
    begin,
    complete,
    find_move,
    open_menu,
)
from facedown.search.ensemble_moves import Group, MovePrefix, tried_moves
from facedown.search.ensemble_tree import NODE, add_node, back_up, best_child, child_labelled
from facedown.search.ensemble_worlds import Worlds, draw_world, new_worlds, shuffle_leaf
from facedown.search.playouts.playout import play_out, result
from facedown.search.run import count_depth
from facedown.search.search import COPIED_A_SECOND, Arm, Search, Settings, doubled, new_run_of
from facedown.search.tree import NO_ACTION, NO_NODE, ROOT
from facedown.view import View

TRIALS_AT_ONCE = 256  # playouts
IN_A_ROW = 32  # iterations of one tree before the next has its turn: an ensemble broken off has grown evenly
MOST_ROOM = 1 << 20  # nodes at first; twice as many whenever they are used up

# What a search of one tree has no need for; how moves are made is in DRAFT, all else in RUN.
ENSEMBLE = np.dtype(
    [
        # Set before:
        ("chances", np.bool_),  # what chance brings is a node of its own: all possible deals
        ("keeps_order", np.bool_),  # playouts draw the cards that the tree's world has for them
        ("near", np.bool_),  # trees end where another seat or another turn begins
        ("now", np.int64),  # turns taken before the search, for a near one
        # Counted:
        ("tree", np.int64),  # whose turn it is
        ("in_a_row", np.int64),  # iterations it has had
        ("trials", np.int64),  # playouts to find worlds or orders in which moves matter
        ("interesting", np.int64),  # worlds or orders found so
    ],
    align=True,
)

# More fields, of ensembles that need them: kernels are compiled for the type of the record, and do without the rest.
SETTLES: list[Any] = [("settles", np.bool_)]  # questions that are not settled are left to the game's rules
TRIALS: list[Any] = [
    ("root_trials", np.int64),  # for each tree, to find a world in which moves matter; playouts
    ("leaf_trials", np.int64),  # at each leaf, to find an order in which they do; playouts
]


class Ensemble(NamedTuple):
    """The arrays of a search; node t is the root of tree t."""

    tree: Array
    run: Array
    ensemble: Array
    draft: Array
    worlds: Worlds
    fixed: Array  # each tree's world
    left: Array  # how many iterations each is to have yet
    rngs: Array  # each tree's random numbers
    tally: Array  # by first action: iterations, rewards and their squares


class Steps(NamedTuple):
    """What a step down a tree reads and writes."""

    tree: Array
    run: Record
    ensemble: Record
    draft: Record
    actions: Array  # room for the legal ones


# --- Steps down -------------------------------------------------------------------------------------------------------


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
        rules.apply(world, action)
        settle(ensemble, world, actions, rng)
        if outcome >= 0:
            child = child_labelled(tree, node, outcome)
            fresh = child == NO_NODE
            node = add_node(tree, run, node, outcome, outcome, -1) if fresh else child
    return node, first


# --- Iterations -------------------------------------------------------------------------------------------------------


@kernel
def next_tree(ensemble: Record, left: Array) -> bool:
    """Whose turn it is: after some iterations in a row the next tree's that has any left; whether there is one."""
    count = left.shape[0]
    if ensemble.in_a_row < IN_A_ROW and left[ensemble.tree] > 0:
        return True
    ensemble.in_a_row = 0
    for _ in range(count):
        ensemble.tree = (ensemble.tree + 1) % count
        if left[ensemble.tree] > 0:
            return True
    return False


@kernel
def tally_up(tally: Array, first: int, value: float) -> None:
    """Count an iteration for the small action with which it began."""
    tally[first, 0] += 1.0
    tally[first, 1] += value
    tally[first, 2] += value * value


@kernel
def grow_ensemble(iterations: int, search: Ensemble) -> int:
    """Make iterations, or a few more, until there are enough or no room is left; return how many were made.

    Playouts to find what matters take far longer than an iteration may: after some of them it ends early, for the clock.
    Arrays are taken out of their tuples before the loop, for each time costs two atomic counts of references.
    """
    tree, fixed, left, rngs, tally, worlds = search.tree, search.fixed, search.left, search.rngs, search.tally, search.worlds
    memory, actions, moves, rewards, here = worlds.memory, worlds.actions, worlds.moves, worlds.rewards, worlds.world
    run, ensemble, world = search.run[0], search.ensemble[0], here[0]
    steps = Steps(tree, run, ensemble, search.draft[0], actions)
    done = 0
    last_trial = ensemble.trials + TRIALS_AT_ONCE
    while done < iterations and ensemble.trials < last_trial and run.nodes < tree.shape[0] and next_tree(ensemble, left):
        number = ensemble.tree
        rng = rngs[number]
        if tree[number].moves < 0:
            # Step 1. A tree's world, before its first iteration.
            tree[number].moves = 0
            spent = draw_world(ensemble, worlds, run, rng)
            fixed[number] = here[0]
            left[number] -= spent
            done += spent
        # Step 2. Down the tree in its world.
        here[0] = fixed[number]
        if ensemble.chances:
            rules.shuffle_stock(world, rng)
        node, first = descend(steps, number, world, rng)
        # Step 3. Play to the end, with the rest of the stocks in another order.
        shuffle_leaf(ensemble, worlds, run, rng)
        play_out(memory, run, world, moves, actions, rng)
        # Step 4. Back up the result.
        result(world, run, rewards)
        count_depth(run, back_up(tree, node, rewards))
        tally_up(tally, first, rewards[run.seat])
        left[number] -= 1
        ensemble.in_a_row += 1
        done += 1
    return done


@door
def make_streams(rngs: Array, rng: Array) -> None:
    """Random numbers for each tree."""
    for tree in range(rngs.shape[0]):
        for word in range(2):
            rngs[tree, word] = random_word(rng)


# --- A search in progress ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EnsembleOptions:
    """How an ensemble searches: the fields of DRAFT and ENSEMBLE that are set before."""

    binary: bool
    pruning: int
    order: int
    random_rest: bool
    pruned_rest: bool
    settles: bool
    chances: bool
    keeps_order: bool
    near: bool
    root_trials: int
    leaf_trials: int

    def ensemble(self, **more: Any) -> Array:
        """The record of an ensemble, of the type that these options need."""
        fields = (SETTLES if self.settles else []) + (TRIALS if self.root_trials or self.leaf_trials else [])
        fields += [(name, ENSEMBLE[name]) for name in ENSEMBLE.names or ()]
        return self.written(np.dtype(fields, align=True), **more)

    def draft(self, salt: Any) -> Array:
        """The record of a draft."""
        return self.written(BINARY_DRAFT if self.binary else DRAFT, salt=salt)

    def written(self, kind: np.dtype[Any], **more: Any) -> Array:
        """A record of a kind, with those of its fields that are options, and more."""
        record = new_records(1, kind)
        for name, value in {**self.__dict__, **more}.items():
            if name in (kind.names or ()):
                record[name] = value
        return record


class EnsembleSearch(Search):
    """Some trees of an ensemble; `left` says how many iterations each is to have, and `rngs` are their random numbers."""

    def __init__(
        self, view: View, settings: Settings, options: EnsembleOptions, left: Array, rngs: Array, salt: Any
    ) -> None:
        self.view = view
        self.run = new_run_of(view, settings, 1, bounded=False)
        self.new_draft = partial(options.draft, salt)  # for whoever asks: the search under way needs its own
        trees = len(left)
        tree = new_records(trees + int(min(left.sum(), MOST_ROOM)), NODE)
        for name in ("parent", "first_child", "next_sibling", "moves", "seat"):
            tree[name][:trees] = NO_NODE
        self.run["nodes"] = trees
        now = turns_taken(view.data) if options.near else 0
        self.arrays = Ensemble(
            tree,
            self.run,
            options.ensemble(now=now, tree=trees - 1, in_a_row=IN_A_ROW),
            self.new_draft(),
            new_worlds(view, settings.playout()),
            new_records(trees, view.data.dtype),
            left.copy(),
            rngs.copy(),
            np.zeros((view.game.actions, 3)),
        )

    def advance(self, iterations: int, most: int) -> int:
        """Make some iterations, or a few more where worlds are tried out; fewer where that or more room takes time."""
        tree = self.arrays.tree
        if self.figure("nodes") == len(tree):
            if time.perf_counter() + tree.nbytes / COPIED_A_SECOND > self.deadline:
                return 0
            self.arrays = self.arrays._replace(tree=doubled(tree))
        return int(grow_ensemble(min(iterations, most), self.arrays))

    def figure(self, name: str) -> int:
        """A count of the run, or of the ensemble."""
        return int(self.arrays.ensemble[name][0]) if name in (ENSEMBLE.names or ()) else super().figure(name)

    def roots(self) -> Group:
        """The roots of all trees."""
        return Group(self.arrays.tree, np.arange(len(self.arrays.left)))

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The small actions with which iterations began; node a + 1 is that of the moves that begin with action a."""
        seat, tally = self.view.seat, self.arrays.tally
        if node != ROOT:
            tried = tried_moves(self.view, self.new_draft(), self.roots())
            return MovePrefix(seat, {move[1:]: one for move, one in tried.items() if move[0] == node - 1}).arms()
        total = int(tally[:, 0].sum())
        found = []
        for action in np.flatnonzero(tally[:, 0]).tolist():
            visits, reward, squares = tally[action].tolist()
            found.append(Arm(action, seat, int(visits), total, reward, squares, [(self, action + 1)]))
        return found
