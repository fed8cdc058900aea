"""Runs of the store over the wire: figures as the report has them, downloads, odd names, and no deal before its time."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import select, update

import facedown as fd
from facedown.kernel import COMPILED
from facedown.store import Store
from facedown.store.tables import COMPETITIONS
from serving import served, wait_for
from sitting import Door, problem

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

ODD = "odd/name? 100 % «ö» #1"
LIKE_A_DOWNLOAD = "x/games.csv"
AGENTS = ["random", "easy:iterations=1"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with some runs."""
    place = tmp_path_factory.mktemp("runs") / "store.sqlite"
    with Store.open(place) as store:
        fd.tournament("sueca", AGENTS, deals=6, seed=(1 << 61) + 1, store=store, name="spring")
        fd.tournament("sueca", AGENTS, deals=1, seed=3, store=store, name=ODD)
        fd.tournament("bisca", AGENTS, deals=1, seed=4, store=store, name=LIKE_A_DOWNLOAD)
        fd.tournament("bisca", AGENTS, deals=1, seed=4, store=store)
        store.add_lines([line.replace('"spring"', '"from a file"') for line in store.lines("spring")])
        moved = [line.replace('"deal":0', '"deal":1') for line in store.lines(LIKE_A_DOWNLOAD)]
        store.add_lines([*store.lines(ODD), *moved], "mixed")
    return place


@pytest.fixture(scope="module")
def door(place: Path) -> Iterator[Door]:
    with served(place) as server, Door(server.url) as door:
        yield door


def run(door: Door, name: str) -> dict[str, Any]:
    return door.ok(door.get(f"runs/{quote(name, safe='')}"))


# --- Listed and shown -------------------------------------------------------------------------------------------------


def test_runs_are_listed_the_newest_first(door: Door) -> None:
    listed = door.get("runs").json()
    assert [one["name"] for one in listed[:5]] == ["mixed", "from a file", listed[2]["name"], LIKE_A_DOWNLOAD, ODD]
    spring = listed[-1]
    assert (spring["game"], spring["agents"]) == ("sueca", AGENTS)
    assert (spring["games"], spring["games_played"], spring["seed"]) == (12, 12, str((1 << 61) + 1))
    assert spring["created"] <= spring["finished"]
    assert [one["name"] for one in door.get("runs?limit=1").json()] == ["mixed"]


def test_a_run_has_the_figures_of_its_tournament(door: Door) -> None:
    told = run(door, "spring")
    played = fd.tournament("sueca", AGENTS, deals=6, seed=(1 << 61) + 1).to_dict()
    for key in ("standings", "comparisons", "deals", "seatings"):
        assert told[key] == json.loads(json.dumps(played[key])), key
    assert (
        told["command"]
        == f"facedown tournament sueca random easy:iterations=1 --deals 6 --seed {(1 << 61) + 1} --name spring"
    )
    assert told["problem"] is None


def test_what_the_report_plots_is_there_as_plain_data(door: Door) -> None:
    told = run(door, "spring")
    [line] = told["running"]
    [comparison] = told["comparisons"]
    assert (line["first"], line["second"], line["at"]) == (comparison["first"], comparison["second"], [2, 3, 4, 5, 6])
    end = comparison["difference"]
    assert [line["values"][-1], line["lows"][-1], line["highs"][-1]] == pytest.approx(
        [end["value"], end["low"], end["high"]]
    )
    for bars, standing in zip(told["distributions"], told["standings"], strict=True):
        assert (bars["agent"], sum(bars["counts"])) == (standing["agent"], standing["games"])
        assert bars["mean"] == pytest.approx(standing["score"]["value"])


def test_the_command_of_a_run_without_a_name_of_its_own_gives_it_none(door: Door) -> None:
    name = door.get("runs").json()[2]["name"]
    assert run(door, name)["command"] == "facedown tournament bisca random easy:iterations=1 --deals 1 --seed 4"


def test_an_imported_run_has_the_same_figures_and_no_command(door: Door) -> None:
    told, original = run(door, "from a file"), run(door, "spring")
    assert told["standings"] == original["standings"]
    assert (told["command"], told["seed"], told["games"], told["games_played"]) == (None, None, None, 12)


def test_a_run_that_is_no_tournament_says_why_it_has_no_figures(door: Door) -> None:
    told = run(door, "mixed")
    assert told["standings"] == []
    assert "expected games of one kind" in told["problem"]
    assert problem(door.get("runs/mixed/games.csv")) == (422, "no_tournament")
    assert len(door.get("runs/mixed/games.jsonl").text.splitlines()) == 4


@pytest.mark.parametrize("name", [ODD, LIKE_A_DOWNLOAD])
def test_a_name_may_have_any_letters(door: Door, name: str) -> None:
    told = run(door, name)
    assert (told["name"], len(told["standings"])) == (name, 2)
    lines = door.get(f"runs/{quote(name, safe='')}/games.jsonl").text.splitlines()
    assert {json.loads(line)["run"] for line in lines} == {name}
    assert door.http.get(f"/runs/{quote(name, safe='')}").headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("name", ["nobody", "nobody%00", "spring/no"])
def test_an_unknown_run_is_not_found(door: Door, name: str) -> None:
    for ending in ("", "/games.csv", "/games.jsonl", "/report.html"):
        assert problem(door.get(f"runs/{name}{ending}")) == (404, "not_found")


def test_the_games_of_a_run_are_found_among_the_records(door: Door) -> None:
    found = door.get("records?run=spring&limit=500").json()
    places = sorted((one["deal"], one["seating"]) for one in found)
    assert places == [(deal, seating) for deal in range(6) for seating in range(2)]
    assert {one["run"] for one in found} == {"spring"}


# --- Downloads --------------------------------------------------------------------------------------------------------


def test_the_records_are_those_of_facedown_export(door: Door, place: Path) -> None:
    answer = door.get("runs/spring/games.jsonl")
    assert answer.headers["content-type"] == "application/x-ndjson; charset=utf-8"
    with Store.open(place) as store:
        assert answer.text.splitlines() == list(store.lines("spring"))


def test_the_games_are_a_table(door: Door) -> None:
    answer = door.get("runs/spring/games.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith('attachment; filename="spring.games.csv"')
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 12 * 4
    assert {row["agent"] for row in rows} == set(AGENTS)


def test_the_report_comes_with_a_policy_under_which_nothing_runs(door: Door) -> None:
    answer = door.get("runs/spring/report.html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    [policy] = answer.headers.get_list("content-security-policy")
    rules = {rule.strip() for rule in policy.split(";")}
    assert {"default-src 'none'", "style-src 'unsafe-inline'", "sandbox", "frame-ancestors 'none'"} <= rules
    assert "script-src" not in policy
    assert "facedown tournament sueca" in answer.text
    assert answer.text.count("<svg") >= 4


def test_a_download_is_named_after_its_run_in_letters_of_a_header(door: Door) -> None:
    answer = door.get(f"runs/{quote(ODD, safe='')}/games.csv")
    plain, encoded = answer.headers["content-disposition"].split("; ")[1:]
    assert plain == 'filename="odd-name--100--------1.games.csv"'
    assert encoded == f"filename*=UTF-8''{quote('odd-name? 100 % «ö» #1.games.csv', safe='')}"


# --- Competitions -----------------------------------------------------------------------------------------------------


def places_of(door: Door) -> list[tuple[int | None, int | None]]:
    """The deals and seatings of all records that are listed."""
    return [(one["deal"], one["seating"]) for one in door.get("records").json()]


def test_a_competition_tells_nothing_of_its_deals_before_it_is_over(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        entrants = [{"agent": "random"}, {"open": True}]
        made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1, "seed": 5}).json()
        token = door.post(f"competitions/{made['id']}/entrants", {"name": "Ada"}).json()["token"]
        wait_for(lambda: door.get("runs").json())
        [listed] = door.get("runs").json()
        assert (listed["closed"], listed["seed"], listed["competition"]) == (True, None, made["id"])
        for ending in ("", "/games.csv", "/games.jsonl", "/report.html"):
            assert problem(door.get(f"runs/{listed['name']}{ending}")) == (403, "not_yet")

        with door.live(f"competitions/{made['id']}", token) as live:
            while (event := live.next())["event"] != "competition_over":
                if event["event"] == "your_turn":
                    live.send({"table": event["table"], "action": event["legal"][0], "moves": event["moves"]})
                    assert places_of(door) in ([], [(None, None)])
        assert sorted(places_of(door)) == [(0, 0), (0, 1)]
        told = run(door, listed["name"])
        assert (told["closed"], told["seed"], told["command"]) == (False, "5", None)
        assert {one["agent"] for one in told["standings"]} == {"random", "Ada"}
        assert len(door.get(f"runs/{listed['name']}/games.jsonl").text.splitlines()) == 2


@pytest.mark.parametrize("over", [False, True])
def test_a_competition_whose_game_is_gone_stays_as_closed_as_it_was(tmp_path: Path, over: bool) -> None:
    place = tmp_path / "store.sqlite"
    with served(place) as server, Door(server.url) as door:
        entrants = [{"agent": text} for text in AGENTS]
        made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1}).json()
        wait_for(lambda: door.get(f"competitions/{made['id']}").json()["status"] == "over")
        table, record = door.get("tables").json()[0]["id"], door.get("records").json()[0]["id"]
    with Store.open(place) as store, store.engine.begin() as connection:
        connection.execute(update(COMPETITIONS).values(over=over))
        [settings] = connection.scalars(select(COMPETITIONS.c.settings))
        connection.execute(update(COMPETITIONS).values(settings=settings.replace('"bisca"', '"gone"')))
    with served(place) as server, Door(server.url) as door:
        assert door.get("competitions").json() == []
        [listed] = door.get("runs").json()
        assert listed["closed"] is not over
        for path in (f"records/{record}", f"runs/{listed['name']}", f"tables/{table}/view"):
            assert door.get(path).status_code == (200 if over else 403), path


def test_what_a_competition_would_cost_is_told_before_it_is_made(door: Door) -> None:
    wish = {"game": "hearts", "entrants": [{"agent": "random"}, {"open": True}], "deals": 10}
    assert door.ok(door.post("competitions/cost", wish)) == {"games": 60, "seatings": 6}
    assert door.ok(door.post("competitions/cost", {**wish, "seating": "rotations"})) == {"games": 20, "seatings": 2}
    assert problem(door.post("competitions/cost", {**wish, "deals": 100_000}))[0] == 422
    assert problem(door.post("competitions/cost", {**wish, "game": "chess"}))[0] == 422
    assert door.get("competitions").json() == []


def test_where_others_reach_the_server_the_cost_is_the_administrators_too(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite", loopback=False) as server, Door(server.url) as door:
        wish = {"game": "bisca", "entrants": [{"agent": "random"}, {"open": True}]}
        assert problem(door.post("competitions/cost", wish)) == (401, "unauthorized")
        assert door.get("runs").json() == []


def test_a_competition_shows_how_its_differences_converge(door: Door) -> None:
    entrants = [{"agent": text} for text in AGENTS]
    made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 6, "seed": 9}).json()
    wait_for(lambda: door.get(f"competitions/{made['id']}").json()["status"] == "over")
    told = door.ok(door.get(f"competitions/{made['id']}"))
    [line] = told["running"]
    assert line["at"][-1] == 6
    assert line["values"][-1] == pytest.approx(told["comparisons"][0]["difference"]["value"])
