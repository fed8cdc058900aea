"""Bax 2020, Table 2, read in other ways: which reading of the paper gives its figures.

As `hearts32-table-2` has the paper, its determinized players win far less here than printed. `hearts32-readings` plays the
player that remembers the cards played in each way in which the paper can be read: one change at a time, but for the
program's constant, which comes on top of no moons. Then it plays as the author's program searches (`bax_program.py` lists
what that does). A reading has the printed figures if claims of all three would be confirmed, to within 5 percentage points
and 2 points; it misses them if one would be refuted. Otherwise that is open.

`hearts32-program` plays all of Table 2 by that program. The matches of the reading "program" are its own, and those of "as
table 2 here" are those of `hearts32-table-2`, as far as both have as many. Of two such rows the one with more matches
counts.

1. "i = 250" may be the iterations of each of the 25 worlds, or of all together.
2. "The average best action": worlds vote by visits or by means, or their visits or means are added up.
3. The paper has moons among its rules; the program has none.
4. The program's exploration constant of 0.283, with means that are divided by 26, is 0.306 on our scale, where a
   point is a 24th. Both sides have it.

At full scale, as there: 1,000 matches of each pair, to 75 points. Departures: each series of deals is played in all six
seatings; the program has two of a kind side by side. A win that several share is divided among them. Of the program's
samplers only the one in order is played; the others are ours.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.bax.bax_figures import (
    CLOSE,
    EXPLORATION,
    MARGIN,
    OPEN_CARDS,
    OPPONENT,
    OTHERS,
    POINTS,
    RANDOM,
    SAMPLERS,
    SOURCE,
    TABLE_2,
    WINS,
    Pair,
    budget,
    deviations_of,
    labels,
    play,
    tables_of,
    uct,
)
from facedown.lab.experiments.bax.bax_program import IN_ORDER
from facedown.lab.experiments.bax.hearts32_tables import sampling_claims
from facedown.lab.experiments.claims import CONFIRMED, OPEN, REFUTED, Claim, equal, reading
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab

PROGRAM = "facedown.lab.experiments.bax.bax_program"
IN_WORDS = {
    CONFIRMED: "Readings that have all three printed figures",
    REFUTED: "Readings that miss some",
    OPEN: "Readings of which that is not decided",
}
KINDS = (POINTS, OTHERS, WINS)  # of figures, as tables follow each other
PLAYED = "cards played"  # the player whose readings are tried
AS_TOLD, BY_PROGRAM = "as table 2 here", "program"
SHARED = {AS_TOLD: "hearts32-table-2", BY_PROGRAM: "hearts32-program"}  # who else plays the matches of a reading
PROGRAM_CONSTANT = 0.306  # 2 · 0.1 · √2 where a point is a 26th, on our scale, where it is a 24th


def pimc(lab: Lab, exploration: float = EXPLORATION, together: bool = False, **more: str) -> str:
    """Our determinized player that remembers the cards played."""
    worlds, iterations = budget(lab)
    each = max(1, iterations // worlds) if together else iterations
    options = {"worlds": worlds, "iterations": each, "exploration": exploration, "sampler": SAMPLERS[PLAYED], **more}
    return "pimc:" + ",".join(f"{name}={value}" for name, value in options.items())


def program(lab: Lab, sampler: str, means: str = "whole") -> str:
    """The program's determinized player."""
    worlds, iterations = budget(lab)
    return f"{PROGRAM}:ProgramPimc:worlds={worlds},iterations={iterations},sampler={sampler},means={means}"


def program_uct(iterations: int = OPPONENT, means: str = "whole") -> str:
    """The program's player with open cards."""
    return f"{PROGRAM}:ProgramUct:iterations={iterations},means={means}"


TOLD = uct(OPPONENT)
WAYS: dict[str, Callable[[Lab], Pair]] = {
    AS_TOLD: lambda lab: Pair(pimc(lab), TOLD),
    "250 for all worlds": lambda lab: Pair(pimc(lab, together=True), TOLD),
    "votes by means": lambda lab: Pair(pimc(lab, vote="mean"), TOLD),
    "visits added up": lambda lab: Pair(pimc(lab, final="visits"), TOLD),
    "means added up": lambda lab: Pair(pimc(lab, final="mean"), TOLD),
    "no moons": lambda lab: Pair(pimc(lab), TOLD, moons=False),
    "no moons, and the program's constant": lambda lab: Pair(
        pimc(lab, PROGRAM_CONSTANT), uct(OPPONENT, PROGRAM_CONSTANT), moons=False
    ),
    "program, exact means": lambda lab: Pair(
        program(lab, SAMPLERS[PLAYED], "exact"), program_uct(means="exact"), moons=False
    ),
    BY_PROGRAM: lambda lab: Pair(program(lab, SAMPLERS[PLAYED]), program_uct(), moons=False),
}
COLUMNS = dict.fromkeys(WAYS, TABLE_2[PLAYED])


def measure_readings(lab: Lab) -> Findings:
    """The player that remembers the cards played, in each reading."""
    ways = {name: way(lab) for name, way in WAYS.items()}
    results: dict[str, TournamentResult] = {}
    for played_as in (None, *SHARED.values()):
        results |= play(lab, {name: pair for name, pair in ways.items() if SHARED.get(name) == played_as}, played_as)
    tables = tables_of({name: results[name] for name in ways}, COLUMNS)
    return Findings(tables, notes=verdicts_in_words(tables) if lab.full else [])


def verdicts_in_words(tables: Sequence[Table]) -> list[str]:
    """Which readings have the published figures, as claims are judged, and which figures decide that."""
    rows = [row for table in tables for row in table.rows]
    judged = {name: [judge(row) for row in rows if row.label.startswith(f"{name}: ")] for name in WAYS}
    told: dict[str, list[str]] = {verdict: [] for verdict in IN_WORDS}
    for name, claims in judged.items():
        verdict = holding(claims)
        kinds = [kind for kind, claim in zip(KINDS, claims, strict=True) if claim.verdict == verdict]
        told[verdict].append(name if verdict == CONFIRMED else f"{name} ({', '.join(kinds)})")
    return [f"{words}: {'; '.join(told[verdict]) or 'none'}." for verdict, words in IN_WORDS.items()]


def judge(row: Row) -> Claim:
    """The claim that a figure of a reading is the printed one."""
    assert row.published
    assert row.ours
    return equal(row.label, row.published, row.ours, MARGIN if row.published.rate else CLOSE)


def holding(claims: Sequence[Claim]) -> str:
    """Whether all of some claims hold: refuted where one is, open where one is open."""
    verdicts = {claim.verdict for claim in claims}
    return next((verdict for verdict in (REFUTED, OPEN) if verdict in verdicts), CONFIRMED)


def measure_program(lab: Lab) -> Findings:
    """Table 2 by the author's program."""
    samplers = {**SAMPLERS, "random sample": IN_ORDER}
    pairs = {name: Pair(program(lab, sampler), program_uct(), moons=False) for name, sampler in samplers.items()}
    pairs[RANDOM] = Pair("random", program_uct(), moons=False)
    pairs[OPEN_CARDS] = Pair(program_uct(2 * OPPONENT), program_uct(), moons=False)
    results = play(lab, pairs)
    tables = tables_of(results, TABLE_2)
    claims = [
        reading(replace(claim, text=f"by the author's program {claim.text}")) for claim in sampling_claims(results, tables)
    ]
    return Findings([*tables, deviations_of(results, TABLE_2)], claims=claims)


HEARTS32_READINGS = Experiment(
    "hearts32-readings",
    "Hearts with 32 cards: which reading of the paper gives its figures",
    f"{SOURCE}, Table 2",
    labels(COLUMNS),
    measure_readings,
)
HEARTS32_PROGRAM = Experiment(
    "hearts32-program",
    "Hearts with 32 cards: three qualities of sampling by the author's program",
    f"{SOURCE}, Table 2, and the program it names",
    labels(TABLE_2),
    measure_program,
)
