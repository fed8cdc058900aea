"""The benchmark's report, with next to no work in it: figures are never compared with a clock."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace

import pytest
from rich.console import Console

import facedown as fd
from facedown.kernel_cache import cache_folder
from facedown.lab.bench import limits, measurements, searches, strength
from facedown.lab.bench import speed as bench
from facedown.lab.bench.measurements import as_measured, first_choice, most_constrained, per_second
from facedown.lab.bench.open_spiel import OpenSpiel
from facedown.lab.bench.speed import Report, Row, measure, short, signature
from facedown.search.endgame import moves_left_in

GAME = "hearts32"
SPEEDS = {
    "playouts",
    "playouts step by step",
    "ISMCTS iterations",
    *(f"{sampler} worlds, {place}" for sampler in measurements.SAMPLERS for place in ("opening", "voids")),
}
SEARCHES = {
    *(searches.ALGORITHMS.keys() - {"sdmcts iterations", "ensemble iterations"}),  # Hearts does not answer their questions
    *(f"{way} parallel, 2 threads" for way in searches.PARALLEL),
    "depth 9: ismcts-t's share",
    "deepest ismcts-t, 300",
    "solution, 8 actions left",
    "positions solved",
}
LIMITS = {
    f"{name}: late, {figure}"
    for name in limits.AGENTS.keys() - {"sdmcts", "pmga", "ensemble", "ensemble, 10^4 trees"}
    for figure in ("median", "99 %")
}
STARTS = {f"{what}{clock}" for what in ("first search, cold", "first search, cached", "import") for clock in ("", ", CPU")}
Reports = list[tuple[str, float | None]]


@pytest.fixture(scope="module", autouse=True)
def little_work() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ITERATIONS", "MEMORY_ITERATIONS", "OPEN_SPIEL_MEMORY_ITERATIONS"):
            patch.setattr(measurements, name, 200)
        for name in ("SEARCHED_DEALS", "CONSTRAINED_GAMES", "SLOW_ROUNDS"):
            patch.setattr(measurements, name, 1)
        for name in ("ITERATIONS", "PARALLEL_ITERATIONS", "DEEP_ITERATIONS", "MOST_ITERATIONS"):
            patch.setattr(searches, name, 300)
        patch.setattr(searches, "SOLVED_ACTIONS", 8)
        for name, value in {"SECONDS": 0.001, "CHOICES": 2, "DEALS": 1, "EVERY": 9}.items():
            patch.setattr(limits, name, value)
        patch.setattr(measurements, "SLICE_SECONDS", 1e-4)
        patch.setattr(bench, "SIGNATURE_ITERATIONS", 50)
        patch.setattr(measurements, "empty_cache", lambda: nullcontext(str(cache_folder().parent)))
        yield


@pytest.fixture(scope="module")
def reports() -> Reports:
    return []


@pytest.fixture(scope="module")
def report(reports: Reports) -> Report:
    return measure([GAME], repeats=2, progress=lambda text, fraction: reports.append((text, fraction)))


def printed(report: Report) -> str:
    out = io.StringIO()
    Console(file=out, width=80).print(report.table())
    return out.getvalue()


# --- The report -------------------------------------------------------------------------------------------------------


def test_a_report_has_every_figure_of_a_game(report: Report) -> None:
    memory = {"size of a node", *(["memory a node"] if measurements.STATUS.exists() else [])}
    assert {row.name for row in report.rows} == SPEEDS | SEARCHES | LIMITS | STARTS | memory
    assert {row.game for row in report.rows} == {GAME}
    assert not report.ratios


def test_a_median_lies_between_the_lowest_and_the_highest(report: Report) -> None:
    for row in report.rows:
        assert 0 <= row.low <= row.median <= row.high, row


def test_a_report_is_plain_data(report: Report) -> None:
    data = report.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert {"name", "game", "unit", "median", "low", "high", "target", "reached"} <= data["rows"][0].keys()
    assert data["versions"]["facedown"] == fd.__version__
    assert data["signature"] == report.signature == report.signatures[GAME]


def test_a_table_fits_in_80_columns(report: Report) -> None:
    text = printed(report)
    assert "…" not in text
    assert all(row.name in text for row in report.rows)
    assert f"signature {report.signature}" in text


def test_a_table_fits_in_80_columns_whatever_was_measured(report: Report) -> None:
    widest = [replace(row, low=1.23e-5, median=2.34e-5, high=3.45e-5) for row in report.rows]
    missed = [replace(row, median=345_678.0, high=456_789.0) for row in report.rows]
    for rows in (widest, missed):
        text = printed(replace(report, rows=rows))
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= 80


def test_progress_is_reported_from_the_start_to_the_end(report: Report, reports: Reports) -> None:
    fractions = [fraction for _, fraction in reports if fraction is not None]
    assert fractions == sorted(fractions)
    assert fractions[0] == 0 < fractions[-1] < 1
    assert all(text for text, _ in reports)


def test_a_target_is_reached_or_missed() -> None:
    speed = Row("playouts", "/s", 1000.0, median=999.0)
    assert speed.reached is False
    assert replace(speed, median=1000.0).reached is True
    assert replace(speed, lower_is_better=True).reached is True
    assert replace(speed, target=None).reached is None
    missed = printed(Report({"processor": "", "cores": 1, "repeats": 1}, {}, [replace(speed, game="g")], [], {"g": 1}))
    assert ">= 1 k missed" in missed


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1_234_567, "1.23 M"),
        (1e6, "1 M"),
        (999_900, "1 M"),
        (318_000, "318 k"),
        (40, "40"),
        (0.42, "0.42"),
        (0.00624, "0.0062"),
    ],
)
def test_numbers_are_short(number: float, text: str) -> None:
    assert short(number) == text


# --- The work ---------------------------------------------------------------------------------------------------------


def test_a_speed_is_taken_over_a_whole_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[int] = []
    monkeypatch.setattr(measurements, "SLICE_SECONDS", 0.2)
    monkeypatch.setattr(measurements, "cpu_seconds", lambda work: work() or done[-1] / 4096)
    assert per_second(done.append) == [4096]
    assert done[-1] / 4096 >= 0.2 > done[-2] / 4096


def test_the_opening_is_a_decision_with_a_choice() -> None:
    state = first_choice(as_measured("hearts"), 0)
    assert len(state.legal) > 1
    assert state.facts["pass"] == "hold"


def test_the_most_constrained_position_has_voids() -> None:
    state = most_constrained(as_measured("hearts"))
    assert any(state.facts["voids"])


def test_a_process_that_fails_says_why() -> None:
    with pytest.raises(fd.FacedownError, match="search hearts, got exit code 1: no cards"):
        measurements._child("raise SystemExit('no cards')", "hearts")


# --- The signature ----------------------------------------------------------------------------------------------------


def test_the_signature_is_the_same_twice(report: Report) -> None:
    assert signature(fd.load(GAME)) == report.signature


def test_the_signature_changes_with_play() -> None:
    assert signature(fd.load(GAME, moon=False)) != signature(fd.load(GAME))


# --- Beside OpenSpiel -------------------------------------------------------------------------------------------------


def test_without_open_spiel_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(fd.FacedownError, match=r"expected OpenSpiel .* pip install 'facedown\[openspiel\]'$"):
        measure(["hearts"], against="open-spiel")


def test_only_known_opponents_games_and_repeats() -> None:
    with pytest.raises(fd.UnknownName, match="unknown opponent 'rlcard'; known: open-spiel"):
        measure([GAME], against="rlcard")
    with pytest.raises(fd.FacedownError, match=r"a game that open-spiel plays too \(hearts\), got hearts32"):
        measure([GAME], against="open-spiel")
    with pytest.raises(fd.UnknownName, match="unknown game 'whist'"):
        measure(["whist"])
    with pytest.raises(fd.FacedownError, match="at least one repeat, got 0"):
        measure([GAME], repeats=0)


def test_open_spiel_gets_the_same_positions() -> None:
    pytest.importorskip("pyspiel")
    game = as_measured("hearts")
    theirs = OpenSpiel(game)
    state = game.deal(3)
    player = fd.agent("random")
    while state.seat is not None:
        twin = theirs.position(state)
        assert twin.current_player() == state.seat
        texts = {twin.action_to_string(state.seat, action) for action in twin.legal_actions()}
        assert texts == {game.text(action) for action in state.legal}
        state.play(player.choose(state.view(state.seat)))
    assert theirs.position(state).is_terminal()


def test_ratios_stand_beside_open_spiels_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(measurements, "_starts", lambda name: [1.0] * len(measurements.STARTS))
    monkeypatch.setattr(measurements, "_memory", lambda name, iterations, whose: [40.0])
    report = measure(["hearts"], against="open-spiel", repeats=1)
    assert {"OpenSpiel playouts", "OpenSpiel ISMCTS iterations"} < {row.name for row in report.rows}
    assert [(row.unit, row.target) for row in report.ratios] == [("x", 15), ("x", 15), ("x", 12)]
    assert all(row.median > 0 for row in report.ratios)
    assert "open_spiel" in report.versions
    assert "…" not in printed(report)


# --- Strength ---------------------------------------------------------------------------------------------------------


def test_a_search_leads_random_play_and_the_interval_says_so() -> None:
    duel = strength.Duel("ismcts:iterations=300", "random")
    [found] = strength.measure_strength(GAME, (duel,), deals=25)
    assert found.decided
    assert found.lead.low > 0
    assert found.lead.count == 25
    assert json.loads(json.dumps(found.to_dict()))["ours"] == "ismcts:iterations=300"


def test_what_a_game_cannot_play_is_left_out() -> None:
    duel = strength.Duel("ismcts-t:iterations=10", "random")
    assert strength.measure_strength("examples/little_knaves.py", (duel,), deals=2) == []


def test_equal_time_gives_the_slower_search_fewer_iterations() -> None:
    text = strength.at_equal_time(fd.load(GAME), "ismcts:iterations=2000,playout=nast", "ismcts:iterations=2000")
    name, _, options = text.partition(":")
    assert name == "ismcts"
    assert options.endswith("playout=nast")
    assert 10 < int(options.split(",")[0].removeprefix("iterations=")) < 2000


def test_too_few_deals_for_an_interval_are_refused() -> None:
    with pytest.raises(fd.FacedownError, match="expected at least 2 deals, got 1"):
        strength.measure_strength(GAME, deals=1)


@pytest.mark.parametrize("name", ["hearts32", "sueca", "cheat", "magic"])
def test_only_deals_that_come_near_their_longest_end_are_solved(name: str) -> None:
    found = searches.late_positions(fd.load(name))
    assert bool(found) is (name in ("hearts32", "sueca"))
    assert all(state.seat is not None and moves_left_in(state.data) <= searches.SOLVED_ACTIONS for state in found)
