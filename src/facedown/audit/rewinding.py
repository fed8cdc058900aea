"""Whether a world could have come about: its deal is put together again, and the game played from it by the rules.

A game may say itself which deal a world came from, by `Game.rewind`. For the others, the cards that lie elsewhere in the
world than in the real state are exchanged for one another, and the same exchange is made in the real deal. Cards that are
played openly lie in the same place in both, so the real actions can be played again; actions that the seat saw only from
behind are exchanged too.
"""

from collections import defaultdict
from collections.abc import Sequence

from facedown import rules
from facedown.audit.claims import Dealt
from facedown.audit.slots import Slots, card_text
from facedown.compiler.asking import hide_from
from facedown.errors import FacedownError, IllegalMove
from facedown.kernel import Array, copied, record_in
from facedown.state import State


class Impossible(Exception):
    """A world that could not have come about; the message says why."""


class CannotTell(Exception):
    """A world whose deal cannot be found without the game's own `rewind`."""


class Rewinding:
    """One position of a game that was played, for the worlds that a seat holds possible in it."""

    def __init__(self, dealt: Dealt, state: State, seat: int) -> None:
        """`dealt` is the game at the beginning of the deal that `state` lies in."""
        self.dealt = dealt.state
        self.claims = dealt.claims(seat)
        self.believed = self.claims.objection(dealt.state.data) is None  # claims that the real deal belies judge no other
        self.state = state
        self.seat = seat
        self.slots = Slots(state.data.dtype)
        self.view = state.view(seat)
        first = len(self.dealt.history)
        self.actions = state.history[first:]
        self.seen = self.view.history[first:]
        self.views = self._views()

    def _views(self) -> list[bytes]:
        """What the seat saw before each action of the deal, and after the last."""
        twin = self.dealt.copy()
        views = [hidden_from(twin.data, self.seat).tobytes()]
        for _, action in self.actions:
            twin.play(action)
            views.append(hidden_from(twin.data, self.seat).tobytes())
        return views

    def replay(self, world: State) -> State:
        """The world reached by playing from its own deal; Impossible if the rules or the seat's memory object."""
        twin = self.dealt.copy()
        actions = self._rewind(twin, world)
        if len(actions) != len(self.actions):
            raise FacedownError(f"expected rewind to return {len(self.actions)} actions, got {len(actions)}")
        if self.believed and (objection := self.claims.objection(twin.data)):
            raise Impossible(f"it goes against what was known at the deal: {objection}")
        for number, (action, (mover, _)) in enumerate(zip(actions, self.actions, strict=True)):
            self._same_view(twin, number)
            if twin.seat != mover:
                raise Impossible(
                    f"action {number + 1} of the deal would be that of seat {twin.seat}, and was that of seat {mover}"
                )
            try:
                twin.play(action)
            except IllegalMove as error:
                raise Impossible(f"action {number + 1} of the deal could not have been played: {error}") from None
        self._same_view(twin, len(self.actions))
        if twin.data.tobytes() != world.data.tobytes():
            words = self.slots.difference(
                self.slots.values(twin.data), self.slots.values(world.data), "the replay", "the world"
            )
            raise Impossible(f"playing it from its own deal leads elsewhere: {words}")
        return twin

    def _same_view(self, twin: State, number: int) -> None:
        """The seat must have seen the same before each action."""
        view = hidden_from(twin.data, self.seat)
        if view.tobytes() != self.views[number]:
            real = copied(view)
            real.view("u1")[:] = list(self.views[number])
            words = self.slots.difference(self.slots.values(real), self.slots.values(view), "the game", "the world")
            raise Impossible(f"seat {self.seat} would have seen something else after {number} actions of the deal: {words}")

    # --- The deal of a world -------------------------------------------------------------------------------------------

    def _rewind(self, twin: State, world: State) -> Sequence[int]:
        """Write the world's deal into `twin`, and return the actions that lead from there to the world."""
        if self.state.game.rewind is not None:
            actions: Sequence[int] | None = self.state.game.rewind(
                twin.record, record_in(world.data), self.seat, list(self.seen), list(self.actions)
            )
            if actions is None:
                raise Impossible("its deal is one that is never dealt")
            return actions
        exchange = self._exchange(self.slots.values(self.state.data), self.slots.values(world.data), world.data)
        values = self.slots.values(twin.data)
        hidden = self._hidden_slots(values, twin.data)
        self.slots.write(twin.data, self.slots.relabelled(values, hidden, exchange))
        return [
            action if action == as_seen else exchange.get(action, action)
            for (_, action), (_, as_seen) in zip(self.actions, self.seen, strict=True)
        ]

    def _hidden_slots(self, values: list[int], data: Array) -> list[int]:
        """The slots that the seat does not see."""
        seen = self.slots.values(hidden_from(data, self.seat))
        return [slot for slot, value in enumerate(values) if seen[slot] != value]

    def _exchange(self, real: list[int], drawn: list[int], world: Array) -> dict[int, int]:
        """The cards that lie elsewhere in the world, each with the one that lies in its place there."""
        slots = sorted({*self._hidden_slots(real, self.state.data), *self._hidden_slots(drawn, world)})
        here, there = self.slots.lying(real, slots), self.slots.lying(drawn, slots)
        if here.keys() != there.keys():
            self._no_exchange(
                f"the cards hidden are not the real ones: {_cards(here.keys() ^ there.keys())} too many or too few"
            )
        by_place: dict[tuple[int, ...], tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for card in sorted(here):
            if here[card] != there[card]:
                by_place[here[card]][0].append(card)
                by_place[there[card]][1].append(card)
        exchange: dict[int, int] = {}
        for place, (leaving, coming) in by_place.items():
            if len(leaving) != len(coming):
                where = " and ".join(self.slots.names[slot] for slot in place)
                more = len(coming) - len(leaving)
                self._no_exchange(f"{where} has {abs(more)} card{'s' * (abs(more) > 1)} too {'many' if more > 0 else 'few'}")
            exchange.update(zip(leaving, coming, strict=True))
        return exchange

    def _no_exchange(self, words: str) -> None:
        """Cards unseen may have been moved unseen: then only the game knows from which deal a world came."""
        if self.state.game.rules.answers["seen_as"] is not rules.QUESTIONS["seen_as"]:
            raise CannotTell(words)
        raise Impossible(words)


def hidden_from(data: Array, seat: int) -> Array:
    """A record as a seat sees it."""
    view = copied(data)
    hide_from(view, seat)
    return view


def _cards(found: set[int]) -> str:
    return " ".join(card_text(card) for card in sorted(found))
