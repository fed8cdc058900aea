"""How people behave against each agent in Cheat: Bitan & Kraus 2018, the last paragraph of section 5.1.

The matches are those of `cheat-agents`, seen from the other side; its departures are these too. Beside them:

1. The paper says that people took fewer cards against MGA, and that they took one in 23.9 % of their moves against it,
   more than against the others. The figures are followed, not the word.
2. Simulated players know nothing of their matches before, so they cannot become better with them, as people did. What
   they do within a match changes with what happens in it: they lie less after they were caught.
3. How often they lie and take was set to published rates in matches among themselves, not against agents. So the rates here
   are not judged, only how they differ from agent to agent. Against these agents most of their turns are calls, and few
   are claims (see `cheat-agents`): with each claim that is called at once, a lie nearly always, the shares move away from
   the published ones.
4. Calls of agents are counted of the claims that they face: of their turns most are claims that are called at once.
"""

from collections.abc import Mapping

from facedown.lab.experiments.bitan_kraus.cheat_meetings import (
    AGENTS,
    MODEL,
    MODEL_FREE,
    PEEKING,
    Figure,
    ahead,
    by_person,
    over_people,
    played,
    share,
)
from facedown.lab.experiments.claims import Claim, impossible, larger, smaller
from facedown.lab.experiments.published import Published, in_percent
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab

LIES, TAKES, CALLED = "false claims of people", "cards taken by people", "turns of people that are calls"
CALLS, CALLS_A_TURN = "claims of people that agents call", "turns of agents that are calls"
FIGURES: dict[str, Figure] = {
    LIES: lambda matches: share(matches, lambda match: match.person.lies, lambda match: match.person.claims),
    TAKES: lambda matches: share(matches, lambda match: match.person.takes, lambda match: match.person.turns),
    CALLED: lambda matches: share(matches, lambda match: match.person.calls, lambda match: match.person.turns),
    CALLS: lambda matches: share(matches, lambda match: match.agent.calls, lambda match: match.person.claims),
    CALLS_A_TURN: lambda matches: share(matches, lambda match: match.agent.calls, lambda match: match.agent.turns),
}
POINTS = ": percentage points"
UNITS = {LIES: ", of their claims", TAKES: ", of their turns"}
RATES = {LIES: (0.448, 0.424, 0.404), TAKES: (0.239, 0.208, 0.196)}
PUBLISHED = {
    f"{name}: {agent}": Published(rate, rate=True)
    for name, rates in RATES.items()
    for agent, rate in zip(AGENTS, rates, strict=True)
}


def measure(lab: Lab) -> Findings:
    """Shares of claims and of turns, by agent."""
    meetings, _ = played(lab, {})
    figures = {name: by_person(meetings, figure) for name, figure in FIGURES.items()}
    tables = [
        Table(
            f"{name}{UNITS.get(name, '')}",
            [
                Row(f"{name}: {agent}", PUBLISHED.get(f"{name}: {agent}"), over_people(values, rate=True))
                for agent, values in by_agent.items()
            ],
        )
        for name, by_agent in figures.items()
    ]
    notes = ["The intervals are 95 %, over people, who are simulated players; the matches are those of cheat-agents."]
    return Findings(tables, notes=notes, claims=claims_of(figures))


def claims_of(figures: Mapping[str, dict[str, list[float]]]) -> list[Claim]:
    """What the paper says, as differences between agents, paired by person."""
    lies, takes, calls = (
        {agent: in_percent(values) for agent, values in figures[name].items()} for name in (LIES, TAKES, CALLS)
    )
    learning = "Simulated players do not remember earlier matches, so they cannot learn from them."
    return [
        smaller(
            f"people lie less against PMGA than against MGA{POINTS}",
            "42.4 against 44.8 %, n.s.",
            ahead(lies, MODEL, MODEL_FREE),
        ),
        smaller(
            f"people lie less against FPMGA than against MGA{POINTS}",
            "40.4 against 44.8 %, n.s.",
            ahead(lies, PEEKING, MODEL_FREE),
        ),
        larger(
            f"people take more cards against MGA than PMGA{POINTS}",
            "23.9 against 20.8 %, n.s.",
            ahead(takes, MODEL_FREE, MODEL),
        ),
        larger(
            f"people take more cards against MGA than FPMGA{POINTS}",
            "23.9 against 19.6 %, n.s.",
            ahead(takes, MODEL_FREE, PEEKING),
        ),
        larger(f"FPMGA calls more often than MGA{POINTS}", "supposed", ahead(calls, PEEKING, MODEL_FREE)),
        larger(f"FPMGA calls more often than PMGA{POINTS}", "supposed", ahead(calls, PEEKING, MODEL)),
        impossible("people become better against MGA: wins in the first and last two matches", "13 %, 28 %", learning),
        impossible("people do not become better against PMGA and FPMGA", "similar across matches", learning),
    ]


EXPERIMENT = Experiment(
    "cheat-behaviour",
    "Cheat: how people behave against each agent",
    "Bitan & Kraus 2018, section 5.1",
    PUBLISHED,
    measure,
)
