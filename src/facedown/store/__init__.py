"""Finished games in a database: SQLite in a file, or PostgreSQL by URL.

docs/store.md explains the tables to those who ask them in SQL.
"""

import importlib
from typing import TYPE_CHECKING, Any

from facedown.store.query import Answer, query

if TYPE_CHECKING:
    from facedown.store.lines import Imported
    from facedown.store.runs import Played, Result, Run
    from facedown.store.store import Store, StoredGame

__all__ = ["Answer", "Imported", "Played", "Result", "Run", "Store", "StoredGame", "query"]

# Where the other names live. They are imported on first use, for those who only read need no SQLAlchemy.
_HOMES = {
    "Imported": "lines",
    "Played": "runs",
    "Result": "runs",
    "Run": "runs",
    "Store": "store",
    "StoredGame": "store",
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown.store' has no attribute {name!r}")
    return getattr(importlib.import_module(f"facedown.store.{_HOMES[name]}"), name)
