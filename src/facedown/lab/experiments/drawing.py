"""The one place that draws tables: for the page of an experiment, and for the book.

Shares and other figures have a picture each. The labels of the rows say what belongs together: what they all end in is left
out, and of the rest the part before the first colon is a group of bars. In curves the number beside a word lies across, and
what else the label says names the series.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from facedown.lab.experiments.result import Row, Table
from facedown.lab.report.charts import Placed, bars_fit, curves, grouped_bars
from facedown.lab.report.parts import shown
from facedown.lab.report.plots import Interval, forest

NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
EVEN = 50.0  # per cent: the wins of equal players


class Drawing(NamedTuple):
    """A picture and the words above it."""

    svg: str
    caption: str


def drawings(table: Table) -> list[Drawing]:
    """The pictures of a table: ours with intervals, and the published figures."""
    drawn = []
    for rate, axis in ((True, "per cent"), (False, table.plot.up)):
        rows = [row for row in table.rows if row.ours and row.ours.rate == rate]
        draw = KINDS[table.plot.kind]
        if rows and (found := draw(table, rows, axis)):
            drawn.append(found)
    return drawn


def as_forest(table: Table, rows: Sequence[Row], axis: str) -> Drawing:
    """Intervals below each other."""
    svg = forest([interval(row) for row in rows], table.title, axis, compared_with(table, rows), table.plot.log)
    return Drawing(svg, caption(rows, "Diamonds"))


def as_bars(table: Table, rows: Sequence[Row], axis: str) -> Drawing:
    """Bars in groups, those that differ in a number alone in one colour; a forest where there are too many."""
    word = table.plot.across
    found = [(word and number_in(row.label, word)) or (0.0, row.label.split(": ")) for row in rows]
    parts = without_common_end([own for _, own in found])
    placed = [
        Placed(": ".join(own[1:]), own[0], at, interval(row)) for own, (at, _), row in zip(parts, found, rows, strict=True)
    ]
    if not bars_fit(placed):
        return as_forest(table, rows, axis)
    numbers = f" The number below a bar is its {word}." if word else ""
    return Drawing(grouped_bars(placed, table.title, axis), caption(rows, "Hollow bars") + numbers)


def as_curves(table: Table, rows: Sequence[Row], axis: str) -> Drawing | None:
    """A line for each series; rows without a number do not belong to one."""
    found = [(place, row) for row in rows if (place := number_in(row.label, table.plot.across))]
    if not found:
        return None
    named = [": ".join(own).split(", ") for own in without_common_end([rest for (_, rest), _ in found])]
    series = without_common_end(named)
    placed = [Placed(", ".join(own), "", at, interval(row)) for own, ((at, _), row) in zip(series, found, strict=True)]
    across = table.plot.across + (", per cent" if all("%" in row.label for _, row in found) else "")
    svg = curves(placed, table.title, across, axis, table.plot.log)
    return Drawing(svg, caption([row for _, row in found], "Diamonds"))


KINDS: dict[str, Callable[[Table, Sequence[Row], str], Drawing | None]] = {
    "forest": as_forest,
    "bars": as_bars,
    "curves": as_curves,
}


def compared_with(table: Table, rows: Sequence[Row]) -> list[float]:
    """What the figures of a forest are compared with: one half for shares of wins, zero for what may be above and below."""
    if win_rates(table.title, rows):
        return [EVEN]
    return [0.0] if any(row.ours and row.ours.signed and not row.ours.rate for row in rows) else []


# --- Labels -----------------------------------------------------------------------------------------------------------


def without_common_end(labels: Sequence[list[str]]) -> list[list[str]]:
    """The parts of labels without the last ones that all of them share; each keeps its first."""
    shared = 0
    while all(len(parts) > shared + 1 for parts in labels) and len({parts[-1 - shared] for parts in labels}) == 1:
        shared += 1
    return [parts[: len(parts) - shared] for parts in labels]


def number_in(label: str, word: str) -> tuple[float, list[str]] | None:
    """The number beside a word, which may be in per cent, and the parts of the label without both."""
    parts = label.split(": ")
    for place, part in enumerate(parts):
        if found := re.search(rf"\b{re.escape(word)},? {NUMBER}(?: ?%)?|{NUMBER} {re.escape(word)}\b", part):
            rest = (part[: found.start()] + part[found.end() :]).strip(" ,")
            parts[place : place + 1] = [rest] if rest else []
            return float((found[1] or found[2]).replace(",", "")), parts
    return None


def win_rates(title: str, rows: Sequence[Row]) -> bool:
    """Whether all rows are shares of wins: the title says so, or each of the labels."""
    shares = all(row.ours and row.ours.rate for row in rows)
    return shares and (names_wins(title) or all(names_wins(row.label) for row in rows))


def names_wins(text: str) -> bool:
    """Whether a text speaks of wins."""
    return re.search(r"\bwins?\b", text, re.IGNORECASE) is not None


# --- Figures ----------------------------------------------------------------------------------------------------------


def interval(row: Row) -> Interval:
    """A row as a figure of a plot, in per cent where it is a share."""
    ours, published = row.ours, row.published
    assert ours
    times = 100.0 if ours.rate else 1.0
    beside = published if published and published.rate == ours.rate else None
    return Interval(
        row.label,
        times * ours.value,
        times * ours.low,
        times * ours.high,
        shown(ours),
        times * beside.value if beside else None,
        times * beside.half if beside and beside.half is not None else None,
    )


def caption(rows: Sequence[Row], marks: str) -> str:
    """What a reader sees."""
    ours = "Ours." if all(row.ours and row.ours.counted for row in rows) else "Ours, with 95 % intervals."
    return f"{ours} {marks} are the published figures." if any(row.published for row in rows) else ours
