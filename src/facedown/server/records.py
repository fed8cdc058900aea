"""Finished games of the store, as the server shows them."""

from typing import Any

from sqlalchemy import Engine, or_, select

from facedown.errors import StoreError
from facedown.server.refusals import Refusal
from facedown.store import Store
from facedown.store.database import reading
from facedown.store.store import StoredGame
from facedown.store.tables import GAMES, PLAYERS, RUNS


def newest(engine: Engine, limit: int, before: int | None, game: str | None, run: str | None = None) -> list[dict[str, Any]]:
    """The newest games, with players and scores."""
    place = (GAMES.c.deal, GAMES.c.seating)
    columns = (GAMES.c.id, GAMES.c.game, GAMES.c.actions, GAMES.c.forfeit, GAMES.c.finished, RUNS.c.name, *place)
    question = select(*columns).outerjoin(RUNS).order_by(GAMES.c.id.desc()).limit(limit)
    if before is not None:
        question = question.where(GAMES.c.id < before)
    if game is not None:
        with_options = GAMES.c.game.startswith(f"{game}:", autoescape=True)  # a game's name stands for all its options
        question = question.where(or_(GAMES.c.game == game, with_options))
    if run is not None:
        question = question.where(RUNS.c.name == run)
    with reading(engine) as connection:
        rows = connection.execute(question).all()
        seats = select(PLAYERS).where(PLAYERS.c.game_id.in_([row.id for row in rows])).order_by(PLAYERS.c.seat)
        players: dict[int, list[tuple[str, float]]] = {}
        for seat in connection.execute(seats):
            players.setdefault(seat.game_id, []).append((seat.agent, seat.score))
    return [
        {
            "id": row.id,
            "game": row.game,
            "players": [name for name, _ in players.get(row.id, ())],
            "scores": [score for _, score in players.get(row.id, ())],
            "actions": row.actions,
            "forfeit": row.forfeit,
            "finished": row.finished.isoformat(timespec="seconds") + "Z",
            "run": row.name,
            "deal": row.deal,
            "seating": row.seating,
        }
        for row in rows
    ]


def by_id(store: Store, id: int) -> StoredGame:
    """A game by its id."""
    try:
        return store.game(id)
    except StoreError as error:
        if "expected the number of a game" in str(error):
            raise Refusal(404, "not_found", f"expected the id of a record, got {id}") from None
        raise


def import_lines(store: Store, text: str) -> dict[str, Any]:
    """Store records from lines of JSON."""
    try:
        imported = store.add_lines(text.splitlines())
    except StoreError as error:
        if error.__cause__ is None or isinstance(error.__cause__, ValueError):  # the lines are to blame, not the database
            raise Refusal(422, "bad_text", str(error)) from None
        raise
    return {"games": imported.games, "new": imported.new}
