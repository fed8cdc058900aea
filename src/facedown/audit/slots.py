"""The places of a record where cards lie, without knowing the game.

By the convention of records, an unsigned 64-bit number is a set of cards; any other whole number that `hide` erases is taken
for a card, such as one of a stock that lies in order.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown import cards
from facedown.errors import BadText
from facedown.kernel import Array

MOST_SHOWN = 3  # differences that are shown of two records


class Slots:
    """All whole numbers of a game's record, one after another."""

    def __init__(self, kind: np.dtype[Any]) -> None:
        """`kind` is the record's; its last field is the game's mark."""
        self.fields = [name for name in (kind.names or ())[:-1] if kind[name].base.kind in "iu"]
        self.names: list[str] = []
        self.is_set: list[bool] = []
        for name in self.fields:
            size = int(np.prod(kind[name].shape))
            self.names += [f"{name}[{place}]" for place in range(size)] if kind[name].shape else [name]
            self.is_set += [kind[name].base == np.uint64] * size

    def table(self, records: Array) -> NDArray[np.uint64]:
        """What stands in each slot of each record."""
        columns = [np.asarray(records[name]).reshape(len(records), -1) for name in self.fields]
        return np.concatenate([column.astype(np.int64).view(np.uint64) for column in columns], axis=1)

    def values(self, data: Array) -> list[int]:
        """What stands in each slot of one record; negative numbers, such as no card, as huge ones."""
        values: list[int] = self.table(data)[0].tolist()
        return values

    def write(self, data: Array, values: list[int]) -> None:
        """Put numbers into all slots of one record."""
        first = 0
        for name in self.fields:
            column = data[name].reshape(-1)
            numbers = np.array(values[first : first + len(column)], np.uint64).view(np.int64)
            data[name] = numbers.astype(column.dtype).reshape(data[name].shape)
            first += len(column)

    def lying(self, values: list[int], slots: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """In which of some slots each card lies; mostly in one."""
        found: dict[int, tuple[int, ...]] = {}
        for slot in slots:
            for card in cards.cards_of(values[slot]) if self.is_set[slot] else [values[slot]]:
                if card < 64:
                    found[card] = (*found.get(card, ()), slot)
        return found

    def relabelled(self, values: list[int], slots: Iterable[int], exchange: Mapping[int, int]) -> list[int]:
        """The same slots with cards exchanged for others, in some of them."""
        result = list(values)
        for slot in slots:
            if self.is_set[slot]:
                result[slot] = sum(1 << exchange.get(card, card) for card in cards.cards_of(values[slot]))
            else:
                result[slot] = exchange.get(values[slot], values[slot])
        return result

    def words(self, values: list[int], slot: int) -> str:
        """What stands in a slot, in words: its name, and its cards or its number."""
        value = values[slot]
        if not self.is_set[slot]:
            return f"{self.names[slot]} is {int(np.uint64(value).astype(np.int64))}"
        return f"{self.names[slot]} is {' '.join(card_text(card) for card in cards.cards_of(value)) or 'empty'}"

    def difference(self, one: list[int], other: list[int], whose: str, whose_other: str) -> str:
        """The first slots in which two records differ, in words."""
        differ = [slot for slot in range(len(one)) if one[slot] != other[slot]]
        parts = [
            f"{self.words(one, slot)} in {whose}, {_after_name(self.words(other, slot))} in {whose_other}" for slot in differ
        ]
        if not parts:
            return f"{whose} and {whose_other} differ in a field that is no whole number"
        more = f", and {len(parts) - MOST_SHOWN} more" if len(parts) > MOST_SHOWN else ""
        return "; ".join(parts[:MOST_SHOWN]) + more


def _after_name(words: str) -> str:
    return words.partition(" is ")[2]


def card_text(card: int) -> str:
    """A card as text, or its number if it is none of the usual ones."""
    try:
        return cards.text(card)
    except BadText:
        return str(card)
