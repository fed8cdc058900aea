"""The command line: each command has a file of its name.

Whatever takes long to import is imported by the command that needs it, so that help and mistakes are answered at once.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import typer

import facedown
from facedown.cli import (
    advise,
    agents,
    audit,
    bench,
    book,
    bot,
    check,
    export,
    games,
    import_,
    play,
    query,
    replay,
    reproduce,
    serve,
    store,
    tournament,
    train,
    tune,
    watch,
)
from facedown.cli.output import unbroken_pipe
from facedown.errors import FacedownError, one_line, origin, plain_line

BAD_INPUT = 2
INTERRUPTED = 130

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
        with unbroken_pipe():
            code = app(arguments, prog_name="facedown", standalone_mode=False)
    except typer.Exit as done:
        code = done.exit_code
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
    """Print in one line what was wrong."""
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


for command in (
    games.games,
    agents.agents,
    play.play,
    watch.watch,
    advise.advise,
    bench.bench,
    audit.audit,
    check.check,
    tournament.tournament,
    tune.tune,
    train.train,
    reproduce.reproduce,
    book.book,
    replay.replay,
    query.query,
    export.export,
    serve.serve,
    bot.bot,
):
    app.command()(command)
app.command("import")(import_.import_records)
app.add_typer(store.app, name="store")
