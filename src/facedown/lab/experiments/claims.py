"""What a paper claims, and whether it holds here: a verdict that follows from figures by one rule for all.

A claim that something is larger, or smaller, is confirmed where the 95 % interval of ours lies on that side, and refuted
where it lies on the other. A claim of a figure is confirmed where ours cannot differ from it by more than a stated margin,
and refuted where ours does differ by more, by both intervals. All else is not decided; nor is a figure that was the same on
all deals, which says nothing of its spread.
"""

from dataclasses import asdict, dataclass, replace
from math import hypot, inf, isclose
from typing import Any

from facedown.lab.experiments.published import Published
from facedown.stats import Estimate

CONFIRMED, REFUTED, OPEN, IMPOSSIBLE = "confirmed", "refuted", "not decided", "not reproducible here"
VERDICTS = (CONFIRMED, REFUTED, OPEN, IMPOSSIBLE)
ORDER, FIGURE, LEVEL, OTHER = "order", "figure", "no difference", "other"
KINDS = (ORDER, FIGURE, LEVEL, OTHER)


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, its figure, ours, and the verdict."""

    text: str
    published: str  # as it was printed; where a figure shows it without numbers, which
    ours: str
    verdict: str
    reason: str = ""  # for a verdict that does not follow from the figures alone
    kind: str = OTHER  # what is claimed: that one is larger, how large it is, or that there is no difference

    def to_dict(self) -> dict[str, Any]:
        """The claim as plain data."""
        return asdict(self)


def with_spread(ours: Estimate) -> Estimate:
    """An estimate, with the widest interval where all observations were the same: nothing is known of its spread then."""
    if not isclose(ours.low, ours.high, abs_tol=1e-12):
        return ours
    low, high = (0.0, 1.0) if ours.rate else (-inf, inf)
    return replace(ours, low=low, high=high)


def rounded(margin: float) -> str:
    """A margin to three digits."""
    return f"{float(f'{margin:.3g}'):,g}"


def larger(text: str, published: str, ours: Estimate, than: float = 0.0) -> Claim:
    """A claim that a figure lies above a bound."""
    ours = with_spread(ours)
    verdict = CONFIRMED if ours.low > than else REFUTED if ours.high < than else OPEN
    return Claim(text, published, str(ours), verdict, kind=ORDER)


def smaller(text: str, published: str, ours: Estimate, than: float = 0.0) -> Claim:
    """A claim that a figure lies below a bound."""
    ours = with_spread(ours)
    verdict = CONFIRMED if ours.high < than else REFUTED if ours.low > than else OPEN
    return Claim(text, published, str(ours), verdict, kind=ORDER)


def equal(text: str, published: Published, ours: Estimate, within: float) -> Claim:
    """A claim of a figure: ours is to lie within a margin of it."""
    ours = with_spread(ours)
    printed = published.half or 0.0
    low, high = ours.value - hypot(ours.value - ours.low, printed), ours.value + hypot(ours.high - ours.value, printed)
    verdict = OPEN
    if published.value - within <= low and high <= published.value + within:
        verdict = CONFIRMED
    elif not low <= published.value <= high and abs(ours.value - published.value) > within:
        verdict = REFUTED
    margin = f"{rounded(100 * within)} percentage points" if published.rate else rounded(within)
    return Claim(text, published.text(ours.signed), str(ours), verdict, f"to within {margin}", FIGURE)


def no_difference(text: str, published: str, ours: Estimate, within: float) -> Claim:
    """A claim that there is no difference worth speaking of: the whole interval lies within a margin of zero."""
    ours = with_spread(ours)
    verdict = CONFIRMED if max(abs(ours.low), abs(ours.high)) <= within else OPEN
    if abs(ours.value) > within and (ours.low > 0 or ours.high < 0):
        verdict = REFUTED
    return Claim(text, published, str(ours), verdict, f"none is one of less than {rounded(within)}", LEVEL)


def impossible(text: str, published: str, reason: str) -> Claim:
    """A claim that cannot be tried here."""
    return Claim(text, published, "", IMPOSSIBLE, reason)
