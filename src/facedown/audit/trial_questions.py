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
        if action not in self.legal and not self.game.allows(self.record(), action):
            words = f"an action that is legal, got {self.game.text(action)}"
            raise broken(self.game, self.question, words, len(self.state.history))


def _allows(asking: Asking) -> None:
    for action in range(min(asking.game.actions, 64)):
        asking.game.allows(asking.record(), action)


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


def _in_styles(asking: Asking, ask: Callable[[int], Any]) -> None:
    question = asking.question
    for number, name in rules.STYLES.items():
        asking.question = f"{question}:{name}"  # the answer that an error names
        if asking.question in asking.game.rules.own:
            ask(number)


def _choose(asking: Asking) -> None:
    _in_styles(asking, lambda style: asking.playable(rules.choose(asking.record(), style, asking.actions, asking.rng)))


def _play_out(asking: Asking) -> None:
    _in_styles(asking, lambda style: rules.play_out(asking.record(), style, asking.actions, asking.rng))


def _compound_move(asking: Asking) -> None:
    menu = np.zeros((MENU_ROWS, MENU_COLUMNS), np.int64)
    closing, rows, allowance = rules.compound_move(asking.record(), menu)
    if asking.within(closing, -1, asking.game.actions - 1) >= 0:
        asking.within(rows, 0, MENU_ROWS)
        asking.within(allowance, 0, MOST_ALLOWANCE)


def _assume(asking: Asking) -> None:
    view = asking.state.view(asking.seat)
    count = which = 0
    while which <= count:
        count = asking.within(rules.assume(asking.record(view=True), asking.seat, which, view.unseen()[0]), 1, MOST_KEY) - 1
        which += 1
    asking.within(asking.game.hypothesis(asking.record(), asking.seat), 0, count)


def _chance_outcome(asking: Asking) -> None:
    for action in asking.legal:
        asking.within(rules.chance_outcome(asking.record(), action), -1, MOST_KEY)


QUESTIONS: dict[str, Callable[[Asking], Any]] = {
    "allows": _allows,
    "assume": _assume,
    "chance_outcome": _chance_outcome,
    "choose": _choose,
    "compound_move": _compound_move,
    "information_set": lambda a: a.within(rules.information_set(a.record(view=True), a.seat), 0, MOST_KEY),
    "moves_left": lambda a: a.within(rules.moves_left(a.record(view=True)), 1, MOST_KEY),
    "play_out": _play_out,
    "position_key": _position_key,
    "relative_action": _relative_action,
    "seen_as": _seen_as,
    "settle": lambda a: a.within(rules.settle(a.record(), a.actions, a.rng), 0, 1),
    "shuffle_stock": lambda a: rules.shuffle_stock(a.record(), a.rng),
    "turns": lambda a: a.within(rules.turns(a.record()), 0, MOST_KEY),
}
