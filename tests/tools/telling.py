"""Telling a real game to a session, as somebody at one seat would: only what that seat sees."""

from dataclasses import dataclass
from random import Random
from typing import Any

from facedown.advisor import Session
from facedown.cards import texts_of
from facedown.game import Game
from facedown.games.speech import gained
from facedown.state import State
from facedown.view import View


@dataclass
class Seen:
    """What a seat saw of a game: its view after each action, and the cards that the action brought to light."""

    views: list[View]
    cards: list[list[str]]

    def answer(self, session: Session) -> str:
        """What the seat would tell next."""
        told = 0 if session.view is None else len(session.view.history) + session.pending
        expects, view = session.expects, self.views[told]
        if expects.kind == "hand":
            return ", ".join(view.hands[view.seat] or ())
        if expects.kind == "cards":
            return ", ".join(self.cards[told])
        if expects.kind == "action":
            return view.game.text(self.views[told + 1].history[told][1])
        return as_text(view.to_move if expects.kind == "seat" else view.facts[expects.name or ""])


def random_game(game: Game, seat: int, seed: int, most: int = 400) -> Seen:
    """A game of random actions, up to its end or for `most` actions, as a seat saw it."""
    state, chance = game.deal(seed), Random(seed)
    seen = Seen([state.view(seat)], [[]])
    while state.seat is not None and len(state.history) < most:
        action = chance.choice(state.legal)
        before = hand_of(state, seat)
        turned_up = pile_of_other(state, seat) if game.name == "cheat" and game.text(action) == "call" else []
        state.play(action)
        view = state.view(seat)
        seen.views.append(view)
        seen.cards.append(turned_up or view.facts.get("received") or gained(before, hand_of(state, seat)))
    return seen


def hand_of(state: State, seat: int) -> list[str]:
    """A seat's hand; in a game without hands none."""
    return state.hands[seat] if state.game.has_hands else []


def told(session: Session, seen: Seen) -> int:
    """Tell a session all of a game, comparing each view with the real one; how many views were compared."""
    compared = 0
    while session.expects.kind != "over":
        if not session.pending:
            assert session.view is not None
            place = len(session.view.history)
            assert session.view == seen.views[place], place
            compared += 1
            if place + 1 == len(seen.views):
                return compared
        session.tell(seen.answer(session))
    assert session.view == seen.views[-1]
    return compared + 1


def pile_of_other(state: State, seat: int) -> list[str]:
    """The cards that the other seat of Cheat has laid since the pile was last shown."""
    record = state.record
    laid = [batch for batch in range(int(record.batches)) if record.batch_seat[batch] != seat]
    return [word for batch in laid for word in texts_of(record.batch_cards[batch])]


def as_text(value: Any) -> str:
    """A fact as somebody types it."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
