"""Published experiments made again: our figures beside theirs, resumable, for people and for machines."""

import csv
import html
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

import facedown as fd
from facedown import cli, stats
from facedown.arena.progress import WorkProgress
from facedown.arena.tournament import tournament
from facedown.cli import bar as cli_bar
from facedown.kernel import COMPILED
from facedown.lab.book.outcomes import all_outcomes
from facedown.lab.book.studies import STUDIES, background_of
from facedown.lab.experiments import (
    EXPERIMENTS,
    Contest,
    Experiment,
    ExperimentResult,
    ExperimentSettings,
    Findings,
    Lab,
    Published,
    Row,
    Significance,
    Table,
    experiment,
    experiments,
)
from facedown.lab.experiments.claims import RULE, Claim, equal, impossible, larger
from facedown.lab.experiments.manzke.hearts_places import Kind, Places, moon, taken
from facedown.lab.experiments.manzke.hearts_transpositions import contests
from facedown.lab.experiments.running import QUICK, undecided
from facedown.lab.experiments.written import csv_result, html_result
from facedown.stats.estimate import COUNTED
from facedown.store import GameResult
from terminals import Run

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

NAME = "hearts-transpositions"
COMMAND = ["reproduce", NAME, "--on", "local"]


def small(lab: Lab) -> Findings:
    """Two tournaments of random players."""
    played = lab.play(
        {
            "first": Contest("hearts32", ["random", "ismcts:iterations=2"], 3 if lab.full else 2),
            "second": Contest("sueca", ["random", "ismcts:iterations=2"], 2),
        }
    )
    lead = played["first"].standings[0].lead
    table = Table("Leads", [Row("first", Published(1.5, 0.5, 100), lead), Row("nobody", None, None)])
    groups = stats.one_way_anova([[1.0, 2.0, 3.0], [2.0, 3.0, 5.0]])
    tests = [Significance("groups", groups), Significance("counts", stats.chi_squared([10, 20])), Significance("lead", lead)]
    return Findings([table], tests, ["a <note>"])


SMALL = Experiment("small", "Two <small> tournaments", "nowhere", {}, small)


# --- What there is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_every_experiment_says_where_it_was_published_and_how_it_came_out(name: str) -> None:
    found = experiment(name)
    assert found.name == name
    assert found.title
    assert found.source
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text()
    assert f"`{name}`" in page


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_every_experiment_has_a_quick_form_that_fills_all_published_figures(
    name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its command, which the documented ones come down to: tests/tools/documented.py runs only one of them again."""
    found = experiment(name)
    deals = 1 if name.startswith(("magic-table", "tricks")) else None  # of these, more would take longest
    outcomes: list[ExperimentResult] = []
    make = Experiment.run

    def kept(one: Experiment, settings: ExperimentSettings) -> ExperimentResult:
        outcomes.append(make(one, settings))
        return outcomes[-1]

    monkeypatch.setattr(Experiment, "run", kept)
    code, out, err = run("reproduce", name, "--on", "local", *(["--deals", f"{deals}"] if deals else []))
    [outcome] = outcomes
    assert (code, err) == (0, "")
    assert f"again: {outcome.command}" in " ".join(out.split())
    rows = [row for table in outcome.tables for row in table.rows]
    assert {row.label for row in rows if row.published} == set(found.published)
    assert found.published or outcome.claims or "left open" in found.source
    assert all(row.ours is not None and row.published == found.published.get(row.label) for row in rows)
    json.dumps(outcome.to_dict(), allow_nan=False)
    in_book = all_outcomes()[name]
    assert in_book["setup"] == outcome.setup
    assert set(map(what_is_claimed, outcome.claims)) <= set(map(what_is_claimed, in_book.claims))
    assert outcome.command == f"facedown reproduce {name} --scale quick --seed 0{f' --deals {deals}' if deals else ''}"


def what_is_claimed(claim: Claim) -> tuple[object, ...]:
    """A claim without our figure, which must be the same in the book and in the code that made it."""
    claimed = claim.claimed and tuple(None if end is None else round(end, 9) for end in claim.claimed)
    return claim.text, claim.published, claim.kind, claimed, round(claim.spread, 9)


def test_names_are_listed_and_an_unknown_one_lists_them() -> None:
    assert experiments() == sorted(EXPERIMENTS)
    with pytest.raises(fd.UnknownName, match=f"unknown experiment 'luck'; known: .*{NAME}"):
        experiment("luck")


def test_an_experiment_may_come_from_a_file() -> None:
    assert experiment(f"{__file__}:SMALL").name == "small"
    with pytest.raises(fd.FacedownError, match=r"expected '.*:NAME' to be an experiment, got 'hearts-transpositions'"):
        experiment(f"{__file__}:NAME")


# --- Settings ---------------------------------------------------------------------------------------------------------


def test_a_scale_and_a_seed_are_checked() -> None:
    with pytest.raises(fd.BadOption, match="option scale: expected one of quick, full, got 'huge'"):
        ExperimentSettings(scale="huge")
    with pytest.raises(fd.BadOption, match="expected a seed that is a whole number from 0 up, got -1"):
        ExperimentSettings(seed=-1)
    with pytest.raises(fd.BadOption, match="option deals: expected at least 1, got 0"):
        ExperimentSettings(deals=0)


def test_a_full_form_may_be_had_with_fewer_deals_and_says_so(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"
    reports: list[WorkProgress] = []
    short = SMALL.run(ExperimentSettings("full", store=place, deals=2, progress=reports.append))
    assert reports[-1].total == 2 * 6 + 2 * 2
    assert short.command.endswith(" --deals 2")
    assert "2 deals in each tournament, where the full form has 3." in short.notes
    whole = SMALL.run(ExperimentSettings("full", store=place, progress=reports.append))
    assert reports[-1].new == 6  # it resumes with the deal that was left out
    assert (short.resumed, whole.resumed) == (False, True)
    assert short.cpu_seconds > 0.0
    assert not any("where the full form has" in note for note in whole.notes)
    assert whole.to_dict()["tables"] == SMALL.run(ExperimentSettings("full")).to_dict()["tables"]


def test_a_resumed_run_has_the_processor_time_of_all_its_games(tmp_path: Path) -> None:
    place, other = tmp_path / "store.sqlite", tmp_path / "other.sqlite"
    settings = ExperimentSettings("full", store=place)
    whole, again = SMALL.run(settings), SMALL.run(settings)
    with fd.Store.open(place) as store:
        spent = store.spent(whole.runs)
        assert store.spent([]) == store.spent(["none"]) == (0.0, 0.0, 0)
    assert 0.0 < spent.cpu_seconds < again.cpu_seconds
    assert (whole.seconds_played, whole.uncounted, spent.uncounted) == (spent.seconds, 0, 0)
    apart = SMALL.run(replace(settings, store=other, on="threads", workers=2))
    assert (apart.uncounted, SMALL.run(replace(settings, store=other)).uncounted) == (0, 3 * 6 + 2 * 2)


def test_what_is_measured_without_games_is_kept_item_by_item(tmp_path: Path) -> None:
    asked: list[int] = []

    def squared(number: int) -> int:
        asked.append(number)
        if asked == [0, 1, 2, 3]:
            raise fd.FacedownError("stopped")
        return number**2

    def measure(lab: Lab) -> Findings:
        items = {f"number {number}": number for number in range(5)}
        return Findings([], notes=[str(lab.measured("squares", "numbers", items, squared))])

    squares = Experiment("squares", "Squares", "nowhere", {}, measure)
    settings = ExperimentSettings(store=tmp_path / "store.sqlite")
    with pytest.raises(fd.FacedownError, match="stopped"):
        squares.run(settings)
    found = squares.run(settings)
    assert found.notes[0] == "{'number 0': 0, 'number 1': 1, 'number 2': 4, 'number 3': 9, 'number 4': 16}"
    assert asked == [0, 1, 2, 3, 3, 4]
    assert squares.run(settings).notes == found.notes
    squares.run(replace(settings, seed=1))
    assert asked == [0, 1, 2, 3, 3, 4, 0, 1, 2, 3, 4]


def test_a_quick_run_says_that_it_is_one() -> None:
    assert SMALL.run().notes == ["a <note>", QUICK]
    assert SMALL.run(ExperimentSettings("full")).notes == ["a <note>"]


def test_more_deals_than_the_full_form_has_may_decide_what_it_leaves_open() -> None:
    reports: list[WorkProgress] = []
    long = SMALL.run(ExperimentSettings("full", deals=4, progress=reports.append))
    assert reports[-1].total == 4 * 6 + 4 * 2
    assert "4 deals in each tournament, where the full form has 2 or 3." in long.notes


def test_a_tournament_may_have_no_more_deals_than_its_experiment_allows(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        lab = Lab("small", ExperimentSettings("full", deals=9), store)
    assert lab.sized(Contest("sueca", (), 3, most=3)).deals == 3
    assert lab.sized(Contest("sueca", (), 20, most=15)).deals == 9
    assert lab.usual == {20}


def test_the_same_seed_gives_the_same_outcome_and_another_one_another() -> None:
    assert SMALL.run().to_dict() == SMALL.run().to_dict()
    assert SMALL.run().tables != SMALL.run(ExperimentSettings(seed=1)).tables


def test_with_a_store_runs_are_named_after_the_experiment_and_a_larger_scale_goes_on(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        quick = SMALL.run(ExperimentSettings(store=store))
        assert [run["name"] for run in store.runs()] == list(quick.runs)
        assert all(name.startswith("small-") for name in quick.runs)
        reports: list[WorkProgress] = []
        full = SMALL.run(ExperimentSettings("full", store=store, progress=reports.append))
        assert full.runs == quick.runs
        assert reports[-1].new == 6  # a deal more in all seatings
        assert SMALL.run(ExperimentSettings(seed=1, store=store)).runs != quick.runs
    assert SMALL.run().runs == []


def test_an_experiment_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"

    def stop(state: WorkProgress) -> None:
        if state.new >= 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        SMALL.run(ExperimentSettings("full", store=place, progress=stop))
    with fd.Store.open(place) as store:
        kept = store.count()
    reports: list[WorkProgress] = []
    resumed = SMALL.run(ExperimentSettings("full", store=place, progress=reports.append))
    assert 9 <= kept < reports[-1].total == 3 * 6 + 2 * 2
    assert reports[-1].new == reports[-1].total - kept
    assert resumed.to_dict()["tables"] == SMALL.run(ExperimentSettings("full")).to_dict()["tables"]


def test_progress_is_reported_as_one() -> None:
    reports: list[WorkProgress] = []
    SMALL.run(ExperimentSettings(progress=reports.append))
    assert [state.done for state in reports] == sorted(state.done for state in reports)
    assert reports[-1].done == reports[-1].total == 2 * 6 + 2 * 2
    assert {state.doing for state in reports} == {"first", "second"}


# --- What comes of it -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def outcome() -> ExperimentResult:
    return SMALL.run()


def test_published_figures_are_printed_as_they_were() -> None:
    assert str(Published(1.27, 0.92)) == "+1.27 ± 0.92"
    assert Published(258_000).text(signed=False) == "258,000"
    assert str(Published(-0.5)) == "-0.5"
    assert str(Published(0.637, 0.017, rate=True)) == "63.7 % ± 1.7"
    assert str(Published(105 / 4000, rate=True)) == "2.6 %"


@pytest.mark.parametrize(
    ("unit", "count", "text"),
    [
        ("deals", 1, "1 deal"),
        ("deals", 1200, "1,200 deals"),
        ("people", 1, "1 person"),
        ("series", 1, "1 series"),
        (COUNTED, 1, ""),
    ],
)
def test_a_row_says_how_many_observations_its_figure_rests_on(unit: str, count: int, text: str) -> None:
    assert Row("a", None, stats.Estimate(2.0, 2.0, 2.0, count, unit)).count == text


@pytest.mark.parametrize(("within", "text"), [(0.01, "1 percentage point"), (0.05, "5 percentage points")])
def test_a_margin_of_shares_is_in_percentage_points(within: float, text: str) -> None:
    ours = stats.Estimate(0.4, 0.3, 0.5, 9, "deals", rate=True)
    assert equal("wins", Published(0.4, rate=True), ours, within).reason == f"to within {text}"


def test_tests_are_printed_with_their_figures(outcome: ExperimentResult) -> None:
    groups, counts, lead = (str(test) for test in outcome.tests)
    assert groups.startswith("groups:\n")
    assert "residual" in groups
    assert counts.startswith("counts: chi-squared ")
    assert lead.startswith("lead: ")
    assert ", p " in str(replace(outcome.tests[2], result=stats.paired_difference([1, 2, 4], [0, 0, 0], [1, 2, 3])))


def test_an_outcome_is_a_page(outcome: ExperimentResult) -> None:
    page = html_result(outcome)
    assert page.startswith("<!DOCTYPE html>")
    assert "Two &lt;small&gt; tournaments" in page
    assert "a &lt;note&gt;" in page
    assert "+1.5 ± 0.5" in page
    assert "facedown reproduce small --scale quick --seed 0" in page


def test_the_page_of_an_experiment_says_what_its_study_says_beside_it(outcome: ExperimentResult) -> None:
    background = background_of("hearts32-program")
    assert background
    page = html_result(outcome, background=background)
    assert f"<h2>{html.escape(background[0])}</h2>" in page
    assert "<p>1.  A node&#x27;s value is its mean points as a <strong>whole number</strong>, rounded down" in page
    assert background_of("hearts-depths") is None


def test_a_quick_outcome_says_once_that_it_decides_nothing(outcome: ExperimentResult) -> None:
    waits, stays = (
        undecided(larger("one leads", "+1", stats.mean([1.0, 2.0]))),
        impossible("people lose", "1 %", "no people"),
    )
    line = "A quick run decides nothing; 2 claims are judged with --scale full"
    page = html_result(replace(outcome, claims=[waits, stays, waits]))
    assert (page.count(line), page.count("one leads"), page.count("people lose")) == (1, 0, 1)
    none_stay = replace(outcome, claims=[waits])
    assert "; 1 claim is judged with --scale full" in html_result(none_stay)
    assert RULE not in html_result(none_stay)
    assert "judged with" not in html_result(replace(outcome, claims=[stays]))
    assert len(none_stay.to_dict()["claims"]) == 1


def test_an_outcome_is_comma_separated_values(outcome: ExperimentResult) -> None:
    first, nobody = csv.DictReader(io.StringIO(csv_result(outcome)))
    assert (first["table"], first["row"], first["published"], first["published_half"]) == ("Leads", "first", "1.5", "0.5")
    assert float(first["ours_low"]) <= float(first["ours"]) <= float(first["ours_high"])
    assert (first["n"], first["unit"]) == ("2", "deals")
    assert (nobody["published"], nobody["ours"], nobody["n"]) == ("", "", "")


# --- Transpositions in Hearts -----------------------------------------------------------------------------------------


def test_the_full_form_is_the_published_one(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "games.db") as store:
        planned = contests(Lab(NAME, ExperimentSettings("full"), store))
    assert all("iterations=8000,exploration=0.9" in fd.agent(text).text for one in planned.values() for text in one.agents)
    assert all(fd.agent(text).options["worlds"].value == 1000 for one in planned.values() for text in one.agents)
    assert [one.plan(0).games for one in planned.values()] == [4000, 4002, 4000]


def test_a_moon_belongs_to_who_shot_it_and_so_do_all_points() -> None:
    moon_of_the_second = GameResult(0, 0, (26, 0, 26, 26))
    assert [moon(moon_of_the_second, seat) for seat in range(4)] == [0, 1, 0, 0]
    assert [taken(moon_of_the_second, seat) for seat in range(4)] == [0, 26, 0, 0]
    no_moon = GameResult(1, 0, (0, 13, 13, 0))
    assert [moon(no_moon, seat) for seat in range(4)] == [0, 0, 0, 0]
    assert [taken(no_moon, seat) for seat in range(4)] == [0, 13, 13, 0]


def test_places_are_counted_from_the_only_player_of_its_kind() -> None:
    result = tournament("hearts:passing=hold", ["expert", "random"], 3, pairing="field")
    places = Places(result)
    lead = result.standing(0).lead
    assert places.reward(0) == lead
    assert sum(places.reward(place).value for place in range(4)) == pytest.approx(0.0)
    assert sum(places.share(place).value for place in range(4)) == pytest.approx(1.0)
    assert Kind(result, 0).share() == places.share(0)
    games = {(game.deal, game.seating): game.scores for game in result.ledger.results}
    seats = [lineup.index(0) for lineup in result.schedule.lineups]
    left = [sum(scores) - 4 * scores[(seats[seating] + 1) % 4] for (_, seating), scores in games.items()]
    assert places.reward(1).value == pytest.approx(sum(left) / len(left))


# --- The command line -------------------------------------------------------------------------------------------------


def test_without_a_name_experiments_are_listed(run: Run) -> None:
    code, out, err = run("reproduce")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(EXPERIMENTS) + len(STUDIES), "a line each, and a heading for each study"
    assert {line.split()[0] for line in out.splitlines()} >= set(EXPERIMENTS)
    listed = json.loads(run("reproduce", "--json")[1])
    assert [one["name"] for one in listed] == experiments()
    assert all(one["title"] and one["source"] for one in listed)


def test_experiments_of_installed_packages_are_listed_apart(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXPERIMENTS, "luck", "facedown.lab.experiments.bax.hearts32_tables:HEARTS32_TABLE_1")
    heading, line = run("reproduce")[1].splitlines()[-2:]
    assert heading == "Of installed packages"
    assert line.split()[0] == "luck"


@pytest.mark.parametrize("columns", [40, 80])
def test_in_a_terminal_a_listed_experiment_is_one_line(columns: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = Text.from_ansi(run("reproduce")[1]).plain.splitlines()
    assert len(lines) == len(EXPERIMENTS) + len(STUDIES)
    assert max(map(len, lines)) == columns
    assert any(line.endswith("…") for line in lines)


def test_a_person_reads_published_figures_beside_ours(run: Run) -> None:
    code, out, err = run(*COMMAND)
    assert (code, err) == (0, "")
    assert "+1.27 ± 0.92" in out
    assert "4 deals" in out
    assert "again: facedown reproduce hearts-transpositions --scale quick --seed 0" in out
    assert "so its figures are not comparable" in out
    assert "A quick run decides nothing; 10 claims are judged with --scale full" in out
    assert "not decided" not in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_machine_reads_json_and_the_second_time_nothing_is_played(run: Run, tmp_path: Path) -> None:
    code, out, err = run(*COMMAND, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["experiment"] == NAME
    assert {"label", "published", "ours"} <= data["tables"][0]["rows"][0].keys()
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        games = store.count()
    assert run(*COMMAND, "--json")[1] == out
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        assert store.count() == games == 4 * (4 + 6 + 4)


def test_ctrl_c_says_where_it_stopped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(bar: cli_bar.Bar, progress: WorkProgress) -> None:
        bar.last = progress
        if progress.new:
            raise KeyboardInterrupt

    monkeypatch.setattr(cli_bar.Bar, "show", stop)
    code, out, err = run(*COMMAND)
    assert (code, out) == (cli.INTERRUPTED, "")
    assert err.startswith("stopped: 1 of 56 games are kept in ")


def test_files_are_written_by_their_ending(run: Run, tmp_path: Path) -> None:
    for suffix, start in ((".html", "<!DOCTYPE html>"), (".csv", "experiment,table,row,"), (".json", "{")):
        file = tmp_path / f"outcome{suffix}"
        code, out, _ = run(*COMMAND, "--out", str(file))
        assert (code, out.endswith(f"written to {file}\n")) == (0, True)
        assert file.read_text().startswith(start)
    page = (tmp_path / "outcome.html").read_text()
    assert page.count("<svg") >= 2
    assert 'class="published"' in page
    assert "<dt>command</dt><dd><code>facedown reproduce hearts-transpositions" in page
    assert all(f"<dt>{name}</dt>" in page for name in ("code", "took", "machine"))
    assert str(tmp_path) not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["luck"], f"unknown experiment 'luck'; known: {', '.join(sorted(EXPERIMENTS))}"),
        ([NAME, "--scale", "huge"], "option scale: expected one of quick, full, got 'huge'"),
        ([NAME, "--deals", "0"], "option deals: expected a whole number from 1 up, got 0"),
        ([NAME, "--deals", "few"], "option deals: expected a whole number from 1 up, got 'few'"),
        ([NAME, "--seed", "-1"], "option seed: expected a whole number from 0 up, got -1"),
        ([NAME, "--from-store", "store.sqlite"], f"judges recorded games, got {NAME}, which plays its own"),
        (["hearts-moons", "--run", "mine"], "option run: expected recorded games to choose from, got the run 'mine' alone"),
        (["hearts-moons", "--from-store", "none.sqlite"], "none.sqlite"),
        ([NAME, "--out", "outcome.pdf"], "expected a file that ends in .html, .csv, .json, got outcome.pdf"),
        (["--out", "outcome.csv"], "expected an experiment, to write its outcome to outcome.csv"),
        ([NAME, "--out", "no/such/outcome.csv"], "expected a folder to write no/such/outcome.csv to"),
    ],
)
def test_mistakes_are_one_line(run: Run, arguments: list[str], message: str, tmp_path: Path) -> None:
    code, out, err = run("reproduce", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "store.sqlite").exists()


def test_a_longer_run_in_the_store_does_not_change_a_shorter_one(tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "store.sqlite") as store:
        counts = []
        for deals in (3, 1, 3):
            lab = Lab("small", ExperimentSettings("full", store=store, deals=deals), store)
            lab.play({"first": Contest("sueca", ["random", "ismcts:iterations=2"], 2)})
            counts.append(len(list(lab.records("first"))))
    assert counts == [6, 2, 6]


def test_an_experiment_of_ones_own_says_how_to_make_it_again(run: Run) -> None:
    code, out, _ = run("reproduce", f"{__file__}:SMALL", "--on", "local")
    assert code == 0
    assert f"again: facedown reproduce {__file__}:SMALL --scale quick" in " ".join(out.split())


# --- Moons ------------------------------------------------------------------------------------------------------------


def test_recorded_games_are_judged_and_nothing_is_played(run: Run, tmp_path: Path) -> None:
    moons = games = 0
    with fd.Store.open(tmp_path / "games.sqlite") as store:
        while moons < 3:
            record = fd.play("hearts:passing=left", ["uct:iterations=60", *["expert"] * 3], seed=games)
            store.add_game(record)
            games += 1
            moons += sum(record.scores) == 78
        store.add_game(fd.play("hearts:match=20", ["random"] * 4, seed=1))  # a match is no single deal
    code, out, err = run("reproduce", "hearts-moons", "--from-store", str(tmp_path / "games.sqlite"), "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["notes"][0] == f"{games} games."
    assert data["runs"] == []
    assert data["command"].endswith(" --from-store ...")
    assert not (tmp_path / "store.sqlite").exists()
    rows = {(table["title"], row["label"]): row["ours"]["value"] for table in data["tables"] for row in table["rows"]}
    open_cards = [value for (title, label), value in rows.items() if "are moons" in title and "open" in label]
    assert all(0.0 <= value <= 1.0 for value in open_cards)
    assert max(open_cards) > 0.0


def test_a_store_without_a_deal_to_judge_is_refused(run: Run, tmp_path: Path) -> None:
    with fd.Store.open(tmp_path / "games.sqlite") as store:
        store.add_game(fd.play("hearts:match=20", ["random"] * 4, seed=1))
    code, out, err = run("reproduce", "hearts-moons", "--from-store", str(tmp_path / "games.sqlite"))
    assert (code, out) == (2, "")
    assert err == "error: expected finished single deals of Hearts, with moons, in the store; got none\n"
