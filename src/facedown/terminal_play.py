"""A game at the terminal: the loop that plays it before an audience."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext

from rich.console import Console

from facedown.agents import Agent
from facedown.game import Game, State
from facedown.record import GameRecord
from facedown.terminal_audience import COMPILING, Lines, waiting
from facedown.terminal_person import Person


def play_out(
    state: State, players: Sequence[Agent], audience: Lines, decided: Callable[[State, Agent], None] | None = None
) -> GameRecord:
    """Play a game to its end before an audience; `decided(state, agent)` is called after each action."""
    audience.meet(players)
    before = audience.look(state)
    audience.dealt(before)
    while (seat := state.seat) is not None:
        player = players[seat]
        with nullcontext() if isinstance(player, Person) else audience.thinking(seat):
            action = player.choose(state.copy() if player.sees_all else state.view(seat))
        state.play(action, player.seconds)
        if decided:
            decided(state, player)
        after = audience.look(state)
        audience.acted(before, after)
        before = after
    return GameRecord.of(state, players)


def first_deal(game: Game, seed: int, players: Iterable[Agent], notes: Console) -> State:
    """Deal, and compile the players' searches now rather than after a person's first card."""
    with waiting(notes, COMPILING):
        state = game.deal(seed)
        trial = state.copy()
        while len(trial.legal) == 1:  # nothing to search there
            trial.play(trial.legal[0])
        for kind in {type(player) for player in players}:
            if trial.seat is not None and any(option.name == "iterations" for option in kind.declared):
                kind(iterations=1).choose(trial.copy() if kind.sees_all else trial.view(trial.seat))
    return state
