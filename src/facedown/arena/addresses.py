"""Texts that identify games and agents given as objects, so that other processes can load them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from facedown.agents import Agent, agent, agent_class, agents
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import games, load
from facedown.options import full_text

MAIN = "__main__"


def agent_text(given: Any) -> str:
    """The text of an agent that is given by text, as an object, or by its class."""
    made = given() if isinstance(given, type) and issubclass(given, Agent) else agent(given)
    kind = type(made)
    if made.path or isinstance(given, str) or (made.name in agents() and agent_class(made.name) is kind):
        return made.text
    address = address_of(kind, kind.__module__, kind.__qualname__)
    if address is None:
        raise FacedownError(
            f"expected an agent by its text, such as file.py:NAME, or of a class that a module has, got {made!r}"
        )
    return full_text(address, made.options)


def game_text(game: Game) -> str:
    """The text by which another process loads a game with the same rules, or a refusal."""
    known = [game.path] if game.path else [game.name] if game.name in games() else []
    for candidate in (*known, *addresses_of(game)):
        text = full_text(candidate, game.options)
        try:
            found = load(text)
        except FacedownError:
            continue
        if found.rules is game.rules and found.version == game.version and found.full_name == game.full_name:
            return text
    raise FacedownError(
        f"expected a game that other processes can load, such as file.py:NAME, got {game!r}, which only this one has: "
        "on=threads plays it here"
    )


def addresses_of(game: Game) -> Iterator[str]:
    """The addresses of all games in loaded modules that have these rules."""
    for module_name, module in list(sys.modules.items()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if isinstance(value, Game) and value.rules is game.rules:
                address = address_of(value, module_name, name)
                if address:
                    yield address


def address_of(value: Any, module_name: str, name: str) -> str | None:
    """`module:NAME` or, in the script that runs, `file.py:NAME`; None for what another process could not load by it."""
    module = sys.modules.get(module_name)
    if getattr(module, name, None) is not value:
        return None
    if module_name != MAIN:
        return f"{module_name}:{name}"
    file = getattr(module, "__file__", None)
    if not file or not Path(file).is_file():
        return None
    path = Path(file).resolve()
    return f"{path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}:{name}"
