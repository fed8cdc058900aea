"""Why games ended."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

import facedown as fd

KNAVES = str(Path(__file__).parents[2] / "examples" / "little_knaves.py") + ":GAME"


def ended(text: str, seed: int = 0) -> fd.State:
    """A random game at its end."""
    rng = random.Random(seed)
    state = fd.load(text).deal(seed)
    while not state.over:
        assert state.outcome is None
        state.play(rng.choice(state.legal))
    return state


def outcome(state: fd.State) -> fd.Outcome:
    assert state.outcome is not None
    assert [view.outcome for view in map(state.view, [*range(state.game.seats), fd.SPECTATOR])] == [state.outcome] * (
        state.game.seats + 1
    )
    return state.outcome


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("hearts", {"all tricks played", "moon"}),
        ("hearts32:early_end=true", {"points decided", "all tricks played", "moon"}),
        ("hearts32:match=30", {"match won"}),
        ("sueca", {"all tricks played"}),
        ("sueca:match=2", {"match won"}),
        ("bisca", {"all tricks played"}),
        ("cheat:turn_limit=6", {"6 turns", "empty hand"}),
        ("cheat:hand_size=1,ranks=5", {"empty hand", "100 turns"}),
        ("magic", {"life", "library empty"}),
        (KNAVES, {"game over"}),
    ],
)
def test_games_end_for_a_reason_of_their_own(text: str, reasons: set[str]) -> None:
    for seed in range(12):
        state = ended(text, seed)
        found = outcome(state)
        assert found.reason in reasons
        best = min(state.scores) if state.game.lower_is_better else max(state.scores)
        assert list(found.winners) == [seat for seat, score in enumerate(state.scores) if score == best]
        assert found.words.count(";") == 1


def test_the_moon_and_an_early_end_are_told() -> None:
    found = {outcome(ended("hearts32:early_end=true", seed)).reason for seed in range(60)}
    assert found == {"points decided", "all tricks played", "moon"}


def test_a_sentence_says_what_happened_and_who_wins() -> None:
    assert outcome(ended("sueca")).words == "all 10 tricks are played, 44 card points to 76; seats 1 and 3 win"
    assert outcome(ended("sueca")).cause == "all 10 tricks are played, 44 card points to 76"
    assert outcome(ended(KNAVES)).words.startswith("the game is over; seat")


def test_equal_hands_share_the_win() -> None:
    state = fd.load("cheat:turn_limit=2").deal(1)
    state.play("take")
    state.play("take")
    assert outcome(state) == fd.Outcome(
        "2 turns", (0, 1), "2 turns are taken, and both hold as many cards; seats 0 and 1 share the win"
    )


def test_a_library_that_is_empty_ends_the_game() -> None:
    state = fd.load("magic").deal(1)
    while not state.over:
        state.play("done" if "done" in [state.game.text(action) for action in state.legal] else state.legal[-1])
    assert outcome(state).reason == "library empty"
    assert outcome(state).words == "seat 1 cannot draw: its library is empty; seat 0 wins"


def test_a_record_tells_the_outcome() -> None:
    record = fd.play("hearts32", ["random"] * 4, seed=1)
    assert record.outcome == record.replay().outcome
    assert record.outcome is not None
    begun = replace(record, history=record.history[:3], actions=record.actions[:3])
    assert begun.outcome is None
    forfeit = {"seat": 2, "reason": "ValueError: no idea", "traceback": None}
    lost = replace(begun, forfeit=forfeit, scores=[0, 0, 16, 0])
    assert lost.outcome == fd.Outcome("forfeit", (0, 1, 3), "seat 2 forfeits: ValueError: no idea")
    assert replace(lost, lower_is_better=None).outcome == fd.Outcome("forfeit", (), "seat 2 forfeits: ValueError: no idea")


def test_an_outcome_of_another_shape_is_refused() -> None:
    state = ended(KNAVES)
    state.game._functions["outcome"] = lambda record: "over"  # type: ignore[typeddict-item, return-value]
    with pytest.raises(fd.BadGame, match="expected the outcome of little-knaves as a reason and a sentence, got 'over'"):
        print(state.outcome)
    del state.game._functions["outcome"]
