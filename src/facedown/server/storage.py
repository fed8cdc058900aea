"""What a server stores of tables, moves and competitions, and finds again when it starts. Each function is one write."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, delete, insert, select, update

from facedown.errors import StoreError
from facedown.record import GameRecord
from facedown.server.journal import Rejected
from facedown.store.database import reading
from facedown.store.results import PlayedGame
from facedown.store.runs import add_to_run, insert_games, now
from facedown.store.tables import COMPETITIONS, GAMES, LIVE_MOVES, LIVE_TABLES, RUNS

Data = dict[str, Any]

NEW_MOVE = insert(LIVE_MOVES)


class StoredMove(NamedTuple):
    """An action that was accepted."""

    action: int
    seconds: float | None


class StoredTable(NamedTuple):
    """A table as it was left."""

    id: str
    settings: Data
    seats: list[Data]
    competition: str | None
    moves: list[StoredMove]
    record: int | None  # the id of the finished game


class OtherMove(Rejected):
    """Another action is stored at this number: the answer to it was lost together with the connection to the store."""

    def __init__(self, stored: StoredMove) -> None:
        super().__init__(stored)
        self.stored = stored


# --- Tables -----------------------------------------------------------------------------------------------------------


def add_table(connection: Connection, id: str, settings: Data, seats: Sequence[Data], competition: str | None) -> None:
    """Store a new table."""
    values = {"settings": json.dumps(settings), "seats": json.dumps(seats), "competition_id": competition}
    connection.execute(insert(LIVE_TABLES).values(id=id, created=now(), **values))


def set_rematch(connection: Connection, id: str, rematch: str) -> None:
    """Store at which table the players of another meet again."""
    row = connection.execute(select(LIVE_TABLES.c.settings).where(LIVE_TABLES.c.id == id)).one()
    settings = json.dumps({**json.loads(row.settings), "rematch": rematch})
    connection.execute(update(LIVE_TABLES).where(LIVE_TABLES.c.id == id).values(settings=settings))


def set_seats(connection: Connection, id: str, seats: Sequence[Data]) -> None:
    """Store who sits at a table now."""
    connection.execute(update(LIVE_TABLES).where(LIVE_TABLES.c.id == id).values(seats=json.dumps(seats)))


def add_move(connection: Connection, id: str, number: int, move: StoredMove) -> None:
    """Store an action; one that is stored already counts once, and another in its place is reported."""
    here = (LIVE_MOVES.c.table_id == id, LIVE_MOVES.c.number == number)
    row = {"table_id": id, "number": number, "action": move.action, "seconds": move.seconds}
    found = connection.execute(select(LIVE_MOVES.c.action, LIVE_MOVES.c.seconds).where(*here)).first()
    if found is None:
        connection.execute(NEW_MOVE, row)
    elif found.action != move.action:
        raise OtherMove(StoredMove(found.action, found.seconds))


def end_table(connection: Connection, id: str, record: GameRecord, place: tuple[str, int, int] | None) -> int:
    """Store a finished game, alone or in its place of a run, and forget its moves; return its id."""
    known = connection.scalar(select(LIVE_TABLES.c.game_id).where(LIVE_TABLES.c.id == id))
    if known is not None:
        return int(known)
    if place is None:
        game = insert_games(connection, [({"record": record.to_json()}, record)])[0]
    else:
        game = add_to_place(connection, record, *place)
    connection.execute(update(LIVE_TABLES).where(LIVE_TABLES.c.id == id).values(game_id=game))
    connection.execute(delete(LIVE_MOVES).where(LIVE_MOVES.c.table_id == id))
    return game


def add_to_place(connection: Connection, record: GameRecord, run: str, deal: int, seating: int) -> int:
    """Store a game of a competition's run; return its id."""
    run_id = connection.scalar(select(RUNS.c.id).where(RUNS.c.name == run))
    if run_id is None:
        raise StoreError(f"expected the run {run!r} in the store, which is no longer there")
    add_to_run(connection, run_id, run, [PlayedGame(deal, seating, record, None)])
    here = (GAMES.c.run_id == run_id, GAMES.c.deal == deal, GAMES.c.seating == seating)
    return int(connection.execute(select(GAMES.c.id).where(*here)).scalar_one())


def delete_table(connection: Connection, id: str) -> None:
    """Forget a table and its moves."""
    connection.execute(delete(LIVE_TABLES).where(LIVE_TABLES.c.id == id))


def unfinished_tables(engine: Engine) -> Iterator[StoredTable]:
    """The tables at which a game is to begin or under way."""
    with reading(engine) as connection:
        rows = connection.execute(select(LIVE_TABLES).where(LIVE_TABLES.c.game_id.is_(None))).all()
        order = (LIVE_MOVES.c.table_id, LIVE_MOVES.c.number)
        moves: dict[str, list[StoredMove]] = {}
        for row in connection.execute(select(LIVE_MOVES).order_by(*order)):
            moves.setdefault(row.table_id, []).append(StoredMove(row.action, row.seconds))
    for row in rows:
        yield stored_table(row, moves.get(row.id, []))


def finished_table(engine: Engine, id: str) -> StoredTable | None:
    """A table whose game is over."""
    with reading(engine) as connection:
        row = connection.execute(select(LIVE_TABLES).where(LIVE_TABLES.c.id == id)).first()
    return None if row is None or row.game_id is None else stored_table(row, [])


def stored_table(row: Any, moves: list[StoredMove]) -> StoredTable:
    """A table from its row."""
    return StoredTable(row.id, json.loads(row.settings), json.loads(row.seats), row.competition_id, moves, row.game_id)


# --- Competitions -----------------------------------------------------------------------------------------------------


class StoredCompetition(NamedTuple):
    """A competition as it was left."""

    id: str
    settings: Data
    entrants: list[Data]
    run: str | None
    over: bool


def add_competition(connection: Connection, id: str, settings: Data, entrants: Sequence[Data]) -> None:
    """Store a new competition."""
    values = {"settings": json.dumps(settings), "entrants": json.dumps(entrants)}
    connection.execute(insert(COMPETITIONS).values(id=id, over=False, created=now(), **values))


def update_competition(connection: Connection, id: str, **values: Any) -> None:
    """Store what has changed: entrants (JSON), run, over."""
    connection.execute(update(COMPETITIONS).where(COMPETITIONS.c.id == id).values(**values))


def all_competitions(engine: Engine) -> list[StoredCompetition]:
    """All competitions, the oldest first."""
    with reading(engine) as connection:
        rows = connection.execute(select(COMPETITIONS).order_by(COMPETITIONS.c.created, COMPETITIONS.c.id)).all()
    return [StoredCompetition(row.id, json.loads(row.settings), json.loads(row.entrants), row.run, row.over) for row in rows]
