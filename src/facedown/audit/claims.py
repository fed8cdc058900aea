"""What a view holds possible, put so that any state can be held against it: who may have which cards."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.audit.slots import Slots, card_text
from facedown.cards import cards_of
from facedown.compiler.asking import place_cards
from facedown.errors import FacedownError
from facedown.kernel import Array, copied
from facedown.rng import stream
from facedown.state import State
from facedown.view import View
from facedown.worlds import exact, literature
from facedown.worlds.batches import has_batches, is_laid_world
from facedown.worlds.counting import count_worlds
from facedown.worlds.knowledge import HOLDERS

PROBES = 6  # worlds that tell in which slot a holder's cards lie


class Claims:
    """The answer of `unseen` for a view, and the slots in which `place` puts each holder's cards."""

    def __init__(self, view: View, slots: Slots) -> None:
        """The view of one seat."""
        self.view, self.slots = view, slots
        self.hidden = view.unseen()
        self.holders = [holder for holder in range(int(self.hidden[0].holders)) if self.hidden[0].room[holder] > 0]
        if has_batches(self.hidden):
            self.holders += [HOLDERS + batch for batch in range(int(self.hidden[0].batches))]

    def placed(self, held: Any, rng: Array) -> Array:
        """The record of the world in which each holder has the cards given."""
        hidden = self.hidden.copy()
        hidden[0].held[:] = held
        data = copied(self.view.data)
        place_cards(data, self.view.seat, hidden, rng)
        return data

    @cached_property
    def own_slots(self) -> dict[int, int]:
        """The slot that is the set of a holder's hidden cards, for those holders that have one."""
        hidden = self.hidden.copy()
        ways = exact.prepare(hidden)
        rng = stream(0, bytes(self.view))
        possible: dict[int, NDArray[np.bool_]] = {}
        for _ in range(PROBES):
            literature.draw_by_sampler(hidden[0], ways, rng)
            held = hidden[0].held.tolist()
            row = self.slots.table(self.placed(held, rng))[0]
            for holder in self.holders:
                same = (row == np.uint64(held[holder])) & np.array(self.slots.is_set)
                possible[holder] = possible.get(holder, same) & same
        return {holder: int(np.argmax(same)) for holder, same in possible.items() if same.any()}

    def objection(self, data: Array) -> str | None:
        """Why a state is none of the worlds; None if it is one, or if it cannot be told what each holder has."""
        try:
            own_slots = self.own_slots
        except FacedownError:
            return None  # the check of replays says that no world can be drawn
        values = self.slots.values(data)
        held = {holder: values[slot] for holder, slot in own_slots.items()}
        others = [holder for holder in self.holders if holder not in held]
        if len(others) > 1:
            return None
        record = self.hidden[0]
        if others:  # a stock that lies in order: it has what nobody else has
            held[others[0]] = int(record.unseen) & ~sum(held.values())
        if has_batches(self.hidden):
            return None if is_laid_world(record, held) else "the cards are none of the worlds counted"
        for holder, cards in held.items():
            where = self.slots.names[own_slots[holder]] if holder in own_slots else f"holder {holder}"
            for card in cards_of(cards & ~int(record.may_hold[holder] | record.known[holder])):
                return f"{where} has {card_text(card)}, which it cannot have"
            for card in cards_of(int(record.known[holder]) & ~cards):
                return f"{where} has not {card_text(card)}, which it is known to have"
        fixed = self.hidden.copy()
        for holder, cards in held.items():
            fixed[0].known[holder] = cards
        return None if count_worlds(fixed) == 1 else "the cards are none of the worlds counted"


class Dealt:
    """A game at the beginning of a deal, and what each seat holds possible then."""

    def __init__(self, state: State) -> None:
        """The state is kept as it is; play on with a copy."""
        self.state = state
        self._claims: dict[int, Claims] = {}

    def claims(self, seat: int) -> Claims:
        """Those of a seat."""
        if seat not in self._claims:
            self._claims[seat] = Claims(self.state.view(seat), Slots(self.state.data.dtype))
        return self._claims[seat]
