"""Worlds drawn beforehand, in slices: so that a clock or an interruption can end that too, with fewer worlds."""

from math import inf
from typing import TYPE_CHECKING, Any

from facedown import rules
from facedown.kernel import Array, bytes_of, kernel, room_for
from facedown.worlds import exact, literature
from facedown.worlds.source import deal_unseen

if TYPE_CHECKING:
    from facedown.view import View

SHORT_PATIENCE = 2000  # failures that a slow sampler has for one world where a clock runs


@kernel
def fill_in(data: Array, seat: int, hidden: Array, ways: Array, rng: Array) -> None:
    """Turn views into whole states, one world each, by the exact sampler or with less knowledge."""
    for index in range(data.shape[0]):
        deal_unseen(data[index], seat, hidden[0], ways, rng)


@kernel
def fill_in_otherwise(data: Array, seat: int, hidden: Array, ways: Array, rng: Array) -> None:
    """Turn views into whole states, one world each, by any sampler of this package."""
    for index in range(data.shape[0]):
        literature.draw_by_sampler(hidden[0], ways, rng)
        rules.place(data[index], seat, hidden[0], rng)


def filling(sampler: str) -> Any:
    """The kernel that draws worlds by a named sampler."""
    return fill_in if sampler in exact.BY_EXACT_COUNT else fill_in_otherwise


class Drawing:
    """Worlds of a view, one after another from the same random numbers: the same however they are sliced."""

    def __init__(self, view: "View", count: int, rng: Array, sampler: str = "exact") -> None:
        """There are `count` to be drawn."""
        self._seat = view.seat
        self._data = bytes_of(view.data)
        self._rng = rng
        self._fill = filling(sampler)
        self._hidden = view.unseen(sampler)
        self._ways = exact.prepare(self._hidden)
        self._worlds = room_for(count, view.data.dtype)
        self._drawn = 0

    @property
    def deadline(self) -> float:
        """When it has to end; by then one world must not take long."""
        return inf

    @deadline.setter
    def deadline(self, time: float) -> None:
        if time < inf:
            self._hidden[0].patience = SHORT_PATIENCE

    def advance(self, count: int, most: int) -> int:
        """Draw `count` more; return how many."""
        worlds = self._worlds[self._drawn : self._drawn + count]
        bytes_of(worlds).reshape(len(worlds), len(self._data))[:] = self._data
        self._fill(worlds, self._seat, self._hidden, self._ways, self._rng)
        self._drawn += len(worlds)
        return len(worlds)

    @property
    def worlds(self) -> Array:
        """Those drawn so far."""
        return self._worlds[: self._drawn]
