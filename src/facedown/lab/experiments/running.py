"""How an experiment runs: tournaments in a store, so that the same command resumes where it was stopped."""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from facedown.agents import agent
from facedown.arena.progress import WorkProgress
from facedown.arena.run_identity import run_digest
from facedown.arena.schedule import Schedule, schedule
from facedown.arena.tournament import Progress, TournamentResult, tournament
from facedown.errors import BadOption
from facedown.games import load
from facedown.lab.experiments.claims import IMPOSSIBLE, OPEN, Claim
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import ExperimentResult, Significance, Table
from facedown.options import check_seed
from facedown.record import GameRecord
from facedown.store import Store
from facedown.training.policies import records_in

Step = TypeVar("Step")
SCALES = ("quick", "full")
SEEDS_APART = 1_000_003  # between the seeds of contests whose deals must differ


@dataclass(frozen=True)
class ExperimentSettings:
    """The scale of an experiment, its seed, and where it runs: `quick` is a short trial, `full` is as published."""

    scale: str = "quick"
    seed: int = 0
    store: Store | str | Path | None = None  # without one nothing is kept
    on: str = "local"
    workers: int | None = None
    progress: Callable[[WorkProgress], None] | None = None
    deals: int | None = None  # of a tournament at most, where the experiment would have more
    recorded: bool = False  # judge the games of the store, whoever played them, in place of new ones
    run: str | None = None  # only those of this run

    def __post_init__(self) -> None:
        """Check the values."""
        if self.scale not in SCALES:
            raise BadOption(f"option scale: expected one of {', '.join(SCALES)}, got {self.scale!r}")
        check_seed(self.seed)
        if self.deals is not None and self.deals < 1:
            raise BadOption(f"option deals: expected at least 1, got {self.deals}")
        if self.run is not None and not self.recorded:
            raise BadOption(f"option run: expected recorded games to choose from, got the run {self.run!r} alone")


@dataclass(frozen=True)
class Contest:
    """A tournament that an experiment needs."""

    game: str
    agents: Sequence[str]
    deals: int
    pairing: str = "round-robin"
    seating: str = "all"
    decisions: bool = False  # kept in the records, for an experiment that examines searches
    apart: int = 0  # contests with different numbers have different deals

    def plan(self, seed: int) -> Schedule:
        """Its games."""
        texts = [agent(text).text for text in self.agents]
        return schedule(load(self.game), texts, self.deals, seed + self.apart * SEEDS_APART, self.pairing, self.seating)


@dataclass(frozen=True)
class Findings:
    """The tables, tests, notes and claims of an experiment."""

    tables: Sequence[Table]
    tests: Sequence[Significance] = ()
    notes: Sequence[str] = ()
    claims: Sequence[Claim] = ()  # of the paper, with verdicts


@dataclass
class Counts:
    """Games so far."""

    done: int = 0
    new: int = 0


class Lab:
    """What an experiment runs with: its settings, its store, and ways to play tournaments."""

    def __init__(self, name: str, settings: ExperimentSettings, store: Store) -> None:
        self.name = name
        self.settings = settings
        self.store = store
        self.runs: dict[str, str] = {}  # names in the store, by the names of their contests
        self.short = False  # whether a tournament had fewer deals than it should
        self.resumed = False  # whether a tournament had games in the store already

    @property
    def full(self) -> bool:
        """Whether it runs at the published scale."""
        return self.settings.scale == "full"

    def play(self, contests: Mapping[str, Contest]) -> dict[str, TournamentResult]:
        """Play tournaments by name, one after another; their progress is reported as one."""
        contests = {name: self.shortened(contest) for name, contest in contests.items()}
        plans = {name: contest.plan(self.settings.seed) for name, contest in contests.items()}
        total = sum(plan.games for plan in plans.values())
        begin = time.perf_counter()
        counts = Counts()
        results = {}
        for name, contest in contests.items():
            on_progress = partial(self.report_progress, name, total, begin, counts, counts.done, counts.new)
            self.runs[name] = run_name(self.name, contest, plans[name])
            results[name] = self.compete(contest, plans[name], self.runs[name], on_progress)
        self.resumed |= counts.new < counts.done
        return results

    def shortened(self, contest: Contest) -> Contest:
        """A tournament with no more deals than the settings allow."""
        return replace(contest, deals=self.at_most(contest.deals))

    def at_most(self, deals: int) -> int:
        """So many deals, or as many as the settings allow if those are fewer."""
        if self.settings.deals is None or deals <= self.settings.deals:
            return deals
        self.short = True
        return self.settings.deals

    def records(self, name: str) -> Iterator[GameRecord]:
        """The records of a contest that has been played."""
        return self.store.run(self.runs[name]).records()

    def recorded(self, game: str) -> list[GameRecord]:
        """The finished games of the store that are of a game, whatever its options."""
        return records_in(self.store, game, self.settings.run)

    def seconds_played(self) -> float:
        """How long all games of its tournaments took, whenever they were played and by however many workers."""
        return sum(self.store.run(name).seconds() for name in self.runs.values())

    def steps(self, doing: str, unit: str, items: Sequence[Step]) -> Iterator[Step]:
        """Go through items that are measured without games, and report progress."""
        begin = time.perf_counter()
        for done, item in enumerate(items):
            if self.settings.progress:
                self.settings.progress(WorkProgress(doing, done, len(items), done, time.perf_counter() - begin, unit=unit))
            yield item

    def report_progress(
        self, doing: str, total: int, begin: float, counts: Counts, done: int, new: int, state: Progress
    ) -> None:
        """Report the progress of all tournaments, with one of them under way."""
        counts.done, counts.new = done + state.done, new + state.new
        if self.settings.progress:
            self.settings.progress(WorkProgress(doing, counts.done, total, counts.new, time.perf_counter() - begin))

    def compete(
        self, contest: Contest, plan: Schedule, run: str, on_progress: Callable[[Progress], None]
    ) -> TournamentResult:
        """Play one tournament."""
        return tournament(
            contest.game,
            contest.agents,
            contest.deals,
            plan.seed,
            name=run,
            store=self.store,
            on=self.settings.on,
            workers=self.settings.workers,
            pairing=contest.pairing,
            seating=contest.seating,
            decisions=contest.decisions,
            progress=on_progress,
        )


def run_name(experiment: str, contest: Contest, plan: Schedule) -> str:
    """The name of a contest's run: the same every time, until the code that plays changes."""
    parts = [
        [plan.game.full_name, plan.game.version, list(plan.agents), plan.seed],
        [contest.pairing, contest.seating, contest.decisions, run_digest(plan.game, plan.agents)],
    ]
    digest = hashlib.blake2b(json.dumps(parts).encode(), digest_size=4).hexdigest()
    return f"{experiment}-{digest}"


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, and how to reproduce it."""

    name: str
    title: str
    source: str  # the paper, and its table or figure
    published: Mapping[str, Published]
    measure: Callable[[Lab], Findings]
    judges_records: bool = False  # it can do with games that others have played

    def check(self, settings: ExperimentSettings) -> None:
        """Refuse settings that it has no use for."""
        if settings.recorded and not self.judges_records:
            raise BadOption(f"expected an experiment that judges recorded games, got {self.name}, which plays its own")

    def run(self, settings: ExperimentSettings | None = None) -> ExperimentResult:
        """Run it, or the rest of it if it was stopped."""
        settings = settings or ExperimentSettings()
        self.check(settings)
        if isinstance(settings.store, Store):
            return self._run(settings, settings.store)
        with TemporaryDirectory() as folder, Store.open(settings.store or Path(folder) / "unkept.db") as store:
            return self._run(settings, store)

    def _run(self, settings: ExperimentSettings, store: Store) -> ExperimentResult:
        lab, begin = Lab(self.name, settings, store), cpu_seconds()
        found = self.measure(lab)
        command = f"facedown reproduce {self.name} --scale {settings.scale} --seed {settings.seed}"
        if settings.recorded:
            command += " --from-store ..." + (f" --run {settings.run}" if settings.run else "")
        notes = list(found.notes)
        if settings.deals is not None:
            command += f" --deals {settings.deals}"
        if lab.short:
            notes.append(f"At most {settings.deals} deals in each tournament: fewer than the {settings.scale} form has.")
        about = (self.name, self.title, self.source, settings.scale, settings.seed, command)
        kept = list(lab.runs.values()) if settings.store else []
        times = lab.seconds_played(), cpu_seconds() - begin, lab.resumed
        claims = found.claims if lab.full else [undecided(claim) for claim in found.claims]
        return ExperimentResult(*about, found.tables, found.tests, notes, kept, claims, *times, setup=setup_of(self.measure))


def undecided(claim: Claim) -> Claim:
    """A claim of a quick run, which decides nothing."""
    return (
        claim
        if claim.verdict == IMPOSSIBLE
        else replace(claim, verdict=OPEN, reason="a quick run decides nothing", interval=None)
    )


def setup_of(measure: Callable[[Lab], Findings]) -> str:
    """How it is played and where it departs from the paper, as its module says."""
    return cleandoc(sys.modules[measure.__module__].__doc__ or "")


def cpu_seconds() -> float:
    """The processor time of this process and of its workers that have ended."""
    return sum(os.times()[:4])
