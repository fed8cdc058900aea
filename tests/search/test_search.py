"""The search against exact values on small positions, and against itself."""

import numpy as np
import pytest

import facedown as fd
from facedown.kernel import new_records
from facedown.rewards import REWARDS
from facedown.rng import draw, stream
from facedown.search import tree as trees
from facedown.search.run import new_run
from facedown.state import State


def late_state(cards_left: int, seed: int, game: str = "hearts:passing=false") -> State:
    """A deal played at random until so many cards are left and there is a choice."""
    state = fd.load(game).deal(seed)
    rng = stream(seed, 1)
    total = sum(len(hand) for hand in state.hands)
    while total - len(state.history) > cards_left or len(state.legal) < 2:
        if not state.legal:
            return late_state(cards_left, seed + 1000, game)
        state.play(state.legal[draw(rng, len(state.legal))])
    return state


def max_n(state: State) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The result in points when every seat sees all cards and wants few points more than the others have, exactly."""
    if state.over:
        return np.array(state.scores, float)
    best = None
    for action in state.legal:
        after = state.copy()
        after.play(action)
        value = max_n(after)
        if best is None or lead(value, state.seat or 0) > lead(best, state.seat or 0):
            best = value
    assert best is not None
    return best


def lead(scores: np.ndarray[tuple[int], np.dtype[np.float64]], seat: int) -> float:
    """Manzke 2025, eq. 4.1."""
    return float(scores.sum() - 4 * scores[seat])


@pytest.mark.parametrize("seed", range(6))
def test_uct_finds_the_best_card_of_a_small_endgame(seed: int) -> None:
    state = late_state(12, seed)
    seat = state.seat or 0
    values = {}
    for action in state.legal:
        after = state.copy()
        after.play(action)
        values[action] = lead(max_n(after), seat)
    choice = fd.agent("uct:iterations=20000").choose(state)
    assert values[choice] == max(values.values())


@pytest.mark.parametrize("seed", range(4))
def test_with_one_world_left_ismcts_finds_what_uct_finds(seed: int) -> None:
    state = next(
        state for state in (late_state(6, seed + 10 * k) for k in range(1, 50)) if state.view(state.seat or 0).worlds() == 1
    )
    ismcts = fd.agent("ismcts:iterations=5000")
    uct = fd.agent("uct:iterations=5000")
    ismcts.choose(state.view(state.seat or 0))
    uct.choose(state)
    assert ismcts.decision is not None
    assert uct.decision is not None
    best = {candidate.action: candidate.mean for candidate in uct.decision.candidates}
    assert best[ismcts.decision.action] == pytest.approx(max(best.values()), abs=0.02)


def test_the_same_view_and_seed_give_the_same_choice_and_tree() -> None:
    view = fd.load("hearts").deal(seed=4).view(0)
    first, second = fd.agent("ismcts:iterations=500", seed=3), fd.agent("ismcts:iterations=500", seed=3)
    assert first.choose(view) == second.choose(view)
    assert first.decision is not None
    assert second.decision is not None
    assert first.decision.tree(3) == second.decision.tree(3)


def test_another_seed_searches_another_tree() -> None:
    view = fd.load("hearts").deal(seed=4).view(0)
    first, second = (fd.agent("ismcts:iterations=500,passer=steps", seed=seed) for seed in (3, 4))
    first.choose(view)
    second.choose(view)
    assert first.decision is not None
    assert second.decision is not None
    assert first.decision.tree(3) != second.decision.tree(3)


def test_hidden_cards_do_not_change_the_choice() -> None:
    state = fd.load("hearts").deal(seed=6)
    while len(state.history) < 20:
        state.play(state.legal[0])
    seat = state.seat or 0
    choices = {fd.agent("ismcts:iterations=300").choose(state.view(seat).sample(seed).view(seat)) for seed in range(10)}
    assert len(choices) == 1


def test_a_forced_move_costs_nothing() -> None:
    state = fd.load("hearts", passing=False).deal(seed=1)
    agent = fd.agent("ismcts:iterations=1000000000")
    assert agent.choose(state.view(state.seat or 0)) == fd.load("hearts").parse("2C")
    assert agent.decision is not None
    assert agent.decision.forced
    assert agent.decision.iterations == 0


def test_a_decision_adds_up() -> None:
    view = fd.load("hearts").deal(seed=4).view(0)
    agent = fd.agent("ismcts:iterations=2000,passer=steps")
    agent.choose(view)
    decision = agent.decision
    assert decision is not None
    assert sum(candidate.visits for candidate in decision.candidates) == decision.iterations == 2000
    assert {candidate.action for candidate in decision.candidates} == set(view.legal)
    assert decision.nodes == 2001
    assert decision.text == decision.line[0] == decision.candidates[0].text
    assert 0 < decision.depth_mean <= decision.depth_most
    for candidate in decision.candidates:
        assert candidate.visits <= candidate.available <= 2000
        assert 0 <= candidate.interval[0] <= candidate.mean <= candidate.interval[1] <= 1


def test_the_tree_as_data_has_the_depth_asked_for() -> None:
    agent = fd.agent("ismcts:iterations=500,passer=steps")
    agent.choose(fd.load("hearts").deal(seed=4).view(0))
    assert agent.decision is not None
    shallow = agent.decision.tree(1)
    assert shallow["visits"] == 500
    assert shallow["children"]
    assert all(not child["children"] for child in shallow["children"])


def test_a_time_limit_is_kept() -> None:
    view = fd.load("hearts").deal(seed=4).view(0)
    agent = fd.agent("ismcts:seconds=0.05")
    agent.choose(view)
    agent.choose(view)
    assert agent.decision is not None
    assert agent.decision.iterations > 64
    assert 0.05 <= agent.decision.seconds < 2


def test_a_tree_grows_beyond_its_first_room() -> None:
    view = fd.load("hearts").deal(seed=4).view(0)
    agent = fd.agent("ismcts:iterations=100000,passer=steps")
    agent.choose(view)
    assert agent.decision is not None
    assert agent.decision.nodes > 1 << 16
    assert sum(candidate.visits for candidate in agent.decision.candidates) == 100_000


def test_a_node_takes_at_most_48_bytes() -> None:
    assert trees.NODE.itemsize <= 48


def test_backing_up_credits_each_seat_with_its_own_reward() -> None:
    tree = new_records(4, trees.NODE)
    for name in ("parent", "first_child", "next_sibling", "seat"):
        tree[name] = trees.NO_NODE
    trees.add_child(tree, trees.ROOT, trees.NO_NODE, 1, 7, 0)
    trees.add_child(tree, 1, trees.NO_NODE, 2, 9, 3)
    assert trees.back_up(tree, 2, np.array([0.25, 0.0, 0.0, 1.0])) == 2
    assert tree["visits"][:3].tolist() == [1, 1, 1]
    assert tree["reward"][1:3].tolist() == [0.25, 1.0]
    assert tree["squares"][1:3].tolist() == [0.0625, 1.0]


def test_a_new_run_starts_with_the_root() -> None:
    assert new_run(seat=2)["nodes"][0] == 1


def test_a_run_for_the_match_is_not_taken_for_another_with_one_field_more() -> None:
    plain, match = (new_run(reward=REWARDS[kind]).dtype.names or () for kind in ("points", "match"))
    assert set(match) - set(plain) == {"for_match"}
    assert match[: len(plain)] != plain


@pytest.mark.parametrize("game", ["hearts:passing=false", "hearts32"])
def test_search_beats_random_play(game: str) -> None:
    """Each deal with the searcher at each seat; random play would take a quarter of the points."""
    taken = total = 0.0
    for deal in range(15):
        for seat in range(4):
            agents = ["ismcts:iterations=200" if other == seat else "random" for other in range(4)]
            scores = fd.play(fd.load(game), agents, seed=deal).scores
            taken += scores[seat]
            total += sum(scores)
    assert taken / total < 0.18


def test_seeing_all_cards_is_better_than_not() -> None:
    leads = []
    for deal in range(20):
        scores = np.array(fd.play("hearts32", ["uct:iterations=300", "ismcts:iterations=300"] * 2, seed=deal).scores)
        leads.append(scores[1] + scores[3] - scores[0] - scores[2])
    assert np.mean(leads) > 0
