"""Semi-determinized MCTS (Bitan and Kraus 2018, algorithms 1 and 2): a table of information sets for each seat.

The last action, as far as it was hidden, is assumed to be of each possible kind in turn: these are the hypotheses. Hidden
actions to come are open to all seats. The other hidden cards stay hidden: each simulation draws a world.

    slots ──(seat, abstraction)──> set ── first_child ──> arm ── next_sibling ──> arm ── next_sibling ──> NO_NODE
                                                           └── first_child ──> the set that came next, when last tried

Sets and arms are nodes of one array. Sets 0, 1, ... are the roots, one for each hypothesis, even where the game's
abstraction does not distinguish them. A set met for the first time is added, and its seat leaves its tree: from there on it
plays by the policy of playouts in this simulation, and the set is given the result of the action taken in it. In the end

    E[action] = sum over hypotheses h of P(h) * Q(root of h, action)

is expected of an action. P are beliefs, from wherever they come; Q is the mean reward of an action at a root.

Departure: a path longer than the array for it is followed by the policy of playouts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.errors import FacedownError
from facedown.kernel import Array, Record, kernel, new_records, wrapping_product
from facedown.search.playouts.playout import one_action, play_out, result
from facedown.search.run import count_depth
from facedown.search.search import ENTERED_A_SECOND, FIRST_ROOM, Arm, Search, Settings, doubled, merge_arms, new_run_of
from facedown.search.selection import legal_children, mark_legal, new_scratch, untried_action
from facedown.search.smooth import smooth_arm
from facedown.search.tree import NO_NODE, ROOT, add_child, add_result, rooted
from facedown.view import View
from facedown.worlds.hypothetical import Hypothesis, hypothetical
from facedown.worlds.source import next_world, room_for_world

SLOT = np.dtype([("key", np.int64), ("node", np.int32), ("seat", np.int32)], align=True)
EMPTY = -1
GOLDEN_RATIO = np.uint64(0x9E37_79B9_7F4A_7C15)  # of 2^64: spreads keys that lie close together
UPPER_BITS = np.uint64(32)
SEAT_BITS = np.uint64(62)  # above those of an abstraction
LONGEST_PATH = 512  # choices in the trees in one simulation


class Table(NamedTuple):
    """The arrays of a search."""

    tree: Array  # sets and arms
    slots: Array


class SetScratch(NamedTuple):
    """Scratch (see selection.py), and what a simulation needs beside."""

    actions: Array
    marks: Array
    arms: Array
    moves: Array
    rewards: Array
    path: Array  # the arms followed
    outside: Array  # the seats that have left their trees


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
def plant_root(slots: Array, run: Record, world: Record) -> None:
    """Enter the root of a simulation into the table, unless a set that is there cannot be distinguished from it."""
    key = rules.information_set(world, run.seat)
    slot = slot_of(slots, run.seat, key)
    if slots[slot].node == EMPTY:
        enter(slots, slot, run.seat, key, run.root)
        run.sets += 1


@kernel
def found_set(tree: Array, slots: Array, run: Record, world: Record, seat: int) -> int:
    """The information set of the seat to act; one that is new is added, and has no visits."""
    key = rules.information_set(world, seat)
    slot = slot_of(slots, seat, key)
    if slots[slot].node == EMPTY:
        node = run.nodes
        run.nodes += 1
        run.sets += 1
        enter(slots, slot, seat, key, node)
        tree[node].visits = 0
        tree[node].first_child = NO_NODE
    return int(np.int64(slots[slot].node))


# --- Simulations ------------------------------------------------------------------------------------------------------


@kernel
def add_arm(tree: Array, run: Record, node: int, last: int, action: int, seat: int) -> int:
    """A new arm of a set, after the last one it has."""
    arm = run.nodes
    run.nodes += 1
    add_child(tree, node, last, arm, action, seat)
    return int(arm)


@kernel
def simulate(table: Table, run: Record, world: Record, memory: Array, scratch: SetScratch, rng: Array) -> int:
    """Play a world until all seats have left their trees (algorithm 2); how many arms were followed."""
    tree, slots = table
    actions, marks, arms, _, _, path, outside = scratch
    outside[:] = False
    inside = run.seats
    steps = 0
    while inside > 0 and not rules.is_over(world):
        mover = rules.to_move(world)
        if outside[mover] or steps == LONGEST_PATH:
            rules.apply(world, one_action(memory, run, world, actions, rng))
            continue
        node = run.root if steps == 0 else found_set(tree, slots, run, world, mover)
        if tree[node].visits == 0:
            action = one_action(memory, run, world, actions, rng)
            arm = add_arm(tree, run, node, NO_NODE, action, mover)
            outside[mover] = True
            inside -= 1
        else:
            count = rules.legal(world, actions)
            run.choices += 1
            mark_legal(actions, count, marks, run.choices)
            found, last = legal_children(tree, tree[node].first_child, count, marks, run.choices, arms)
            if found == count:
                arm = smooth_arm(tree, node, run, arms, count, rng)
            else:
                action = untried_action(actions, count - found, marks, run.choices, rng)
                arm = add_arm(tree, run, node, last, action, mover)
            action = int(np.int64(tree[arm].action))
        path[steps] = arm
        steps += 1
        rules.apply(world, action)
    return steps


@kernel
def back_up_path(tree: Array, path: Array, steps: int, rewards: Array) -> None:
    """Give every arm of the path the result of the seat that chose it."""
    for step in range(steps):
        arm = tree[path[step]]
        arm.visits += 1
        add_result(arm, rewards)
        tree[arm.parent].visits += 1
        if step > 0:
            tree[path[step - 1]].first_child = arm.parent


@kernel
def new_set_scratch(run: Record) -> SetScratch:
    """Scratch for one thread."""
    own = new_scratch(run)
    path = np.empty(LONGEST_PATH, np.int64)
    return SetScratch(own.actions, own.marks, own.arms, own.moves, own.rewards, path, np.zeros(run.seats, np.bool_))


@kernel
def grow_sets(iterations: int, table: Table, runs: Array, source: Any, memory: Array, rng: Array) -> int:
    """Make simulations (algorithm 1) until there are enough or the arrays are full; return how many were made."""
    run = runs[0]
    worlds = room_for_world(source)
    world = worlds[0]
    scratch = new_set_scratch(run)
    actions, _, _, moves, rewards, path, _ = scratch
    tree, slots = table
    most_sets = 3 * slots.shape[0] // 4 - run.seats
    for iteration in range(iterations):
        if run.nodes + LONGEST_PATH + run.seats > tree.shape[0] or run.sets > most_sets:
            return iteration
        run.simulations += 1
        run.root = next_world(source, worlds, rng)
        if tree[run.root].visits == 0:
            plant_root(slots, run, world)
        steps = simulate(table, run, world, memory, scratch, rng)
        play_out(memory, run, world, moves, actions, rng)
        result(world, run, rewards)
        back_up_path(tree, path, steps, rewards)
        count_depth(run, steps)
    return iterations


# --- The Python side --------------------------------------------------------------------------------------------------


def shares(beliefs: Sequence[float], hypotheses: Sequence[Hypothesis], count: int) -> list[float]:
    """Beliefs as probabilities of all `count` kinds: impossible ones have none; equal if nothing is left."""
    if len(beliefs) != count or not all(0.0 <= belief < float("inf") for belief in beliefs):
        raise FacedownError(f"expected {count} weights from 0 up, one for each hypothesis, got {list(beliefs)}")
    possible = {one.which for one in hypotheses}
    weights = [float(belief) if which in possible else 0.0 for which, belief in enumerate(beliefs)]
    if not any(weights):
        weights = [float(which in possible) for which in range(count)]
    total = sum(weights)
    return [weight / total for weight in weights]


class SetsSearch(Search):
    """Semi-determinized MCTS: tables of information sets, and a root for each hypothesis."""

    def __init__(self, view: View, settings: Settings, hypotheses: Sequence[Hypothesis], rng: Array) -> None:
        self.seat = view.seat
        self.kinds = [one.which for one in hypotheses]
        self.source = hypothetical(view.data, view.seat, hypotheses)
        self.run = new_run_of(view, settings, self.source.size)
        self.run["nodes"] = len(hypotheses)
        self.memory = settings.playout()
        self.rng = rng
        self.table = Table(rooted(FIRST_ROOM, len(hypotheses)), _slots(FIRST_ROOM))

    def _slice(self, iterations: int) -> int:
        return int(grow_sets(iterations, self.table, self.run, self.source, self.memory, self.rng))

    def _make_room(self) -> None:
        tree = doubled(self.table.tree)
        slots = _slots(len(tree))
        refill(self.table.slots, slots)
        self.table = Table(tree, slots)

    def _room_seconds(self) -> float:
        return len(self.table.tree) / ENTERED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The arms of an information set; the roots come first, one for each hypothesis."""
        found, tree = [], self.table.tree
        child = int(tree["first_child"][node])
        while child != NO_NODE:
            reward, squares, visits, available, _, following, sibling, action, seat = tree[child].item()
            places: list[tuple[Search, int]] = [(self, following)] if following != NO_NODE else []
            found.append(Arm(action, seat, visits, available, reward, squares, places))
            child = sibling
        return found


class Expectation(Search):
    """What searches side by side expect of each action, given beliefs about the kind of the last one."""

    def __init__(self, searches: Sequence[SetsSearch], beliefs: Sequence[float]) -> None:
        """`beliefs` has a probability for each kind, impossible ones too."""
        self.searches = searches
        self.beliefs = beliefs

    def figure(self, name: str) -> int:
        """A count of all the runs."""
        counts = [search.figure(name) for search in self.searches]
        return max(counts) if name == "depth_most" else sum(counts)

    def by_kind(self) -> dict[int, list[Arm]]:
        """The arms of each hypothesis's root, the searches merged."""
        kinds = self.searches[0].kinds
        return {
            which: merge_arms([arm for search in self.searches for arm in search.arms(root)])
            for root, which in enumerate(kinds)
        }

    @property
    def complete(self) -> bool:
        """Whether some action has been tried under every hypothesis that is believed at all."""
        return any(self._is_complete(tried) for tried in self._by_action().values())

    def arms(self, node: int = ROOT) -> list[Arm]:
        """For each action all visits, and the expected reward as the mean.

        Once there is an action that was tried under all hypotheses believed, those that were not are left out.
        """
        by_action = self._by_action()
        complete = {action: tried for action, tried in by_action.items() if self._is_complete(tried)}
        arms = [self._expected(action, tried) for action, tried in (complete or by_action).items()]
        return sorted(arms, key=lambda arm: (-arm.visits, arm.action))

    def _by_action(self) -> dict[int, dict[int, Arm]]:
        """The arms by action and kind."""
        found: dict[int, dict[int, Arm]] = {}
        for which, arms in self.by_kind().items():
            for arm in arms:
                if arm.visits > 0:
                    found.setdefault(arm.action, {})[which] = arm
        return found

    def _is_complete(self, tried: dict[int, Arm]) -> bool:
        return all(which in tried for which, belief in enumerate(self.beliefs) if belief > 0)

    def _expected(self, action: int, tried: dict[int, Arm]) -> Arm:
        """One arm made of those of the kinds: sums that have the expected reward for a mean, and its variance."""
        weights = {which: self.beliefs[which] for which in tried}
        if not any(weights.values()):
            weights = dict.fromkeys(tried, 1.0)
        total = sum(weights.values())
        mean = variance = 0.0
        for which, arm in tried.items():
            share, own = weights[which] / total, arm.reward / arm.visits
            mean += share * own
            variance += share * share * max(0.0, arm.squares / arm.visits - own * own) / arm.visits
        visits = sum(arm.visits for arm in tried.values())
        likeliest = max(tried, key=lambda which: weights[which])
        return Arm(
            action,
            self.searches[0].seat,
            visits,
            sum(arm.available for arm in tried.values()),
            mean * visits,
            (mean * mean + variance * visits) * visits,
            tried[likeliest].places,
        )


def _slots(nodes: int) -> Array:
    """An empty table for the sets among some nodes: each has an arm at least, so they are half of them at most."""
    slots = new_records(nodes // 2, SLOT)
    slots["node"] = EMPTY
    return slots
