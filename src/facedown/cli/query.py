"""The command facedown query."""

import csv as csvs
import json as jsons
import sys
from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

import typer

from facedown.cli.arguments import AS_JSON, WHERE
from facedown.cli.cells import print_table
from facedown.cli.output import unbroken_pipe
from facedown.errors import FacedownError
from facedown.options import Option, read_number

ROWS_SHOWN = 100


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
            print(jsons.dumps(rows, default=str, allow_nan=False))
        elif csv:
            csvs.writer(sys.stdout, lineterminator="\n").writerows([answer.columns, *answer.rows])
        else:
            print_table(answer.columns, answer.rows)
    if answer.more:
        print(f"the first {count} rows; --limit 0 prints all", file=sys.stderr)


def different(names: Sequence[str]) -> list[str]:
    """The names of columns, with numbers where one comes again."""
    return [f"{name}_{names[:index].count(name) + 1}" if name in names[:index] else name for index, name in enumerate(names)]


def finite(value: Any) -> Any:
    """A value for JSON, which has no exact decimals, and null for a number that is infinite or none at all."""
    if isinstance(value, Decimal):
        value = float(value)
    return None if isinstance(value, float) and not isfinite(value) else value
