"""Worlds under hypotheses about the last action: as far as it was hidden, it is taken for each possible kind in turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from facedown import rules
from facedown.compiler.records import as_records
from facedown.errors import NoWorlds
from facedown.kernel import Array, copied, kernel, new_records
from facedown.worlds import exact
from facedown.worlds.knowledge import new_hidden
from facedown.worlds.source import deal_unseen, kind_of_source

if TYPE_CHECKING:
    from facedown.view import View


@dataclass(frozen=True)
class Hypothesis:
    """A kind that the last action may have been of, and its worlds."""

    which: int
    hidden: Array  # one record of what the seat knows if the hypothesis holds
    ways: Array


@kernel
def describe_hypothesis(view: Array, seat: int, which: int, hidden: Array) -> int:
    """Write who may hold what if a hypothesis about the last action is true; return how many there are."""
    rules.unseen(view[0], seat, hidden[0])
    return rules.assume(view[0], seat, which, hidden[0])


def count_hypotheses(view: "View") -> int:
    """How many kinds of action the last one may have been, for all that the seat saw of it."""
    return int(describe_hypothesis(view.data, view.seat, 0, new_hidden(kind=view.game.knowledge)))


def hypotheses_of(view: "View") -> list[Hypothesis]:
    """What the last action may have been, less the kinds that no cards agree with."""
    found = []
    for which in range(count_hypotheses(view)):
        hidden = new_hidden(kind=view.game.knowledge)
        describe_hypothesis(view.data, view.seat, which, hidden)
        try:
            found.append(Hypothesis(which, hidden, exact.prepare(hidden)))
        except NoWorlds:
            continue
    if not found:
        raise NoWorlds("expected a position with at least one possible world, got one with none under any hypothesis")
    return found


@kernel
def next_hypothetical(source: Any, world: Array, rng: Array) -> int:
    """A fresh world under the next hypothesis: they take turns."""
    own = source.kind[0]
    which = own.drawn % source.hidden.shape[0]
    own.drawn += 1
    world[0] = source.positions[0]
    deal_unseen(world[0], own.seat, source.hidden[which], source.ways[which], rng)
    return int(which)


HYPOTHETICAL = kind_of_source("hypothetical", [("seat", np.int64), ("drawn", np.int64)], next_hypothetical)


class Hypothetical(NamedTuple):
    """Fresh worlds under each hypothesis in turn."""

    kind: Array
    positions: Array  # the view
    hidden: Array  # a record for each hypothesis
    ways: Array  # [hypothesis, step, cell]

    @property
    def size(self) -> int:
        """See Source."""
        return 0

    def for_another_thread(self) -> "Hypothetical":
        """See Source."""
        return self._replace(kind=copied(self.kind), hidden=copied(self.hidden))


def hypothetical(view: Array, seat: int, hypotheses: Sequence[Hypothesis]) -> Hypothetical:
    """The worlds of a seat's view under these hypotheses."""
    kind = new_records(1, HYPOTHETICAL)
    kind["seat"] = seat
    hidden = as_records(np.zeros(len(hypotheses), hypotheses[0].hidden.dtype))
    steps, cells = np.max([one.ways.shape for one in hypotheses], axis=0)
    ways = np.zeros((len(hypotheses), steps, cells))  # drawing looks no further than a table was filled
    for place, one in enumerate(hypotheses):
        hidden[place] = one.hidden[0]
        ways[place, : one.ways.shape[0], : one.ways.shape[1]] = one.ways
    return Hypothetical(kind, view, hidden, ways)
