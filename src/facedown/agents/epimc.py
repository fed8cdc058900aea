"""EPIMC: perfect information Monte Carlo with postponed reasoning (Arjonilla, Saffidine and Cazenave 2024).

PIMC searches each world with open cards from the first action on, so it believes that it can act differently in worlds it
cannot distinguish (strategy fusion). EPIMC postpones the open cards to a depth d. Down to it the searching seat has one
choice for each information set, whatever the world; after it each world is a perfect information game of its own.

    information sets:   set ── arm ── arm      the searching seat's first d choices, shared by all worlds
    open trees:         world ── action ──> action ──> ...     every other choice, one UCT tree for each world

An iteration takes one of the worlds and descends its open tree to an action that is new there. At the searching seat's first
d choices the information set decides, and the open tree follows. An information set is the seat's view, by a hash of it.

Departures: depth counts the actions of the searching seat, not those of all seats, since no other choice is shared between
worlds; the other seats see all cards, as in PIMC; and the evaluation of a world at depth d is a UCT search that grows with
each iteration that arrives there, so that a search can be ended at any time.
"""

from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.agents.tree import MOST_TREES, SearchAgent, options
from facedown.agents.worlds import world_options
from facedown.compiler.records import as_records
from facedown.games.hashing import mixed
from facedown.kernel import COMPILED, Array, Record, kernel, new_records
from facedown.options import Option
from facedown.rng import draw
from facedown.search.decision import Decision
from facedown.search.mo_ismcts import child_by
from facedown.search.playouts.playout import NOTED, learn, note, play_out, result
from facedown.search.run import count_depth
from facedown.search.search import COPIED_A_SECOND, FIRST_ROOM, Arm, Search, Settings, doubled, new_run_of
from facedown.search.selection import Scratch, best_arm, legal_children, mark_legal, new_scratch, untried_action
from facedown.search.tree import NO_ACTION, NO_NODE, ROOT, add_child, back_up, rooted
from facedown.view import View

MOST_DEPTH = 100
ADDED_NODES = 3  # by one iteration, at most: an information set, its first arm, and an action of an open tree
FIRST_SETS = 1 << 10
EMPTY = 0  # no information set in the table is the root's

SET = np.dtype([("key", np.uint64), ("node", np.int64)], align=True)  # an information set below the root's


class Postponed(NamedTuple):
    """The arrays of a search. Node 0 is the root's information set; world w's open tree begins at node w + 1."""

    tree: Array
    sets: Array  # a hash table of SET
    worlds: Array
    known: Array  # room for one view (Numba allows no field of that name), and
    words: Array  # the same memory as words
    path: Array  # the arms chosen in information sets, d at most
    memory: Array  # of playouts


@kernel
def information_set(search: Postponed, run: Record, world: Record) -> int:
    """The node of what the searching seat knows in a world; a new one if it has never known this."""
    search.known[0] = world
    rules.hide(search.known[0], run.seat)
    key = np.uint64(1)
    for place in range(search.words.shape[0]):
        key = mixed(key, search.words[place])
    last = np.uint64(search.sets.shape[0] - 1)
    slot = key & last
    while search.sets[slot].node != EMPTY:
        if search.sets[slot].key == key:
            return int(search.sets[slot].node)
        slot = (slot + np.uint64(1)) & last
    search.sets[slot].key = key
    search.sets[slot].node = run.nodes
    run.sets += 1
    return add_set(search.tree, run)


@kernel
def add_set(tree: Array, run: Record) -> int:
    """Write a node that has no parent; its number."""
    new = tree[run.nodes]
    new.reward = new.squares = 0.0
    new.visits = new.available = 0
    new.parent = new.first_child = new.next_sibling = NO_NODE
    new.action = NO_ACTION
    new.seat = -1
    run.nodes += 1
    return int(run.nodes - 1)


@kernel
def add_action(tree: Array, run: Record, node: int, last: int, action: int, seat: int) -> int:
    """Add a child after the last one that a node has; its number."""
    child = run.nodes
    run.nodes += 1
    add_child(tree, node, last, child, action, seat)
    return int(child)


@kernel
def choose(tree: Array, run: Record, node: int, world: Record, scratch: Scratch, rng: Array) -> int:
    """The child to follow in a world: the best by UCB1, or a new one for an action never tried here."""
    actions, marks, arms, _, _ = scratch
    count = rules.legal(world, actions)
    run.choices += 1
    mark_legal(actions, count, marks, run.choices)
    found, last = legal_children(tree, tree[node].first_child, count, marks, run.choices, arms)
    if found == count:
        trials = int(np.int64(tree[node].visits)) if run.worlds == 1 else 0
        return best_arm(tree, arms, count, trials, run)
    action = untried_action(actions, count - found, marks, run.choices, rng)
    return add_action(tree, run, node, last, action, rules.to_move(world))


@kernel
def follow(tree: Array, run: Record, node: int, action: int, seat: int) -> int:
    """The child that an action leads to, which was chosen elsewhere; a new one where there is none."""
    child, last = child_by(tree, node, action)
    if child == NO_NODE:
        return add_action(tree, run, node, last, action, seat)
    tree[child].available += 1
    return child


@kernel
def descend(search: Postponed, run: Record, world: Record, node: int, scratch: Scratch, rng: Array) -> tuple[int, int]:
    """Down an open tree to an action that is new there: that node, and how many sets decided."""
    tree, path, memory, moves = search.tree, search.path, search.memory, scratch.moves
    decided = 0
    moves[NOTED] = 0
    fresh = False
    while not fresh and not rules.is_over(world):
        mover = rules.to_move(world)
        if mover == run.seat and decided < path.shape[0]:
            at = ROOT if decided == 0 else information_set(search, run, world)
            arm = choose(tree, run, at, world, scratch, rng)
            path[decided] = arm
            decided += 1
            node = follow(tree, run, node, tree[arm].action, mover)
        else:
            node = choose(tree, run, node, world, scratch, rng)
        fresh = tree[node].visits == 0
        action = int(np.int64(tree[node].action))  # widened, so that there is one `apply` to compile
        note(memory, run, world, moves, mover, action)
        rules.apply(world, action)
    return node, decided


@kernel
def grow_postponed(iterations: int, search: Postponed, runs: Array, rng: Array) -> int:
    """Make iterations until there are enough or no room is left; return how many were made."""
    run, tree, sets, worlds, path, memory = runs[0], search.tree, search.sets, search.worlds, search.path, search.memory
    here = worlds[:1].copy()
    world = here[0]
    scratch = new_scratch(run)
    actions, _, _, moves, rewards = scratch
    for iteration in range(iterations):
        if run.nodes + ADDED_NODES > tree.shape[0] or 2 * run.sets >= sets.shape[0]:
            return iteration
        which = draw(rng, run.worlds)
        here[0] = worlds[which]
        node, decided = descend(search, run, world, 1 + which, scratch, rng)
        play_out(memory, run, world, moves, actions, rng)
        result(world, run, rewards)
        learn(memory, run, moves, rewards)
        count_depth(run, back_up(tree, node, rewards))
        for choice in range(decided):
            back_up(tree, path[choice], rewards)
    return iterations


@kernel
def enter_again(sets: Array, larger: Array) -> None:
    """Enter all information sets into a larger table."""
    last = np.uint64(larger.shape[0] - 1)
    for place in range(sets.shape[0]):
        if sets[place].node != EMPTY:
            slot = sets[place].key & last
            while larger[slot].node != EMPTY:
                slot = (slot + np.uint64(1)) & last
            larger[slot] = sets[place]


class PostponedSearch(Search):
    """EPIMC in progress, over fixed worlds."""

    def __init__(self, view: View, settings: Settings, worlds: Array, depth: int, rng: Array) -> None:
        self.run = new_run_of(view, settings, len(worlds))
        self.run["nodes"] = 1 + len(worlds)
        self.rng = rng
        tree = rooted(len(worlds) + FIRST_ROOM, 1 + len(worlds))
        own, words = view_with_words(worlds.dtype)
        path = np.empty(depth, np.int64)
        self.arrays = Postponed(tree, new_records(FIRST_SETS, SET), worlds, own, words, path, settings.playout())

    def _slice(self, iterations: int) -> int:
        return int(grow_postponed(iterations, self.arrays, self.run, self.rng))

    def _make_room(self) -> None:
        tree, sets = self.arrays.tree, self.arrays.sets
        if self.figure("nodes") + ADDED_NODES > len(tree):
            self.arrays = self.arrays._replace(tree=doubled(tree))
        else:
            larger = new_records(2 * len(sets), SET)
            enter_again(sets, larger)
            self.arrays = self.arrays._replace(sets=larger)

    def _room_seconds(self) -> float:
        return (self.arrays.tree.nbytes + self.arrays.sets.nbytes) / COPIED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The children of a node: at the root those of the information set, each leading into the open trees."""
        found = self._children(node)
        if node == ROOT:
            places: dict[int, list[tuple[Search, int]]] = {}
            for world in range(len(self.arrays.worlds)):
                for arm in self._children(1 + world):
                    places.setdefault(arm.action, []).extend(arm.places)
            for arm in found:
                arm.places = places.get(arm.action, [])
        return found

    def _children(self, node: int) -> list[Arm]:
        found, tree = [], self.arrays.tree
        child = int(tree["first_child"][node])
        while child != NO_NODE:
            reward, squares, visits, available, _, _, sibling, action, seat = tree[child].item()
            found.append(Arm(action, seat, visits, available, reward, squares, [(self, child)]))
            child = sibling
        return found


def view_with_words(kind: np.dtype[Any]) -> tuple[Array, Array]:
    """Room for one record, and the same memory as words; what the record does not fill stays 0."""
    words = np.zeros(-(-kind.itemsize // 8), np.uint64)
    record = words.view(np.uint8)[: kind.itemsize].view(kind)
    return record if COMPILED else as_records(record), words


class Epimc(SearchAgent):
    """Perfect information Monte Carlo whose open cards are postponed to a depth."""

    name = "epimc"
    summary = "PIMC with open cards only after the seat's first actions, the same in all worlds it cannot distinguish"
    declared = (
        *options(5000),
        Option("depth", 2, "actions of its own before cards are open; 1 is PIMC", least=1, most=MOST_DEPTH),
        Option("worlds", 25, "how many worlds are searched", least=1, most=MOST_TREES),
        *world_options(),
    )

    def search(self, view: View) -> Decision:
        """One search over some worlds, or one for each thread."""
        searches = []
        for rng in self.streams(view, self.searches()):
            worlds = self.drawn(view, self.value("worlds"), rng)
            searches.append(PostponedSearch(view, self.settings(), worlds, self.value("depth"), rng))
        return self.run(view, searches, int(searches[0].run["worlds"][0]))
