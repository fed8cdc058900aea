"""Import: records from lines of JSON into a store. reading.py exports them."""

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, Engine, select

from facedown.errors import BadText
from facedown.record import GameRecord
from facedown.store.results import PlayedGame
from facedown.store.runs import NAMES_AT_ONCE, RunSettings, add_to_run, begin_run, insert_games
from facedown.store.tables import GAMES

IMPORTED: RunSettings = {"imported": True}  # the settings of a run that came out of a file


class Imported(NamedTuple):
    """How many games a file has, and how many of them are new."""

    games: int
    new: int


def import_lines(
    connection: Connection, engine: Engine, lines: Iterable[str | bytes], run: str | None, trusted: bool
) -> Imported:
    """Store the records of lines, in the runs they name or in `run`; those stored already are left as they are."""
    count = new = 0
    waiting: dict[str | None, list[PlayedGame]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record, name, deal, seating = read_line(number, line, run, trusted)
        waiting.setdefault(name, []).append(PlayedGame(deal, seating, record, None))
        count += 1
        if len(waiting[name]) == NAMES_AT_ONCE:
            new += add_imported(connection, engine, name, waiting.pop(name))
    return Imported(count, new + sum(add_imported(connection, engine, name, played) for name, played in waiting.items()))


def read_line(number: int, line: str | bytes, run: str | None, trusted: bool) -> tuple[GameRecord, str | None, int, int]:
    """A record with its run, deal and seating; one without a deal gets the number of its line."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        record, place = GameRecord.placed(text, trusted=trusted)
    except UnicodeDecodeError:
        raise BadText(f"line {number}: expected text in UTF-8, got {line[:30]!r}") from None
    except BadText as error:
        raise BadText(f"line {number}: {error}") from None
    return record, run or place.get("run"), place.get("deal", number - 1), place.get("seating", 0)


def add_imported(connection: Connection, engine: Engine, name: str | None, played: list[PlayedGame]) -> int:
    """Store some games of one run, or of none; return how many are new."""
    if name is not None:
        run = begin_run(connection, engine, name, IMPORTED, ())
        return add_to_run(connection, run.id, name, played)
    records = {game.record.to_json(): game.record for game in played}
    seeds = {str(record.seed) for record in records.values()}
    alike = select(GAMES.c.record).where(GAMES.c.run_id.is_(None), GAMES.c.seed.in_(seeds))
    for line in connection.scalars(alike):
        records.pop(line, None)
    return len(insert_games(connection, [({"record": line}, record) for line, record in records.items()]))
