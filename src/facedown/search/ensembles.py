"""The Python side of an ensemble in progress: trees in slices of iterations, and what they say together."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown import deals, rules
from facedown.game import View
from facedown.kernel import Array, kernel, new_records
from facedown.rng import random_word
from facedown.search.drafts import DRAFT, MOST_MOVES, MOST_QUESTIONS, replay
from facedown.search.ensemble import TAKE, grow_ensemble, open_menu
from facedown.search.ensemble_run import ENSEMBLE, TWIG
from facedown.search.growing import Arm, Search, Settings, doubled
from facedown.search.interest import new_scratch
from facedown.search.tree import NO_NODE, ROOT
from facedown.turns import turns_taken

MOST_ROOM = 1 << 20  # nodes at first; twice as many whenever they are used up


@kernel
def make_streams(rngs: Array, rng: Array) -> None:
    """Random numbers for each tree."""
    for tree in range(rngs.shape[0]):
        for word in range(2):
            rngs[tree, word] = random_word(rng)


@kernel
def add_up(tree: Array, group: Array, labels: Array, visits: Array, answers: Array) -> int:
    """Add the visits of the children of several nodes, label by label; how many labels there are."""
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
                count += 1
            visits[place] += tree[child].visits
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


class EnsembleSearch(Search):
    """Some trees of an ensemble; `left` says how many iterations each is to have, and `rngs` are their random numbers."""

    def __init__(self, view: View, settings: Settings, way: Way, left: Array, rngs: Array, salt: Any) -> None:
        self.view = view
        self.run = new_ensemble_run(view, settings, way, salt)
        self.left = left.copy()
        self.rngs = rngs.copy()
        self.memory = settings.playout()
        self.hidden = view.unseen()
        self.ways = deals.prepare(self.hidden)
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
        """Make so many iterations, or a few more where worlds are tried out."""
        done = 0
        while done < min(iterations, most):
            if int(self.run["nodes"][0]) == len(self.tree):
                self.tree = doubled(self.tree)
            self.run["room"] = len(self.tree)
            made = int(
                grow_ensemble(
                    iterations - done,
                    self.tree,
                    self.run,
                    self.worlds,
                    self.left,
                    self.rngs,
                    self.view.data,
                    self.hidden,
                    self.ways,
                    self.drafts,
                    self.tally,
                    self.scratch,
                    self.memory,
                )
            )
            done += made
            if made == 0:
                return most  # no tree is to have any more
        return done

    def roots(self) -> Array:
        """The roots of all trees."""
        return np.arange(len(self.left))

    def sums(self, group: Array) -> dict[int, tuple[int, int]]:
        """The visits of the children of several nodes by label, with their answers."""
        labels, visits, answers = (np.empty(MOST_MOVES, np.int64) for _ in range(3))
        count = add_up(self.tree, group, labels, visits, answers)
        return {
            int(label): (int(number), int(answer))
            for label, number, answer in zip(labels[:count], visits[:count], answers[:count], strict=True)
        }

    def below(self, group: Array, label: int) -> Array:
        """The children with a label, of several nodes."""
        found = np.empty(len(group), np.int64)
        return found[: follow(self.tree, group, label, found)]

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The small actions with which iterations began."""
        total = int(self.tally[:, 0].sum())
        found = []
        for action in np.flatnonzero(self.tally[:, 0]):
            visits, reward, squares = self.tally[action].tolist()
            found.append(Arm(int(action), self.view.seat, int(visits), total, reward, squares))
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
        return [max(sums, key=lambda label: (sums[label][0], -label))]
    drafts = new_records(1, DRAFT)  # the search under way needs its own
    answers, count = 0, 0
    if not bool(run["binary"][0]):
        answers, count = max(sums.values(), key=lambda one: one[0])[1], MOST_QUESTIONS - 1
    while spell(view.data, run, drafts, answers, count):
        label = max(sums, key=lambda label: (sums[label][0], label)) if sums else TAKE
        answers |= label << count
        count += 1
        groups = [search.below(group, label) for search, group in zip(searches, groups, strict=True)]
        sums = _together(searches, groups)
    return [*(int(pick) for pick in drafts["picks"][0][: int(drafts["picked"][0])]), last]


def _together(searches: Sequence[EnsembleSearch], groups: Sequence[Array]) -> dict[int, tuple[int, int]]:
    """The visits of all searches by label, with the answers that a label stands for."""
    sums: dict[int, tuple[int, int]] = {}
    for search, group in zip(searches, groups, strict=True):
        for label, (visits, answers) in search.sums(group).items():
            sums[label] = (sums.get(label, (0, 0))[0] + visits, answers)
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
