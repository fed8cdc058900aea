"""What the trees of an ensemble say about whole moves: their visits added up, and the move to make.

A move is a tuple of small actions. Nodes that stand for the same in several trees are a group; their children are added up
by label: a whole move's number, or in binary trees one answer after another.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from facedown import rules
from facedown.kernel import Array, door, kernel
from facedown.search.compound_moves import BINARY, MOST_MOVES, MOST_QUESTIONS, TAKE, closing_action, open_menu, replay
from facedown.search.search import Arm, Search
from facedown.search.tree import NO_NODE, ROOT
from facedown.view import View


@door
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


@door
def spell(view: Array, drafts: Array, answers: int, count: int) -> bool:
    """Draft a move of the searching seat by its first answers; whether a question follows."""
    open_menu(view[0], drafts[0])
    return replay(drafts[0], answers, count)


@door
def close_of(view: Array, drafts: Array) -> int:
    """The action that ends the compound move under way; -1 if there is none. The menu of the draft is written over."""
    return closing_action(view[0], drafts[0].menu)


@door
def is_for_search(view: Array, actions: Array, rng: Array) -> bool:
    """Whether the question is one that a search decides itself."""
    spare = view[:1].copy()
    return not rules.settle(spare[0], actions, rng)


class Sum(NamedTuple):
    """What nodes of several trees have together."""

    visits: int
    answers: int  # that they stand for
    reward: float  # sum over visits


class Group(NamedTuple):
    """Nodes of one array that stand for the same in several trees."""

    tree: Array
    nodes: Array

    def sums(self) -> dict[int, Sum]:
        """Their children by label."""
        labels, visits, answers = (np.empty(MOST_MOVES, np.int64) for _ in range(3))
        rewards = np.empty(MOST_MOVES)
        count = add_up(self.tree, self.nodes, labels, visits, answers, rewards)
        return {
            int(label): Sum(int(number), int(answer), float(reward))
            for label, number, answer, reward in zip(labels[:count], visits, answers, rewards, strict=False)
        }

    def below(self, label: int) -> "Group":
        """Their children with a label."""
        found = np.empty(len(self.nodes), np.int64)
        return Group(self.tree, found[: follow(self.tree, self.nodes, label, found)])


def sums_of(groups: Sequence[Group]) -> dict[int, Sum]:
    """The children of groups in several arrays by label."""
    sums: dict[int, Sum] = {}
    for group in groups:
        for label, one in group.sums().items():
            known = sums.get(label, Sum(0, one.answers, 0.0))
            sums[label] = Sum(known.visits + one.visits, one.answers, known.reward + one.reward)
    return sums


def is_binary(draft: Array) -> bool:
    """Whether each part of a move is a step of its own."""
    return BINARY in (draft.dtype.names or ())


def picks_of(draft: Array) -> list[int]:
    """The small actions that a draft has taken."""
    picks: list[int] = draft["picks"][0][: int(draft["picked"][0])].tolist()
    return picks


def tried_moves(view: View, draft: Array, roots: Group) -> dict[tuple[int, ...], Sum]:
    """The compound moves that have been tried to their end; none where the question is a plain one."""
    last = int(close_of(view.data, draft))
    binary = is_binary(draft)
    found = {}
    waiting = [(roots, Sum(0, 0, 0.0), 0)] if last >= 0 else []
    while waiting:
        group, here, count = waiting.pop()
        if spell(view.data, draft, here.answers, count):
            for label, below in group.sums().items():
                answers = here.answers | label << count if binary else below.answers
                asked = count + 1 if binary else MOST_QUESTIONS - 1
                waiting.append((group.below(label), below._replace(answers=answers), asked))
        else:
            found[*picks_of(draft), last] = here
    return found


class MovePrefix(Search):
    """The moves of an ensemble that begin alike, by what is left of them."""

    def __init__(self, seat: int, moves: dict[tuple[int, ...], Sum]) -> None:
        self.seat = seat
        self.moves = moves

    def arms(self, node: int = ROOT) -> list[Arm]:
        """Their next small actions."""
        parted: dict[int, dict[tuple[int, ...], Sum]] = {}
        for move, one in self.moves.items():
            if move:
                parted.setdefault(move[0], {})[move[1:]] = one
        total = sum(one.visits for moves in parted.values() for one in moves.values())
        found = []
        for action, moves in parted.items():
            visits, reward = (sum(one[place] for one in moves.values()) for place in (0, 2))
            found.append(Arm(action, self.seat, int(visits), total, reward, places=[(MovePrefix(self.seat, moves), ROOT)]))
        return found


def most_visited_move(view: View, draft: Array, groups: Sequence[Group]) -> list[int]:
    """The move with most visits below all roots; in binary trees the most visited answer at each step."""
    last = int(close_of(view.data, draft))
    sums = sums_of(groups)
    if not sums:
        return []
    if last < 0:
        return [max(sums, key=lambda label: (sums[label].visits, -label))]
    answers, count = 0, 0
    if not is_binary(draft):
        answers, count = max(sums.values(), key=lambda one: one.visits).answers, MOST_QUESTIONS - 1
    while spell(view.data, draft, answers, count):
        label = max(sums, key=lambda label: (sums[label].visits, label)) if sums else TAKE
        answers |= label << count
        count += 1
        groups = [group.below(label) for group in groups]
        sums = sums_of(groups)
    return [*picks_of(draft), last]


def only_beginning(view: View, draft: Array) -> int | None:
    """The small action with which every compound move begins that pruning leaves; None if they differ."""
    last = int(close_of(view.data, draft))
    if last < 0:
        return None
    asked = spell(view.data, draft, 0, 0)
    picks = picks_of(draft)
    if picks:
        return picks[0]
    return None if asked else last
