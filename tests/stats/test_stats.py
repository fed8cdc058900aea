"""Each figure against SciPy, statsmodels and textbook data; each refusal by its message."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from math import inf, nan
from typing import Any

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from facedown.errors import BadData, UnknownName
from facedown.stats import (
    Estimate,
    SequentialTest,
    chi_squared,
    elo_of,
    elo_ratings,
    expected_score,
    holm,
    mean,
    mean_by_deal,
    multiway_anova,
    one_way_anova,
    openskill_ratings,
    paired_difference,
    ratio,
    sprt,
    win_rate,
    win_rate_by_deal,
)
from facedown.stats.ratings import ELO, Sides, _most_likely
from facedown.stats.sequential import LEAST_DEALS

# Hours of sleep gained by ten patients with each of two drugs (Student 1908).
SLEEP_FIRST = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_SECOND = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

# Weights of plants under control and two treatments (Dobson 1983).
PLANTS = {
    "control": [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
    "first": [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
    "second": [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
}

# Breaks of yarn in weaving, by wool and by tension, nine looms each (Tukey 1977).
BREAKS = {
    ("A", "L"): [26, 30, 54, 25, 70, 52, 51, 26, 67],
    ("A", "M"): [18, 21, 29, 17, 12, 18, 35, 30, 36],
    ("A", "H"): [36, 21, 24, 18, 10, 43, 28, 15, 26],
    ("B", "L"): [27, 14, 29, 19, 29, 31, 41, 20, 44],
    ("B", "M"): [42, 26, 19, 16, 39, 28, 21, 39, 29],
    ("B", "H"): [20, 21, 24, 17, 13, 15, 15, 16, 28],
}

# Wins of row over column among seven baseball teams in 1987, and their log strengths (Agresti 1990, section 10.6).
TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
BASEBALL = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]
BASEBALL_STRENGTHS = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0]

FINITE = st.floats(-1e6, 1e6)


def duel(ours: str, theirs: str, wins: int, losses: int = 0, ties: int = 0) -> list[Sides]:
    """So many games between two agents."""
    scores = [1.0] * wins + [0.0] * losses + [0.5] * ties
    return [[(ours, score), (theirs, 1 - score)] for score in scores]


# --- The estimate as text and as data ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(1.273, 0.353, 2.193, 100, "deals"), "+1.27 ± 0.92"),
        (Estimate(-127.3, -162.0, -92.6, 100, "deals"), "-127 ± 35"),
        (Estimate(105_571.0, 82_450.0, 128_692.0, 60, "positions", signed=False), "106,000 ± 23,000"),
        (Estimate(4890.0, 4666.2, 5113.8, 400, "deals"), "+4,890 ± 220"),
        (Estimate(-3.0, -503.0, 497.0, 9, "deals"), "+0 ± 500"),
        (Estimate(4321.0, 4100.0, inf, 9, "deals", signed=False), "4,320 (4,100 to ∞)"),
        (Estimate(4.712, 4.712, 4.712, 1, "count", signed=False), "4.71"),
        (Estimate(0.00123, 0.00103, 0.00143, 100, "deals"), "+0.00123 ± 0.00020"),
        (Estimate(2.0, 2.0, 2.0, 5, "deals"), "+2.00 ± 0.00"),
        (Estimate(-1e-14, -34.0, 34.0, 5, "deals"), "+0 ± 34"),
        (Estimate(1.0, -inf, inf, 1, "deals"), "+1.00 ± ∞"),
        (Estimate(921.4, 577.2, inf, 100, "deals"), "+920 (+580 to +∞)"),
        (Estimate(-3.0, -inf, -1.0, 100, "deals"), "-3.0 (-∞ to -1.0)"),
        (Estimate(0.5, -inf, inf, 1, "people", rate=True), "50.0 % ± ∞"),
        (Estimate(0.637, 0.621, 0.653, 3000, "games", rate=True), "63.7 % (62.1-65.3)"),
        (Estimate(0.637, 0.6361, 0.6379, 10**6, "games", rate=True), "63.700 % (63.610-63.790)"),
        (Estimate(1 / 3, 1 / 3 - 1e-16, 1 / 3 + 1e-16, 5, "deals"), "+0.33 ± 0.00"),
        (Estimate(9.273, 8.353, 10.193, 100, "deals", signed=False), "9.27 ± 0.92"),
        (Estimate(258_000.0, 250_000.0, 270_000.0, 100, "deals", signed=False), "258,000 (250,000 to 270,000)"),
        (Estimate(1.273, 0.353, 2.193, 100, "deals").after_stopping(), "+1.27 ± 0.92, stopped early"),
        (Estimate(0.637, 0.621, 0.653, 3000, "games", rate=True, stopped_early=True), "63.7 % (62.1-65.3), stopped early"),
    ],
)
def test_an_estimate_prints_two_figures_of_its_uncertainty(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text


def test_a_figure_that_cannot_be_below_zero_is_printed_without_a_plus() -> None:
    assert str(mean([8.0, 10.0])) == "+9 ± 13"
    assert str(mean([8.0, 10.0]).unsigned()) == "9 ± 13"
    assert not ratio([8.0, 10.0], [1.0, 2.0]).signed


def test_an_estimate_is_plain_data_with_open_ends_as_none() -> None:
    data = json.loads(json.dumps(mean([3.5]).to_dict(), allow_nan=False))
    assert (data["value"], data["low"], data["high"], data["count"], data["level"]) == (3.5, None, None, 1, 0.95)


def test_importing_the_statistics_imports_no_heavy_library() -> None:
    script = "import sys, facedown.stats; assert not {'scipy', 'statsmodels', 'pandas', 'openskill'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


# --- Means ------------------------------------------------------------------------------------------------------------


@given(st.lists(FINITE, min_size=2, max_size=50))
def test_the_mean_and_its_interval_are_those_of_student(values: list[float]) -> None:
    found = mean(values)
    interval = scipy_stats.ttest_1samp(values, 0).confidence_interval() if np.ptp(values) > 1e-6 else (found.low, found.high)
    assert [found.value, found.low, found.high] == pytest.approx([np.mean(values), *interval], rel=1e-6, abs=1e-6)


def test_a_ratio_is_that_of_the_means_with_the_textbook_error_of_a_ratio_estimate() -> None:
    ours, theirs = np.array([12.0, 7.0, 31.0, 18.0]), np.array([4.0, 3.0, 9.0, 8.0])
    found = ratio(ours, theirs)
    assert found.value == pytest.approx(68 / 24)
    rests = ours - found.value * theirs
    error = np.sqrt(rests @ rests / (len(ours) - 1) / len(ours)) / theirs.mean()
    assert found.high - found.value == pytest.approx(scipy_stats.t.ppf(0.975, 3) * error)
    doubled = ratio([*ours, *ours], [*theirs, *theirs], [*range(4), *range(4)])
    assert (doubled.value, doubled.high, doubled.count) == pytest.approx((found.value, found.high, 4))


def test_the_paired_difference_of_student_himself() -> None:
    found = paired_difference(SLEEP_FIRST, SLEEP_SECOND)
    assert [found.value, found.low, found.high, found.p] == pytest.approx([-1.58, -2.4598858, -0.7001142, 0.00283289])
    assert (found.count, found.unit) == (10, "deals")


@given(st.lists(st.tuples(FINITE, FINITE, FINITE), min_size=2, max_size=30))
def test_with_as_many_games_on_each_deal_the_interval_is_that_of_the_deals_means(deals: list[tuple[float, ...]]) -> None:
    values, labels = np.ravel(deals), np.repeat(np.arange(len(deals)), 3)
    found, expected = mean_by_deal(values, labels), mean(np.mean(deals, axis=1))
    assert [found.value, found.low, found.high] == pytest.approx([expected.value, expected.low, expected.high], abs=1e-6)
    assert (found.count, found.unit) == (len(deals), "deals")


def test_with_unequal_deals_the_error_is_a_little_above_the_sandwich_of_statsmodels() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(200), rng.integers(1, 5, 200))
    values = rng.normal(size=len(labels)) + rng.normal(size=200)[labels]
    sandwich = sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": labels}, use_t=True)
    low, high = sandwich.conf_int()[0]
    found = mean_by_deal(values, labels)
    assert found.value == pytest.approx(sandwich.params[0])
    assert 1 < (found.high - found.low) / (high - low) < 1.02


def test_deals_are_distinguished_by_label_in_any_order() -> None:
    values, labels = [1.0, 2.0, 3.0, 5.0], ["x", "y", "x", "y"]
    assert mean_by_deal(values, labels) == mean_by_deal(values, [7, (1, 2), 7, (1, 2)])
    assert mean_by_deal(values, labels).value == 2.75


def test_differences_on_the_same_deal_are_one_observation() -> None:
    ours, theirs, deals = [3.0, 4.0, 5.0, 9.0], [1.0, 2.0, 4.0, 4.0], [0, 0, 1, 1]
    by_deal = scipy_stats.ttest_1samp([2.0, 3.0], 0)
    assert paired_difference(ours, theirs, deals).p == pytest.approx(by_deal.pvalue)


@pytest.mark.parametrize("ours", [[1.0], [2.0, 2.0]])
def test_without_spread_a_difference_has_no_p(ours: list[float]) -> None:
    assert paired_difference(ours, [1.0] * len(ours)).p is None


# --- Win rates --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(  # Newcombe 1998, table I, method 3
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_win_rate_has_the_interval_of_wilson(wins: int, games: int, low: float, high: float) -> None:
    found = win_rate(wins, games)
    assert [found.value, found.low, found.high] == pytest.approx([wins / games, low, high], abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda games: st.tuples(st.just(games), st.integers(0, games), st.integers(0, games))))
def test_a_tie_is_half_a_win(case: tuple[int, int, int]) -> None:
    games, wins, ties = case
    ties = min(ties, games - wins)
    found = win_rate(wins, games, ties)
    assert (found.low, found.high) == pytest.approx(proportion_confint(wins + ties / 2, games, method="wilson"), abs=1e-12)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_one_game_on_each_deal_gives_nearly_the_rate_over_games() -> None:
    scores = [1.0] * 120 + [0.0] * 80
    by_deal, by_game = win_rate_by_deal(scores, range(200)), win_rate(120, 200)
    assert (by_deal.low, by_deal.high) == pytest.approx((by_game.low, by_game.high), abs=0.002)


def test_playing_each_deal_four_times_alike_narrows_nothing() -> None:
    scores = [1.0] * 120 + [0.0] * 80
    once, repeated = win_rate_by_deal(scores, range(200)), win_rate_by_deal(scores * 4, [*range(200)] * 4)
    assert (once.low, once.high) == pytest.approx((repeated.low, repeated.high))


def test_deals_won_from_both_seats_count_for_more_than_as_many_games() -> None:
    scores = [1.0, 0.0] * 80 + [1.0, 1.0] * 15 + [0.0, 0.0] * 5
    by_deal, by_game = win_rate_by_deal(scores, np.repeat(range(100), 2)), win_rate(110, 200)
    assert by_deal.value == by_game.value
    assert by_deal.high - by_deal.low < 0.7 * (by_game.high - by_game.low)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_where_all_deals_came_out_alike_each_stands_for_one_game(score: float) -> None:
    found = win_rate_by_deal([score] * 80, np.repeat(range(20), 4))
    low, high = proportion_confint(score * 20, 20, method="wilson")
    assert found.low <= low + 1e-12
    assert found.high >= high - 1e-12
    assert found.high - found.low < 1.2 * (high - low)


def test_one_deal_says_nothing_of_the_rate() -> None:
    assert (win_rate_by_deal([1.0, 0.0], [3, 3]).low, win_rate_by_deal([1.0, 0.0], [3, 3]).high) == (0, 1)


# --- Ratings ----------------------------------------------------------------------------------------------------------


def test_the_most_likely_strengths_are_those_of_the_textbook() -> None:
    strengths = _most_likely(np.array(BASEBALL, dtype=float))
    assert list(strengths - strengths[-1]) == pytest.approx(BASEBALL_STRENGTHS, abs=0.006)


def test_the_prior_moves_ratings_by_a_deal_in_as_many_as_were_played() -> None:
    games = [game for a, b in product(range(7), repeat=2) for game in duel(TEAMS[a], TEAMS[b], BASEBALL[a][b])]
    ratings = elo_ratings(games, anchor="Baltimore")
    assert list(ratings.elo) == TEAMS
    for team, strength in zip(TEAMS, BASEBALL_STRENGTHS, strict=True):
        assert ratings.elo[team].value == pytest.approx(strength * ELO, rel=0.1)


def test_two_agents_differ_by_the_elo_of_their_score() -> None:
    ratings = elo_ratings(duel("a", "b", wins=6_000, losses=3_000, ties=1_000))
    assert ratings.difference("a", "b").value == pytest.approx(elo_of(0.65), abs=0.02)
    assert ratings.elo["a"].value == pytest.approx(-ratings.elo["b"].value) == pytest.approx(elo_of(0.65) / 2, abs=0.01)
    assert (ratings.elo["a"].count, ratings.elo["a"].unit) == (10_000, "deals")


def test_the_intervals_of_ratings_are_those_of_a_clustered_regression() -> None:
    rng = np.random.default_rng(3)
    names, strengths = ["a", "b", "c"], np.array([0.0, 0.5, 1.0])
    games: list[Sides] = []
    rows, won, deals = [], [], []
    for deal in range(500):
        luck = rng.normal(size=3)
        for one, other in [(0, 1), (1, 2), (0, 2)] * 2:
            score = float(rng.random() < 1 / (1 + np.exp((strengths + luck)[other] - (strengths + luck)[one])))
            games.append([(names[one], score), (names[other], 1 - score)])
            rows.append(np.eye(3)[one] - np.eye(3)[other])
            won.append(score)
            deals.append(deal)
    regression = sm.GLM(won, np.array(rows)[:, 1:], family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(deals)}
    )
    ratings = elo_ratings(games, deals, anchor="a")
    for name, strength, error in zip("bc", regression.params, regression.bse, strict=True):
        found = ratings.elo[name]
        assert found.value == pytest.approx(ELO * strength, rel=0.01)
        assert (found.high - found.low) / 2 == pytest.approx(scipy_stats.t.ppf(0.975, 499) * ELO * error, rel=0.01)
        assert ratings.difference(name, "a").value == pytest.approx(found.value)
    assert (ratings.elo["a"].low, ratings.elo["a"].value, ratings.elo["a"].high) == (0, 0, 0)


def test_a_game_of_four_is_its_six_pairs_and_an_agent_does_not_meet_itself() -> None:
    table: Sides = [("a", 0.0), ("b", -3.0), ("b", -10.0), ("a", -13.0)]
    pairs = [*duel("a", "b", wins=2), *duel("b", "a", wins=2)]
    assert elo_ratings([table] * 50, range(50)).elo == elo_ratings(pairs * 50, np.repeat(range(50), 4)).elo


def test_deals_played_alike_many_times_give_the_same_ratings_as_played_once() -> None:
    games = [*duel("a", "b", wins=30, losses=20), *duel("b", "c", wins=25, losses=25)]
    once, often = elo_ratings(games, range(100)), elo_ratings(games * 6, [*range(100)] * 6)
    for name, rating in once.elo.items():
        assert [rating.value, rating.low, rating.high] == pytest.approx(
            [often.elo[name].value, often.elo[name].low, often.elo[name].high], abs=1e-3
        )


def test_an_agent_that_won_everything_has_no_upper_end() -> None:
    games = [*duel("a", "b", wins=60, losses=40), *duel("champion", "a", wins=100), *duel("b", "beginner", wins=100)]
    ratings = elo_ratings(games)
    assert ratings.compared == ["a", "b"]
    assert ratings.elo["a"].value == -ratings.elo["b"].value
    champion, beginner = ratings.elo["champion"], ratings.elo["beginner"]
    assert champion.high == inf
    assert beginner.low == -inf
    # A hundred wins in a row exclude a share of less than 96.4 % (0.025 ** 0.01).
    assert ratings.difference("champion", "a").low == pytest.approx(elo_of(0.025**0.01), abs=30)
    assert ratings.difference("champion", "beginner").high == inf
    assert beginner.high < ratings.elo["b"].low


def test_where_one_agent_always_wins_the_first_is_zero() -> None:
    ratings = elo_ratings(duel("a", "b", wins=100))
    assert (ratings.compared, ratings.elo["a"].value, ratings.elo["b"].low) == (["a"], 0, -inf)
    assert str(ratings.elo["b"]).startswith("-920 (-∞ to -57")


def test_one_deal_rates_nobody_but_the_anchor() -> None:
    ratings = elo_ratings(duel("a", "b", wins=2, losses=1), [1, 1, 1], anchor="b")
    assert str(ratings.elo["b"]) == "+0.00 ± 0.00"
    assert (ratings.elo["a"].low, ratings.elo["a"].high) == (-inf, inf)


def test_elo_and_expected_score_undo_each_other() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(-123.0)) == pytest.approx(-123)


def test_openskill_is_that_of_the_library() -> None:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = {name: model.rating() for name in "abcd"}
    games: list[Sides] = [[("a", 5.0), ("b", 2.0), ("c", 2.0), ("d", -1.0)], [("b", 3.0), ("a", 1.0)]]
    for game in games:
        rated = model.rate([[ratings[name]] for name, _ in game], scores=[score for _, score in game])
        ratings.update({name: side[0] for (name, _), side in zip(game, rated, strict=True)})
    found = openskill_ratings(games)
    for name, rating in ratings.items():
        assert [found[name].mu, found[name].sigma] == pytest.approx([rating.mu, rating.sigma])
    assert list(found) == sorted(found, key=lambda name: -found[name].ordinal)
    assert json.loads(json.dumps(found["d"].to_dict())) == found["d"].to_dict()


def test_openskill_takes_an_agent_in_several_seats() -> None:
    game: Sides = [("a", 3.0), ("a", 2.0), ("b", 1.0), ("b", 0.0)]
    found = openskill_ratings([game] * 20)
    assert found["a"].mu > 25 > found["b"].mu
    assert found["a"].sigma < 25 / 3
    assert str(found["a"]).startswith(f"{found['a'].mu:.1f} (sigma ")


# --- The sequential test ----------------------------------------------------------------------------------------------


def test_the_ratio_is_that_of_the_best_normal_distributions() -> None:
    scores = np.random.default_rng(4).normal(1, 3, 25)
    test = SequentialTest(0, 2)
    for score in scores:
        test.add(score)
    likelihoods = [
        scipy_stats.norm.logpdf(scores, center, np.sqrt(np.mean((scores - center) ** 2))).sum() for center in (0, 2)
    ]
    assert test.llr == pytest.approx(likelihoods[1] - likelihoods[0])
    assert [test.estimate.value, test.estimate.low, test.estimate.high] == pytest.approx(
        [mean(scores).value, mean(scores).low, mean(scores).high]
    )


def test_over_many_deals_the_ratio_is_the_one_of_engine_testing() -> None:
    scores = np.repeat([0, 0.25, 0.5, 0.75, 1], [100, 450, 1900, 470, 120])
    test = sprt(0, 10)
    for score in np.random.default_rng(5).permutation(scores):
        test.add(score) if test.verdict is None else None
    low, high = expected_score(0), expected_score(10)
    seen, spread = test.estimate.value, ((test.estimate.high - test.estimate.low) / 2) ** 2
    variance = spread / scipy_stats.t.ppf(0.975, test.deals - 1) ** 2
    assert test.llr == pytest.approx((high - low) * (2 * seen - low - high) / (2 * variance), rel=0.01)


def test_bounds_are_those_of_wald() -> None:
    assert sprt(0, 10).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert SequentialTest(0, 1, alpha=0.01, beta=0.1).bounds == pytest.approx((np.log(0.1 / 0.99), np.log(0.9 / 0.01)))


@pytest.mark.parametrize(("score", "verdict"), [(0.9, "accept H1"), (0.1, "accept H0")])
def test_the_verdict_waits_for_a_few_deals_and_marks_the_estimate(score: float, verdict: str) -> None:
    test = SequentialTest(0, 1)
    verdicts = [test.add(score + step) for step in [0.2, -0.2] * (LEAST_DEALS // 2)]
    assert verdicts == [None] * (LEAST_DEALS - 1) + [verdict]
    assert str(test.estimate).endswith(", stopped early")
    with pytest.raises(BadData, match=f"no more deals after the verdict, {verdict} at deal {LEAST_DEALS}, got 3"):
        test.add(3)


@pytest.mark.parametrize(("score", "llr"), [(0, -inf), (1, inf), (0.5, 0)])
def test_scores_that_are_all_the_same_are_judged_by_distance(score: float, llr: float) -> None:
    test = SequentialTest(0, 1)
    assert test.llr == 0
    test.add(score)
    assert (test.llr, test.estimate.stopped_early, test.estimate.high) == (llr, False, inf)


def test_a_deal_without_a_score_leaves_the_test_as_it_was() -> None:
    test = SequentialTest(0, 1)
    with pytest.raises(BadData, match="expected a finite score, got nan"):
        test.add(nan)
    assert test.deals == 0


# --- Counts and groups ------------------------------------------------------------------------------------------------


def test_the_peas_of_mendel() -> None:
    found = chi_squared([315, 108, 101, 32], np.array([9, 3, 3, 1]) / 16 * 556)
    assert [found.statistic, found.degrees, found.p] == pytest.approx([0.470024, 3, 0.925426], abs=1e-6)
    assert str(found) == "chi-squared 0.47, 3 df, p 0.925"


def test_counts_are_expected_to_be_equal_by_default() -> None:
    assert chi_squared([16, 18, 16, 14, 12, 12]).p == pytest.approx(scipy_stats.chisquare([16, 18, 16, 14, 12, 12]).pvalue)


def test_a_table_is_tested_for_independence() -> None:
    table = [[90, 60, 104, 95], [30, 50, 51, 20], [30, 40, 45, 35]]
    found = chi_squared(table)
    assert [found.statistic, found.degrees] == pytest.approx([24.5712, 6], abs=1e-4)
    assert found.to_dict()["p"] == pytest.approx(scipy_stats.chi2_contingency(table).pvalue)


def test_a_test_of_few_counts_says_so() -> None:
    assert str(chi_squared([3, 1])).endswith("unsafe: only 2.0 expected in a cell")


def test_one_way_anova_of_the_textbook() -> None:
    row, residual = one_way_anova(PLANTS).rows
    assert [row.degrees, row.squares, row.f, row.p] == pytest.approx([2, 3.76634, 4.846088, 0.01590996], rel=1e-5)
    assert [residual.degrees, residual.squares] == pytest.approx([27, 10.49209])
    assert [row.eta_squared, row.partial_eta_squared] == pytest.approx([0.2641, 0.2641], abs=1e-4)
    assert one_way_anova(list(PLANTS.values())).rows[0].p == pytest.approx(scipy_stats.f_oneway(*PLANTS.values()).pvalue)


def test_two_way_anova_of_the_textbook() -> None:
    values = np.ravel(list(BREAKS.values()))
    wool, tension = (np.repeat([key[place] for key in BREAKS], 9) for place in (0, 1))
    table = multiway_anova(values, {"wool": wool, "tension": tension})
    expected = {
        "wool": (1, 450.67, 3.765, 0.0582130),
        "tension": (2, 2034.26, 8.498, 0.0006926),
        "wool x tension": (2, 1002.78, 4.189, 0.0210442),
    }
    for factor, figures in expected.items():
        row = table[factor]
        assert [row.degrees, row.squares, row.f, row.p] == pytest.approx(figures, rel=2e-4)
        assert row.partial_eta_squared == pytest.approx(figures[1] / (figures[1] + 5745.11), rel=1e-4)
    assert [table["residual"].degrees, table["residual"].squares] == pytest.approx([48, 5745.11], abs=0.01)
    assert [row.factor for row in multiway_anova(values, {"wool": wool, "tension": tension}, interactions=1).rows] == [
        "wool",
        "tension",
        "residual",
    ]
    assert "wool                1       450.7      3.77     0.058  0.049" in str(table).splitlines()
    assert json.loads(json.dumps(table.to_dict()))["rows"][3]["f"] is None


def test_unequal_groups_give_the_same_table_in_any_order_of_factors() -> None:
    rng = np.random.default_rng(6)
    one, other = rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    values = rng.normal(size=60) + one + other
    first, second = (multiway_anova(values, factors) for factors in ({"a": one, "b": other}, {"b": other, "a": one}))
    for factor in "ab":
        assert first[factor].squares == pytest.approx(second[factor].squares)


def test_numbers_as_levels_are_names_not_quantities() -> None:
    levels = [100, 1_000, 10_000] * 10
    assert multiway_anova(np.random.default_rng(7).normal(size=30), {"iterations": levels}).rows[0].degrees == 2


@pytest.mark.parametrize("count", [1, 2, 6, 45])
def test_holm_is_that_of_statsmodels(count: int) -> None:
    p_values = np.random.default_rng(count).random(count) ** 3
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_of_a_round_robin() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


# --- Refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mean([]), "expected at least one of the values, got none"),
        (lambda: mean([1, nan]), "expected finite values, got nan at place 1"),
        (lambda: mean(np.ones((1, 2))), r"expected one row of values, got an array of shape \(1, 2\)"),
        (lambda: mean(np.array(["x"])), r"expected numbers as values, got array\(\['x'\]"),
        (lambda: mean_by_deal([1, 2], [1]), "expected 2 deals, one for each value, got 1"),
        (lambda: ratio([1, 2], [1]), "expected 2 values to compare with, got 1"),
        (lambda: ratio([1, 2], [1, -1]), "expected values to divide by, got a mean of 0"),
        (lambda: paired_difference([1, 2], [1]), "expected 2 values to compare with, got 1"),
        (lambda: paired_difference([1, 2], [1, 2], [1]), "expected 2 deals, one for each pair, got 1"),
        (lambda: win_rate(0, 0), "expected at least one game, got 0"),
        (lambda: win_rate(3, 4, 2), "expected wins and ties between 0 and 4 games, got 3 and 2"),
        (lambda: win_rate(nan, 4), "expected wins and ties between 0 and 4 games, got nan and 0"),
        (lambda: win_rate_by_deal([0, 2], [1, 2]), "expected scores from 0 to 1, got 0 to 2"),
        (lambda: win_rate_by_deal([0, 1], [1]), "expected 2 deals, one for each score, got 1"),
        (lambda: elo_of(1), "expected a score between 0 and 1, got 1"),
        (lambda: elo_ratings([]), "expected at least one game, got none"),
        (lambda: elo_ratings([[("a", 1)]]), "expected at least two sides in a game, got 1"),
        (lambda: elo_ratings([[("a", 1), ("a", 0)]]), "expected games between at least two agents, got only 'a'"),
        (lambda: elo_ratings([[("a", 1), ("b", nan)]]), "expected finite scores, got {'a': 1, 'b': nan}"),
        (lambda: elo_ratings(duel("a", "b", 1), [1, 2]), "expected 1 deals, one for each game, got 2"),
        (
            lambda: elo_ratings([*duel("a", "b", 1), *duel("c", "d", 1)]),
            "expected games that connect all agents, got none between 'a' and 'c', not even through others",
        ),
        (lambda: elo_ratings(duel("a", "b", 1, 1)).difference("a", "a"), "expected two agents, got 'a' twice"),
        (lambda: openskill_ratings([[("a", 1)]]), "expected at least two sides in a game, got 1"),
        (lambda: SequentialTest(1, 1), "expected two means that differ, got 1 twice"),
        (lambda: SequentialTest(0, inf), "expected finite means, got inf at place 1"),
        (lambda: sprt(0, 5, alpha=0.7), "expected alpha and beta between 0 and 0.5, got 0.7 and 0.05"),
        (lambda: SequentialTest(0, 1).estimate, "expected at least one deal, got none"),
        (lambda: chi_squared([5]), r"expected at least two observed counts in each direction, got an array of shape \(1,\)"),
        (lambda: chi_squared([5, -1]), r"expected observed counts of 0 or more, and not all 0, got \[5.0, -1.0\]"),
        (lambda: chi_squared([[1, 2], [3]]), r"expected a row or table of observed counts, got \[\[1, 2\], \[3\]\]"),
        (lambda: chi_squared([5, 5], [5, 6]), "expected counts that sum to 10, got 11"),
        (lambda: chi_squared([5, 5], [10, 0]), "expected more than 0 in every cell, got 0"),
        (lambda: chi_squared([5, 5], [5, 3, 2]), "expected 2 expected counts, got 3"),
        (lambda: chi_squared([[1, 2], [3, 4]], [5, 5]), "expected counts go with a row, got a table"),
        (lambda: chi_squared([[1, 0], [3, 0]]), "expected a count in every row and column, got none in one"),
        (lambda: one_way_anova([[1, 2]]), "expected at least two groups, got 1"),
        (lambda: one_way_anova([[1, 2], []]), "expected at least one of the values of a group, got none"),
        (lambda: one_way_anova([[1], [2]]), "expected more values than the 2 to be fitted, got 2"),
        (lambda: one_way_anova([[1, 1], [2, 2]]), "expected values that differ within their groups, got the same ones"),
        (lambda: multiway_anova([1, 2], {}), "expected at least one factor, got none"),
        (lambda: multiway_anova([1, 2], {"a": [1]}), "expected 2 levels of a, one for each value, got 1"),
        (lambda: multiway_anova([1, 2], {"a": [1, 1]}), "expected at least two levels of a, got 1"),
        (lambda: multiway_anova([1, 2], {"a": [1, 2]}, 3), "expected interactions of 1 to 1 factors, got 3"),
        (
            lambda: multiway_anova([1, 2, 3, 5], {"a": [1, 1, 2, 2], "b": [1, 1, 2, 2]}, 1),
            "expected values for every combination of factors, got some empty or factors that go together",
        ),
        (lambda: holm([0.5, 1.5]), "expected p values from 0 to 1, got 0.5 to 1.5"),
        (lambda: holm([]), "expected at least one of the p values, got none"),
    ],
)
def test_bad_numbers_are_answered_with_what_was_expected(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(BadData, match=message):
        call()


def test_an_unknown_agent_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="unknown agent 'c'; known: a, b"):
        elo_ratings(duel("a", "b", 2, 1), anchor="c")
