"""A look back at a person's game: which choices cost most, as the adviser sees it, and what was better.

The adviser looks at every choice from what the person knew then. The costliest are looked at again, longer and with other
random numbers, and only those figures are shown: the worst of many rough figures is worse than it really was.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import NamedTuple

from facedown.agents import agent
from facedown.analysis.advice import advice, searcher
from facedown.analysis.value import Measure, measure_of
from facedown.search.decision import Candidate
from facedown.view import View

ALL_ITERATIONS = 30_000  # of the first look at all choices, in sum
LEAST_ITERATIONS, MOST_ITERATIONS = 300, 3_000  # at one choice
LONGER_ITERATIONS = 8_000
SHOWN = 3
LOOKED_AT_AGAIN = 5
FIRST_LOOK, SECOND_LOOK = range(2)  # seeds


@dataclass(frozen=True)
class Cost:
    """What a choice gave away."""

    number: int  # of the action in the game, from 1
    view: View
    action: int
    better: str  # what was
    loss: float  # of mean reward, against that
    half: float  # the half of its 95 % interval
    measure: Measure

    @property
    def points(self) -> float:
        """In the game's own units."""
        return abs(self.measure.scale) * self.loss

    @property
    def is_certain(self) -> bool:
        """Whether it is more than chance could make it."""
        return self.loss > self.half


class Review(NamedTuple):
    """What came of a look back."""

    worst: list[Cost]  # the costliest first
    choices: int  # where there was something to choose
    priced: int  # of these, that the search could compare with its own


def look_back(choices: Sequence[tuple[View, int]], looked: Callable[[], None]) -> Review:
    """Look for the costliest choices; `looked` is called after each look, of which there are `looks(choices)`, at most."""
    open_choices = real_choices(choices)
    iterations = max(LEAST_ITERATIONS, min(MOST_ITERATIONS, ALL_ITERATIONS // max(1, len(open_choices))))
    found = list(costs(open_choices, iterations, FIRST_LOOK, looked))
    suspects = sorted((cost for cost in found if cost.loss > 0), key=lambda one: -one.points)[:LOOKED_AT_AGAIN]
    again = costs([(cost.view, cost.action) for cost in suspects], LONGER_ITERATIONS, SECOND_LOOK, looked)
    worst = sorted((cost for cost in again if cost.is_certain), key=lambda one: -one.points)[:SHOWN]
    return Review(worst, len(open_choices), len(found))


def looks(choices: Sequence[tuple[View, int]]) -> int:
    """How many searches a review takes, at most."""
    count = len(real_choices(choices))
    return count + min(count, LOOKED_AT_AGAIN)


def real_choices(choices: Sequence[tuple[View, int]]) -> list[tuple[View, int]]:
    """Those where there was something to choose."""
    return [(view, action) for view, action in choices if len(view.legal) > 1]


def costs(choices: Sequence[tuple[View, int]], iterations: int, seed: int, looked: Callable[[], None]) -> Iterator[Cost]:
    """What each choice cost; those that the search did not think of are left out, for nothing is known of them."""
    for view, action in choices:
        decision = advice(view, iterations, seed)
        looked()
        best = next((one for one in decision.candidates if one.action == decision.action), None)
        taken = next((one for one in decision.candidates if one.has(action)), None)
        if best is None or taken is None:
            continue
        half = hypot(half_of(best, decision.solved), half_of(taken, decision.solved))
        measure = measure_of(agent(searcher(view.game)), view.game, decision.solved)
        yield Cost(len(view.history) + 1, view, action, best.text, best.mean - taken.mean, half, measure)


def half_of(candidate: Candidate, solved: bool) -> float:
    """Half of a 95 % interval; playouts that all came out alike may still have missed 3 in as many (the rule of three)."""
    low, high = candidate.interval
    return (high - low) / 2 if high > low or solved else 3 / max(3, candidate.visits)
