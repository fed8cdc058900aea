from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown.agents.ismcts_ti import IsmctsTi
from facedown.inference.spade_history import VALUES, histories, honours_in
from facedown.inference.spade_honours import legal_sets
from facedown.inference.spade_table import FORMAT, PROPERTIES, HonourTable
from facedown.rng import stream

ABOUT = {"format": FORMAT, "properties": PROPERTIES, "values": list(VALUES)}


def after_first_card() -> fd.View:
    """A view of a seat that holds none of the three, after one card."""
    for seed in range(100):
        state = fd.load("hearts", passing=False).deal(seed)
        state.play("2C")
        assert state.seat is not None
        view = state.view(state.seat)
        if len(legal_sets(view)) == 27:
            return view
    raise AssertionError("expected a seat without honours")


def test_it_searches_worlds_by_the_table_it_is_given(tmp_path: Path) -> None:
    view = after_first_card()
    keys = sorted({reached[-1].key for reached in histories(view.history)})
    counts = np.array([[500, 0, 0, 0, 0, 0, 0, 500]] * len(keys))  # somebody has all three
    HonourTable(np.array(keys), counts, dict(ABOUT)).save(tmp_path / "own.npz")
    agent = fd.agent(f"ismcts-ti:iterations=50,model={tmp_path / 'own.npz'}", seed=1)
    assert isinstance(agent, IsmctsTi)
    worlds = agent.drawn(view, 1000, stream(0))
    found = Counter(max(honours_in(hand) for hand in world["hands"].tolist()) for world in worlds)
    assert found[7] > 920
    assert agent.choose(view) in view.legal
    assert agent.decision is not None
    assert agent.decision.worlds == 1000


def test_without_inferred_worlds_it_draws_as_ismcts_t_does() -> None:
    view = after_first_card()
    worlds = IsmctsTi(inference_weight=0.0).drawn(view, 500, stream(3))
    uniform = view.sample_many(500, stream(3))
    assert sorted(world.tobytes() for world in worlds) == sorted(world.tobytes() for world in uniform)


def test_the_same_seed_gives_the_same_choice() -> None:
    view = after_first_card()
    decisions = []
    for _ in range(2):
        agent = fd.agent("ismcts-ti:iterations=200", seed=4)
        agent.choose(view)
        assert agent.decision is not None
        decisions.append({**agent.decision.to_dict(), "seconds": 0})
    assert decisions[0] == decisions[1]


def test_other_games_and_wrong_tables_are_refused(tmp_path: Path) -> None:
    state = fd.load("hearts32").deal(1)
    with pytest.raises(
        fd.FacedownError, match="expected the game hearts, which is all that ismcts-ti can play, got hearts32"
    ):
        fd.agent("ismcts-ti").choose(state.view(0))
    with pytest.raises(fd.FacedownError, match="expected the file of a table of honours, got none"):
        fd.agent("ismcts-ti:model=none.npz")
    with pytest.raises(fd.FacedownError, match="option model: expected no file"):
        fd.agent(f"ismcts-ti:model={tmp_path}", trusted=False)


def test_it_plays_a_match_with_passing() -> None:
    record = fd.play("hearts:match=20", ["ismcts-ti:iterations=10,worlds=20", *["random"] * 3], seed=2)
    assert max(record.scores) >= 20
