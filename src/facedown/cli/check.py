"""The command facedown check."""

import json as jsons

import typer

from facedown.cli.arguments import AS_JSON
from facedown.cli.output import stdout_for_results
from facedown.cli.seats import loaded_game
from facedown.errors import loading

DEALS = 3
FAILED = 1  # the exit code when a check failed


def check(
    file: str = typer.Argument(help="Your game: file.py, file.py:NAME or module:NAME."),
    json: bool = AS_JSON,
) -> None:
    """Try out a game of your own, in a line for each check; exit code 1 if one fails. The audit is more thorough."""
    from facedown.audit import audit as run
    from facedown.cli.bar import StepBar

    with StepBar("getting ready", quiet=json) as bar, stdout_for_results():
        game = loaded_game(file)
        with loading(file):
            report = run(game, None, DEALS, 0, bar.report)
    if json:
        print(jsons.dumps(report.to_dict()))
    else:
        print(f"{'load':9} passed   {game.name}: {game.seats} seats, {game.actions} actions")
        for finding in report.findings:
            result = "skipped" if finding.skipped else "passed" if finding.passed else "FAILED"
            print(f"{finding.name:9} {result:8} {finding.example or finding.remark or finding.meaning}")
    if not report.passed:
        raise typer.Exit(FAILED)
