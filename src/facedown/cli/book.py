"""The command facedown book."""

import json as jsons
from os.path import exists, isdir  # which answer for any text, unlike those of Path
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from facedown.cli.arguments import AS_JSON
from facedown.errors import FacedownError
from facedown.files import clear_errors


def book(
    out: Path = typer.Option(None, metavar="FOLDER", help="Write the book's pages and plots into this folder."),
    outcomes: Path = typer.Option(None, metavar="FOLDER", help="Outcomes of `facedown reproduce --out`; by default ours."),
    json: bool = AS_JSON,
) -> None:
    """Tell which claims of five studies hold here, and write the book of them."""
    from facedown.lab.book.learnt import verdicts
    from facedown.lab.book.outcomes import FOLDER, all_outcomes, claims_of
    from facedown.lab.book.pages import write_book
    from facedown.lab.book.studies import STUDIES
    from facedown.lab.experiments.claims import VERDICTS

    if outcomes is not None and not isdir(outcomes):
        raise FacedownError(f"expected a folder of outcomes, got {outcomes}")
    if out is not None and exists(out) and not isdir(out):
        raise FacedownError(f"expected a folder to write to, got {out}")
    found = all_outcomes(outcomes or FOLDER)
    claims = {study.name: claims_of(study, found) for study in STUDIES}
    if out is not None:
        with clear_errors(out):
            write_book(out, found)
    if json:
        print(jsons.dumps({name: [claim.to_dict() for claim, _ in some] for name, some in claims.items()}))
        return
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("study")
    for verdict in VERDICTS:
        grid.add_column(verdict, justify="right")
    for study in STUDIES:
        counts = verdicts(claim for claim, _ in claims[study.name])
        grid.add_row(study.title, *map(str, counts.values()))
    Console(highlight=False).print(grid)
    if out is not None:
        print(f"written to {out}")
