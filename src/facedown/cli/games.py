"""The command facedown games."""

from typing import TYPE_CHECKING, Any

from facedown.cli.arguments import AS_JSON
from facedown.cli.listing import describe_options, print_list

if TYPE_CHECKING:
    from facedown.game import Game


def games(json: bool = AS_JSON) -> None:
    """List the games with their options."""
    from facedown.games import games as names
    from facedown.games import load

    entries = [describe_game(load(name)) for name in names()]
    print_list(entries, json, lambda entry: f"{entry['seats']} seats")


def describe_game(game: "Game") -> dict[str, Any]:
    """A game as plain data."""
    return {
        "name": game.name,
        "summary": game.summary,
        "seats": game.seats,
        "version": game.version,
        "lower_is_better": game.lower_is_better,
        "options": describe_options(game.options.values()),
    }
