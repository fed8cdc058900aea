"""The players of Cowling, Ward and Powley 2012 as agents, their duels, and the CPU time of their moves."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as numbers
from itertools import product

from facedown import stats
from facedown.agents import Agent, agent
from facedown.agents.ensemble import Ensemble
from facedown.arena.tournament import TournamentResult
from facedown.games import load
from facedown.kernel import Array
from facedown.lab.experiments.cowling.magic_decks import WIDE_DECK
from facedown.lab.experiments.cowling.magic_published import STANDARD, WIDE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row
from facedown.lab.experiments.running import Contest, Lab
from facedown.options import parse_text
from facedown.search.ensemble import EnsembleSearch
from facedown.search.search import Search
from facedown.state import State
from facedown.stats import Estimate

GAME = "magic:balanced=true"  # section VII: deals that favour no seat, each played with both seats
DECKS = {STANDARD: GAME, WIDE: f"magic:deck={WIDE_DECK}"}
BUDGET = 10_000  # simulations of a decision
QUICK_BUDGET = 40
EXPERT, REDUCED = "expert", "reduced"
PARTS = 3  # of a game, from which main phases are taken in turn

# Table I; what is not said is the baseline's, and the agent's default: 40 trees, c = 1.5, discount 0.99, non-land pruning.
PLAYERS = {
    "AP": "ap=true,playout=uniform,mp=none,discount=1",
    "BA": "",
    "IL": "il=true",
    "IR": "ir=true",
    "NL": "nl=true",
    "MP": "mp=dominated",
    "BT": "bt=true",
}
FLAGS = ("BT", "MP", "NL", "IR")  # section VII-D: the enhancements that are combined, in the order of the tables


def ensemble(options: str, budget: int, trees: int = 40) -> str:
    """An ensemble player with n simulations."""
    return ",".join(filter(None, (f"ensemble:iterations={budget},trees={trees}", options)))


def combinations(names: Sequence[str] = FLAGS) -> dict[str, str]:
    """All combinations of enhancements, named as the tables name them, with their options."""
    found = {}
    for used in product((True, False), repeat=len(names)):
        name = f"({', '.join(flag if one else '-' for flag, one in zip(names, used, strict=True))})"
        found[name] = ",".join(PLAYERS[flag] for flag, one in zip(names, used, strict=True) if one)
    return found


def duel(first: str, second: str, deals: int, game: str = GAME) -> Contest:
    """Two players, each deal with both seats."""
    return Contest(game, (first, second), deals)


def wins_by_deal(result: TournamentResult) -> list[float]:
    """The win rate of the first player of a duel on each deal, over both seats."""
    won: dict[int, list[float]] = {}
    for game in result.ledger.results:
        seat = result.schedule.lineups[game.seating].index(0)
        won.setdefault(result.schedule.first_alike(game.deal), []).append(game.scores[seat])
    return [sum(scores) / len(scores) for _, scores in sorted(won.items())]


def lead_of(ours: Sequence[TournamentResult], theirs: Sequence[TournamentResult]) -> Estimate:
    """What some first players win more than others do, on average and in percentage points; all have the same deals."""
    better, worse = ([wins_by_deal(result) for result in results] for results in (ours, theirs))
    deals = min(len(won) for won in (*better, *worse))
    means = [[100 * sum(won[deal] for won in group) / len(group) for deal in range(deals)] for group in (better, worse)]
    return stats.paired_difference(*means)


def main_phases(count: int, seed: int, game: str = "magic") -> list[State]:
    """Main phases with a choice of so many games between experts, one of each: their figures are independent."""
    found: list[State] = []
    expert, deals = agent(EXPERT), numbers(seed)
    while len(found) < count:
        phases = list(phases_of(load(game).deal(next(deals)), expert))
        found += phases[len(phases) * (1 + len(found) % PARTS) // (PARTS + 1) :][:1]  # early and late ones in turn
    return found


def phases_of(state: State, player: Agent) -> Iterator[State]:
    """The main phases of a game, as each begins."""
    turn = -1
    while not state.over:
        facts = state.facts
        if facts["phase"] == "main" and facts["turn"] != turn and len(state.legal) > 1:
            turn = facts["turn"]
            yield state.copy()
        state.play(player.choose(state.view(state.seat or 0)))


class WatchedEnsemble(Ensemble):
    """An ensemble whose last search can be looked at; None where it did not search."""

    watched: EnsembleSearch | None = None

    def spend(self, searches: Sequence[Search], shares: Sequence[int]) -> None:
        """Search as the ensemble does; with one thread a search has all trees."""
        [self.watched] = [search for search in searches if isinstance(search, EnsembleSearch)]
        super().spend(searches, shares)


def searches_in(phases: Sequence[State], text: str) -> Iterator[EnsembleSearch]:
    """What an ensemble player searched in main phases, where it did."""
    player = WatchedEnsemble(0, **parse_text(text)[1])
    for phase in phases:
        player.watched = None
        player.choose(phase.view(phase.seat or 0))
        if player.watched:
            yield player.watched


def seconds_of(text: str, phases: Sequence[State]) -> list[float]:
    """The CPU time of a whole main phase: all its questions, and as many searches as they take."""
    player = agent(text)
    spent = []
    for phase in [phases[0], *phases]:  # the first one twice: it may have to compile
        state = phase.copy()
        seat, turn = state.seat, state.facts["turn"]
        begin = time.process_time()
        while not state.over and state.seat == seat and state.facts["turn"] == turn:
            state.play(player.choose(state.view(seat or 0)))
        spent.append(time.process_time() - begin)
    return spent[1:]


def seconds_rows(lab: Lab, players: Mapping[str, str], published: Mapping[str, Published]) -> list[Row]:
    """The CPU time of a move of each player."""
    rows = []
    for name, spent in seconds_spent(lab, players).items():
        label = f"{name}: seconds"
        rows.append(Row(label, published.get(label), mean_by_phase(spent)))
    return rows


def mean_by_phase(values: Sequence[float] | Array) -> Estimate:
    """The mean of a figure of main phases, one value for each."""
    return replace(stats.mean(values), unit="main phases", signed=False)


def seconds_spent(lab: Lab, players: Mapping[str, str], game: str = "magic") -> dict[str, list[float]]:
    """The CPU time of each player in the same main phases."""
    phases = main_phases(100 if lab.full else 2, lab.settings.seed, game)
    return {name: seconds_of(players[name], phases) for name in lab.steps("CPU seconds a move", "players", list(players))}
