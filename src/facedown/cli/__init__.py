"""The command line: facedown games, agents and bench; each file of this folder has some more commands.

Whatever takes long to import is imported by the command that needs it, so that help and mistakes are answered at once.
"""

import json as jsons
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.console import Console

import facedown
from facedown.cli import audit, play, replay, reproduce, store, tournament, train, tune
from facedown.cli.output import stdout_for_results
from facedown.cli.play import number
from facedown.cli.store import AS_JSON
from facedown.errors import FacedownError, one_line, origin, plain_line
from facedown.options import Option

if TYPE_CHECKING:
    from facedown.game import Game

BAD_INPUT = 2
INTERRUPTED = 130
MOST_REPEATS = 100_000

USAGE_ERROR: Any = typer.BadParameter.__mro__[1]  # Typer gives the base of its usage errors no public name

app = typer.Typer(
    name="facedown",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command; a mistake in the input is one line on stderr and exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the suits' signs; typed text in another encoding
    try:
        code = app(arguments, prog_name="facedown", standalone_mode=False)
    except USAGE_ERROR as error:
        code = refuse(error.format_message())
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        where = origin(error)  # a person's own file may raise anything
        known = isinstance(error, FacedownError)
        if os.environ.get("FACEDOWN_DEBUG") or not (known or where):
            raise
        code = refuse(str(error) if known else f"{one_line(error)} ({where})")
    sys.exit(code if isinstance(code, int) else 0)


def refuse(message: str) -> int:
    """Say in one line what was wrong."""
    print(f"error: {' '.join(plain_line(message).split())}", file=sys.stderr)
    return BAD_INPUT


def show_version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        print(f"facedown {facedown.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Play, watch and study card games whose cards lie face down."""
    if context.invoked_subcommand is None:
        print(context.get_help())


# --- Lists ------------------------------------------------------------------------------------------------------------


@app.command()
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


@app.command()
def agents(json: bool = AS_JSON) -> None:
    """List the agents with their options."""
    from facedown.agents import agent_class
    from facedown.agents import agents as names

    entries = [
        {
            "name": name,
            "summary": kind.summary,
            "sees_all": kind.sees_all,
            "options": describe_options(kind.declared),
        }
        for name, kind in ((name, agent_class(name)) for name in names())
    ]
    print_list(entries, json, lambda entry: "sees all cards" if entry["sees_all"] else "")


def describe_options(options: Iterable[Option]) -> list[dict[str, Any]]:
    """Options as plain data."""
    return [
        {
            "name": option.name,
            "default": option.default,
            "meaning": option.meaning,
            **({"choices": list(option.choices)} if option.choices else {}),
        }
        for option in options
    ]


def print_list(entries: Sequence[dict[str, Any]], json: bool, remark: Callable[[dict[str, Any]], str]) -> None:
    """Print games or agents: a line each, and a table of options below it."""
    from rich.table import Table
    from rich.text import Text

    if json:
        print(jsons.dumps(entries))
        return
    console = Console(highlight=False)
    for entry in entries:
        words = ", ".join(word for word in (entry["summary"], remark(entry)) if word)
        console.print(Text.assemble((entry["name"], "bold green"), f"  {words}"), soft_wrap=True)
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True, style="cyan")
        table.add_column()
        for option in entry["options"]:
            choices = f" ({', '.join(map(str, option['choices']))})" if "choices" in option else ""
            table.add_row(option["name"], jsons.dumps(option["default"]).strip('"'), Text(option["meaning"] + choices))
        console.print(table)


app.command()(play.play)
app.command()(play.watch)


# --- Speed ------------------------------------------------------------------------------------------------------------


@app.command()
def bench(
    games: list[str] = typer.Argument(None, help="The games to measure; all by default."),
    against: str = typer.Option(None, metavar="PROGRAM", help="Measure another program on the same work: open-spiel."),
    repeats: str = typer.Option("5", metavar="N", help="How often each figure is taken."),
    strength: bool = typer.Option(False, "--strength", help="Measure how strong the searches are, not how fast."),
    deals: str = typer.Option("100", metavar="N", help="Over how many deals strength is measured."),
    json: bool = AS_JSON,
) -> None:
    """Measure how fast this machine plays, searches and starts; or how strong its searches are."""
    from facedown.cli.bar import StepBar
    from facedown.lab.bench.speed import measure
    from facedown.lab.bench.strength import measure_strength, table

    times = int(number("repeats", repeats, 1, least=1, most=MOST_REPEATS))
    many = int(number("deals", deals, 1, least=2, most=tournament.MOST["deals"]))
    with StepBar("getting ready", quiet=json) as bar, stdout_for_results():
        if strength:
            found = {name: measure_strength(name, deals=many, progress=bar.tell) for name in games or facedown.games()}
        else:
            report = measure(games or None, against, times, bar.tell)
    if strength and json:
        print(jsons.dumps([one.to_dict() for results in found.values() for one in results]))
    elif strength:
        for results in found.values():
            Console(highlight=False).print(table(results))
    elif json:
        print(jsons.dumps(report.to_dict()))
    else:
        Console(highlight=False).print(report.table())


# --- The commands of other files ----------------------------------------------------------------------------------------

app.command()(audit.audit)
app.command()(audit.check)
app.command()(tournament.tournament)
app.command()(tune.tune)
app.command()(train.train)
app.command()(reproduce.reproduce)
app.command()(replay.replay)
app.command()(store.query)
app.command()(store.export)
app.command("import")(store.import_records)
app.add_typer(store.app, name="store")
