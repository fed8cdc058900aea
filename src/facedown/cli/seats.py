"""Who sits where: a game and its agents, from the words of a command."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from facedown.cli.output import stdout_for_results
from facedown.errors import FacedownError, loading

if TYPE_CHECKING:
    from facedown.agents import Agent
    from facedown.game import Game
    from facedown.state import State

PERSON = "human"  # as people name themselves among agents


def loaded_game(text: str) -> "Game":
    """The game a text names."""
    from facedown.games import load

    with loading(text), stdout_for_results():
        return load(text)


def seated_agents(texts: Sequence[str], game: "Game", seed: int) -> "list[Agent]":
    """The agents some texts name, one for each seat."""
    from facedown.arena.match import seated

    if PERSON in texts:
        raise FacedownError(f"expected agents, got {PERSON}: people play by facedown play")
    with loading(" ".join(texts)), stdout_for_results():
        return seated(texts, game, seed)


def one_for_each(texts: Sequence[str], seats: int, whose: str) -> list[str]:
    """A text for each seat: those given, or the only one for all."""
    if len(texts) not in (1, seats):
        expected = f"1 or {seats} agents" if seats > 1 else "1 agent"
        raise FacedownError(f"expected {expected} for {whose}, got {len(texts)}: {' '.join(texts)}")
    return list(texts) * (seats if len(texts) == 1 else 1)


def print_result(console: Console, state: "State", players: "Sequence[Agent]", own: int | None) -> None:
    """Print the scores, why the game ended, the winner and the seed."""
    from facedown.terminal.results import result_table

    console.print(result_table(state.game, [player.text for player in players], state.scores, own, state.outcome))
    console.print(f" seed {state.seed}")
