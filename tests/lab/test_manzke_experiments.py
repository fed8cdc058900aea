"""The experiments of Manzke 2025: printed moons, and other readings of the depths of searches."""

from itertools import islice

import numpy as np
import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.lab.experiments import ExperimentSettings, Lab, experiment
from facedown.lab.experiments.manzke import hearts_inference, hearts_transpositions
from facedown.lab.experiments.manzke.depth_readings import (
    AS_HERE,
    BEYOND,
    ITERATIONS_TO_9,
    READINGS,
    Measured,
    Reading,
    budgets_of,
    depth_of,
    in_each,
    iterations_to,
    missed_by,
    note_of,
    refuted,
    tables_of,
)
from facedown.lab.experiments.manzke.hearts_moons import gap
from facedown.lab.experiments.manzke.hearts_places import moons_printed
from facedown.lab.experiments.manzke.hearts_transpositions import GRAPH, TREE
from facedown.lab.experiments.published import half_of_mean, half_of_share
from facedown.stats import Estimate, paired_difference

LAST, FRESH = "the last action of a path does not count", "ISMCTS draws a world for each iteration"


def test_a_gap_has_its_spread_over_deals_however_many_positions_each_has() -> None:
    values, moons = np.array([0.2, 0.4, 0.6, 0.7, 0.9]), np.array([True, True, False, False, False])
    one = gap(values, moons, np.arange(5))
    again = gap(np.repeat(values, 3), np.repeat(moons, 3), np.repeat(np.arange(5), 3))
    assert one.value == pytest.approx(again.value) == pytest.approx(2.2 / 3 - 0.3)
    assert one.high - one.value == pytest.approx(again.high - again.value, rel=0.01)
    assert (one.count, again.count, one.unit) == (5, 5, "deals")


def test_a_gap_of_positions_that_share_their_deals_is_that_of_paired_differences() -> None:
    moons, deals = np.array([True, False] * 4), np.repeat(np.arange(4), 2)
    values = np.array([0.1, 0.5, 0.2, 0.8, 0.3, 0.6, 0.1, 0.9])
    assert gap(values, moons, deals).low == pytest.approx(paired_difference(values[1::2], values[::2]).low)


def figure(value: float, half: float, rate: bool = False) -> Estimate:
    return Estimate(value, value - half, value + half, 60, "positions", rate=rate)


def found(share: float, graph: float, tree: float) -> Measured:
    return Measured(figure(share, 0.01, rate=True), {GRAPH: figure(graph, 100), TREE: figure(tree, 1000)})


# --- Printed moons ----------------------------------------------------------------------------------------------------


def test_printed_moons_have_the_interval_of_their_number_of_rounds() -> None:
    printed = moons_printed(105, 4000)
    assert printed.value == 0.02625
    assert printed.half == pytest.approx(1.96 * (0.02625 * 0.97375 / 4000) ** 0.5)
    assert str(printed) == "2.6 % (105 of 4,000)"
    assert moons_printed(280, 10_000).half == pytest.approx(0.003233, abs=1e-6)


def test_the_spread_of_a_printed_figure_follows_from_its_observations() -> None:
    assert half_of_mean(18.0, 900) == pytest.approx(1.96 * 18 / 30)
    assert half_of_share(0.5, 100) == pytest.approx(0.098)
    assert half_of_share(0.0, 100) == 0.0


def test_all_printed_moons_have_an_interval() -> None:
    for one in (hearts_transpositions, hearts_inference):
        moons = [printed for label, printed in one.PUBLISHED.items() if printed.rate and "honours" not in label]
        assert len([printed for printed in moons if printed.half]) in (10, 12)


# --- Readings ---------------------------------------------------------------------------------------------------------


def test_a_reading_changes_what_it_says_and_nothing_else() -> None:
    assert READINGS[AS_HERE].player("ismcts", 50) == "ismcts:iterations=50,exploration=0.9,worlds=1000"
    assert READINGS[FRESH].player("ismcts", 50) == "ismcts:iterations=50,exploration=0.9,worlds=0"
    scaled = READINGS["c for the rewards of eq. 4.1 as they are, -78 to 78"]
    assert scaled.player("ismcts-t", 50) == "ismcts-t:iterations=50,exploration=0.00576923,worlds=1000"


def test_the_nearest_reading_is_the_one_that_misses_the_printed_figures_least() -> None:
    right = found(0.068, 4300, 258_000)
    here = found(0.136, 2150, 129_000)
    assert missed_by(right, here) == pytest.approx(1.0)
    assert missed_by(here, here) == pytest.approx(2.0)
    note = note_of({AS_HERE: here, LAST: right})
    assert note.startswith(f"Nearest to the three printed figures: {LAST}. ")
    assert f"{LAST} 1.0; {AS_HERE} 2.0." in note
    assert note.endswith(f"Readings of which no figure is refuted: {LAST}.")
    assert note_of({AS_HERE: here}).endswith("no figure is refuted: none.")


def test_what_a_reading_does_not_concern_is_as_here() -> None:
    here = found(0.068, 4300, 129_000)
    only_tree = Measured(None, {TREE: figure(258_000, 1000)})
    assert missed_by(only_tree, here) == pytest.approx(1.0)
    assert refuted(here, here)
    assert not refuted(only_tree, here)
    share, graph, tree = tables_of({AS_HERE: here, FRESH: only_tree}, 9)
    assert [row.label for row in tree.rows] == [f"{AS_HERE}: iterations", f"{FRESH}: iterations"]
    assert [len(share.rows), len(graph.rows)] == [1, 1]
    assert [table.rows[0].published for table in (share, graph, tree)] == [BEYOND, *ITERATIONS_TO_9.values()]


def test_no_search_at_all_counts_as_half_a_search() -> None:
    none = Measured(Estimate(0.0, 0.0, 0.06, 60, "positions", rate=True), found(0.068, 4300, 258_000).budgets)
    assert missed_by(none, none) == pytest.approx((0.068 / (0.5 / 60)) ** (1 / 3))


@pytest.fixture(scope="module")
def views() -> list[fd.View]:
    """A position with a choice."""
    state = fd.load("hearts:passing=hold").deal(seed=3)
    while len(state.legal) < 2:
        state.play(state.legal[0])
    return [state.view(state.seat or 0)]


@pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")
def test_a_depth_without_the_last_action_is_reached_when_the_next_one_is(views: list[fd.View]) -> None:
    whole = iterations_to("ismcts-t", 5, READINGS[AS_HERE], views[0])
    assert iterations_to("ismcts-t", 4, Reading(uncounted=1), views[0]) == whole[1:]
    assert whole == sorted(whole)
    with fd.Store.open(":memory:") as store:
        assert budgets_of(Lab("hearts-depths", ExperimentSettings(), store), "ismcts-t", views, 5) == [whole]
    assert depth_of(READINGS[AS_HERE].player("ismcts-t", whole[4]), views[0]) >= 5


@pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")
def test_what_was_measured_in_a_position_is_not_measured_again(views: list[fd.View]) -> None:
    with fd.Store.open(":memory:") as store:
        lab = Lab("hearts-depths", ExperimentSettings(), store)
        asked: list[fd.View] = []

        def measure(view: fd.View) -> int:
            asked.append(view)
            return 7

        assert [in_each(lab, "depths", views, measure) for _ in range(2)] == [[7], [7]]
        assert len(asked) == 1


@pytest.mark.skipif(not COMPILED, reason="these searches take minutes when interpreted")
def test_a_quick_run_names_no_reading_as_the_nearest() -> None:
    outcome = experiment("hearts-depths").run(ExperimentSettings(workers=1))
    assert not [note for note in outcome.notes if "Nearest" in note]
    assert [table.title for table in islice(outcome.tables, 3, None)] == [
        "Searches of ISMCTS-T that look further than 15, by reading",
        "Iterations of ISMCTS-T to depth 3, by reading",
        "Iterations of ISMCTS to depth 3, by reading",
    ]
