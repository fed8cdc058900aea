"""Mixtures of Magic's rule players, by which the experiment tells what each rule is worth."""

import random
from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown.arena.progress import WorkProgress
from facedown.games.magic.plans import PRINTED
from facedown.kernel import Array
from facedown.lab.experiments.magic_phases import winner_of
from facedown.lab.experiments.magic_readings import (
    ALL_EXPERT,
    ALL_REDUCED,
    deck_rows,
    mixture_rows,
    random_deck,
    wins_on,
)
from facedown.lab.experiments.running import ExperimentSettings, Lab
from facedown.rng import stream
from facedown.rules import EXPERT, REDUCED

ALL_PRINTED = (PRINTED, PRINTED, PRINTED)


@pytest.fixture(scope="module")
def dealt() -> Array:
    """The records of sixty deals."""
    return np.concatenate([fd.load("magic").deal(seed).data for seed in range(60)])


def wins(dealt: Array, one: tuple[int, ...], other: tuple[int, ...]) -> list[float]:
    """What a player wins on each deal."""
    return wins_on(dealt, (one, other), stream(1))


def test_equals_without_chance_in_them_win_each_deal_once(dealt: Array) -> None:
    assert set(wins(dealt, ALL_EXPERT, ALL_EXPERT)) == {0.5}
    ours, theirs = wins(dealt, ALL_EXPERT, ALL_PRINTED), wins(dealt, ALL_PRINTED, ALL_EXPERT)
    assert [one + other for one, other in zip(ours, theirs, strict=True)] == [1.0] * len(dealt)
    assert set(ours) != {0.5}


def test_a_seat_plays_as_the_agent_of_its_style_would() -> None:
    game = fd.load("magic")
    styles = np.array([ALL_EXPERT, ALL_PRINTED])
    agents = fd.agent("expert"), fd.agent("expert:printed=true")
    for seed in range(8):
        winner = winner_of(game.deal(seed).data.copy(), styles, np.empty(game.actions, np.int64), stream(1))
        state = game.deal(seed)
        while not state.over:
            seat = state.seat or 0
            state.play(agents[seat].choose(state.view(seat)))
        assert state.scores[winner] == 1


def test_a_style_is_for_a_phase(dealt: Array) -> None:
    reduced = np.mean(wins(dealt, ALL_EXPERT, ALL_REDUCED))
    careful = np.mean(wins(dealt, ALL_EXPERT, (EXPERT, REDUCED, REDUCED)))
    even = np.mean(wins(dealt, ALL_EXPERT, (EXPERT, EXPERT, REDUCED)))
    assert 0.35 < even < 0.65 < careful < 0.9 < reduced


def test_decks_of_chance_are_decks_and_differ() -> None:
    decks = {random_deck(random.Random(seed)) for seed in range(20)}
    assert len(decks) == 20
    for deck in decks:
        fd.load("magic", deck=deck)
        assert deck.startswith("17xland+")


def test_rows_are_over_deals_and_over_decks_and_tell_how_far_they_are(tmp_path: Path) -> None:
    reports: list[WorkProgress] = []
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("readings", ExperimentSettings(progress=reports.append), store)
        assert [row.count for row in mixture_rows(lab, 4)] == ["4 deals"] * 7
        rows, spans = deck_rows(lab, 3, 4)
        assert [row.count for row in rows] == ["3 decks"] * 7
        assert spans.startswith("With 3 random decks")
        assert deck_rows(lab, 3, 4) == (rows, spans)
    assert [(one.done, one.total, one.unit) for one in reports[7:10]] == [(0, 3, "decks"), (1, 3, "decks"), (2, 3, "decks")]
