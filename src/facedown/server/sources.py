"""Where a game or a position comes from that somebody wants to look at, and whether they may."""

import asyncio
from dataclasses import dataclass
from itertools import islice
from typing import Any

from fastapi import Request

from facedown.errors import BadText
from facedown.game import Game
from facedown.notation.position import VIEW
from facedown.record import ENCODER, GameRecord
from facedown.server import records
from facedown.server.asking import check_admin, competitions, hall, token_of
from facedown.server.refusals import Refusal
from facedown.server.told import told_game, view_of_entries
from facedown.server.wire_analysis import Source
from facedown.state import State
from facedown.store.store import StoredGame
from facedown.view import View

KINDS = ("record", "table", "position", "hand")


async def open_record(request: Request, id: int) -> GameRecord:
    """A record that may be read: not of a deal that others may still play."""
    here = hall(request)
    stored: StoredGame = await here.read(records.by_id, here.store, id)
    if stored.run in competitions(request).closed_runs():
        raise Refusal(403, "not_yet", "expected a competition that is over: others may still play the same deal")
    return stored.record


async def wished_record(request: Request, wish: int | dict[str, Any] | None) -> GameRecord | None:
    """The record that a request names by its id, or holds."""
    if wish is None:
        return None
    return await open_record(request, wish) if isinstance(wish, int) else read_record(wish)


def read_record(data: dict[str, Any]) -> GameRecord:
    """A record that was sent, checked and not trusted."""
    try:
        return GameRecord.from_json(ENCODER.encode(data))
    except ValueError as error:
        raise Refusal(422, "bad_text", str(error)) from None


# --- Views ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sight:
    """A view that somebody may have, and the table that it comes from, if it does."""

    view: View
    table: str | None = None


async def sight(request: Request, source: Source) -> Sight:
    """The view that a source names. A table's is its seat's, whose token the request has; others are the administrator's."""
    named = [kind for kind in KINDS if getattr(source, kind) is not None]
    if len(named) != 1:
        raise Refusal(
            422, "bad_request", f"expected one of a record, a table, a position and a hand, got {len(named)} of them"
        )
    if source.table is not None:
        return await table_sight(request, source.table)
    check_admin(request)
    if source.record is None:
        if source.game is None:
            raise Refusal(422, "bad_request", f"expected a game and a {named[0]}, got a {named[0]} alone")
        game = await hall(request).game(source.game)
        if source.position is None:
            return Sight(await view_of_entries(hall(request), told_game(source, game.full_path)))
        return Sight(await asyncio.to_thread(given_view, game, source.position, source.seat))
    record = await wished_record(request, source.record)
    assert record is not None
    await hall(request).game(record.game)  # by name only, and compiled beside the event loop
    return Sight(await asyncio.to_thread(recorded_view, record, source.moves, source.seat))


async def table_sight(request: Request, id: str) -> Sight:
    """What the seat of the request's token sees now, where hints are allowed."""
    table = await hall(request).find(id)
    seat = table.seat_of(token_of(request))
    table.check_hints()
    return Sight(table.view_of(seat), table.id)


def recorded_view(record: GameRecord, moves: int | None, seat: int | None) -> View:
    """What a seat saw after some actions of a record."""
    count = len(record.history)
    if moves is not None and moves > count:
        raise BadText(f"expected at most {count} moves, as many as the record has, got {moves}")
    *_, state = islice(record.steps(), (count if moves is None else moves) + 1)
    return seen_by(state, seat)


def given_view(game: Game, text: str, seat: int | None) -> View:
    """What a seat sees of a position, or the view that the text is."""
    if not is_view(text):
        return seen_by(game.position(text, trusted=False), seat)
    view = game.view(text, trusted=False)
    if seat not in (None, view.seat):
        raise BadText(f"expected seat {view.seat}, whose view it is, got seat {seat}")
    return view


def seen_by(state: State, seat: int | None) -> View:
    """What a seat sees; the one to move by default."""
    viewer = state.seat if seat is None else state.game.check_seat(seat)
    if viewer is None:
        raise BadText("expected a seat, or a position in which one is to act, got the end of a game")
    return state.view(viewer)


def is_view(text: str) -> bool:
    """Whether the text of a position is that of a view."""
    return any(word.startswith(VIEW) for word in text.split()[:2])
