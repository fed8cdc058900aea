"""Questions to a store in SQL, which cannot change anything in it.

SQLite answers over a connection that may only read, and that refuses every other kind of statement; PostgreSQL by a cursor,
which takes nothing but one question, in a transaction that may only read. SQLAlchemy offers neither, so the drivers do it.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlalchemy import URL

from facedown.errors import StoreError
from facedown.store.database import WAITS_SECONDS, engine_of, open_engine, url_of

STEPS_PER_LOOK = 100_000  # of SQLite's machine, between two looks at the keyboard
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
HARMLESS_PRAGMAS = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "data_version"}


class Answer(NamedTuple):
    """Some rows, and whether there are more."""

    columns: list[str]
    rows: list[tuple[Any, ...]]
    more: bool


def query(sql: str, where: str | Path | None = None, limit: int | None = None) -> Answer:
    """What a store answers to a question in SQL: all rows, or the first so many."""
    url = url_of(where)
    open_engine(url, create=False).dispose()  # whether it is a store at all
    ask = ask_sqlite if url.drivername == "sqlite" else ask_postgres
    with ask(url, sql) as cursor:
        if not cursor.description:
            raise StoreError(f"expected a question in SQL, such as SELECT * FROM runs, got {sql!r}")
        columns = [str(column[0]) for column in cursor.description]
        rows = [tuple(row) for row in islice(cursor, None if limit is None else limit + 1)]
    return Answer(columns, rows[:limit], limit is not None and len(rows) > limit)


def refusal(sql: str, error: Exception) -> StoreError:
    """One line about SQL that cannot be answered."""
    message = (str(error).splitlines() or [type(error).__name__])[0]
    return StoreError(f"expected a question in SQL that only reads, got {sql!r}: {message}")


@contextmanager
def ask_sqlite(url: URL, sql: str) -> Iterator[Any]:
    """The cursor of an answer."""
    file = f"file:{quote(str(Path(url.database or '').absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(file, uri=True, timeout=WAITS_SECONDS)) as connection:
            connection.set_authorizer(only_reading)
            connection.set_progress_handler(lambda: 0, STEPS_PER_LOOK)  # Ctrl-C is noticed where Python code runs
            yield connection.execute(sql)
    except (sqlite3.Error, sqlite3.Warning) as error:
        if "interrupted" in str(error):
            raise KeyboardInterrupt from None
        raise refusal(sql, error) from error


def only_reading(action: int, first: str | None, second: str | None, *_: Any) -> int:
    """Whether SQLite may do what a statement asks for."""
    harmless = action in READING or (action == sqlite3.SQLITE_PRAGMA and first in HARMLESS_PRAGMAS)
    return sqlite3.SQLITE_OK if harmless else sqlite3.SQLITE_DENY


@contextmanager
def ask_postgres(url: URL, sql: str) -> Iterator[Any]:
    """The cursor of an answer; rows come as they are fetched."""
    import psycopg

    engine = engine_of(url)
    try:
        with closing(engine.raw_connection()) as pooled:
            connection: Any = pooled.driver_connection
            connection.read_only = True
            with connection.cursor(name="facedown") as cursor:
                cursor.execute(sql)
                yield cursor
    except psycopg.Error as error:
        raise refusal(sql, error) from error
    finally:
        engine.dispose()
