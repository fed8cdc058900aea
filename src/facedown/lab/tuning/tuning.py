"""Tuning: which options an agent plays best with, found by Optuna's search or by a knock-out of a grid.

A trial is a tournament with a field: one side plays the candidate, all others the agent it is measured against, on every
deal in all seatings. All trials are played on the same deals, so that they can be compared. The best of many trials looks
better than it is (the winner's curse), so it is measured again on fresh deals at the end.

Everything derives from the seed. Finished games are in the store, a run for each tournament. So the same call repeats the
same steps, takes finished games from the store, and resumes where it was stopped.

The knock-out is that of Bitan and Kraus 2018, section 4.6: combinations are paired, each pair plays a match, the winner
advances. Departure: a match is played on duplicate deals in all seatings, and each round on deals of its own.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from facedown.agents import agent
from facedown.arena.progress import WorkProgress
from facedown.arena.schedule import schedule
from facedown.arena.tournament import Progress, TournamentResult, tournament
from facedown.errors import BadOption
from facedown.game import Game
from facedown.games import load
from facedown.lab.tuning.optuna_study import distribution, new_study, require_optuna
from facedown.lab.tuning.result import Fresh, Pairing, Trial, TuningResult
from facedown.lab.tuning.space import every_combination, parameters, size_of, with_values
from facedown.options import Value, check_seed
from facedown.rng import stream
from facedown.stats import Estimate
from facedown.store import Store

METHODS = ("optuna", "knockout")
OBJECTIVES = ("auto", "lead", "wins")
TRIALS = 50
DEALS = 50  # of a trial
MATCH_GAMES = 100  # of a pairing, about (Bitan and Kraus 2018)
MOST_REPEATS = 100  # in a row of candidates tried before: then there are probably no others
FRESH_TIMES = 2  # times the deals of a trial, at the end
FRESH, SAMPLER, BRACKET, ROUND = range(20, 24)  # first steps of the paths of random streams


OnProgress = Callable[[WorkProgress], None]


def tune(
    game: Game | str,
    agent: str,
    over: str,
    *,
    against: Sequence[str] = (),
    method: str = "optuna",
    trials: int = TRIALS,
    deals: int | None = None,
    fresh: int | None = None,
    seed: int = 0,
    objective: str = "auto",
    store: Store | str | Path | None = None,
    on: str = "local",
    workers: int | None = None,
    progress: OnProgress | None = None,
) -> TuningResult:
    """Find the options an agent plays best with; `over` is for example "exploration=0.1..2.0,playout=uniform|rules".

    `deals` is the number for each trial or match, `fresh` the number at the end. With a store a stopped tuning resumes.
    """
    tuning = Tuning(game, agent, over, against, method, trials, deals, fresh, seed, objective)
    if store is None:
        return tuning.run(partial(tournament, on=on, workers=workers), progress)
    opened = store if isinstance(store, Store) else Store.open(store)
    try:
        return tuning.run(partial(tournament, on=on, workers=workers, store=opened), progress)
    finally:
        if opened is not store:
            opened.close()


class Tuning:
    """A tuning under way."""

    def __init__(
        self,
        game: Game | str,
        text: str,
        over: str,
        against: Sequence[str],
        method: str,
        trials: int,
        deals: int | None,
        fresh: int | None,
        seed: int,
        objective: str,
    ) -> None:
        """Checks all arguments before anything is played."""
        for name, value, known in (("method", method, METHODS), ("objective", objective, OBJECTIVES)):
            if value not in known:
                raise BadOption(f"option {name}: expected one of {', '.join(known)}, got {value!r}")
        self.game = game  # as given: other processes need its text
        self.loaded = load(game) if isinstance(game, str) else game
        self.base = agent(text)
        self.space = parameters(over, self.base)
        self.against = [agent(other).text for other in against] or [self.base.text]
        self.method = method
        self.seed = check_seed(seed)
        self.objective = objective if objective != "auto" else "wins" if is_win_or_loss(self.loaded) else "lead"
        lineups = schedule(self.loaded, ["one", "other"], 1, 0).lineups
        self.seatings = len(lineups)  # of a match
        self.sides = len(set(self.loaded.sides))
        usual = DEALS if method == "optuna" else -(-MATCH_GAMES // self.seatings)
        self.deals = usual if deals is None else deals
        self.fresh_deals = FRESH_TIMES * self.deals if fresh is None else fresh
        self.trials = trials
        self.combinations = size_of(self.space) if method == "knockout" else 0
        counts = {"trials": trials, "deals": self.deals, "fresh": self.fresh_deals}
        for name, count in counts.items():
            if not isinstance(count, int) or count < 1:
                raise BadOption(f"option {name}: expected a whole number from 1 up, got {count!r}")
        if method == "optuna":
            require_optuna()
        if method == "knockout" and against:
            raise BadOption("expected no opponents for a knock-out, in which the candidates meet each other")
        self.report: OnProgress = lambda state: None
        self.play: Callable[..., TournamentResult] = tournament
        self.done = self.new = 0
        self.skipped = 0  # tables at which a candidate would meet itself
        self.begin = 0.0
        self.doing = self.leader = ""

    @property
    def total(self) -> int:
        """The largest possible number of games."""
        last = self.fresh_deals * self.sides
        if self.method == "knockout":
            return (self.combinations - 1) * self.deals * self.seatings + last
        return (self.trials * len(self.against) - self.skipped) * self.deals * self.sides + last

    def run(self, play: Callable[..., TournamentResult], progress: OnProgress | None) -> TuningResult:
        """Search, then measure what was found."""
        self.play = play
        self.report = progress or self.report
        self.begin = time.perf_counter()
        result = TuningResult(
            game=self.loaded.full_name,
            agent=self.base.text,
            over=",".join(map(str, self.space)),
            against=[] if self.method == "knockout" else self.against,
            method=self.method,
            objective="wins" if self.method == "knockout" else self.objective,
            deals=self.deals,
            seed=self.seed,
            best="",
            fresh=None,
        )
        if self.method == "knockout":
            bracket = list(self.knock_out())
            found = replace(result, bracket=bracket, best=bracket[-1][0].winner)
        else:
            trials = list(self.search())
            found = replace(result, trials=trials, best=max(trials, key=lambda one: one.objective.value).agent)
        return replace(found, fresh=self.measure(found.best))

    def compete(self, doing: str, agents: Sequence[str], deals: int, seed: int, pairing: str) -> TournamentResult:
        """Play a tournament; its progress is reported as part of the whole."""
        before, new = self.done, self.new
        self.doing = doing

        def on_progress(state: Progress) -> None:
            self.done, self.new = before + state.done, new + state.new
            self.report_progress()

        return self.play(self.game, agents, deals, seed, pairing=pairing, progress=on_progress)

    def report_progress(self) -> None:
        """Report the progress of the whole tuning."""
        seconds = time.perf_counter() - self.begin
        self.report(WorkProgress(self.doing, self.done, self.total, self.new, seconds, self.leader))

    # --- Optuna -------------------------------------------------------------------------------------------------------

    def search(self) -> Iterator[Trial]:
        """Trials that Optuna proposes; it gets their results, and proposes the same ones in the same order next time."""
        study = new_study(int(stream(self.seed, SAMPLER)[0]) % 2**32)
        start = {one.name: self.base.options[one.name].value for one in self.space}
        if all(one.holds(start[one.name]) for one in self.space):
            study.enqueue_trial(start)  # so that the best is never worse than the agent as it was
        distributions = {one.name: distribution(one) for one in self.space}
        best: Trial | None = None
        known: dict[str, Trial] = {}
        repeats = 0  # in a row
        while len(known) < self.trials and repeats < MOST_REPEATS:
            proposed = study.ask(distributions)
            values = {one.name: one.rounded(proposed.params[one.name]) for one in self.space}
            text = with_values(self.base, values)
            repeats = repeats + 1 if text in known else 0
            if text not in known:
                known[text] = self.measure_candidate(len(known) + 1, text, values)
                if best is None or known[text].objective.value > best.objective.value:
                    best = known[text]
                    self.leader = f"best so far {best.objective} {best.agent}"
                yield known[text]
            study.tell(proposed, known[text].objective.value)

    def measure_candidate(self, number: int, text: str, values: dict[str, Value]) -> Trial:
        """Play a candidate against its opponents."""
        others = [other for other in self.against if other != text]
        objective, forfeits = self.at_par(), 0
        if others:
            doing = f"trial {number} of {self.trials}: {text}"
            standing = self.compete(doing, [text, *others], self.deals, self.seed, "field").standing(0)
            objective = toward_par(getattr(standing, self.objective), self.at_par(), len(others) / len(self.against))
            forfeits = standing.forfeits
        self.skipped += len(self.against) - len(others)
        return Trial(number, text, values, objective, forfeits)

    def at_par(self) -> Estimate:
        """The objective of an agent against itself: known without a game."""
        par = 0.0 if self.objective == "lead" else 1 / self.sides
        return Estimate(par, par, par, self.deals, "deals", rate=self.objective == "wins")

    # --- Knock-out ----------------------------------------------------------------------------------------------------

    def knock_out(self) -> Iterator[list[Pairing]]:
        """Rounds of matches until one candidate is left; after an even match, the one earlier in the draw advances.

        With an odd number, the last in the draw that has not had a bye yet advances without a match.
        """
        left = list(dict.fromkeys(with_values(self.base, values) for values in every_combination(self.space)))
        random.Random(int(stream(self.seed, BRACKET)[0])).shuffle(left)
        draw = list(left)
        had_bye: set[str] = set()
        number = 0
        while len(left) > 1:
            number += 1
            seed = int(stream(self.seed, ROUND, number)[0]) >> 1
            byes = [text for text in left if text not in had_bye][-1:] if len(left) % 2 else []
            had_bye.update(byes)
            paired = [text for text in left if text not in byes]
            heading = f"round {number}, match"
            matches = [
                self.match(f"{heading} {place // 2 + 1} of {len(paired) // 2}", *paired[place : place + 2], seed=seed)
                for place in range(0, len(paired), 2)
            ]
            matches += [Pairing(text, None, text, None) for text in byes]
            left = sorted((match.winner for match in matches), key=draw.index)
            self.leader = f"{len(left)} left"
            yield matches

    def match(self, doing: str, first: str, second: str, *, seed: int) -> Pairing:
        """Play two candidates against each other, with half of the sides each."""
        result = self.compete(f"{doing}: {first} against {second}", [first, second], self.deals, seed, "round-robin")
        ours, theirs = (result.standing(number).wins for number in range(2))
        return Pairing(first, second, second, theirs) if theirs.value > ours.value else Pairing(first, second, first, ours)

    # --- Fresh deals --------------------------------------------------------------------------------------------------

    def measure(self, best: str) -> Fresh | None:
        """Play the best against the agent as it was, on fresh deals."""
        if best == self.base.text:
            return None
        seed = int(stream(self.seed, FRESH)[0]) >> 1
        result = self.compete(f"fresh deals: {best}", [best, self.base.text], self.fresh_deals, seed, "field")
        standing = result.standing(0)
        return Fresh(self.fresh_deals, seed, standing.lead, standing.wins, standing.par)


def is_win_or_loss(game: Game) -> bool:
    """Whether a game's scores only say who won."""
    return set(game.forfeit_scores) == {0.0, 1.0}


def toward_par(estimate: Estimate, par: Estimate, share: float) -> Estimate:
    """An estimate against some opponents, averaged with par: a candidate does not play against itself."""
    if share == 1:
        return estimate
    ends = {name: par.value + share * (getattr(estimate, name) - par.value) for name in ("value", "low", "high")}
    return replace(estimate, **ends)
