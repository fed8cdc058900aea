"""Finished games in a database: SQLite in a file, or PostgreSQL by URL.

docs/store.md explains the tables to those who ask them in SQL.
"""

from facedown.store.lines import Imported
from facedown.store.query import Answer, query
from facedown.store.runs import Played, Result, Run
from facedown.store.store import Store, StoredGame

__all__ = ["Answer", "Imported", "Played", "Result", "Run", "Store", "StoredGame", "query"]
