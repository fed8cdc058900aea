"""Tuning: what may be varied, what is found, what it is worth, and that nothing is lost or played twice."""

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import coin_guess
import facedown as fd
import needs
from facedown import cli
from facedown.arena.progress import WorkProgress
from facedown.cli import bar as cli_bar
from facedown.kernel import COMPILED
from facedown.lab.tuning.space import every_combination, parameters, with_values
from facedown.lab.tuning.tuning import Tuning, is_win_or_loss, toward_par
from terminals import Run

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

BASE = "ismcts:iterations=10"
SPACE = "exploration=0.1..2.0,playout=uniform|rules"
QUICK: dict[str, Any] = {"trials": 4, "deals": 2, "fresh": 2, "seed": 3}
GRID = "exploration=0.2..1.0..0.2"
COMMAND = ["tune", "sueca", BASE, "--on", "local", "--deals", "2", "--fresh", "2"]


@pytest.fixture
def optuna() -> None:
    """What tests of that method need."""
    try:
        import optuna  # noqa: F401
    except ImportError as error:
        needs.do_without("optuna", str(error))


# --- What may be varied -----------------------------------------------------------------------------------------------


def test_ranges_steps_logs_and_choices_are_read() -> None:
    text = "exploration=0.01..10..log,iterations=100..1000..100,discount=0.97..1,playout=uniform|rules"
    assert [str(one) for one in parameters(text, fd.agent("ismcts"))] == [
        "exploration=0.01..10..log",
        "iterations=100..1000..100",
        "discount=0.97..1",
        "playout=uniform|rules",
    ]


def test_a_grid_has_every_step_and_both_ends() -> None:
    (one,) = parameters("exploration=0.1..0.7..0.1", fd.agent("ismcts"))
    assert one.grid() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    (whole,) = parameters("ngram=1..4", fd.agent("ismcts"))
    assert whole.grid() == [1, 2, 3, 4]
    (uneven,) = parameters("iterations=10..100..40", fd.agent("ismcts"))
    assert uneven.grid() == [10, 50, 90]


def test_all_combinations_are_texts_of_agents() -> None:
    base = fd.agent("ismcts:iterations=10")
    space = parameters("exploration=0.4|1.0,playout=uniform|rules", base)
    assert [with_values(base, values) for values in every_combination(space)] == [
        "ismcts:iterations=10",
        "ismcts:iterations=10,playout=rules",
        "ismcts:iterations=10,exploration=1.0",
        "ismcts:iterations=10,exploration=1.0,playout=rules",
    ]


def test_numbers_between_steps_are_short_and_inside_of_the_range() -> None:
    (one,) = parameters("exploration=0.12352..2.0", fd.agent("ismcts"))
    assert one.rounded(1.23456789) == 1.235
    assert one.rounded(0.12353) == 0.12352


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("patience=1..2", "unknown option of ismcts 'patience'; known: .*exploration"),
        ("exploration", "expected option=a..b, a..b..step, a..b..log or x|y, got 'exploration'"),
        ("exploration=", "expected option=a..b, "),
        ("exploration=0.4", r"option exploration: expected a..b, a..b..step, a..b..log or x\|y, got '0.4'"),
        ("exploration=1..1", "option exploration: expected the smaller end first and another one after it, got '1..1'"),
        ("exploration=2..1", "option exploration: expected the smaller end first"),
        ("exploration=a..b", "option exploration: expected a number from 0 up, got 'a'"),
        ("exploration=-1..1", "option exploration: expected a number from 0 up, got -1"),
        ("exploration=0..1..2", "option exploration: expected a step above 0 and up to 1, or log, got '2'"),
        ("exploration=0..1..0", "option exploration: expected a step above 0"),
        ("exploration=0..1..log", "option exploration: expected a range above 0 for log"),
        ("iterations=10..20..2.5", "option iterations: expected a whole step above 0 and up to 10"),
        ("iterations=1.5..20", "option iterations: expected a whole number from 1 up, got 1.5"),
        ("playout=uniform|chess", "option playout: expected one of .*, got 'chess'"),
        ("playout=uniform..rules", "option playout: expected values apart, x|y, of uniform"),
        ("playout=uniform|uniform", "option playout: expected each value once"),
        ("playout=uniform|", r"option playout: expected x\|y, got 'uniform\|'"),
        ("ngram=1..2,ngram=1..3", "expected each option once, got 'ngram' twice"),
    ],
)
def test_what_cannot_be_varied_is_refused(over: str, message: str) -> None:
    with pytest.raises(fd.FacedownError, match=message):
        parameters(over, fd.agent("ismcts"))


# --- Optuna -----------------------------------------------------------------------------------------------------------


@pytest.mark.optuna
def test_a_tuning_finds_the_better_of_two_budgets(optuna: None) -> None:
    result = fd.tune("sueca", "ismcts:iterations=1", "iterations=1|200", trials=4, deals=10, fresh=20, seed=1)
    assert result.best == "ismcts:iterations=200"
    assert result.fresh is not None
    assert result.fresh.lead.low > 0
    assert result.objective == "lead"


@pytest.mark.optuna
def test_a_tuning_is_the_same_each_time_and_begins_with_the_agent_as_it_was(optuna: None) -> None:
    first, again = (fd.tune("sueca", BASE, SPACE, **QUICK) for _ in range(2))
    assert first == again
    start = first.trials[0]
    assert (start.agent, start.objective.value) == (BASE, 0.0)  # against itself, and known without a game
    assert len(first.trials) == 4
    assert all(0.1 <= trial.values["exploration"] <= 2.0 for trial in first.trials)  # type: ignore[operator]
    assert fd.tune("sueca", BASE, SPACE, **{**QUICK, "seed": 4}).trials != first.trials


@pytest.mark.optuna
def test_the_best_is_chosen_by_the_deals_of_the_trials(optuna: None) -> None:
    result = fd.tune("sueca", BASE, SPACE, **QUICK)
    assert result.best == result.best_trials[0].agent
    best = max(trial.objective.value for trial in result.trials)
    assert result.best_trials[0].objective.value == best
    trial = result.trials[1]
    played = fd.tournament("sueca", [trial.agent, BASE], deals=2, seed=3, pairing="field")
    assert trial.objective == played.standing(0).lead


@pytest.mark.optuna
def test_the_last_figure_comes_from_deals_that_nothing_was_tuned_on(optuna: None, tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        result = fd.tune("sueca", "ismcts:iterations=1", "iterations=1|200", trials=3, deals=5, fresh=4, store=store)
        assert result.fresh is not None
        deals: dict[int, set[int]] = {}
        for run in store.runs():
            seeds = {record.seed for record in store.run(run["name"]).records()}
            deals.setdefault(run["settings"]["seed"], set()).update(seeds)
    tuned, fresh = deals.pop(0), deals.pop(result.fresh.seed)
    assert not deals
    assert (len(tuned), len(fresh)) == (5, 4)
    assert not tuned & fresh
    assert result.fresh.lead.count == 4


@pytest.mark.optuna
def test_no_candidate_is_tried_twice_and_a_small_space_is_tried_out(optuna: None) -> None:
    result = fd.tune("sueca", BASE, "exploration=0.2|0.4|0.6", **{**QUICK, "trials": 9, "deals": 1})
    assert sorted(trial.values["exploration"] for trial in result.trials) == [0.2, 0.4, 0.6]  # type: ignore[type-var]
    assert [trial.number for trial in result.trials] == [1, 2, 3]


@pytest.mark.optuna
def test_where_nothing_better_is_found_there_is_nothing_to_measure(optuna: None) -> None:
    result = fd.tune("sueca", "ismcts:iterations=100", "iterations=1|100", trials=3, deals=10, fresh=2)
    assert (result.best, result.fresh) == ("ismcts:iterations=100", None)


@pytest.mark.optuna
def test_whole_numbers_steps_and_logs_are_tried_as_such(optuna: None) -> None:
    over = "ngram=1..4,iterations=2..11..4,exploration=0.5..1.0..0.25,discount=0.9..1.0..log"
    result = fd.tune("sueca", "ismcts:playout=nast", over, against=["random"], **{**QUICK, "trials": 12, "deals": 1})
    tried = {name: {trial.values[name] for trial in result.trials} for name in result.trials[0].values}
    assert tried["ngram"] <= {1, 2, 3, 4}
    assert tried["iterations"] <= {2, 6, 10}
    assert tried["exploration"] <= {0.5, 0.75, 1.0}
    assert all(len(values) > 1 for values in tried.values())


@pytest.mark.optuna
def test_a_candidate_among_its_opponents_is_at_par_with_itself(optuna: None) -> None:
    result = fd.tune("sueca", BASE, "exploration=0.4|1.0", against=[BASE, "random"], **{**QUICK, "objective": "wins"})
    trial = result.trials[0]
    assert trial.agent == BASE
    played = fd.tournament("sueca", [BASE, "random"], deals=2, seed=3, pairing="field").standings
    wins = next(one.wins for one in played if one.agent == BASE)
    assert trial.objective.value == pytest.approx((0.5 + wins.value) / 2)
    assert toward_par(wins, wins, 1.0) is wins


def test_only_games_without_points_are_tuned_for_wins() -> None:
    assert not any(is_win_or_loss(fd.load(name)) for name in ("hearts", "sueca", "bisca"))
    assert is_win_or_loss(fd.load(f"{coin_guess.__file__}:GAME"))


# --- Knock-out --------------------------------------------------------------------------------------------------------


def test_a_knock_out_pairs_all_combinations_off_until_one_is_left() -> None:
    result = fd.tune("hearts32", BASE, GRID, method="knockout", deals=1, fresh=1, seed=2)
    assert [len(matches) for matches in result.bracket] == [3, 2, 1]
    texts = {one for match in result.bracket[0] for one in (match.first, match.second) if one}
    assert texts == {with_values(fd.agent(BASE), {"exploration": value}) for value in (0.2, 0.4, 0.6, 0.8, 1.0)}
    for before, after in pairwise(result.bracket):
        assert {match.winner for match in before} == {one for match in after for one in (match.first, match.second) if one}
    byes = [match.winner for matches in result.bracket for match in matches if match.second is None]
    assert len(byes) == len(set(byes)) == 2
    for matches in result.bracket:
        for match in matches:
            assert match.wins is None or match.wins.value >= 0.5
    assert result.best == result.bracket[-1][0].winner
    assert result == fd.tune("hearts32", BASE, GRID, method="knockout", deals=1, fresh=1, seed=2)


def test_the_stronger_wins_its_matches() -> None:
    result = fd.tune("sueca", "ismcts:iterations=1", "iterations=1|2|200", method="knockout", deals=10, fresh=20)
    assert result.best == "ismcts:iterations=200"
    assert result.fresh is not None
    assert result.fresh.lead.low > 0


def test_where_a_match_is_even_who_stands_first_in_the_draw_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tuning = Tuning("sueca", BASE, "threads=1|2", (), "knockout", 1, 1, 1, 0, "auto")
    even = fd.tournament("sueca", [BASE, f"{BASE},threads=2"], deals=1)
    for standing in even.standings:
        object.__setattr__(standing, "wins", even.standings[0].wins)
    monkeypatch.setattr(tuning, "play", lambda *arguments, **options: even)
    match = tuning.match("", BASE, f"{BASE},threads=2", seed=0)
    assert match.winner == BASE
    assert tuning.match("", f"{BASE},threads=2", BASE, seed=0).winner == f"{BASE},threads=2"


def test_a_match_has_about_a_hundred_games() -> None:
    for game in ("hearts", "sueca"):
        tuning = Tuning(game, BASE, GRID, (), "knockout", 1, None, None, 0, "auto")
        assert 100 <= tuning.deals * tuning.seatings < 106
        assert tuning.total == 4 * tuning.deals * tuning.seatings + 2 * tuning.deals * tuning.sides


# --- Stopped and resumed ------------------------------------------------------------------------------------------------


def interrupted_after(games: int, reports: list[WorkProgress]) -> Callable[[WorkProgress], None]:
    def progress(state: WorkProgress) -> None:
        reports.append(state)
        if state.new >= games:
            raise KeyboardInterrupt

    return progress


@pytest.mark.parametrize("method", [pytest.param("optuna", marks=pytest.mark.optuna), "knockout"])
def test_a_tuning_that_was_stopped_goes_on_where_it_was(method: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if method == "optuna":
        request.getfixturevalue("optuna")
    settings: dict[str, Any] = {**QUICK, "method": method}
    whole = fd.tune("sueca", BASE, GRID, **settings)
    place = tmp_path / "store.sqlite"
    first: list[WorkProgress] = []
    with pytest.raises(KeyboardInterrupt):
        fd.tune("sueca", BASE, GRID, store=place, progress=interrupted_after(7, first), **settings)
    with fd.Store.open(place) as store:
        kept = store.count()
    assert kept >= 7
    reports: list[WorkProgress] = []
    assert fd.tune("sueca", BASE, GRID, store=place, progress=reports.append, **settings) == whole
    with fd.Store.open(place) as store:
        assert reports[-1].new == store.count() - kept
    again: list[WorkProgress] = []
    assert fd.tune("sueca", BASE, GRID, store=place, progress=again.append, **settings) == whole
    assert again[-1].new == 0
    assert again[-1].done <= again[-1].total


def test_progress_counts_all_games_and_says_how_long_it_will_take() -> None:
    reports: list[WorkProgress] = []
    fd.tune("sueca", BASE, "exploration=0.2|0.6|1.0", method="knockout", deals=2, fresh=2, progress=reports.append)
    assert [state.done for state in reports] == sorted(state.done for state in reports)
    assert reports[-1].done == reports[-1].total == 2 * 2 * 2 + 2 * 2
    assert (reports[0].left, reports[-1].left) == (None, 0.0)
    assert reports[0].doing.startswith("round 1, match 1 of 1: ")


# --- The command line -------------------------------------------------------------------------------------------------


@pytest.mark.optuna
def test_a_person_reads_the_best_settings_and_what_they_are_worth(run: Run, optuna: None) -> None:
    over = ["--over", "iterations=1|100"]
    code, out, err = run("tune", "sueca", "ismcts:iterations=1", *over, *COMMAND[3:5], "--deals", "8", "--fresh", "2")
    assert (code, err) == (0, "")
    assert "best: ismcts:iterations=100" in out
    assert "its lead over ismcts:iterations=1 on 2 fresh deals: +" in out
    assert "Only the fresh deals say what it is worth" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_person_reads_the_bracket(run: Run) -> None:
    code, out, err = run(*COMMAND, "--over", GRID, "--method", "knockout")
    assert (code, err) == (0, "")
    assert "nobody: a bye" in out
    assert out.count("exploration=") >= 10
    assert max(map(len, out.splitlines())) <= 80


def test_a_machine_reads_json_here_and_in_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "tuned.json"
    code, out, err = run(*COMMAND, "--over", GRID, "--method", "knockout", "--json", "--out", str(file))
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data == json.loads(file.read_text())
    assert data["best"] == data["bracket"][-1][0]["winner"]
    assert {"value", "low", "high"} <= data["fresh"]["lead"].keys()


def test_ctrl_c_loses_nothing_and_the_same_command_goes_on(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command = [*COMMAND, "--over", GRID, "--method", "knockout"]
    show = cli_bar.Bar.show

    def stop(bar: cli_bar.Bar, progress: WorkProgress) -> None:
        show(bar, progress)
        if progress.new >= 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli_bar.Bar, "show", stop)
    code, out, err = run(*command)
    assert (code, out) == (cli.INTERRUPTED, "")
    assert err == f"stopped: 8 of 20 games are kept in {tmp_path / 'store.sqlite'}; the same command resumes\n"
    monkeypatch.setattr(cli_bar.Bar, "show", show)
    code, out, _ = run(*command)
    assert code == 0
    assert run(*command)[1] == out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--over", "patience=1..2"], "unknown option of ismcts 'patience'; known: "),
        (["--over", "exploration=2..1"], "option exploration: expected the smaller end first"),
        (
            ["--over", "exploration=1..2", "--method", "genes"],
            "option method: expected one of optuna, knockout, got 'genes'",
        ),
        (["--over", "exploration=1..2", "--method", "knockout"], "option exploration: expected steps for a knock-out"),
        (
            ["--over", "exploration=1|2", "--objective", "fun"],
            "option objective: expected one of auto, lead, wins, got 'fun'",
        ),
        (["--over", GRID, "--method", "knockout", "--against", "random"], "expected no opponents for a knock-out"),
        (["--over", GRID, "--trials", "0"], "option trials: expected a whole number from 1 up, got 0"),
        (["--over", GRID, "--deals", "few"], "option deals: expected a whole number from 1 up, got 'few'"),
        (["--over", GRID, "--fresh", "0"], "option fresh: expected a whole number from 1 up, got 0"),
        (["--over", GRID, "--out", "no/such/folder.json"], "expected a folder to write no/such/folder.json to"),
        (["--over", GRID, "--against", "nobody"], "unknown agent 'nobody'"),
        ([], "Missing option '--over'"),
    ],
)
def test_mistakes_are_one_line(run: Run, arguments: list[str], message: str, tmp_path: Path) -> None:
    code, out, err = run("tune", "sueca", BASE, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "store.sqlite").exists()


def test_without_optuna_a_line_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    code, _, err = run("tune", "sueca", BASE, "--over", GRID)
    assert (code, err) == (2, "error: expected Optuna for method optuna, got none: run pip install 'facedown[tune]'\n")


@pytest.mark.parametrize(("name", "value"), [("trials", 0), ("deals", 0), ("fresh", 0), ("deals", 1.5)])
def test_numbers_that_are_none_are_refused(name: str, value: Any) -> None:
    with pytest.raises(fd.BadOption, match=f"option {name}: expected a whole number from 1 up, got {value}"):
        fd.tune("sueca", BASE, GRID, method="knockout", **{name: value})
