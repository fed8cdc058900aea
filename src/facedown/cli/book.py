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

PAGES = "The pages are in docs/book; `facedown book --out FOLDER` writes them."


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
    from facedown.lab.experiments.claims import IMPOSSIBLE, VERDICTS

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
    counts = {study.title: list(verdicts(claim for claim, _ in claims[study.name]).values()) for study in STUDIES}
    grid = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
    grid.add_column("study")
    for verdict in VERDICTS:
        grid.add_column("not here" if verdict == IMPOSSIBLE else verdict, justify="right")
    for title, numbers in {**counts, "all": map(sum, zip(*counts.values(), strict=True))}.items():
        grid.add_row(title, *map(str, numbers))
    Console(highlight=False).print(grid)
    print(f"written to {out}" if out is not None else PAGES)
