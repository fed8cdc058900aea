"""Matches of the three agents of Bitan & Kraus 2018 against simulated players of Cheat, and what the paper counts of them.

Two experiments look at these matches, `cheat-agents` at the agents and `cheat-behaviour` at the people; they are played
once. The agents search for the best answer to what others may hold: `mga` (MGA) takes true and false claims for equally
likely, `pmga` (PMGA) asks a model of bluffing, and `fpmga` (FPMGA) learns whether the last claim was true, correctly 85 % of
the time. People are simulated players; docs/cheat-people.md tells how.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isnan, nan
from statistics import fmean

from facedown import stats
from facedown.arena.tournament import TournamentResult
from facedown.games.cheat.claims import CALL, TAKE
from facedown.games.cheat.rules import CLAIM, is_false
from facedown.games.cheat.styles import TEST_STYLES
from facedown.lab.experiments.running import Contest, Lab
from facedown.record import GameRecord
from facedown.stats import Estimate

GAME = "cheat"
MODEL_FREE, MODEL, PEEKING = AGENTS = ("mga", "pmga", "fpmga")
FULL_ITERATIONS, FULL_DEALS = 10_000, 20
QUICK_ITERATIONS, QUICK_DEALS, QUICK_PEOPLE = 30, 1, 3
PLAYED_AS = "cheat-agents"  # the experiment that the runs are named after


@dataclass
class Turns:
    """What one seat did in a match."""

    turns: int = 0
    claims: int = 0
    lies: int = 0
    takes: int = 0
    calls: int = 0
    calls_right: int = 0


@dataclass(frozen=True)
class Match:
    """What the paper counts of a match, from the side of the agent."""

    score: float
    rounds: int
    at_limit: bool  # whether it ended by the limit of turns
    differences: Sequence[int]  # cards of the agent less cards of the person, after each turn
    settled: Sequence[int]  # the same, only after turns that were no claims
    agent: Turns
    person: Turns

    @classmethod
    def of(cls, record: GameRecord, seat: int) -> "Match":
        """A recorded match."""
        steps = record.steps()
        state = next(steps)
        sides, differences, settled = (Turns(), Turns()), [], []
        for (mover, action), state in zip(record.history, steps, strict=True):
            held, side = state.record.held, sides[mover]
            differences.append(int(held[seat]) - int(held[1 - seat]))
            settled += differences[-1:] if state.record.last_action != CLAIM else []
            side.turns += 1
            side.takes += action == TAKE
            if action not in (TAKE, CALL):
                side.claims += 1
                side.lies += bool(is_false(state.record, int(state.record.batches) - 1))
        for side, calls, right in zip(sides, state.record.calls, state.record.calls_right, strict=True):
            side.calls, side.calls_right = int(calls), int(right)
        at_limit = int(state.record.turn) >= int(state.record.turn_limit)
        return cls(
            record.scores[seat], len(differences), at_limit, differences, settled, agent=sides[seat], person=sides[1 - seat]
        )


Meetings = dict[str, list[list[Match]]]  # by agent and person: the matches in the order in which they were played


def people_of(lab: Lab) -> Sequence[int]:
    """The simulated players that no model was trained on."""
    return TEST_STYLES if lab.full else TEST_STYLES[:QUICK_PEOPLE]


def text_of(agent: str, lab: Lab) -> str:
    """An agent with its simulations."""
    return f"{agent}:iterations={FULL_ITERATIONS if lab.full else QUICK_ITERATIONS}"


def played(
    lab: Lab, others: Mapping[str, Contest], variants: Mapping[str, tuple[str, int]] | None = None
) -> tuple[Meetings, dict[str, TournamentResult]]:
    """All agents against all people, each person on deals of its own; and other contests, with their results.

    `variants` are more agents to meet them, by a name for each: a text, and how many of the deals at most.
    """
    deals = FULL_DEALS if lab.full else QUICK_DEALS
    agents: dict[str, tuple[str, int | None]] = {agent: (text_of(agent, lab), None) for agent in AGENTS}
    agents.update(variants or {})
    contests = {
        meeting(name, style): Contest(
            GAME, (text, f"cheat-person:style={style}"), min(most or deals, deals), apart=style, most=most
        )
        for style in people_of(lab)
        for name, (text, most) in agents.items()
    }
    results = lab.play({**contests, **others}, PLAYED_AS)
    meetings = {name: [list(matches_of(lab, meeting(name, style))) for style in people_of(lab)] for name in agents}
    return meetings, results


def meeting(agent: str, style: int) -> str:
    """The name of a contest."""
    return f"{agent} and style {style}"


def matches_of(lab: Lab, name: str) -> Iterator[Match]:
    """The matches of a contest from the side of the agent."""
    for record in lab.records(name):
        yield Match.of(record, next(seat for seat, text in enumerate(record.agents) if not text.startswith("cheat-person")))


Figure = Callable[[Sequence[Match]], float]  # of the matches of one agent and one person


def by_person(meetings: Meetings, figure: Figure) -> dict[str, list[float]]:
    """A figure by agent, one for each person."""
    return {agent: [figure(matches) for matches in people] for agent, people in meetings.items()}


def share(matches: Sequence[Match], part: Callable[[Match], int], whole: Callable[[Match], int]) -> float:
    """A share of what was counted in all matches; of nothing it is not known."""
    counted = sum(map(whole, matches))
    return sum(map(part, matches)) / counted if counted else nan


def average(values: Sequence[float]) -> float:
    """The mean; of nothing it is not known."""
    return fmean(values) if values else nan


def ahead(figures: dict[str, list[float]], one: str, other: str) -> Estimate:
    """How much larger a figure is of one agent than of another, paired by person, over people who have both."""
    both = [pair for pair in zip(figures[one], figures[other], strict=True) if not any(map(isnan, pair))]
    if not both:
        return Estimate(0.0, -inf, inf, 0, "people")
    ours, theirs = zip(*both, strict=True)
    return replace(stats.paired_difference(ours, theirs), unit="people")


def known(values: Sequence[float]) -> list[float]:
    """The figures of people who have one."""
    return [value for value in values if not isnan(value)]


def over_people(values: Sequence[float], rate: bool = False) -> Estimate | None:
    """The mean over people who have the figure; None where nobody has it."""
    having = known(values)
    if not having:
        return None
    return replace(stats.win_rate_by_deal(having, range(len(having))) if rate else stats.mean(having), unit="people")
