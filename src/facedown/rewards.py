"""Kinds of reward: how a search sees a result (Fernandes 2016, section 5.3; Manzke 2025, eq. 4.1).

points   a game's own scores as a lead over the others, from 0 to 1
pwl      positive win or loss: 1, a half for a tie, 0
wl       win or loss: 1, 0 for a tie, -1
sd       score difference, in the seven steps of the text from -4 to 4, as quarters of 4: -1 to 1
hybrid   win first, and score once the win is decided: mostly pwl, the rest sd (a conjecture of the text, section 6.4)
"""

from facedown.kernel import Array, kernel

POINTS, WIN, WIN_OR_LOSS, DIFFERENCE, HYBRID = range(5)
REWARDS = {"points": POINTS, "pwl": WIN, "wl": WIN_OR_LOSS, "sd": DIFFERENCE, "hybrid": HYBRID}
LOWEST = {POINTS: 0.0, WIN: 0.0, WIN_OR_LOSS: -1.0, DIFFERENCE: -1.0, HYBRID: 0.0}

WEIGHT_OF_WIN = 0.8  # in the hybrid; the rest is enough to tell won positions apart, too little to give up a win for


@kernel
def win_rewards(out: Array, sides: int, sign: float, kind: int) -> None:
    """Turn scores into rewards for winning; seat s plays for side s % sides, and `sign` is -1 where few points are good."""
    best = sign * out[0]
    for seat in range(out.shape[0]):
        best = max(best, sign * out[seat])
    winners = 0
    for seat in range(sides):
        winners += sign * out[seat] == best
    for seat in range(out.shape[0]):
        reward = 0.0
        if sign * out[seat] == best:
            reward = 1.0 if winners == 1 else 0.5
        out[seat] = reward if kind != WIN_OR_LOSS else 2.0 * reward - 1.0
