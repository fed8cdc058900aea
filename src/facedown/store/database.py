"""How a store is opened, created and migrated, and its errors in one line."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from facedown.errors import FacedownError, StoreError
from facedown.store import places
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
)
from facedown.store.tables import VERSION

CONNECTS_SECONDS = 10
MIGRATIONS = Path(__file__).parent / "migrations"
POSTGRES = "postgresql+psycopg"
MIGRATION_LOCK = 0x66616365  # PostgreSQL names locks by numbers
FILE = "file"  # the key of the file that a connection has open
creating = Lock()  # Alembic keeps the database that it migrates in global variables; threads create stores one by one


# --- Where it is ------------------------------------------------------------------------------------------------------


def url_of(where: str | Path | None) -> URL:
    """The database that a path or URL names; without one FACEDOWN_STORE, or the user's own file."""
    file, place = file_of(where), places.place_of(where)
    if file:
        return URL.create("sqlite", database=str(file))
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        raise StoreError(f"expected a file or postgresql://user@host/database as the store, got {place!r}") from None
    if url.drivername in ("postgres", "postgresql", POSTGRES):
        return url.set(drivername=POSTGRES)
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreError(f"expected a file or postgresql://user@host/database as the store, got {name_of(url)!r}")


def name_of(url: URL) -> str:
    """The name of the store in messages, without a password."""
    if url.drivername == "sqlite":
        return url.database or ""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


@contextmanager
def clear_errors(url: URL) -> Iterator[None]:
    """Turn a database error into one line; the transaction is rolled back."""
    try:
        yield
    except FacedownError:
        raise
    except (SQLAlchemyError, OSError, ValueError, RecursionError) as error:
        raise StoreError(reason(error, name_of(url))) from error


# --- Opening ----------------------------------------------------------------------------------------------------------


def engine_of(url: URL) -> Engine:
    """An engine with the transactions that a store needs; it connects later."""
    if url.drivername == "sqlite":
        engine = create_engine(url, **connecting_to(Path(url.database or "")))
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "connect", lambda _, record: record.info.update({FILE: OpenFile(url.database or "")}))
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    patience = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECTS_SECONDS}
    try:
        return create_engine(url, connect_args=patience, pool_pre_ping=True)
    except ImportError:
        raise StoreError(
            f"expected psycopg for the store {name_of(url)}, got none: run pip install 'facedown[postgres]'"
        ) from None


def connecting_to(file: Path) -> dict[str, Any]:
    """How a file is opened: in a folder that cannot be written, as one that does not change."""
    if not only_readable(file):
        return {"connect_args": {"timeout": WAITS_SECONDS}}
    return {"creator": lambda: sqlite3.connect(address_of(file, frozen=True), uri=True, check_same_thread=False)}


def _set_up_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # otherwise the driver begins transactions by itself, too late
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # safe with a write-ahead log, even if the program is killed


def _begin_sqlite(connection: Connection) -> None:
    """Lock at once for writing: two transactions that first read and then write would deadlock."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction: all of it is stored, or nothing; refused if the file has been replaced meanwhile."""
    with clear_errors(engine.url):
        with engine.execution_options(writes=True).begin() as connection:
            opened: OpenFile | None = connection.connection.info.get(FILE)
            if opened:
                opened.check()
            yield connection
        if opened:
            opened.check()


class OpenFile:
    """The file that a connection has open, even if another is at its path meanwhile."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = os.path.abspath(name)
        self.identity = self.found()  # None until SQLite creates it

    def found(self) -> tuple[int, int] | None:
        """The identity of the file at the path now."""
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def check(self) -> None:
        """Refuse a file that somebody has removed, moved or replaced: SQLite does not notice."""
        if self.identity is None:
            self.identity = self.found()
        elif self.identity != self.found():
            raise StoreError(
                f"expected the store {self.name} to stay where it is, but somebody has removed, moved or replaced it, "
                "and what was stored went with it"
            )


def take_lock(connection: Connection) -> None:
    """Exclude other writers until the transaction ends; in SQLite every writing transaction does so already."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection for reading; a value of a wrong type is reported as damage."""
    with clear_errors(engine.url), engine.connect() as connection:
        try:
            yield connection
        except TypeError as error:
            raise ValueError(str(error)) from error


# --- Versions ---------------------------------------------------------------------------------------------------------


def revision_of(connection: Connection) -> str | None:
    """The number of the last migration; None for an empty database, and a refusal for one of something else."""
    tables = inspect(connection).get_table_names()
    found = connection.scalars(select(VERSION.c.version_num)).all() if VERSION_TABLE in tables else []
    return check_tables(tables, found, name_of(connection.engine.url))


def open_engine(url: URL, create: bool) -> Engine:
    """The engine of an existing store, or of a new one."""
    engine = engine_of(url)
    try:
        found = found_version(engine, url, create)
        if found is None:
            with creating:
                with writing(engine) as connection:
                    migrate(connection)
                if url.drivername == "sqlite":
                    keep_a_log(str(url.database))
        else:
            check_revision(found, name_of(url))
    except BaseException:
        engine.dispose()
        raise
    return engine


def keep_a_log(file: str) -> None:
    """Let a new file be read while it is written; skipped if another program has it open and has done so."""
    with closing(sqlite3.connect(file, timeout=WAITS_SECONDS)) as connection, suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def found_version(engine: Engine, url: URL, create: bool) -> str | None:
    """The version of an existing store; None where there is none and one may be created."""
    if url.drivername == "sqlite":
        file = Path(url.database or "")
        with clear_errors(url):
            if file.exists():
                check_file(file)
            elif not create:
                raise StoreError(f"expected a store, got {file}, which is not there")
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
    with reading(engine) as connection:
        found = revision_of(connection)
    if found is None and not create:
        raise StoreError(f"expected a store, got {name_of(url)}, which is empty")
    return found


def migrate(connection: Connection) -> None:
    """Bring a database up to date, from nothing or from an older version, within the transaction."""
    from alembic import command  # slow to import
    from alembic.config import Config

    take_lock(connection)
    revision_of(connection)  # another process may have migrated it meanwhile
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def upgrade(where: str | Path | None = None) -> tuple[str, str]:
    """Bring an older store up to date: the version it had, and the one it has now."""
    url = url_of(where)
    engine = engine_of(url)
    try:
        found = found_version(engine, url, create=False)
        assert found is not None
        if found > places.REVISION:
            check_revision(found, name_of(url))
        with creating, writing(engine) as connection:
            migrate(connection)
    finally:
        engine.dispose()
    return found, places.REVISION
