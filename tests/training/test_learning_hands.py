from dataclasses import replace

import numpy as np
import pytest

import facedown as fd
from facedown.inference.policy import policy_of
from facedown.record import GameRecord
from facedown.rng import stream
from facedown.training.hands import (
    WORLDS,
    Candidates,
    candidates_at,
    first_decisions,
    fit,
    judge_hands,
    log_ratio,
    with_hands,
)


def played(seed: int) -> GameRecord:
    """A game of rule players."""
    state = fd.load("hearts:passing=left").deal(seed)
    while not state.over:
        state.play(fd.agent("expert", seed=seed).choose(state.view(state.seat or 0)))
    return GameRecord.of(state, ["expert"] * 4)


def test_weights_are_found_again() -> None:
    rng, true = np.random.default_rng(1), np.array([1.0, -2.0])
    found = []
    for _ in range(1500):
        rows, logs = rng.normal(size=(40, 3)), rng.normal(size=40)
        chance = np.exp(logs + rows[:, 1:] @ true)
        pick = rng.choice(40, p=chance / chance.sum())
        found.append(Candidates(np.r_[logs[pick], logs], np.vstack([rows[pick], rows])))
    assert fit(found, np.array([False, True, True])) == pytest.approx(true, abs=0.15)


def test_decisions_are_the_first_of_a_deal_at_which_somebody_else_collects() -> None:
    policy = policy_of(fd.load("hearts"))
    late = np.arange(len(policy.seat_features)) >= 7
    count = 0
    for seed in range(12):
        record = played(seed)
        for state, seat in first_decisions(record, policy, late):
            count += 1
            points = state.record.points.tolist()
            assert max(points) == sum(points) >= 13
            assert points[seat] == 0
            candidates = candidates_at(state, seat, policy, stream(seed))
            assert candidates.features.shape == (WORLDS + 1, len(policy.seat_features))
            assert np.isfinite(candidates.likelihoods).all()
    assert 1 <= count <= 12


def test_nothing_is_learnt_from_few_games() -> None:
    policy = policy_of(fd.load("hearts"))
    begin = np.zeros((4, len(policy.seat_features)))
    begin[:, :7] = 1.0
    assert with_hands(policy, [played(1)], begin).hands.shape == (0,)
    without = replace(policy, hands=np.zeros(0))
    assert with_hands(without, [], np.ones((4, len(policy.seat_features)))) is without


def test_the_gain_is_how_much_likelier_the_true_world_becomes() -> None:
    one = Candidates(np.log([0.5, 0.25, 0.75]), np.array([[1.0], [1.0], [0.0]]))
    assert log_ratio(one, np.zeros(1)) == pytest.approx(0.0)
    assert log_ratio(one, np.array([np.log(3.0)])) == pytest.approx(np.log(1.5 / 0.75))
    policy = policy_of(fd.load("hearts"))
    begin = np.zeros((4, len(policy.seat_features)))
    begin[:, :7] = 1.0
    found = judge_hands(policy, [played(seed) for seed in range(12)], begin)["hands"]
    assert 2 <= found["decisions"] <= 12
    assert found["gain"][1] <= found["gain"][0] <= found["gain"][2]
    assert judge_hands(replace(policy, hands=np.zeros(0)), [], begin) == {}
