"""What an action cost, and how good it was: by what could be known, or with all cards open.

The cost of an action, its regret, is the mean reward of the action that the search prefers less that of the action, never
below 0. A grade goes by the share of all that a reward can be:

best         the action that the search prefers, or one that it expects no less of
good         it costs less than INACCURACY, or no more than chance may make it seem (a 95 % interval)
inaccuracy, mistake, blunder      from that share on
"""

from math import exp, hypot

from facedown.analysis.review import half_of
from facedown.rewards import LOWEST, REWARDS
from facedown.search.decision import Candidate, Decision

BEST, GOOD = "best", "good"
INACCURACY, MISTAKE, BLUNDER = 0.02, 0.05, 0.10
WORSE = {"blunder": BLUNDER, "mistake": MISTAKE, "inaccuracy": INACCURACY}  # from the worst on
ACCURACY_LOST = 10.0  # by how much accuracy falls with cost: 100 exp(-10 share)


class Regret:
    """What an action cost as a decision has it, and half of the 95 % interval; None where the search did not try it."""

    def __init__(self, decision: Decision, action: int | None) -> None:
        """No action: a position in which nothing was played yet."""
        best, taken = preferred(decision), None if action is None else taken_in(decision, action)
        self.agreed = action is not None and (best.has(action) if best else action == decision.action)
        self.loss: float | None = 0.0 if best and self.agreed else None
        self.half = 0.0
        if best and taken and not self.agreed:
            self.loss = max(0.0, best.mean - taken.mean)
            self.half = hypot(half_of(best, decision.solved), half_of(taken, decision.solved))

    def grade(self, span: float) -> str | None:
        """How good the action was, where rewards span so much."""
        return None if self.loss is None else grade(self.loss / span, self.half / span)


def preferred(decision: Decision) -> Candidate | None:
    """The candidate that a search prefers, whether or not its agent played it: some slip on purpose."""
    return decision.candidates[0] if decision.candidates else None


def taken_in(decision: Decision, action: int) -> Candidate | None:
    """The best candidate with an action that was tried."""
    found = [one for one in decision.candidates if one.visits and one.has(action)]
    return max(found, key=lambda one: one.mean) if found else None


def grade(share: float, half: float = 0.0) -> str:
    """How good an action was that cost a share of all that a reward can be."""
    if share <= 0.0:
        return BEST
    if share <= half:
        return GOOD
    return next((name for name, least in WORSE.items() if share >= least), GOOD)


def accuracy(share: float) -> float:
    """How good an action was that cost a share, from 100 down to 0."""
    return 100.0 * exp(-ACCURACY_LOST * share)


def span_of(kind: str) -> float:
    """How much rewards of a kind span."""
    return 1.0 - LOWEST[REWARDS[kind]]
