"""What a search expects, said in the game's own units."""

import numpy as np
import pytest

import facedown as fd
from facedown import rules
from facedown.agents import agent
from facedown.analysis.value import (
    LEAD,
    REWARD,
    SCORE,
    WIN,
    Measure,
    finished,
    leads,
    measure,
    measure_of,
    rewards_of,
    value_text,
    wins,
)
from facedown.rewards import REWARDS

KNAVES = "examples/little_knaves.py:GAME"


def rewards(state: fd.State, kind: str) -> np.ndarray:
    out = np.zeros(state.game.seats)
    rules.reward(state.data[0], REWARDS[kind], out)
    return out


@pytest.mark.parametrize(
    ("name", "unit", "all_points"),
    [
        ("hearts", LEAD, 26),
        ("hearts32", LEAD, 16),
        ("hearts:match=50", LEAD, 26),
        ("bisca", LEAD, 120),
        ("sueca:match=4", LEAD, 120),
    ],
)
def test_points_are_a_lead_whose_whole_range_is_all_the_points(name: str, unit: str, all_points: int) -> None:
    found = measure(fd.load(name))
    assert (found.unit, found.scale, found.zero) == (unit, 2 * all_points, -all_points)


@pytest.mark.parametrize("name", ["hearts", "hearts32", "sueca", "bisca", KNAVES])
def test_the_mean_reward_of_finished_games_gives_back_their_mean_result(name: str) -> None:
    """Other deals than those the measure was found on."""
    game = fd.load(name)
    ends = [finished(game, seed) for seed in range(100, 130)]
    found = measure(game)
    told = [found.value(float(np.mean([rewards_of(end)[seat] for end in ends]))) for seat in range(game.seats)]
    assert found.unit in (LEAD, SCORE)
    results = [leads(end) if found.unit == LEAD else np.array(end.scores) for end in ends]
    assert told == pytest.approx(np.mean(results, axis=0))


def test_a_moon_is_told_exactly_too() -> None:
    """No moon was in the deals that the measure was found on."""
    game = fd.load("hearts:passing=false")
    end = finished(game, 0)
    end.data["points"][0] = [0, 26, 0, 0]
    assert end.scores == [26, 0, 26, 26]
    assert [round(measure(game).value(reward), 6) for reward in rewards_of(end)] == pytest.approx(
        [-26 / 3, 26, -26 / 3, -26 / 3]
    )


@pytest.mark.parametrize("name", ["cheat", "magic", "hearts", "sueca"])
@pytest.mark.parametrize("kind", ["pwl", "wl"])
def test_rewards_for_winning_give_the_share_of_wins(name: str, kind: str) -> None:
    game = fd.load(name)
    ends = [finished(game, seed) for seed in range(20)]
    mean = np.mean([rewards(end, kind) for end in ends], axis=0)
    assert [measure(game, kind).value(one) for one in mean] == pytest.approx(np.mean([wins(end) for end in ends], axis=0))


@pytest.mark.parametrize(
    ("name", "kind", "mean", "half", "text"),
    [
        ("hearts", "points", 0.58, 0.01, "4.2 ± 0.5 points ahead"),
        ("hearts", "points", 0.42, None, "4.2 points behind"),
        ("hearts", "wl", 0.22, 0.04, "61 ± 2 % to win"),
        ("cheat", "points", 0.612, 0.004, "61.2 ± 0.4 % to win"),
        (KNAVES, "points", 0.5, None, "-1.5 points"),
        ("hearts", "sd", 0.25, 0.01, "sd reward 0.250 ± 0.010"),
    ],
)
def test_words(name: str, kind: str, mean: float, half: float | None, text: str) -> None:
    assert value_text(fd.load(name), kind, mean, half) == text


def test_what_a_choice_costs_has_the_same_units() -> None:
    assert measure(fd.load("hearts")).cost(0.04, 0.01) == "a lead of 2.1 ± 0.5 points"
    assert measure(fd.load(KNAVES)).cost(0.1) == "1.7 points"
    assert measure(fd.load("hearts"), "wl").cost(0.2) == "10 % of the chance to win"
    assert Measure(REWARD, name="sd").cost(0.1) == "sd reward 0.100"


def test_a_search_that_discounts_expects_at_least_what_it_says() -> None:
    found = measure_of(agent("pmga"), fd.load("cheat"))
    assert found.unit == WIN
    assert found.text(0.41) == "at least 41 % to win"
    assert measure_of(agent("pmga:discount=1"), fd.load("cheat")).text(0.41) == "41 % to win"
    assert measure_of(agent("ismcts:reward=sd"), fd.load("hearts")).unit == REWARD


def test_solved_decisions_are_leads_already() -> None:
    """The sum over the others, where there are several (facedown.search.endgame)."""
    assert measure_of(agent("minimax"), fd.load("sueca"), solved=True).text(12.0) == "12.0 points ahead"
    assert measure_of(agent("minimax"), fd.load("hearts"), solved=True).text(-12.0) == "4.0 points behind"


def test_a_reward_that_follows_no_scale_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.analysis.value.rewards_of", lambda end: np.array(end.scores) ** 2 / 1000)
    assert measure(fd.load("hearts32:moon=false")).text(0.3) == "points reward 0.300"
