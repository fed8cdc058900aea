"""The command facedown export."""

import json as jsons
import sys
from pathlib import Path

import typer

from facedown.cli.arguments import WHERE
from facedown.cli.output import counted, progress, unbroken_pipe
from facedown.files import check_place, stdout_is, whole_file


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
    result = {"games": count, "output": output}
    line = jsons.dumps(result) if json else f"{counted(count, 'game')} written to {output}"
    print(line, file=sys.stderr if stdout_is(Path(output)) else sys.stdout)  # among records it would be damage
