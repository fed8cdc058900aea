"""Duels of two rules for the cards of a lie in Cheat.

The kernel has a file of its own: compiled code is found by a digest of all that its file imports, and the digest of an
experiment, which imports the statistics, takes seconds.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, kernel
from facedown.rules import EXPERT

SEATS = 2


@kernel
def duel(empty: Array, rule: int, stated: int, actions: Array, rng: Array, out: Array) -> None:
    """For each deal the share of its two games that a rule wins against the stated one."""
    dealt = empty.copy()
    game = empty.copy()
    scores = np.zeros(SEATS)
    for deal in range(out.shape[0]):
        dealt[0] = empty[0]
        rules.deal(dealt[0], rng)
        out[deal] = 0.0
        for own in range(SEATS):
            game[0] = dealt[0]
            while not rules.is_over(game[0]):
                game[0].lies_with = rule if rules.to_move(game[0]) == own else stated
                rules.apply(game[0], rules.choose(game[0], EXPERT, actions, rng))
            rules.scores(game[0], scores)
            out[deal] += scores[own] / SEATS
