"""A table as others know it: who sits there, what each may see, and who is told what happens."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.game import Game
from facedown.record import GameRecord
from facedown.server import messages
from facedown.server.listeners import Listener
from facedown.server.messages import Data, encoded
from facedown.server.refusals import Refusal, no_token, wrong_token
from facedown.server.seats import AGENT, OPEN, REMOTE, Seat
from facedown.server.storage import StoredMove
from facedown.state import State
from facedown.table.outcome import Outcome
from facedown.view import SPECTATOR, View

WAITING, PLAYING, OVER = "waiting", "playing", "over"


@dataclass(frozen=True)
class TableSettings:
    """What is decided when a table is made."""

    game: str
    seed: int
    name: str = ""
    seed_chosen: bool = False  # by who made the table, who may thus know the cards
    move_seconds: float = 0.0  # that a remote player may take for an action; 0: no limit
    game_seconds: float = 0.0  # that a remote player may take for all its actions; 0: no limit
    hints: bool = True
    place: tuple[str, int, int] | None = None  # run, deal and seating, for a game of a competition
    rematch_of: str | None = None
    rematch: str | None = None  # the id of the table at which the same players meet again

    @classmethod
    def of(cls, data: Data) -> "TableSettings":
        """Settings as they were stored."""
        place = data.pop("place", None)
        return cls(**data, place=None if place is None else (place[0], place[1], place[2]))


class ShownTable:
    """What a table is, apart from what is done there."""

    def __init__(self, id: str, settings: TableSettings, seats: Sequence[Seat], state: State) -> None:
        self.id = id
        self.settings = settings
        self.seats = list(seats)
        self.state = state
        self.competition: str | None = None
        self.record: int | None = None  # the id of the finished game
        self.finished: GameRecord | None = None
        self.listeners: dict[int, list[Listener]] = {}  # by seat, or SPECTATOR
        self.lock = asyncio.Lock()  # held while an action is stored and played
        self.turn_began = time.monotonic()
        self.spent = [0.0] * self.game.seats
        self.slowest = [0.0] * self.game.seats  # answer of each seat's agent
        self._hinting = False
        self._views: dict[int, View] = {}  # of the position as it is, by seat or SPECTATOR
        self._timer: asyncio.TimerHandle | None = None

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def moves(self) -> int:
        """How many actions were played."""
        return self.state.actions_played

    @property
    def status(self) -> str:
        """Waiting for players, playing, or over."""
        if self.record is not None:
            return OVER
        return WAITING if any(seat.kind == OPEN for seat in self.seats) else PLAYING

    def view_of(self, viewer: int) -> View:
        """What a seat, or SPECTATOR, sees now."""
        if viewer not in self._views:
            self._views[viewer] = self.state.view(viewer)
        return self._views[viewer]

    def _advance(self, move: StoredMove) -> None:
        """Play an action on the state."""
        seat = self.state.seat
        if seat is not None and move.seconds is not None:
            self.spent[seat] += move.seconds
        self.state.play(move.action, move.seconds)
        self._views.clear()

    def restore(self, moves: Sequence[StoredMove]) -> None:
        """Play the actions that were stored."""
        for move in moves:
            self._advance(move)

    @property
    def abandoned_for(self) -> float:
        """For how many seconds nobody has been there and nothing has happened; never in a competition."""
        present = any(self.listeners.values()) or self.competition is not None
        return 0.0 if present else time.monotonic() - self.turn_began

    # --- What anybody may know ----------------------------------------------------------------------------------------

    def facts(self) -> Data:
        """Public facts; the seed only when the game is over."""
        over = self.status == OVER
        return {
            "id": self.id,
            "game": self.settings.game,
            "name": self.settings.name,
            "status": self.status,
            "seats": [self.seat_facts(number) for number in range(self.game.seats)],
            "to_move": self.to_move,
            "moves": self.moves,
            "scores": self.scores,
            "move_seconds": self.settings.move_seconds or None,
            "game_seconds": self.settings.game_seconds or None,
            "hints": self.settings.hints,
            "seed_chosen": self.settings.seed_chosen,
            "spectators": len(self.listeners.get(SPECTATOR, ())),
            "competition": self.competition,
            "seed": self.settings.seed if over and self.competition is None else None,
            "record": self.record,
            "rematch": self.settings.rematch,
        }

    def seat_facts(self, number: int) -> Data:
        """Who sits at a seat."""
        seat = self.seats[number]
        connected = seat.kind == AGENT or bool(self.listeners.get(number))
        return {"seat": number, "name": seat.name, "kind": seat.kind, "connected": connected}

    @property
    def to_move(self) -> int | None:
        """The seat to act, once all seats are taken."""
        return self.state.seat if self.status == PLAYING else None

    @property
    def scores(self) -> list[float]:
        """The scores so far, or those of a forfeit."""
        return self.finished.scores if self.finished else self.view_of(SPECTATOR).scores

    def view(self, viewer: int) -> Data:
        """What a seat, or SPECTATOR, may see."""
        data = messages.view_data(self.view_of(viewer))
        if self.status == WAITING:
            data["to_move"], data["legal"] = None, []
        if self.finished and self.finished.forfeit:
            data.update(to_move=None, legal=[], over=True, scores=self.scores)
            data["outcome"] = messages.outcome_data(forfeit_outcome(self.finished))
        return data

    def seat_of(self, token: str | None) -> int:
        """The seat that a token belongs to; of several that an entrant has, the one to move if there is one."""
        if not token:
            raise no_token()
        own = [number for number, seat in enumerate(self.seats) if seat.belongs_to(token)]
        if not own:
            raise wrong_token()
        mover = self.to_move
        return mover if mover is not None and mover in own else own[0]

    def check_hints(self) -> None:
        """Refuse advice at a table without."""
        if not self.settings.hints:
            raise Refusal(403, "no_hints", "expected a table where hints are allowed, got one without")

    def seconds_left(self) -> float | None:
        """What the seat to move has left for this action; None without a limit."""
        number = self.state.seat
        if number is None or self.seats[number].kind != REMOTE:
            return None
        limits = []
        if self.settings.move_seconds:
            limits.append(self.settings.move_seconds)
        if self.settings.game_seconds:
            limits.append(self.settings.game_seconds - self.spent[number])
        return min(limits) - (time.monotonic() - self.turn_began) if limits else None

    def over_event(self) -> Data:
        """The last event of a game."""
        assert self.finished is not None
        outcome = forfeit_outcome(self.finished) if self.finished.forfeit else self.state.outcome
        told = messages.outcome_data(outcome)
        return {"event": "over", "scores": self.scores, "outcome": told, "record": self.record}

    # --- Sockets ------------------------------------------------------------------------------------------------------

    def join(self, viewer: int, listener: Listener, since: int | None) -> None:
        """Tell a new listener how things are, with the actions it has missed, and from now on what happens."""
        view = self.view_of(viewer)
        listener.tell(encoded({"event": "view", **self.view(viewer)}))
        for number in range(since or 0, self.moves) if since is not None else ():
            listener.tell(encoded(messages.move_event(view, number)))
        self.listeners.setdefault(viewer, []).append(listener)
        if viewer != SPECTATOR:
            self.tell_seat(viewer)
        if self.record is not None:
            listener.tell(encoded(self.over_event()))
        elif self.to_move is not None and self.to_move == viewer:
            listener.tell(encoded(messages.turn_event(view, self.seconds_left())))

    def leave(self, viewer: int, listener: Listener) -> None:
        """A listener has gone."""
        present = self.listeners.get(viewer, [])
        if listener in present:
            present.remove(listener)
            if viewer != SPECTATOR and not present:
                self.tell_seat(viewer)

    def tell_seat(self, number: int) -> None:
        """Tell everybody who sits at a seat, and whether it is connected."""
        self.tell_all(encoded({"event": "seat", **self.seat_facts(number)}))

    def tell_all(self, text: str) -> None:
        """Tell everybody the same."""
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.tell(text)

    def tell_move(self, number: int) -> None:
        """Tell everybody an action as they see it."""
        for viewer, listeners in self.listeners.items():
            if listeners:
                view = self.view_of(viewer)
                text = encoded(messages.move_event(view, number))
                whole = encoded(messages.view_event(view)) if any(listener.views for listener in listeners) else ""
                for listener in listeners:
                    listener.tell(text)
                    if listener.views:
                        listener.tell(whole)


def forfeit_outcome(record: GameRecord) -> Outcome:
    """Why a forfeited game ended."""
    found = record.outcome
    assert found is not None
    return found
