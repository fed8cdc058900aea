"""The command facedown audit."""

import json as jsons
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, chosen_seed, number
from facedown.cli.output import stdout_for_results
from facedown.cli.seats import loaded_game
from facedown.errors import loading

if TYPE_CHECKING:
    from facedown.audit import Subject
    from facedown.game import Game

FOUND = 1  # the exit code when a check failed
MOST_DEALS = 1_000_000


def audit(
    game: str = typer.Argument(help="A game: hearts, file.py:NAME, module:NAME or open-spiel:hearts."),
    agent: str = typer.Argument(None, help="An agent whose choices are audited too."),
    deals: str = typer.Option("20", metavar="N", help="How many random games are played."),
    seed: str = typer.Option("0", metavar="N", help="The seed that fixes all that is random."),
    json: bool = AS_JSON,
) -> None:
    """Check that a game's worlds and views, and an agent's choices, give nothing away; exit code 1 if one does."""
    from facedown.audit import audit as run
    from facedown.cli.bar import StepBar

    count, first = int(number("deals", deals, 1, least=1, most=MOST_DEALS)), chosen_seed(seed)
    with StepBar("getting ready", quiet=json) as bar, stdout_for_results():
        subject = found(game)
        with loading(agent or game):
            report = run(subject, agent, count, first, bar.report)
    if json:
        print(jsons.dumps(report.to_dict()))
    else:
        Console(highlight=False).print(report.table())
    if not report.passed:
        raise typer.Exit(FOUND)


def found(text: str) -> "Game | Subject":
    """The game a text names, ours or OpenSpiel's."""
    from facedown.adapters.open_spiel import PREFIX, OpenSpielGame

    return OpenSpielGame(text) if text.startswith(PREFIX) else loaded_game(text)
