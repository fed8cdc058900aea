"""What is sent to a seat or a spectator: made from its view alone, so it cannot tell more than the view does."""

import json
from typing import Any

from facedown.analysis.value import Measure
from facedown.errors import FacedownError
from facedown.state import State
from facedown.table.outcome import Outcome
from facedown.view import SPECTATOR, View

Data = dict[str, Any]

ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False, ensure_ascii=False)


def encoded(message: Data) -> str:
    """A message as text."""
    return ENCODER.encode(message)


def view_data(view: View) -> Data:
    """All that a viewer may see."""
    game, over = view.game, view.over
    mover = view.to_move
    mine = mover is not None and mover == view.seat
    return {
        "seat": None if view.seat == SPECTATOR else view.seat,
        "to_move": mover,
        "moves": len(view.history),
        "legal": game.texts(view.legal) if mine else [],
        "facts": dict(view.facts),
        "table": view.table,
        "history": history_data(view),
        "over": over,
        "scores": view.scores,
        "outcome": outcome_data(view.outcome),
        "position": position_text(view),
    }


def position_text(position: State | View) -> str | None:
    """A view or a state as one line of text, from which the game makes it again; None in a game that cannot write it."""
    try:
        return position.position
    except FacedownError:
        return None


def history_data(view: View) -> list[list[Any]]:
    """The actions so far, as the viewer saw them."""
    history = view.history
    texts = view.game.texts([action for _, action in history])
    return [[seat, text] for (seat, _), text in zip(history, texts, strict=True)]


def outcome_data(outcome: Outcome | None) -> Data | None:
    """Why a game ended."""
    if outcome is None:
        return None
    return {"reason": outcome.reason, "winners": list(outcome.winners), "words": outcome.words}


def measure_data(measure: Measure) -> Data:
    """A measure as plain data."""
    return {"unit": measure.unit, "scale": measure.scale, "zero": measure.zero, "name": measure.name}


def view_event(view: View) -> Data:
    """The first event of a socket."""
    return {"event": "view", **view_data(view)}


def move_event(view: View, number: int) -> Data:
    """An action as the viewer saw it; `moves` counts it."""
    seat, action = view.history[number]
    return {"event": "move", "seat": seat, "action": view.game.text(action), "moves": number + 1}


def turn_event(view: View, seconds_left: float | None) -> Data:
    """It is the viewer's turn."""
    legal = view.game.texts(view.legal)
    left = None if seconds_left is None else round(max(0.0, seconds_left), 3)
    return {"event": "your_turn", "legal": legal, "moves": len(view.history), "seconds_left": left}
