import json

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.compiler.asking import look, make_move
from facedown.inference.policy import Policy, policy_of, read_policy
from facedown.inference.posterior import HIDDEN_SHARE, WEIGHING, Weigher, actions_of_deal, deal_before
from facedown.kernel import Array, kernel
from facedown.rng import stream

GAMES = [
    "hearts:passing=hold",
    "hearts:passing=left",
    "hearts:match=60",
    "hearts32",
    "sueca",
    "bisca",
    "bisca:seats=4,hand_size=3",
]
WITH_POLICY = ["hearts:passing=hold", "hearts:passing=left", "sueca", "bisca"]


@kernel
def write_features(data: Array, actions: Array, out: Array) -> tuple[int, int, int]:
    count = rules.legal(data[0], actions)
    first, last = rules.action_features(data[0], actions, count, out)
    return count, first, last


@kernel
def recalled(world: Array, deal: Array, seat: int, seen: Array) -> int:
    return rules.recall(deal[0], world[0], seat, seen)


@kernel
def hidden(deal: Array, seat: int, weights: Array, chances: Array, room: Array, rng: Array) -> float:
    return rules.hidden_choices(deal[0], seat, weights, chances, room, rng)


def features(game: fd.Game, data: Array) -> tuple[Array, int, int]:
    out = np.full((game.actions, len(game.features)), np.nan)
    count, first, last = write_features(data, np.empty(game.actions, np.int64), out)
    return out[:count, : last - first], first, last


def positions(text: str, deals: int, every: int = 3) -> list[fd.State]:
    """Positions of random play."""
    game, found = fd.load(text), []
    for seed in range(deals):
        state, rng = game.deal(seed), np.random.default_rng(seed)
        while not state.over:
            if len(state.history) % every == seed % every:
                found.append(state.copy())
            state.play(int(rng.choice(state.legal)))
    return found


@pytest.mark.parametrize("text", GAMES)
def test_features_are_what_the_seat_to_move_sees(text: str) -> None:
    for state in positions(text, 6):
        assert state.seat is not None
        own, first, last = features(state.game, state.view(state.seat).data)
        assert np.array_equal(own, features(state.game, state.data)[0])
        assert np.isfinite(own).all()
        assert 0 <= first < last <= len(state.game.features)


@pytest.mark.parametrize("text", GAMES)
def test_a_world_s_actions_lead_from_where_it_is_recalled_to_the_world(text: str) -> None:
    for number, state in enumerate(positions(text, 4)):
        view = state.view(state.seat or 0)
        world = view.sample_many(1, stream(number))
        seen = actions_of_deal(view)
        assert seen is not None
        deal = deal_before(view)
        first = recalled(world, deal, view.seat, seen)
        for action in seen[first:].tolist():
            options = np.empty(state.game.actions, np.int64)
            count = look(deal, options)
            assert action in options[:count]
            make_move(deal, action, np.empty(state.game.seats, np.int64))
        if first < len(seen):
            for name in ("hands", "played", "to_move", "points", "in_trick"):
                assert np.array_equal(deal[name], world[name]), name


@pytest.mark.parametrize("text", WITH_POLICY)
def test_a_world_weighs_as_much_as_its_actions_are_likely_one_by_one(text: str) -> None:
    for number, state in enumerate(positions(text, 2, every=11)):
        view, policy = state.view(state.seat or 0), policy_of(state.game)
        one = Policy(policy.features, policy.weights[:1], policy.modes[:1] * 0, policy.seat_features)
        world = view.sample_many(1, stream(number))
        found = np.zeros(1)
        Weigher(view, one)(world, found)
        seen = actions_of_deal(view)
        assert seen is not None
        deal = deal_before(view)
        known = recalled(world, deal, view.seat, seen)
        room = np.empty((state.game.actions, len(policy.features)))
        expected = HIDDEN_SHARE * hidden(
            deal, view.seat, one.weights, np.zeros((state.game.seats, 1)), room, stream(0, WEIGHING)
        )
        for action in seen[known:].tolist():
            rows, first, last = features(state.game, deal)
            options = np.empty(state.game.actions, np.int64)
            chosen = options[: look(deal, options)].tolist().index(action)
            if int(deal["to_move"][0]) != view.seat and len(rows) > 1:
                chances = np.exp(rows @ one.weights[0, first:last])
                expected += np.log(chances[chosen] / chances.sum())
            make_move(deal, action, np.empty(state.game.seats, np.int64))
        assert found[0] == pytest.approx(expected, abs=1e-9)


def test_a_policy_is_text_and_back() -> None:
    game = fd.load("hearts")
    policy = policy_of(game)
    again = read_policy(policy.to_json(), game)
    assert again.to_json() == policy.to_json()
    assert np.array_equal(again.weights, policy.weights)


def test_the_shipped_policies_say_how_they_were_made() -> None:
    for name in ("hearts", "sueca", "bisca"):
        about = policy_of(fd.load(name)).about
        assert about["command"].startswith("facedown train")
        assert about["test"]["log_chance"] > about["test"]["log_chance_uniform"]
        assert about["deals"] > 500


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected the file of a policy"),
        ("[1]", "expected the file of a policy"),
        (json.dumps({"format": 2, "weights": {"a": [1]}, "modes": {}}), "expected a policy in format 1, got 2"),
        (json.dumps({"format": 1, "weights": {"a": [1]}, "modes": {}}), "features of hearts, got other ones"),
    ],
)
def test_what_is_no_policy_is_refused(text: str, reason: str) -> None:
    with pytest.raises(fd.FacedownError, match=reason):
        read_policy(text, fd.load("hearts"))


def test_a_policy_of_no_numbers_is_refused() -> None:
    game = fd.load("sueca")
    weights = {name: [float("nan")] for name in game.features}
    with pytest.raises(fd.FacedownError, match="expected finite weights"):
        read_policy(json.dumps({"format": 1, "weights": weights, "modes": {}}), game)


@pytest.mark.parametrize("text", ["cheat", "magic"])
def test_a_game_without_a_policy_refuses_inference_in_one_line(text: str) -> None:
    view = fd.load(text).deal(1).view(0)
    with pytest.raises(fd.FacedownError, match=f"expected a game with features to learn from, got {text}"):
        fd.agent("ismcts:inference=policy,iterations=10").choose(view)
    with pytest.raises(fd.FacedownError, match="expected a game"):
        view.beliefs("policy")


def test_no_other_kind_of_inference_is_known() -> None:
    with pytest.raises(fd.UnknownName, match="telepathy"):
        fd.load("hearts").deal(1).view(0).beliefs("telepathy")
