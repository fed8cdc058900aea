"""The messages of the websockets as types; the OpenAPI document has those of the requests.

`schemas()` writes them as JSON Schemas, which `GET /api/schemas` shows and docs/server.schema.json has.
"""

from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from facedown.server import wire, wire_analysis


class ViewEvent(wire.ViewFacts):
    """What the viewer sees: the first event, and after each action for who asked for views."""

    event: Literal["view"]


class MoveEvent(BaseModel):
    """An action, as the viewer saw it; `moves` counts it."""

    event: Literal["move"]
    seat: int
    action: str
    moves: int


class TurnEvent(BaseModel):
    """It is the viewer's turn."""

    event: Literal["your_turn"]
    legal: list[str]
    moves: int
    seconds_left: float | None


class SeatEvent(wire.SeatFacts):
    """Somebody has sat down, come or gone."""

    event: Literal["seat"]


class OverEvent(BaseModel):
    """The game is over; `record` is the id of its record."""

    event: Literal["over"]
    scores: list[float]
    outcome: wire.OutcomeFacts
    record: int


class RematchEvent(BaseModel):
    """The same players meet at another table; their tokens are good there."""

    event: Literal["rematch"]
    table: str


class ErrorEvent(wire.ErrorFacts):
    """A message was refused; nothing has changed. In a competition with the table that it was meant for."""

    event: Literal["error"]
    table: str = ""


class CompetitionEvent(wire.CompetitionSummary):
    """The first event of a competition's socket."""

    event: Literal["competition"]


class ProgressEvent(BaseModel):
    """A game of a competition is over."""

    event: Literal["progress"]
    games: int | None
    games_played: int


class CompetitionOverEvent(BaseModel):
    """All games of a competition are played."""

    event: Literal["competition_over"]
    standings: list[dict[str, Any]]


class AnalysisEvent(wire_analysis.AnalysisFacts):
    """The first event of an analysis' socket: what is known so far."""

    event: Literal["analysis"]


class DecisionEvent(wire_analysis.DecisionFacts):
    """What the agent thinks of one decision; `regret` is what the action cost, in reward."""

    event: Literal["decision"]
    done: int
    total: int


class AnalysisOverEvent(BaseModel):
    """An analysis is done, or has failed."""

    event: Literal["analysis_over"]
    status: Literal["done", "failed"]
    failure: str | None
    players: list[wire_analysis.PlayerFacts] | None


SENT: tuple[type[BaseModel], ...] = (
    ViewEvent,
    MoveEvent,
    TurnEvent,
    SeatEvent,
    OverEvent,
    RematchEvent,
    ErrorEvent,
    CompetitionEvent,
    ProgressEvent,
    CompetitionOverEvent,
    AnalysisEvent,
    DecisionEvent,
    AnalysisOverEvent,
)
RECEIVED: tuple[type[BaseModel], ...] = (wire.Hello, wire.Move, wire.TableMove)


def schemas() -> dict[str, Any]:
    """A JSON Schema for each message: those that the server sends, by their `event`, and those that it takes."""
    sent = [(kind, "serialization") for kind in SENT]
    received = [(kind, "validation") for kind in RECEIVED]
    places, definitions = models_json_schema([*sent, *received], ref_template="#/$defs/{model}")  # type: ignore[list-item]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages of facedown's websockets",
        "sent": {event_of(kind): places[kind, "serialization"] for kind in SENT},
        "received": {kind.__name__: places[kind, "validation"] for kind in RECEIVED},
        **definitions,
    }


def event_of(kind: type[BaseModel]) -> str:
    """The name that an event goes by."""
    found: str = kind.model_fields["event"].annotation.__args__[0]  # type: ignore[union-attr]
    return found


def main() -> None:
    """Print the schemas, as docs/server.schema.json has them."""
    import json

    print(json.dumps(schemas(), indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
