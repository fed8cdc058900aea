"""Agents and a seed make a finished record."""

from collections.abc import Callable, Sequence
from threading import Lock

from facedown.agents import Agent, agent
from facedown.agents.player import shown_to
from facedown.agents.random import Random, play_at_random
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.search.decision import Decision
from facedown.state import State

PLAYERS = 2  # first step of the agents' random streams, which differ from the deal's

OnAction = Callable[[State, Agent, int], None]


class GameCancelled(BaseException):
    """Raised in a game that its supervisor has cancelled; agents must not catch it."""


class TurnTracker:
    """Whose turn it is, for a supervisor: it may cancel the game, but only while an agent is thinking."""

    def __init__(self) -> None:
        self.seat: int | None = None  # that has been asked to act, or whose agent is being made
        self.thinking = False  # whether that seat has yet to answer
        self.asked = 0  # how many times any seat was asked to act
        self._cancelled = False
        self._lock = Lock()

    def prepare(self, seat: int | None) -> None:
        """A seat's agent is being made, which may take long; None when all are made."""
        self.seat = seat

    def begin(self, seat: int) -> None:
        """A seat is asked to act."""
        with self._lock:
            self.seat = seat
            self.asked += 1
            self.thinking = True

    def act(self) -> None:
        """The seat has answered; raises GameCancelled if the game was cancelled meanwhile."""
        with self._lock:
            if self._cancelled:
                raise GameCancelled
            self.thinking = False

    def end(self) -> None:
        """Its action has been played."""
        self.seat = None

    def clock_checked(self) -> None:
        """The supervisor has checked the clock."""

    def cancel(self, asked: int) -> bool:
        """Cancel the game if the seat that was asked then is still thinking; return whether that was so."""
        with self._lock:
            self._cancelled = self.thinking and self.asked == asked
            return self._cancelled


def seated(agents: Sequence[str | Agent], game: Game, seed: int) -> list[Agent]:
    """One agent for each seat, each with a seed of its own below the game's."""
    if len(agents) != game.seats:
        raise FacedownError(f"expected {game.seats} agents for {game.name}, got {len(agents)}")
    return [agent(text, seed=int(stream(seed, PLAYERS, seat)[0])) for seat, text in enumerate(agents)]


def play(
    game: Game | str,
    agents: Sequence[str | Agent],
    seed: int = 0,
    watch: OnAction | None = None,
    *,
    decisions: bool = False,
) -> GameRecord:
    """Play one game; `watch(state, agent, action)` is called before each action. Decisions are recorded on request."""
    game = load(game) if isinstance(game, str) else game
    state = game.deal(seed)
    players = seated(agents, game, seed)
    thoughts: list[Decision | None] | None = [] if decisions else None
    play_on(state, players, watch, thoughts)
    return GameRecord.of(state, players, decisions=thoughts)


def play_on(
    state: State,
    players: Sequence[Agent],
    watch: OnAction | None = None,
    thoughts: list[Decision | None] | None = None,
    turn: TurnTracker | None = None,
) -> None:
    """Play a game to its end; adds decisions to `thoughts`, and keeps `turn` up to date."""
    turn = turn or TurnTracker()
    if watch is None and thoughts is None and all(type(player) is Random for player in players):
        play_at_random(state, [player for player in players if isinstance(player, Random)])
    while (seat := state.seat) is not None:
        player = players[seat]
        position = shown_to(player, state)
        turn.begin(seat)
        action = player.choose(position)
        turn.act()
        if watch:
            watch(state, player, action)
        state.play(action, player.seconds)
        if thoughts is not None:
            thoughts.append(player.decision)
        turn.end()
