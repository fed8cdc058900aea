"""Finished games in a database: SQLite in a file, or PostgreSQL by URL.

docs/store.md explains the tables for queries in SQL.
"""

import importlib
from typing import TYPE_CHECKING, Any

from facedown.store.query import Answer, query
from facedown.store.results import GameResult, PlayedGame

if TYPE_CHECKING:
    from facedown.store.lines import Imported as Imported
    from facedown.store.runs import Run as Run
    from facedown.store.store import Store as Store
    from facedown.store.store import StoredGame as StoredGame

# The modules of the other names. They are imported on first use: reading a store needs no SQLAlchemy.
_HOMES = {"Imported": "lines", "Run": "runs", "Store": "store", "StoredGame": "store"}

__all__ = ["Answer", "GameResult", "PlayedGame", "query", *_HOMES]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown.store' has no attribute {name!r}")
    return getattr(importlib.import_module(f"facedown.store.{_HOMES[name]}"), name)
