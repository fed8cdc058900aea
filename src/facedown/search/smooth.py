"""Smooth-UCT (Heinrich and Silver 2015; Bitan and Kraus 2018, algorithm 3): UCB1, mixed with the average strategy so far.

UCB1 with the probability eta_k = max(gamma, eta / (1 + d sqrt(N))), where N counts the visits of the information set; else
an action in proportion to its visits. Section 2.4 of the paper has it the other way round; algorithm 3 and section 4.6
are followed here.

Departures: an action never tried comes before all else. Where an information set is so coarse that its positions differ in
what is legal, only what is legal now counts, in UCB1's logarithm and in the average strategy.
"""

from math import sqrt

import numpy as np

from facedown.kernel import Array, Record, kernel
from facedown.rng import draw, uniform
from facedown.search.selection import best_arm


@kernel
def share_of_bandit(run: Record, visits: int) -> float:
    """With which probability UCB1 decides, after n visits: eta_k."""
    return float(max(run.gamma, run.eta / (1.0 + run.d * sqrt(float(visits)))))


@kernel
def average_arm(tree: Array, arms: Array, trials: int, rng: Array) -> int:
    """One of the arms, in proportion to its visits, of which there are `trials` in all."""
    left = draw(rng, trials)
    choice = 0
    while left >= tree[np.uint64(arms[choice])].visits:
        left -= tree[np.uint64(arms[choice])].visits
        choice += 1
    return int(arms[choice])


@kernel
def smooth_arm(tree: Array, node: int, run: Record, arms: Array, count: int, rng: Array) -> int:
    """The arm to follow at a node whose `count` legal arms have all been tried."""
    trials = 0
    for choice in range(count):
        trials += int(np.int64(tree[np.uint64(arms[choice])].visits))
    if uniform(rng) < share_of_bandit(run, tree[node].visits):
        return best_arm(tree, arms, count, trials, run)
    return average_arm(tree, arms, trials, rng)
