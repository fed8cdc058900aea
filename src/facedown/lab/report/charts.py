"""Charts of several series as SVG: bars in groups, and curves with bands; see plots.py for their parts."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite

from facedown.lab.report.plots import (
    LETTER,
    WIDTH,
    Interval,
    LogScale,
    Scale,
    axis_below,
    diamond,
    grid_up,
    label,
    padded,
    picture,
    shortened,
)

COLOURS = ("#3b7dd8", "#2a9d6f", "#c9881a", "#9b59b6", "#d6568f", "#1b9aaa", "#9c6b3f", "#7d8590")  # on light and on dark
LEFT, RIGHT = 64, WIDTH - 10
HEIGHT = 220  # of the part with the figures
LINE = 16  # of text
LEAST_LETTERS = 7  # that the name of a group must have room for
WIDEST = 48  # of bars
WHISKER = 3  # half the width of its ends
ROOM = 0.03  # of what lies across, at both ends
MANY_TIMES = 100  # the first number across: by powers of ten then
KEY = 11  # its width and its height

Key = Callable[[float, float], str]  # draws the mark beside a name, from its left end and the line of the text


@dataclass(frozen=True)
class Placed:
    """A figure of a series, in a group of bars or at a place of a curve."""

    series: str
    group: str
    at: float
    figure: Interval


def names(values: Sequence[str]) -> list[str]:
    """Each name once, in the order in which they come."""
    return list(dict.fromkeys(values))


def colour(number: int) -> str:
    """The colour of a series."""
    return COLOURS[number % len(COLOURS)]


# --- Bars -------------------------------------------------------------------------------------------------------------


def bars_fit(figures: Sequence[Placed]) -> bool:
    """Whether the groups have room for their names, and the series for colours of their own."""
    groups, series = (names([getattr(one, kind) for one in figures]) for kind in ("group", "series"))
    return (RIGHT - LEFT) / len(groups) >= LEAST_LETTERS * LETTER and len(series) <= len(COLOURS)


def grouped_bars(figures: Sequence[Placed], title: str, axis: str) -> str:
    """Bars from zero, ours with intervals as whiskers, each beside the published one, which is hollow."""
    groups, series = names([one.group for one in figures]), names([one.series for one in figures])
    published = any(one.figure.published is not None for one in figures)
    top, keys = legend(series, partial(square, 'class="published"') if published else None, axis)
    up = Scale(*bounds([one.figure for one in figures]), top + HEIGHT, top)
    room, each = (RIGHT - LEFT) / len(groups), 2 if published else 1
    sizes = Counter(one.group for one in figures)
    width = min(WIDEST, 0.84 * room / (max(sizes.values()) * each))
    begun: Counter[str] = Counter()
    parts = [*keys, *grid_up(up, LEFT, up.ticks(6)), f'<path class="zero" d="M{LEFT} {up(0)}H{RIGHT}"/>']
    for one in figures:
        middle = LEFT + room * (groups.index(one.group) + 0.5)
        left = middle + width * each * (begun[one.group] - sizes[one.group] / 2)
        begun[one.group] += 1
        if published:
            parts += published_bar(one.figure, left, width, up)
            left += width
        parts += [bar(one.figure.value, left, width, up, f'fill="{colour(series.index(one.series))}"')]
        parts += [whisker(left + width / 2, one.figure.low, one.figure.high, up)]
    lines = 0
    for number, group in enumerate(groups):
        for line, text in enumerate(wrapped(group, int(room / LETTER))):
            parts.append(label(f"{LEFT + room * (number + 0.5):.1f}", top + HEIGHT + LINE * (line + 1), text, "name middle"))
            lines = max(lines, line + 1)
    return picture(title, described(figures), top + HEIGHT + LINE * lines + 8, parts)


def bar(value: float, left: float, width: float, up: Scale, look: str) -> str:
    """A bar from zero to a figure."""
    ends = sorted((float(up(0)), float(up(value))))
    return (
        f'<rect {look} x="{left + 1:.1f}" y="{ends[0]:.1f}" width="{max(1.0, width - 2):.1f}" '
        f'height="{ends[1] - ends[0]:.1f}"/>'
    )


def published_bar(figure: Interval, left: float, width: float, up: Scale) -> list[str]:
    """A hollow bar for the published figure, if there is one."""
    if figure.published is None:
        return []
    parts = [bar(figure.published, left, width, up, 'class="published"')]
    if figure.half is not None:
        low, high = figure.published_ends
        parts.append(whisker(left + width / 2, low, high, up))
    return parts


def whisker(middle: float, low: float, high: float, up: Scale) -> str:
    """An interval from bottom to top; an infinite end has no stroke across."""
    strokes = [f"M{middle - WHISKER:.1f} {up(end)}h{2 * WHISKER}" for end in (low, high) if isfinite(end)]
    return f'<path class="whisker" d="M{middle:.1f} {up(low)}V{up(high)}{"".join(strokes)}"/>'


def wrapped(text: str, room: int) -> list[str]:
    """Text in lines of so many letters; a longer word is shortened."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + len(word) >= room:
            lines.append("")
        lines[-1] = shortened(f"{lines[-1]} {word}".strip(), room)
    return lines


# --- Curves -----------------------------------------------------------------------------------------------------------


def curves(figures: Sequence[Placed], title: str, across: str, axis: str, log: bool = False) -> str:
    """A line for each series with a band for its interval; published figures are diamonds of its colour.

    Numbers that span a hundredfold lie across by powers of ten.
    """
    series = names([one.series for one in figures])
    published = any(one.figure.published is not None for one in figures)
    mixed = len(series) > 1
    key = partial(hollow, "currentColor" if mixed else "")
    top, keys = legend(series, key if published else None, axis)
    places = [one.at for one in figures]
    right = scale_across(min(places), max(places))
    low, high = bounds([one.figure for one in figures], log)
    up = (LogScale if log else Scale)(low, high, top + HEIGHT, top)
    parts = [*keys, *grid_up(up, LEFT, up.ticks(6))]
    parts += [] if log else [f'<path class="zero" d="M{LEFT} {up(0)}H{RIGHT}"/>']
    for number, name in enumerate(series):
        own = sorted((one for one in figures if one.series == name), key=lambda one: one.at)
        parts += curve(own, right, up, colour(number), mixed)
    whole = all(place.is_integer() for place in places)
    parts += axis_below(right, top + HEIGHT, across, whole)
    return picture(title, described(figures), top + HEIGHT + 40, parts)


def scale_across(first: float, last: float) -> Scale:
    """The scale of what lies across, with a little room at both ends."""
    if first > 0 and last / first >= MANY_TIMES:
        room = (last / first) ** ROOM
        return LogScale(first / room, last * room, LEFT, RIGHT)
    margin = ROOM * (last - first) or 1.0
    return Scale(first - margin, last + margin, LEFT, RIGHT)


def curve(figures: Sequence[Placed], right: Scale, up: Scale, paint: str, mixed: bool) -> list[str]:
    """One series, alone or among others."""
    tops = [f"{right(one.at)} {up(one.figure.high)}" for one in figures]
    bottoms = [f"{right(one.at)} {up(one.figure.low)}" for one in figures]
    line = [f"{right(one.at)} {up(one.figure.value)}" for one in figures]
    dots = [f'<circle fill="{paint}" cx="{x}" cy="{y}" r="3.5"/>' for x, y in (place.split() for place in line)]
    published = [(right(one.at), float(up(one.figure.published))) for one in figures if one.figure.published is not None]
    marks = [diamond(x, y, paint if mixed else "") for x, y in published]
    return [
        f'<path style="fill:{paint};opacity:.2" d="M{"L".join([*tops, *reversed(bottoms)])}Z"/>',
        f'<path style="fill:none;stroke:{paint};stroke-width:2" d="M{"L".join(line)}"/>',
        *marks,
        *dots,
    ]


# --- What both have ---------------------------------------------------------------------------------------------------


def legend(series: Sequence[str], published: Key | None, axis: str) -> tuple[float, list[str]]:
    """Where the figures begin below it, and the keys of series and published figures; one series alone is ours."""
    keys: list[tuple[str, Key]] = [("published", published)] if published else []
    for number, name in enumerate(series):
        keys.append((name if len(series) > 1 else "ours", partial(square, f'fill="{colour(number)}"')))
    parts, across, line = [label(0, 12, axis, "axis")], LEFT + LETTER * len(axis), 12.0
    for text, key in keys if len(keys) > 1 else []:
        room = 34 + LETTER * len(text)
        if across + room > RIGHT and across > LEFT:
            across, line = LEFT, line + LINE + 2
        parts += [key(across, line), label(f"{across + KEY + 6:.1f}", line, text, "name")]
        across += room
    return line + 14, parts


def square(look: str, left: float, line: float) -> str:
    """The key of bars, or of a line."""
    return f'<rect {look} x="{left:.1f}" y="{line - KEY + 1:g}" width="{KEY}" height="{KEY}"/>'


def hollow(paint: str, left: float, line: float) -> str:
    """The key of published figures that are diamonds."""
    return diamond(f"{left + KEY / 2:.1f}", line - KEY / 2 + 1, paint)


def bounds(figures: Sequence[Interval], log: bool = False) -> tuple[float, float]:
    """The ends of the scale up: all that is finite, with zero, or with the powers of ten around it."""
    ends = [end for one in figures for end in one.ends]
    if log:
        positive = [end for end in ends if end > 0] or [1.0]
        return min(positive) / 1.5, max(positive) * 1.5
    low, high = padded([*ends, 0.0])
    if not any(ends):
        return low, high
    return (0.0 if min([*ends, 0.0]) == 0.0 else low), (0.0 if max([*ends, 0.0]) == 0.0 and low < 0 else high)


def described(figures: Sequence[Placed]) -> str:
    """The figures in words."""
    return "; ".join(f"{one.figure.label}: {one.figure.text}" for one in figures)
