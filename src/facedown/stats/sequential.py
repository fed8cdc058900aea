"""A test that stops as soon as the deals played so far have decided it.

Wald's sequential probability ratio test, generalized to scores of unknown spread (Li, Liu and Ying 2014) in the manner of
engine testing (M. Van den Bergh, A Practical Introduction to the GSPRT): a mean is as likely as the best normal distribution
with that mean makes the scores. Departure: the ratio of these likelihoods is used as it is, not its linear approximation
(2.1), which errs more often while deals are few.
"""

from math import inf, isfinite, log, sqrt
from typing import Literal, TypeAlias

from facedown.errors import BadData
from facedown.stats.estimate import Estimate, numbers
from facedown.stats.means import student_estimate
from facedown.stats.ratings import expected_score

LEAST_DEALS = 30  # before a verdict: from fewer the spread of the scores is not known well enough

Verdict: TypeAlias = Literal["accept H0", "accept H1"]


class SequentialTest:
    """H0, the mean score of a deal is `mean0`, against H1, it is `mean1`; one score is added for each deal."""

    def __init__(self, mean0: float, mean1: float, alpha: float = 0.05, beta: float = 0.05) -> None:
        self.mean0, self.mean1 = (float(mean) for mean in numbers([mean0, mean1], "means"))
        if self.mean0 == self.mean1:
            raise BadData(f"expected two means that differ, got {self.mean0:g} twice")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise BadData(f"expected alpha and beta between 0 and 0.5, got {alpha} and {beta}")
        self.bounds = (log(beta / (1 - alpha)), log((1 - beta) / alpha))
        self.deals = 0
        self.verdict: Verdict | None = None
        self._mean = 0.0
        self._squares = 0.0  # summed squares of the distances from the mean (Welford)

    def add(self, score: float) -> Verdict | None:
        """Add the score of one more deal, the mean of its games; the verdict as it stands then."""
        if self.verdict:
            raise BadData(f"expected no more deals after the verdict, {self.verdict} at deal {self.deals}, got {score}")
        if not isfinite(score):
            raise BadData(f"expected a finite score, got {score}")
        self.deals += 1
        step = score - self._mean
        self._mean += step / self.deals
        self._squares += step * (score - self._mean)
        if self.deals >= LEAST_DEALS:
            ratio, (low, high) = self.llr, self.bounds
            self.verdict = "accept H0" if ratio <= low else "accept H1" if ratio >= high else None
        return self.verdict

    @property
    def llr(self) -> float:
        """The log likelihood ratio of H1 to H0."""
        if not self.deals:
            return 0.0
        spread = self._squares / self.deals
        from0, from1 = spread + (self._mean - self.mean0) ** 2, spread + (self._mean - self.mean1) ** 2
        if from0 == 0 or from1 == 0:
            return inf if from1 == 0 else -inf
        return self.deals / 2 * log(from0 / from1)

    @property
    def estimate(self) -> Estimate:
        """The mean score so far; marked after a verdict, since stopping favours the scores that led to it."""
        if not self.deals:
            raise BadData("expected at least one deal, got none")
        error = sqrt(self._squares / (self.deals - 1) / self.deals) if self.deals > 1 else inf
        estimate = student_estimate(self._mean, error, self.deals, "deals")
        return estimate.after_stopping() if self.verdict else estimate


def sprt(elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> SequentialTest:
    """The test of two Elo differences; a deal's score is the mean of its games, from 0 (lost) to 1 (won)."""
    return SequentialTest(expected_score(elo0), expected_score(elo1), alpha, beta)
