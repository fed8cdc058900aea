"""How much a model of bluffing is worth in Cheat: Bitan & Kraus 2018, section 5.1 and figure 3.

There, 120 people played three to five matches each against one of three agents. Departures:

1. People are simulated players: the thirty styles that no model was trained on (docs/cheat-people.md). How well they
   play was set so that `mga` wins about 80 % against others of them, those that models are trained on; nothing else was
   fitted.
2. Each of them meets all three agents, on the same deals, in both seats. Different people have different deals.
3. A person counts as one observation, in intervals and in tests.
4. A search is given 10,000 simulations, not 25 seconds.
"""

from itertools import pairwise
from statistics import fmean

from facedown import stats
from facedown.lab.experiments.bitan_kraus.cheat_meetings import (
    AGENTS,
    GAME,
    MODEL,
    MODEL_FREE,
    PEEKING,
    PLAYED_AS,
    QUICK_DEALS,
    Figure,
    ahead,
    by_person,
    over_people,
    played,
    share,
    text_of,
)
from facedown.lab.experiments.claims import Claim, impossible, larger, smaller
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Significance, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab

FULL_DEALS_TOGETHER = 100
TOGETHER = "each other"
PAIRED = (
    "Claims are judged by differences paired by person, as each met all agents. The one-way analysis of variance, the test "
    "of the paper, takes them as different people, and so sees less."
)

WINS, CALLS, ROUNDS, CARDS = "win ratio", "successful calls", "rounds per match", "card difference"
FIGURES: dict[str, Figure] = {
    WINS: lambda matches: fmean(match.score for match in matches),
    CALLS: lambda matches: share(matches, lambda match: match.agent.calls_right, lambda match: match.agent.calls),
    ROUNDS: lambda matches: fmean(match.rounds for match in matches),
    CARDS: lambda matches: fmean(match.card_difference for match in matches),
}
PUBLISHED = {
    f"{CARDS}: mga": Published(-2.89),
    f"{CARDS}: pmga": Published(-3.51),
    f"{CARDS}: fpmga": Published(-4.56),
}

Figures = dict[str, dict[str, list[float]]]  # by what is counted and by agent, one for each person


def measure(lab: Lab) -> Findings:
    """All agents against the people, and against each other."""
    texts = tuple(text_of(agent, lab) for agent in AGENTS)
    others = {TOGETHER: Contest(GAME, texts, FULL_DEALS_TOGETHER if lab.full else QUICK_DEALS)}
    meetings, results = played(lab, others)
    figures = {name: by_person(meetings, figure) for name, figure in FIGURES.items()}
    tables = [Table(name, rows(name, by_agent)) for name, by_agent in figures.items()]
    tables.append(Table("wins against each other", [Row(one.agent, None, one.wins) for one in results[TOGETHER].standings]))
    tests = [Significance(f"{name}, one-way", stats.one_way_anova(by_agent)) for name, by_agent in figures.items()]
    tests += [
        Significance(f"{name}: {better} over {worse}, paired by person", ahead(by, better, worse))
        for name, by in figures.items()
        for worse, better in pairwise(AGENTS)
    ]
    notes = [
        PAIRED,
        "The intervals are 95 %, over people; the people are simulated players, so the published figures are no target.",
        "How strong the simulated players are was set by hand so that mga wins about 80 % against those of them that models "
        "are trained on, as people won 13 to 28 % against it. The order of the agents was not looked at for that.",
    ]
    return Findings(tables, tests, notes, claims_of(figures))


def claims_of(figures: Figures) -> list[Claim]:
    """What section 5.1 and figure 3 say, as differences between agents, paired by person."""
    wins, calls, rounds, cards = (figures[name] for name in (WINS, CALLS, ROUNDS, CARDS))
    no_people = "There are no such people here, and how strong the simulated players are was chosen."
    return [
        larger("PMGA wins more matches than MGA", "figure 3b, p < .05", ahead(wins, MODEL, MODEL_FREE)),
        larger("FPMGA wins more matches than MGA", "figure 3b, p < .05", ahead(wins, PEEKING, MODEL_FREE)),
        larger("FPMGA wins more matches than PMGA", "figure 3b, p < .05", ahead(wins, PEEKING, MODEL)),
        larger(
            "PMGA's calls are right more often than MGA's", "implied: they explain the wins", ahead(calls, MODEL, MODEL_FREE)
        ),
        larger(
            "FPMGA's calls are right more often than PMGA's", "implied: they explain the wins", ahead(calls, PEEKING, MODEL)
        ),
        smaller("PMGA's matches have fewer rounds than MGA's", "figure 3d", ahead(rounds, MODEL, MODEL_FREE)),
        smaller("FPMGA's matches have fewer rounds than MGA's", "figure 3d", ahead(rounds, PEEKING, MODEL_FREE)),
        larger("FPMGA's matches have more rounds than PMGA's", "figure 3d", ahead(rounds, PEEKING, MODEL)),
        smaller("PMGA is further ahead in cards than MGA", "-3.51 against -2.89", ahead(cards, MODEL, MODEL_FREE)),
        smaller("FPMGA is further ahead in cards than MGA", "-4.56 against -2.89", ahead(cards, PEEKING, MODEL_FREE)),
        impossible('"the SDMCTS agent", which of the three is not said, wins against people', "88.97 %", no_people),
    ]


def rows(name: str, by_agent: dict[str, list[float]]) -> list[Row]:
    """One figure of all agents."""
    labels = {agent: f"{name}: {agent}" for agent in by_agent}
    figures = {agent: over_people(values, rate=name in (WINS, CALLS)) for agent, values in by_agent.items()}
    if name == ROUNDS:
        figures = {agent: rounds.unsigned() for agent, rounds in figures.items()}
    return [Row(labels[agent], PUBLISHED.get(labels[agent]), figure) for agent, figure in figures.items()]


EXPERIMENT = Experiment(
    PLAYED_AS,
    "Cheat: what a model of bluffing is worth against people",
    "Bitan & Kraus 2018, section 5.1, figure 3",
    PUBLISHED,
    measure,
)
