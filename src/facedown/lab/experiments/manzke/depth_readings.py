"""Other readings of how Manzke 2025 measured the depths of section 6.2.1, in the same positions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp, log, sqrt
from typing import TypeVar

from facedown import stats
from facedown.agents import agent
from facedown.agents.tree import SearchAgent
from facedown.lab.experiments.claims import REFUTED, equal
from facedown.lab.experiments.manzke.hearts_transpositions import FULL_ITERATIONS, GRAPH, QUICK_ITERATIONS, TREE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, forest
from facedown.lab.experiments.running import Lab
from facedown.stats import Estimate
from facedown.view import View

Kept = TypeVar("Kept")
NAMES = {"ismcts-t": GRAPH, "ismcts": TREE}
CONSTANT, WORLDS = 0.9, 1000
FIRST, GROWTH, MOST = 16, 1.25, 4_000_000  # iterations of the first try, how much more each time, and when to give up
DEEPEST, DEEP = 9, 15  # of figure 6.2, and of the share of searches that is printed
BEYOND = Published(0.068, rate=True)  # searches of ISMCTS-T that look further than that
ITERATIONS_TO_9 = {GRAPH: Published(4300), TREE: Published(258_000)}
SHARE_MARGIN, BUDGET_MARGIN = 0.03, 0.3  # within which a share, and of a printed number of iterations, a figure counts as it
SEARCHED, QUICK_SEARCHED = 400, 2  # positions for the share
AS_HERE = "as figures 6.1 and 6.2 here"


@dataclass(frozen=True)
class Reading:
    """What the paper may mean."""

    exploration: float = CONSTANT  # on our scale, where rewards are 0 to 1
    worlds: int = WORLDS  # of ISMCTS; 0 draws one for each iteration
    uncounted: int = 0  # actions at the end of a path that do not count
    algorithms: tuple[str, ...] = tuple(NAMES)  # that it concerns; the others are as here

    def player(self, name: str, iterations: int) -> str:
        """The text of an agent."""
        worlds = self.worlds if name == "ismcts" else WORLDS
        return f"{name}:iterations={iterations},exploration={self.exploration:.6g},worlds={worlds}"


READINGS = {
    AS_HERE: Reading(),
    "c for rewards from -1 to 1": Reading(CONSTANT / 2),
    "c for the rewards of eq. 4.1 as they are, -78 to 78": Reading(CONSTANT / 156),
    "c with a 2 inside of the root": Reading(CONSTANT * sqrt(2)),
    "four times c": Reading(4 * CONSTANT),
    "ISMCTS draws a world for each iteration": Reading(worlds=0, algorithms=("ismcts",)),
    "the last action of a path does not count": Reading(uncounted=1),
}


def share_label(reading: str) -> str:
    """The label of the share of searches of ISMCTS-T that look further than 15."""
    return f"{reading}: deeper than {DEEP}"


PUBLISHED = {share_label(name): BEYOND for name, reading in READINGS.items() if "ismcts-t" in reading.algorithms}


def depth_of(text: str, view: View) -> int:
    """How many actions a search from a position looks ahead at most."""
    player = agent(text, seed=0)
    assert isinstance(player, SearchAgent)
    player.choose(view)
    return player.decision.depth_most if player.decision else 0


def iterations_to(name: str, deepest: int, reading: Reading, view: View) -> list[int]:
    """The fewest iterations tried that reach each depth from 1 on; from one seed, longer searches begin as shorter ones."""
    found: list[int] = []
    iterations = float(FIRST)
    while len(found) < deepest:
        reached = depth_of(reading.player(name, int(iterations)), view) - reading.uncounted
        at_end = iterations > MOST  # too few actions are left for this depth
        found += [int(iterations)] * ((deepest if at_end else min(reached, deepest)) - len(found))
        iterations *= GROWTH
    return found


@dataclass(frozen=True)
class Measured:
    """The figures of a reading; those of an algorithm that it does not concern are missing."""

    share: Estimate | None  # of searches of ISMCTS-T that look further than 15
    budgets: Mapping[str, Estimate]  # iterations to a depth, by algorithm


def measured(lab: Lab, searched: Sequence[View], views: Sequence[View], deepest: int) -> dict[str, Measured]:
    """The figures of each reading."""
    found = {}
    for name, reading in READINGS.items():
        share = None
        if "ismcts-t" in reading.algorithms:
            text = reading.player("ismcts-t", FULL_ITERATIONS if lab.full else QUICK_ITERATIONS)
            depths = in_each(lab, f"share, {name}", searched, partial(depth_of, text))
            deep = sum(depth - reading.uncounted > DEEP for depth in depths)
            share = replace(stats.win_rate(deep, len(depths)), unit="positions")
        budgets = {}
        for algorithm in reading.algorithms:
            needed = budgets_of(lab, algorithm, views, deepest, name)
            budgets[NAMES[algorithm]] = mean_of([iterations[-1] for iterations in needed])
        found[name] = Measured(share, budgets)
    return found


def budgets_of(lab: Lab, algorithm: str, views: Sequence[View], deepest: int, name: str = AS_HERE) -> list[list[int]]:
    """In each position, the iterations that an algorithm needs for each depth from 1 on, by a reading."""
    return in_each(lab, f"{NAMES[algorithm]}, {name}", views, partial(iterations_to, algorithm, deepest, READINGS[name]))


def in_each(lab: Lab, doing: str, views: Sequence[View], measure: Callable[[View], Kept]) -> list[Kept]:
    """What is measured in each position; it is kept in the store."""
    return list(lab.measured(doing, "positions", {f"{number}": view for number, view in enumerate(views)}, measure).values())


def mean_of(values: Sequence[float]) -> Estimate:
    """A mean over positions."""
    return replace(stats.mean(values).unsigned(), unit="positions")


def tables_of(found: Mapping[str, Measured], deepest: int) -> list[Table]:
    """The share and the iterations of all readings."""
    shares = [Row(share_label(name), BEYOND, one.share) for name, one in found.items() if one.share]
    tables = [Table(f"Searches of {GRAPH} that look further than {DEEP}, by reading", shares)]
    for algorithm, published in ITERATIONS_TO_9.items():
        rows = [
            Row(f"{name}: iterations", published if deepest == DEEPEST else None, one.budgets[algorithm])
            for name, one in found.items()
            if algorithm in one.budgets
        ]
        tables.append(
            Table(f"Iterations of {algorithm} to depth {deepest}, by reading", rows, forest("iterations", log=True))
        )
    return tables


def note_of(found: Mapping[str, Measured]) -> str:
    """Which reading comes nearest to the printed figures, and which are not refuted by one of them."""
    factors = {name: missed_by(one, found[AS_HERE]) for name, one in found.items()}
    order = sorted(factors, key=lambda name: factors[name])
    told = "; ".join(f"{name} {factors[name]:.1f}" for name in order)
    left = [name for name in order if not refuted(found[name], found[AS_HERE])]
    return (
        f"Nearest to the three printed figures: {order[0]}. Factors by which readings miss them, geometric means: {told}. "
        f"Readings of which no figure is refuted: {'; '.join(left) or 'none'}."
    )


def figures_of(one: Measured, here: Measured) -> list[tuple[Published, Estimate, float]]:
    """The printed figures, ours, and the margins; what a reading does not concern is as here."""
    share = one.share or here.share
    budgets = {**here.budgets, **one.budgets}
    figures = [(BEYOND, share, SHARE_MARGIN)] if share else []
    return figures + [(printed, budgets[name], BUDGET_MARGIN * printed.value) for name, printed in ITERATIONS_TO_9.items()]


def missed_by(one: Measured, here: Measured) -> float:
    """The factor by which the printed figures are missed, up or down, as a geometric mean; of no search, half a search."""
    figures = figures_of(one, here)
    distances = [abs(log(max(ours.value, 0.5 / ours.count) / printed.value)) for printed, ours, _ in figures]
    return exp(sum(distances) / len(distances))


def refuted(one: Measured, here: Measured) -> bool:
    """Whether a printed figure is refuted by a reading."""
    return any(equal("", *figure).verdict == REFUTED for figure in figures_of(one, here))
