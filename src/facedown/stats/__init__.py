"""Statistics of results: means, rates, ratings and tests, each with its interval, from plain numbers.

Everything works on deals. Games played on one deal are not independent, whoever sits where, so a deal counts as one
observation, however many games were played on it. docs/statistics.md explains each figure.

SciPy has the distributions and the chi-squared test, statsmodels the analysis of variance, OpenSkill its own ratings. They
are imported where they are used, since that takes up to two seconds. By hand, a few lines each: the spread over deals (no
library has the jackknife of a ratio), Wilson's interval (SciPy's wants whole wins), Elo (SciPy has only general solvers,
and the spread over deals needs the fit's own derivatives), the sequential test (in no library), and Holm's adjustment
(statsmodels has it, two seconds away).
"""

from facedown.stats.estimate import Estimate
from facedown.stats.means import mean, mean_by_deal, paired_difference, ratio
from facedown.stats.ratings import Ratings, Skill, elo_of, elo_ratings, expected_score, openskill_ratings
from facedown.stats.sequential import SequentialTest, sprt
from facedown.stats.significance import AnovaRow, AnovaTable, ChiSquared, chi_squared, holm, multiway_anova, one_way_anova
from facedown.stats.win_rates import win_rate, win_rate_by_deal

__all__ = [
    "AnovaRow",
    "AnovaTable",
    "ChiSquared",
    "Estimate",
    "Ratings",
    "SequentialTest",
    "Skill",
    "chi_squared",
    "elo_of",
    "elo_ratings",
    "expected_score",
    "holm",
    "mean",
    "mean_by_deal",
    "multiway_anova",
    "one_way_anova",
    "openskill_ratings",
    "paired_difference",
    "ratio",
    "sprt",
    "win_rate",
    "win_rate_by_deal",
]
