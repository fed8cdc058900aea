"""Which child to follow: UCB1, for bandits of which only some arms are there at a time."""

from math import log, sqrt

from facedown.kernel import Record, kernel


@kernel
def upper_bound(child: Record, trials: int, exploration: float) -> float:
    """Mean reward and a bonus for what was tried seldom: Manzke 2025, eq. 2.1 and 2.2.

    `trials` counts how often the child could have been chosen: its availability, or its parent's visits where every
    child is always there.
    """
    visits = float(child.visits)
    return float(child.reward / visits + exploration * sqrt(log(float(trials)) / visits))
