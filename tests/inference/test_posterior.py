import numpy as np
import pytest

import facedown as fd
from facedown.inference.policy import policy_of
from facedown.inference.posterior import InferredDrawing, Weigher, card_beliefs, resample, shares
from facedown.rng import stream


def late_position(text: str, left: int, seed: int = 3) -> fd.State:
    """A position of rule play with so many actions left."""
    state = fd.load(text).deal(seed)
    moves: list[fd.State] = []
    while not state.over:
        moves.append(state.copy())
        state.play(fd.agent("expert", seed=seed).choose(state.view(state.seat or 0)))
    return moves[-left]


@pytest.mark.parametrize("text", ["hearts:passing=hold", "sueca", "bisca"])
def test_drawn_worlds_come_by_the_exact_weights_of_all_worlds(text: str) -> None:
    state = late_position(text, 24 if text == "bisca" else 14)
    view = state.view(state.seat or 0)
    policy = policy_of(state.game)
    everything = view.every_world()
    assert 5 < len(everything) < 200_000
    likelihoods = np.zeros(len(everything))
    Weigher(view, policy)(everything, likelihoods)
    exact = card_beliefs(view, everything, shares(likelihoods))
    drawing = InferredDrawing(view, policy, 20_000, stream(1))
    drawing.advance(20_000, 20_000)
    sampled = card_beliefs(view, drawing.candidates, drawing.weights(1.0))
    for card, row in exact.items():
        assert sampled[card] == pytest.approx(row, abs=0.04)
    worlds = drawing.worlds(20_000, 1.0)
    drawn = card_beliefs(view, worlds, np.full(len(worlds), 1 / len(worlds)))
    for card, row in sampled.items():
        assert drawn[card] == pytest.approx(row, abs=0.01)


def test_the_rest_of_the_worlds_is_uniform() -> None:
    state = late_position("hearts:passing=hold", 20)
    drawing = InferredDrawing(state.view(state.seat or 0), policy_of(state.game), 500, stream(1))
    drawing.advance(500, 500)
    inferred, mixed, plain = (drawing.weights(share) for share in (1.0, 0.9, 0.0))
    assert mixed == pytest.approx(0.9 * inferred + 0.1 * plain)
    assert plain == pytest.approx(np.full(500, 0.002))
    assert inferred.std() > plain.std()


def test_places_are_given_in_proportion_to_weights() -> None:
    weights = np.array([0.5, 0.0, 0.3, 0.2])
    chosen = np.empty(1000, np.int64)
    resample(weights, stream(3), chosen)
    assert np.bincount(chosen, minlength=4).tolist() == pytest.approx([500, 0, 300, 200], abs=1)


def test_the_first_decision_knows_nothing_but_the_cards() -> None:
    view = fd.load("hearts:passing=hold").deal(5).view(0)
    weigher, out = Weigher(view, policy_of(view.game)), np.ones(10)
    weigher(view.sample_many(10, stream(1)), out)
    assert np.ptp(out) == 0.0


def test_a_position_without_its_history_is_uniform() -> None:
    state = late_position("hearts:passing=hold", 20)
    bare = state.game.position(state.position)
    view = bare.view(bare.seat or 0)
    out = np.ones(10)
    Weigher(view, policy_of(state.game))(view.sample_many(10, stream(1)), out)
    assert np.ptp(out) == 0.0


def test_worlds_that_differ_only_in_what_is_hidden_are_inferred_alike() -> None:
    state = late_position("hearts:passing=left", 30)
    view = state.view(state.seat or 0)
    other = view.sample(seed=9)
    assert view.beliefs("policy") == other.view(view.seat).beliefs("policy")


def test_beliefs_add_up_and_know_what_is_known() -> None:
    state = late_position("hearts:passing=left", 40)
    view = state.view(state.seat or 0)
    exact, inferred = view.beliefs(), view.beliefs("policy")
    assert exact.keys() == inferred.keys()
    for card, row in exact.items():
        assert sum(inferred[card]) == pytest.approx(1.0, abs=1e-4)
        for sure, share in zip(row, inferred[card], strict=True):
            assert share == pytest.approx(sure, abs=1e-4) if sure in (0.0, 1.0) else 0.0 <= share <= 1.0
