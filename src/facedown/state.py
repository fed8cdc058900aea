"""A game in progress, with all its cards: legal actions, playing them, and the views of it.

A state checks what comes in, once; the compiled rules check nothing.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.compiler.asking import deal_cards, hide_from, is_over, look, make_move
from facedown.errors import FacedownError, IllegalMove, shown
from facedown.kernel import Array, copied
from facedown.limits import SPARE, check_begun
from facedown.notation.position import write_position
from facedown.rng import stream
from facedown.table.zones import Table
from facedown.view import SPECTATOR, Facts, History, Position, Seconds, View

if TYPE_CHECKING:
    from facedown.game import Game

MOST_ACTIONS = 1 << 62  # kernels count no further
MOST_SECONDS = 1e15  # that somebody may have taken; exact to a fraction of a second
DEALING = 0  # first step of the paths of random streams: no deal and no sample (1) share one


def listed(words: Sequence[str]) -> str:
    """Texts in a line; with commas where one has several words."""
    return (", " if any(" " in word for word in words) else " ").join(words)


def whole_number(action: Any) -> int:
    """An action as a number."""
    if isinstance(action, bool) or not isinstance(action, int | np.integer) or abs(int(action)) > MOST_ACTIONS:
        raise IllegalMove(f"expected an action (a whole number) or its text, got {shown(action)}")
    return int(action)


def check_seconds(seconds: Any) -> float:
    """How long somebody took."""
    number = isinstance(seconds, int | float | np.integer | np.floating) and not isinstance(seconds, bool)
    if number and 0 <= seconds <= MOST_SECONDS:
        return float(seconds)
    raise FacedownError(f"expected seconds from 0 up, or None where they are not known, got {shown(seconds)}")


class State(Position):
    """A game in progress, with all its cards."""

    def __init__(self, game: "Game", data: Array, seed: int, history: History, seconds: Seconds | None = None) -> None:
        """The seed is that of this and the following deals of a match."""
        super().__init__(game, data, history, seconds)
        self.seed = seed
        self.dealt = True  # its history leads here from a deal; not that of a position set up by hand
        self._deals = 0
        self._seen: list[History] | None = None  # the history as each seat saw it, where that differs
        self._legal: list[int] | None = None
        self._mover: int | None = None  # known when _legal is

    def __repr__(self) -> str:
        """Whose turn it is."""
        turn = "over" if self.over else f"seat {self.seat} to move"
        return f"<State of {self.game.full_name}: {turn}, {len(self._history)} actions>"

    def __eq__(self, other: object) -> bool:
        """Equal games, records, histories and times."""
        if not isinstance(other, State):
            return NotImplemented
        return (
            self.game.full_name == other.game.full_name
            and self.data.tobytes() == other.data.tobytes()
            and self._history == other._history
            and self._seconds == other._seconds
        )

    __hash__ = None  # type: ignore[assignment]  # a state changes as it is played

    @property
    def seat(self) -> int | None:
        """The seat to act; None when the game is over."""
        self._legal_now()
        return self._mover

    @property
    def over(self) -> bool:
        """Whether the game, or the whole match, has ended."""
        return not self._legal_now()

    @property
    def legal(self) -> list[int]:
        """The actions the seat to act may take; none when the game is over."""
        return list(self._legal_now())

    def _legal_now(self) -> list[int]:
        if self._legal is None:
            self._legal, self._mover = self._look()
        return self._legal

    @property
    def deals(self) -> int:
        """How many deals of a match have been dealt, this one included."""
        return self._deals

    @property
    def hands(self) -> list[list[str]]:
        """The cards each seat holds, as text."""
        return self.game.hands(self.record)

    @property
    def position(self) -> str:
        """The position as one line of text, which `game.position` takes; how it came about is not in it."""
        return write_position(self.game, self.data)

    @property
    def facts(self) -> Facts:
        """Everything on the table and in the hands."""
        return self.game.facts(self.record, None)

    @property
    def table(self) -> Table:
        """The same as zones, each of a kind, to be drawn."""
        return self.game.table(self, None)

    @property
    def seen(self) -> list[list[int] | None] | None:
        """For each action how every seat saw it, None where all saw it openly; None where nothing was ever hidden."""
        if self._seen is None:
            return None
        rows = np.array([[action for _, action in seen] for seen in self._seen]).T
        openly = (rows == np.array([action for _, action in self._history])[:, None]).all(axis=1).tolist()
        return [None if all_saw else row for all_saw, row in zip(openly, rows.tolist(), strict=True)]

    @property
    def actions_played(self) -> int:
        """How many actions the history has."""
        return len(self._history)

    def play(self, action: int | str, seconds: float | None = None) -> None:
        """Play an action, a number or its text, in place; with the seconds that its player took, where they are known."""
        number = self.check(action)
        if seconds is not None:
            taken = check_seconds(seconds)
            self._seconds += [*repeat(None, len(self._history) - len(self._seconds)), taken]
        mover = self._mover
        assert mover is not None  # somebody had a legal action
        seen = np.empty(self.game.seats, np.int64)
        over = make_move(self.data, number, seen)
        as_seen = seen.tolist()
        if self._seen is None and as_seen.count(number) < len(as_seen):
            self._seen = [list(self._history) for _ in as_seen]
        if self._seen is not None:
            for history, action_seen in zip(self._seen, as_seen, strict=True):
                history.append((mover, action_seen))
        self._history.append((mover, number))
        self._legal = None
        if over and self.game.another_deal_follows(self.record):
            self.deal_next()

    def absorb(self, moves: Array, seen: Array) -> None:
        """Enter moves that a kernel has played on the record: rows of (seat, action), and how each seat saw each."""
        if self._seen is None and (seen != moves[:, 1:]).any():
            self._seen = [list(self._history) for _ in range(self.game.seats)]
        movers = moves[:, 0].tolist()
        if self._seen is not None:
            for seat, history in enumerate(self._seen):
                history += zip(movers, seen[:, seat].tolist(), strict=True)
        self._history += zip(movers, moves[:, 1].tolist(), strict=True)
        self._legal = None
        if is_over(self.data) and self.game.another_deal_follows(self.record):
            self.deal_next()

    def check(self, action: int | str) -> int:
        """The number of an action that may be played now; IllegalMove says what was expected, and why."""
        number = whole_number(self.game.parse(action) if isinstance(action, str) else action)
        legal = self._legal_now()
        if number in legal:
            return number
        if not legal:
            raise IllegalMove("expected no more actions: the game is over")
        if 0 <= number < MOST_ACTIONS and self.game.allows(self.record, number):
            return number
        name = self._name_of(number)
        expected = listed([self.game.text(choice) for choice in legal])
        reason = self.game.why_illegal(self.record, number)
        error = IllegalMove(f"{name} is not legal for seat {self.seat}: {reason}; expected one of {expected}")
        with suppress(FacedownError):  # a fault in the game's notation is no reason to say something else
            error.position = self.view(self._mover or 0).position
        raise error

    def _name_of(self, action: int) -> str:
        """An action's text, or its number where it has none."""
        try:
            return self.game.text(action) if action >= 0 else str(action)
        except (FacedownError, LookupError, ValueError):
            return str(action)

    def deal_next(self) -> None:
        """Deal, the first time or for the next deal of a match."""
        chosen = self.game.chosen_deals
        seed = chosen[self.seed % len(chosen)] if chosen else self.seed
        deal_cards(self.data, stream(seed, DEALING, self._deals))
        self._deals += 1
        self._legal = None
        count = look(self.data, np.empty(self.game.actions + SPARE, np.int64))
        if not 0 < count <= self.game.actions:
            check_begun(self.game, self.over, len(self._history))

    def set_up_by_hand(self) -> None:
        """Take the record for a position that nobody has played to: it must be one in which the rules can be asked."""
        self.dealt, self._deals = False, 1
        self._legal_now()

    def copy(self) -> "State":
        """A state of its own that is equal to this."""
        twin = State(self.game, copied(self.data), self.seed, list(self._history), list(self._seconds))
        twin.dealt, twin._deals = self.dealt, self._deals
        twin._seen = None if self._seen is None else [list(seen) for seen in self._seen]
        return twin

    def view(self, seat: int) -> View:
        """What a seat knows, or SPECTATOR: what all seats know."""
        data = copied(self.data)
        if seat is SPECTATOR:
            for each in range(self.game.seats):
                hide_from(data, each)
            return View(self.game, data, SPECTATOR, self._seen_by_spectator(), list(self._seconds))
        seat = self.game.check_seat(seat)
        hide_from(data, seat)
        history = self._history if self._seen is None else self._seen[seat]
        return View(self.game, data, seat, list(history), list(self._seconds))

    def _seen_by_spectator(self) -> History:
        """The history with each action as the seats see it from which its player hides it; as most do, if not all alike."""
        if self._seen is None:
            return list(self._history)
        seen: History = []
        for place, (mover, action) in enumerate(self._history):
            others = [history[place][1] for seat, history in enumerate(self._seen) if seat != mover]
            disguised = Counter(other for other in others if other != action)
            seen.append((mover, disguised.most_common(1)[0][0] if disguised else action))
        return seen
