"""Sueca, Bisca and Hearts as Fernandes 2016 has them: both sides beside each other, readings, and what counts as a claim."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from facedown.kernel import COMPILED
from facedown.lab.experiments.claims import CONFIRMED, OPEN, READING, REFUTED, Claim, larger
from facedown.lab.experiments.drawing import drawings
from facedown.lab.experiments.fernandes import tricks_figures, tricks_readings, tricks_samplers, tricks_trees
from facedown.lab.experiments.fernandes.three_games import Duels, LateDuels, baseline, leads_in_points, row_label
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import ExperimentResult
from facedown.lab.experiments.running import Experiment, ExperimentSettings, Lab
from facedown.stats import Estimate
from facedown.store import Store

compiled = pytest.mark.skipif(not COMPILED, reason="these games take long when interpreted")


def random_duels(lab: Lab) -> Duels:
    """Random players against the smallest baselines."""
    games = ("Sueca", "Hearts")
    return Duels(lab, {(game, "random"): "random" for game in games}, {game: baseline(lab, game) for game in games})


def played(experiment: Experiment, folder: Path) -> ExperimentResult:
    """A quick run of a deal."""
    return experiment.run(ExperimentSettings(store=folder / "store.sqlite", deals=1))


# --- Figures ----------------------------------------------------------------------------------------------------------


@compiled
def test_the_baseline_stands_beside_each_variation_in_wins_and_in_mean_scores(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        found = random_duels(Lab("duels", ExperimentSettings(deals=3), store))
        tables = {table.title: table for table in found.tables({"Sueca, random: wins": Published(0.19, rate=True)})}
    scores = tables["Sueca: mean scores"].rows
    assert [row.label for row in scores] == ["Sueca, random: score", "Sueca, random: score of the baseline"]
    ours, theirs = (row.ours.value for row in scores if row.ours)
    assert ours + theirs == pytest.approx(120)
    assert ours < theirs, "random players lose"
    assert ours - theirs == pytest.approx(found.points("Sueca: random").value)
    wins = tables["Sueca: wins, counted as in the paper"]
    assert [row.published is not None for row in wins.rows] == [True, False]
    assert "Hearts: wins, counted as in the paper" in tables
    [drawn] = drawings(wins)
    assert "wins of the baseline" in drawn.svg, "a bar of its own, with its key"


@compiled
def test_scores_in_hearts_are_means_over_two_seats(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        found = random_duels(Lab("duels", ExperimentSettings(deals=3), store))
    ours, theirs = found.score("Hearts: random").value, found.score_of_baseline("Hearts: random").value
    games = found.results["Hearts: random"].ledger.results
    assert 2 * (ours + theirs) == pytest.approx(sum(sum(game.scores) for game in games) / len(games))


@compiled
def test_readings_of_one_name_have_tournaments_of_their_own(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("duels", ExperimentSettings(deals=1), store)
        for reading, constant in (("one", 0.7), ("two", 0.99)):
            own = Duels(lab, {("Sueca", "x"): "random"}, {"Sueca": baseline(lab, "Sueca", exploration=constant)}, reading)
            assert list(own.results) == ["Sueca: x"]
        assert list(lab.runs) == ["Sueca: x one", "Sueca: x two"]
        assert len(set(lab.runs.values())) == 2


def test_a_variation_is_a_group_of_bars() -> None:
    assert row_label("Sueca: win or loss, exploration 0.25", "wins") == "Sueca, win or loss, exploration 0.25: wins"


# --- Claims -----------------------------------------------------------------------------------------------------------


@compiled
def test_what_is_ours_or_played_twice_is_a_row_but_no_claim(tmp_path: Path) -> None:
    ends, lengths = (played(one, tmp_path) for one in (tricks_figures.TRICKS_MINIMAX, tricks_figures.TRICKS_NGRAMS))
    for result, name in ((ends, "exact end"), (lengths, "sequences of 2")):
        assert any(name in row.label for table in result.tables for row in table.rows)
        assert result.claims
        assert not any(name in claim.text for claim in result.claims)


@compiled
def test_more_exploration_is_claimed_to_be_worse_in_bisca(tmp_path: Path) -> None:
    claims = {claim.text: claim for claim in played(tricks_figures.TRICKS_REWARDS, tmp_path).claims}
    found = claims["Bisca: PWL, exploration 0.7 wins less often than 0.25"]
    assert found.published == "significantly worsened the results"
    assert found.claimed == (None, 0.0)


@compiled
def test_a_twin_plays_as_the_baseline_does(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("duels", ExperimentSettings(deals=3), store)
        own = baseline(lab, "Sueca")
        found = LateDuels(lab, {("Sueca", "same"): f"{own},ngram=4"}, {"Sueca": own})
    assert list(found.results) == ["Sueca: same"]
    assert np.any(leads_in_points(found.results["Sueca: same"])[0])
    for lead in (found.ahead("Sueca: same"), found.points("Sueca: same")):
        assert (lead.value, lead.exact) == (0.0, True), "game by game, as the twin"


@compiled
def test_what_a_late_variation_leads_by_is_less_the_twins_lead(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("duels", ExperimentSettings(deals=4), store)
        found = LateDuels(lab, {("Bisca", "random"): "random"}, {"Bisca": baseline(lab, "Bisca")})
    ours, theirs = (leads_in_points(one)[0] for one in (found.results["Bisca: random"], found.twins["Bisca"]))
    assert found.points("Bisca: random").value == pytest.approx(fmean(ours - theirs))
    assert np.any(theirs)


@compiled
def test_neither_side_makes_a_last_stand(tmp_path: Path) -> None:
    played(tricks_figures.TRICKS_BOUNDS, tmp_path)
    with Store.open(tmp_path / "store.sqlite") as store:
        searching = {text for run in store.runs() for text in run["settings"]["agents"] if text != "random"}
    assert searching
    assert all("last_stand=false" in text for text in searching)


def test_the_printed_sizes_of_trees_are_those_of_the_papers_own_count() -> None:
    for name, printed in tricks_trees.TREES.items():
        for ours, theirs in zip(tricks_trees.counted(name), printed, strict=True):
            assert ours == pytest.approx(theirs, rel=0.005), name


def test_as_many_samples_are_taken_as_deals_are_asked_for(tmp_path: Path) -> None:
    result = tricks_samplers.EXPERIMENT.run(ExperimentSettings(deals=7))
    assert {row.count for table in result.tables for row in table.rows} == {"7 samples"}


# --- Readings ---------------------------------------------------------------------------------------------------------


def test_constants_by_the_algorithms_are_larger_by_the_root_of_two() -> None:
    printed = (0.25, 0.7, 1.75)
    assert [tricks_readings.constant(one, "by the equation") for one in printed] == [0.25, 0.7, 1.75]
    assert [tricks_readings.constant(one, "by the algorithms") for one in printed] == [0.35, 0.99, 2.47]
    assert [tricks_readings.constant(one, "by the definition") for one in printed] == [0.5, 1.4, 3.5]


@compiled
def test_each_reading_has_the_same_figures_and_a_quick_run_does_not_choose(tmp_path: Path) -> None:
    result = played(tricks_readings.EXPERIMENT, tmp_path)
    for table in result.tables[:2]:
        halves = [
            {row.label.replace(name, "") for row in table.rows if name in row.label} for name in tricks_readings.READINGS
        ]
        assert halves[0] == halves[1] == halves[2] != set()
    assert "Bisca, score difference, exploration 0.25: by the algorithms: wins ahead" in {
        row.label for row in result.tables[1].rows
    }
    assert not any("Readings that give" in note for note in result.notes)
    assert {claim.kind for claim in result.claims} == {READING}, "they are those of other experiments"
    assert {claim.text.partition(":")[0] for claim in result.claims} == set(tricks_readings.READINGS)
    with Store.open(tmp_path / "store.sqlite") as store:
        agents = {text for run in result.runs for text in store.run(run).settings["agents"]}
    for constant in (0.0625, 0.0875, 0.175, 0.2475):
        assert any("reward=sd" in text and f"exploration={constant}" in text for text in agents)


def claim(text: str, verdict: str) -> Claim:
    """A claim that came out so."""
    return replace(larger(text, "more", Estimate(1.0, 0.5, 1.5, 9, "deals")), verdict=verdict)


def lines(judged: Mapping[str, tuple[str, str]]) -> list[str]:
    """What is said of two claims by each reading."""
    made = {name: [claim(text, one) for text, one in zip("ab", pair, strict=True)] for name, pair in judged.items()}
    return tricks_readings.came_out(made)


def test_the_note_says_which_reading_gives_the_figures() -> None:
    [last] = lines({"by one": (CONFIRMED, CONFIRMED), "by two": (CONFIRMED, REFUTED), "by three": (OPEN, CONFIRMED)})
    assert last == ("Readings that give all of these published figures: by one; that do not: by two; not decided: by three.")
