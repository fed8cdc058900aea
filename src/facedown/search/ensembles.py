"""The Python side of an ensemble in progress: trees in slices of iterations, and what they say together."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, kernel, new_records
from facedown.rng import random_word
from facedown.search.drafts import DRAFT, MOST_MOVES, MOST_QUESTIONS, replay
from facedown.search.ensemble import TAKE, grow_ensemble, open_menu
from facedown.search.ensemble_run import ENSEMBLE, TWIG
from facedown.search.interest import new_scratch
from facedown.search.search import COPIED_A_SECOND, Arm, Search, Settings, doubled
from facedown.search.tree import NO_NODE, ROOT
from facedown.turns import turns_taken
from facedown.view import View
from facedown.worlds import exact

MOST_ROOM = 1 << 20  # nodes at first; twice as many whenever they are used up


@kernel
def make_streams(rngs: Array, rng: Array) -> None:
    """Random numbers for each tree."""
    for tree in range(rngs.shape[0]):
        for word in range(2):
            rngs[tree, word] = random_word(rng)


@kernel
def add_up(tree: Array, group: Array, labels: Array, visits: Array, answers: Array, rewards: Array) -> int:
    """Add up the children of several nodes, label by label; how many labels there are."""
    count = 0
    for index in range(group.shape[0]):
        child = tree[group[index]].first_child
        while child != NO_NODE:
            place = 0
            while place < count and labels[place] != tree[child].label:
                place += 1
            if place == count:
                labels[place] = tree[child].label
                answers[place] = tree[child].answers
                visits[place] = 0
                rewards[place] = 0.0
                count += 1
            visits[place] += tree[child].visits
            rewards[place] += tree[child].reward
            child = tree[child].next_sibling
    return count


@kernel
def follow(tree: Array, group: Array, label: int, found: Array) -> int:
    """Write the children with a label, of several nodes; how many there are."""
    count = 0
    for index in range(group.shape[0]):
        child = tree[group[index]].first_child
        while child != NO_NODE:
            if tree[child].label == label:
                found[count] = child
                count += 1
            child = tree[child].next_sibling
    return count


@kernel
def spell(view: Array, runs: Array, drafts: Array, answers: int, count: int) -> bool:
    """Draft a move of the searching seat by its first answers; whether a question follows."""
    draft = drafts[0]
    means = open_menu(view[0], runs[0], draft)
    return replay(draft, means, runs[0].pruning, answers, count)


@kernel
def close_of(view: Array) -> int:
    """The action that ends the compound move under way; -1 if there is none."""
    return rules.closing(view[0])


@kernel
def is_for_search(view: Array) -> bool:
    """Whether the question is one that a search decides itself."""
    return rules.is_settled(view[0])


@dataclass(frozen=True)
class Way:
    """How an ensemble searches."""

    binary: bool
    pruning: int
    order: int
    settles: bool
    chances: bool
    keeps_order: bool
    near: bool
    by_chance: bool
    greedy: bool
    root_trials: int
    leaf_trials: int


def new_ensemble_run(view: View, settings: Settings, way: Way, salt: Any) -> Array:
    """The record of a search."""
    run = new_records(1, ENSEMBLE)
    values: dict[str, Any] = {
        "seat": view.seat,
        "seats": view.game.seats,
        "actions": view.game.actions,
        "exploration": settings.exploration,
        "reward": settings.reward,
        "discount": settings.discount,
        "turns": turns_taken(view.data) if settings.discount < 1 else 0,
        "now": turns_taken(view.data) if way.near else 0,
        "salt": salt,
        **settings.figures,
        **way.__dict__,
    }
    for name, value in values.items():
        run[name] = value
    return run


class Sum(NamedTuple):
    """What nodes of several trees have together."""

    visits: int
    answers: int  # that they stand for
    reward: float  # sum over visits


class EnsembleSearch(Search):
    """Some trees of an ensemble; `left` says how many iterations each is to have, and `rngs` are their random numbers."""

    def __init__(self, view: View, settings: Settings, way: Way, left: Array, rngs: Array, salt: Any) -> None:
        self.view = view
        self.run = new_ensemble_run(view, settings, way, salt)
        self.left = left.copy()
        self.rngs = rngs.copy()
        self.memory = settings.playout()
        self.hidden = view.unseen()
        self.ways = exact.prepare(self.hidden)
        self.worlds = new_records(len(left), view.data.dtype)
        self.drafts = new_records(1, DRAFT)
        self.tally = np.zeros((view.game.actions, 3))
        self.scratch = new_scratch(view.game.actions, 0)
        trees = len(left)
        self.tree = new_records(trees + int(min(left.sum(), MOST_ROOM)), TWIG)
        for name in ("parent", "first_child", "next_sibling", "moves", "seat"):
            self.tree[name][:trees] = NO_NODE
        self.run["nodes"] = trees
        self.run["tree"] = trees - 1
        self.run["in_a_row"] = 1 << 30

    def advance(self, iterations: int, most: int) -> int:
        """Make so many iterations, or a few more where worlds are tried out; fewer where that or more room takes time."""
        if int(self.run["nodes"][0]) == len(self.tree):
            if time.perf_counter() + self.tree.nbytes / COPIED_A_SECOND > self.deadline:
                return 0
            self.tree = doubled(self.tree)
        self.run["room"] = len(self.tree)
        grounds = (self.worlds, self.left, self.rngs, self.view.data, self.hidden, self.ways)
        own: Any = (self.drafts, self.tally, self.scratch, self.memory)
        return int(grow_ensemble(min(iterations, most), self.tree, self.run, *grounds, *own))

    def roots(self) -> Array:
        """The roots of all trees."""
        return np.arange(len(self.left))

    def sums(self, group: Array) -> dict[int, Sum]:
        """The children of several nodes by label."""
        labels, visits, answers = (np.empty(MOST_MOVES, np.int64) for _ in range(3))
        rewards = np.empty(MOST_MOVES)
        count = add_up(self.tree, group, labels, visits, answers, rewards)
        return {
            int(label): Sum(int(number), int(answer), float(reward))
            for label, number, answer, reward in zip(labels[:count], visits, answers, rewards, strict=False)
        }

    def below(self, group: Array, label: int) -> Array:
        """The children with a label, of several nodes."""
        found = np.empty(len(group), np.int64)
        return found[: follow(self.tree, group, label, found)]

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The small actions with which iterations began; node a + 1 is that of the moves that begin with action a."""
        if node != ROOT:
            return Begun(self.view.seat, {move[1:]: one for move, one in self.moves().items() if move[0] == node - 1}).arms()
        total = int(self.tally[:, 0].sum())
        found = []
        for action in np.flatnonzero(self.tally[:, 0]).tolist():
            visits, reward, squares = self.tally[action].tolist()
            found.append(Arm(action, self.view.seat, int(visits), total, reward, squares, [(self, action + 1)]))
        return found

    def moves(self) -> dict[tuple[int, ...], Sum]:
        """The compound moves that have been tried to their end, as small actions; none where the question is a plain one."""
        last = int(close_of(self.view.data))
        binary = bool(self.run["binary"][0])
        drafts = new_records(1, DRAFT)
        found = {}
        waiting = [(self.roots(), Sum(0, 0, 0.0), 0)] if last >= 0 else []
        while waiting:
            group, here, count = waiting.pop()
            if spell(self.view.data, self.run, drafts, here.answers, count):
                for label, below in self.sums(group).items():
                    answers = here.answers | label << count if binary else below.answers
                    asked = count + 1 if binary else MOST_QUESTIONS - 1
                    waiting.append((self.below(group, label), below._replace(answers=answers), asked))
            else:
                picks = drafts["picks"][0][: int(drafts["picked"][0])]
                found[*picks.tolist(), last] = here
        return found


class Begun(Search):
    """The moves of an ensemble that have begun alike, by what is left of them."""

    def __init__(self, seat: int, moves: dict[tuple[int, ...], Sum]) -> None:
        self.seat = seat
        self.moves = moves

    def arms(self, node: int = ROOT) -> list[Arm]:
        """How they go on."""
        parted: dict[int, dict[tuple[int, ...], Sum]] = {}
        for move, one in self.moves.items():
            if move:
                parted.setdefault(move[0], {})[move[1:]] = one
        total = sum(one.visits for moves in parted.values() for one in moves.values())
        found = []
        for action, moves in parted.items():
            visits, reward = (sum(one[place] for one in moves.values()) for place in (0, 2))
            found.append(Arm(action, self.seat, int(visits), total, reward, places=[(Begun(self.seat, moves), ROOT)]))
        return found


def plan(searches: Sequence[EnsembleSearch]) -> list[int]:
    """The move with most visits over all trees, as small actions; in a binary tree the most visited answer at each step."""
    run, view = searches[0].run, searches[0].view
    last = int(close_of(view.data))
    groups = [search.roots() for search in searches]
    sums = _together(searches, groups)
    if not sums:
        return []
    if last < 0:
        return [max(sums, key=lambda label: (sums[label].visits, -label))]
    drafts = new_records(1, DRAFT)  # the search under way needs its own
    answers, count = 0, 0
    if not bool(run["binary"][0]):
        answers, count = max(sums.values(), key=lambda one: one.visits).answers, MOST_QUESTIONS - 1
    while spell(view.data, run, drafts, answers, count):
        label = max(sums, key=lambda label: (sums[label].visits, label)) if sums else TAKE
        answers |= label << count
        count += 1
        groups = [search.below(group, label) for search, group in zip(searches, groups, strict=True)]
        sums = _together(searches, groups)
    return [*(int(pick) for pick in drafts["picks"][0][: int(drafts["picked"][0])]), last]


def _together(searches: Sequence[EnsembleSearch], groups: Sequence[Array]) -> dict[int, Sum]:
    """The children of nodes of all searches by label."""
    sums: dict[int, Sum] = {}
    for search, group in zip(searches, groups, strict=True):
        for label, one in search.sums(group).items():
            known = sums.get(label, Sum(0, one.answers, 0.0))
            sums[label] = Sum(known.visits + one.visits, one.answers, known.reward + one.reward)
    return sums


def only_way(view: View, run: Array) -> int | None:
    """The small action with which every compound move begins that pruning leaves; None if they differ."""
    last = int(close_of(view.data))
    if last < 0:
        return None
    drafts = new_records(1, DRAFT)
    asked = spell(view.data, run, drafts, 0, 0)
    if int(drafts["picked"][0]) > 0:
        return int(drafts["picks"][0][0])
    return None if asked else last
