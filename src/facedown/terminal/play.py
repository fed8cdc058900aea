"""A game at the terminal: the loop that plays it before an audience."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from random import Random
from typing import Any

from rich.console import Console

from facedown.agents import Agent
from facedown.agents.player import shown_to
from facedown.analysis.advice import BUDGETS
from facedown.analysis.risks import risks_of
from facedown.analysis.value import measure
from facedown.game import Game
from facedown.record import GameRecord
from facedown.state import State
from facedown.table.zones import Table
from facedown.terminal.audience import COMPILING, Lines, waiting
from facedown.terminal.choices import rehearse
from facedown.terminal.person import Person

LONGEST_TRIAL = 5000  # actions


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
            action = player.choose(shown_to(player, state))
        state.play(action, player.seconds)
        if decided:
            decided(state, player)
        after = audience.look(state)
        audience.acted(before, after)
        before = after
    return GameRecord.of(state, players)


def first_deal(game: Game, seed: int, players: Sequence[Agent], notes: Console) -> State:
    """Deal, and compile what the players will need now rather than after a person's first card."""
    people = any(isinstance(player, Person) for player in players)
    idlers = {idle.text: idle for player in players if (idle := idler(player))}
    with waiting(notes, COMPILING):
        state = game.deal(seed)
        positions = trial_positions(game.deal(seed + 1))  # another: nobody may learn from a trial what this deal hides
        for player in idlers.values():
            try_out(player, positions)
        if people:
            show_around(positions)
    return state


def trial_positions(state: State) -> list[State]:
    """The positions of a deal that have a choice, played on at random."""
    found: list[State] = []
    trial, chance = state.copy(), Random(0)
    while trial.seat is not None and trial.deals == state.deals and len(trial.history) < LONGEST_TRIAL:
        if len(trial.legal) > 1:
            found.append(trial.copy())
        trial.play(chance.choice(trial.legal))
    return found


def try_out(player: Agent, positions: Sequence[State]) -> None:
    """Let an agent choose in the first position that it has to search, and in the last: there it may solve the endgame."""
    for position in [*positions, *positions[-1:]]:
        thought = player.decision.candidates if player.decision else []
        if position is not positions[-1] and thought and not thought[0].actions:  # sets are chosen by other kernels
            continue
        player.choose(shown_to(player, position))


def show_around(positions: Sequence[State]) -> None:
    """Do once what is done when positions are shown to a person and a choice is tried."""
    for position in positions:
        all_shown(position)
    for position in positions[:1]:
        view = position.view(position.seat or 0)
        rehearse(view, position.legal[0])
        measure(position.game)
        risks_of(view, position.legal[:1], worlds=1)


def all_shown(position: State) -> tuple[Table, Table, list[str]]:
    """What may be shown of a position, to all and to the seat to move."""
    view = position.view(position.seat or 0)
    return position.table, view.table, position.game.texts(view.legal)


def idler(player: Agent) -> Agent | None:
    """The same agent with the smallest budget, which compiles all that it will need; None for who may do anything."""
    ours = type(player).__module__.startswith("facedown.agents")
    if isinstance(player, Person) or not (ours or "iterations" in player.options):
        return None
    values: dict[str, Any] = {
        name: option.value for name, option in player.options.items() if option.value != option.default
    }
    if "iterations" in player.options:
        values = {name: value for name, value in values.items() if name not in BUDGETS}
        values["iterations"] = values.get("threads", 1)  # one for each
    return type(player)(**values)
