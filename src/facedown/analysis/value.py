"""What a search expects, in the game's own units: points ahead of the others, points, or the chance to win.

No game declares how its rewards follow from its scores. That is found by playing some deals at random: a reward that is the
win, a seat's lead or its score on another scale is shown as such; any other is shown as the number it is.

win      the share of games won, a shared win counted as a half of one
lead     own score less the mean of the other sides' scores; positive is better, also where few points are good
score    own score
reward   none of these, such as the steps of `sd`
"""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import numpy as np

from facedown.agents import Agent
from facedown.agents.best import Best
from facedown.compiler.asking import write_rewards
from facedown.errors import BadOption, FacedownError
from facedown.game import Game
from facedown.kernel import Array
from facedown.rewards import POINTS, REWARDS
from facedown.state import State

WIN, LEAD, SCORE, REWARD = "win", "lead", "score", "reward"
DEALS_TRIED = 12
DIGITS = 9
EXACT = 1e-9  # how far a reward may lie from where a scale has it


@dataclass(frozen=True)
class Measure:
    """How a mean reward reads: value = zero + scale * reward."""

    unit: str  # WIN, LEAD, SCORE or REWARD
    scale: float = 1.0
    zero: float = 0.0
    at_least: bool = False  # rewards that lie ahead are worth less to the search: what it expects is no less than this
    name: str = ""  # of the kind of reward, where it has no other unit

    def value(self, mean: float) -> float:
        """A mean reward in units: a share of 1 for the win, points for lead and score."""
        return self.zero + self.scale * mean

    def text(self, mean: float, half: float | None = None) -> str:
        """What a search expects, such as `61 ± 2 % to win` or `4.2 ± 0.3 points ahead`; `half` is half an interval."""
        value = self.value(mean)
        words = {WIN: "to win", LEAD: "ahead" if value >= 0 else "behind", SCORE: "", REWARD: ""}[self.unit]
        sign = -1.0 if self.unit == LEAD and value < 0 else 1.0
        least = "at least " if self.at_least and sign > 0 else "at most " if self.at_least else ""
        return f"{least}{self._number(sign * value, half)} {words}".strip()

    def cost(self, loss: float, half: float | None = None) -> str:
        """What a choice gives away against a better one, by the difference of their rewards: `a lead of 2.1 points`."""
        number = self._number(abs(self.scale) * loss, half)
        return {LEAD: f"a lead of {number}", WIN: f"{number} of the chance to win"}.get(self.unit, number)

    def _number(self, value: float, half: float | None) -> str:
        width = "" if half is None else " ± {}"
        if self.unit == WIN:
            percent = 100 * abs(self.scale) * (half or 0)
            digits = 1 if 0 < percent < 0.95 else 0
            return f"{100 * value:.{digits}f}{width.format(f'{percent:.{digits}f}')} %"
        if self.unit == REWARD:
            return f"{self.name} reward {value:.3f}{width.format(f'{half or 0:.3f}')}"
        return f"{value:.1f}{width.format(f'{abs(self.scale) * (half or 0):.1f}')} points"


def value_text(game: Game, kind: str, mean: float, half: float | None = None) -> str:
    """A mean reward of a kind in the game's own units; see Measure.text."""
    return measure(game, kind).text(mean, half)


def measure_of(agent: Agent, game: Game, solved: bool = False) -> Measure:
    """How to read the figures of an agent's decisions; `solved` ones are exact leads, not rewards."""
    if solved and option_of(agent, game, "endgame_aim", LEAD) != LEAD:
        return Measure(REWARD, name="win and score")
    if solved:
        return Measure(LEAD, 1.0 / max(1, len(set(game.sides)) - 1))
    discount = float(option_of(agent, game, "discount", 1.0))
    return measure(game, str(option_of(agent, game, "reward", "points")), discount)


def kind_of(agent: Agent, game: Game) -> str:
    """Which kind of reward an agent's search maximizes in a game; refuses one that changes from decision to decision."""
    kind = str(option_of(agent, game, "reward", "points"))
    if kind not in REWARDS:
        raise BadOption(f"option reward: expected one of {', '.join(REWARDS)} to compare decisions by, got {kind!r}")
    if (aim := option_of(agent, game, "endgame_aim", LEAD)) != LEAD:
        raise BadOption(f"option endgame_aim: expected {LEAD} to compare decisions by, got {aim!r}")
    return kind


def option_of(agent: Agent, game: Game, name: str, default: Any) -> Any:
    """The value of an option of the agent that searches in a game: `best` and the levels have another do it."""
    searcher = agent.player(game) if isinstance(agent, Best) else agent
    return searcher.options[name].value if name in searcher.options else default


@lru_cache(maxsize=64)
def measure(game: Game, kind: str = "points", discount: float = 1.0) -> Measure:
    """How to read mean rewards of a kind in a game, of a search with a discount."""
    found = Measure(REWARD, name=kind)
    if kind == "points":
        found = fitted(game)
    elif kind == "pwl":
        found = Measure(WIN)
    elif kind == "wl" and discount == 1.0:
        found = Measure(WIN, 0.5, 0.5)
    if discount < 1.0 and found.unit != REWARD:
        return Measure(found.unit, found.scale, found.zero, at_least=found.scale > 0)
    return found


def fitted(game: Game) -> Measure:
    """How the rewards called points follow from the scores: the first of win, lead and score that always holds."""
    game = game.with_options(match=0) if "match" in game.options else game  # a match's score is not a deal's
    try:
        ends = [finished(game, seed) for seed in range(DEALS_TRIED)]
    except FacedownError:
        return Measure(REWARD, name="points")
    rewards = np.concatenate([rewards_of(end) for end in ends])
    if np.allclose(rewards, np.concatenate([wins(end) for end in ends]), rtol=0, atol=EXACT):
        return Measure(WIN)
    for unit, values_of in ((LEAD, leads), (SCORE, lambda end: np.array(end.scores, float))):
        values = np.concatenate([values_of(end) for end in ends])
        scale, zero = np.polyfit(rewards, values, 1) if np.ptp(rewards) > EXACT else (0.0, 0.0)
        if scale and np.allclose(zero + scale * rewards, values, rtol=0, atol=EXACT * max(1.0, abs(scale))):
            return Measure(unit, round(float(scale), DIGITS), round(float(zero), DIGITS))
    return Measure(REWARD, name="points")


def finished(game: Game, seed: int) -> State:
    """A deal played to its end at random."""
    state, chance = game.deal(seed), Random(seed)
    while not state.over:
        state.play(chance.choice(state.legal))
    return state


def rewards_of(end: State) -> Array:
    """Each seat's reward for a finished deal."""
    out = np.zeros(end.game.seats)
    write_rewards(end.data, POINTS, out)
    return out


def wins(end: State) -> Array:
    """1 for each seat that has won a deal, a half where several sides have, 0 for the others."""
    scores, sides = np.array(end.scores, float), np.array(end.game.sides)
    best = scores == (scores.min() if end.game.lower_is_better else scores.max())
    worth = 1.0 if len(set(sides[best])) == 1 else 0.5
    return np.where(best, worth, 0.0)


def leads(end: State) -> Array:
    """How far each seat is ahead of the other sides, on average."""
    scores, sides = np.array(end.scores, float), np.array(end.game.sides)
    by_side = {side: float(scores[sides == side][0]) for side in set(sides.tolist())}
    sign = -1.0 if end.game.lower_is_better else 1.0
    others = [np.mean([score for side, score in by_side.items() if side != own] or [0.0]) for own in sides.tolist()]
    return sign * (scores - np.array(others))
