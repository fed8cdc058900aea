"""Win rates with Wilson's interval (Wilson 1927), over games or over deals."""

from math import sqrt

from facedown.errors import BadData
from facedown.stats.estimate import Estimate, Labels, Values, numbered, numbers, same_length, student_reach
from facedown.stats.means import mean_and_error

NORMAL = 1.959963984540054  # standard errors to either side, for 95 %


def win_rate(wins: float, games: int, ties: float = 0) -> Estimate:
    """The share of games won, where each has a deal of its own; a tie counts as half a win.

    Ties are treated as if half of them had been won, so with many of them the interval is too wide, never too narrow.
    """
    if games < 1:
        raise BadData(f"expected at least one game, got {games}")
    if wins < 0 or ties < 0 or not wins + ties <= games:
        raise BadData(f"expected wins and ties between 0 and {games} games, got {wins} and {ties}")
    return _wilson((wins + ties / 2) / games, games, NORMAL, games, "games")


def win_rate_by_deal(scores: Values, deals: Labels) -> Estimate:
    """The mean of scores from 0 (lost) to 1 (won), where `deals` has the deal of each game.

    Wilson's interval of the number of independent games that would give the spread found between deals. Where all deals
    came out the same nothing is known of that spread, and each deal stands for one game.
    """
    array = numbers(scores, "scores")
    same_length("deals, one for each score", len(array), len(deals))
    if array.min() < 0 or array.max() > 1:
        raise BadData(f"expected scores from 0 to 1, got {array.min():g} to {array.max():g}")
    value, error, count = mean_and_error(array, numbered(deals)[1])
    if count < 2:
        return Estimate(value, 0.0, 1.0, count, "deals", rate=True)
    games = value * (1 - value) / error**2 if error > 0 else count
    return _wilson(value, games, student_reach(count - 1), count, "deals")


def _wilson(rate: float, games: float, reach: float, count: int, unit: str) -> Estimate:
    """All rates from which the one seen is less than `reach` of their own standard errors away."""
    shrink = 1 + reach**2 / games
    middle = (rate + reach**2 / (2 * games)) / shrink
    half = reach / shrink * sqrt(rate * (1 - rate) / games + (reach / (2 * games)) ** 2)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(rate, min(low, rate), max(high, rate), count, unit, rate=True)  # rounding must not exclude 0 or 1
