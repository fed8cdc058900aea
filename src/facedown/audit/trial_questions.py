"""How each question that a game may answer is put to it in a trial, and what its answers have to keep to."""

from collections.abc import Callable
from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, copied, record_in
from facedown.limits import broken
from facedown.rng import stream
from facedown.state import State

MENU_ROWS, MENU_COLUMNS = 64, 3
MOST_ALLOWANCE = 63
MOST_KEY = (1 << 62) - 1


class Asking:
    """A question put in a position; every call works on a copy, with arrays of the sizes that searches use."""

    def __init__(self, state: State, question: str) -> None:
        """The seat to act is the one that asks, where one does."""
        self.state, self.question, self.game = state, question, state.game
        self.seat = state.seat or 0
        self.legal = state.legal
        self.rng = stream(len(state.history))

    def record(self, view: bool = False) -> Any:
        """A copy of the state's record, or of what the seat to act sees of it."""
        return record_in(copied(self.state.view(self.seat).data if view else self.state.data))

    @property
    def actions(self) -> Array:
        """Room for actions."""
        return np.empty(self.game.actions, np.int64)

    def within(self, answer: Any, least: int, most: int) -> int:
        """A whole number in a range."""
        if isinstance(answer, int | np.integer | np.bool_) and least <= int(answer) <= most:
            return int(answer)
        raise broken(self.game, self.question, f"a number from {least} to {most}, got {answer}", len(self.state.history))

    def playable(self, answer: Any) -> None:
        """An action that may be played now."""
        action = self.within(answer, 0, self.game.actions - 1)
        if action not in self.legal and not rules.allows(self.record(), action):
            words = f"an action that is legal, got {self.game.text(action)}"
            raise broken(self.game, self.question, words, len(self.state.history))


def _allows(asking: Asking) -> None:
    for action in range(min(asking.game.actions, 64)):
        asking.within(rules.allows(asking.record(), action), 0, 1)


def _seen_as(asking: Asking) -> None:
    for seat in range(asking.game.seats):
        for action in asking.legal:
            asking.within(rules.seen_as(asking.record(), seat, action), 0, asking.game.actions - 1)


def _position_key(asking: Asking) -> None:
    for seat in (asking.seat, -1):
        for merge in (False, True):
            rules.position_key(asking.record(view=seat >= 0), seat, merge, np.zeros(2, np.uint64))


def _relative_action(asking: Asking) -> None:
    for merge in (False, True):
        for action in asking.legal:
            answer = rules.relative_action(asking.record(view=True), asking.seat, merge, action)
            asking.within(answer, 0, asking.game.actions - 1)


def _parts(asking: Asking) -> None:
    if rules.closing(asking.record()) >= 0:
        menu = np.zeros((MENU_ROWS, MENU_COLUMNS), np.int64)
        asking.within(rules.parts(asking.record(), menu), 0, MENU_ROWS)
        asking.within(rules.allowance(asking.record()), 0, MOST_ALLOWANCE)


def _suppositions(asking: Asking) -> None:
    view = asking.state.view(asking.seat)
    count = asking.within(rules.suppositions(asking.record(view=True), asking.seat), 1, MOST_KEY)
    asking.within(rules.supposed(asking.record(), asking.seat), 0, count - 1)
    for which in range(count):
        rules.suppose(asking.record(view=True), asking.seat, which, view.unseen()[0])


def _foresee(asking: Asking) -> None:
    for action in asking.legal:
        asking.within(rules.foresee(asking.record(), action), -1, MOST_KEY)


QUESTIONS: dict[str, Callable[[Asking], Any]] = {
    "abstraction": lambda a: a.within(rules.abstraction(a.record(view=True), a.seat), 0, MOST_KEY),
    "allows": _allows,
    "closing": lambda a: a.within(rules.closing(a.record()), -1, a.game.actions - 1),
    "foresee": _foresee,
    "is_settled": lambda a: a.within(rules.is_settled(a.record()), 0, 1),
    "moves_left": lambda a: a.within(rules.moves_left(a.record(view=True)), 1, MOST_KEY),
    "parts": _parts,
    "play_out": lambda a: rules.play_out(a.record(), a.actions, a.rng),
    "playout_action": lambda a: a.playable(rules.playout_action(a.record(), a.actions, a.rng)),
    "position_key": _position_key,
    "relative_action": _relative_action,
    "rule_action": lambda a: a.playable(rules.rule_action(a.record(), a.actions, a.rng)),
    "rule_play_out": lambda a: rules.rule_play_out(a.record(), a.actions, a.rng),
    "seen_as": _seen_as,
    "shuffle_stock": lambda a: rules.shuffle_stock(a.record(), a.rng),
    "suppositions": _suppositions,
    "turns": lambda a: a.within(rules.turns(a.record()), 0, MOST_KEY),
}
