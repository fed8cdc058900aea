"""What a search thought: for each action how often it was tried and what it brought, and the line it expects."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import inf, sqrt
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np

from facedown.game import Game
from facedown.search.search import Arm, Search, merge_arms

LINE_LENGTH = 12  # actions of the principal line that are kept
LINE_SECONDS = 0.003  # that it may take when a decision's time is over
FINAL_RULES = ("visits", "mean", "votes")
VOTES = ("visits", "mean")


Key: TypeAlias = int | tuple[int, ...]  # what a candidate is: an action, or a set of them


@dataclass(frozen=True)
class Candidate:
    """One action at the root, as the search sees it for the seat that would choose it."""

    action: int
    text: str
    visits: int
    available: int  # how often it could have been chosen
    mean: float  # reward
    interval: tuple[float, float]  # 95 % confidence, of the mean of the playouts
    votes: float = 0.0  # searches of single worlds that preferred it
    actions: tuple[int, ...] = ()  # all of them, where several are chosen as one set; `action` is the first

    @property
    def key(self) -> Key:
        """The action, or the set."""
        return self.actions or self.action

    def has(self, action: int) -> bool:
        """Whether it is this action, or a set with it."""
        return action in (self.actions or (self.action,))

    def to_dict(self) -> dict[str, Any]:
        """The candidate as plain data; its set only where it is one."""
        return {name: value for name, value in self.__dict__.items() if name != "actions" or value}


# How likely each kind of the last action was taken to be; or for each unseen card, each seat to hold it.
Beliefs: TypeAlias = Any


@dataclass(frozen=True)
class Decision:
    """A choice with its reasons; `candidates` stand in order of preference."""

    action: int
    text: str
    candidates: list[Candidate] = field(default_factory=list)
    line: list[str] = field(default_factory=list)  # the most visited action, the answer to it, and so on
    iterations: int = 0
    worlds: int = 0  # different ones searched; 0 where each iteration drew its own
    nodes: int = 0
    depth_mean: float = 0.0
    depth_most: int = 0
    transpositions: int = 0  # paths found to positions that were known already
    seconds: float = 0.0
    forced: bool = False
    solved: bool = False  # by exact solution of the worlds, not by playouts
    beliefs: Beliefs = field(default_factory=list)
    _game: Game | None = field(default=None, repr=False, compare=False)
    _searches: Sequence[Search] = field(default=(), repr=False, compare=False)

    @property
    def texts(self) -> list[str]:
        """All that is to be done: one action, or those of a set."""
        return self.line if self._chose_set else [self.text]

    @property
    def _chose_set(self) -> bool:
        """Whether the candidates are sets of actions."""
        return bool(self.candidates and self.candidates[0].actions)

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain data, without the tree; beliefs only of a search that has some."""
        names = [one.name for one in fields(self) if not one.name.startswith("_")]
        data = {name: getattr(self, name) for name in names if name != "beliefs" or self.beliefs}
        return {**data, "candidates": [candidate.to_dict() for candidate in self.candidates]}

    def arms(self) -> list[Arm]:
        """The actions at the root of the tree; the candidates where there is none."""
        if self.solved or self._chose_set:
            return [Arm(one.action, -1, one.visits, one.available, one.mean * one.visits) for one in self.candidates]
        return merge_arms([arm for search in self._searches for arm in search.arms()])

    def root_texts(self, arms: Sequence[Arm]) -> list[str]:
        """These actions as text, or the sets that they stand for."""
        return [one.text for one in self.candidates] if self._chose_set else [arm_text(self._game, arm) for arm in arms]

    def text_below(self, arm: Arm) -> str:
        """An action below the root as text."""
        return arm_text(self._game, arm)

    def tree(self, depth: int = 2) -> dict[str, Any]:
        """The tree down to a depth, as plain data for JSON; searches that ran side by side are added up.

        Where there is no tree, since worlds were solved or sets of actions played out, the candidates are its leaves.
        """
        arms = self.arms()
        visits = sum(arm.visits for arm in arms)
        root = {
            "action": None,
            "text": None,
            "seat": None,
            "visits": visits,
            "available": visits,
            "mean": None,
            "interval": None,
        }
        children = [self._branch(arm, depth - 1, self._game) for arm in arms] if depth > 0 else []
        if self._chose_set:
            for child, one in zip(children, self.candidates, strict=False):
                child.update(text=one.text, interval=list(one.interval))
        return {**root, "children": children}

    def _branch(self, arm: Arm, depth: int, game: Any) -> dict[str, Any]:
        mean, half = mean_of(arm)
        below = arms_below(arm) if depth > 0 else []
        return {
            "action": arm.action,
            "text": arm_text(game, arm),
            "seat": arm.seat if arm.seat >= 0 else None,
            "visits": arm.visits,
            "available": arm.available,
            "mean": mean,
            "interval": [mean - half, mean + half],
            "children": [self._branch(arm, depth - 1, game) for arm in below],
        }


def forced(game: Game, action: int) -> Decision:
    """The only action there is."""
    return Decision(action, game.text(action), [], [game.text(action)], forced=True)


def decide(
    game: Game,
    searches: Sequence[Search],
    final: str,
    iterations: int = 0,
    plan: Sequence[int] = (),
    vote: str = "visits",
    until: float = inf,
    **figures: Any,
) -> Decision:
    """The decision that one search leads to, or several of the same position; 0 iterations are to be counted.

    Where the searches have a plan, its first action is the choice, and it is the line. No line is followed for long after
    the time `until` which all was to be done.
    """
    found = [search.arms() for search in searches]
    arms = merge_arms([arm for arms in found for arm in arms])
    votes = votes_of(found, vote)
    candidates = [_candidate(game, arm, votes.get(arm.action, 0.0)) for arm in arms]
    candidates.sort(key=lambda one: (one.action not in plan[:1], -_merit(one, final), -one.visits, one.action))
    planned = plan and candidates[0].action == plan[0]
    chosen = next(arm for arm in arms if arm.action == candidates[0].action)
    iterations = iterations or sum(arm.visits for arm in arms)
    return Decision(
        candidates[0].action,
        candidates[0].text,
        candidates,
        game.texts(plan) if planned else line_of(game, chosen, until + LINE_SECONDS),
        iterations=iterations,
        nodes=sum(search.figure("nodes") for search in searches),
        depth_mean=sum(search.figure("depth_total") for search in searches) / max(1, iterations),
        depth_most=max(search.figure("depth_most") for search in searches),
        transpositions=sum(search.figure("transpositions") for search in searches),
        **figures,
        _game=game,
        _searches=searches,
    )


def decide_solved(game: Game, leads: Sequence[dict[int, float]], final: str, exact: bool, seconds: float) -> Decision:
    """The decision that exactly solved worlds lead to: each votes for its best actions, and leads in score are averaged.

    The interval is that of a sample of worlds; it has no width where all of them were solved.
    """
    actions, count = list(leads[0]), len(leads)
    table = np.array([[lead[action] for action in actions] for lead in leads])  # [world, action]
    best = table == table.max(axis=1, keepdims=True)
    votes = (best / best.sum(axis=1, keepdims=True)).sum(axis=0).tolist()
    candidates = []
    for place, action in enumerate(actions):
        mean = fmean(table[:, place].tolist())
        half = 0.0 if exact or count < 2 else 1.96 * float(table[:, place].std(ddof=1)) / sqrt(count)
        interval = (mean - half, mean + half)
        candidates.append(Candidate(action, game.text(action), count, count, mean, interval, votes[place]))
    by_votes = final == "votes"
    candidates.sort(
        key=lambda one: (-(one.votes if by_votes else one.mean), -(one.mean if by_votes else one.votes), one.action)
    )
    best = candidates[0]
    return Decision(
        best.action,
        best.text,
        candidates,
        [best.text],
        iterations=len(leads),
        worlds=len(leads),
        seconds=seconds,
        solved=True,
        _game=game,
    )


def _merit(candidate: Candidate, final: str) -> float:
    return {"visits": candidate.visits, "mean": candidate.mean, "votes": candidate.votes}[final]


def votes_of(found: Sequence[Sequence[Arm]], by: str = "visits") -> dict[int, float]:
    """How many searches like each action best, by visits or by mean; those that tie share a vote."""
    votes: dict[int, float] = {}
    for arms in found:
        merits = [arm.visits if by == "visits" else arm.reward / max(1, arm.visits) for arm in arms]
        most = max(merits, default=0)
        best = [arm.action for arm, merit in zip(arms, merits, strict=True) if merit == most]
        for action in best:
            votes[action] = votes.get(action, 0.0) + 1 / len(best)
    return votes


def _candidate(game: Game, arm: Arm, votes: float) -> Candidate:
    mean, half = mean_of(arm)
    return Candidate(arm.action, game.text(arm.action), arm.visits, arm.available, mean, (mean - half, mean + half), votes)


def mean_of(arm: Arm) -> tuple[float, float]:
    """An arm's mean reward and half the width of its 95 % interval."""
    visits = max(1, arm.visits)
    mean = arm.reward / visits
    variance = max(0.0, arm.squares / visits - mean * mean)
    return mean, 1.96 * sqrt(variance / visits)


def line_of(game: Game, arm: Arm, until: float = inf) -> list[str]:
    """The most visited path down from an arm; it ends where time does."""
    line = [arm_text(game, arm)]
    while len(line) < LINE_LENGTH and time.perf_counter() < until:
        below = arms_below(arm)
        if not below or below[0].visits < 2:
            return line
        arm = below[0]
        line.append(arm_text(game, arm))
    return line


def arms_below(arm: Arm) -> list[Arm]:
    """The actions that follow one, searches merged, most visited first."""
    if len(arm.places) == 1:  # nothing to merge: a large tree is walked through in a third of the time
        search, node = arm.places[0]
        return sorted(search.arms(node), key=lambda below: (-below.visits, below.action))
    return merge_arms([below for search, node in arm.places for below in search.arms(node)])


def arm_text(game: Any, arm: Arm) -> str:
    """An action as text; a relative one, which stands for different actions, by its number."""
    return f"#{arm.action}" if arm.relative else game.text(arm.action)
