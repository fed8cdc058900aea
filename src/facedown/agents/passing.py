"""Actions that are chosen as one set, such as the cards passed in Hearts: the option `passer` of searching agents.

search      playouts of all sets in stages: search/joint_choice.py
cautious    the set whose damage is least, by the game's own judgement (Manzke 2025, section 6.1.2)
steps       one action after another, each searched like any other

A set is chosen when its first action is due, and remembered. The choice follows from what the seat knew before it: an agent
that is asked for the second action only comes to the same set. If another first action was chosen, by a person perhaps, the
rest is chosen to go with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb, inf, sqrt
from typing import Any

import numpy as np

from facedown.agents.budget import UNLIMITED, Budget
from facedown.kernel import Array
from facedown.rng import stream
from facedown.search.decision import Candidate, Decision
from facedown.search.joint_choice import LEFT, JointSearch, all_actions, begin_of
from facedown.state import State
from facedown.view import View

SEARCH, CAUTIOUS, STEPS = PASSERS = ("search", "cautious", "steps")
PASSING = 1 << 41  # a stream of random numbers that no search has
MOST_SETS = 2000  # of which one is chosen; where there are more, actions are searched step by step
COST = 3  # iterations that a playout by rules counts for
STAGE_SHARES = (0.4, 0.25, 0.2, 0.15)  # of all playouts
FIRST_VISITS = 8  # of each set in the first stage, at least, where the game can tell which sets to leave out
PLAYOUTS_A_SECOND = 100_000  # about
FIRST_BLOCKS = 26  # playouts that are made in any case
SHOWN = 13  # sets that a decision lists, at least


@dataclass
class Sets:
    """Sets of actions, the best first, and figures of each if they come from a search."""

    sets: list[tuple[int, ...]]
    visits: list[int] = field(default_factory=list)
    means: list[float] = field(default_factory=list)
    halves: list[float] = field(default_factory=list)  # of 95 % intervals
    playouts: int = 0

    def best_with(self, taken: Sequence[int]) -> bool:
        """Whether the best set has all of some actions."""
        return set(taken) <= set(self.sets[0])


class Damages:
    """The damage of sets, some of them at a time."""

    deadline = inf

    def __init__(self, view: View, sets: Array) -> None:
        self._view, self._sets = view, sets
        self.found = np.zeros(len(sets))
        self.done = 0

    def advance(self, count: int, most: int) -> int:
        """Judge some more sets; return how many."""
        part = slice(self.done, self.done + count)
        self.found[part] = self._view.game.judge_sets("damages", self._view, self._sets[part])
        made = len(self._sets[part])
        self.done += made
        return made


class Passer:
    """How an agent chooses sets; it remembers the last one."""

    def __init__(self) -> None:
        self._known: tuple[bytes, Sets] | None = None

    def decide(self, agent: Any, view: State | View) -> Decision | None:
        """The next action of a set, where one is to be chosen and the agent does not go step by step."""
        passer = agent.value("passer") if "passer" in agent.options else STEPS
        if passer == STEPS or not isinstance(view, View):
            return None
        begin, size = begin_of(view)
        if size < 2:
            return None
        if passer == CAUTIOUS:
            view.game.require("passer=cautious", "damages")
        rng = agent.stream(begin)
        actions, legal = all_actions(begin, stream(0, PASSING)), view.legal
        taken = [action for action in actions if action not in legal]
        if not 1 <= comb(len(actions), size) <= MOST_SETS:
            return None
        agent._searches = ()  # those of the last decision say nothing about this one
        key = bytes(begin)
        if not (taken and self._known and self._known[0] == key):
            self._known = key, choose(agent, begin, list(combinations(actions, size)), rng, 0.5 if taken else 1.0)
        found = self._known[1]
        if not found.best_with(taken):
            found = choose(agent, begin, [one for one in found.sets if set(taken) <= set(one)], rng)
        return decision_of(view, found, taken, agent.seconds_spent)


def choose(agent: Any, begin: View, sets: list[tuple[int, ...]], rng: Array, part: float = 1.0) -> Sets:
    """The sets in order, by search or by caution; where time is counted, in a part of it."""
    sets = sorted(sets)
    if agent.value("passer") == CAUTIOUS:
        return by_damage(agent.budget, begin, sets)
    rng = stream(agent.seed, int(rng[0]), int(rng[1]), PASSING)
    search = JointSearch(begin, agent.settings(), np.array(sets, np.int64), rng)
    run_stages(agent, search, len(sets[0]), part)
    order = search.order()
    visits, means, halves = [], [], []
    for one in order:
        count = max(1, int(search.visits[one]))
        mean = float(search.rewards[one]) / count
        visits.append(int(search.visits[one]))
        means.append(mean)
        halves.append(1.96 * sqrt(max(0.0, float(search.squares[one]) / count - mean * mean) / count))
    return Sets([sets[one] for one in order], visits, means, halves, search.playouts)


def run_stages(agent: Any, search: JointSearch, size: int, whole: float = 1.0) -> None:
    """Spend the budget of as many decisions as the set has actions; of a time limit, that of one, or a part of it."""
    budget: Budget = agent.budget
    playouts = agent.value("iterations") * size // COST
    if budget.seconds:
        playouts = int(budget.seconds * PLAYOUTS_A_SECOND)
    if search.has_guesses:
        search.halve(min(len(search.sets), max(LEFT[0], int(STAGE_SHARES[0] * playouts / FIRST_VISITS))))
    counts = [count for count in LEFT if count < len(search.left)]
    shares = STAGE_SHARES[len(LEFT) - len(counts) :]
    for stage, share in enumerate(shares):
        part = share / (sum(shares[stage:]) + sum(shares) * (1 / whole - 1))  # of what is left
        rounds = max(1, round(playouts * share / sum(shares) / len(search.left)))
        steps = UNLIMITED if budget.seconds else rounds * len(search.left)
        budget.spend(search, steps, share=part, least=0 if stage else FIRST_BLOCKS)
        if stage < len(counts):
            search.halve(counts[stage])
    search.end_batch()


def by_damage(budget: Budget, begin: View, sets: list[tuple[int, ...]]) -> Sets:
    """Sets by the damage that they must fear, the least first; those that time did not suffice for come last."""
    work = Damages(begin, np.array(sets, np.int64))
    budget.spend(work, len(sets))
    damages = work.found.tolist()
    order = sorted(range(len(sets)), key=lambda one: (one >= work.done, damages[one], one))
    return Sets([sets[one] for one in order])


def decision_of(view: View, found: Sets, taken: Sequence[int], seconds: float) -> Decision:
    """The best set; a search lists the best ones, and for each other action the best set that has it."""
    game = view.game
    best = [action for action in found.sets[0] if action not in taken]
    candidates: list[Candidate] = []
    known: set[int] = set()
    for one, visits, mean, half in zip(found.sets, found.visits, found.means, found.halves, strict=False):
        actions = tuple(action for action in one if action not in taken)
        if visits and set(taken) <= set(one) and (len(candidates) < SHOWN or not known.issuperset(actions)):
            known.update(actions)
            text, interval = " ".join(game.texts(actions)), (mean - half, mean + half)
            candidates.append(Candidate(actions[0], text, visits, visits, mean, interval, actions=actions))
    line = game.texts(best)
    return Decision(best[0], line[0], candidates, line, iterations=found.playouts, seconds=seconds, _game=game)
