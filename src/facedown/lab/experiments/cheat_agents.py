"""How much a model of bluffing is worth in Cheat: Bitan & Kraus 2018, section 5.1 and figure 3.

There, 120 people played three to five matches each against one of three agents. Departures:

1. People are simulated players: the thirty styles that no model was trained on (docs/cheat-people.md).
2. Each of them meets all three agents, on the same deals, in both seats. Different people have different deals.
3. A person counts as one observation, in intervals and in tests.
4. A search is given a number of simulations, not 25 seconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from facedown import stats
from facedown.games.cheat.styles import TEST_STYLES
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.record import GameRecord

GAME = "cheat"
AGENTS = ("mga", "pmga", "fpmga")
FULL_ITERATIONS, FULL_DEALS, FULL_DEALS_TOGETHER = 1000, 20, 100
QUICK_ITERATIONS, QUICK_DEALS, QUICK_PEOPLE = 30, 1, 3
TOGETHER = "each other"

WINS, CALLS, ROUNDS, CARDS = "win ratio", "successful calls", "rounds per match", "card difference"
PUBLISHED = {
    f"{CARDS}: mga": Published(-2.89),
    f"{CARDS}: pmga": Published(-3.51),
    f"{CARDS}: fpmga": Published(-4.56),
}


@dataclass(frozen=True)
class Match:
    """What the paper counts of a match, from the side of one seat."""

    score: float
    calls: int
    calls_right: int
    rounds: int
    card_difference: float  # cards of the seat less cards of the other, on average over the turns

    @classmethod
    def of(cls, record: GameRecord, seat: int) -> "Match":
        """A recorded match."""
        steps = record.steps()
        state = next(steps)
        differences = []
        for state in steps:
            held = state.record.held
            differences.append(int(held[seat]) - int(held[1 - seat]))
        calls, right = (int(tally[seat]) for tally in (state.record.calls, state.record.calls_right))
        return cls(record.scores[seat], calls, right, len(differences), fmean(differences or [0]))


Figures = dict[str, dict[str, list[float]]]  # by what is counted and by agent, one for each person


def measure(lab: Lab) -> Findings:
    """All agents against the people, and against each other."""
    iterations, deals = (FULL_ITERATIONS, FULL_DEALS) if lab.full else (QUICK_ITERATIONS, QUICK_DEALS)
    people = TEST_STYLES if lab.full else TEST_STYLES[:QUICK_PEOPLE]
    texts = {agent: f"{agent}:iterations={iterations}" for agent in AGENTS}
    contests = {
        meeting(agent, style): Contest(GAME, (text, f"cheat-person:style={style}"), deals, apart=style)
        for style in people
        for agent, text in texts.items()
    }
    contests[TOGETHER] = Contest(GAME, tuple(texts.values()), FULL_DEALS_TOGETHER if lab.full else deals)
    results = lab.play(contests)
    figures = figures_of(lab, people)
    tables = [Table(name, rows(name, by_agent)) for name, by_agent in figures.items()]
    tables.append(Table("wins against each other", [Row(one.agent, None, one.wins) for one in results[TOGETHER].standings]))
    tests = [Significance(f"{name}, one-way", stats.one_way_anova(by_agent)) for name, by_agent in figures.items()]
    tests += [
        Significance(f"{name}: {better} over {worse}, paired by person", stats.paired_difference(by[better], by[worse]))
        for name, by in figures.items()
        for worse, better in pairwise(AGENTS)
    ]
    notes = [
        "The intervals are 95 %, over people; the people are simulated players, so the published figures are no target.",
        "The paper gives a win ratio of 88.97 % to its SDMCTS agent, without saying to which of the three.",
    ]
    return Findings(tables, tests, notes)


def meeting(agent: str, style: int) -> str:
    """The name of a contest."""
    return f"{agent} and style {style}"


def figures_of(lab: Lab, people: range) -> Figures:
    """The four figures of each agent against each person."""
    figures: Figures = {name: {agent: [] for agent in AGENTS} for name in (WINS, CALLS, ROUNDS, CARDS)}
    for style in people:
        for agent in AGENTS:
            matches = list(matches_of(lab, meeting(agent, style), agent))
            figures[WINS][agent].append(fmean(match.score for match in matches))
            figures[ROUNDS][agent].append(fmean(match.rounds for match in matches))
            figures[CARDS][agent].append(fmean(match.card_difference for match in matches))
            called = sum(match.calls for match in matches)
            figures[CALLS][agent].append(sum(match.calls_right for match in matches) / called if called else 0.0)
    return figures


def matches_of(lab: Lab, name: str, agent: str) -> Iterator[Match]:
    """The matches of a contest from an agent's side."""
    for record in lab.records(name):
        yield Match.of(record, next(seat for seat, text in enumerate(record.agents) if text.partition(":")[0] == agent))


def rows(name: str, by_agent: dict[str, list[float]]) -> list[Row]:
    """One figure of all agents."""
    labels = {agent: f"{name}: {agent}" for agent in by_agent}
    return [Row(labels[agent], PUBLISHED.get(labels[agent]), stats.mean(values)) for agent, values in by_agent.items()]


EXPERIMENT = Experiment(
    "cheat-agents",
    "Cheat: what a model of bluffing is worth against people",
    "Bitan & Kraus 2018, section 5.1, figure 3",
    PUBLISHED,
    measure,
)
