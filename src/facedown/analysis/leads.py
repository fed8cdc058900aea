"""Exact solutions on the scale of rewards, so that they can be compared with what searches expect.

A solution says what a seat still gains on the others. The reward that comes of it follows from any one end of the deal,
whose reward and gain are known, since both go up together where a measure is a lead.
"""

from dataclasses import replace

import numpy as np

from facedown.analysis.value import LEAD, Measure
from facedown.compiler.asking import look, make_move, write_rewards, write_scores
from facedown.game import Game
from facedown.kernel import Array, copied
from facedown.rewards import REWARDS
from facedown.rng import draw, stream
from facedown.search.decision import Decision
from facedown.state import State
from facedown.view import View

PLAYING_ON = 8  # first step of the path of random numbers


class LeadScale:
    """Turns what a seat still gains, as solutions have it, into rewards."""

    def __init__(self, position: State | View, seat: int, measure: Measure, kind: str) -> None:
        """The measure must be a lead."""
        game = position.game
        world = copied(position.data) if isinstance(position, State) else position.sample_many(1, stream(0, PLAYING_ON))
        before = lead_in(game, world, seat)
        play_on(game, world)
        rewards = np.zeros(game.seats)
        write_rewards(world, REWARDS[kind], rewards)
        self._others = max(1, len(set(game.sides)) - 1)
        self._per_point = 1.0 / measure.scale
        self._zero = float(rewards[seat]) - (lead_in(game, world, seat) - before) * self._per_point

    def reward(self, gain: float) -> float:
        """The reward that comes of a gain."""
        return self._zero + self.share(gain)

    def share(self, gain: float) -> float:
        """The part of a reward that a gain is."""
        return gain / self._others * self._per_point


def as_rewards(decision: Decision, position: State | View, seat: int, measure: Measure, kind: str) -> Decision | None:
    """A decision whose figures are rewards, solved or not; None where a solution has none."""
    if not decision.solved:
        return decision
    if measure.unit != LEAD:
        return None
    scale = LeadScale(position, seat, measure, kind)
    candidates = [
        replace(one, mean=scale.reward(one.mean), interval=(scale.reward(one.interval[0]), scale.reward(one.interval[1])))
        for one in decision.candidates
    ]
    return replace(decision, candidates=candidates)


def lead_in(game: Game, world: Array, seat: int) -> float:
    """How far a seat is ahead of the mean of the other sides, in score."""
    scores, sides = np.zeros(game.seats), game.sides
    write_scores(world, scores)
    others = {side: scores[place] for place, side in enumerate(sides) if side != sides[seat]}
    sign = -1.0 if game.lower_is_better else 1.0
    return sign * float(scores[seat] - (np.mean(list(others.values())) if others else 0.0))


def play_on(game: Game, world: Array) -> None:
    """Play a world at random to the end of its deal."""
    actions, seen, rng = np.empty(game.actions, np.int64), np.empty(game.seats, np.int64), stream(0, PLAYING_ON)
    while (count := look(world, actions)) > 0:
        make_move(world, actions[draw(rng, count)], seen)
