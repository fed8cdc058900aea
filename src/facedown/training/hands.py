"""What hands a world has to be believed by, beyond what was played: learnt from recorded games.

A policy says how likely the plays are, given the hands. It misses what its features do not tell, so some hands are held more
often than it expects. Of each deal, the first decision is taken at which another seat has features that nobody
has when play begins (question `seat_features`): in Hearts, it is alone with half of all points. Worlds are drawn and weighed
there, and weights found under which the true world is the likeliest among them: a conditional logit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from facedown.compiler.asking import turns_taken
from facedown.inference.policy import Policy
from facedown.inference.posterior import InferredDrawing, Weigher, held
from facedown.kernel import Array
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.state import State
from facedown.stats import mean_by_deal

WORLDS = 500
PENALTY = 3.0  # on squared weights, in choices
FEWEST = 30  # decisions: from fewer nothing is learnt


class Candidates(NamedTuple):
    """The worlds of a decision; the true one is the first."""

    likelihoods: Array  # [world]
    features: Array  # [world, feature] added up over the other seats


def candidates_at(state: State, seat: int, policy: Policy, rng: Array) -> Candidates:
    """Worlds of a seat's view of a state, and the true one."""
    view, truth = state.view(seat), np.zeros(1)
    drawing = InferredDrawing(view, policy, WORLDS, rng)
    drawing.advance(WORLDS, WORLDS)
    Weigher(view, policy)(state.data, truth)
    rows = [held(worlds, seat, policy, state.game.seats) for worlds in (state.data, drawing.candidates)]
    return Candidates(np.concatenate([truth, drawing.likelihoods]), np.concatenate(rows))


def first_decisions(record: GameRecord, policy: Policy, late: Array) -> Iterator[tuple[State, int]]:
    """Of each deal of a game, the first decision at which another seat has one of the features `late`."""
    found = False
    for state in record.steps():
        if turns_taken(state.data) == 0:
            found = False
        if found or state.seat is None or len(state.legal) < 2:
            continue
        if held(state.data, state.seat, policy, state.game.seats)[0, late].any():
            found = True
            yield state.copy(), state.seat


def fit(candidates: Sequence[Candidates], late: Array) -> Array:
    """The weights of the features `late`, under which true worlds are likeliest."""

    def loss(weights: Array) -> tuple[float, Array]:
        total, slope = 0.5 * PENALTY * float(weights @ weights), PENALTY * weights
        for one in candidates:
            rows = one.features[:, late]
            utility = one.likelihoods + rows @ weights
            chance = np.exp(utility[1:] - utility[1:].max())
            total -= float(utility[0] - utility[1:].max() - np.log(chance.mean()))
            slope = slope - rows[0] + chance @ rows[1:] / chance.sum()
        return total, slope

    found: Array = minimize(loss, np.zeros(int(late.sum())), jac=True, method="L-BFGS-B").x
    return found


def late_features(policy: Policy, begin: Array) -> Array:
    """Which features of seats nobody has when play begins; `begin` has those of seats at that time."""
    late: Array = np.logical_not(begin.any(axis=0))
    return late if policy.seat_features else np.zeros(0, np.bool_)


def candidates_of(records: Sequence[GameRecord], plain: Policy, late: Array) -> list[Candidates]:
    """The decisions of some games that hands are learnt from, or tested on; by plays and passes alone."""
    return [
        candidates_at(state, seat, plain, stream(number, int(turns_taken(state.data))))
        for number, record in enumerate(records)
        for state, seat in first_decisions(record, plain, late)
    ]


def with_hands(policy: Policy, records: Sequence[GameRecord], begin: Array) -> Policy:
    """The policy that believes hands, too, by these games; `begin` has the features of seats when play begins."""
    late = late_features(policy, begin)
    if not late.any():
        return policy
    plain = replace(policy, hands=np.zeros(0))
    candidates = candidates_of(records, plain, late)
    if len(candidates) < FEWEST:
        return plain
    hands = np.zeros(len(policy.seat_features))
    hands[late] = fit(candidates, late)
    return replace(policy, hands=hands, about={**policy.about, "hands": {"decisions": len(candidates)}})


def judge_hands(policy: Policy, records: Sequence[GameRecord], begin: Array) -> dict[str, Any]:
    """How much likelier the true world of other games is by the weights of hands, as a logarithm with its interval."""
    late = late_features(policy, begin)
    if not policy.hands.size or not late.any():
        return {}
    gains = [
        log_ratio(one, policy.hands) - log_ratio(one, np.zeros(len(policy.hands)))
        for one in candidates_of(records, replace(policy, hands=np.zeros(0)), late)
    ]
    if len(gains) < 2:
        return {}
    gain = mean_by_deal(gains, range(len(gains)))
    return {"hands": {"decisions": len(gains), "gain": [round(one, 3) for one in (gain.value, gain.low, gain.high)]}}


def log_ratio(one: Candidates, hands: Array) -> float:
    """How much likelier the true world is than the mean of the drawn ones, as a logarithm."""
    utility = one.likelihoods + one.features @ hands
    highest = utility[1:].max()
    return float(utility[0] - highest - np.log(np.exp(utility[1:] - highest).mean()))
