"""Records out of a store and into it, as lines of JSON."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Engine, select

from facedown.errors import BadText
from facedown.record import ENCODER, GameRecord
from facedown.store.database import reading
from facedown.store.runs import NAMES_AT_ONCE, Played, Settings, add_to_run, begin_run, in_pieces, insert_games
from facedown.store.tables import GAMES, RUNS

IMPORTED: Settings = {"imported": True}  # the settings of a run that came out of a file


class Imported(NamedTuple):
    """How many games a file has, and how many of them are new."""

    games: int
    new: int


def export_lines(engine: Engine, run_id: int | None) -> Iterator[str]:
    """The records of one run, or of all games; those of runs say run, deal and seating."""
    question = select(GAMES.c.record, RUNS.c.name, GAMES.c.deal, GAMES.c.seating).outerjoin(RUNS)
    if run_id is None:
        question = question.order_by(GAMES.c.id)
    else:
        question = question.where(GAMES.c.run_id == run_id).order_by(GAMES.c.deal, GAMES.c.seating)
    with reading(engine) as connection, connection.execute(in_pieces(question)) as rows:
        for record, run, deal, seating in rows:
            place = ENCODER.encode({"run": run, "deal": deal, "seating": seating})
            yield record if run is None else f"{record[:-1]},{place[1:]}"


def import_lines(connection: Connection, engine: Engine, lines: Iterable[str | bytes], run: str | None) -> Imported:
    """Store the records of lines, in the runs they name or in another; what is there already is left alone."""
    count = new = 0
    waiting: dict[str | None, list[Played]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        record, name, deal, seating = read_line(number, line, run)
        waiting.setdefault(name, []).append((deal, seating, record, None))
        count += 1
        if len(waiting[name]) == NAMES_AT_ONCE:
            new += add_imported(connection, engine, name, waiting.pop(name))
    return Imported(count, new + sum(add_imported(connection, engine, name, played) for name, played in waiting.items()))


def read_line(number: int, line: str | bytes, run: str | None) -> tuple[GameRecord, str | None, int, int]:
    """A record with its run, deal and seating; one that has no place in its run gets that of its line."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        record, place = GameRecord.placed(text)
    except UnicodeDecodeError:
        raise BadText(f"line {number}: expected text in UTF-8, got {line[:30]!r}") from None
    except BadText as error:
        raise BadText(f"line {number}: {error}") from None
    return record, run or place.get("run"), place.get("deal", number - 1), place.get("seating", 0)


def add_imported(connection: Connection, engine: Engine, name: str | None, played: list[Played]) -> int:
    """Store some games of one run, or of none; how many are new."""
    if name is not None:
        run = begin_run(connection, engine, name, IMPORTED, ())
        return add_to_run(connection, run.id, name, played)
    records = {record.to_json(): record for _, _, record, _ in played}
    seeds = {str(record.seed) for record in records.values()}
    alike = select(GAMES.c.record).where(GAMES.c.run_id.is_(None), GAMES.c.seed.in_(seeds))
    for line in connection.scalars(alike):
        records.pop(line, None)
    return len(insert_games(connection, [({"record": line}, record) for line, record in records.items()]))
