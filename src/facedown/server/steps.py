"""A game position by position, to be drawn: with all cards open, or as one seat or a spectator saw it."""

from facedown.arena.replay import check_end, ending_of, name_of
from facedown.errors import BadText, IllegalMove
from facedown.game import Game
from facedown.record import GameRecord
from facedown.server.messages import Data, outcome_data, position_text
from facedown.server.sources import is_view
from facedown.state import State
from facedown.table.outcome import Outcome
from facedown.view import SPECTATOR, View

MOST_STEPS = 5000


def steps_of_record(game: Game, record: GameRecord, seat: int | None) -> Data:
    """All positions of a record; nothing of it is shown if it breaks the rules."""
    if len(record.history) > MOST_STEPS:
        raise BadText(f"expected a record of at most {MOST_STEPS} actions, got {len(record.history)}")
    if len(record.agents) != game.seats:
        raise BadText(f"expected {game.seats} agents in the record, got {len(record.agents)}")
    viewer = checked_viewer(game, seat)
    steps: list[Data] = []
    try:
        for state in record.steps():
            steps.append(step(state, viewer))
            end = state
    except IllegalMove as error:  # whose words name the cards that the mover holds
        why = str(error) if viewer is None else "expected a legal action, got another"
        raise BadText(f"the record breaks the rules at action {len(steps)}: {why}") from None
    check_end(record, end)
    outcome = record_outcome(record, end, viewer)
    return {
        "game": game.full_name,
        "agents": record.agents,
        "names": [name_of(text) for text in record.agents],
        "seed": record.seed if viewer is None else None,
        "scores": record.scores,
        "lower_is_better": game.lower_is_better,
        "outcome": outcome_data(outcome),
        "ending": ending_of(record, end, viewer),
        "steps": steps,
    }


def steps_of_position(game: Game, text: str, seat: int | None) -> Data:
    """The one position that a text has: a whole one, or what a seat sees, which stays what it sees."""
    viewer = checked_viewer(game, seat)
    position: State | View
    if is_view(text):
        position = game.view(text, trusted=False)
        if viewer not in (None, position.seat):
            raise BadText(f"expected seat {position.seat}, whose view it is, got {viewer}")
        shown = view_step(position)
    else:
        position = game.position(text, trusted=False)
        shown = step(position, viewer)
    return {
        "game": game.full_name,
        "agents": [],
        "names": [],
        "seed": None,
        "scores": position.scores,
        "lower_is_better": game.lower_is_better,
        "outcome": outcome_data(position.outcome),
        "ending": None,
        "steps": [shown],
    }


def checked_viewer(game: Game, seat: int | None) -> int | None:
    """Who looks: a seat, SPECTATOR, or None for who sees all."""
    if seat is None:
        return None
    return SPECTATOR if seat == SPECTATOR else game.check_seat(seat)


def step(state: State, viewer: int | None) -> Data:
    """A position as a viewer sees it."""
    if viewer is not None:
        return {**view_step(state.view(viewer)), "deal": state.deals}
    history = state.history
    return {
        "moves": len(history),
        "to_move": state.seat,
        "played": played(state.game, *history[-1]) if history else None,
        "choice": len(state.legal) > 1,
        "deal": state.deals,
        "table": state.table,
        "position": position_text(state),
    }


def view_step(view: View) -> Data:
    """The same from the view alone."""
    history, mover = view.history, view.to_move
    return {
        "moves": len(history),
        "to_move": mover,
        "played": played(view.game, *history[-1]) if history else None,
        "choice": len(view.legal) > 1 if mover == view.seat else False if mover is None else None,
        "deal": 1,
        "table": view.table,
        "position": position_text(view),
    }


def played(game: Game, seat: int, action: int) -> Data:
    """An action and who played it."""
    return {"seat": seat, "action": game.texts([action])[0]}


def record_outcome(record: GameRecord, end: State, viewer: int | None) -> Outcome | None:
    """Why a recorded game ended; the reason of a forfeit, which may name cards, only for who may know them."""
    forfeit = record.forfeit
    if forfeit is None:
        return end.outcome
    found = record.outcome
    if found is None or viewer in (None, forfeit["seat"]):
        return found
    return Outcome(found.reason, found.winners, f"seat {forfeit['seat']} forfeits")
