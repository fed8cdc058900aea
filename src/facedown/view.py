"""What one seat sees of a state, or somebody without a seat; and what a view has in common with a state.

Everything here is plain Python around records that compiled rules work on.
"""

from collections.abc import Iterator
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from facedown.cards import text as card_text
from facedown.compiler.asking import describe_unseen, look, place_cards, seat_to_move, write_scores
from facedown.compiler.records import as_records
from facedown.errors import BadOption, FacedownError, HiddenInformation, UnknownName
from facedown.kernel import COMPILED, Array, Record, copied, new_records, record_in
from facedown.limits import SPARE, check_holders, check_legal, check_mover, check_scores
from facedown.notation.position import write_position
from facedown.options import check_seed
from facedown.rng import stream
from facedown.table.outcome import Outcome
from facedown.table.zones import Table
from facedown.worlds import exact
from facedown.worlds.batches import has_batches
from facedown.worlds.counting import count_worlds, every_world
from facedown.worlds.drawing import filling
from facedown.worlds.shares import card_shares

if TYPE_CHECKING:
    from facedown.game import Game
    from facedown.state import State

Facts: TypeAlias = dict[str, Any]
History: TypeAlias = list[tuple[int, int]]
Seconds: TypeAlias = list[float | None]

INFERENCES = ("none", "policy")
BELIEVED_WORLDS = 2000  # drawn for beliefs by a policy
SAMPLING = 1  # first step of the paths of random streams: no deal (0) and no sample share one


class Spectator(int):
    """In place of a seat: somebody who looks on and has none. A number, as seats are, but no seat's."""

    def __repr__(self) -> str:
        """The public name."""
        return "SPECTATOR"

    def __reduce__(self) -> str:
        """There is one only, in copies and other processes too."""
        return "SPECTATOR"


SPECTATOR = Spectator(-1)
SPECTATOR_TEXT = "spectator"  # in place of a seat in a position


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
        self._check_turn(mover)
        legal = actions[:count].tolist()
        if not (0 < count <= most and legal[0] >= 0 and legal[-1] < most and 0 <= mover < self.game.seats):
            check_mover(self.game, mover, len(self._history))
            check_legal(self.game, count, legal, len(self._history))
        return legal, mover

    def _check_turn(self, mover: int) -> None:
        """Refuse to say what a seat may do, where its cards are hidden; a state hides none."""

    @property
    def scores(self) -> list[float]:
        """The game's own score of each seat, so far."""
        out = np.zeros(self.game.seats)
        write_scores(self.data, out)
        check_scores(self.game, out, len(self._history))
        return [int(score) if score == int(score) else float(score) for score in out]

    @property
    def outcome(self) -> Outcome | None:
        """Why the game ended and who has won; None before."""
        return self.game.outcome(self.record, self.scores) if self.over else None


class Entries(dict[tuple[int, int], str]):
    """The texts of entries of histories: they come again and again, and a history is written out at every decision."""

    def __missing__(self, entry: tuple[int, int]) -> str:
        if len(self) >= ENTRIES_KEPT:
            self.clear()
        text = self[entry] = "({:d}, {:d})".format(*entry)  # the same for all numbers that are equal, NumPy's too
        return text


ENTRIES_KEPT = 100_000
ENTRIES = Entries()

HIDDEN_NAMES = {"seed", "seen", "deal_next", "play"}  # what a state has and a view must not


def viewer_name(seat: Any) -> str:
    """Whose view it is, in words."""
    return "a spectator" if seat == SPECTATOR else f"seat {seat}"


class View(Position):
    """What one seat, or a spectator, knows of a state: nothing reachable from here tells more."""

    def __init__(self, game: "Game", data: Array, seat: int, history: History, seconds: Seconds | None = None) -> None:
        """`data` holds only what the seat may see."""
        super().__init__(game, data, history, seconds)
        self.seat = seat  # whose view it is, or SPECTATOR

    def __repr__(self) -> str:
        """Whose view it is."""
        return f"<View of {self.game.full_name} by {viewer_name(self.seat)}, {len(self._history)} actions>"

    def __getattr__(self, name: str) -> Any:
        """Only called for what a view does not have."""
        if name in HIDDEN_NAMES:
            viewer = viewer_name(self.__dict__.get("seat"))
            raise HiddenInformation(f"a view does not have {name!r}: {viewer} cannot know it")
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
        """Seat and knowledge as bytes: the same for states that the seat cannot distinguish."""
        history = ", ".join(map(ENTRIES.__getitem__, self._history))
        timed = f", {self._seconds!r}" if self._seconds else ""  # left out where there are none: older seeds' choices remain
        return f"({self.game.full_name!r}, {self.seat!r}, [{history}]{timed})".encode() + self.data.tobytes()

    @property
    def legal(self) -> list[int]:
        """The actions the seat may take, when it is its turn."""
        return self._look()[0]

    def _check_turn(self, mover: int) -> None:
        if mover != self.seat:
            check_mover(self.game, mover, len(self._history))
            viewer = viewer_name(self.seat)
            raise HiddenInformation(f"the legal actions of seat {mover} depend on cards that {viewer} cannot see")

    @property
    def position(self) -> str:
        """All that the seat sees now, as one line of text; how it came about is not in it."""
        return write_position(self.game, self.data, SPECTATOR_TEXT if self.seat == SPECTATOR else str(self.seat))

    @property
    def hands(self) -> list[list[str] | None]:
        """The seat's own hand, and None for the others."""
        return [hand if seat == self.seat else None for seat, hand in enumerate(self.game.hands(self.record))]

    def hand(self, seat: int) -> list[str]:
        """A hand, if it is the seat's own."""
        if self.game.check_seat(seat) != self.seat:
            raise HiddenInformation(f"{viewer_name(self.seat)} cannot see the hand of seat {seat}")
        return self.hands[seat] or []

    @property
    def facts(self) -> Facts:
        """All that the seat knows; asking for what it cannot know raises HiddenInformation."""
        return KnownFacts(self.game.facts(self.record, self.seat), self)

    @property
    def table(self) -> Table:
        """The same as zones, each of a kind, to be drawn."""
        return self.game.table(self, self.seat)

    def unseen(self, sampler: str = "exact") -> Array:
        """Who may hold which card, for the samplers of facedown.worlds; a spectator draws no worlds."""
        if self.seat == SPECTATOR:
            raise HiddenInformation("expected the view of a seat, whose worlds can be drawn, got a spectator's")
        hidden: Array = exact.new_hidden(sampler, self.game.knowledge)
        describe_unseen(self.data, self.seat, hidden)
        check_holders(self.game, hidden, len(self._history))
        if has_batches(hidden) and sampler != "exact":
            raise BadOption(f"option sampler: only exact knows of cards laid face down in {self.game.name}, got {sampler!r}")
        return hidden

    def sample(self, seed: int, sampler: str = "exact", beliefs: Array | None = None) -> "State":
        """A whole state that the seat cannot distinguish from the real one, drawn uniformly.

        Other samplers of facedown.worlds are less careful; `beliefs`, weights by holder and card, go with "biased-matrix".
        """
        rng = stream(check_seed(seed), SAMPLING)
        data = self.sample_many(1, rng, sampler, beliefs)
        world = self.game.state_of(data, seed, list(self._history), list(self._seconds))
        world.dealt = False  # its history is the seat's, and no deal of this seed
        return world

    def sample_many(self, count: int, rng: Array, sampler: str = "exact", beliefs: Array | None = None) -> Array:
        """The records of `count` worlds, drawn one after another."""
        hidden = self.unseen(sampler)
        if beliefs is not None:
            exact.believe(hidden, beliefs)
        worlds = new_records(count, self.data.dtype)
        worlds[:] = self.data
        filling(sampler)(worlds, self.seat, hidden, exact.prepare(hidden), rng)
        return worlds

    def every_world(self, most: int | None = None, seed: int = 0) -> Array:
        """The records of all worlds the seat holds possible, or of the first `most`; ask for their number first.

        What is not counted, the order of a stock, follows from the seed.
        """
        found = list(islice(self.each_world(seed), most))
        return np.concatenate(found) if COMPILED else as_records(np.concatenate(found))

    def each_world(self, seed: int = 0) -> Iterator[Array]:
        """The same one by one."""
        hidden = self.unseen()
        rng = stream(seed, SAMPLING)
        for held in every_world(hidden):
            hidden[0].held[:] = held
            world = copied(self.data)
            place_cards(world, self.seat, hidden, rng)
            yield world

    def worlds(self) -> int:
        """How many worlds the seat holds possible, exactly: cards to holders; the order of a stock is not counted."""
        return count_worlds(self.unseen())

    def beliefs(self, inference: str = "none") -> dict[str, list[float]]:
        """For each unseen card how likely each seat is to hold it; what is missing to 1 lies in no hand.

        Exact counts without inference; with `policy`, worlds weighed by what a learnt policy says of the plays so far.
        """
        if inference not in INFERENCES:
            raise UnknownName("inference", inference, INFERENCES)
        if self.game.look_alike is not None:
            raise FacedownError(f"expected a game in which no two cards look alike, got {self.game.name}")
        if inference == "policy":
            from facedown.inference.posterior import inferred_beliefs

            return inferred_beliefs(self, BELIEVED_WORLDS)
        shares = card_shares(self.unseen())
        return {card_text(card): row[: self.game.seats] for card, row in shares.items()}


class KnownFacts(Facts):
    """A view's facts."""

    def __init__(self, facts: Facts, view: View) -> None:
        """The facts known, and who knows them."""
        super().__init__(facts)
        self._hidden = set(view.game.facts(view.record, None)) - set(facts)
        self._viewer = viewer_name(view.seat)

    def __missing__(self, name: str) -> Any:
        """A fact that the whole state has, or none at all."""
        if name in self._hidden:
            raise HiddenInformation(f"{self._viewer} cannot know {name!r}")
        raise UnknownName("fact", name, self)
