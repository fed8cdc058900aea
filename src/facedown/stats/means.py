"""Means of scores, with Student's interval over deals."""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from facedown.errors import BadData
from facedown.stats.estimate import Estimate, Labels, Numbers, Values, numbered, numbers, same_length, student_reach


def mean(values: Values) -> Estimate:
    """The mean of values independent of each other: of games on different deals, or of one figure for each deal."""
    array = numbers(values, "values")
    return student_estimate(*mean_and_error(array, np.arange(len(array))), "values")


def mean_by_deal(values: Values, deals: Labels) -> Estimate:
    """The mean over games, where `deals` has the deal of each; every game has the same weight."""
    array = numbers(values, "values")
    same_length("deals, one for each value", len(array), len(deals))
    return student_estimate(*mean_and_error(array, numbered(deals)[1]), "deals")


def paired_difference(ours: Values, theirs: Values, deals: Labels | None = None) -> Estimate:
    """The mean of `ours` - `theirs`, pair by pair, with its p; without `deals` each pair is a deal of its own."""
    our_array, their_array = numbers(ours, "values"), numbers(theirs, "values")
    same_length("values to compare with", len(our_array), len(their_array))
    deals = range(len(our_array)) if deals is None else deals
    same_length("deals, one for each pair", len(our_array), len(deals))
    value, error, count = mean_and_error(our_array - their_array, numbered(deals)[1])
    return student_estimate(value, error, count, "deals", compared=True)


def ratio(ours: Values, theirs: Values, deals: Labels | None = None) -> Estimate:
    """How many times the mean of `theirs` that of `ours` is, over pairs, with its interval by linearization."""
    our_array, their_array = numbers(ours, "values"), numbers(theirs, "values")
    same_length("values to compare with", len(our_array), len(their_array))
    deals = range(len(our_array)) if deals is None else deals
    same_length("deals, one for each pair", len(our_array), len(deals))
    below = float(their_array.mean())
    if below == 0:
        raise BadData("expected values to divide by, got a mean of 0")
    value = float(our_array.mean()) / below
    _, error, count = mean_and_error((our_array - value * their_array) / below, numbered(deals)[1])
    return student_estimate(value, error, count, "deals").unsigned()


def mean_and_error(values: Numbers, deals: NDArray[np.intp]) -> tuple[float, float, int]:
    """The mean, its standard error over deals by the jackknife, and the number of deals.

    Leaving out a deal moves the mean by the deal's sum of residuals / the games left. With as many games on each deal this
    is the ordinary standard error of the deals' means. With unequal numbers it errs on the wide side, where the usual
    sandwich errs on the narrow one.
    """
    sums, sizes = np.bincount(deals, values), np.bincount(deals)
    count, value = len(sizes), float(values.mean())
    if count < 2:
        return value, inf, count
    moves = (sums - value * sizes) / (len(values) - sizes)
    return value, sqrt((count - 1) / count * float(moves @ moves)), count


def student_estimate(value: float, error: float, count: int, unit: str, compared: bool = False) -> Estimate:
    """A figure with its standard error as an estimate; with the p of a difference where two are `compared`."""
    half = student_reach(count - 1) * error if error else 0.0
    return Estimate(value, value - half, value + half, count, unit, p=_p_value(value, error, count) if compared else None)


def _p_value(value: float, error: float, count: int) -> float | None:
    """The probability of a value at least as far from zero, if the truth is zero; None without any spread."""
    from scipy.special import stdtr

    if count < 2 or error == 0:
        return None
    return 2 * float(stdtr(count - 1, -abs(value) / error))
