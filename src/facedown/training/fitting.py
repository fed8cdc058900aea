"""Weights of a policy from choices: conditional logits, and modes by expectation maximization.

Written by hand around SciPy's optimizer: the libraries at hand fit multinomial logits, where all choices have the same
options; here each has its own.
"""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from facedown.kernel import Array
from facedown.training.choices import Choices, Kind

BEST = 0.999  # a reward of who wins all there is: in Hearts, who shoots the moon
BOLD, PLAIN = 0.97, 0.02  # how likely such a player is taken to play in the second mode at first, and any other
PENALTY = 1.0  # on squared weights, or on squared differences from the first mode's


def fit_kind(kind: Kind, worth: Array, near: Array) -> Array:
    """The weights of one kind of choice, each choice counted by its worth, not far from other weights."""
    rows, starts = kind.rows.astype(np.float64), kind.starts
    picked = rows[starts + kind.chosen]
    of_row = np.repeat(np.arange(len(kind.counts)), kind.counts)

    def loss(weights: Array) -> tuple[float, Array]:
        utility = rows @ weights
        utility -= np.maximum.reduceat(utility, starts)[of_row]
        chance = np.exp(utility)
        whole = np.add.reduceat(chance, starts)
        chance /= whole[of_row]
        likelihood = worth @ (utility[starts + kind.chosen] - np.log(whole))
        slope = worth @ picked - (chance * worth[of_row]) @ rows
        apart = weights - near
        return -likelihood + 0.5 * PENALTY * apart @ apart, -slope + PENALTY * apart

    found: Array = minimize(loss, near, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return found


def fit_weights(choices: Choices, worth: Array, near: Array) -> Array:
    """All weights, each player's choices counted by its worth."""
    weights = near.copy()
    for kind in choices.kinds:
        part = slice(kind.first, kind.last)
        weights[part] = fit_kind(kind, worth[kind.owner], near[part])
    return weights


def log_chances(choices: Choices, weights: Array) -> Array:
    """How likely each player's choices are, as logarithms."""
    total = np.zeros(len(choices.seats))
    for kind in choices.kinds:
        starts = kind.starts
        utility = kind.rows @ weights[kind.first : kind.last]
        of_row = np.repeat(np.arange(len(kind.counts)), kind.counts)
        utility -= np.maximum.reduceat(utility, starts)[of_row]
        whole = np.log(np.add.reduceat(np.exp(utility), starts))
        np.add.at(total, kind.owner, utility[starts + kind.chosen] - whole)
    return total


def mode_chances(choices: Choices, modes: Array) -> Array:
    """How likely each player is to play in each mode, as logarithms: [owner, mode]."""
    utility: Array = choices.seats @ modes.T
    utility -= utility.max(axis=1, keepdims=True)
    utility -= np.log(np.exp(utility).sum(axis=1, keepdims=True))
    return utility


def fit_modes(choices: Choices, worth: Array) -> Array:
    """The logit of the modes on features of the seats; the first mode's row is 0."""
    seats, modes = choices.seats, worth.shape[1]

    def loss(flat: Array) -> tuple[float, Array]:
        rows = np.vstack([np.zeros(seats.shape[1]), flat.reshape(modes - 1, -1)])
        utility = seats @ rows.T
        utility -= utility.max(axis=1, keepdims=True)
        logs = utility - np.log(np.exp(utility).sum(axis=1, keepdims=True))
        slope = (worth - np.exp(logs)).T @ seats
        return -(worth * logs).sum() + 0.5 * PENALTY * flat @ flat, -slope[1:].ravel() + PENALTY * flat

    found = minimize(loss, np.zeros((modes - 1) * seats.shape[1]), jac=True, method="L-BFGS-B").x
    return np.vstack([np.zeros(seats.shape[1]), found.reshape(modes - 1, -1)])


def first_guess(choices: Choices) -> Array:
    """Who may play in which of two modes: [owner, mode]. Who wins all there is may have planned it."""
    bold = np.where(choices.rewards > BEST, BOLD, PLAIN)
    return np.stack([1.0 - bold, bold], axis=1)


def fit_mixture(choices: Choices, worth: Array, rounds: int) -> tuple[Array, Array, list[float]]:
    """Weights and modes from a first guess of who plays in which mode: [owner, mode]; and the likelihood of each round.

    The likelihood is the mean logarithm of the chance of a choice. The first mode's row of `modes` is 0.
    """
    width = max(kind.last for kind in choices.kinds)
    weights: Sequence[Array] = [np.zeros(width)] * worth.shape[1]
    history = []
    modes = np.zeros((worth.shape[1], choices.seats.shape[1]))
    for _ in range(rounds):
        first = fit_weights(choices, worth[:, 0], weights[0])
        weights = [first, *(fit_weights(choices, worth[:, mode], first) for mode in range(1, worth.shape[1]))]
        modes = fit_modes(choices, worth) if worth.shape[1] > 1 else modes
        logs = mode_chances(choices, modes) + np.stack([log_chances(choices, one) for one in weights], axis=1)
        highest = logs.max(axis=1, keepdims=True)
        worth = np.exp(logs - highest)
        history.append(float((highest[:, 0] + np.log(worth.sum(axis=1))).sum() / choices.count))
        worth /= worth.sum(axis=1, keepdims=True)
    return np.array(weights), modes, history
