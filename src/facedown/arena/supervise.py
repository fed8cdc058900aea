"""The games of a tournament, whatever the agents do: one that fails forfeits its game, and the others go on.

An agent forfeits by raising an error, by an action that is not legal, or by taking longer for one than it may. Its side is
given the worst score of the game, and all the others the best (`Game.forfeit_scores`); the record says who, why and where.
"""

import ctypes
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from facedown.agents import Agent, agent
from facedown.agents.random import Random
from facedown.arena.journal import Journal
from facedown.arena.match import Turn, play_on
from facedown.arena.run_identity import Source, check_files, loaded_as
from facedown.arena.schedule import Lineup, agent_seed, deal_seed
from facedown.arena.workers import leave, slate
from facedown.compiler.activity import is_compiling
from facedown.errors import BadGame, IllegalMove
from facedown.game import Game
from facedown.record import GameRecord
from facedown.search.decision import Decision
from facedown.state import State

CHECKED_EVERY = 0.2  # seconds
MOST_AT_A_CHECK = 1.0  # seconds that count from one look to the next: the process may have been stopped meanwhile
STOPS_WITHIN = 0.5  # seconds


@dataclass(frozen=True)
class Terms:
    """All that a worker must know to play any game of a tournament; plain data, to be sent anywhere."""

    game: str | Game  # its text, where workers are other processes
    agents: tuple[str, ...]
    lineups: tuple[Lineup, ...]  # for each seating, the number of the agent at each seat
    seed: int
    decisions: bool = False  # to be kept in the records
    move_seconds: float = 0.0  # that an action may take; 0 is as long as it likes
    game_path: str | None = None  # what records call the game, if not by its name
    sources: tuple[Source, ...] = ()  # all that plays, which a worker that loads it again compares
    files: tuple[Source, ...] = ()  # those of them that are read anew for each game


Place = tuple[int, int]  # deal and seating


@dataclass(frozen=True)
class Played:
    """A finished game, and where it stood."""

    deal: int
    seating: int
    record: GameRecord
    seconds: float | None


class TooSlow(Exception):
    """Raised in the thread of an agent that has taken too long."""


def play_games(terms: Terms, places: Sequence[Place]) -> list[Played]:
    """Play the games at some places of the schedule."""
    game = game_of(terms)
    check_files(terms.files)
    played = [play_game(terms, game, deal, seating, number) for number, (deal, seating) in enumerate(places)]
    check_files(terms.files)
    return played


def game_of(terms: Terms) -> Game:
    """The game itself, by the very code that the tournament began with."""
    if isinstance(terms.game, Game):
        return terms.game
    game = loaded_as(terms.game, terms.agents, terms.sources).with_options()
    game.path = terms.game_path
    return game


def play_game(terms: Terms, game: Game, deal: int, seating: int, number: int = 0) -> Played:
    """Play one game to its end, or to the first failure; `number` is its place among those a worker was given."""
    begin = time.perf_counter()
    turn = Journal(slate(), number)
    try:
        state = turn.state = dealt(terms, game, deal)
        thoughts: list[Decision | None] | None = [] if terms.decisions else None
        players: list[Agent] = []

        def work() -> None:
            for seat, (text, seed) in enumerate(seats(terms, deal, seating)):
                turn.prepare(seat)
                players.append(agent(text, seed))
            turn.prepare(None)
            play_on(state, players, thoughts=thoughts, turn=turn)

        failure = supervise(work, turn, limit_for(terms, seating))
        if failure is None:
            record = GameRecord.of(state, players, decisions=thoughts)
        elif turn.seat is None or isinstance(failure, BadGame):  # no agent's fault
            raise failure
        else:
            record = forfeited(terms, state, (deal, seating), turn.seat, reason(failure), where(failure), thoughts)
    finally:
        turn.close()
    return Played(deal, seating, record, time.perf_counter() - begin)


def dealt(terms: Terms, game: Game, deal: int) -> State:
    """The beginning of a game."""
    return game.deal(deal if game.chosen_deals else deal_seed(terms.seed, deal))


def seats(terms: Terms, deal: int, seating: int) -> list[tuple[str, int]]:
    """The text and the seed of the agent at each seat."""
    lineup = terms.lineups[seating]
    return [(terms.agents[number], agent_seed(terms.seed, deal, seating, seat)) for seat, number in enumerate(lineup)]


def limit_for(terms: Terms, seating: int) -> float | None:
    """How long an action may take; None where nobody needs to look on, since all play at random."""
    harmless = all(terms.agents[number] == Random.name for number in terms.lineups[seating])
    return None if harmless else terms.move_seconds


# --- Forfeits ---------------------------------------------------------------------------------------------------------


def forfeited(
    terms: Terms,
    state: State,
    place: Place,
    seat: int,
    why: str,
    way: str | None,
    thoughts: Sequence[Decision | None] | None,
) -> GameRecord:
    """The record of a game that ends by what a seat did, or failed to do."""
    texts, seeds = zip(*seats(terms, *place), strict=True)
    forfeit: dict[str, Any] = {"seat": seat, "reason": why, "traceback": way}
    scores = forfeit_scores(state, seat)
    record = GameRecord.of(state, texts, decisions=thoughts, forfeit=forfeit, scores=scores)
    return replace(record, agent_seeds=list(seeds))


def forfeit_scores(state: State, seat: int) -> list[float]:
    """The scores when a seat forfeits: the worst for its side, the best for all others."""
    game = state.game
    worst, best = game.forfeit_scores
    sides = game.sides
    return [worst if side == sides[seat] else best for side in sides]


# --- Looking on -------------------------------------------------------------------------------------------------------


def supervise(work: Callable[[], None], turn: Turn, limit: float | None) -> BaseException | None:
    """Do some work in a thread of its own, and call the game off when a turn takes too long; what it failed by.

    Whatever is raised in that thread is its own doing, and what interrupts this one is not. A limit of 0 lets all think as
    long as they like; with None nobody is looked at, and work is done here.
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
        leave()
    return TooSlow(f"took longer than {limit:g} s for an action")


def too_slow(thread: threading.Thread, turn: Turn, limit: float) -> bool:
    """Wait for a game's end, or call it off when somebody thinks for too long; whether that was so."""
    asked, spent, looked = 0, 0.0, time.monotonic()
    while True:
        thread.join(CHECKED_EVERY)
        if not thread.is_alive():
            return False
        now = time.monotonic()
        passed, looked = min(now - looked, MOST_AT_A_CHECK), now
        turn.look()
        if turn.asked != asked or not turn.thinking:
            asked, spent = turn.asked, 0.0
        elif not is_compiling():
            spent += passed
        if limit and spent > limit and turn.call_off(asked):
            return True


class Supervised(threading.Thread):
    """A thread that can be told to stop, and never when it has ended: its number may be another's by then."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self._ended = False
        self._lock = threading.Lock()

    def run(self) -> None:
        """Work to the end, or until told to stop."""
        try:
            self._work()
            with self._lock:
                self._ended = True
        except TooSlow:  # told to just as it ended
            pass

    def stop(self) -> None:
        """Raise an error in it, at its next step of Python: there is no way to end one that is inside other code."""
        with self._lock:
            if not self._ended:
                identity = ctypes.c_ulong(self.ident or 0)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(TooSlow))


def reason(error: BaseException) -> str:
    """An error in one line."""
    kind = "" if isinstance(error, TooSlow | IllegalMove) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split())}".strip(": ") or type(error).__name__


def where(error: BaseException) -> str | None:
    """The way to an error, without the folders, which differ from machine to machine."""
    if isinstance(error, TooSlow | IllegalMove):
        return None
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join(f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}: {frame.line}" for frame in frames)
