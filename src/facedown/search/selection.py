"""Which action to follow: UCB1, for bandits of which only some arms are there at a time."""

from math import log, sqrt

from facedown.kernel import kernel


@kernel
def upper_confidence(mean: float, visits: int, trials: int, exploration: float) -> float:
    """Mean reward and a bonus for what was tried seldom: Manzke 2025, eq. 2.1 to 2.3.

    `trials` counts how often the action could have been chosen: its availability, or its parent's visits where every
    action is always there.
    """
    return float(mean + exploration * sqrt(log(float(trials)) / float(visits)))
