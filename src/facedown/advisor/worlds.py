"""Worlds of a view that agree with more than the view: a card that a seat plays, cards that come to light."""

from collections.abc import Iterator, Sequence

import numpy as np

from facedown import rules
from facedown.cards import DECK_SIZE, bit, cards_of
from facedown.errors import NoWorlds
from facedown.kernel import Array, copied, kernel, new_records
from facedown.rng import stream
from facedown.state import State
from facedown.view import View
from facedown.worlds import exact
from facedown.worlds.batches import has_batches
from facedown.worlds.drawing import filling

TELLING = 9  # first step of the paths of random streams
SLICE = 32  # worlds drawn at a time
POSSIBLE = 200  # worlds in which it is looked what a seat may do


@kernel
def seen_by(data: Array, seat: int, action: int) -> int:
    """How a seat sees an action that is about to be played."""
    return int(rules.seen_as(data[0], seat, action))


def each_world(view: View, hidden: Array, most: int, step: int = 0) -> Iterator[State]:
    """Worlds drawn by a record of knowledge, one after another; none where no cards agree with it."""
    try:
        ways = exact.prepare(hidden)
    except NoWorlds:
        return
    rng = stream(len(view.history), TELLING, step)
    for start in range(0, most, SLICE):
        worlds = new_records(min(SLICE, most - start), view.data.dtype)
        worlds[:] = view.data
        filling("exact")(worlds, view.seat, hidden, ways, rng)
        for place in range(len(worlds)):
            world = view.game.state_of(copied(worlds[place : place + 1]), start + place, view.history)
            world.dealt = False  # nobody has played to it from a deal
            yield world


def holds_cards(view: View) -> bool:
    """Whether hands are sets of playing cards."""
    names = view.game.rules.state.names or ()
    return "hands" in names and view.game.look_alike is None and not has_batches(view.unseen())


def plays_cards(view: View) -> bool:
    """Whether a card's number is the action that plays it: not where cards are laid as something else, as in Cheat."""
    return view.game.elsewhere.disguised is None and holds_cards(view)


def is_card_action(view: View, action: int) -> bool:
    """Whether an action is to play the card that has this number."""
    return 0 <= action < DECK_SIZE and plays_cards(view)


def with_known(hidden: Array, holder: int, cards: int) -> Array | None:
    """The same knowledge, and that a holder has these cards; None where that cannot be."""
    narrowed = hidden.copy()
    record = narrowed[0]
    new = cards & ~int(record.known[holder])
    elsewhere = sum(int(record.known[other]) for other in range(int(record.holders)) if other != holder)
    if new & ~(int(record.unseen) & int(record.may_hold[holder])) or new & elsewhere:
        return None
    record.known[holder] |= np.uint64(new)
    return narrowed if int(record.known[holder]).bit_count() <= record.room[holder] else None


def without(hidden: Array, holder: int, cards: int) -> Array | None:
    """The same knowledge, and that a holder has none of these cards; None where it is known to have one."""
    if int(hidden[0].known[holder]) & cards:
        return None
    narrowed = hidden.copy()
    narrowed[0].may_hold[holder] &= ~np.uint64(cards)
    return narrowed


class Acting:
    """Worlds in which the seat to move can do something, and how it does it there."""

    NARROWED = 60  # times that cards are ruled out which forbid an action
    TRIED = 3000  # worlds, where nothing better is known than to try

    def __init__(self, view: View, action: int) -> None:
        """`action` is as the viewer sees it."""
        self.view, self.action = view, action
        self.mover = view.to_move
        self.own = self.mover == view.seat
        self.blocked_by: list[str] = []  # cards that the mover is known to have, and that forbid the action

    def hidden(self) -> Array | None:
        """What is known of the other cards once the action is played; None if no world allows it."""
        hidden = self.view.unseen()
        if self.own:
            return hidden
        if any(self.way(world) is not None for world in each_world(self.view, hidden, 8)):
            return hidden
        if is_card_action(self.view, self.action):
            return self._narrowed(hidden)
        found = any(self.way(world) is not None for world in each_world(self.view, hidden, self.TRIED, 1))
        return hidden if found else None

    def _narrowed(self, hidden: Array) -> Array | None:
        """Give the mover the card, and take from it what it would have to play instead, as long as it has such cards."""
        assert self.mover is not None
        narrowed = with_known(hidden, self.mover, int(bit(self.action)))
        for step in range(self.NARROWED):
            if narrowed is None:
                return None
            instead, some = 0, False
            for world in each_world(self.view, narrowed, 4, step + 2):
                some = True
                if self.way(world) is not None:
                    return narrowed
                instead |= sum(1 << card for card in world.legal if card < DECK_SIZE)
            if not some or not instead:
                return None
            held = int(narrowed[0].known[self.mover]) & instead
            self.blocked_by = [self.view.game.text(card) for card in range(DECK_SIZE) if held >> card & 1]
            narrowed = without(narrowed, self.mover, instead)
        return None

    def way(self, world: State) -> int | None:
        """The action in a world that the viewer sees as this one; None if the mover cannot do it there."""
        if self.own:
            return self.action
        disguised = self.view.game.elsewhere.disguised
        choices = world.legal
        if disguised and self.action not in choices:
            choices = [disguised(world.record, self.action)]
        fitting = [one for one in choices if seen_by(world.data, self.view.seat, one) == self.action]
        if disguised and fitting and fitting[0] not in world.legal:
            return fitting[0] if self._is_allowed(world, fitting[0]) else None
        return fitting[world.seed % len(fitting)] if fitting else None

    @staticmethod
    def _is_allowed(world: State, action: int) -> bool:
        try:
            world.check(action)
        except ValueError:
            return False
        return True


def looks_the_same(view: View) -> int | None:
    """What the viewer sees of the next action, if it lies face down and any would look so; None if there is a difference."""
    if view.to_move in (None, view.seat) or "seen_as" not in view.game.rules.own:
        return None
    looks: set[int] = set()
    for world in each_world(view, view.unseen(), 6):
        for action in world.legal:
            look = seen_by(world.data, view.seat, action)
            if look == action:
                return None
            looks.add(look)
    return looks.pop() if len(looks) == 1 else None


def masks_given(hidden: Array, seat: int, cards: Sequence[int]) -> Iterator[Array]:
    """The same knowledge with some cards given to each holder in turn that may have them all."""
    mask = sum(1 << card for card in set(cards))
    for holder in range(int(hidden[0].holders)):
        if holder != seat:
            narrowed = with_known(hidden, holder, mask)
            if narrowed is not None:
                yield narrowed


def possible_actions(view: View) -> list[str]:
    """All that the seat to move may do next, as the viewer would see it; its legal actions where the viewer is to move."""
    if view.to_move is None:
        return []
    if view.to_move == view.seat:
        return view.game.texts(view.legal)
    hidden = view.unseen()
    found = {
        seen_by(world.data, view.seat, action) for world in each_world(view, hidden, POSSIBLE, 1) for action in world.legal
    }
    if plays_cards(view):
        rare = int(hidden[0].may_hold[view.to_move])
        found |= {card for card in cards_of(rare) if card not in found and Acting(view, card).hidden() is not None}
    return view.game.texts(sorted(found))
