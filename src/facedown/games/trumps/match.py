"""Rewards of kind `match` in Sueca and Bisca: the chance to win the match once a deal is over, on the range it can reach.

A match is a Markov chain over the game points that each side has left to the limit. A deal that is not drawn moves one of
them by 1, 2 or 4; how often is counted in recorded matches (match_sueca.json and match_bisca.json, which
training/match_model.py makes), and each side wins half of the deals. The chances are exact for this chain:

    chance(own, other) = sum of shares[v] / 2 * (chance(own - v, other) + chance(own, other - v)) over v = 1, 2, 4

A side's reward is (chance - low + POINTS_WEIGHT * points) / (high - low + POINTS_WEIGHT), where low is the chance after all
120 card points for the others, high that after all for itself, and points the reward of that name. The map is the same for
all ends of a deal, so it changes no preference; points decide where the chance does not.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from math import sqrt
from typing import Any

import numpy as np

from facedown.games.trumps.rules import ALL_POINTS, OVER, PACK_SIZE, SIDES, game_points
from facedown.games.trumps.rules import reward as reward_of_deal
from facedown.kernel import Array, Record, kernel
from facedown.rewards import WIN

GAMES = ("sueca", "bisca")  # a model each
VERSION = 1  # of the files
FARTHEST = 24  # game points left; where a side has more, all are brought nearer
MOST_VALUE = 4  # game points of a deal
POINTS_WEIGHT = 0.01  # all card points of a deal against none are worth as much as this chance


def read_shares(name: str) -> dict[str, Any]:
    """The share of the deals that are worth 1, 2 and 4 game points, among those that somebody won; and how it was found."""
    model: dict[str, Any] = json.loads((files(__package__) / f"match_{name}.json").read_text())
    if model["version"] != VERSION:
        raise ValueError(f"expected a match model of version {VERSION}, got {model['version']}")
    return model


def chain(shares: Mapping[int, float], farthest: int = FARTHEST) -> Array:
    """The chance of the side that has `own` left, of the first index, against one that has `other` left, of the second."""
    total = sum(shares.values())  # 1, but for rounding
    chances = np.zeros((farthest + 1, farthest + 1))
    chances[0, 1:] = 1.0
    for own in range(1, farthest + 1):
        for other in range(1, own + 1):
            moves = [
                share / 2 * (chances[max(own - value, 0), other] + chances[own, max(other - value, 0)])
                for value, share in shares.items()
            ]
            chances[own, other] = sum(moves) / total
            chances[other, own] = 1.0 - chances[own, other]
    return chances


CHANCES = np.stack([chain({int(value): share for value, share in read_shares(game)["shares"].items()}) for game in GAMES])


@kernel
def fitted(left: int, nearest: int, farthest: int) -> int:
    """Game points left as the chain has them, at most FARTHEST.

    Distances between the sides shrink by the root of the factor for the nearer one, since in twice as many deals a walk
    spreads by the root of 2.
    """
    if farthest > FARTHEST:
        root = sqrt(max(nearest, 1))
        spread = (farthest - nearest) / root
        scaled = 0.5 * (sqrt(spread * spread + 4.0 * FARTHEST) - spread)
        left = max(int(scaled * scaled + (left - nearest) * scaled / root + 0.5), 1)
    return min(left, FARTHEST)


@kernel
def chance(game: int, own: int, other: int) -> float:
    """The chance of a side to win, given what it and the others have left; a side with nothing left has won."""
    if own <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    nearest, farthest = min(own, other), max(own, other)
    return float(CHANCES[game, fitted(own, nearest, farthest), fitted(other, nearest, farthest)])


@kernel
def match_reward(state: Record, own: int, other: int, gain: int, points: float) -> float:
    """What a side gets for a deal: it had `own` game points left, and gained some; below 0, the others did."""
    game = 0 if int(state.hand_size) * int(state.seats) == PACK_SIZE else 1
    low = chance(game, own, other - MOST_VALUE)
    high = chance(game, own - MOST_VALUE, other)
    after = chance(game, own - max(gain, 0), other + min(gain, 0))
    return (after - low + POINTS_WEIGHT * points) / (high - low + POINTS_WEIGHT)


@kernel
def side_reward(state: Record, side: int) -> float:
    """What a deal does for a side's chance to win the match."""
    own, other = game_points(state.points[side]), game_points(state.points[1 - side])
    left, left_other = int(state.match) - int(state.totals[side]), int(state.match) - int(state.totals[1 - side])
    if state.phase == OVER:
        left, left_other = left + own, left_other + other
    points = 0.5 + 0.5 * (float(state.points[side]) - float(state.points[1 - side])) / ALL_POINTS
    return match_reward(state, left, left_other, own - other, points)


@kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """A finished deal as a search sees it that wants to win the match; a single deal is a match of its own."""
    if state.match == 0:
        reward_of_deal(state, WIN, out)
        return
    for seat in range(out.shape[0]):
        out[seat] = side_reward(state, seat % SIDES)
