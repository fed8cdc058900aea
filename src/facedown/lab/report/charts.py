"""Charts of several series as SVG: bars in groups, and curves with bands; see plots.py for their parts."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from facedown.lab.report.plots import (
    LETTER,
    WIDTH,
    Interval,
    LogScale,
    Scale,
    around,
    axis_below,
    diamond,
    grid_up,
    label,
    padded,
    picture,
    shortened,
    tick_text,
)

COLOURS = ("#3b7dd8", "#2a9d6f", "#c9881a", "#9b59b6", "#d6568f", "#1b9aaa", "#9c6b3f", "#7d8590")  # on light and on dark
LEFT, RIGHT = 64, WIDTH - 10
HEIGHT = 220  # of the part with the figures
LINE = 16  # of text
LEAST_LETTERS = 7  # that the name of a group must have room for
WIDEST = 48  # of bars
WHISKER = 3  # half the width of its ends
BESIDE = 6  # each other: the published figures of series at one place
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
    """Bars from zero, ours with intervals as whiskers, each beside the published one, which is hollow.

    Where figures have a place, its number stands below ours.
    """
    groups, series = names([one.group for one in figures]), names([one.series for one in figures])
    published = any(one.figure.published is not None for one in figures)
    top, keys = legend(series, partial(square, 'class="published"') if published else None, axis)
    up = Scale(*bounds([one.figure for one in figures]), top + HEIGHT, top)
    room = (RIGHT - LEFT) / len(groups)
    slots = Counter(one.group for one in figures for _ in range(1 if one.figure.published is None else 2))
    width = min(WIDEST, 0.84 * room / max(slots.values()))
    free = {group: LEFT + room * (place + 0.5) - width * slots[group] / 2 for place, group in enumerate(groups)}
    parts = [*keys, *grid_up(up, LEFT, up.ticks(6)), f'<path class="zero" d="M{LEFT} {up(0)}H{RIGHT}"/>']
    for one in figures:
        if one.figure.published is not None:
            parts += published_bar(one.figure, free[one.group], width, up)
            free[one.group] += width
        parts += our_bar(one, free[one.group], width, up, colour(series.index(one.series)))
        free[one.group] += width
    below = top + HEIGHT + (LINE if any(one.at for one in figures) else 0)
    lines, named = group_names(groups, room, below)
    return picture(title, described(figures), below + LINE * lines + 8, [*parts, *named])


def group_names(groups: Sequence[str], room: float, below: float) -> tuple[int, list[str]]:
    """How many lines the names of the groups take, and the names."""
    wrapped_names = [wrapped(group, int(room / LETTER)) for group in groups]
    parts = [
        label(f"{LEFT + room * (place + 0.5):.1f}", below + LINE * (line + 1), text, "name middle")
        for place, lines in enumerate(wrapped_names)
        for line, text in enumerate(lines)
    ]
    return max(map(len, wrapped_names)), parts


def our_bar(one: Placed, left: float, width: float, up: Scale, paint: str) -> list[str]:
    """A bar for our figure with its whisker, and the number of its place."""
    middle = left + width / 2
    number = [label(f"{middle:.1f}", up.begin + LINE, tick_text(one.at), "number middle")] if one.at else []
    low, high = one.figure.low, one.figure.high
    interval = [whisker(middle, low, high, up)] if low < high else []
    return [bar(one.figure.value, left, width, up, f'fill="{paint}"'), *interval, *number]


def bar(value: float, left: float, width: float, up: Scale, look: str) -> str:
    """A bar from zero to a figure."""
    ends = sorted((float(up(0)), float(up(value))))
    return (
        f'<rect {look} x="{left + 1:.1f}" y="{ends[0]:.1f}" width="{max(1.0, width - 2):.1f}" '
        f'height="{ends[1] - ends[0]:.1f}"/>'
    )


def published_bar(figure: Interval, left: float, width: float, up: Scale) -> list[str]:
    """A hollow bar for the published figure."""
    assert figure.published is not None
    return [bar(figure.published, left, width, up, 'class="published"'), *published_whisker(figure, left + width / 2, up)]


def published_whisker(figure: Interval, middle: float, up: Scale, paint: str = "") -> list[str]:
    """The interval of the published figure, if it has one."""
    if not figure.half:
        return []
    low, high = figure.published_ends
    return [whisker(middle, low, high, up, paint)]


def whisker(middle: float, low: float, high: float, up: Scale, paint: str = "") -> str:
    """An interval from bottom to top, of its own colour or of a series'; an end that the scale cannot have has no stroke."""
    strokes = [f"M{middle - WHISKER:.1f} {up(end)}h{2 * WHISKER}" for end in (low, high) if up.has(end)]
    look = f' style="stroke:{paint}"' if paint else ""
    return f'<path class="whisker"{look} d="M{middle:.1f} {up(low)}V{up(high)}{"".join(strokes)}"/>'


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
        parts += curve(own, right, up, colour(number), BESIDE * (number - (len(series) - 1) / 2) if mixed else None)
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


def curve(figures: Sequence[Placed], right: Scale, up: Scale, paint: str, beside: float | None) -> list[str]:
    """One series, alone or among others: then its published figures have its colour, and lie so far beside their places."""
    tops = [f"{right(one.at)} {up(one.figure.high)}" for one in figures]
    bottoms = [f"{right(one.at)} {up(one.figure.low)}" for one in figures]
    line = [f"{right(one.at)} {up(one.figure.value)}" for one in figures]
    dots = [f'<circle fill="{paint}" cx="{x}" cy="{y}" r="3.5"/>' for x, y in (place.split() for place in line)]
    published = [one for one in figures if one.figure.published is not None]
    marks = [part for one in published for part in published_mark(one, right, up, paint, beside)]
    return [
        f'<path style="fill:{paint};opacity:.2" d="M{"L".join([*tops, *reversed(bottoms)])}Z"/>',
        f'<path style="fill:none;stroke:{paint};stroke-width:2" d="M{"L".join(line)}"/>',
        *marks,
        *dots,
    ]


def published_mark(one: Placed, right: Scale, up: Scale, paint: str, beside: float | None) -> list[str]:
    """A diamond for a published figure, on its interval."""
    assert one.figure.published is not None
    x, own = float(right(one.at)) + (beside or 0.0), "" if beside is None else paint
    return [*published_whisker(one.figure, x, up, own), diamond(f"{x:.1f}", float(up(one.figure.published)), own)]


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
        return around(ends)
    low, high = padded([*ends, 0.0])
    if not any(ends):
        return low, high
    return (0.0 if min([*ends, 0.0]) == 0.0 else low), (0.0 if max([*ends, 0.0]) == 0.0 and low < 0 else high)


def described(figures: Sequence[Placed]) -> str:
    """The figures in words."""
    return "; ".join(f"{one.figure.label}: {one.figure.text}" for one in figures)
