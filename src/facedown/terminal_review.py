"""A look back at a person's game: which choices cost most, as the adviser sees it, and what was better.

The adviser looks at every choice from what the person knew then. The costliest are looked at again, longer and with other
random numbers, and only those figures are told: the worst of many rough figures is worse than it really was.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from rich.console import Group, RenderableType
from rich.text import Text

from facedown.agents import agent
from facedown.game import Game, View
from facedown.terminal import card
from facedown.terminal_advice import searcher
from facedown.terminal_person import advice
from facedown.terminal_value import Measure, measure_of

ALL_ITERATIONS = 30_000  # of the first look at all choices together
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


def costliest(choices: Sequence[tuple[View, int]], looked: Callable[[], None]) -> list[Cost]:
    """The choices that cost most, worst first; `looked` is called after each look, of which there are `looks(choices)`."""
    open_choices = real_choices(choices)
    iterations = max(LEAST_ITERATIONS, min(MOST_ITERATIONS, ALL_ITERATIONS // max(1, len(open_choices))))
    found = list(costs(open_choices, iterations, FIRST_LOOK, looked))
    again = [(cost.view, cost.action) for cost in sorted(found, key=lambda one: -one.points)[:LOOKED_AT_AGAIN]]
    certain = [cost for cost in costs(again, LONGER_ITERATIONS, SECOND_LOOK, looked) if cost.is_certain]
    return sorted(certain, key=lambda one: -one.points)[:SHOWN]


def looks(choices: Sequence[tuple[View, int]]) -> int:
    """How many searches a review takes, at most."""
    count = len(real_choices(choices))
    return count + min(count, LOOKED_AT_AGAIN)


def real_choices(choices: Sequence[tuple[View, int]]) -> list[tuple[View, int]]:
    """Those where there was something to choose."""
    return [(view, action) for view, action in choices if len(view.legal) > 1]


def costs(choices: Sequence[tuple[View, int]], iterations: int, seed: int, looked: Callable[[], None]) -> Iterator[Cost]:
    """What each choice cost, of those that cost anything; ones that the search did not think of cannot be told."""
    for view, action in choices:
        decision = advice(view, iterations, seed)
        looked()
        figures = {one.action: one for one in decision.candidates}
        if action not in figures or action == decision.action:
            continue
        best, taken = figures[decision.action], figures[action]
        halves = [(one.interval[1] - one.interval[0]) / 2 for one in (best, taken)]
        loss, measure = best.mean - taken.mean, measure_of(agent(searcher(view.game)), view.game, decision.solved)
        if loss > 0:
            yield Cost(len(view.history) + 1, view, action, best.text, loss, hypot(*halves), measure)


def review_lines(game: Game, found: Sequence[Cost]) -> RenderableType:
    """The review in words."""
    if not found:
        return Text(" No choice of yours cost more than chance could explain.")
    lines = [Text(" Your costliest choices, as the search sees them (± is a 95 % interval):")]
    for cost in found:
        price = cost.measure.cost(cost.loss, cost.half)
        taken = card(game.text(cost.action))
        lines.append(Text.assemble(f" {cost.number:4}  ", taken, f" cost {price}; better: ", card(cost.better)))
    lines.append(Text(" The numbers are those of facedown replay last.", "dim"))
    return Group(*lines)
