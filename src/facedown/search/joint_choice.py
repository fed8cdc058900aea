"""Several actions chosen as one set, by playouts in stages: successive halving (Karnin, Koren and Somekh 2013).

A world begins before any seat has chosen: seats before the searching one choose by the game's rules in it, and so do those
after. All sets are judged at first, in blocks; those of a block meet in the same worlds, and what counts is a set's reward
beside the mean of its block. After each stage fewer sets are left, and each of them meets more worlds.

Sets that share actions are worth about the same. So a set's own figures are blended with what its actions, and its pairs of
actions, were worth in all sets that have them; the more worlds a set has met, the more its own figures count.
"""

from functools import cache
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.game import Game
from facedown.kernel import Array, copied, kernel
from facedown.rng import random_word, shuffle
from facedown.search.playouts.playout import result
from facedown.search.search import Settings, new_run_of
from facedown.view import View
from facedown.worlds.drawing import Drawing

STYLES = ("bold", "expert", "uniform")  # how a game plays on, by what it has
LEFT = (40, 10, 3)  # sets that are left after each stage but the last
BLOCK = 26  # sets that meet in a world, at most
BATCH = 512  # playouts that are prepared at once, about
OF_ACTION, OF_PAIR, OF_SET = 60.0, 200.0, 200.0  # worlds after which a figure of its own counts half


class Judgement(NamedTuple):
    """What is to be played out."""

    run: Array
    worlds: Array  # at the searching seat's turn
    seeds: Array  # [world, 2]: random numbers of what follows
    sets: Array  # [set, action]
    pairs: Array  # [playout, 2]: its world and its set


@cache
def kernels_of(style: int) -> tuple[Any, Any]:
    """What lets the seats before one choose in a world, and what plays sets out: in a style."""

    @kernel
    def come_to_turn(worlds: Array, seat: int, seeds: Array, actions: Array, rng: Array) -> int:
        """Let the seats before a seat choose in each world; write its legal actions in the last, and return their number."""
        for place in range(worlds.shape[0]):
            world = worlds[place]
            while rules.to_move(world) != seat:
                rules.apply(world, rules.choose(world, style, actions, rng))
            seeds[place, 0] = random_word(rng)
            seeds[place, 1] = random_word(rng)
        return rules.legal(worlds[worlds.shape[0] - 1], actions)

    @kernel
    def judge(judgement: Judgement, first: int, last: int, rewards: Array, actions: Array) -> None:
        """Play some of the pairs out, and write the searching seat's rewards."""
        runs, worlds, seeds, sets, pairs = judgement
        run = runs[0]
        here = worlds[:1].copy()
        world = here[0]
        rng = np.empty(2, np.uint64)
        of_seats = np.empty(run.seats)
        for playout in range(first, last):
            which = pairs[playout, 0]
            here[0] = worlds[which]
            rng[0] = seeds[which, 0]
            rng[1] = seeds[which, 1]
            for action in sets[pairs[playout, 1]]:
                rules.apply(world, action)
            rules.play_out(world, style, actions, rng)
            result(world, run, of_seats)
            rewards[playout] = of_seats[run.seat]

    return come_to_turn, judge


@kernel
def write_pairs(left: Array, blocks: int, pairs: Array, rng: Array) -> None:
    """Divide the sets that are left into blocks, again and again, and give each block a world of its own."""
    count = left.shape[0]
    for first in range(0, pairs.shape[0], count):
        shuffle(rng, left, 0, count)
        for place in range(count):
            pairs[first + place, 0] = first // count * blocks + place * blocks // count
            pairs[first + place, 1] = left[place]


class JointSearch:
    """A joint choice under way: sets of actions, and what each has brought."""

    deadline = inf  # nothing here takes long between slices

    def __init__(self, view: View, settings: Settings, sets: Array, rng: Array) -> None:
        """The view is one before the choice; `sets` has a row for each set."""
        self.sets = sets
        self.left = np.arange(len(sets))  # sets still in the running
        self.stages = np.zeros(len(sets), np.int64)  # that a set has outlived
        self.visits = np.zeros(len(sets), np.int64)
        self.rewards = np.zeros(len(sets))
        self.squares = np.zeros(len(sets))
        self.leads = np.zeros(len(sets))  # sums of what rewards were above the guess, beside the means of blocks
        self.guesses = view.game.judge_sets("first_guess", view, sets)  # what each seems worth before any playout
        self.playouts = 0
        self._view, self._rng = view, rng
        self._run = new_run_of(view, settings, 0)
        self._run["seat"] = view.seat
        self._come_to_turn, self._judge = kernels_of(rules.style(style_of(view.game)))
        self._actions = np.empty(view.game.actions, np.int64)
        self._actions_of, self._pairs_of = numbered_parts(sets, 1), numbered_parts(sets, 2)
        self._batch: Judgement | None = None
        self._made = np.empty(0)  # rewards of the batch under way
        self._done = 0  # how many of these are there

    def advance(self, playouts: int, most: int) -> int:
        """Make some playouts of the sets that are left."""
        if self._batch is None:
            self._prepare(most)
        batch = self._batch
        last = min(self._done + playouts, len(self._made))
        self._judge(batch, self._done, last, self._made, self._actions)
        made, self._done = last - self._done, last
        if last == len(self._made):
            self.end_batch()
        return made

    def _prepare(self, most: int) -> None:
        """Draw worlds, and let the sets that are left meet in them."""
        count = len(self.left)
        rounds = max(1, min(BATCH, most) // count)
        blocks = -(-count // BLOCK)
        drawing = Drawing(self._view, rounds * blocks, self._rng)
        drawing.advance(rounds * blocks, rounds * blocks)
        seeds = np.empty((rounds * blocks, 2), np.uint64)
        self._come_to_turn(drawing.worlds, self._view.seat, seeds, self._actions, self._rng)
        pairs = np.empty((rounds * count, 2), np.int64)
        write_pairs(self.left, blocks, pairs, self._rng)
        self._batch = Judgement(self._run, drawing.worlds, seeds, self.sets, pairs)
        self._made, self._done = np.empty(len(pairs)), 0

    def end_batch(self) -> None:
        """Count the batch under way, as far as it has come; a block that is not complete counts nothing."""
        if self._batch is None:
            return
        worlds, sets = self._batch.pairs.T
        sizes = np.bincount(worlds)
        complete = np.bincount(worlds[: self._done], minlength=len(sizes)) == sizes
        counted = complete[worlds]
        worlds, sets, made = worlds[counted], sets[counted], self._made[counted]
        above = made - self.guesses[sets]
        means = np.bincount(worlds, above, len(sizes)) / sizes
        count = len(self.sets)
        self.visits += np.bincount(sets, minlength=count)
        self.rewards += np.bincount(sets, made, count)
        self.squares += np.bincount(sets, made * made, count)
        self.leads += np.bincount(sets, above - means[worlds], count)
        self.playouts += len(made)
        self._batch = None

    @property
    def has_guesses(self) -> bool:
        """Whether sets look different before any playout."""
        return bool(np.ptp(self.guesses) > 0)

    def halve(self, count: int) -> None:
        """End a stage: keep the best sets only."""
        self.end_batch()
        self.left = np.sort(np.array(self.order()[:count]))
        self.stages[self.left] += 1

    def order(self) -> list[int]:
        """All sets, the best first: by the stages that a set has outlived, then by what it is believed to be worth."""
        worth = self.worth()
        return [int(one) for one in np.lexsort((np.arange(len(worth)), -worth, -self.stages))]

    def worth(self) -> Array:
        """What each set is believed to be worth beside the others."""
        worth = blended(self.leads, self.visits, self._actions_of, OF_ACTION)
        worth += blended(self.leads - self.visits * worth, self.visits, self._pairs_of, OF_PAIR)
        return self.guesses + worth + (self.leads - self.visits * worth) / (self.visits + OF_SET)


def numbered_parts(sets: Array, size: int) -> Array:
    """For each set the numbers of its actions, or of its pairs of actions; a row each."""
    numbers: dict[tuple[int, ...], int] = {}
    return np.array(
        [[numbers.setdefault(part, len(numbers)) for part in combinations(row, size)] for row in sets.tolist()], np.int64
    )


def blended(leads: Array, visits: Array, parts: Array, half: float) -> Array:
    """What the parts of each set are worth together: each part by the mean over all sets that have it, drawn towards 0."""
    count = int(parts.max(initial=-1)) + 1
    total, met = np.zeros(count), np.zeros(count)
    for column in parts.T:
        total += np.bincount(column, leads, count)
        met += np.bincount(column, visits, count)
    mean = total / (met + half)
    worth: Array = mean[parts].sum(axis=1)
    return worth


def style_of(game: Game) -> str:
    """The style in which a game is played out."""
    return next(name for name in STYLES if f"choose:{name}" in game.rules.own or name == "uniform")


def begin_of(view: View) -> tuple[View, int]:
    """The view before the joint choice under way, without a history; and how many actions a set has, 0 if there is none."""
    begin = View(view.game, copied(view.data), view.seat, [])
    return begin, view.game.joint_choice(begin.record)


def all_actions(begin: View, rng: Array) -> list[int]:
    """What a seat may choose from when its turn to choose a set comes: the same in all worlds."""
    actions, seeds = np.empty(begin.game.actions, np.int64), np.empty((1, 2), np.uint64)
    come_to_turn, _ = kernels_of(rules.style(style_of(begin.game)))
    count = come_to_turn(begin.sample_many(1, rng), begin.seat, seeds, actions, rng)
    return [int(action) for action in actions[:count]]
