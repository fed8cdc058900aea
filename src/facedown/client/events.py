"""What happens at a table, as it is told to a seat or a spectator. In a competition each event says at which table."""

from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from facedown.client.errors import ServerUnreachable
from facedown.errors import shown
from facedown.server.wire import CompetitionSummary, OutcomeFacts, SeatFacts, ViewFacts


class Event(BaseModel):
    """Something that happened."""

    model_config = ConfigDict(frozen=True)

    table: str | None = None  # in a competition: at which table,
    viewer: int | None = None  # and at which of the seats there, for an entrant may have several


class Viewed(Event):
    """All that the seat sees now."""

    view: ViewFacts


class Moved(Event):
    """An action, as the seat saw it; `moves` counts it."""

    seat: int
    action: str
    moves: int


class YourTurn(Event):
    """The seat is asked to act; `moves` were played before."""

    legal: list[str]
    moves: int
    seconds_left: float | None = None


class Seated(Event):
    """Who sits at a seat, and whether it is connected."""

    facts: SeatFacts


class Over(Event):
    """The game is over."""

    scores: list[float]
    outcome: OutcomeFacts | None = None
    record: int | None = None


class Rematch(Event):
    """The same players meet again at another table."""

    again: str


class Problem(Event):
    """The server refuses something that was sent."""

    code: str
    message: str


class Competing(Event):
    """A competition as it is when somebody connects."""

    facts: CompetitionSummary


class Progress(Event):
    """How many games of a competition were played."""

    games: int | None
    games_played: int


class CompetitionOver(Event):
    """A competition is over."""

    standings: list[dict[str, Any]]


class Other(Event):
    """An event of a later version of the server."""

    data: dict[str, Any]


KINDS: dict[str, type[Event]] = {
    "move": Moved,
    "your_turn": YourTurn,
    "over": Over,
    "error": Problem,
    "progress": Progress,
    "competition_over": CompetitionOver,
}


def read_event(data: Any, *, many: bool = False) -> Event:
    """An event from a message; `many`: it says at which of several tables."""
    if not isinstance(data, dict) or not isinstance(data.get("event"), str):
        raise ServerUnreachable(f"expected an event of an arena server, got {shown(data)}")
    name = data["event"]
    rest = {key: value for key, value in data.items() if key != "event"}
    place = {key: rest.pop(key) for key in ("table", "viewer") if key in rest} if many else {}
    try:
        if name == "view":
            zones = {"table": rest.pop("zones", {})} if many else {}
            return Viewed(**place, view=ViewFacts.model_validate({**rest, **zones}))
        if name == "seat":
            return Seated(**place, facts=SeatFacts.model_validate(rest))
        if name == "rematch":
            return Rematch(**place, again=rest["table"])
        if name == "competition":
            return Competing(facts=CompetitionSummary.model_validate({**rest, **place}))
        if name in KINDS:
            return KINDS[name].model_validate({**rest, **place})
        return Other(**place, data=data)
    except (ValidationError, KeyError) as error:
        raise ServerUnreachable(f"expected an event {name!r} as this version knows it, got {shown(error)}") from None
