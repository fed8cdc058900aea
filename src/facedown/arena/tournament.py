"""Tournaments: agents against each other on the same deals, in all seatings, with intervals over deals.

The result depends on the game, the agents and the seed, and on nothing else: not on where the games are played, by how many
workers, or in which order. Finished games are stored batch by batch. A run that was stopped or killed resumes where it
was, and ends with the same result as one that was not.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from facedown import stats
from facedown.agents import Agent
from facedown.arena.addresses import agent_text, game_text
from facedown.arena.crashes import GameCrashHandler
from facedown.arena.executors import start_workers
from facedown.arena.run_identity import digest_of_sources, files_read, sources_of
from facedown.arena.schedule import Schedule, schedule
from facedown.arena.standings import Comparison, Ledger, Standing, first_deals, results_of
from facedown.arena.supervise import TournamentSpec, play_games
from facedown.arena.workers import Workers
from facedown.errors import BadOption
from facedown.game import Game
from facedown.games import load
from facedown.options import check_seed
from facedown.stats import AnovaTable, SequentialTest
from facedown.store import GameResult, PlayedGame, Run, Store

BATCH_SECONDS = 1.0  # that a worker should need for one batch of games
MOST_IN_BATCH = 5000
MOVE_SECONDS = 600.0  # that an agent may take for one action


@dataclass(frozen=True)
class Progress:
    """How far a tournament has come; `ledger()` computes the figures so far."""

    name: str | None
    done: int  # games, with those played before
    total: int
    new: int  # games played now
    seconds: float
    ledger: Callable[[], Ledger]

    @property
    def left(self) -> float | None:
        """Estimated seconds to the end; None before the first game."""
        return (self.total - self.done) * self.seconds / self.new if self.new else None


@dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament."""

    name: str | None  # of the run in a store
    schedule: Schedule
    ledger: Ledger
    standings: list[Standing]
    comparisons: list[Comparison]
    sequential: SequentialTest | None  # the test that may have ended it, if one was asked for

    @property
    def stopped_early(self) -> bool:
        """Whether the sequential test ended it: every interval is then too narrow."""
        return self.sequential is not None and self.sequential.verdict is not None

    def standing(self, number: int) -> Standing:
        """The figures of an agent by its number in the list of agents; `standings` have the best first."""
        text = self.schedule.agents[number]
        return next(one for one in self.standings if one.agent == text)

    def anova(self, interactions: int = 2) -> AnovaTable:
        """How much of the leads each option of the agents explains."""
        return self.ledger.anova(interactions)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, the same for the same tournament however it was played."""
        test = self.sequential
        return {
            "name": self.name,
            "game": self.schedule.game.full_name,
            "agents": list(self.schedule.agents),
            "seed": self.schedule.seed,
            "deals": len(self.ledger.complete_deals()),
            "seatings": len(self.schedule.lineups),
            "games": len(self.ledger.results),
            "standings": [standing.to_dict() for standing in self.standings],
            "comparisons": [comparison.to_dict() for comparison in self.comparisons],
            "sprt": {"llr": test.llr, "bounds": list(test.bounds), "verdict": test.verdict} if test else None,
            "stopped_early": self.stopped_early,
        }


def tournament(
    game: Game | str,
    agents: Sequence[str | Agent | type[Agent]],
    deals: int = 100,
    seed: int = 0,
    *,
    name: str | None = None,
    store: Store | str | Path | None = None,
    on: str = "local",
    workers: int | None = None,
    pairing: str = "round-robin",
    seating: str = "all",
    decisions: bool = False,
    move_seconds: float = MOVE_SECONDS,
    sprt: tuple[float, float] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> TournamentResult:
    """Play agents against each other on duplicate deals.

    With a store, or a name for the run in the default store, finished games are kept and a stopped run resumes. `sprt`
    (0, 5) stops as soon as a sequential test decides between 0 and 5 Elo for two agents.
    """
    loaded = load(game) if isinstance(game, str) else game
    texts = tuple(agent_text(one) for one in agents)  # refuses unknown agents; equal agents have equal texts
    plan = schedule(loaded, texts, deals, check_seed(seed), pairing, seating)
    if sprt is not None and len(texts) != 2:
        raise BadOption(f"expected two agents for a sequential test, got {len(texts)}")
    if sprt is not None and not sprt[0] < sprt[1]:
        raise BadOption(f"option sprt: expected the smaller Elo first, got {sprt[0]:g},{sprt[1]:g}")
    sources, files = sources_of(loaded, texts), files_read(loaded, texts)
    spec = TournamentSpec(loaded, texts, plan.lineups, plan.seed, decisions, move_seconds, loaded.path, sources, files)
    with start_workers(on, workers) as pool:
        if pool.in_other_processes:
            spec = replace(spec, game=game_text(loaded))
        if store is None and name is None:
            return Tournament(plan, spec, None, sprt, progress).play(pool)
        opened = store if isinstance(store, Store) else Store.open(store)
        try:
            settings = settings_of(plan, spec, pairing, seating)
            run = opened.begin(name or default_name(settings), settings)
            return Tournament(plan, spec, run, sprt, progress).play(pool)
        finally:
            if opened is not store:
                opened.close()


class Tournament:
    """A tournament under way."""

    def __init__(
        self,
        plan: Schedule,
        spec: TournamentSpec,
        run: Run | None,
        sprt: tuple[float, float] | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.schedule = plan
        self.spec = spec
        self.name = run.name if run else None
        self.run = run
        self.sprt = sprt
        self.progress = progress or (lambda state: None)
        self.results: dict[tuple[int, int], GameResult] = {}
        self.new = 0
        self.seconds = 0.0  # that games have taken, summed over all workers
        if run is not None:
            wanted = set(self.schedule.places())
            for result in results_of(run, self.schedule.game.seats):
                if (result.deal, result.seating) in wanted:
                    self.results[result.deal, result.seating] = result

    def play(self, workers: Workers) -> TournamentResult:
        """Play the games that remain."""
        begin = time.perf_counter()
        self.report_progress(begin)
        if self.verdict_at() is None:
            work = partial(play_games, self.spec)
            with closing(workers.run(work, self.batches(workers.count), GameCrashHandler(self.spec))) as finished:
                for played in finished:
                    self.add(played if workers.in_other_processes or workers.count == 1 else without_cpu(played))
                    self.report_progress(begin)
                    if self.verdict_at() is not None:
                        break
        if self.run is not None and self.new:
            self.run.check_kept(len(self.results))
        return self.result()

    def batches(self, workers_count: int) -> Iterator[list[tuple[int, int]]]:
        """The games that remain, in batches of about a second; of one game each until it is known how long a game takes."""
        left = [place for place in self.schedule.places() if place not in self.results]
        position = 0
        while position < len(left):
            pace = self.seconds / self.new if self.new else BATCH_SECONDS
            fair = -(-(len(left) - position) // workers_count)  # so that no worker is idle at the end
            size = max(1, min(int(BATCH_SECONDS / pace), MOST_IN_BATCH, fair))
            yield left[position : position + size]
            position += size

    def add(self, played: list[PlayedGame]) -> None:
        """Store finished games and count them."""
        if self.run is not None:
            self.run.add(played)
        for one in played:
            self.results[one.deal, one.seating] = GameResult.of(one)
            self.seconds += BATCH_SECONDS if one.seconds is None else one.seconds  # unknown: the next batches are small
        self.new += len(played)

    def report_progress(self, begin: float) -> None:
        """Call `progress` with the number of games so far."""
        done, total = len(self.results), self.schedule.games
        seconds = time.perf_counter() - begin
        self.progress(Progress(self.name, done, total, self.new, seconds, lambda: self.ledger()))

    def ledger(self, deals: int | None = None) -> Ledger:
        """The figures so far."""
        results = list(self.results.values())
        return Ledger(self.schedule, results if deals is None else first_deals(results, deals))

    def sequential(self) -> tuple[SequentialTest, int] | None:
        """The sequential test on the complete deals, in order, up to its verdict; and the number of deals used."""
        if self.sprt is None:
            return None
        test = stats.sprt(*self.sprt)
        used = 0
        for score in self.ledger().deal_scores(*self.schedule.agents):
            test.add(score)
            used += 1
            if test.verdict is not None:
                break
        return test, used

    def verdict_at(self) -> int | None:
        """The number of deals after which the sequential test has ended the tournament, if it has."""
        found = self.sequential()
        return found[1] if found and found[0].verdict is not None else None

    def result(self) -> TournamentResult:
        """The result; deals still under way when the test ended the tournament do not count."""
        found = self.sequential()
        ended = found is not None and found[0].verdict is not None
        ledger = self.ledger(found[1] if found and ended else None)
        standings, comparisons = ledger.standings(), ledger.comparisons()
        if ended:
            standings = [standing.after_stopping() for standing in standings]
            comparisons = [comparison.after_stopping() for comparison in comparisons]
        return TournamentResult(self.name, self.schedule, ledger, standings, comparisons, found[0] if found else None)


# --- What a run was made of -------------------------------------------------------------------------------------------


def settings_of(plan: Schedule, spec: TournamentSpec, pairing: str, seating: str) -> dict[str, Any]:
    """All that a run's games depend on: a run is only resumed with the same settings."""
    return {
        "game": plan.game.full_name,
        "version": plan.game.version,
        "agents": list(plan.agents),
        "seed": plan.seed,
        "deals": plan.deals,
        "pairing": pairing,
        "seating": seating,
        "decisions": spec.decisions,
        "move_seconds": spec.move_seconds,
        "code": digest_of_sources(spec.sources),
    }


def without_cpu(played: Sequence[PlayedGame]) -> list[PlayedGame]:
    """Games of workers that share a process, and so its clock: what each has taken of the processor is not known."""
    return [game._replace(cpu_seconds=None) for game in played]


def default_name(settings: dict[str, Any]) -> str:
    """The name of a run that was given none: the same for the same tournament, whatever the number of deals."""
    named_after = {key: value for key, value in settings.items() if key != "deals"}
    digest = hashlib.blake2b(json.dumps(named_after, sort_keys=True).encode(), digest_size=4).hexdigest()
    return f"{settings['game'].partition(':')[0]}-{digest}"
