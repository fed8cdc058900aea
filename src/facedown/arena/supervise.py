"""The games of a tournament, whatever the agents do: one that fails forfeits its game, and the tournament continues.

An agent forfeits if it raises an error, plays an illegal action, or exceeds the time limit for an action. Its side gets the
worst score of the game, and all the others the best (`Game.forfeit_scores`); the record has the seat, reason and traceback.
"""

import ctypes
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from facedown.agents import Agent, agent
from facedown.agents.random import Random
from facedown.arena.game_log import GameLog
from facedown.arena.match import TurnTracker, play_on
from facedown.arena.run_identity import Source, check_files, loaded_as
from facedown.arena.schedule import Lineup, agent_seed, deal_seed
from facedown.arena.workers import end_after_task, shared_memory
from facedown.compiler.activity import is_compiling
from facedown.errors import BadGame, IllegalMove
from facedown.game import Game
from facedown.record import Data, GameRecord
from facedown.search.decision import Decision
from facedown.state import State
from facedown.store.results import PlayedGame

CHECKED_EVERY = 0.2  # seconds
MOST_AT_A_CHECK = 1.0  # seconds counted from one check to the next: the process may have been suspended meanwhile
STOPS_WITHIN = 0.5  # seconds


@dataclass(frozen=True)
class TournamentSpec:
    """All that a worker must know to play any game of a tournament; plain data that can be sent to other processes."""

    game: str | Game  # its text, where workers are other processes
    agents: tuple[str, ...]
    lineups: tuple[Lineup, ...]  # for each seating, the number of the agent at each seat
    seed: int
    decisions: bool = False  # to be kept in the records
    move_seconds: float = 0.0  # that an action may take; 0 is no limit
    game_path: str | None = None  # the name of the game in records, if not its own
    sources: tuple[Source, ...] = ()  # all code that plays; a worker compares what it loads with it
    files: tuple[Source, ...] = ()  # those of them that are read again for each game


Place = tuple[int, int]  # deal and seating


class TooSlow(Exception):
    """Raised in the thread of an agent that has taken too long."""


def play_games(spec: TournamentSpec, places: Sequence[Place]) -> list[PlayedGame]:
    """Play the games at some places of the schedule."""
    game = game_of(spec)
    check_files(spec.files)
    played = [play_game(spec, game, deal, seating, number) for number, (deal, seating) in enumerate(places)]
    check_files(spec.files)
    return played


def game_of(spec: TournamentSpec) -> Game:
    """The game itself; refused if its code is not the one that the tournament began with."""
    if isinstance(spec.game, Game):
        return spec.game
    game = loaded_as(spec.game, spec.agents, spec.sources).with_options()
    game.path = spec.game_path
    return game


def play_game(spec: TournamentSpec, game: Game, deal: int, seating: int, number: int = 0) -> PlayedGame:
    """Play one game to its end, or to the first failure; `number` is its place in the worker's task."""
    begin, cpu = time.perf_counter(), time.process_time()
    turn = GameLog(shared_memory(), number)
    try:
        state = turn.state = dealt(spec, game, deal)
        thoughts: list[Decision | None] | None = [] if spec.decisions else None
        players: list[Agent] = []

        def work() -> None:
            for seat, (text, seed) in enumerate(seats(spec, deal, seating)):
                turn.prepare(seat)
                players.append(agent(text, seed))
            turn.prepare(None)
            play_on(state, players, thoughts=thoughts, turn=turn)

        failure = supervise(work, turn, limit_for(spec, seating))
        if failure is None:
            record = GameRecord.of(state, players, decisions=thoughts)
        elif turn.seat is None or isinstance(failure, BadGame):  # no agent's fault
            raise failure
        else:
            forfeit = {"seat": turn.seat, "reason": one_line(failure), "traceback": frames_of(failure)}
            record = forfeited(spec, state, (deal, seating), forfeit, thoughts)
    finally:
        turn.close()
    return PlayedGame(deal, seating, record, time.perf_counter() - begin, time.process_time() - cpu)


def dealt(spec: TournamentSpec, game: Game, deal: int) -> State:
    """A game at its beginning."""
    return game.deal(deal if game.chosen_deals else deal_seed(spec.seed, deal))


def seats(spec: TournamentSpec, deal: int, seating: int) -> list[tuple[str, int]]:
    """The text and the seed of the agent at each seat."""
    lineup = spec.lineups[seating]
    return [(spec.agents[number], agent_seed(spec.seed, deal, seating, seat)) for seat, number in enumerate(lineup)]


def limit_for(spec: TournamentSpec, seating: int) -> float | None:
    """How long an action may take; None where no supervision is needed, since all play at random."""
    harmless = all(spec.agents[number] == Random.name for number in spec.lineups[seating])
    return None if harmless else spec.move_seconds


# --- Forfeits ---------------------------------------------------------------------------------------------------------


def forfeited(
    spec: TournamentSpec, state: State, place: Place, forfeit: Data, thoughts: Sequence[Decision | None] | None
) -> GameRecord:
    """The record of a game that a seat forfeits."""
    texts, seeds = zip(*seats(spec, *place), strict=True)
    scores = forfeit_scores(state, forfeit["seat"])
    record = GameRecord.of(state, texts, decisions=thoughts, forfeit=forfeit, scores=scores)
    return replace(record, agent_seeds=list(seeds))


def forfeit_scores(state: State, seat: int) -> list[float]:
    """The scores when a seat forfeits: the worst for its side, the best for all others."""
    game = state.game
    worst, best = game.forfeit_scores
    sides = game.sides
    return [worst if side == sides[seat] else best for side in sides]


# --- Supervision ------------------------------------------------------------------------------------------------------


def supervise(work: Callable[[], None], turn: TurnTracker, limit: float | None) -> BaseException | None:
    """Run `work` in a thread, and cancel the game when a turn takes too long; return the error it failed with.

    Errors raised in that thread are the agent's; an interruption of this thread is not. A limit of 0 is no limit; with None
    the work runs in this thread without supervision.
    """
    if limit is None:
        work()
        return None
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = Supervised(run)
    thread.start()
    try:
        if not too_slow(thread, turn, limit):
            return failures[0] if failures else None
    except BaseException:  # an interruption from the keyboard
        thread.stop()
        raise
    thread.stop()
    thread.join(STOPS_WITHIN)
    if thread.is_alive():
        end_after_task()
    return TooSlow(f"took longer than {limit:g} s for an action")


def too_slow(thread: threading.Thread, turn: TurnTracker, limit: float) -> bool:
    """Wait for the end of a game, or cancel it when an agent thinks for too long; return whether it was cancelled."""
    asked, spent, checked = 0, 0.0, time.monotonic()
    while True:
        thread.join(CHECKED_EVERY)
        if not thread.is_alive():
            return False
        now = time.monotonic()
        passed, checked = min(now - checked, MOST_AT_A_CHECK), now
        turn.clock_checked()
        if turn.asked != asked or not turn.thinking:
            asked, spent = turn.asked, 0.0
        elif not is_compiling():
            spent += passed
        if limit and spent > limit and turn.cancel(asked):
            return True


class Supervised(threading.Thread):
    """A thread that can be stopped; not after its end, since its id may then belong to another thread."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._ended = False
        self._lock = threading.Lock()

    def run(self) -> None:
        """Work until done or stopped."""
        try:
            self._work()
            with self._lock:
                self._ended = True
        except TooSlow:  # stopped just as it ended
            pass

    def stop(self) -> None:
        """Raise an error in it at its next Python instruction; a thread inside compiled code cannot be stopped."""
        with self._lock:
            if not self._ended:
                identity = ctypes.c_ulong(self.ident or 0)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(TooSlow))


def one_line(error: BaseException) -> str:
    """An error in one line."""
    kind = "" if isinstance(error, TooSlow | IllegalMove) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())}".strip(": ") or type(error).__name__


def frames_of(error: BaseException) -> str | None:
    """The traceback of an error without folders, which differ between machines."""
    if isinstance(error, TooSlow | IllegalMove):
        return None
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join(f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}" for frame in frames)
