"""Tests of counts and of groups, and the adjustment for many of them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.errors import BadData, require_extra
from facedown.stats.estimate import Labels, Values, finite, numbered, numbers, same_length

ENOUGH_EXPECTED = 5  # in every cell, for the chi-squared distribution to be a good approximation


def holm(p_values: Values) -> list[float]:
    """The p of each of many comparisons, adjusted so that one error among all of them stays as rare (Holm 1979)."""
    array = numbers(p_values, "p values")
    if array.min() < 0 or array.max() > 1:
        raise BadData(f"expected p values from 0 to 1, got {array.min():g} to {array.max():g}")
    order = np.argsort(array)
    adjusted = np.empty_like(array)
    adjusted[order] = np.maximum.accumulate(array[order] * np.arange(len(array), 0, -1))
    return [float(value) for value in np.minimum(1, adjusted)]


# --- Counts -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ChiSquared:
    """How far counts are from those expected."""

    statistic: float
    degrees: int
    p: float  # the probability of being at least as far, if the expectation is true
    least_expected: float  # in any cell

    def to_dict(self) -> dict[str, Any]:
        """The test as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        text = f"chi-squared {self.statistic:.2f}, {self.degrees} df, p {_p_text(self.p)}"
        few = self.least_expected < ENOUGH_EXPECTED
        return f"{text}, unsafe: only {self.least_expected:.1f} expected in a cell" if few else text


def chi_squared(observed: Any, expected: Any = None) -> ChiSquared:
    """Pearson's test: of a row of counts against `expected` or equal ones, of a table for independence (no correction)."""
    from scipy.stats import chi2_contingency, chisquare

    counts = _counts(observed, "observed")
    if counts.ndim == 1:
        wanted = np.full(len(counts), counts.mean()) if expected is None else _counts(expected, "expected")
        same_length("expected counts", len(counts), wanted.size)
        if not np.isclose(wanted.sum(), counts.sum(), rtol=1e-8):
            raise BadData(f"expected counts that sum to {counts.sum():g}, got {wanted.sum():g}")
        if wanted.min() == 0:
            raise BadData("expected more than 0 in every cell, got 0")
        row = chisquare(counts, wanted)
        return ChiSquared(float(row.statistic), len(counts) - 1, float(row.pvalue), float(wanted.min()))
    if expected is not None:
        raise BadData("expected counts go with a row, got a table, whose expectation is independence")
    if counts.sum(axis=0).min() == 0 or counts.sum(axis=1).min() == 0:
        raise BadData("expected a count in every row and column, got none in one")
    table = chi2_contingency(counts, correction=False)
    return ChiSquared(float(table.statistic), int(table.dof), float(table.pvalue), float(table.expected_freq.min()))


def _counts(values: Any, what: str) -> NDArray[np.float64]:
    """A row of at least two counts, or a table of at least two by two."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise BadData(f"expected a row or table of {what} counts, got {values!r:.60}") from None
    if array.ndim not in (1, 2) or min(array.shape) < 2:
        raise BadData(f"expected at least two {what} counts in each direction, got an array of shape {array.shape}")
    if not (np.isfinite(array).all() and array.min() >= 0 and array.sum() > 0):
        raise BadData(f"expected {what} counts of 0 or more, and not all 0, got {array.tolist()!r:.60}")
    return array


# --- Analysis of variance ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnovaRow:
    """What one factor, or several together, explain; the last row of a table is what nothing explains."""

    factor: str
    degrees: int
    squares: float  # sum of
    f: float | None = None
    p: float | None = None
    eta_squared: float | None = None  # the share of all variation
    partial_eta_squared: float | None = None  # the share of what other factors leave


@dataclass(frozen=True)
class AnovaTable:
    """An analysis of variance."""

    rows: list[AnovaRow]

    def __getitem__(self, factor: str) -> AnovaRow:
        return {row.factor: row for row in self.rows}[factor]

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data; what is infinite, where nothing is left unexplained, is None."""
        return {"rows": [{key: finite(value) for key, value in asdict(row).items()} for row in self.rows]}

    def __str__(self) -> str:
        width = max(len(row.factor) for row in self.rows)
        lines = [f"{'':{width}}  {'df':>5}  {'squares':>10}  {'F':>8}  {'p':>8}  {'eta2':>5}"]
        for row in self.rows:
            line = f"{row.factor:{width}}  {row.degrees:5}  {row.squares:10.4g}"
            if row.f is not None and row.p is not None:
                line += f"  {row.f:8.2f}  {_p_text(row.p):>8}  {row.eta_squared:5.3f}"
            lines.append(line)
        return "\n".join(lines)


def one_way_anova(groups: Mapping[str, Values] | Sequence[Values]) -> AnovaTable:
    """Whether groups of independent values have one mean."""
    rows = list(groups.values()) if isinstance(groups, Mapping) else list(groups)
    if len(rows) < 2:
        raise BadData(f"expected at least two groups, got {len(rows)}")
    arrays = [numbers(row, "values of a group") for row in rows]
    labels = np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])
    return multiway_anova(np.concatenate(arrays), {"group": labels})


def multiway_anova(values: Values, factors: Mapping[str, Labels], interactions: int = 2) -> AnovaTable:
    """What each factor explains of independent values, and the interactions of up to `interactions` factors.

    Sums of squares of type II: each term is judged beside all others that do not contain it, so neither the order of the
    factors nor unequal groups matter.
    """
    require_extra("statsmodels", "statsmodels", "stats")
    from pandas import DataFrame  # the only table that statsmodels takes, and comes with it
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    array = numbers(values, "values")
    if not factors:
        raise BadData("expected at least one factor, got none")
    if not 1 <= interactions <= max(2, len(factors)):
        raise BadData(f"expected interactions of 1 to {len(factors)} factors, got {interactions}")
    columns = {f"factor{place}": _levels(name, labels, len(array)) for place, (name, labels) in enumerate(factors.items())}
    model = ols(f"value ~ ({' + '.join(columns)}) ** {interactions}", DataFrame({"value": array, **columns}))
    cells = model.exog.shape[1]
    if np.linalg.matrix_rank(model.exog) < min(cells, len(array)):
        raise BadData("expected values for every combination of factors, got some empty or factors that go together")
    if len(array) <= cells:
        raise BadData(f"expected more values than the {cells} to be fitted, got {len(array)}")
    fit = model.fit()
    total = float(((array - array.mean()) ** 2).sum())
    unexplained = float(fit.ssr)
    if unexplained <= 1e-12 * max(total, float(array @ array)):
        raise BadData("expected values that differ within their groups, got the same ones")
    names = dict(zip(columns, factors, strict=True))
    rows = [
        AnovaRow(
            " x ".join(names[column] for column in term.split(":")),
            int(line["df"]),
            float(line["sum_sq"]),
            float(line["F"]),
            float(line["PR(>F)"]),
            float(line["sum_sq"]) / total,
            float(line["sum_sq"]) / (float(line["sum_sq"]) + unexplained),
        )
        for term, line in anova_lm(fit, typ=2).iterrows()
        if term != "Residual"
    ]
    return AnovaTable([*rows, AnovaRow("residual", len(array) - cells, unexplained)])


def _levels(name: str, labels: Labels, count: int) -> list[str]:
    """A factor's level for each value, as text, so that numbers are not taken for quantities."""
    same_length(f"levels of {name}, one for each value", count, len(labels))
    levels, places = numbered(labels)
    if len(levels) < 2:
        raise BadData(f"expected at least two levels of {name}, got {len(levels)}")
    return [f"level{place}" for place in places]


def _p_text(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"
