"""Whether a moon is seen coming in Hearts: what a search expects, and how many worlds are moons, beside what happened.

The paper supposes that uniform worlds rarely allow a moon; it has no figures. This is another setting than its own: cards
are passed to the left, and those who play and judge are `pimc`, `ismcts` and `uct`, not ISMCTS-TI. Inferred worlds are those
of a learnt policy (docs/inference.md), not of the table of spade honours.

The alarm is the first decision, with a choice, of a player without points after another player alone has at least 13. The
collector is that other player. There a search says which reward it expects: from 0 to 1, and 0.5 where all have the same
points. In deals that become moons it should expect less than in the others. A search with all cards open shows how much less
is possible, and the search without inference how little is seen in uniform worlds.

At the alarm, and in the first position of this kind with 24 cards or fewer left, worlds are drawn. Each is tested: whether
the collector takes every point that is left, whatever the others do. The share of such worlds is how likely a moon is at
least, since others who do not see all cards stop fewer. A test gives up when it takes too long.

As a forecast such a share is off by its distance from 1 where the moon came, and from 0 where it did not; the squares of
these are averaged. "The same for all" forecasts for each position the share of all positions that became moons.

The games are played by the experiment, or are those of a store, whoever played them: single deals of `hearts` with moons.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from facedown.agents import agent
from facedown.errors import BadData
from facedown.games.hearts.moon import UNKNOWN, YES, new_room, take_all
from facedown.inference.policy import policy_of
from facedown.inference.posterior import InferredDrawing
from facedown.kernel import Array
from facedown.lab.experiments.result import Row, Table, forest
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.state import State
from facedown.stats import Estimate, mean_by_deal

NAME = "hearts"
GAME = "hearts:passing=left"
PLAYERS = ("pimc:worlds=30,iterations=333", "ismcts:iterations=5000,inference=policy")
QUICK_PLAYERS = ("pimc:worlds=5,iterations=50", "ismcts:iterations=200,inference=policy")
ALARM = 13  # points that one seat alone has
ALL_CARDS, FEW_CARDS = 52, 24  # that may be left
JUDGES = {
    "uniform worlds": "ismcts:iterations={}",
    "inferred worlds": "ismcts:iterations={},inference=policy",
    "inferred worlds, playouts by the policy": "ismcts:iterations={},inference=policy,playout=policy",
    "all cards open": "uct:iterations={}",
}
TESTED = ("uniform worlds", "inferred worlds", "all cards open")
QUICK_DEALS, FULL_DEALS = 3, 300
QUICK_ITERATIONS, FULL_ITERATIONS = 300, 5000
QUICK_WORLDS, FULL_WORLDS = 100, 1000


class Position(NamedTuple):
    """A position with a moon in the air."""

    state: State
    seat: int
    deal: int
    moon: bool  # whether it came
    reward: float  # that the seat got


def alarms(records: Iterable[GameRecord], most_cards: int = ALL_CARDS) -> Iterator[Position]:
    """The first position of each game in which another seat alone has many points, and there is a choice.

    At most so many cards are left in it.
    """
    for record in records:
        for state in record.steps():
            points = state.record.points.tolist()
            seat = state.seat
            if seat is None or sum(points) < ALARM or max(points) < sum(points) or points[seat] or len(state.legal) < 2:
                continue
            if sum(map(len, state.hands)) > most_cards:
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


def gap(values: Array, moons: Array, deals: Array) -> Estimate:
    """How much less is expected in deals that become moons; its spread is over deals, which may have both kinds."""
    shot, others = float(values[moons].mean()), float(values[~moons].mean())
    residuals = np.where(moons, (shot - values) / moons.mean(), (values - others) / (~moons).mean())
    spread, value = mean_by_deal(residuals, deals), others - shot
    return replace(spread, value=value, low=value + spread.low, high=value + spread.high)


class Shares(NamedTuple):
    """How many worlds are moons, for one position."""

    by_judge: Sequence[float]  # as TESTED names them
    given_up: float  # share of tests without an answer


def tested(position: Position, worlds: int) -> Shares:
    """Draw worlds, weigh them by what was played, and test each: uniform and inferred shares come from the same worlds."""
    collector = int(position.state.record.points.argmax())
    view = position.state.view(position.seat)
    drawing = InferredDrawing(view, policy_of(view.game), worlds, stream(position.deal, len(view.history)))
    drawing.advance(worlds, worlds)
    room = new_room()  # of this game's options only
    answers, truth = np.zeros(worlds, np.int64), np.zeros(1, np.int64)
    take_all(drawing.candidates, collector, room, answers)
    take_all(position.state.data, collector, room, truth)
    moons = answers == YES
    shares = (float(moons.mean()), float(drawing.weights(1.0) @ moons), float(truth[0] == YES))
    return Shares(shares, float((answers == UNKNOWN).mean()))


def games_of(lab: Lab) -> list[GameRecord]:
    """The games to judge: those of the store that can be, or new ones."""
    if lab.settings.recorded:
        recorded = [record for record in lab.recorded(NAME) if is_single_deal(record)]
        if not recorded:
            raise BadData("expected finished single deals of Hearts, with moons, in the store; got none")
        return recorded
    deals = FULL_DEALS if lab.full else QUICK_DEALS
    lab.play({"games": Contest(GAME, PLAYERS if lab.full else QUICK_PLAYERS, deals, seating="all")})
    return list(lab.records("games"))


def is_single_deal(record: GameRecord) -> bool:
    """Whether a game is no match, and moons count in it."""
    options = record.start().game.options
    return not options["match"].value and bool(options["moon"].value)


def in_two_parts(columns: dict[str, Array], found: Sequence[Position]) -> list[Row]:
    """For each column its mean in deals that became moons, and in the others."""
    moons, deals = np.array([one.moon for one in found], bool), np.array([one.deal for one in found])
    rows = []
    for name, values in columns.items():
        rows.append(Row(f"{name}: deals that became moons", None, mean_by_deal(values[moons], deals[moons]).unsigned()))
        rows.append(Row(f"{name}: the others", None, mean_by_deal(values[~moons], deals[~moons]).unsigned()))
    return rows


def expected_rewards(lab: Lab, found: Sequence[Position]) -> list[Table]:
    """What each judge expects."""
    columns = {"what happened": np.array([one.reward for one in found])}
    for name, text in JUDGES.items():
        judge = expectation(text.format(FULL_ITERATIONS if lab.full else QUICK_ITERATIONS))
        columns[name] = np.array([judge(one) for one in lab.steps(name, "positions", found)])
    moons = np.array([one.moon for one in found], bool)
    deals = np.array([one.deal for one in found])
    gaps = [Row(name, None, gap(values, moons, deals)) for name, values in columns.items()]
    return [
        Table("Expected reward", in_two_parts(columns, found), forest("reward")),
        Table("How much less is expected of moons", gaps, forest("reward")),
    ]


def chances_of_moons(lab: Lab, found: Sequence[Position], when: str) -> tuple[list[Table], str]:
    """How many worlds are moons, how far that is from what happened, and how many tests gave up."""
    worlds = FULL_WORLDS if lab.full else QUICK_WORLDS
    shares = [tested(one, worlds) for one in lab.steps(f"moons {when}", "positions", found)]
    moons, deals = np.array([one.moon for one in found], float), np.array([one.deal for one in found])
    columns = {name: np.array([one.by_judge[place] for one in shares]) for place, name in enumerate(TESTED)}
    errors = [Row("the same for all", None, mean_by_deal((moons - moons.mean()) ** 2, deals).unsigned())]
    errors += [Row(name, None, mean_by_deal((values - moons) ** 2, deals).unsigned()) for name, values in columns.items()]
    tables = [
        Table(f"Share of worlds that are moons, {when}", in_two_parts(columns, found), forest("share")),
        Table(f"Squared error as a forecast, {when}", errors, forest("squared error")),
    ]
    return tables, f"Tests that gave up, {when}: {100 * np.mean([one.given_up for one in shares]):.1f} %."


def measure(lab: Lab) -> Findings:
    """Find the positions, ask each judge, and test worlds."""
    games = games_of(lab)
    tables: list[Table] = []
    notes = [f"{len(games)} games."]
    for when, most_cards in (("at the alarm", ALL_CARDS), (f"with {FEW_CARDS} cards or fewer left", FEW_CARDS)):
        found = list(alarms(games, most_cards))
        moons = sum(one.moon for one in found)
        notes.append(f"{len(found)} positions {when}; {moons} of them became moons.")
        if min(moons, len(found) - moons) < 2:
            notes.append("Too few of one kind: more deals are needed.")
            continue
        if most_cards == ALL_CARDS:
            tables += expected_rewards(lab, found)
        chances, note = chances_of_moons(lab, found, when)
        tables += chances
        notes.append(note)
    return Findings(tables, (), notes)


EXPERIMENT = Experiment(
    "hearts-moons",
    "Hearts: whether a moon is seen coming",
    "left open by Manzke 2025, section 6.3.4",
    {},
    measure,
    judges_records=True,
)
