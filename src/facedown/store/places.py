"""Where a store is, what is expected there, and the errors when it cannot be used.

Nothing here needs SQLAlchemy, which takes longer to import than most queries take.
"""

import json
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import platformdirs

from facedown.errors import StoreError, shown

REVISION = "0004"  # the newest migration
VERSION_TABLE = "facedown_version"  # holds the number of the last migration; also the mark of a store
WAITS_SECONDS = 30  # for another program that is writing
HEADER_BYTES = 100  # with which every SQLite database begins


def default_file() -> Path:
    """The file of the default store."""
    return platformdirs.user_data_path("facedown") / "store.sqlite"


def place_of(where: str | Path | None) -> str:
    """The path or URL given; without one FACEDOWN_STORE, or the user's own file."""
    return str(where or os.environ.get("FACEDOWN_STORE") or default_file())


def file_of(where: str | Path | None) -> Path | None:
    """The SQLite file of a store; None for a URL."""
    place = place_of(where)
    return None if "://" in place else Path(os.path.expanduser(place))


def only_readable(file: Path) -> bool:
    """Whether a file is in a folder that cannot be written, and not in use: SQLite would create files there otherwise."""
    log, shared = Path(f"{file}-wal"), Path(f"{file}-shm")  # which SQLite needs while the file is in use
    if not os.access(file, os.R_OK):  # asked first: another program may just be making the folder, and then the file
        return False
    if os.access(file.parent, os.W_OK) or shared.exists():
        return False
    return not log.exists() or log.stat().st_size == 0


def address_of(file: Path, *, frozen: bool) -> str:
    """The URI with which SQLite only reads a file; a frozen one cannot change meanwhile."""
    return f"file:{quote(str(file.absolute()))}?mode=ro{'&immutable=1' if frozen else ''}"


# --- Errors -----------------------------------------------------------------------------------------------------------

REASONS = {  # words in a database's message, and our message for them
    "is full": "the disk of the store {store} is full: free some space, and run the same command again",
    "No space left": "the disk of the store {store} is full: free some space, and run the same command again",
    "disk I/O error": "the disk of the store {store} cannot be written (is it full?): repair it, and run the command again",
    "is locked": "another program keeps the store {store} locked: wait for it, and run the same command again",
    "readonly database": "expected a store that can be written, got {store}, which is read-only",
    "read-only transaction": "expected a store that can be written, got {store}, which is read-only",
    "permission denied": "expected a store that this user may use, got {store}: {message}",
    "not a database": "expected a facedown store, got {store}, which is something else",
    "malformed": "the store {store} is damaged: {message}",
}


def reason(error: Exception, store: str) -> str:
    """An error in one line that says what to do."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
    message = lines[0]
    if isinstance(error, ValueError | RecursionError) and not isinstance(error, UnicodeEncodeError):
        return f"the store {store} is damaged: {message}; nothing was changed"
    if getattr(error, "connection_invalidated", False):
        return f"lost the connection to the store {store}: run the same command again to resume ({message})"
    for words, meaning in REASONS.items():
        if words in message:
            return f"{meaning.format(store=store, message=message)}; nothing was changed"
    return f"the store {store} cannot be used: {message}; nothing was changed"


def settings_in(text: Any) -> dict[str, Any]:
    """The stored settings of a run; a ValueError for anything else."""
    found = json.loads(text) if isinstance(text, str) else text
    if not isinstance(found, dict):
        raise ValueError(f"expected the settings of a run, got {shown(text)}")
    return found


# --- What is there ----------------------------------------------------------------------------------------------------


def check_tables(tables: Collection[str], found: Sequence[str], name: str) -> str | None:
    """The number of the last migration; None for an empty database, and a refusal for one of something else."""
    if not tables:
        return None
    if len(found) != 1:
        raise StoreError(
            f"expected a facedown store or an empty database, got {name}, "
            f"which holds something else: {', '.join(sorted(tables)[:3])}"
        )
    return str(found[0])  # SQLite does not enforce types


def check_revision(found: str, name: str) -> None:
    """Refuse a store of another version of facedown."""
    if found < REVISION:
        raise StoreError(
            f"expected a store of version {REVISION}, got version {found} in {name}: "
            "run `facedown store upgrade` to bring it up to date"
        )
    if found > REVISION:
        raise StoreError(f"expected a store of version {REVISION}, got version {found} in {name}: a newer facedown made it")


def check_file(file: Path) -> None:
    """Refuse what is no file, or too small for a database: SQLite treats a file of one byte as empty, and overwrites it.

    SQLite refuses other files itself. The file is not opened here: to close it would release all locks that this process
    has on it, and another process could then remove the log of a store that is in use here.
    """
    if not file.is_file():
        kind = "a folder" if file.is_dir() else "something else"
        raise StoreError(f"expected a file for the store, got {file}, which is {kind}")
    if 0 < file.stat().st_size < HEADER_BYTES:
        raise StoreError(f"expected a facedown store, got {file}, which is something else")
