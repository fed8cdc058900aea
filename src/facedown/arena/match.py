"""Agents and a seed make a finished record."""

from collections.abc import Callable, Sequence
from threading import Lock

from facedown.agents import Agent, agent
from facedown.agents.random import Random, play_at_random
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.search.decision import Decision
from facedown.state import State

PLAYERS = 2  # first step of the agents' random streams: apart from the deal's

Watch = Callable[[State, Agent, int], None]


class CalledOff(BaseException):
    """The end of a game that those who look on have called off; agents are not to catch it."""


class Turn:
    """Whose turn it is, for those who look on: they may call the game off while somebody thinks, and only then."""

    def __init__(self) -> None:
        self.seat: int | None = None  # who has been asked to act, or is being made ready to
        self.thinking = False  # whether that seat has not answered yet
        self.asked = 0  # how often somebody was asked
        self._called_off = False
        self._lock = Lock()

    def prepare(self, seat: int | None) -> None:
        """Make a seat's agent ready, which may take its time; None when all are."""
        self.seat = seat

    def begin(self, seat: int) -> None:
        """Ask a seat to act."""
        with self._lock:
            self.seat = seat
            self.asked += 1
            self.thinking = True

    def act(self) -> None:
        """Take its answer, unless the game was called off: then nothing is played any more."""
        with self._lock:
            if self._called_off:
                raise CalledOff
            self.thinking = False

    def end(self) -> None:
        """Its action has been played."""
        self.seat = None

    def look(self) -> None:
        """Somebody looks at the clock."""

    def call_off(self, asked: int) -> bool:
        """Stop the game where it is, if who was asked then is still thinking; whether that was so."""
        with self._lock:
            self._called_off = self.thinking and self.asked == asked
            return self._called_off


def seated(agents: Sequence[str | Agent], game: Game, seed: int) -> list[Agent]:
    """One agent for each seat, each with a seed of its own below the game's."""
    if len(agents) != game.seats:
        raise FacedownError(f"expected {game.seats} agents for {game.name}, got {len(agents)}")
    return [agent(text, seed=int(stream(seed, PLAYERS, seat)[0])) for seat, text in enumerate(agents)]


def play(
    game: Game | str,
    agents: Sequence[str | Agent],
    seed: int = 0,
    watch: Watch | None = None,
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
    watch: Watch | None = None,
    thoughts: list[Decision | None] | None = None,
    turn: Turn | None = None,
) -> None:
    """Play a game to its end; decisions are added to `thoughts`, and `turn` says whose turn it is."""
    turn = turn or Turn()
    if watch is None and thoughts is None and all(type(player) is Random for player in players):
        play_at_random(state, [player for player in players if isinstance(player, Random)])
    while (seat := state.seat) is not None:
        player = players[seat]
        position = state.copy() if player.sees_all else state.view(seat)
        turn.begin(seat)
        action = player.choose(position)
        turn.act()
        if watch:
            watch(state, player, action)
        state.play(action, player.seconds)
        if thoughts is not None:
            thoughts.append(player.decision)
        turn.end()
