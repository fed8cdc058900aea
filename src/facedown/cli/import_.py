"""The command facedown import."""

import json as jsons
import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import typer

from facedown.cli.arguments import AS_JSON, WHERE
from facedown.cli.output import counted, progress
from facedown.cli.records import opened_file


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
        games, new = opened.add_lines(counting(advance, lines), run, trusted=trust)
        name = opened.name
    result = {"games": games, "new": new, "store": name}
    print(jsons.dumps(result) if json else f"{counted(games, 'game')} read, {new} of them new in {name}")


def size_of(file: BinaryIO) -> int | None:
    """How many bytes there are, if that is known."""
    try:
        return os.fstat(file.fileno()).st_size or None
    except OSError:
        return None


def counting(advance: Callable[[int], None], lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, with progress reported as they are read."""
    for line in lines:
        advance(len(line))
        yield line
