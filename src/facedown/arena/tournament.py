"""Tournaments: agents against each other on the same deals, at every place, with figures that can be trusted.

The result depends on the game, the agents and the seed, and on nothing else: not on where the games are played, by how many
workers, or in which order. Finished games are stored batch by batch; a run that was stopped, or killed, goes on where it
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
from facedown.arena.executors import hire
from facedown.arena.inquest import GameInquest
from facedown.arena.run_identity import digest_of_sources, files_read, sources_of
from facedown.arena.schedule import Schedule, schedule
from facedown.arena.standings import Comparison, GameResult, Ledger, Standing, first_deals, outcomes_of
from facedown.arena.supervise import Played, Terms, play_games
from facedown.arena.workers import Workers
from facedown.errors import BadOption
from facedown.game import Game
from facedown.games import load
from facedown.options import check_seed
from facedown.stats import AnovaTable, SequentialTest
from facedown.store import Run, Store

BATCH_SECONDS = 1.0  # that a worker should need for the games it is given at a time
MOST_IN_BATCH = 5000
MOVE_SECONDS = 600.0  # that an agent may take for one action


@dataclass(frozen=True)
class Progress:
    """How far a tournament has come; `ledger()` has the figures so far."""

    name: str | None
    done: int  # games, with those that were there before
    total: int
    new: int  # games played now
    seconds: float
    ledger: Callable[[], Ledger]

    @property
    def left(self) -> float | None:
        """Seconds to go, if it goes on like this; None before the first game."""
        return (self.total - self.done) * self.seconds / self.new if self.new else None


@dataclass(frozen=True)
class TournamentResult:
    """What came of a tournament."""

    name: str | None  # of the run in a store
    schedule: Schedule
    ledger: Ledger
    standings: list[Standing]
    comparisons: list[Comparison]
    sequential: SequentialTest | None  # the test that may have ended it, if one was asked for

    @property
    def stopped_early(self) -> bool:
        """Whether the results themselves decided when to stop: every interval is then too narrow."""
        return self.sequential is not None and self.sequential.verdict is not None

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
            "games": len(self.ledger.outcomes),
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

    With a store, or a name for the run in the default store, finished games are kept and a stopped run goes on. `sprt`
    (0, 5) stops as soon as a sequential test tells 0 from 5 Elo between two agents.
    """
    loaded = load(game) if isinstance(game, str) else game
    texts = tuple(agent_text(one) for one in agents)  # refuses unknown ones; the same text for the same agent
    plan = schedule(loaded, texts, deals, check_seed(seed), pairing, seating)
    if sprt is not None and len(texts) != 2:
        raise BadOption(f"expected two agents for a sequential test, got {len(texts)}")
    if sprt is not None and not sprt[0] < sprt[1]:
        raise BadOption(f"option sprt: expected the smaller Elo first, got {sprt[0]:g},{sprt[1]:g}")
    sources, files = sources_of(loaded, texts), files_read(loaded, texts)
    terms = Terms(loaded, texts, plan.lineups, plan.seed, decisions, move_seconds, loaded.path, sources, files)
    with hire(on, workers) as hall:
        if hall.elsewhere:
            terms = replace(terms, game=game_text(loaded))
        if store is None and name is None:
            return Tournament(plan, terms, None, sprt, progress).play(hall)
        opened = store if isinstance(store, Store) else Store.open(store)
        try:
            settings = settings_of(plan, terms, pairing, seating)
            run = opened.begin(name or default_name(settings), settings)
            return Tournament(plan, terms, run, sprt, progress).play(hall)
        finally:
            if opened is not store:
                opened.close()


class Tournament:
    """A tournament under way."""

    def __init__(
        self,
        plan: Schedule,
        terms: Terms,
        run: Run | None,
        sprt: tuple[float, float] | None,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self.schedule = plan
        self.terms = terms
        self.name = run.name if run else None
        self.run = run
        self.sprt = sprt
        self.progress = progress or (lambda state: None)
        self.outcomes: dict[tuple[int, int], GameResult] = {}
        self.new = 0
        self.seconds = 0.0  # that games have taken, all workers together
        if run is not None:
            wanted = set(self.schedule.places())
            for outcome in outcomes_of(run.results(), run.reasons(), self.schedule.game.seats):
                if (outcome.deal, outcome.seating) in wanted:
                    self.outcomes[outcome.deal, outcome.seating] = outcome

    def play(self, hall: Workers) -> TournamentResult:
        """Play what is left to play."""
        begin = time.perf_counter()
        self.tell(begin)
        if self.verdict_at() is None:
            work = partial(play_games, self.terms)
            with closing(hall.run(work, self.batches(hall.count), GameInquest(self.terms))) as finished:
                for played in finished:
                    self.enter(played)
                    self.tell(begin)
                    if self.verdict_at() is not None:
                        break
        if self.run is not None and self.new:
            self.run.check_kept(len(self.outcomes))
        return self.result()

    def batches(self, workers_count: int) -> Iterator[list[tuple[int, int]]]:
        """What is left to play, in pieces of about a second each; smaller ones until it is known how long a game takes."""
        left = [place for place in self.schedule.places() if place not in self.outcomes]
        position = 0
        while position < len(left):
            pace = self.seconds / self.new if self.new else BATCH_SECONDS
            fair = -(-(len(left) - position) // workers_count)  # so that no worker is idle at the end
            size = max(1, min(int(BATCH_SECONDS / pace), MOST_IN_BATCH, fair))
            yield left[position : position + size]
            position += size

    def enter(self, played: list[Played]) -> None:
        """Store finished games and count them."""
        if self.run is not None:
            self.run.add([(one.deal, one.seating, one.record, one.seconds) for one in played])
        for one in played:
            forfeit = one.record.forfeit or {}
            outcome = GameResult(one.deal, one.seating, tuple(one.record.scores), forfeit.get("seat"), forfeit.get("reason"))
            self.outcomes[one.deal, one.seating] = outcome
            self.seconds += BATCH_SECONDS if one.seconds is None else one.seconds  # with no pace known, one at a time
        self.new += len(played)

    def tell(self, begin: float) -> None:
        """Let the world know."""
        done, total = len(self.outcomes), self.schedule.games
        seconds = time.perf_counter() - begin
        self.progress(Progress(self.name, done, total, self.new, seconds, lambda: self.ledger()))

    def ledger(self, deals: int | None = None) -> Ledger:
        """The figures so far."""
        outcomes = list(self.outcomes.values())
        return Ledger(self.schedule, outcomes if deals is None else first_deals(outcomes, deals))

    def sequential(self) -> tuple[SequentialTest, int] | None:
        """The sequential test on the deals that are complete, in order, up to its verdict; and how many it took."""
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
        """After how many deals the sequential test has ended the tournament, if it has."""
        found = self.sequential()
        return found[1] if found and found[0].verdict is not None else None

    def result(self) -> TournamentResult:
        """What has come of it; deals that were under way when the test had ended it do not count."""
        found = self.sequential()
        ended = found is not None and found[0].verdict is not None
        ledger = self.ledger(found[1] if found and ended else None)
        standings, comparisons = ledger.standings(), ledger.comparisons()
        if ended:
            standings = [standing.after_stopping() for standing in standings]
            comparisons = [comparison.after_stopping() for comparison in comparisons]
        return TournamentResult(self.name, self.schedule, ledger, standings, comparisons, found[0] if found else None)


# --- What a run was made of -------------------------------------------------------------------------------------------


def settings_of(plan: Schedule, terms: Terms, pairing: str, seating: str) -> dict[str, Any]:
    """All that a run's games depend on: a run is only continued by the same."""
    return {
        "game": plan.game.full_name,
        "version": plan.game.version,
        "agents": list(plan.agents),
        "seed": plan.seed,
        "deals": plan.deals,
        "pairing": pairing,
        "seating": seating,
        "decisions": terms.decisions,
        "move_seconds": terms.move_seconds,
        "code": digest_of_sources(terms.sources),
    }


def default_name(settings: dict[str, Any]) -> str:
    """A name that the same tournament has every time, however many deals of it are played."""
    told = {key: value for key, value in settings.items() if key != "deals"}
    digest = hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=4).hexdigest()
    return f"{settings['game'].partition(':')[0]}-{digest}"
