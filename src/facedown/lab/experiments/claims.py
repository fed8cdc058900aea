"""What a paper claims, and whether it holds here: a verdict that follows from figures by one rule for all.

RULE has it in words, as pages print it.
"""

from dataclasses import asdict, dataclass, replace
from math import ceil, hypot, inf
from typing import Any, TypeAlias

from facedown.lab.experiments.published import Published
from facedown.stats import Estimate
from facedown.stats.estimate import finite

CONFIRMED, REFUTED, OPEN, IMPOSSIBLE = "confirmed", "refuted", "not decided", "not reproducible here"
VERDICTS = (CONFIRMED, REFUTED, OPEN, IMPOSSIBLE)
ORDER, FIGURE, LEVEL, OTHER = "order", "figure", "no difference", "other"
PROPOSAL, READING = "proposal", "reading"  # not tried in the paper; tried here already, by another reading or deck
UNCOUNTED = (PROPOSAL, READING)
KINDS = (ORDER, FIGURE, LEVEL, OTHER, *UNCOUNTED)

RULE = (
    "**Confirmed**: our whole 95 % interval lies in the claimed range. **Refuted**: all of it lies outside. **Not "
    "decided**: it crosses an end. The range stands beside the verdict: above or below a bound, or within a margin of "
    "the printed figure or of zero; where it is missing, the bound is zero. Where a figure was printed with its own "
    "spread, or one follows from the games it rests on, that widens our interval. ×5: five times as many deals or "
    "people would decide it if the figure stayed what it is; ×∞: no number of ours would, because the printed figure "
    "is too uncertain. A mean that came out the same on every deal decides nothing, since its spread is not known. "
    '"Refuted" means that a claim does not come out with our reading of the setup, not that the paper errs. Proposals '
    "of a paper, and claims tried once more by another reading or with another deck, have verdicts but are not "
    "counted."
)

NEAREST = 1e-3  # share of an interval: a figure nearer to an end than that is as good as on it
Ends: TypeAlias = tuple[float | None, float | None]  # None is without end


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, its figure, ours, and the verdict."""

    text: str
    published: str  # as it was printed; where a figure shows it without numbers, which
    ours: str
    verdict: str
    reason: str = ""  # the range that is claimed, where the text does not say it, or why it cannot be tried
    kind: str = OTHER  # what is claimed: that one is larger, how large it is, or that there is no difference
    interval: Ends | None = None  # of ours, widened by that of the printed figure
    claimed: Ends | None = None  # the range that it is to lie in
    spread: float = 0.0  # half the width of the interval of the printed figure, which no games of ours make narrower
    value: float | None = None  # of ours; None where only the interval was kept
    rate: bool = False  # ours is a share: its interval is Wilson's, narrower near 0 and 1

    @property
    def more(self) -> float | None:
        """How many times as many observations would decide it if the figure stayed as it is; None where unknown."""
        if self.verdict != OPEN or self.interval is None or self.claimed is None or None in self.interval:
            return None
        low, high = (end or 0.0 for end in self.interval)
        value = (low + high) / 2 if self.value is None else self.value
        return max(self._more(value, low if end < value else high, end) for end in self.claimed if end is not None)

    def _more(self, value: float, reached: float, end: float) -> float:
        """How many times as many observations would bring an end of the interval from `reached` to `end`."""
        half = abs(value - reached)
        distance = max(abs(value - end), half * NEAREST)
        room = distance**2 - self.spread**2
        if room <= 0:
            return inf
        if (
            self.rate and not self.spread and 0 < reached < 1
        ):  # Wilson's: (value - end)² goes as end (1 - end) / observations
            return max(0.0, end * (1 - end) / distance**2) * half**2 / (reached * (1 - reached))
        return (half**2 - self.spread**2) / room

    @property
    def remark(self) -> str:
        """What stands beside the verdict: the reason, and how many times as many observations would decide it."""
        return "; ".join(filter(None, [self.reason, times(self.more) if self.more else ""]))

    def to_dict(self) -> dict[str, Any]:
        """The claim as plain data."""
        return asdict(self)


def verdict_of(interval: Ends, claimed: Ends) -> str:
    """Whether an interval lies in the claimed range, outside it, or across an end of it."""
    (low, high), (least, most) = (
        (-inf if lower is None else lower, inf if upper is None else upper) for lower, upper in (interval, claimed)
    )
    if (least < low or least == -inf) and (high < most or most == inf):
        return CONFIRMED
    return REFUTED if high < least or most < low else OPEN


def larger(text: str, published: str, ours: Estimate, than: float = 0.0) -> Claim:
    """A claim that a figure lies above a bound."""
    return judged(text, published, ours, (than, inf), f"above {bound(than, ours)}" if than else "", ORDER)


def smaller(text: str, published: str, ours: Estimate, than: float = 0.0) -> Claim:
    """A claim that a figure lies below a bound."""
    return judged(text, published, ours, (-inf, than), f"below {bound(than, ours)}" if than else "", ORDER)


def equal(text: str, published: Published, ours: Estimate, within: float) -> Claim:
    """A claim of a figure: ours is to lie within a margin of it."""
    least, most = published.value - within, published.value + within
    if published.rate:  # a share cannot be less than none, or more than all
        least, most = -inf if least <= 0 else least, inf if most >= 1 else most
    margin = percentage_points(100 * within) if published.rate else rounded(within)
    return judged(
        text, published.text(ours.signed), ours, (least, most), f"to within {margin}", FIGURE, published.half or 0.0
    )


def no_difference(text: str, published: str, ours: Estimate, within: float, unit: str = "") -> Claim:
    """A claim that there is no difference worth speaking of: one within a margin of zero."""
    margin = f"{rounded(within)} {unit}".rstrip()
    return judged(text, published, ours, (-within, within), f"a difference below {margin} counts as none", LEVEL)


def impossible(text: str, published: str, reason: str) -> Claim:
    """A claim that cannot be tried here."""
    return Claim(text, published, "", IMPOSSIBLE, reason)


def proposed(claim: Claim) -> Claim:
    """A claim that a paper only proposes, so that it does not count among those that it makes."""
    return replace(claim, kind=PROPOSAL)


def reading(claim: Claim) -> Claim:
    """A claim tried once more, by another reading of the paper or with another deck: it does not count again."""
    return replace(claim, kind=READING)


def judged(
    text: str, published: str, ours: Estimate, claimed: tuple[float, float], reason: str, kind: str, half: float = 0.0
) -> Claim:
    """A claim with its verdict; the half width of a printed interval widens ours."""
    ours = with_spread(ours)
    low, high = ours.value - hypot(ours.value - ours.low, half), ours.value + hypot(ours.high - ours.value, half)
    interval, ranged = (finite(low), finite(high)), (finite(claimed[0]), finite(claimed[1]))
    about = verdict_of(interval, ranged), reason, kind
    return Claim(text, published, str(ours), *about, interval, ranged, half, ours.value, ours.rate)


def with_spread(ours: Estimate) -> Estimate:
    """An estimate, with the widest interval where all observations were the same: nothing is known of its spread then."""
    if not ours.exact:
        return ours
    low, high = (0.0, 1.0) if ours.rate else (-inf, inf)
    return replace(ours, low=low, high=high)


def bound(value: float, ours: Estimate) -> str:
    """A bound as it is printed beside a figure."""
    return f"{rounded(100 * value)} %" if ours.rate else rounded(value)


def times(factor: float) -> str:
    """A factor, rounded up; beyond a hundred it is as good as out of reach."""
    if factor > 100:
        return "×∞" if factor == inf else "over ×100"
    return f"×{ceil(factor)}" if factor > 10 else f"×{ceil(10 * factor - 1e-9) / 10:g}"


def percentage_points(margin: float) -> str:
    """A margin of shares."""
    return f"{rounded(margin)} percentage point{'' if rounded(margin) == '1' else 's'}"


def rounded(margin: float) -> str:
    """A margin to three digits."""
    return f"{float(f'{margin:.3g}'):,g}"
