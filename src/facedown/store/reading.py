"""Read-only access to a store.

SQLite is queried over a read-only connection that refuses every other kind of statement; PostgreSQL by a cursor, which takes
one query only, in a read-only transaction. SQLAlchemy offers neither, so the drivers are used directly; and it takes longer
to import than most queries take.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from facedown.errors import FacedownError, StoreError, UnknownName, shown
from facedown.record import ENCODER
from facedown.store.places import (
    VERSION_TABLE,
    WAITS_SECONDS,
    address_of,
    check_file,
    check_revision,
    check_tables,
    file_of,
    only_readable,
    reason,
    settings_in,
)

STEPS_PER_CHECK = 100_000  # instructions of SQLite between two checks for Ctrl-C
READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
HARMLESS_PRAGMAS = {"table_info", "table_xinfo", "table_list", "index_list", "index_info", "data_version"}

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
COUNT_OF_RUN = "SELECT COUNT(*) FROM games WHERE run_id = {run}"
RUNS = f"SELECT id, name, settings, facedown, created, ({COUNT_OF_RUN.format(run='runs.id')}) FROM runs ORDER BY id"
LINES = "SELECT record, name, deal, seating FROM games LEFT JOIN runs ON runs.id = games.run_id ORDER BY games.id"
LINES_OF_RUN = "SELECT record, NULL, deal, seating FROM games WHERE run_id = {run} ORDER BY deal, seating"


class Reader(Protocol):
    """An open store that answers queries in SQL."""

    name: str

    def ask(self, sql: str) -> AbstractContextManager[Any]:
        """The cursor of an answer; raises the driver's own errors."""


@contextmanager
def reader(where: str | Path | None) -> Iterator[Reader]:
    """The store in a file or at a URL."""
    file = file_of(where)
    if file:
        with read_sqlite(file) as opened:
            yield opened
        return
    from facedown.store.database import url_of

    url = url_of(where)
    with read_sqlite(Path(url.database or "")) if url.drivername == "sqlite" else read_postgres(url) as opened:
        yield opened


# --- SQLite -----------------------------------------------------------------------------------------------------------


class SqliteReader:
    """A store in a file."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        """Makes the connection read-only."""
        self.name = name
        self._connection = connection
        connection.set_authorizer(only_reading)
        connection.set_progress_handler(lambda: 0, STEPS_PER_CHECK)  # Ctrl-C is handled while Python code runs

    @contextmanager
    def ask(self, sql: str) -> Iterator[Any]:
        """See Reader."""
        try:
            yield self._connection.execute(sql)
        except sqlite3.Error as error:
            if "interrupted" in str(error):
                raise KeyboardInterrupt from None
            raise


@contextmanager
def read_sqlite(file: Path) -> Iterator[Reader]:
    """The store in an existing file."""
    try:
        if not file.exists():
            raise StoreError(f"expected a store, got {file}, which is not there")
        check_file(file)
    except OSError as error:
        raise StoreError(reason(error, str(file))) from error
    try:
        address = address_of(file, frozen=only_readable(file))
        with closing(sqlite3.connect(address, uri=True, timeout=WAITS_SECONDS)) as connection:
            check_sqlite(connection, str(file))
            yield SqliteReader(connection, str(file))
    except FacedownError:
        raise
    except (sqlite3.Error, sqlite3.Warning, ValueError, RecursionError) as error:
        raise StoreError(reason(error, str(file))) from error


def check_sqlite(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a database that is no store, or one of another version."""
    tables = [table for (table,) in connection.execute(TABLES)]
    version = f"SELECT version_num FROM {VERSION_TABLE}"
    found = check_tables(
        tables, [str(row[0]) for row in connection.execute(version)] if VERSION_TABLE in tables else [], name
    )
    if found is None:
        raise StoreError(f"expected a store, got {name}, which is empty")
    check_revision(found, name)


def only_reading(action: int, first: str | None, second: str | None, *_: Any) -> int:
    """Whether SQLite may do what a statement asks for."""
    harmless = action in READING or (action == sqlite3.SQLITE_PRAGMA and first in HARMLESS_PRAGMAS)
    return sqlite3.SQLITE_OK if harmless else sqlite3.SQLITE_DENY


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


class PostgresReader:
    """A store on a server."""

    def __init__(self, connection: Any, name: str) -> None:
        """Makes a connection of psycopg's read-only."""
        self.name = name
        self._connection = connection
        connection.read_only = True

    @contextmanager
    def ask(self, sql: str) -> Iterator[Any]:
        """See Reader; rows come as they are fetched."""
        with self._connection.cursor(name="facedown") as cursor:
            cursor.execute(sql)
            yield cursor


@contextmanager
def read_postgres(url: Any) -> Iterator[Reader]:
    """The store on a server."""
    from facedown.store.database import name_of, open_engine

    engine = open_engine(url, create=False)  # explains what to do without psycopg
    import psycopg

    try:
        with closing(engine.raw_connection()) as pooled:
            yield PostgresReader(pooled.driver_connection, name_of(url))
    except psycopg.Error as error:
        raise StoreError(reason(error, name_of(url))) from error
    finally:
        engine.dispose()


# --- Content ----------------------------------------------------------------------------------------------------------


def runs_in(store: Reader) -> list[dict[str, Any]]:
    """The runs with their settings and the number of their games, oldest first."""
    columns = ("id", "name", "settings", "facedown", "created", "games")
    with store.ask(RUNS) as rows:
        runs = [dict(zip(columns, row, strict=True)) for row in rows]
    return [{**run, "settings": settings_in(run["settings"]), "created": time_of(run["created"])} for run in runs]


def time_of(value: str | datetime) -> datetime:
    """A time, which SQLite stores as text."""
    return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))


def run_in(store: Reader, name: str) -> int:
    """The id of a run by its name."""
    with store.ask("SELECT name, id FROM runs") as rows:
        known = dict(rows)
    if name not in known:
        raise UnknownName("run", name, known)
    return int(known[name])


def count_in(store: Reader, run: str | None = None) -> int:
    """The number of games, in all or in a run."""
    with store.ask("SELECT COUNT(*) FROM games" if run is None else COUNT_OF_RUN.format(run=run_in(store, run))) as rows:
        return int(next(iter(rows))[0])


def lines_in(store: Reader, run: str | None = None) -> Iterator[str]:
    """The records of one run, or of all games; those of runs include run, deal and seating."""
    with store.ask(LINES if run is None else LINES_OF_RUN.format(run=run_in(store, run))) as rows:
        for record, name, deal, seating in rows:
            if not isinstance(record, str) or not isinstance(deal, int | None) or not isinstance(seating, int | None):
                raise ValueError(f"expected a record with its deal and seating, got {shown((record, deal, seating))}")
            if run is None and name is None:
                yield record
            else:
                yield placed_line(record, run or name, deal, seating)


def placed_line(record: str, run: str, deal: int | None, seating: int | None) -> str:
    """A record as one line, with its place in a run."""
    place = ENCODER.encode({"run": run, "deal": deal, "seating": seating})
    return f"{record[:-1]},{place[1:]}"
