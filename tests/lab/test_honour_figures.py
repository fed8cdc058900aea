"""Figures 6.3 to 6.6 of Manzke 2025, from decisions that are made up."""

import pytest

from facedown.lab.experiments.manzke.honour_figures import PUBLISHED, SAMPLED, Decisions
from facedown.training.honour_accuracy import Judged


def decision(trick: int, inferred: float, uniform: float, queen_left: bool = True, known: int = 3) -> Judged:
    return Judged(trick, inferred, uniform, known, queen_left)


@pytest.fixture(scope="module")
def made_up() -> Decisions:
    """Sixteen rounds of four deals: a decision in trick 1, two in trick 2, one late, and one after Q♠."""
    found = []
    for number in range(16):
        late = 0.5 + 0.01 * (number // 4)
        found += [(number, decision(1, 0.1, 0.1)), (number, decision(2, 0.3, 0.2)), (number, decision(2, 0.1, 0.2))]
        found += [(number, decision(8, late, late / 2)), (number, decision(10, 0.9, 0.9, queen_left=False))]
    return Decisions(found, 16)


def test_decisions_are_counted_by_trick_while_the_queen_is_in_the_game(made_up: Decisions) -> None:
    counts = made_up.tables()[0].rows
    assert [row.ours and row.ours.value for row in counts] == [1, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_accuracy_is_the_mean_over_decisions(made_up: Decisions) -> None:
    found = {row.label: row.ours.value for row in made_up.tables()[1].rows if row.ours}
    assert found["trick 2: inferred"] == pytest.approx(0.2)
    assert found["trick 8: uniform"] == pytest.approx(0.2575)
    assert found["while Q♠ is in the game: inferred"] == pytest.approx((0.1 + 0.3 + 0.1 + 0.515) / 4)
    assert found["all decisions: inferred"] == pytest.approx((0.1 + 0.3 + 0.1 + 0.515 + 0.9) / 5)
    assert "trick 10: inferred" not in found


def test_the_truth_is_likelier_where_inference_says_more_than_a_uniform_draw(made_up: Decisions) -> None:
    found = {row.label: row.ours.value for row in made_up.tables()[2].rows if row.ours}
    assert found["trick 1: likelier"] == 0.0
    assert found["trick 2: likelier"] == 0.5
    assert found["trick 8: likelier"] == 1.0


def test_worlds_are_a_thousand_for_each_decision(made_up: Decisions) -> None:
    found = {row.label: row.ours.value for row in made_up.tables()[3].rows if row.ours}
    assert found["all tricks: sampled"] == 4 * SAMPLED
    assert found["trick 2: inferred"] == pytest.approx(0.4 * SAMPLED)
    assert {label for label in PUBLISHED if label.startswith("all tricks")} <= set(found)


def test_decisions_are_numbered_by_their_rounds() -> None:
    first, third = decision(1, 0.1, 0.1), decision(2, 0.3, 0.2)
    decisions = Decisions.of([[first], [], [third, third], []])
    assert decisions.judged == [(0, first), (2, third), (2, third)]
    assert decisions.rounds == 4


def test_decisions_a_round_are_counted_in_three_ways() -> None:
    rounds = [[decision(1, 0.1, 0.1), decision(2, 0.1, 0.1, known=2), decision(9, 0.5, 0.5, queen_left=False)]] * 8
    rows = Decisions.of(rounds).counts()
    assert [row.ours and row.ours.value for row in rows] == [3, 2, 1]
    assert {row.published and row.published.value for row in rows} == {2.61}
    assert all(PUBLISHED[row.label] == row.published for row in rows)


def test_a_ratio_is_that_of_the_sums_and_has_no_spread_where_it_is_always_the_same(made_up: Decisions) -> None:
    ratio = made_up.at(8).ratio()
    assert ratio.value == pytest.approx(2.0)
    assert ratio.high - ratio.low == pytest.approx(0.0, abs=1e-9)
    assert made_up.at(2).ratio().value == pytest.approx(1.0)


def test_claims_follow_from_the_decisions(made_up: Decisions) -> None:
    more = [(0, decision(2, 0.2, 0.2)), (4, decision(1, 0.101, 0.1)), (8, decision(8, 0.6, 0.31))]  # so that deals differ
    verdicts = {claim.text: claim.verdict for claim in Decisions([*made_up.judged, *more], 16).claims()}
    assert verdicts["inference matters less often in the first trick than in the second, decisions a round"] == "confirmed"
    assert verdicts["in the first trick inferred worlds are as right as uniform ones: inferred more"] == "confirmed"
    assert verdicts["from trick 7 on inferred worlds are about twice as right: times"] == "confirmed"
    assert verdicts["even in the first trick inference makes the truth likelier in most decisions"] == "refuted"
    assert Decisions([], 4).claims() == []
