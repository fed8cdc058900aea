"""Agents and a seed make a finished record."""

from collections.abc import Callable, Sequence

from facedown.agents import Agent, agent
from facedown.decision import Decision
from facedown.errors import FacedownError
from facedown.game import Game, State
from facedown.games import load
from facedown.record import GameRecord
from facedown.rng import stream

PLAYERS = 2  # first step of the agents' random streams: apart from the deal's


def seated(agents: Sequence[str | Agent], game: Game, seed: int) -> list[Agent]:
    """One agent for each seat, each with a seed of its own below the game's."""
    if len(agents) != game.seats:
        raise FacedownError(f"expected {game.seats} agents for {game.name}, got {len(agents)}")
    return [agent(text, seed=int(stream(seed, PLAYERS, seat)[0])) for seat, text in enumerate(agents)]


def play(
    game: Game | str,
    agents: Sequence[str | Agent],
    seed: int = 0,
    watch: Callable[[State, Agent, int], None] | None = None,
    *,
    decisions: bool = False,
) -> GameRecord:
    """Play one game; `watch(state, agent, action)` is called before each action. Decisions are recorded on request."""
    game = load(game) if isinstance(game, str) else game
    state = game.deal(seed)
    players = seated(agents, game, seed)
    thoughts: list[Decision | None] = []
    while (seat := state.seat) is not None:
        player = players[seat]
        action = player.choose(state.copy() if player.sees_all else state.view(seat))
        if watch:
            watch(state, player, action)
        state.play(action)
        if decisions:
            thoughts.append(player.decision)
    return GameRecord.of(state, players, decisions=thoughts if decisions else None)
