"""Queries in SQL, which cannot change a store."""

import sqlite3
import sys
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from facedown.errors import StoreError
from facedown.store.reading import reader


class Answer(NamedTuple):
    """The rows of a query, and whether there are more."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool


def query(sql: str, where: str | Path | None = None, limit: int | None = None) -> Answer:
    """The answer of a store to a query in SQL: all rows, or at most `limit`."""
    with reader(where) as store:
        try:
            with store.ask(sql) as cursor:
                if not cursor.description:
                    raise StoreError(f"expected a question in SQL, such as SELECT * FROM runs, got {sql!r}")
                columns = [str(column[0]) for column in cursor.description]
                rows = [tuple(row) for row in islice(cursor, None if limit is None else min(limit, sys.maxsize - 1) + 1)]
        except driver_errors() as error:
            raise refusal(sql, error) from error
    return Answer(columns, rows[:limit], limit is not None and len(rows) > limit)


def driver_errors() -> tuple[type[Exception], ...]:
    """The errors of the database drivers in use."""
    psycopg = sys.modules.get("psycopg")
    return (sqlite3.Error, sqlite3.Warning, UnicodeError, *([psycopg.Error] if psycopg else []))


def refusal(sql: str, error: Exception) -> StoreError:
    """An error in one line about SQL that cannot be answered."""
    message = (str(error).splitlines() or [type(error).__name__])[0]
    return StoreError(f"expected a question in SQL that only reads, got {sql!r}: {message}")
