"""A figure with its interval, and the checks that all figures share."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import floor, inf, isclose, isfinite, log10
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from facedown.errors import BadData

LEVEL = 0.95  # of every interval
COUNTED = "count"  # the unit of figures that rest on no observations

Numbers: TypeAlias = NDArray[np.float64]
Values: TypeAlias = Sequence[float] | NDArray[Any]
Labels: TypeAlias = Sequence[Hashable] | NDArray[Any]


@dataclass(frozen=True)
class Estimate:
    """A figure, and the interval that covers the truth in 95 of 100 experiments like this one."""

    value: float
    low: float
    high: float
    count: int  # of independent observations
    unit: str  # what was counted: "games" or "deals"
    rate: bool = False  # a share of 1, printed in per cent
    p: float | None = None  # of a difference: the probability of one at least as large if there is none
    level: float = LEVEL
    signed: bool = True  # printed with a plus
    stopped_early: bool = False  # a sequential test ended the games, so the interval is too narrow

    def after_stopping(self) -> "Estimate":
        """The same figure, of games that a sequential test has stopped."""
        return replace(self, stopped_early=True)

    def unsigned(self) -> "Estimate":
        """The same figure, printed without a plus: of counts, times and whatever else cannot be below zero."""
        return replace(self, signed=False)

    @property
    def counted(self) -> bool:
        """Whether it is no estimate, but was counted in full or computed."""
        return self.exact and self.unit == COUNTED

    @property
    def exact(self) -> bool:
        """Whether the interval has no width, but for rounding: a figure without spread, or one that was counted."""
        return isclose(self.low, self.high, rel_tol=1e-12, abs_tol=1e-12)

    def to_dict(self) -> dict[str, Any]:
        """The figure as plain data for JSON; an infinite bound is None."""
        return {key: finite(value) for key, value in asdict(self).items()}

    def __str__(self) -> str:
        text = self._rate_text() if self.rate else self._value_text()
        return f"{text}, stopped early" if self.stopped_early else text

    def _rate_text(self) -> str:
        if self.high == inf:
            return f"{100 * self.value:.1f} % ± ∞"
        digits = max(1, _decimals(100 * (self.high - self.low) / 2))
        return f"{100 * self.value:.{digits}f} % ({100 * self.low:.{digits}f}-{100 * self.high:.{digits}f})"

    def _value_text(self) -> str:
        noise = 1e-12 * abs(self.value)  # of rounding, where all values are the same
        below, above = (0.0 if width < noise else width for width in (self.value - self.low, self.high - self.value))
        if below == above == inf:
            return f"{self._number(self.value, 2)} ± ∞"
        if isclose(below, above, rel_tol=1e-6, abs_tol=1e-12):
            if self.counted:
                return self._number(self.value, 2)
            digits = _decimals(above)
            return f"{self._number(self.value, digits)} ± {_rounded(above, digits):,.{max(0, digits)}f}"
        digits = _decimals(min(below, above))
        low, high = (self._number(end, digits).replace("inf", "∞") for end in (self.low, self.high))
        return f"{self._number(self.value, digits)} ({low} to {high})"

    def _number(self, value: float, digits: int) -> str:
        form = f"{'+' if self.signed else ''}z,.{max(0, digits)}f"
        return f"{_rounded(value, digits):{form}}"


def finite(value: Any) -> Any:
    """A value for JSON, which has no infinite numbers."""
    return None if isinstance(value, float) and not isfinite(value) else value


def _decimals(half_width: float) -> int:
    """The number of decimals that shows the half width to two significant digits; -1 for tens, -2 for hundreds."""
    return 2 if half_width <= 0 else min(9, 1 - floor(log10(half_width)))


def _rounded(value: float, digits: int) -> float:
    """A value to tens, hundreds and so on; decimals are left to its printing."""
    return round(value, digits) if digits < 0 else value


# --- Input ------------------------------------------------------------------------------------------------------------


def numbers(values: Values, what: str) -> Numbers:
    """The values as an array, if they are finite numbers and at least one."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadData(f"expected numbers as {what}, got {values!r:.60}") from None
    if array.ndim != 1:
        raise BadData(f"expected one row of {what}, got an array of shape {array.shape}")
    if not array.size:
        raise BadData(f"expected at least one of the {what}, got none")
    if not np.isfinite(array).all():
        place = int(np.argmin(np.isfinite(array)))
        raise BadData(f"expected finite {what}, got {array[place]} at place {place}")
    return array


def same_length(what: str, expected: int, got: int) -> None:
    """Refuse rows of different lengths."""
    if expected != got:
        raise BadData(f"expected {expected} {what}, got {got}")


def numbered(labels: Iterable[Hashable]) -> tuple[list[Hashable], NDArray[np.intp]]:
    """The different labels in order of appearance, and for each label given its number among them."""
    places: dict[Hashable, int] = {}
    found = [places.setdefault(label, len(places)) for label in labels]
    return list(places), np.asarray(found, dtype=np.intp)


def student_reach(degrees: int) -> float:
    """How many standard errors reach from the middle to the end of an interval; infinitely many without a second value."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + LEVEL) / 2)) if degrees > 0 else inf
