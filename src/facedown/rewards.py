"""Kinds of reward: how a search sees a result (Fernandes 2016, section 5.3; Manzke 2025, eq. 4.1).

points   a game's own scores as a lead over the others, from 0 to 1
pwl      positive win or loss: 1, a half for a tie, 0
wl       win or loss: 1, 0 for a tie, -1
sd       score difference, in the seven steps of the paper from -4 to 4, as quarters of 4: -1 to 1
hybrid   win first, and score beside it: mostly pwl, the rest sd; agents/aims.py has the paper's own proposal (section 6.4)
match    the chance to win the match once this deal is over, from 0, the worst that this deal can do to it, to 1, the best
"""

POINTS, WIN, WIN_OR_LOSS, DIFFERENCE, HYBRID, MATCH = range(6)
REWARDS = {"points": POINTS, "pwl": WIN, "wl": WIN_OR_LOSS, "sd": DIFFERENCE, "hybrid": HYBRID, "match": MATCH}
DERIVED = ("points", "pwl", "wl")  # from scores alone: a game that answers no `reward` has these
LOWEST = {POINTS: 0.0, WIN: 0.0, WIN_OR_LOSS: -1.0, DIFFERENCE: -1.0, HYBRID: 0.0, MATCH: 0.0}

WEIGHT_OF_WIN = 0.8  # in the hybrid; the rest is enough to distinguish won positions, too little to give up a win for
