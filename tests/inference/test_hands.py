import json
from dataclasses import replace

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.errors import FacedownError
from facedown.inference.policy import Policy, policy_of, read_policy
from facedown.inference.posterior import Weigher, held
from facedown.kernel import Array, kernel
from facedown.rng import stream

COLLECTS = 7
CLUBS_ONLY = ("3H 9D", "AC KC QC JC", "2C 3C 9H", "4C 5D 6D")  # nobody stops the second seat
STOPPED = ("3H 9D", "AC 2D 3D 4D", "2C 3C 9H", "4C 5D 6D")


@kernel
def write_seat_features(data: Array, seat: int, out: Array) -> int:
    return rules.seat_features(data[0], seat, out)


def with_hands_and_points(hands: tuple[str, ...], points: list[int]) -> Array:
    """A record late in a deal, with hands of our own: as if all other cards were played."""
    game = fd.load("hearts:passing=hold")
    state = game.deal(1)
    everything = (1 << 52) - 1
    masks = [sum(1 << game.parse(card) for card in hand.split()) for hand in hands]
    state.data["hands"][0] = masks
    state.data["played"][0] = everything & ~sum(masks)
    state.data["points"][0] = points
    return state.data


def features(data: Array, seat: int) -> Array:
    out = np.full(len(fd.load("hearts").seat_features), np.nan)
    assert write_seat_features(data, seat, out) == len(out)
    return out


def collector_view() -> tuple[fd.State, fd.View]:
    """A position of rule play in which one opponent alone has half of all points."""
    for seed in range(200):
        state = fd.load("hearts:passing=left").deal(seed)
        while not state.over:
            points, seat = state.record.points.tolist(), state.seat
            if max(points) == sum(points) >= 13 and seat is not None and not points[seat]:
                return state, state.view(seat)
            state.play(fd.agent("expert", seed=seed).choose(state.view(state.seat or 0)))
    raise AssertionError("no deal has one")


def test_only_who_is_alone_with_half_of_all_points_has_features_of_a_collector() -> None:
    for points in ([0, 12, 0, 0], [1, 13, 0, 0], [0, 0, 13, 0]):
        assert not features(with_hands_and_points(CLUBS_ONLY, points), 1)[COLLECTS:].any()
    assert features(with_hands_and_points(CLUBS_ONLY, [0, 13, 0, 0]), 1)[COLLECTS:].any()


def test_a_collector_s_features_say_how_far_it_can_take_the_rest() -> None:
    losing, stopped, rank, runs = features(with_hands_and_points(CLUBS_ONLY, [0, 13, 0, 0]), 1)[COLLECTS:]
    assert (losing, stopped, runs) == (0.0, 0.0, 1.0)
    assert rank == pytest.approx((12 + 11 + 10 + 9) / 48)
    losing, stopped, rank, runs = features(with_hands_and_points(STOPPED, [0, 13, 0, 0]), 1)[COLLECTS:]
    assert (losing, stopped, runs) == (0.75, 0.25, 0.0)  # diamonds; the only club is the highest
    assert rank == pytest.approx((12 + 0 + 1 + 2) / 48)


def test_a_world_weighs_more_by_what_the_others_hold_in_it() -> None:
    state, view = collector_view()
    plain = replace(policy_of(state.game), hands=np.zeros(0))
    hands = np.linspace(-1.0, 1.0, len(plain.seat_features))
    worlds = view.sample_many(50, stream(1))
    without, found = np.zeros(50), np.zeros(50)
    Weigher(view, plain)(worlds, without)
    Weigher(view, replace(plain, hands=hands))(worlds, found)
    expected = held(worlds, view.seat, plain, state.game.seats) @ hands
    assert found - without == pytest.approx(expected)
    assert expected.std() > 0.0
    by_hand = np.sum([features(worlds[:1], other) for other in range(4) if other != view.seat], axis=0)
    assert expected[0] == pytest.approx(by_hand @ hands)


def test_the_shipped_policy_of_hearts_believes_more_in_moons_than_plays_alone() -> None:
    state, view = collector_view()
    policy = policy_of(state.game)
    worlds = view.sample_many(400, stream(2))
    stopped = held(worlds, view.seat, policy, 4)[:, COLLECTS + 1]
    means = []
    for one in (policy, replace(policy, hands=np.zeros(0))):
        logs = np.zeros(400)
        Weigher(view, one)(worlds, logs)
        weights = np.exp(logs - logs.max())
        means.append(float(weights @ stopped / weights.sum()))
    assert means[0] < means[1]


def test_beliefs_do_not_depend_on_what_is_hidden() -> None:
    _, view = collector_view()
    assert view.beliefs("policy") == view.sample(seed=5).view(view.seat).beliefs("policy")


def test_hands_are_in_the_file_and_read_again() -> None:
    game = fd.load("hearts")
    policy = policy_of(game)
    hands = np.arange(len(policy.seat_features)) / 8
    again = read_policy(replace(policy, hands=hands).to_json(), game)
    assert np.array_equal(again.hands, hands)
    none = read_policy(replace(policy, hands=np.zeros(0)).to_json(), game)
    assert none.hands.shape == (0,)
    assert "hands" not in json.loads(none.to_json())


@pytest.mark.parametrize("part", [{"strength": 1.0}, [1.0], {"always": "much"}, None])
def test_a_file_with_other_hands_is_refused(part: object) -> None:
    game = fd.load("hearts")
    data = json.loads(policy_of(game).to_json())
    data["hands"] = part
    with pytest.raises(FacedownError):
        read_policy(json.dumps(data), game)


def test_a_game_without_features_of_seats_has_no_hands() -> None:
    policy = policy_of(fd.load("sueca"))
    assert isinstance(policy, Policy)
    assert policy.hands.shape == (0,)
