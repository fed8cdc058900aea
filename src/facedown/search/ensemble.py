"""Ensemble determinization (Cowling, Ward and Powley 2012, section VI): many trees, each with a world of its own.

A tree's world, the order of every stock and the cards of other seats, is drawn before its first iteration. The paper fixes a
card when a state of the tree first needs it, so that moves side by side may be followed by different cards: so does a `lazy`
tree (see ensemble_steps.py). Playouts shuffle what is left of the stocks, since the paper fixes cards in the tree only.

A compound move (see compound_moves.py) is one step down, or in a binary tree a step for each part that may be taken or left;
where there is only one move, it is a step too, but a plain action without alternative is none. With `chances`, the stocks
are shuffled before every iteration, and what is drawn is a step of its own. A `near` tree ends with what the searching seat
does now: playouts take over at the first question to another seat or in another turn.

Steps down the trees are in ensemble_steps.py, and what the trees say about whole moves is in ensemble_moves.py.
"""

import time
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.compiler.asking import turns_taken
from facedown.kernel import Array, Record, door, kernel, new_records
from facedown.rng import random_word
from facedown.search.compound_moves import BINARY_DRAFT, DRAFT
from facedown.search.ensemble_moves import Group, MovePrefix, tried_moves
from facedown.search.ensemble_steps import Steps, descend
from facedown.search.ensemble_tree import NODE, back_up
from facedown.search.ensemble_worlds import Worlds, draw_world, new_worlds, shuffle_leaf
from facedown.search.playouts.playout import play_out, result
from facedown.search.run import count_depth
from facedown.search.search import COPIED_A_SECOND, Arm, Search, Settings, doubled, new_run_of
from facedown.search.tree import NO_NODE, ROOT
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
LUCK: list[Any] = [("luck", np.uint64, 2)]  # room for the random numbers of a state: trees are lazy
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
    lazy: bool
    near: bool
    root_trials: int
    leaf_trials: int

    def ensemble(self, **more: Any) -> Array:
        """The record of an ensemble, of the type that these options need."""
        fields = (SETTLES if self.settles else []) + (LUCK if self.lazy else [])
        fields += TRIALS if self.root_trials or self.leaf_trials else []
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
        tree["answers"][:trees] = rngs[:, 0].view(np.int64)
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
