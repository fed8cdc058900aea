"""Where a search gets its worlds from: it asks its source for the next one, and knows nothing else about hidden cards.

A source is a named tuple of arrays:

    kind         one record, whose type says of which kind the source is; kernels are compiled for that type
    positions    the searching seat's view, or worlds
    ...          whatever else the kind needs

A kind of source is a file with a function that writes the next world; `kind_of_source` makes the record type that stands
for it. The two plain kinds are here.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, compile_as, copied, kernel, new_records
from facedown.kernel_cache import mark_of
from facedown.rng import draw
from facedown.worlds import exact

KINDS: dict[str, Any] = {}  # what writes the next world, by the name of the first field of `kind`


class Source(Protocol):
    """What the Python side of a search asks of a source."""

    @property
    def size(self) -> int:
        """How many different worlds there are to come; 0 where each is drawn afresh."""

    def for_another_thread(self) -> "Source":
        """The same source, with its own copy of what is written while worlds are drawn."""


def kind_of_source(name: str, fields: list[Any], next_one: Any) -> np.dtype[Any]:
    """The type of the record `kind`; `next_one(source, world, rng)` writes a world and returns its hypothesis, from 0."""
    mark = mark_of(name, {"next_world": next_one})
    KINDS[mark] = next_one
    return np.dtype([(mark, np.int64), *fields], align=True)


def next_world(source: Any, world: Array, rng: Array) -> int:
    """Write a world that the searching seat holds possible; the number of the hypothesis that it belongs to."""
    return int(KINDS[source.kind.dtype.names[0]](source, world, rng))


compile_as(next_world, lambda source: KINDS[next(iter(source.types[0].dtype.fields))], int)


@kernel
def room_for_world(source: Any) -> Any:
    """An array of one record, for worlds."""
    return source.positions[:1].copy()


@kernel
def deal_unseen(state: Record, seat: int, hidden: Record, ways: Array, rng: Array) -> None:
    """Fill a view's hidden part with one of the worlds it allows, uniformly; exact.prepare has been called."""
    exact.draw_world(hidden, ways, rng)
    rules.place(state, seat, hidden, rng)


# --- Fresh worlds: another one each time, uniformly -------------------------------------------------------------------


@kernel
def next_fresh(source: Any, world: Array, rng: Array) -> int:
    """Fill the view in, unless nothing of it is hidden."""
    world[0] = source.positions[0]
    if not source.kind[0].only:
        deal_unseen(world[0], source.kind[0].seat, source.hidden[0], source.ways, rng)
    return 0


FRESH = kind_of_source("fresh", [("seat", np.int64), ("only", np.bool_)], next_fresh)


class Fresh(NamedTuple):
    """Worlds drawn one by one, as they are needed; or the only one there is, by the same kernels."""

    kind: Array
    positions: Array  # the view, or the only world
    hidden: Array  # one record of what the seat knows
    ways: Array  # exact.prepare

    @property
    def size(self) -> int:
        """See Source."""
        return int(self.kind["only"][0])

    def for_another_thread(self) -> "Fresh":
        """See Source."""
        return self._replace(hidden=copied(self.hidden))


def fresh(view: Array, seat: int, hidden: Array, only: Array | None = None) -> Fresh:
    """The worlds of a seat's view, which `hidden` describes; `only` is the one, if there are no others."""
    kind = new_records(1, FRESH)
    kind["seat"] = seat
    kind["only"] = only is not None
    return Fresh(kind, view if only is None else only, hidden, exact.prepare(hidden))


# --- Fixed worlds: any of a set, uniformly ----------------------------------------------------------------------------


@kernel
def next_fixed(source: Any, world: Array, rng: Array) -> int:
    """One of the set."""
    world[0] = source.positions[draw(rng, source.positions.shape[0])]
    return 0


FIXED = kind_of_source("fixed", [], next_fixed)


class Fixed(NamedTuple):
    """Worlds drawn before the search; or the true one, for a search that sees all cards."""

    kind: Array
    positions: Array  # the worlds

    @property
    def size(self) -> int:
        """See Source."""
        return len(self.positions)

    def for_another_thread(self) -> "Fixed":
        """Nothing is written."""
        return self


def fixed(worlds: Array) -> Fixed:
    """These worlds, of which there is one at least."""
    return Fixed(new_records(1, FIXED), worlds)
