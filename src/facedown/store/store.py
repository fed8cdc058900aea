"""A store: runs of many games, and single games beside them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from sqlalchemy import Engine, delete, func, select

from facedown.errors import StoreError, UnknownName
from facedown.record import GameRecord
from facedown.store.database import name_of, open_engine, reading, upgrade, url_of, writing
from facedown.store.lines import Imported, import_lines
from facedown.store.measured import Measurement, Spent, keep_measurement, measurements, spent_on
from facedown.store.places import settings_in
from facedown.store.reading import count_in, lines_in, reader, runs_in
from facedown.store.runs import Run, RunSettings, begin_run, insert_games
from facedown.store.tables import GAMES, RUNS


class StoredGame(NamedTuple):
    """A game of a store, with what only the store knows about it."""

    record: GameRecord
    id: int
    run: str | None
    deal: int | None
    seating: int | None
    seconds: float | None
    finished: datetime  # UTC


class Store:
    """Finished games in a database; `Store.open()` opens one."""

    def __init__(self, engine: Engine) -> None:
        """The engine of a database that is a store."""
        self._engine = engine
        self.name = name_of(engine.url)
        file = engine.url.drivername == "sqlite" and engine.url.database  # whose name may be no text that a URL can hold
        self._where = file or engine.url.render_as_string(hide_password=False)

    @property
    def engine(self) -> Engine:
        """The engine of its database, for what keeps data of its own beside the games."""
        return self._engine

    @classmethod
    def open(cls, where: str | Path | None = None, *, create: bool = True) -> Self:
        """The store in a file or at postgresql://...; by default FACEDOWN_STORE, or the user's own.

        A missing one is created if `create` is true. A file that is something else is refused and not changed.
        """
        return cls(open_engine(url_of(where), create))

    @staticmethod
    def upgrade(where: str | Path | None = None) -> tuple[str, str]:
        """Bring a store of an older version up to date: the version it had, and the one it has now."""
        return upgrade(where)

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        """Where it is."""
        return f"<Store {self.name}>"

    # --- Runs ---------------------------------------------------------------------------------------------------------

    def begin(self, name: str, settings: RunSettings, may_differ: Sequence[str] = ("deals",)) -> Run:
        """A new run, or the run of that name, to resume it: its settings must then be the same, except `may_differ`."""
        if not isinstance(name, str) or not name.strip():
            raise StoreError(f"expected a name for the run, got {name!r}")
        with writing(self._engine) as connection:
            return begin_run(connection, self._engine, name, settings, may_differ)

    def run(self, name: str) -> Run:
        """A stored run by its name."""
        with reading(self._engine) as connection:
            row = connection.execute(select(RUNS.c.id, RUNS.c.settings).where(RUNS.c.name == name)).first()
            if row is None:
                raise UnknownName("run", name, connection.scalars(select(RUNS.c.name)))
            return Run(self._engine, row.id, name, settings_in(row.settings), resumed=True)

    def runs(self) -> list[dict[str, Any]]:
        """The runs with their settings and the number of their games, oldest first."""
        with reader(self._where) as store:
            return runs_in(store)

    def delete_run(self, name: str) -> None:
        """Remove a run and all its games."""
        run = self.run(name)
        with writing(self._engine) as connection:
            connection.execute(delete(RUNS).where(RUNS.c.id == run.id))

    def spent(self, runs: Sequence[str]) -> Spent:
        """What the games of some runs have cost; runs that are not there cost nothing."""
        with reading(self._engine) as connection:
            return spent_on(connection, runs)

    # --- What is measured without games -------------------------------------------------------------------------------

    def measured(self, name: str) -> dict[str, Measurement]:
        """All that was measured under a name, by item."""
        with reading(self._engine) as connection:
            return measurements(connection, name)

    def keep(self, name: str, item: str, measured: Measurement) -> None:
        """Keep what was measured of an item, as plain data; what is there already stays."""
        with writing(self._engine) as connection:
            keep_measurement(connection, name, item, measured)

    # --- Games --------------------------------------------------------------------------------------------------------

    def add_game(self, record: GameRecord, seconds: float | None = None) -> int:
        """Store a game that belongs to no run; return its id."""
        with writing(self._engine) as connection:
            return insert_games(connection, [({"seconds": seconds, "record": record.to_json()}, record)])[0]

    def game(self, id: int) -> StoredGame:
        """A game by its id."""
        statement = select(GAMES, RUNS.c.name).outerjoin(RUNS).where(GAMES.c.id == id)
        with reading(self._engine) as connection:
            row = connection.execute(statement).first()
        if row is None:
            raise StoreError(f"expected the number of a game in {self.name}, got {id}")
        record = GameRecord.from_json(row.record, trusted=row.trusted)
        return StoredGame(record, row.id, row.name, row.deal, row.seating, row.seconds, row.finished)

    def last(self) -> StoredGame:
        """The game that was stored last."""
        with reading(self._engine) as connection:
            newest = connection.scalar(select(func.max(GAMES.c.id)))
        if newest is None:
            raise StoreError(f"expected a game in {self.name}, got none yet")
        return self.game(newest)

    def count(self, run: str | None = None) -> int:
        """The number of games, in all or in a run."""
        with reader(self._where) as store:
            return count_in(store, run)

    # --- JSON lines ---------------------------------------------------------------------------------------------------

    def lines(self, run: str | None = None) -> Iterator[str]:
        """The records as lines of JSON, of one run or of all games; those of runs include run, deal and seating."""
        if run is not None:
            self.run(run)  # refuses an unknown run at once
        return self._lines(run)

    def _lines(self, run: str | None) -> Iterator[str]:
        with reader(self._where) as store:
            yield from lines_in(store, run)

    def add_lines(self, lines: Iterable[str | bytes], run: str | None = None, *, trusted: bool = False) -> Imported:
        """Store the records of such lines in the runs they name, or in `run`; none, if one is damaged.

        They come from outside, so they load no files on replay, unless they are trusted.
        """
        with writing(self._engine) as connection:
            return import_lines(connection, self._engine, lines, run, trusted)
