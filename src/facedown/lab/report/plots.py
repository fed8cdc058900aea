"""Plots as SVG, written by hand: intervals, running means and histograms are lines, dots and bars.

A plotting library would be a heavy dependency, or a script inside the page, for these few shapes. Written here they use the
page's own colours, light or dark, fetch nothing, and are the same byte for byte every time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, inf, isfinite, log10

WIDTH = 720
LETTER = 6.6  # about the width of a letter of the labels
ROW = 44  # of a forest plot: a name, and its interval below
DOT, DIAMOND = 4, 7  # half the width of its marks: a dot fits into a diamond
BELOW = 8  # our interval: a published one
TICKS = 6  # about
STYLE = (  # of a picture outside of a page
    "text{font:12px sans-serif;fill:#444;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".end{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#ddd;fill:none}"
    ".mark{stroke:#1f5fa8;stroke-width:2;fill:none}.dot{fill:#1f5fa8}.zero{stroke:#888;stroke-dasharray:4 3;fill:none}"
    ".published{fill:#fff;stroke:#b3400b;stroke-width:2}.name{fill:#1b1f24}svg{background:#fff;color:#1b1f24}"
    ".whisker{stroke:#1b1f24;stroke-width:1.5;fill:none}"
)


@dataclass(frozen=True)
class Interval:
    """A figure with its interval, whose bounds may be infinite, and its text."""

    label: str
    value: float
    low: float
    high: float
    text: str
    published: float | None = None  # the published figure, marked beside it
    half: float | None = None  # of the published interval

    @property
    def published_ends(self) -> tuple[float, ...]:
        """The ends of the published interval, both the figure where it has none; nothing without a published figure."""
        return () if self.published is None else (self.published - (self.half or 0.0), self.published + (self.half or 0.0))

    @property
    def ends(self) -> list[float]:
        """All that the scale must have room for: what is finite of both intervals."""
        return [end for end in (self.value, self.low, self.high, *self.published_ends) if isfinite(end)]


@dataclass(frozen=True)
class Band:
    """A figure as it changed with the number of observations, `at`, and its interval."""

    at: Sequence[float]
    values: Sequence[float]
    lows: Sequence[float]
    highs: Sequence[float]


@dataclass(frozen=True)
class Bars:
    """The number of values in bins of one width."""

    start: float  # the left edge of the first bin
    width: float
    counts: Sequence[int]
    mean: float


@dataclass(frozen=True)
class Scale:
    """Maps numbers to coordinates."""

    low: float
    high: float
    begin: float
    end: float

    def __call__(self, value: float) -> str:
        """The coordinate of a number, clipped to the scale, to a tenth of a pixel."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{self.begin + share * (self.end - self.begin):.1f}"

    def ticks(self, about: int = TICKS, whole: bool = False) -> list[float]:
        """Round numbers on the scale."""
        return ticks(self.low, self.high, about, whole)

    def has(self, value: float) -> bool:
        """Whether a scale of this kind can have a place for a number, however wide it is."""
        return isfinite(value)


@dataclass(frozen=True)
class LogScale(Scale):
    """Maps numbers above zero to coordinates by their logarithms."""

    def __call__(self, value: float) -> str:
        """The coordinate of a number."""
        return Scale(log10(self.low), log10(self.high), self.begin, self.end)(log10(value) if value > 0 else -inf)

    def ticks(self, about: int = TICKS, whole: bool = False) -> list[float]:
        """Powers of ten; with 2 and 5 times these, or round numbers, where fewer than two are on the scale."""
        powers = [10.0**power for power in range(floor(log10(self.low)), ceil(log10(self.high)) + 1)]
        for factors in ((1,), (1, 2, 5)):
            at = [factor * power for power in powers for factor in factors]
            within = [one for one in at if self.low * (1 - 1e-9) <= one <= self.high * (1 + 1e-9)]
            if len(within) > 1:
                return within
        return super().ticks(about, whole)

    def has(self, value: float) -> bool:
        """Whether a number is above zero, and finite."""
        return 0 < value < inf


# --- Plots ------------------------------------------------------------------------------------------------------------


def forest(
    intervals: Sequence[Interval], title: str, axis: str, references: Sequence[float] = (0.0,), log: bool = False
) -> str:
    """Figures below each other, each with its interval as a line; an infinite bound is an arrow.

    Dashed lines mark what the figures are compared with, such as zero or the figure of equal players. Without any the axis
    begins where the figures do: dots need no zero, as bars do.
    """
    bottom = ROW * len(intervals) + 6
    ends = [end for one in intervals for end in one.ends]
    place = LogScale(*around(ends), 10, WIDTH - 10) if log else Scale(*padded([*ends, *references]), 10, WIDTH - 10)
    parts = [vertical(place(tick), 0, bottom, "grid") for tick in place.ticks()]
    parts += [vertical(place(one), 0, bottom, "zero") for one in references]
    for row, one in enumerate(intervals):
        parts += forest_row(one, ROW * row, place)
    parts += axis_below(place, bottom, axis)
    unnamed = [one for one in references if one not in place.ticks()]
    parts += [label(place(one), bottom + 17, tick_text(one), "number middle") for one in unnamed]
    description = "; ".join(f"{one.label}: {one.text}" for one in intervals)
    return picture(title, description, bottom + 40, parts)


def forest_row(one: Interval, top: float, place: Scale) -> list[str]:
    """A figure of a forest: its name and its text, and below them the marks."""
    middle = top + 30
    room = int((WIDTH - 30) / LETTER) - len(one.text)
    return [
        label(0, top + 15, shortened(one.label, room), "name"),
        label(WIDTH, top + 15, one.text, "number end"),
        f'<path class="mark" d="M{place(one.low)} {middle}H{place(one.high)}"/>',
        end_mark(one.low, middle, place),
        end_mark(one.high, middle, place),
        *published_marks(one, place, middle),
        f'<circle class="dot" cx="{place(one.value)}" cy="{middle}" r="{DOT}"/>',
    ]


def running(band: Band, title: str, description: str, axis: str, height: int = 200) -> str:
    """A running mean with a band for its interval."""
    settled = min(max(2, len(band.at) // 10), len(band.at) - 1)  # the first few intervals are too wide for the scale
    ends = [*band.lows[settled:], *band.highs[settled:], *band.values[1:], 0.0]
    low, high = padded([end for end in ends if isfinite(end)])
    across = Scale(min(band.at), max(*band.at, min(band.at) + 1), 50, WIDTH - 10)
    up = Scale(low, high, height - 6, 8)
    tops = [f"{across(at)} {up(end)}" for at, end in zip(band.at, band.highs, strict=True)]
    bottoms = [f"{across(at)} {up(end)}" for at, end in zip(band.at, band.lows, strict=True)]
    line = [f"{across(at)} {up(value)}" for at, value in zip(band.at, band.values, strict=True)]
    parts = [
        *grid_up(up, 50),
        f'<path class="band" d="M{"L".join([*tops, *reversed(bottoms)])}Z"/>',
        f'<path class="zero" d="M50 {up(0)}H{WIDTH - 10}"/>',
        f'<path class="mark" d="M{"L".join(line)}"/>',
        *axis_below(across, height - 6, axis, whole=True),
    ]
    return picture(title, description, height + 34, parts)


def histogram(bars: Bars, most: int, title: str, description: str, axis: str, height: int = 110) -> str:
    """A histogram; `most` is the top of its scale, the same for several that are compared."""
    end = bars.start + bars.width * len(bars.counts)
    across = Scale(bars.start, end, 50, WIDTH - 10)
    up = Scale(0, max(1, most), height - 6, 14)
    parts = grid_up(up, 50, ticks(0, max(1, most), 3, whole=True))
    for place, count in enumerate(bars.counts):
        left, right = float(across(bars.start + place * bars.width)), float(across(bars.start + (place + 1) * bars.width))
        if count:
            top = float(up(count))
            gap = 1 if right - left > 4 else 0
            shape = (
                f'x="{left + gap:.1f}" y="{top:.1f}" width="{right - left - 2 * gap:.1f}" height="{height - 6 - top:.1f}"'
            )
            parts.append(f'<rect class="bar" {shape}/>')
    parts += [vertical(across(bars.mean), 8, height - 6, "mean"), *axis_below(across, height - 6, axis)]
    return picture(title, description, height + 34, parts)


def shares(curves: Mapping[str, Sequence[tuple[float, float]]], title: str, across: str, up: str, size: int = 420) -> str:
    """Lines from (0, 0) to (1, 1), each with its name: the first is solid, the others are dashed; the diagonal is thin."""
    right, high = Scale(0, 1, 50, 50 + size), Scale(0, 1, size, 8)
    parts = [
        *grid_up(high, 50, [0, 0.25, 0.5, 0.75, 1]),
        f'<path class="grid" d="M{right(0)} {high(0)}L{right(1)} {high(1)}"/>',
    ]
    for number, (name, points) in enumerate(curves.items()):
        line = "L".join(f"{right(x)} {high(y)}" for x, y in points)
        dashes = f' stroke-dasharray="{8 // number} {4 // number + 1}"' if number else ""
        below = size - 20 * (len(curves) - number)
        parts.append(f'<path class="mark" fill="none"{dashes} d="M{line}"/>')
        parts.append(f'<path class="mark"{dashes} d="M{WIDTH - 240} {below}h30"/>')
        parts.append(label(WIDTH - 200, below + 4, name, "name"))
    parts += [label(right(tick), size + 17, tick_text(tick), "number middle") for tick in (0, 0.25, 0.5, 0.75, 1)]
    parts += [label(right(0.5), size + 35, across, "axis middle"), label(WIDTH - 240, 20, f"up: {up}", "axis")]
    return picture(title, "; ".join(curves), size + 40, parts)


def standalone(svg: str) -> str:
    """A picture as a file of its own, with its own colours."""
    return svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
        "</title>", f"</title>\n<style>{STYLE}</style>", 1
    )


def binned(values: Sequence[float], low: float, high: float) -> Bars:
    """Values in bins from `low` to `high`: one bin for each whole number, if there are not too many."""
    whole = all(float(value).is_integer() for value in (*values, low, high))
    width = float(max(1, round_step((high - low) / 30))) if whole else round_step((high - low) / 30)
    start = floor(low / width) * width - (0.5 if whole and width == 1 else 0.0)
    counts = [0] * (floor((high - start) / width + 1e-9) + 1)
    for value in values:
        counts[floor((value - start) / width + 1e-9)] += 1
    return Bars(start, width, counts, sum(values) / len(values))


# --- Parts ------------------------------------------------------------------------------------------------------------


def picture(title: str, description: str, height: float, parts: Iterable[str]) -> str:
    """An SVG with a description in words."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(f"{title}. {description}")}">\n'
        f"<title>{escape(title)}</title>\n" + "\n".join(part for part in parts if part) + "\n</svg>"
    )


def label(x: float | str, y: float, text: str, kind: str) -> str:
    """Text at a place."""
    return f'<text class="{kind}" x="{x}" y="{y:g}">{escape(text)}</text>'


def vertical(x: str, top: float, bottom: float, kind: str) -> str:
    """A line from top to bottom."""
    return f'<path class="{kind}" d="M{x} {top:g}V{bottom:g}"/>'


def diamond(x: str, y: float, paint: str = "", half: int = 6) -> str:
    """The mark of a published figure, of its own colour or of a series'."""
    look = f' style="stroke:{paint}"' if paint else ""
    return f'<path class="published"{look} d="M{x} {y - half:g}l{half} {half}l-{half} {half}l-{half} -{half}Z"/>'


def published_marks(one: Interval, place: Scale, middle: float) -> list[str]:
    """A diamond for the published figure; one with an interval lies on a thin line of its own, below ours."""
    if one.published is None:
        return []
    if not one.half:
        return [diamond(place(one.published), middle, half=DIAMOND)]
    low, high = (place(end) for end in one.published_ends)
    line = f'<path class="published" style="stroke-width:1" d="M{low} {middle + BELOW}H{high}"/>'
    return [line, diamond(place(one.published), middle + BELOW, half=DIAMOND)]


def end_mark(end: float, y: float, place: Scale) -> str:
    """The end of an interval: a stroke across, or an arrow where the scale cannot have it."""
    x = place(end)
    if place.has(end):
        return f'<path class="mark" d="M{x} {y - 4:g}V{y + 4:g}"/>'
    back = 6 if end > 0 else -6
    return f'<path class="mark" d="M{float(x) - back:.1f} {y - 5:g}L{x} {y:g}L{float(x) - back:.1f} {y + 5:g}"/>'


def grid_up(up: Scale, left: float, at: Sequence[float] | None = None) -> list[str]:
    """Thin lines with their numbers on the left."""
    parts = []
    for tick in up.ticks(4) if at is None else at:
        parts.append(f'<path class="grid" d="M{left:g} {up(tick)}H{WIDTH - 10}"/>')
        parts.append(label(left - 8, float(up(tick)) + 4, tick_text(tick), "number end"))
    return parts


def axis_below(place: Scale, bottom: float, name: str, whole: bool = False) -> list[str]:
    """The numbers of an axis, and its name."""
    parts = [label(place(tick), bottom + 17, tick_text(tick), "number middle") for tick in place.ticks(whole=whole)]
    return [*parts, label(WIDTH / 2, bottom + 35, name, "axis middle")]


def ticks(low: float, high: float, about: int = TICKS, whole: bool = False) -> list[float]:
    """Round numbers between two ends."""
    step = round_step((high - low) / about)
    step = max(1.0, step) if whole else step
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def round_step(least: float) -> float:
    """The next number from 1, 2, 5, 10, 20, 50 and so on, also below 1."""
    power = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * 0.999), 10 * power)


def tick_text(value: float) -> str:
    """A number of an axis, with a real minus."""
    return f"{round(value, 9):,g}".replace("-", "\u2212") if abs(value) < 1e6 else f"{value:.0e}"


def padded(values: Sequence[float]) -> tuple[float, float]:
    """Bounds with all values between them, and a margin."""
    low, high = min(values, default=inf), max(values, default=-inf)
    margin = (high - low) * 0.06 or 1.0
    return low - margin, high + margin


def around(values: Sequence[float]) -> tuple[float, float]:
    """Bounds of a scale of powers, with all values above zero between them, and a margin."""
    positive = [value for value in values if value > 0] or [1.0]
    return min(positive) / 1.5, max(positive) * 1.5


def shortened(text: str, room: int) -> str:
    """Text shortened to the room there is; the tables have all of it."""
    return text if len(text) <= room else f"{text[: max(1, room - 1)]}…"
