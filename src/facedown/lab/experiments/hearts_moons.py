"""Whether a search sees a moon coming in Hearts: what it expects beside what happened.

Positions: the first decision of a player without points after another player alone has at least 13. There the search says
which reward it expects. In deals that become moons it should expect less than in the others; how much less is possible is
shown by a search with all cards open, and how little is seen in uniform worlds by the search without inference.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from facedown.agents import agent
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.record import GameRecord
from facedown.state import State
from facedown.stats import Estimate, mean, mean_by_deal

GAME = "hearts:passing=left"
PLAYERS = ("pimc:worlds=30,iterations=333", "ismcts:iterations=5000,inference=policy")
QUICK_PLAYERS = ("pimc:worlds=5,iterations=50", "ismcts:iterations=200,inference=policy")
ALARM = 13  # points that one seat alone has
JUDGES = {
    "uniform worlds": "ismcts:iterations={}",
    "inferred worlds": "ismcts:iterations={},inference=policy",
    "all cards open": "uct:iterations={}",
}
QUICK_DEALS, FULL_DEALS = 3, 300
QUICK_ITERATIONS, FULL_ITERATIONS = 300, 5000


class Position(NamedTuple):
    """A position with a moon in the air."""

    state: State
    seat: int
    deal: int
    moon: bool  # whether it came
    reward: float  # that the seat got


def alarms(records: Iterator[GameRecord]) -> Iterator[Position]:
    """The first position of each game in which another seat alone has many points, and there is a choice."""
    for record in records:
        for state in record.steps():
            points = state.record.points.tolist()
            seat = state.seat
            if seat is None or sum(points) < ALARM or max(points) < sum(points) or points[seat] or len(state.legal) < 2:
                continue
            total = sum(record.scores)
            reward = 0.5 + 0.5 * (total - 4 * record.scores[seat]) / 78
            yield Position(state.copy(), seat, record.seed, total == 78, reward)
            break


def expectation(text: str) -> Callable[[Position], float]:
    """The reward that an agent expects of its choice."""
    judge = agent(text, seed=1)

    def expected(position: Position) -> float:
        judge.choose(position.state if judge.sees_all else position.state.view(position.seat))
        return judge.decision.candidates[0].mean if judge.decision else 0.5

    return expected


def gap(values: np.ndarray, moons: np.ndarray) -> Estimate:
    """How much less is expected in deals that become moons; both kinds are independent of each other."""
    shot, others = mean(values[moons]), mean(values[~moons])
    value = others.value - shot.value
    half = float(np.hypot(shot.high - shot.value, others.high - others.value))
    return Estimate(value, value - half, value + half, len(values), "positions")


def measure(lab: Lab) -> Findings:
    """Play, find the positions, and ask each judge."""
    deals, iterations = (FULL_DEALS, FULL_ITERATIONS) if lab.full else (QUICK_DEALS, QUICK_ITERATIONS)
    lab.play({"games": Contest(GAME, PLAYERS if lab.full else QUICK_PLAYERS, deals, seating="all")})
    found = list(alarms(lab.records("games")))
    moons = np.array([one.moon for one in found], bool)
    notes = [f"{len(found)} positions; {int(moons.sum())} of them became moons."]
    if min(moons.sum(), (~moons).sum()) < 2:
        return Findings([], (), [*notes, "Too few of one kind: more deals are needed."])
    columns = {"what happened": np.array([one.reward for one in found])}
    for name, text in JUDGES.items():
        judge = expectation(text.format(iterations))
        columns[name] = np.array([judge(one) for one in lab.steps(name, "positions", found)])
    numbers = np.array([one.deal for one in found])
    rows = []
    for name, values in columns.items():
        rows.append(Row(f"{name}: deals that became moons", None, mean_by_deal(values[moons], numbers[moons])))
        rows.append(Row(f"{name}: the others", None, mean_by_deal(values[~moons], numbers[~moons])))
    gaps = [Row(name, None, gap(values, moons)) for name, values in columns.items()]
    return Findings([Table("Expected reward", rows), Table("How much less is expected of moons", gaps)], (), notes)


EXPERIMENT = Experiment(
    "hearts-moons",
    "Hearts: whether a search sees a moon coming",
    "left open by Manzke 2025, section 6.3.4 and chapter 7",
    {},
    measure,
)
