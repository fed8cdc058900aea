"""How an experiment runs: tournaments in a store, so that the same command resumes where it was stopped."""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from inspect import cleandoc
from itertools import islice
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
from facedown.games.sources import PACKAGE
from facedown.lab.experiments.claims import IMPOSSIBLE, OPEN, OTHER, Claim
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import TOO_QUICK, ExperimentResult, Significance, Table
from facedown.options import check_seed
from facedown.record import GameRecord
from facedown.store import Store
from facedown.store.measured import Measurement, Spent
from facedown.training.policies import records_in

Step = TypeVar("Step")
Measured = TypeVar("Measured")
SCALES = ("quick", "full")
QUICK = "A quick run: few deals and small searches, so its figures are not comparable."
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
    deals: int | None = None  # of each tournament, in place of as many as it has; in cheat-models, claims of each person
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
    most: int | None = None  # deals, however many the settings ask for

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

    total: int = 0
    done: int = 0
    new: int = 0


class Lab:
    """What an experiment runs with: its settings, its store, and ways to play tournaments."""

    def __init__(self, name: str, settings: ExperimentSettings, store: Store) -> None:
        self.name = name
        self.settings = settings
        self.store = store
        self.runs: dict[str, str] = {}  # names in the store, by the names of their contests
        self.lengths: dict[str, int] = {}  # their games
        self.usual: set[int] = set()  # deals that tournaments would have had without the settings
        self.resumed = False  # whether a tournament had games in the store already
        self.earlier = Spent(0.0, 0.0, 0)  # what these games have cost, and what was measured before
        self.begin = time.perf_counter()
        self.games = Counts()

    @property
    def full(self) -> bool:
        """Whether it runs at the published scale."""
        return self.settings.scale == "full"

    def play(self, contests: Mapping[str, Contest], played_as: str | None = None) -> dict[str, TournamentResult]:
        """Play tournaments by name, one after another; their progress is reported as one.

        Experiments that look at the same games have the same `played_as`, so that these are played once.
        """
        contests = {name: self.sized(contest) for name, contest in contests.items()}
        plans = {name: contest.plan(self.settings.seed) for name, contest in contests.items()}
        self.games.total += sum(plan.games for plan in plans.values())
        results = {}
        runs = {name: run_name(played_as or self.name, contest, plans[name]) for name, contest in contests.items()}
        self.runs.update(runs)
        self.lengths.update({name: plan.games for name, plan in plans.items()})
        self.spend(self.store.spent(list(runs.values())))
        for name, contest in contests.items():
            on_progress = partial(self.report_progress, name, self.games.done, self.games.new)
            results[name] = self.compete(contest, plans[name], runs[name], on_progress)
        self.resumed |= self.games.new < self.games.done
        return results

    def sized(self, contest: Contest) -> Contest:
        """A tournament with as many deals as the settings ask for."""
        return replace(contest, deals=self.deals(contest.deals, contest.most))

    def deals(self, usual: int, most: int | None = None) -> int:
        """As many deals as the settings ask for, or as many as usual where they ask for none."""
        deals = self.settings.deals or usual
        if most is not None:
            deals = min(most, deals)
        if deals != usual:
            self.usual.add(usual)
        return deals

    def records(self, name: str) -> Iterator[GameRecord]:
        """The records of a contest that has been played; of a run that is longer, the first deals."""
        return islice(self.store.run(self.runs[name]).records(), self.lengths[name])

    def recorded(self, game: str) -> list[GameRecord]:
        """The finished games of the store that are of a game, whatever its options."""
        return records_in(self.store, game, self.settings.run)

    def spend(self, before: Spent) -> None:
        """Count what was spent before this run."""
        seconds, cpu_seconds, uncounted = self.earlier
        self.earlier = Spent(seconds + before.seconds, cpu_seconds + before.cpu_seconds, uncounted + before.uncounted)

    def spent(self, cpu_seconds: float) -> Spent:
        """What it all has cost, whenever it was played, if this run took so much; a cluster's games come on top."""
        games = self.store.spent(list(self.runs.values()))
        elsewhere = self.settings.on.startswith("ray")
        cpu = cpu_seconds + (games.cpu_seconds if elsewhere else self.earlier.cpu_seconds)
        return Spent(games.seconds, cpu, games.uncounted if elsewhere else self.earlier.uncounted)

    def steps(self, doing: str, unit: str, items: Sequence[Step]) -> Iterator[Step]:
        """Go through items that are measured without games, and report progress."""
        begin = time.perf_counter()
        for done, item in enumerate(items):
            if self.settings.progress:
                self.settings.progress(WorkProgress(doing, done, len(items), done, time.perf_counter() - begin, unit=unit))
            yield item

    def measured(
        self, doing: str, unit: str, items: Mapping[str, Step], measure: Callable[[Step], Measured]
    ) -> dict[str, Measured]:
        """What is measured of each item without games: plain data, kept in the store, so that the same command resumes."""
        about = [self.settings.scale, self.settings.seed, doing, code_digest()]
        name = f"{self.name}-{hashlib.blake2b(json.dumps(about).encode(), digest_size=4).hexdigest()}"
        known = self.store.measured(name)
        found = {item: known[item].value for item in items if item in known}
        self.spend(Spent(0.0, sum(known[item].cpu_seconds for item in found), 0))
        for item in self.steps(doing, unit, [item for item in items if item not in found]):
            begin = time.process_time()
            found[item] = json.loads(json.dumps(measure(items[item])))  # as it will be when it is read again
            self.store.keep(name, item, Measurement(found[item], time.process_time() - begin))
        return {item: found[item] for item in items}

    def report_progress(self, doing: str, done: int, new: int, state: Progress) -> None:
        """Report the progress of all tournaments so far, with one of them under way."""
        games = self.games
        games.done, games.new = done + state.done, new + state.new
        if self.settings.progress:
            spent = time.perf_counter() - self.begin
            self.settings.progress(WorkProgress(doing, games.done, games.total, games.new, spent))

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
        notes = [*found.notes, *([] if lab.full else [QUICK])]
        if settings.deals is not None:
            command += f" --deals {settings.deals}"
        if lab.usual:
            usual = " or ".join(f"{deals:,}" for deals in sorted(lab.usual))
            notes.append(f"{settings.deals:,} deals in each tournament, where the {settings.scale} form has {usual}.")
        about = (self.name, self.title, self.source, settings.scale, settings.seed, command)
        kept = list(lab.runs.values()) if settings.store else []
        spent = lab.spent(cpu_seconds() - begin)
        claims = found.claims if lab.full else [undecided(claim) for claim in found.claims]
        return ExperimentResult(
            *about, found.tables, found.tests, notes, kept, claims, *spent, lab.resumed, setup_of(self.measure)
        )


def undecided(claim: Claim) -> Claim:
    """A claim of a quick run, which decides nothing; but what no game decides is the same at any scale."""
    if claim.verdict == IMPOSSIBLE or claim.kind == OTHER:
        return claim
    return replace(claim, verdict=OPEN, reason=TOO_QUICK, interval=None)


def setup_of(measure: Callable[[Lab], Findings]) -> str:
    """How it is played and where it departs from the paper, as its module says."""
    return cleandoc(sys.modules[measure.__module__].__doc__ or "")


@cache
def code_digest() -> str:
    """A digest of all code of this package: what was measured is measured again once any of it changes."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(PACKAGE.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def cpu_seconds() -> float:
    """The processor time of this process and of its workers that have ended."""
    return sum(os.times()[:4])
