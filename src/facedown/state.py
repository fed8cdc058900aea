"""A state of a game, and what one seat sees of a state.

Everything here is plain Python around records that compiled rules work on. A state checks what comes in, once.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from facedown.errors import BadOption, FacedownError, HiddenInformation, IllegalMove, UnknownName, shown
from facedown.kernel import COMPILED, Array, Record, copied, new_records, record_in
from facedown.limits import SPARE, check_begun, check_holders, check_legal, check_mover, check_scores
from facedown.options import check_seed
from facedown.rng import stream
from facedown.turns import (
    allowed,
    deal_cards,
    describe_unseen,
    fill_in,
    fill_in_otherwise,
    follows,
    hide_from,
    look,
    make_move,
    place_cards,
    seat_to_move,
    write_scores,
)
from facedown.worlds import exact

if TYPE_CHECKING:
    from facedown.game import Game

Facts: TypeAlias = dict[str, Any]
History: TypeAlias = list[tuple[int, int]]
Seconds: TypeAlias = list[float | None]

MOST_ACTIONS = 1 << 62  # kernels count no further
MOST_SECONDS = 1e15  # that somebody may have taken; exact to a fraction of a second
DEALING, SAMPLING = range(2)  # first steps of the paths of random streams: no deal and no sample share one


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


class Position:
    """What a state and a view have in common: a record of the game, and the actions that led to it."""

    def __init__(self, game: "Game", data: Array, history: History, seconds: Seconds | None = None) -> None:
        """`data` is an array of one record."""
        self.game = game
        self.data = data
        self._history = history
        self._seconds = seconds or []  # up to the last that is known, so that unknown ones cost nothing

    @property
    def record(self) -> Record:
        """The game's record itself, for those who know its fields."""
        return record_in(self.data)

    @property
    def history(self) -> History:
        """The actions so far: (seat, action)."""
        return list(self._history)

    @property
    def seconds(self) -> Seconds:
        """How long each of these actions took its player, None where that is not known: all at the table saw it."""
        return [*self._seconds, *repeat(None, len(self._history) - len(self._seconds))]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return look(self.data, np.empty(self.game.actions + SPARE, np.int64)) < 0

    @property
    def to_move(self) -> int | None:
        """The seat to act; None when the game is over."""
        if self.over:
            return None
        mover = int(seat_to_move(self.data))
        check_mover(self.game, mover, len(self._history))
        return mover

    def _look(self) -> tuple[list[int], int | None]:
        """The legal actions and the seat to act: none and None when the game is over."""
        actions = np.empty(self.game.actions + SPARE, np.int64)
        count = look(self.data, actions)
        if count < 0:
            return [], None
        mover, most = int(seat_to_move(self.data)), self.game.actions
        legal = actions[:count].tolist()
        if not (0 < count <= most and legal[0] >= 0 and legal[-1] < most and 0 <= mover < self.game.seats):
            check_mover(self.game, mover, len(self._history))
            check_legal(self.game, count, legal, len(self._history))
        return legal, mover

    @property
    def scores(self) -> list[float]:
        """The game's own score of each seat, so far."""
        out = np.zeros(self.game.seats)
        write_scores(self.data, out)
        check_scores(self.game, out, len(self._history))
        return [int(score) if score == int(score) else float(score) for score in out]


class State(Position):
    """A game in progress, with all its cards."""

    def __init__(self, game: "Game", data: Array, seed: int, history: History, seconds: Seconds | None = None) -> None:
        """The seed is that of this and the following deals of a match."""
        super().__init__(game, data, history, seconds)
        self.seed = seed
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
    def facts(self) -> Facts:
        """Everything on the table and in the hands."""
        return self.game.facts(self.record, None)

    @property
    def seen(self) -> list[list[int] | None] | None:
        """For each action how every seat saw it, None where all saw it openly; None where nothing was ever hidden."""
        if self._seen is None:
            return None
        rows = np.array([[action for _, action in seen] for seen in self._seen]).T
        openly = (rows == np.array([action for _, action in self._history])[:, None]).all(axis=1).tolist()
        return [None if all_saw else row for all_saw, row in zip(openly, rows.tolist(), strict=True)]

    def play(self, action: int | str, seconds: float | None = None) -> None:
        """Play an action, a number or its text, in place; with the seconds that its player took, where they are known."""
        number = self._checked(action)
        if seconds is not None:
            taken = check_seconds(seconds)
            self._seconds += [*repeat(None, len(self._history) - len(self._seconds)), taken]
        mover = self._mover
        assert mover is not None  # somebody had a legal action
        seen = np.empty(self.game.seats, np.int64)
        another = make_move(self.data, number, seen)
        as_seen = seen.tolist()
        if self._seen is None and as_seen.count(number) < len(as_seen):
            self._seen = [list(self._history) for _ in as_seen]
        if self._seen is not None:
            for history, action_seen in zip(self._seen, as_seen, strict=True):
                history.append((mover, action_seen))
        self._history.append((mover, number))
        self._legal = None
        if another:
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
        if follows(self.data):
            self.deal_next()

    def _checked(self, action: int | str) -> int:
        number = whole_number(self.game.parse(action) if isinstance(action, str) else action)
        legal = self._legal_now()
        if number in legal:
            return number
        if not legal:
            raise IllegalMove("expected no more actions: the game is over")
        if 0 <= number < MOST_ACTIONS and allowed(self.data, number):
            return number
        name = self._name_of(number)
        expected = listed([self.game.text(choice) for choice in legal])
        reason = self.game.why_illegal(self.record, number)
        raise IllegalMove(f"{name} is not legal for seat {self.seat}: {reason}; expected one of {expected}")

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

    def copy(self) -> "State":
        """A state of its own that is equal to this."""
        twin = State(self.game, copied(self.data), self.seed, list(self._history), list(self._seconds))
        twin._deals = self._deals
        twin._seen = None if self._seen is None else [list(seen) for seen in self._seen]
        return twin

    def view(self, seat: int) -> "View":
        """What a seat knows."""
        seat = self.game.check_seat(seat)
        data = copied(self.data)
        hide_from(data, seat)
        history = self._history if self._seen is None else self._seen[seat]
        return View(self.game, data, seat, list(history), list(self._seconds))


HIDDEN_NAMES = {"seed", "seen", "deal_next", "play"}  # what a state has and a view must not


class View(Position):
    """What one seat knows of a state: nothing reachable from here tells more."""

    def __init__(self, game: "Game", data: Array, seat: int, history: History, seconds: Seconds | None = None) -> None:
        """`data` is already hidden from the other seats' point of view."""
        super().__init__(game, data, history, seconds)
        self.seat = seat  # whose view it is

    def __repr__(self) -> str:
        """Whose view it is."""
        return f"<View of {self.game.full_name} by seat {self.seat}, {len(self._history)} actions>"

    def __getattr__(self, name: str) -> Any:
        """Only called for what a view does not have."""
        if name in HIDDEN_NAMES:
            raise HiddenInformation(f"a view does not have {name!r}: seat {self.__dict__.get('seat')} cannot know it")
        raise AttributeError(f"a view has no {name!r}")

    def __eq__(self, other: object) -> bool:
        """Equal exactly when seat and knowledge are equal."""
        if not isinstance(other, View):
            return NotImplemented
        return bytes(self) == bytes(other)

    def __hash__(self) -> int:
        """By seat and knowledge."""
        return hash(bytes(self))

    def __bytes__(self) -> bytes:
        """Seat and knowledge as bytes: the same for states that the seat cannot tell apart."""
        timed = [self._seconds] if self._seconds else []  # left out where there are none: older seeds' choices remain
        return repr((self.game.full_name, self.seat, self._history, *timed)).encode() + self.data.tobytes()

    @property
    def legal(self) -> list[int]:
        """The actions the seat may take, when it is its turn."""
        mover = self.to_move
        if mover is not None and mover != self.seat:
            raise HiddenInformation(f"the legal actions of seat {mover} depend on cards that seat {self.seat} cannot see")
        return self._look()[0]

    @property
    def hands(self) -> list[list[str] | None]:
        """The seat's own hand, and None for the others."""
        return [hand if seat == self.seat else None for seat, hand in enumerate(self.game.hands(self.record))]

    def hand(self, seat: int) -> list[str]:
        """A hand, if it is the seat's own."""
        if self.game.check_seat(seat) != self.seat:
            raise HiddenInformation(f"seat {self.seat} cannot see the hand of seat {seat}")
        return self.hands[seat] or []

    @property
    def facts(self) -> Facts:
        """All that the seat knows; asking for what it cannot know raises HiddenInformation."""
        return KnownFacts(self.game.facts(self.record, self.seat), self)

    def unseen(self, sampler: str = "exact") -> Array:
        """Who may hold which card, for the samplers of facedown.worlds."""
        hidden: Array = exact.new_hidden(sampler)
        describe_unseen(self.data, self.seat, hidden)
        check_holders(self.game, hidden, len(self._history))
        if hidden[0].batches and sampler != "exact":
            raise BadOption(f"option sampler: only exact knows of cards laid face down in {self.game.name}, got {sampler!r}")
        return hidden

    def sample(self, seed: int, sampler: str = "exact", beliefs: Array | None = None) -> State:
        """A whole state that the seat cannot tell from the real one, each equally likely.

        Other samplers of facedown.worlds are less careful; `beliefs`, weights by holder and card, go with "biased-matrix".
        """
        rng = stream(check_seed(seed), SAMPLING)
        data = self.sample_many(1, rng, sampler, beliefs)
        return State(self.game, data, seed, list(self._history), list(self._seconds))

    def sample_many(self, count: int, rng: Array, sampler: str = "exact", beliefs: Array | None = None) -> Array:
        """The records of so many worlds, drawn one after another."""
        hidden = self.unseen(sampler)
        if beliefs is not None:
            exact.believe(hidden, beliefs)
        worlds = new_records(count, self.data.dtype)
        worlds[:] = self.data
        fill = fill_in if sampler in exact.BY_EXACT_COUNT else fill_in_otherwise
        fill(worlds, self.seat, hidden, exact.prepare(hidden), rng)
        return worlds

    def every_world(self, most: int | None = None, seed: int = 0) -> Array:
        """The records of all worlds the seat holds possible, or of the first so many; ask for their number first.

        What is not counted, the order of a stock, follows from the seed.
        """
        found = list(islice(self.each_world(seed), most))
        return np.concatenate(found) if COMPILED else np.concatenate(found).view(np.recarray)

    def each_world(self, seed: int = 0) -> Iterator[Array]:
        """The same one by one."""
        hidden = self.unseen()
        rng = stream(seed, SAMPLING)
        for held in exact.every_world(hidden):
            hidden[0].held[:] = held
            world = copied(self.data)
            place_cards(world, self.seat, hidden, rng)
            yield world

    def worlds(self) -> int:
        """How many worlds the seat holds possible, exactly: cards to holders; the order of a stock is not counted."""
        return exact.count_worlds(self.unseen())


class KnownFacts(Facts):
    """A view's facts."""

    def __init__(self, facts: Facts, view: View) -> None:
        """The facts known, and who knows them."""
        super().__init__(facts)
        self._hidden = set(view.game.facts(view.record, None)) - set(facts)
        self._seat = view.seat

    def __missing__(self, name: str) -> Any:
        """A fact that the whole state has, or none at all."""
        if name in self._hidden:
            raise HiddenInformation(f"seat {self._seat} cannot know {name!r}")
        raise UnknownName("fact", name, self)
