"""Writes to the store, many in one transaction: nobody is told of anything before it is stored.

A transaction of its own for each move would be the bottleneck of a busy server. So one thread writes all that has come in
since its last transaction. If that fails, each write gets a transaction of its own: one that is wrong fails alone.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import OperationalError

from facedown.errors import FacedownError, StoreError
from facedown.server.refusals import not_stored
from facedown.store.database import writing

MOST_AT_ONCE = 500

Result = TypeVar("Result")


@dataclass
class Entry:
    """One write."""

    work: Callable[[Connection], Any]
    future: "asyncio.Future[Any]"
    result: Any = None
    error: Exception | None = None


class Rejected(Exception):
    """Raised by a write on purpose: who waits for it is told, and nothing of it is stored."""


class Journal:
    """The only writer of a server."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._queue: SimpleQueue[Entry | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="facedown journal", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """What `work` returns, once all it did is stored; a Refusal if it cannot be stored.

        `work` may run twice, so it must do nothing but write. A cancelled caller's write is stored all the same.
        """
        entry = Entry(work, self._loop.create_future())
        self._queue.put(entry)
        try:
            result: Result = await asyncio.shield(entry.future)
        except StoreError as error:
            raise not_stored(str(error)) from error
        return result

    async def close(self) -> None:
        """Write what is left and stop."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        ending = False
        while not ending:
            entry = self._queue.get()
            batch: list[Entry] = []
            while True:
                if entry is None:
                    ending = True
                else:
                    batch.append(entry)
                if ending or self._queue.empty() or len(batch) == MOST_AT_ONCE:
                    break
                entry = self._queue.get()
            if batch:
                self._store(batch)
                self._loop.call_soon_threadsafe(tell, batch)

    def _store(self, batch: list[Entry]) -> None:
        """Store all in one transaction, or else one by one."""
        try:
            with writing(self._engine) as connection:
                for entry in batch:
                    entry.result = entry.work(connection)
        except Exception as error:
            # A file that is locked or full stays so; a connection to a server may have been lost just now.
            self._store_each(batch, error if self._engine.dialect.name == "sqlite" and is_down(error) else None)

    def _store_each(self, batch: list[Entry], failed: Exception | None) -> None:
        """Store one by one, until the store is found to be down: each attempt may take long then."""
        for entry in batch:
            if failed is not None:
                entry.error = failed
                continue
            try:
                with writing(self._engine) as connection:
                    entry.result = entry.work(connection)
            except (FacedownError, Rejected) as error:
                entry.error = error
                failed = error if is_down(error) else None
            except Exception as error:  # a fault in `work` must not end the thread
                entry.error = StoreError(f"{type(error).__name__}: {error}")


def is_down(error: Exception) -> bool:
    """Whether the store cannot be written at all; otherwise only one write was wrong."""
    return isinstance(error, StoreError) and isinstance(error.__cause__, OperationalError)


def tell(batch: list[Entry]) -> None:
    """Tell who waits that it is stored, or that it is not."""
    for entry in batch:
        if entry.future.done():
            continue
        if entry.error is None:
            entry.future.set_result(entry.result)
        else:
            entry.future.set_exception(entry.error)
            entry.future.exception()  # nobody may be waiting any more
