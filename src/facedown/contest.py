"""The games of a tournament, whatever the agents do: one that fails forfeits its game, and the others go on.

An agent forfeits by raising an error, by an action that is not legal, or by taking longer for one than it may. Its side is
given the worst score of the game, and all the others the best (`Game.forfeit_scores`); the record says who, why and where.
"""

import ctypes
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from facedown.agents import Agent, agent
from facedown.agents.random import Random
from facedown.decision import Decision
from facedown.errors import IllegalMove
from facedown.game import Game, State
from facedown.games import load
from facedown.match import Turn, play_on
from facedown.record import GameRecord
from facedown.schedule import Lineup, agent_seed, deal_seed

CHECKED_EVERY = 0.2  # seconds


@dataclass(frozen=True)
class Terms:
    """All that a worker must know to play any game of a tournament; plain data, to be sent anywhere."""

    game: str | Game  # its text, where workers are other processes
    agents: tuple[str, ...]
    lineups: tuple[Lineup, ...]  # for each seating, the number of the agent at each seat
    seed: int
    decisions: bool = False  # to be kept in the records
    move_seconds: float = 0.0  # that an action may take; 0 is as long as it likes


@dataclass(frozen=True)
class Played:
    """A finished game, and where it stood."""

    deal: int
    seating: int
    record: GameRecord
    seconds: float


class TooSlow(Exception):
    """Raised in the thread of an agent that has taken too long, and of the game in its place."""


def play_games(terms: Terms, places: Sequence[tuple[int, int]]) -> list[Played]:
    """Play the games at some places of the schedule."""
    game = terms.game if isinstance(terms.game, Game) else load(terms.game)
    return [play_game(terms, game, deal, seating) for deal, seating in places]


def play_game(terms: Terms, game: Game, deal: int, seating: int) -> Played:
    """Play one game to its end, or to the first failure."""
    begin = time.perf_counter()
    state = game.deal(deal if game.chosen_deals else deal_seed(terms.seed, deal))
    players = [
        agent(terms.agents[number], agent_seed(terms.seed, deal, seating, seat))
        for seat, number in enumerate(terms.lineups[seating])
    ]
    thoughts: list[Decision | None] | None = [] if terms.decisions else None
    turn = Turn()
    forfeit = scores = None
    try:
        supervise(lambda: play_on(state, players, thoughts=thoughts, turn=turn), turn, limit_for(players, terms))
    except (Exception, SystemExit) as error:
        if turn.seat is None:
            raise
        forfeit = {"seat": turn.seat, "reason": reason(error), "traceback": where(error)}
        scores = forfeit_scores(state, turn.seat)
    record = GameRecord.of(state, players, decisions=thoughts, forfeit=forfeit, scores=scores)
    return Played(deal, seating, record, time.perf_counter() - begin)


def limit_for(players: Sequence[Agent], terms: Terms) -> float:
    """How long an action may take; those who never think need nobody to look on."""
    return 0.0 if all(type(player) is Random for player in players) else terms.move_seconds


def forfeit_scores(state: State, seat: int) -> list[float]:
    """The scores when a seat forfeits: the worst for its side, the best for all others."""
    game = state.game
    worst, best = game.forfeit_scores
    sides = game.sides
    return [worst if side == sides[seat] else best for side in sides]


# --- Looking on -------------------------------------------------------------------------------------------------------


def supervise(work: Callable[[], None], turn: Turn, limit: float) -> None:
    """Do some work in a thread of its own, and leave it when a turn takes too long; the thread is told to stop."""
    if not limit:
        work()
        return
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(CHECKED_EVERY)
            if turn.seat is not None and time.perf_counter() - turn.since > limit:
                raise TooSlow(f"took longer than {limit:g} s for an action")
    except BaseException:  # an interruption from the keyboard too
        stop(thread)
        raise
    if failures:
        raise failures[0]


def stop(thread: threading.Thread) -> None:
    """Raise an error in a thread, at its next step of Python: there is no way to end one that is inside other code."""
    identity = ctypes.c_ulong(thread.ident or 0)
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
