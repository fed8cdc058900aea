"""Where a game or a position comes from that somebody wants to look at, and whether they may."""

from typing import Any

from fastapi import Request

from facedown.record import ENCODER, GameRecord
from facedown.server import records
from facedown.server.asking import competitions, hall
from facedown.server.refusals import Refusal
from facedown.store.store import StoredGame


async def open_record(request: Request, id: int) -> GameRecord:
    """A record that may be read: not of a deal that others may still play."""
    here = hall(request)
    stored: StoredGame = await here.read(records.by_id, here.store, id)
    competition = competitions(request).of_run(stored.run)
    if competition is not None and not competition.over:
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
