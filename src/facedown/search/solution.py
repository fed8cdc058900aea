"""Many worlds solved exactly, one after another, in slices of positions."""

from collections.abc import Iterator
from math import inf

from facedown.kernel import Array
from facedown.search.endgame import MOST_POSITIONS, TABLE_BITS, Solver, is_whole
from facedown.search.endgame_aims import LEAD_AIM
from facedown.state import State
from facedown.view import View
from facedown.worlds.batches import has_batches
from facedown.worlds.counting import quick_count
from facedown.worlds.drawing import Drawing

DRAWN_AT_ONCE = 16  # worlds
FEW_WORLDS = 4200  # of which all are solved: no four hands of 13 cards in all leave more (Fernandes 2016, section 6.6)
SAMPLE = 200  # where there are more


class Solution:
    """The worlds of a position: all there are, or a sample, and the leads of those that are solved."""

    deadline = inf  # nothing here takes long between slices

    def __init__(self, position: State | View, count: int, rng: Array, aim: str = LEAD_AIM) -> None:
        """All worlds where there are no more than `count`, else so many; 0 is a few, or a sample. A state has one world."""
        self.legal = position.legal
        self.leads: list[dict[int, float]] = []
        self.exact = isinstance(position, State) or has_few_worlds(position, count or FEW_WORLDS)
        self.given_up = False  # a world took too many positions
        self._worlds = worlds_of(position, count or SAMPLE, rng, self.exact)
        self._world: Array | None = next(self._worlds)
        self._solver = Solver(position.game, self._world, TABLE_BITS, aim)
        self._solver.begin(self._world)
        self._looked = 0  # at positions of this world

    @property
    def ended(self) -> bool:
        """Whether all worlds are solved."""
        return self._world is None

    def advance(self, positions: int, most: int) -> int:
        """Look at some positions of a world, at most; how many, and 0 when nothing is left to do."""
        if self._world is None or self.given_up:
            return 0
        before = self._solver.looked
        solved = self._solver.resume(positions)
        made = self._solver.looked - before
        self._looked += made
        if solved:
            self.leads.append(self._solver.leads(self.legal))
            self._looked = 0
            self._world = next(self._worlds, None)
            if self._world is not None:
                self._solver.begin(self._world)
        self.given_up = self._looked > MOST_POSITIONS
        return max(1, made)


def has_few_worlds(view: View, count: int) -> bool:
    """Whether there are no more than `count` worlds, and nothing else is hidden."""
    hidden = view.unseen()
    counted = has_batches(hidden) or hidden[0].need.any()  # by a count that takes longer
    number = view.worlds() if counted else quick_count(hidden)
    return number <= count and is_whole(view)


def worlds_of(position: State | View, count: int, rng: Array, exact: bool) -> Iterator[Array]:
    """The worlds to solve, as they are needed."""
    if isinstance(position, State):
        yield position.data
    elif exact:
        yield from position.each_world()
    else:
        drawing = Drawing(position, count, rng)
        for first in range(0, count, DRAWN_AT_ONCE):
            drawing.advance(min(DRAWN_AT_ONCE, count - first), count)
            for place in range(first, len(drawing.worlds)):
                yield drawing.worlds[place : place + 1]
