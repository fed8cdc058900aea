"""A client of the arena server: REST and websockets, asynchronous, typed, and back again after a lost connection.

async with Client("http://127.0.0.1:8000") as client:
    table = await client.new_table("hearts", [{"open": True}])
    async with client.sit(table.id, "my bot") as seat:
        async for event in seat.events():
            if isinstance(event, YourTurn):
                await seat.play(event.legal[0])
"""

from facedown.errors import require_extra

require_extra("httpx", "httpx", "server")
require_extra("websockets", "websockets", "server")

from facedown.client.client import Client  # noqa: E402  # what it needs is there
from facedown.client.errors import ServerRefused, ServerUnreachable  # noqa: E402
from facedown.client.events import (  # noqa: E402
    Competing,
    CompetitionOver,
    Event,
    Moved,
    Other,
    Over,
    Problem,
    Progress,
    Rematch,
    Seated,
    Viewed,
    YourTurn,
)
from facedown.client.players import Choose, Turn, by_agent, play, play_all  # noqa: E402
from facedown.client.seat import Entry, Seat  # noqa: E402

__all__ = [
    "Choose",
    "Client",
    "Competing",
    "CompetitionOver",
    "Entry",
    "Event",
    "Moved",
    "Other",
    "Over",
    "Problem",
    "Progress",
    "Rematch",
    "Seat",
    "Seated",
    "ServerRefused",
    "ServerUnreachable",
    "Turn",
    "Viewed",
    "YourTurn",
    "by_agent",
    "play",
    "play_all",
]
