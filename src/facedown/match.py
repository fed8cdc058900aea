"""Agents and a seed make a finished record."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from facedown.agents import Agent, agent
from facedown.agents.random import Random, play_at_random
from facedown.decision import Decision
from facedown.errors import FacedownError
from facedown.game import Game, State
from facedown.games import load
from facedown.record import GameRecord
from facedown.rng import stream

PLAYERS = 2  # first step of the agents' random streams: apart from the deal's

Watch = Callable[[State, Agent, int], None]


@dataclass
class Turn:
    """Whose turn it is, and since when, for those who look on."""

    seat: int | None = None
    since: float = 0.0


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
        turn.since = time.perf_counter()
        turn.seat = seat
        action = player.choose(position)
        if watch:
            watch(state, player, action)
        state.play(action, player.seconds)
        turn.seat = None
        if thoughts is not None:
            thoughts.append(player.decision)
