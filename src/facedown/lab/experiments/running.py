"""How an experiment is made: by tournaments with a store, so that the same command goes on where it was stopped."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from facedown.agents import agent
from facedown.arena.progress import WorkProgress
from facedown.arena.run_identity import code_digest
from facedown.arena.schedule import Schedule, schedule
from facedown.arena.tournament import Progress, TournamentResult, tournament
from facedown.errors import BadOption
from facedown.games import load
from facedown.lab.experiments.outcome import Outcome, Published, Significance, Table
from facedown.options import check_seed
from facedown.record import GameRecord
from facedown.store import Store

Step = TypeVar("Step")
SCALES = ("quick", "full")
SEEDS_APART = 1_000_003  # of contests whose deals must differ


@dataclass(frozen=True)
class Settings:
    """How large an experiment is made, from which seed, and where: `quick` is for a look, `full` is as published."""

    scale: str = "quick"
    seed: int = 0
    store: Store | str | Path | None = None  # without one nothing is kept
    on: str = "local"
    workers: int | None = None
    progress: Callable[[WorkProgress], None] | None = None
    deals: int | None = None  # that a tournament has at most, where the experiment would have more

    def __post_init__(self) -> None:
        """Refuse what is no setting."""
        if self.scale not in SCALES:
            raise BadOption(f"option scale: expected one of {', '.join(SCALES)}, got {self.scale!r}")
        check_seed(self.seed)
        if self.deals is not None and self.deals < 1:
            raise BadOption(f"option deals: expected at least 1, got {self.deals}")


@dataclass(frozen=True)
class Contest:
    """A tournament that an experiment needs."""

    game: str
    agents: Sequence[str]
    deals: int
    pairing: str = "round-robin"
    seating: str = "all"
    decisions: bool = False  # to be kept in the records, for an experiment that looks into searches
    apart: int = 0  # contests with different numbers have different deals

    def plan(self, seed: int) -> Schedule:
        """Its games."""
        texts = [agent(text).text for text in self.agents]
        return schedule(load(self.game), texts, self.deals, seed + self.apart * SEEDS_APART, self.pairing, self.seating)


@dataclass(frozen=True)
class Findings:
    """What an experiment has to say."""

    tables: Sequence[Table]
    tests: Sequence[Significance] = ()
    notes: Sequence[str] = ()


@dataclass
class Counts:
    """Games so far."""

    done: int = 0
    new: int = 0


class Lab:
    """What an experiment is handed to be made with."""

    def __init__(self, name: str, settings: Settings, store: Store) -> None:
        self.name = name
        self.settings = settings
        self.store = store
        self.runs: dict[str, str] = {}  # in the store, by the names of their contests
        self.short = False  # whether a tournament had fewer deals than it should

    @property
    def full(self) -> bool:
        """Whether it is to be made as published."""
        return self.settings.scale == "full"

    def play(self, contests: Mapping[str, Contest]) -> dict[str, TournamentResult]:
        """Play tournaments, each known by a name; one after another, and told as one."""
        contests = {name: self.shortened(contest) for name, contest in contests.items()}
        plans = {name: contest.plan(self.settings.seed) for name, contest in contests.items()}
        total = sum(plan.games for plan in plans.values())
        begin = time.perf_counter()
        counts = Counts()
        results = {}
        for name, contest in contests.items():
            told = partial(self.tell, name, total, begin, counts, counts.done, counts.new)
            self.runs[name] = run_name(self.name, contest, plans[name])
            results[name] = self.compete(contest, plans[name], self.runs[name], told)
        return results

    def shortened(self, contest: Contest) -> Contest:
        """A tournament with no more deals than are wanted."""
        if self.settings.deals is None or contest.deals <= self.settings.deals:
            return contest
        self.short = True
        return replace(contest, deals=self.settings.deals)

    def records(self, name: str) -> Iterator[GameRecord]:
        """The games of a contest that has been played, one after another."""
        return self.store.run(self.runs[name]).records()

    def steps(self, doing: str, unit: str, items: Sequence[Step]) -> Iterator[Step]:
        """Go through what is measured without games, and let the world know how far that has come."""
        begin = time.perf_counter()
        for done, item in enumerate(items):
            if self.settings.progress:
                self.settings.progress(WorkProgress(doing, done, len(items), done, time.perf_counter() - begin, unit=unit))
            yield item

    def tell(self, doing: str, total: int, begin: float, counts: Counts, done: int, new: int, state: Progress) -> None:
        """Let the world know how far all tournaments have come, with one of them under way."""
        counts.done, counts.new = done + state.done, new + state.new
        if self.settings.progress:
            self.settings.progress(WorkProgress(doing, counts.done, total, counts.new, time.perf_counter() - begin))

    def compete(self, contest: Contest, plan: Schedule, run: str, told: Callable[[Progress], None]) -> TournamentResult:
        """One tournament."""
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
            progress=told,
        )


def run_name(experiment: str, contest: Contest, plan: Schedule) -> str:
    """A name that the same tournament of an experiment has every time; changed code makes it another."""
    told = [
        [plan.game.full_name, plan.game.version, list(plan.agents), plan.seed],
        [contest.pairing, contest.seating, contest.decisions, code_digest(plan.game, plan.agents)],
    ]
    digest = hashlib.blake2b(json.dumps(told).encode(), digest_size=4).hexdigest()
    return f"{experiment}-{digest}"


@dataclass(frozen=True)
class Experiment:
    """A published table or figure, and how to make it again."""

    name: str
    title: str
    source: str  # which text, and which table of it
    published: Mapping[str, Published]
    measure: Callable[[Lab], Findings]

    def run(self, settings: Settings | None = None) -> Outcome:
        """Make it, or what is left of it to be made."""
        settings = settings or Settings()
        if isinstance(settings.store, Store):
            return self._run(settings, settings.store)
        with TemporaryDirectory() as folder, Store.open(settings.store or Path(folder) / "unkept.db") as store:
            return self._run(settings, store)

    def _run(self, settings: Settings, store: Store) -> Outcome:
        lab = Lab(self.name, settings, store)
        found = self.measure(lab)
        command = f"facedown reproduce {self.name} --scale {settings.scale} --seed {settings.seed}"
        notes = list(found.notes)
        if settings.deals is not None:
            command += f" --deals {settings.deals}"
        if lab.short:
            notes.append(f"At most {settings.deals} deals in each tournament: fewer than the {settings.scale} form has.")
        about = (self.name, self.title, self.source, settings.scale, settings.seed, command)
        kept = list(lab.runs.values()) if settings.store else []
        return Outcome(*about, found.tables, found.tests, notes, kept)
