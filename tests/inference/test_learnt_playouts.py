"""Playouts by a learnt policy: each action in proportion to its chance, each seat in one mode."""

from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.inference.playouts import draw_mode, learnt, one_learnt_action, play_out_as_learnt
from facedown.inference.policy import Policy, policy_of
from facedown.kernel import Array, kernel
from facedown.rng import stream
from facedown.search.run import new_run

DRAWS = 4000
WITH_POLICY = ["hearts:passing=hold", "hearts:passing=left", "sueca", "bisca"]


@kernel
def count_actions(data: Array, memory: Array, runs: Array, mode: int, rng: Array, out: Array) -> None:
    actions = np.empty(out.shape[0], np.int64)
    memory[0].mode[:] = mode
    for _ in range(DRAWS):
        out[one_learnt_action(memory, runs[0], data[0], actions, rng)] += 1


@kernel
def count_modes(data: Array, memory: Array, seat: int, rng: Array, out: Array) -> None:
    for _ in range(DRAWS):
        out[draw_mode(memory[0], data[0], seat, rng)] += 1


@kernel
def write_features(data: Array, actions: Array, rows: Array, seat_row: Array) -> tuple[int, int, int]:
    rules.seat_features(data[0], 0, seat_row)
    count = rules.legal(data[0], actions)
    first, last = rules.action_features(data[0], actions, count, rows)
    return count, first, last


@kernel
def play_to_the_end(data: Array, memory: Array, runs: Array, actions: Array, rng: Array) -> None:
    play_out_as_learnt(memory, runs[0], data[0], actions, actions, rng)


def memory_of(game: fd.Game, policy: Policy) -> Array:
    return learnt(policy, game.actions, game.seats)


def run_of(game: fd.Game) -> Array:
    return new_run(seats=game.seats, actions=game.actions)


def chances(utility: Array) -> Array:
    found: Array = np.exp(utility - utility.max())
    found /= found.sum()
    return found


def assert_near(drawn: Array, expected: Array) -> None:
    """Each count lies within four standard deviations, and one for rare actions."""
    assert (np.abs(drawn - expected) < 4 * np.sqrt(expected * (1 - expected / DRAWS)) + 1).all()


@pytest.mark.parametrize("text", WITH_POLICY)
def test_actions_are_drawn_in_proportion_to_their_chances(text: str) -> None:
    state = fd.load(text).deal(3)
    game, policy = state.game, policy_of(state.game)
    while len(state.history) < 17 or len(state.legal) < 4:
        state.play(state.legal[len(state.history) % len(state.legal)])
    rows, actions = np.zeros((game.actions, len(game.features))), np.zeros(game.actions, np.int64)
    count, first, last = write_features(state.data, actions, rows, np.zeros(max(1, len(game.seat_features))))
    for mode, weights in enumerate(policy.weights):
        drawn = np.zeros(game.actions)
        count_actions(state.data, memory_of(game, policy), run_of(game), mode, stream(mode), drawn)
        expected = DRAWS * chances(rows[:count, : last - first] @ weights[first:last])
        assert drawn.sum() == drawn[actions[:count]].sum()
        assert_near(drawn[actions[:count]], expected)


def test_a_seat_s_mode_is_drawn_by_what_its_cards_promise() -> None:
    state = fd.load("hearts:passing=hold").deal(5)
    game, policy = state.game, policy_of(state.game)
    row = np.zeros(len(game.seat_features))
    write_features(state.data, np.zeros(52, np.int64), np.zeros((game.actions, len(game.features))), row)
    sharp = Policy(policy.features, policy.weights, np.stack([row * 0, row / (row @ row)]), policy.seat_features)
    drawn = np.zeros(2)
    count_modes(state.data, memory_of(game, sharp), 0, stream(1), drawn)
    expected = DRAWS / (1 + np.e) * np.array([1.0, np.e])
    assert_near(drawn, expected)


@pytest.mark.parametrize("text", [*WITH_POLICY, "hearts:match=60", "bisca:seats=4,hand_size=3"])
def test_games_are_played_to_their_end(text: str) -> None:
    game = fd.load(text)
    for seed in range(20):
        state = game.deal(seed)
        play_to_the_end(state.data, memory_of(game, policy_of(game)), run_of(game), np.zeros(200, np.int64), stream(seed))
        assert state.over


@pytest.mark.parametrize("name", ["ismcts", "mo-ismcts", "ismcts-t", "pimc", "epimc", "minimax", "uct"])
def test_every_search_plays_out_by_the_policy(name: str) -> None:
    state = fd.load("sueca").deal(2)
    for _ in range(5):
        state.play(state.legal[-1])
    agent, again = (fd.agent(f"{name}:iterations=30,playout=policy", seed=4) for _ in range(2))
    position = state if agent.sees_all else state.view(state.seat or 0)
    assert agent.choose(position) in state.legal
    assert again.choose(position) == agent.decision.action  # type: ignore[union-attr]
    assert [one.mean for one in again.decision.candidates] == [one.mean for one in agent.decision.candidates]  # type: ignore[union-attr]


def test_a_policy_of_one_s_own_plays_games_out(tmp_path: Path) -> None:
    game = fd.load("sueca")
    policy = policy_of(game)
    own = tmp_path / "own.json"
    own.write_text(Policy(policy.features, -policy.weights, policy.modes, policy.seat_features).to_json(), "utf-8")
    view = game.deal(2).view(0)
    shipped, other = (
        fd.agent("ismcts:iterations=50,playout=policy"),
        fd.agent(f"ismcts:iterations=50,playout=policy,model={own}"),
    )
    shipped.choose(view)
    other.choose(view)
    means = [sorted(one.mean for one in agent.decision.candidates) for agent in (shipped, other)]  # type: ignore[union-attr]
    assert means[0] != means[1]


@pytest.mark.parametrize("text", ["cheat", "magic"])
def test_a_game_without_features_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(fd.FacedownError, match=r"^[^\n]*action_features[^\n]*$"):
        fd.agent("ismcts:iterations=10,playout=policy").choose(fd.load(text).deal(1).view(0))


def test_a_game_without_a_policy_says_how_to_make_one() -> None:
    state = fd.load("hearts32").deal(1)
    view = state.view(state.seat or 0)
    with pytest.raises(fd.FacedownError, match="facedown train hearts32 makes one"):
        fd.agent("ismcts:iterations=10,playout=policy").choose(view)


def test_in_the_tree_the_others_play_by_the_policy(tmp_path: Path) -> None:
    """In one world, and by a policy that leaves nothing to chance, each of their nodes has one child."""
    game = fd.load("sueca")
    policy = policy_of(game)
    sharp = tmp_path / "sharp.json"
    sharp.write_text(Policy(policy.features, 1000 * policy.weights, policy.modes, policy.seat_features).to_json(), "utf-8")
    view = game.deal(2).view(0)
    replies = {}
    for opponents in ("search", "policy"):
        text = f"ismcts:iterations=300,worlds=1,playout=policy,model={sharp},opponents={opponents}"
        agent, again = fd.agent(text, seed=3), fd.agent(text, seed=3)
        assert agent.choose(view) == again.choose(view)
        assert agent.decision is not None
        replies[opponents] = [len(node["children"]) for node in agent.decision.tree(2)["children"]]
    assert set(replies["policy"]) == {1}
    assert max(replies["search"]) > 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("opponents=policy", "expected playout=policy with opponents=policy, got playout=uniform"),
        ("opponents=policy,playout=policy,parallel=tree", "expected parallel=root with opponents=policy, got tree"),
    ],
)
def test_opponents_by_policy_want_what_goes_with_them(options: str, reason: str) -> None:
    with pytest.raises(fd.FacedownError, match=f"option opponents: {reason}"):
        fd.agent(f"ismcts:{options}")
