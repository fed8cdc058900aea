"""A figure as a paper printed it, and the spread that follows from how many observations it rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

ERRORS = 1.96  # standard errors in half a 95 % interval


@dataclass(frozen=True)
class Published:
    """A figure as it was published; what was not published is None."""

    value: float
    half: float | None = None  # of its interval
    count: int | None = None
    unit: str = "games"
    rate: bool = False  # a share of 1, printed in per cent
    printed: str = ""  # in its own words, where they are others than a figure and its interval

    def __str__(self) -> str:
        return self.text()

    def text(self, signed: bool = True) -> str:
        """The figure as text, with or without a plus."""
        if self.printed:
            return self.printed
        if self.rate:
            return f"{100 * self.value:.1f} %" + ("" if self.half is None else f" ± {100 * self.half:.1f}")
        return f"{self.value:{'+' if signed else ''},.10g}" + ("" if self.half is None else f" ± {self.half:g}")


def between(least: float, most: float) -> Published:
    """A range in per cent, as a figure in its middle."""
    return Published((least + most) / 200, (most - least) / 200, rate=True, printed=f"{least:g}-{most:g} %")


def half_of_mean(deviation: float, count: int) -> float:
    """Half the 95 % interval of a mean of so many observations with that standard deviation."""
    return ERRORS * deviation / sqrt(count)


def half_of_share(share: float, count: int) -> float:
    """Half the 95 % interval of a share of so many observations."""
    return half_of_mean(sqrt(share * (1 - share)), count)


def in_percent(shares: Sequence[float]) -> list[float]:
    """Shares of 1 in per cent, so that their differences are percentage points."""
    return [100 * share for share in shares]
