"""Positions of random games, as the checks ask for them: where one is, its worlds, and what is wrong with a world."""

import pickle
import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from facedown.audit.claims import Claims, Dealt
from facedown.audit.report import Example
from facedown.audit.rewinding import Impossible, Rewinding
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.rng import stream
from facedown.state import State
from facedown.view import SPECTATOR, View

LONGEST_GAME = 2000  # actions of a random game that are audited; what comes later is left out
POSITIONS = 5  # of each deal, at any time
LATE_POSITIONS = 3  # and in its last quarter, where worlds can be counted one by one
AUDITING = 7  # first step of the paths of random streams: no deal and no agent shares one


class Position(Protocol):
    """What the audit asks of a position of any program."""

    deal: int  # a number for the deal it belongs to

    @property
    def why_no_world(self) -> str | None:
        """Why no world can be drawn at all; None where one can."""

    def sample(self, count: int) -> Sequence[Any]:
        """`count` worlds that the seat to move holds possible."""

    def why_impossible(self, world: Any) -> str | None:
        """Why a world could not have come about."""

    def what_differs(self, world: Any) -> str | None:
        """What the seat to move sees of a world that differs from what it sees of the position."""

    def example(self, words: str) -> Example:
        """A fault found here."""


class Subject(Protocol):
    """A game of any program that can be audited."""

    name: str

    def positions(self, deals: int, seed: int) -> Iterator[Position]:
        """Positions of `deals` random games."""


class OwnPosition:
    """A position of one of our games, and a seat that looks at it."""

    def __init__(self, dealt: Dealt, state: State, seat: int, deal: int, seed: int) -> None:
        """`dealt` is the same game at the beginning of the deal."""
        self.dealt, self.state, self.seat, self.deal = dealt, state, seat, deal
        self.seed = seed  # of what is drawn here
        self.view = state.view(seat)

    @cached_property
    def rewinding(self) -> Rewinding:
        """The position as something worlds are held against."""
        return Rewinding(self.dealt, self.state, self.seat)

    @cached_property
    def claims(self) -> Claims:
        """What the view holds possible."""
        return Claims(self.view, self.rewinding.slots)

    @cached_property
    def shown(self) -> tuple[Any, ...]:
        """What the view shows."""
        return shown_by(self.view)

    @cached_property
    def spectator(self) -> View:
        """The position as somebody without a seat sees it."""
        return self.state.view(SPECTATOR)

    def seen_by(self, seat: int) -> "OwnPosition":
        """The same position as another seat sees it."""
        return OwnPosition(self.dealt, self.state, seat, self.deal, self.seed)

    def stream(self, *path: int) -> Any:
        """Random numbers of this position's own."""
        return stream(self.seed, AUDITING, self.deal, len(self.state.history), self.seat, *path)

    def sample(self, count: int) -> list[State]:
        """Worlds drawn from the view."""
        records = self.view.sample_many(count, self.stream())
        return [self.world(records[place : place + 1]) for place in range(count)]

    @cached_property
    def why_no_world(self) -> str | None:
        """Why no world can be drawn here, if the game's answers contradict each other."""
        try:
            self.view.sample_many(1, self.stream())
        except FacedownError as error:
            return str(error)
        return None

    @property
    def why_not_real(self) -> str | None:
        """Why the seat does not hold the real state possible, or did not at the deal."""
        if objection := self.claims.objection(self.state.data):
            return f"the real state is not one of the worlds: {objection}"
        if objection := self.dealt.claims(self.seat).objection(self.dealt.state.data):
            return f"the real deal was not one of the worlds then: {objection}"
        return None

    def world(self, data: Any) -> State:
        """A world from its record, as `view.sample` makes one; its history is the seat's, and does not lead to it."""
        world = State(self.state.game, data, self.state.seed, self.view.history)
        world.dealt = False
        return world

    def why_impossible(self, world: State) -> str | None:
        """By playing the world from its own deal; raises CannotTell where the game would have to help."""
        try:
            self.rewinding.replay(world)
        except Impossible as error:
            return str(error)
        return None

    def what_differs(self, world: State) -> str | None:
        """By comparing all that a view shows, and what a spectator sees, who knows no more than the seat."""
        other = world.view(self.seat)
        if bytes(other) != bytes(self.view) or shown_by(other) != self.shown:
            return f"the view distinguishes hidden cards: {self._difference(self.view, other)}"
        mine, its = self.spectator, world.view(SPECTATOR)
        if not world.dealt:  # the seat's own hidden actions lie open in such a history
            its = View(its.game, its.data, SPECTATOR, mine.history)
        if bytes(mine) != bytes(its) or shown_by(mine) != shown_by(its):
            return f"a spectator's view distinguishes hidden cards: {self._difference(mine, its)}"
        return None

    def _difference(self, view: View, other: View) -> str:
        if other.history != view.history:
            pairs = zip(view.history, other.history, strict=True)
            place, (mine, its) = next((place, pair) for place, pair in enumerate(pairs) if pair[0] != pair[1])
            text = self.state.game.text
            return f"action {place + 1} is seen as {text(mine[1])} here, and as {text(its[1])} with other cards hidden"
        slots = self.rewinding.slots
        if other.data.tobytes() != view.data.tobytes():
            return slots.difference(slots.values(view.data), slots.values(other.data), "the view", "that of a world")
        facts, others = dict(view.facts), dict(other.facts)
        names = [name for name in facts if facts[name] != others.get(name)]
        return (
            f"the fact {names[0]!r} is {facts[names[0]]} or {others.get(names[0])}" if names else "an attribute of the view"
        )

    def example(self, words: str) -> Example:
        """A fault found here."""
        game = self.state.game
        return Example(words, self.seat, self.state.seed, [game.text(action) for _, action in self.state.history])


def shown_by(view: View) -> tuple[Any, ...]:
    """All that a view shows beside its bytes; its attributes as they would be written to disk."""
    known = view.game.facts(view.record, view.seat)
    attributes = {name: pickle.dumps(value) for name, value in vars(view).items() if name != "game"}
    return known, repr(view), attributes, hash(view), view.to_move, view.over, view.scores


class OwnGame:
    """One of our games, or of a user's, as it is audited."""

    def __init__(self, game: Game) -> None:
        """Any game with a record and answers to the questions."""
        self.game = game
        self.name = game.full_name

    def positions(self, deals: int, seed: int) -> Iterator[OwnPosition]:
        """Positions of random games, the earliest of each game first; the seat to move looks at them."""
        for deal in range(deals):
            deal_seed = seed * 1_000_003 + deal
            rng = random.Random(f"{self.name} {deal_seed}")
            actions = self._random_game(deal_seed, rng)
            late = range(len(actions) * 3 // 4, len(actions))
            wanted = {
                *rng.sample(range(len(actions)), min(POSITIONS, len(actions))),
                *rng.sample(late, min(LATE_POSITIONS, len(late))),
            }
            state = self.game.deal(deal_seed)
            dealt = Dealt(state.copy())
            for number, action in enumerate(actions):
                if number in wanted:
                    yield OwnPosition(dealt, state.copy(), state.seat or 0, deal, seed)
                deals_before = state.deals
                state.play(action)
                if state.deals > deals_before:
                    dealt = Dealt(state.copy())

    def _random_game(self, seed: int, rng: random.Random) -> list[int]:
        """The actions of a random game."""
        state = self.game.deal(seed)
        while not state.over and len(state.history) < LONGEST_GAME:
            state.play(rng.choice(state.legal))
        return [action for _, action in state.history]
