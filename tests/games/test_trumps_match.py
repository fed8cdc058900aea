"""What `reward=match` maximizes in Sueca and Bisca: the chance to win the match, by an exact Markov chain."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import facedown as fd
from facedown.compiler.asking import write_rewards
from facedown.games.trumps.match import CHANCES, FARTHEST, GAMES, chain, chance, read_shares
from facedown.rewards import REWARDS
from facedown.training.match_model import calibration, fit, matches_in
from trump_positions import late


def rewards(totals: tuple[int, int], points: int, game: str = "sueca:match=10", kind: str = "match") -> list[float]:
    """What the seats get when side 0 takes so many card points, in a deal that began at some game points."""
    hands = ["2.-.-.-", "3.-.-.-", "4.-.-.-", "5.-.-.-"][: fd.load(game).seats]
    state = late(game, hands, trump="S", points=(points, 120 - points), totals=totals)
    out = np.zeros(state.game.seats)
    write_rewards(state.data, REWARDS[kind], out)
    return [float(reward) for reward in out]


@pytest.mark.parametrize("game", GAMES)
def test_the_chain_is_what_a_slow_recursion_says(game: str) -> None:
    shares = read_shares(game)["shares"]
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)

    @cache
    def slow(own: int, other: int) -> float:
        """Every deal, drawn ones too: one in ten, which change nothing."""
        if own <= 0:
            return 1.0
        if other <= 0:
            return 0.0
        drawn, sum_of_others = 0.1, 0.0
        for value, share in shares.items():
            sum_of_others += 0.9 * share * 0.5 * slow(own - int(value), other)
            sum_of_others += 0.9 * share * 0.5 * slow(own, other - int(value))
        return sum_of_others / (1 - drawn)

    expected = [[slow(own, other) for other in range(1, 13)] for own in range(1, 13)]
    assert np.allclose(CHANCES[GAMES.index(game), 1:13, 1:13], expected, atol=1e-5)


def test_a_chain_of_single_points_is_pascals_triangle() -> None:
    """Two left against one: one side must win twice."""
    chances = chain({1: 1.0}, 3)
    assert chances[2, 1] == 0.25
    assert chances[1, 2] == 0.75
    assert chances[3, 3] == 0.5


def test_a_side_with_nothing_left_has_won() -> None:
    assert chance(0, 0, 3) == 1
    assert chance(0, 3, -1) == 0


def test_long_matches_are_scaled_to_the_chain() -> None:
    assert chance(0, 4 * FARTHEST, 4 * FARTHEST) == 0.5
    assert 0.5 < chance(0, 4 * FARTHEST, 4 * FARTHEST + 8) < 0.8
    assert chance(0, 2, 5000) > 0.99


@pytest.mark.parametrize("points", [0, 1, 29, 30, 59, 60, 61, 90, 91, 119, 120])
@pytest.mark.parametrize("totals", [(0, 0), (9, 9), (9, 0), (3, 7)])
def test_rewards_lie_between_0_and_1_and_partners_share_them(totals: tuple[int, int], points: int) -> None:
    found = rewards(totals, points)
    assert all(0 <= reward <= 1 for reward in found)
    assert found[:2] == found[2:]
    assert rewards((totals[1], totals[0]), 120 - points)[:2] == pytest.approx(found[1::-1])


def test_one_game_point_is_as_good_as_four_where_it_wins_the_match() -> None:
    assert rewards((9, 5), 61)[0] > 0.99
    assert rewards((9, 5), 120)[0] > rewards((9, 5), 61)[0] > 0.98
    assert rewards((0, 5), 61)[0] < 0.9 * rewards((0, 5), 91)[0]


def test_a_drawn_deal_leaves_the_chance_as_it_was() -> None:
    assert rewards((4, 4), 60) == pytest.approx([0.5] * 4)


def test_more_card_points_decide_between_equal_chances() -> None:
    assert rewards((9, 9), 100)[0] > rewards((9, 9), 61)[0]


def test_a_single_deal_is_a_match_of_its_own() -> None:
    assert rewards((0, 0), 61, "sueca") == [1, 0, 1, 0]
    assert rewards((0, 0), 60, "bisca") == [0.5, 0.5]


def test_bisca_has_matches_too() -> None:
    record = fd.play("bisca:match=2", ["ismcts:iterations=20,reward=match", "random"], seed=1)
    assert max(record.scores) >= 2


def test_a_model_is_fitted_on_recorded_matches(tmp_path: Path) -> None:
    records = [fd.play("sueca:match=10", ["random"] * 4, seed=seed) for seed in range(20)]
    model = fit(matches_in(records[:14]), tmp_path / "match_sueca.json", {})
    assert sum(model["shares"].values()) == pytest.approx(1, abs=1e-5)
    found = calibration(matches_in(records[14:]), model)
    assert found.matches == 6
    assert sum(count for _, _, count in found.table) == found.forecasts
