"""Where a store is, how it is opened, and what is said when it fails."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from facedown.errors import StoreError
from facedown.store.tables import REVISION, VERSION, VERSION_TABLE

WAITS_SECONDS = 30  # for another program that is writing
CONNECTS_SECONDS = 10
MIGRATIONS = Path(__file__).parent / "migrations"
POSTGRES = "postgresql+psycopg"
TURN = 0x66616365  # the name of a lock, for PostgreSQL names them by numbers
HEADER = b"SQLite format 3\x00"


# --- Where it is ------------------------------------------------------------------------------------------------------


def default_file() -> Path:
    """The file of the store nobody chose another for."""
    return platformdirs.user_data_path("facedown") / "store.sqlite"


def url_of(where: str | Path | None) -> URL:
    """The database that a path or URL names; without one FACEDOWN_STORE, or the user's own file."""
    place = where or os.environ.get("FACEDOWN_STORE") or default_file()
    if "://" not in str(place):
        return URL.create("sqlite", database=str(Path(place).expanduser()))
    try:
        url = make_url(str(place))
    except (ArgumentError, ValueError):
        raise StoreError(f"expected a file or postgresql://user@host/database as the store, got {str(place)!r}") from None
    if url.drivername in ("postgres", "postgresql", POSTGRES):
        return url.set(drivername=POSTGRES)
    if url.drivername == "sqlite" and url.database:
        return url
    raise StoreError(f"expected a file or postgresql://user@host/database as the store, got {name_of(url)!r}")


def name_of(url: URL) -> str:
    """How a person names the store, without a password."""
    if url.drivername == "sqlite":
        return url.database or ""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


# --- What is said when it fails ---------------------------------------------------------------------------------------

REASONS = {  # words in a database's message, and what they mean to a person
    "is full": "there is no more room for the store {store}: make room, and run the same again",
    "No space left": "there is no more room for the store {store}: make room, and run the same again",
    "disk I/O error": "the disk of the store {store} cannot be written (is it full?): put it right, and run the same again",
    "is locked": "another program keeps the store {store} locked: wait for it, and run the same again",
    "readonly database": "expected a store that can be written, got {store}, which is read-only",
    "read-only transaction": "expected a store that can be written, got {store}, which is read-only",
    "permission denied": "expected a store that this user may use, got {store}: {message}",
    "not a database": "expected a facedown store, got {store}, which is something else",
    "malformed": "the store {store} is damaged: {message}",
}


@contextmanager
def clear_errors(url: URL) -> Iterator[None]:
    """Turn what a database raises into one line; whatever was being written is not."""
    try:
        yield
    except (SQLAlchemyError, UnicodeEncodeError, OSError) as error:
        raise StoreError(reason(error, name_of(url))) from error


def reason(error: Exception, store: str) -> str:
    """One line that says what to do."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
    message = lines[0]
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return f"lost the connection to the store {store}: run the same again to go on ({message})"
    for words, meaning in REASONS.items():
        if words in message:
            return f"{meaning.format(store=store, message=message)}; nothing was changed"
    return f"the store {store} cannot be used: {message}; nothing was changed"


# --- Opening ----------------------------------------------------------------------------------------------------------


def engine_of(url: URL) -> Engine:
    """An engine that begins transactions as a store needs them; it connects later."""
    if url.drivername == "sqlite":
        engine = create_engine(url, connect_args={"timeout": WAITS_SECONDS})
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    patience = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECTS_SECONDS}
    try:
        return create_engine(url, connect_args=patience, pool_pre_ping=True)
    except ImportError:
        raise StoreError(
            f"expected psycopg for the store {name_of(url)}, got none: run pip install 'facedown[postgres]'"
        ) from None


def _set_up_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # the driver would begin transactions by itself, and too late
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = NORMAL")  # safe with a write-ahead log, whatever happens to the program


def _begin_sqlite(connection: Connection) -> None:
    """Who is going to write says so at once: two that read first and then write would wait for each other."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction: all of it is stored, or nothing."""
    with clear_errors(engine.url), engine.execution_options(writes=True).begin() as connection:
        yield connection


def wait_for_turn(connection: Connection) -> None:
    """Until the transaction ends nobody else gets past here; with SQLite that holds for every transaction that writes."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that reads."""
    with clear_errors(engine.url), engine.connect() as connection:
        yield connection


# --- What is there ----------------------------------------------------------------------------------------------------


def revision_of(connection: Connection) -> str | None:
    """The number of the last migration; None for an empty database, and a refusal for one of something else."""
    tables = inspect(connection).get_table_names()
    if not tables:
        return None
    found = list(connection.scalars(select(VERSION.c.version_num))) if VERSION_TABLE in tables else []
    if len(found) != 1:
        raise StoreError(
            f"expected a facedown store or an empty database, got {name_of(connection.engine.url)}, "
            f"which holds something else: {', '.join(sorted(tables)[:3])}"
        )
    return str(found[0])


def check_revision(found: str, url: URL) -> None:
    """Refuse a store that another version of facedown has made."""
    if found < REVISION:
        raise StoreError(
            f"expected a store of version {REVISION}, got version {found} in {name_of(url)}: "
            "run `facedown store upgrade` to bring it up to date"
        )
    if found > REVISION:
        raise StoreError(
            f"expected a store of version {REVISION}, got version {found} in {name_of(url)}: a newer facedown made it"
        )


def open_engine(url: URL, create: bool) -> Engine:
    """The engine of a store that is there, or of a new one."""
    engine = engine_of(url)
    try:
        found = look(engine, url, create)
        if found is None:
            with writing(engine) as connection:
                migrate(connection)
            if url.drivername == "sqlite":
                keep_a_log(str(url.database))
        else:
            check_revision(found, url)
    except BaseException:
        engine.dispose()
        raise
    return engine


def keep_a_log(file: str) -> None:
    """Let a new file be read while it is written; where another program is at it already, that one has seen to it."""
    with closing(sqlite3.connect(file, timeout=WAITS_SECONDS)) as connection, suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")


def look(engine: Engine, url: URL, create: bool) -> str | None:
    """The version of the store that is there; None where there is none and one may be made."""
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


def check_file(file: Path) -> None:
    """Refuse what is no database; SQLite takes a file of a few bytes for an empty one, and overwrites it."""
    if not file.is_file():
        kind = "a folder" if file.is_dir() else "something else"
        raise StoreError(f"expected a file for the store, got {file}, which is {kind}")
    with file.open("rb") as opened:
        if opened.read(len(HEADER)) not in (HEADER, b""):
            raise StoreError(f"expected a facedown store, got {file}, which is something else")


def migrate(connection: Connection) -> None:
    """Bring a database up to date, from nothing or from an older version, within the transaction."""
    from alembic import command  # takes longer to import than most commands to run
    from alembic.config import Config

    wait_for_turn(connection)
    revision_of(connection)  # somebody else may have been here meanwhile
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def upgrade(where: str | Path | None = None) -> tuple[str, str]:
    """Bring an older store up to date: the version it had, and the one it has now."""
    url = url_of(where)
    engine = engine_of(url)
    try:
        found = look(engine, url, create=False)
        assert found is not None
        if found > REVISION:
            check_revision(found, url)
        with writing(engine) as connection:
            migrate(connection)
    finally:
        engine.dispose()
    return found, REVISION
