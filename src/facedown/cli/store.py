"""The command line of stores: facedown query, export, import, and store info or upgrade."""

import csv as csvs
import json as jsons
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from math import isfinite
from numbers import Number
from pathlib import Path
from typing import Any, BinaryIO

import typer
from rich.console import Console

from facedown.errors import FacedownError
from facedown.files import check_place, stdout_is, whole_file
from facedown.options import Option, read_number

ROWS_SHOWN = 100
GAP = 2  # between two columns of a table
LARGEST_WRITTEN_OUT = 1e15  # number with all its digits

WHERE = typer.Option(
    None,
    "--store",
    metavar="FILE|URL",
    help="A file, or postgresql://user@host/database; by default FACEDOWN_STORE or your own.",
)
AS_JSON = typer.Option(False, "--json", help="Print one JSON document for machines, and nothing else.")

app = typer.Typer(rich_markup_mode=None)


# --- Questions --------------------------------------------------------------------------------------------------------


def query(
    sql: str = typer.Argument(help="A question in SQL, such as SELECT agent, AVG(score) FROM players GROUP BY agent."),
    store: str = WHERE,
    limit: str = typer.Option(
        None, metavar="N", help=f"How many rows to print; 0 is all. By default {ROWS_SHOWN}, and all as JSON or CSV."
    ),
    csv: bool = typer.Option(False, "--csv", help="Print comma-separated values."),
    json: bool = AS_JSON,
) -> None:
    """Ask a store in SQL; docs/store.md explains its tables. Nothing can be changed this way."""
    from facedown.store import query as ask

    if csv and json:
        raise FacedownError("expected --json or --csv, got both")
    most = Option("limit", 0 if csv or json else ROWS_SHOWN, "", least=0)
    count = (most if limit is None else most.with_value(read_number(limit) if limit.isdecimal() else limit)).value
    assert isinstance(count, int)
    answer = ask(sql, store, count or None)
    with unbroken_pipe():
        if json:
            names = different(answer.columns)
            rows = [dict(zip(names, map(finite, row), strict=True)) for row in answer.rows]
            print(jsons.dumps(rows, default=plain, allow_nan=False))
        elif csv:
            csvs.writer(sys.stdout, lineterminator="\n").writerows([answer.columns, *answer.rows])
        else:
            print_table(answer.columns, answer.rows)
    if answer.more:
        print(f"the first {count} rows; --limit 0 prints all", file=sys.stderr)


def different(names: Sequence[str]) -> list[str]:
    """The names of columns, with numbers where one comes again."""
    return [f"{name}_{names[:index].count(name) + 1}" if name in names[:index] else name for index, name in enumerate(names)]


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under their names, a line each: long cells are cut at a terminal, and whole elsewhere."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    cells = [[cell(value) for value in row] for row in rows]
    names = [printable(name) for name in columns]
    widths = [max(cell_len(line[index]) for line in (names, *cells)) for index in range(len(names))]
    if console.is_terminal:
        widths = fitted(widths, console.width - GAP * (len(names) - 1))
    else:
        console = Console(highlight=False, width=sum(widths) + GAP * len(names))
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    for index, name in enumerate(names):
        side: Any = "right" if all(isinstance(row[index], Number | None) for row in rows) else "left"
        table.add_column(Text(name), justify=side, overflow="ellipsis", no_wrap=True, width=widths[index])
    for line in cells:
        table.add_row(*map(Text, line))
    console.print(table)


def fitted(widths: Sequence[int], room: int) -> list[int]:
    """Widths of columns that fit together: those that are wider than their share are cut, all to the same."""
    share = max(widths, default=1)
    while share > 1 and sum(min(width, share) for width in widths) > room:
        share -= 1
    left = room - sum(min(width, share) for width in widths)
    found = []
    for width in widths:
        more = 1 if width > share and left > 0 else 0
        found.append(min(width, share) + more)
        left -= more
    return found


def cell(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return ""
    if isinstance(value, float | Decimal) and abs(float(value)) < LARGEST_WRITTEN_OUT:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return printable(str(value))


def plain(value: Any) -> Any:
    """What JSON has for a value that only databases know: times, bytes."""
    return str(value)


def finite(value: Any) -> Any:
    """A value for JSON, which has no exact decimals, and null for a number that is infinite or none at all."""
    if isinstance(value, Decimal):
        value = float(value)
    return None if isinstance(value, float) and not isfinite(value) else value


def printable(text: str) -> str:
    """Text on one line, which does nothing to a terminal."""
    return text if text.isprintable() else repr(text)[1:-1]


# --- Records out and in -----------------------------------------------------------------------------------------------


def export(
    run: str = typer.Argument(None, help="The run whose games are wanted; by default all games of the store."),
    output: str = typer.Option(None, "--output", "-o", metavar="FILE", help="Where to write; by default to stdout."),
    store: str = WHERE,
    json: bool = typer.Option(False, "--json", help="Tell as JSON what was written to --output; the records always are."),
) -> None:
    """Write records as lines of JSON, in order of deals and seatings."""
    from facedown.store.reading import count_in, lines_in, reader

    if output not in (None, "-"):
        check_place(Path(output))
    with reader(store) as opened:
        count = count_in(opened, run)
        if output in (None, "-"):
            with unbroken_pipe():
                for line in lines_in(opened, run):
                    print(line)
            return
        with whole_file(Path(output)) as file, progress("writing", count) as advance:
            for line in lines_in(opened, run):
                file.write(f"{line}\n".encode())
                advance(1)
    told = {"games": count, "output": output}
    said = jsons.dumps(told) if json else f"{counted(count, 'game')} written to {output}"
    print(said, file=sys.stderr if stdout_is(Path(output)) else sys.stdout)  # among records it would be damage


def import_records(
    file: str = typer.Argument(help="A file of records, one in a line; - reads stdin."),
    run: str = typer.Option(
        None, metavar="NAME", help="The run they go into; by default those that the lines name, if any."
    ),
    trust: bool = typer.Option(False, "--trust", help="Let them load the files they name when they are replayed."),
    store: str = WHERE,
    json: bool = AS_JSON,
) -> None:
    """Read records from lines of JSON into a store: all of them, or nothing if one is damaged."""
    from facedown.store import Store

    with opened_file(file) as lines, progress("reading", size_of(lines)) as advance, Store.open(store) as opened:
        games, new = opened.add_lines(told_to(advance, lines), run, trusted=trust)
        name = opened.name
    told = {"games": games, "new": new, "store": name}
    print(jsons.dumps(told) if json else f"{counted(games, 'game')} read, {new} of them new in {name}")


def counted(number: int, noun: str) -> str:
    """A number of things."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@contextmanager
def opened_file(name: str) -> Iterator[BinaryIO]:
    """A file to read from."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(name, "rb"))
        except OSError as error:
            raise FacedownError(f"expected a file of records, got {name!r}: {error.strerror}") from None
        yield file


def size_of(file: BinaryIO) -> int | None:
    """How many bytes there are, if that is known."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def told_to(advance: Callable[[int], None], lines: Iterable[bytes]) -> Iterator[bytes]:
    """Lines whose lengths are told as they are read."""
    for line in lines:
        advance(len(line))
        yield line


@contextmanager
def unbroken_pipe() -> Iterator[None]:
    """Stop quietly when whoever reads stdout has read enough."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more when it ends
        raise typer.Exit(0) from None


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """How far it is, on stderr, for a person who waits."""
    from facedown.cli.bar import StepBar

    with StepBar(what, total) as bar:
        yield bar.advance


# --- Stores -----------------------------------------------------------------------------------------------------------


@app.callback(invoke_without_command=True)
def about(context: typer.Context) -> None:
    """Say what is in a store, or bring it up to date."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def info(store: str = WHERE, json: bool = AS_JSON) -> None:
    """Say where the store is, and which runs it holds."""
    from facedown.store.places import REVISION
    from facedown.store.reading import count_in, reader, runs_in

    with reader(store) as opened:
        runs, count, name = runs_in(opened), count_in(opened), opened.name
    if json:
        print(jsons.dumps({"store": name, "version": REVISION, "games": count, "runs": runs}, default=plain))
        return
    print(f"{name}, version {REVISION}: {counted(count, 'game')}, {counted(len(runs), 'run')}")
    if runs:
        columns = ["run", "games", "created", "facedown"]
        print_table(
            columns, [(run["name"], run["games"], f"{run['created']:%Y-%m-%d %H:%M}", run["facedown"]) for run in runs]
        )


@app.command()
def upgrade(store: str = WHERE, json: bool = AS_JSON) -> None:
    """Bring a store that an older version has made up to date."""
    from facedown.store import Store

    before, now = Store.upgrade(store)
    if json:
        print(jsons.dumps({"from": before, "to": now}))
    else:
        print(f"the store is up to date: version {now}" if before == now else f"the store had version {before}, now {now}")
