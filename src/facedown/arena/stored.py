"""The result of a tournament as its run has it in a store: nothing is played, and a run that goes on is as far as it is."""

from collections.abc import Callable, Sequence

from facedown.arena.schedule import Schedule, schedule
from facedown.arena.standings import Ledger, results_of
from facedown.arena.tournament import TournamentResult
from facedown.errors import StoreError
from facedown.game import Game
from facedown.store import GameResult, Run
from facedown.store.runs import RunSettings

PLANNED = ("game", "agents", "deals", "seed", "pairing", "seating")  # the settings of a run that was played from a schedule
NO_SEED = -1  # of a schedule that was read off its games


def stored_result(run: Run, load: Callable[[str], Game]) -> TournamentResult:
    """The result so far; a StoreError where the games of a run are no tournament."""
    game = load(game_of(run))
    results = results_of(run, game.seats)
    plan = planned(game, run.settings) if is_planned(run.settings) else found_plan(game, results)
    if any(one.seating >= len(plan.lineups) for one in results):
        raise StoreError(f"expected seatings below {len(plan.lineups)} in the run {run.name!r}, got others")
    ledger = Ledger(plan, results)
    standings, comparisons = ledger.standings(), ledger.comparisons()
    return TournamentResult(run.name, plan, ledger, standings, comparisons, None)


def is_planned(settings: RunSettings) -> bool:
    """Whether a run's settings say who sat where; those of an imported one do not."""
    return all(name in settings for name in PLANNED)


def planned(game: Game, settings: RunSettings) -> Schedule:
    """The schedule that a run was played from."""
    return schedule(game, *(settings[name] for name in PLANNED[1:]))


def game_of(run: Run) -> str:
    """The game that all games of a run are of."""
    if "game" in run.settings:
        return str(run.settings["game"])
    texts = run.games()
    if len(texts) != 1:
        raise StoreError(f"expected games of one kind in the run {run.name!r}, got {', '.join(texts) or 'none'}")
    return texts[0]


def found_plan(game: Game, results: Sequence[GameResult]) -> Schedule:
    """A schedule read off the games themselves: who sat where in each seating."""
    seated: dict[int, tuple[str, ...]] = {}
    for one in results:
        if seated.setdefault(one.seating, one.agents) != one.agents:
            raise StoreError(
                f"expected the same agents in all games of seating {one.seating}, got others on deal {one.deal}"
            )
        if any(one.agents[seat] != one.agents[game.sides.index(side)] for seat, side in enumerate(game.sides)):
            raise StoreError(f"expected partners to be one agent, got two on deal {one.deal}, seating {one.seating}")
    agents = tuple(dict.fromkeys(agent for seating in sorted(seated) for agent in seated[seating]))
    if len(agents) < 2 or sorted(seated) != list(range(len(seated))):
        raise StoreError(f"expected games between two agents or more in seatings from 0 on, got {len(agents)} agents")
    lineups = tuple(tuple(map(agents.index, seated[seating])) for seating in range(len(seated)))
    return Schedule(game, agents, 1 + max(one.deal for one in results), NO_SEED, lineups)
