"""Intervals cover the truth as often as they say, and tests err as seldom: by simulation, where the truth is known.

On each deal luck is shared by its games, so that intervals that count games are too narrow; these are tried too.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr

from facedown.stats import (
    Estimate,
    SequentialTest,
    elo_ratings,
    expected_score,
    mean,
    mean_by_deal,
    paired_difference,
    sprt,
    win_rate,
    win_rate_by_deal,
)
from facedown.stats.ratings import ELO, Sides

Floats: TypeAlias = NDArray[Any]

TRIALS = 2_000
TOLERANCE = 4 * sqrt(0.95 * 0.05 / TRIALS)  # four standard errors of a share seen in that many trials: 0.0195
LUCK = 0.75  # correlation between games on the same deal


def shared_luck(rng: Generator, deals: int, games: int, sides: int = 1) -> Floats:
    """Normal numbers [deal, game, side], correlated over the games of a deal."""
    own, shared = rng.normal(size=(deals, games, sides)), rng.normal(size=(deals, 1, sides))
    return sqrt(LUCK) * shared + sqrt(1 - LUCK) * own


def coverage(truth: float, estimates: Sequence[Estimate]) -> float:
    return float(np.mean([estimate.low <= truth <= estimate.high for estimate in estimates]))


def covers(truth: float, estimate: Callable[[Generator], Estimate], seed: int = 1) -> float:
    """How often an estimate's interval covers the truth."""
    rng = np.random.default_rng(seed)
    return coverage(truth, [estimate(rng) for _ in range(TRIALS)])


def honest(share: float) -> bool:
    return abs(share - 0.95) <= TOLERANCE


# --- Means ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [5, 40])
def test_the_interval_of_a_mean_over_deals_is_honest_and_over_games_it_is_not(deals: int) -> None:
    labels = np.repeat(np.arange(deals), 4)

    def scores(rng: Generator) -> Floats:
        return 3 + 5 * shared_luck(rng, deals, 4).ravel()

    assert honest(covers(3, lambda rng: mean_by_deal(scores(rng), labels)))
    assert covers(3, lambda rng: mean(scores(rng))) < 0.82


def test_the_interval_of_a_mean_is_honest_with_unequal_numbers_of_games() -> None:
    labels = np.repeat(np.arange(12), [1, 1, 1, 2, 2, 2, 3, 4, 4, 6, 6, 8])

    def scores(rng: Generator) -> Floats:
        luck: Floats = rng.normal(3, 5, 12)
        return luck[labels] + rng.normal(0, 5, len(labels))

    assert honest(covers(3, lambda rng: mean_by_deal(scores(rng), labels)))


def test_the_paired_difference_is_honest_and_narrower_than_unpaired_means() -> None:
    labels, widths = np.repeat(np.arange(30), 2), []

    def difference(rng: Generator) -> Estimate:
        cards = rng.normal(0, 6, 30)[labels]  # good cards are good for either agent
        found = paired_difference(cards + rng.normal(1, 2, 60), cards + rng.normal(0, 2, 60), labels)
        widths.append(found.high - found.low)
        return found

    assert honest(covers(1, difference))
    unpaired = mean(np.random.default_rng(2).normal(0, 6, 30))
    assert np.mean(widths) < 0.5 * (unpaired.high - unpaired.low)


# --- Win rates --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chance", [0.5, 0.9])
def test_the_interval_of_a_win_rate_over_deals_is_honest_and_over_games_it_is_not(chance: float) -> None:
    labels = np.repeat(np.arange(60), 4)

    def wins(rng: Generator) -> Floats:
        return np.ravel(ndtr(shared_luck(rng, 60, 4)) < chance)

    assert honest(covers(chance, lambda rng: win_rate_by_deal(wins(rng), labels)))
    assert covers(chance, lambda rng: win_rate(wins(rng).sum(), 240)) < 0.87


def test_the_interval_of_a_win_rate_is_honest_where_cards_decide_and_seats_are_turned() -> None:
    outcomes = [[0, 0], [0, 1], [1, 1]]  # of the two games of a deal
    labels = np.repeat(np.arange(100), 2)

    def games(rng: Generator) -> Floats:
        return np.array(outcomes)[rng.choice(3, p=[0.1, 0.7, 0.2], size=100)].ravel()

    assert honest(covers(0.55, lambda rng: win_rate_by_deal(games(rng), labels)))
    assert covers(0.55, lambda rng: win_rate(games(rng).sum(), 200)) > 0.98  # too wide: pairing has been wasted


@pytest.mark.parametrize("chance", [0.5, 0.9])
def test_the_interval_of_a_win_rate_over_games_of_their_own_deals_is_honest(chance: float) -> None:
    assert honest(covers(chance, lambda rng: win_rate(rng.binomial(200, chance), 200)))


def test_with_ties_the_interval_of_a_win_rate_is_too_wide_never_too_narrow() -> None:
    def rate(rng: Generator) -> Estimate:
        wins, ties, _ = rng.multinomial(200, [0.4, 0.3, 0.3])
        return win_rate(wins, 200, ties)

    assert covers(0.55, rate) > 0.95


# --- Elo --------------------------------------------------------------------------------------------------------------


def duels(rng: Generator, strengths: Floats, deals: int, games: int) -> tuple[list[Sides], list[int]]:
    """Every two agents on every deal, so often; each game by the Bradley-Terry model, those of a deal alike in luck."""
    results: list[Sides] = []
    for one in range(len(strengths)):
        for other in range(one):
            luck = ndtr(shared_luck(rng, deals, games)).ravel()
            won = luck < expected_score(strengths[one] - strengths[other])
            results += [[(str(one), win), (str(other), 1 - win)] for win in won.tolist()]
    pairs = len(strengths) * (len(strengths) - 1) // 2
    return results, np.repeat(np.arange(deals), games).tolist() * pairs


def tables(rng: Generator, strengths: Floats, deals: int, games: int) -> tuple[list[Sides], list[int]]:
    """All agents at one table, so often on every deal; each ranking by the Plackett-Luce model."""
    noise = -np.log(-np.log(ndtr(shared_luck(rng, deals, games, len(strengths)))))
    scores = (strengths / ELO + noise).reshape(-1, len(strengths))
    names = [str(agent) for agent in range(len(strengths))]
    return [list(zip(names, row, strict=True)) for row in scores.tolist()], np.repeat(np.arange(deals), games).tolist()


@pytest.mark.parametrize("play", [duels, tables])
def test_the_intervals_of_elo_over_deals_are_honest_and_over_games_they_are_not(
    play: Callable[[Generator, Floats, int, int], tuple[list[Sides], list[int]]],
) -> None:
    strengths = np.array([-90.0, 0.0, 90.0])
    rng = np.random.default_rng(7)
    by_deal, by_game, differences = [], [], []
    for trial in range(TRIALS):
        games, deals = play(rng, strengths, 15, 3)
        ratings = elo_ratings(games, deals)
        by_deal.append(ratings.elo["2"])
        differences.append(ratings.difference("2", "0"))
        if trial % 10 == 0:
            by_game.append(elo_ratings(games).elo["2"])
    assert honest(coverage(90, by_deal))
    assert honest(coverage(180, differences))
    assert coverage(90, by_game) < 0.9
    assert np.mean([rating.value for rating in by_deal]) == pytest.approx(90, abs=4)


# --- The sequential test ----------------------------------------------------------------------------------------------


def errors(test: Callable[[], SequentialTest], scores: Callable[[Generator], Floats], wrong: str) -> float:
    """How often a test comes to the wrong verdict."""
    rng = np.random.default_rng(8)
    verdicts = []
    for _ in range(TRIALS):
        running = test()
        while not running.verdict:
            for score in scores(rng).tolist():
                if running.add(score):
                    break
        verdicts.append(running.verdict == wrong)
    return float(np.mean(verdicts))


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "accept H1"), (1.0, "accept H0")])
def test_the_sequential_test_of_points_errs_no_more_often_than_asked(truth: float, wrong: str) -> None:
    share = errors(lambda: SequentialTest(0, 1), lambda rng: rng.normal(truth, 4, 200), wrong)
    assert 0.02 < share < 0.05 + TOLERANCE


@pytest.mark.parametrize(("elo", "wrong"), [(0, "accept H1"), (40, "accept H0")])
def test_the_sequential_test_of_elo_errs_no_more_often_than_asked(elo: float, wrong: str) -> None:
    outcomes = np.array([0, 0.25, 0.5, 0.75, 1])  # of a deal played from both sides, with ties
    lean = (expected_score(elo) - 0.5) / 1.5
    chances = np.array([0.1, 0.2, 0.4, 0.2, 0.1]) + lean * np.array([-1, -1, 0, 1, 1])
    assert outcomes @ chances == pytest.approx(expected_score(elo))
    share = errors(lambda: sprt(0, 40), lambda rng: rng.choice(outcomes, 100, p=chances), wrong)
    assert 0.02 < share < 0.05 + TOLERANCE


def test_an_interval_after_stopping_misses_the_truth_more_often_and_says_so() -> None:
    rng = np.random.default_rng(9)
    estimates = []
    for _ in range(TRIALS):
        test = SequentialTest(0, 1)
        while not test.verdict:
            test.add(rng.normal(1, 4))
        estimates.append(test.estimate)
    assert all(estimate.stopped_early for estimate in estimates)
    assert coverage(1, estimates) < 0.95 - TOLERANCE
    assert np.mean([estimate.value for estimate in estimates]) > 1.1
