import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

import facedown as fd
from facedown.store import GameResult, Store, places, query
from facedown.store.places import default_file
from stores import contents, game, games, is_postgres

SETTINGS = {"game": "hearts32", "version": 1, "agents": ["random", "ismcts"], "seed": 1, "deals": 10}


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    with Store.open(place) as opened:
        yield opened


# --- Runs -------------------------------------------------------------------------------------------------------------


def test_a_run_is_begun_once_and_then_resumed(store: Store) -> None:
    first = store.begin("spring", SETTINGS)
    first.add(games(0, 1))
    again = store.begin("spring", SETTINGS)
    assert (first.resumed, again.resumed) == (False, True)
    assert (again.id, again.settings) == (first.id, SETTINGS)
    assert again.done() == {(0, 0), (0, 1)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 2}, "seed expected 1, got 2"),
        ({"agents": ["random"]}, r'agents expected \["random", "ismcts"\], got \["random"\]'),
        ({"code": "f00d"}, 'code expected nothing, got "f00d"'),
        ({"version": None}, "version expected 1, got null"),
        ({"seed": 2, "version": 2}, "version expected 1, got 2; seed expected 1, got 2"),
    ],
)
def test_a_run_with_other_settings_is_refused_and_nothing_changed(
    store: Store, place: str, change: dict[str, Any], message: str
) -> None:
    store.begin("spring", SETTINGS).add(games(0))
    before = contents(place)
    with pytest.raises(fd.StoreError, match=f"the run 'spring' began with other settings: {message}$"):
        store.begin("spring", {**SETTINGS, **change})
    assert contents(place) == before


def test_a_run_that_lacks_a_setting_is_refused(store: Store) -> None:
    store.begin("spring", SETTINGS)
    with pytest.raises(fd.StoreError, match="seed expected 1, got nothing"):
        store.begin("spring", {key: value for key, value in SETTINGS.items() if key != "seed"})


def test_a_run_may_be_continued_by_more_deals(store: Store) -> None:
    store.begin("spring", SETTINGS)
    assert store.begin("spring", {**SETTINGS, "deals": 20}).settings["deals"] == 20
    assert store.begin("spring", SETTINGS).settings["deals"] == 20
    assert store.run("spring").settings["deals"] == 20
    with pytest.raises(fd.StoreError, match="deals expected 20, got 30"):
        store.begin("spring", {**SETTINGS, "deals": 30}, may_differ=())


def test_settings_that_json_writes_alike_are_the_same(store: Store) -> None:
    store.begin("spring", {"agents": ("random", "ismcts")})
    assert store.begin("spring", {"agents": ["random", "ismcts"]}).resumed


def test_runs_are_listed_with_their_games(store: Store) -> None:
    store.begin("spring", SETTINGS).add(games(0, 1, 2))
    store.begin("autumn", {})
    found = store.runs()
    assert [(run["name"], run["games"], run["settings"]) for run in found] == [("spring", 3, SETTINGS), ("autumn", 0, {})]
    assert found[0]["facedown"] == fd.__version__


def test_an_unknown_run_is_refused_with_those_there_are(store: Store) -> None:
    store.begin("spring", {})
    with pytest.raises(fd.UnknownName, match="unknown run 'summer'; known: spring"):
        store.run("summer")
    with pytest.raises(fd.StoreError, match="expected a name for the run, got ' '"):
        store.begin(" ", {})


def test_a_deleted_run_takes_its_games_along(store: Store, place: str) -> None:
    store.begin("autumn", {}).add(games(0, 1))
    before = contents(place)
    spring = store.begin("spring", {})
    spring.add(games(0, 1, 2))
    store.delete_run("spring")
    assert contents(place) == before
    with pytest.raises(fd.StoreError, match="expected the run 'spring', which is no longer there"):
        spring.add(games(4))


# --- Games ------------------------------------------------------------------------------------------------------------


def test_results_and_records_come_in_the_order_of_deals_and_seatings(store: Store) -> None:
    run = store.begin("spring", SETTINGS)
    assert run.add(games(5, 2)) == 2
    assert run.add(games(3, 0)) == 2
    expected = [(0, 0), (1, 0), (1, 1), (2, 1)]
    assert run.done() == set(expected)
    assert [(result.deal, result.seating) for result in run.results()] == expected
    assert list(run.records()) == [game(0), game(2), game(3), game(5)]
    assert next(run.results()) == GameResult(0, 0, tuple(game(0).scores), agents=("random",) * 4)
    assert list(store.begin("autumn", {}).results()) == []


def test_a_game_that_is_there_is_not_stored_again(store: Store, place: str) -> None:
    run = store.begin("spring", SETTINGS)
    assert run.add(games(0, 1)) == 2
    before = contents(place)
    assert run.add(games(1, 0)) == 0
    assert contents(place) == before
    assert run.add(games(1, 2, 2)) == 1
    assert run.add([]) == 0


def test_another_game_in_its_place_is_refused_with_the_whole_batch(store: Store, place: str) -> None:
    run = store.begin("spring", SETTINGS)
    run.add(games(0, 1))
    before = contents(place)
    with pytest.raises(fd.StoreError, match="expected the game that run 'spring' has at deal 0, seating 1, got another"):
        run.add([*games(2, 3), (0, 1, game(7), 0.1)])
    with pytest.raises(fd.StoreError, match="at deal 4, seating 0, got another"):
        run.add([(4, 0, game(7), 0.1), (4, 0, game(8), 0.1)])
    assert contents(place) == before


def test_results_have_forfeits(store: Store) -> None:
    forfeit = {"seat": 2, "reason": "IllegalMove: no", "traceback": None}
    run = store.begin("spring", SETTINGS)
    run.add([(0, 0, replace(game(1), forfeit=forfeit), 0.1), (0, 1, replace(game(1), forfeit={**forfeit, "seat": 0}), 0.1)])
    assert [result.forfeit for result in run.results()] == [2, 0]


def test_single_games_stand_beside_the_runs(store: Store) -> None:
    store.begin("spring", SETTINGS).add(games(4))
    id = store.add_game(game(1), seconds=2.5)
    found = store.game(id)
    assert (found.record, found.id, found.run, found.deal, found.seconds) == (game(1), id, None, None, 2.5)
    assert store.count() == 2
    other = store.game(id - 1)
    assert (other.run, other.deal, other.seating, other.seconds) == ("spring", 2, 0, 0.5)
    with pytest.raises(fd.StoreError, match=r"expected the number of a game in .*, got 77"):
        store.game(77)


def test_a_seed_larger_than_the_databases_numbers_is_kept(store: Store) -> None:
    record = replace(game(1), seed=10**40)
    assert store.game(store.add_game(record)).record == record


def test_the_tables_say_what_the_records_say(store: Store, place: str) -> None:
    record = replace(game(1), scores=[3, 0.5, 7, 0.5])
    store.begin("spring", SETTINGS).add([(3, 1, record, 0.25)])
    answer = query("SELECT deal, seating, game, version, seed, actions, forfeit, seconds, record FROM games", place)
    assert answer.rows == [(3, 1, "hearts32", 1, "1", 32, None, 0.25, record.to_json())]
    players = query("SELECT seat, agent, score, best FROM players ORDER BY seat", place)
    assert players.rows == [(0, "random", 3, 0), (1, "random", 0.5, 1), (2, "random", 7, 0), (3, "random", 0.5, 1)]
    assert json.loads(query("SELECT settings FROM runs", place).rows[0][0]) == SETTINGS


def test_writers_at_the_same_time_wait_for_each_other(place: str) -> None:
    failures = []

    def write(seeds: range) -> None:
        try:
            with Store.open(place) as store:
                run = store.begin("spring", SETTINGS)
                for seed in seeds:
                    run.add(games(seed, seed + 1))
        except fd.StoreError as error:
            failures.append(error)

    threads = [Thread(target=write, args=(range(start, start + 20),)) for start in (0, 10, 15)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with Store.open(place) as store:
        assert len(store.run("spring").done()) == len(list(store.run("spring").records())) == 36


def test_stores_that_threads_create_at_the_same_time_are_all_whole(tmp_path: Path) -> None:
    start = Barrier(8)

    def create(number: int) -> int:
        start.wait()
        with Store.open(tmp_path / str(number) / "store.sqlite") as store:
            store.begin("spring", SETTINGS).add(games(0, 1))
            return len(store.run("spring").done())

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(create, range(8))) == [2] * 8  # games


def test_a_file_that_another_program_is_just_making_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games" / "store.sqlite"
    access = os.access

    def asked_while_it_is_made(path: str | Path, mode: int) -> bool:
        answer = access(path, mode)
        file.parent.mkdir(exist_ok=True)
        file.touch()
        return answer

    monkeypatch.setattr(os, "access", asked_while_it_is_made)
    assert not places.only_readable(file)


def test_results_can_be_read_while_games_are_added(store: Store) -> None:
    run = store.begin("spring", SETTINGS)
    run.add(games(0, 1))
    reading = run.results()
    next(reading)
    run.add(games(2, 3))
    assert len(list(reading)) == 1
    assert len(list(run.results())) == 4


# --- Lines ------------------------------------------------------------------------------------------------------------


def test_lines_go_out_and_into_another_store(store: Store, tmp_path: Path) -> None:
    store.begin("spring", SETTINGS).add(games(3, 0, 1))
    store.add_game(game(9))
    lines = list(store.lines())
    assert lines[-1] == game(9).to_json()
    assert next(store.lines("spring")) == game(0).to_json()[:-1] + ',"run":"spring","deal":0,"seating":0}'
    with Store.open(tmp_path / "other.sqlite") as other:
        assert other.add_lines([*lines, "\n"]) == (4, 4)
        assert sorted(other.lines()) == sorted(lines)
        assert other.add_lines(lines) == (4, 0)
        assert other.add_lines(lines, run="all of them") == (4, 4)
        assert other.count() == 8


def test_lines_without_a_place_take_that_of_their_line(store: Store) -> None:
    store.add_lines([game(5).to_json().encode(), game(6).to_json()], run="spring")
    assert [(result.deal, result.seating) for result in store.run("spring").results()] == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    ("damaged", "message"),
    [
        ("{", "line 1201: expected a game record of format 2, got '{'"),
        (
            game(1).to_json().replace('"seed":1', '"seed":-1'),
            "line 1201: .*: seed: expected a whole number from 0 up, got -1",
        ),
        (b"\xff\xfe", "line 1201: expected text in UTF-8"),
    ],
)
def test_a_damaged_line_is_refused_with_all_the_others(store: Store, place: str, damaged: Any, message: str) -> None:
    before = contents(place)
    with pytest.raises(fd.BadText, match=message):
        store.add_lines([*[game(1).to_json()] * 600, *[game(2).to_json()] * 600, damaged], run=None)
    with pytest.raises(fd.BadText, match=message):
        store.add_lines([*[replace(game(1), seed=seed).to_json() for seed in range(1200)], damaged], run="spring")
    assert contents(place) == before


def test_lines_are_not_mixed_into_a_tournament(store: Store, place: str) -> None:
    store.begin("spring", SETTINGS).add(games(0))
    before = contents(place)
    with pytest.raises(fd.StoreError, match="the run 'spring' began with other settings"):
        store.add_lines(list(store.lines()))
    assert contents(place) == before


# --- Where it is ------------------------------------------------------------------------------------------------------


def test_the_place_is_the_argument_or_the_environment_or_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("FACEDOWN_STORE", raising=False)
    for place in (None, "~/named.sqlite", f"sqlite:///{tmp_path}/by_url.sqlite"):
        Store.open(place).close()
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "environment.sqlite"))
    Store.open().close()
    assert default_file().exists()
    assert default_file().is_relative_to(tmp_path)
    assert all((tmp_path / f"{name}.sqlite").exists() for name in ("named", "by_url", "environment"))


def test_the_name_of_a_file_may_be_any(tmp_path: Path) -> None:
    place = tmp_path / "ä ?#%41&mode=ro.sqlite"
    with Store.open(place) as store:
        store.add_game(game(1))
    assert query("SELECT COUNT(*) FROM games", place).rows == [(1,)]
    assert place.exists()


def test_a_file_is_written_ahead_so_that_others_can_read(tmp_path: Path) -> None:
    Store.open(tmp_path / "store.sqlite").close()
    with closing(sqlite3.connect(tmp_path / "store.sqlite")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_only_who_wants_to_write_makes_a_store(tmp_path: Path) -> None:
    with pytest.raises(fd.StoreError, match=r"expected a store, got .*store.sqlite, which is not there"):
        Store.open(tmp_path / "store.sqlite", create=False)
    with pytest.raises(fd.StoreError, match=r"expected a store, got .*store.sqlite, which is not there"):
        query("SELECT 1", tmp_path / "store.sqlite")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty").touch()
    with pytest.raises(fd.StoreError, match=r"expected a store, got .*empty, which is empty"):
        Store.open(tmp_path / "empty", create=False)


@pytest.mark.parametrize("place", ["mysql://me:secret@host/games", "sqlite://", "postgresql://host:port/x", "://", "a://b"])
def test_a_place_that_is_none_is_refused(place: str) -> None:
    message = "expected a file or postgresql://user@host/database as the store, got "
    with pytest.raises(fd.StoreError, match=message) as caught:
        Store.open(place)
    assert "secret" not in str(caught.value)


def test_a_server_that_is_not_there_is_one_line_without_the_password() -> None:
    with pytest.raises(fd.StoreError) as caught:
        Store.open("postgresql://me:secret@127.0.0.1:1/games")
    message = str(caught.value)
    assert message.startswith("the store postgresql://me:***@127.0.0.1:1/games cannot be used: connection")
    assert "\n" not in message


def test_what_is_missing_for_postgresql_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for ask in (Store.open, lambda place: query("SELECT 1", place)):
        with pytest.raises(
            fd.StoreError, match=r"expected psycopg for .*, got none: run pip install 'facedown\[postgres\]'"
        ):
            ask("postgresql://me@127.0.0.1/games")


# --- Questions in SQL -------------------------------------------------------------------------------------------------

WRITING = [
    "DELETE FROM games",
    "DROP TABLE games",
    "UPDATE games SET deal = 7",
    "INSERT INTO runs (name, settings, facedown, created) VALUES ('x', '{}', '0', '2020-01-01')",
    "CREATE TABLE x (y INTEGER)",
    "SELECT 1; DELETE FROM players",
    "COMMIT; DELETE FROM players",
    "COMMIT",
    "BEGIN",
    "",
    "-- nothing",
    "nonsense",
    "SELECT nothing FROM games",
    "SELECT 1 FROM runs WHERE name = '\x00'",
]
WRITING_SQLITE = [
    "PRAGMA query_only = OFF",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 3",
    "ATTACH DATABASE 'x.sqlite' AS x",
    "VACUUM INTO 'x.sqlite'",
    "VACUUM",
    "REINDEX",
]
WRITING_POSTGRES = [
    "WITH gone AS (DELETE FROM games RETURNING *) SELECT * FROM gone",
    "SET TRANSACTION READ WRITE",
    "DO $$ BEGIN SET TRANSACTION READ WRITE; DELETE FROM players; END $$",
    "SELECT nextval(pg_get_serial_sequence('games', 'id'))",
    "SELECT * FROM games FOR UPDATE",
    "COPY games TO '/tmp/facedown-x'",
    "SELECT 1) ; DELETE FROM players; --",
]


def test_sql_that_is_no_question_is_refused_and_changes_nothing(
    store: Store, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store.begin("spring", SETTINGS).add(games(0, 1))
    before = contents(place), sorted(tmp_path.rglob("*"))
    for sql in [*WRITING, *(WRITING_POSTGRES if is_postgres(place) else WRITING_SQLITE)]:
        with pytest.raises(fd.StoreError, match="expected a question in SQL") as caught:
            query(sql, place)
        assert "\n" not in str(caught.value).replace(repr(sql), "")
    assert (contents(place), sorted(tmp_path.rglob("*"))) == before


def test_a_long_answer_is_cut_on_request(store: Store, place: str) -> None:
    store.begin("spring", SETTINGS).add(games(0, 1))
    sql = "SELECT seat FROM players WHERE agent LIKE 'rand%' ORDER BY seat"
    assert query(sql, place, limit=3) == (["seat"], [(0,), (0,), (1,)], True)
    assert query(sql, place, limit=8) == query(sql, place)
    assert len(query(sql, place).rows) == 8


def test_questions_can_be_asked_of_the_record_too(store: Store, place: str) -> None:
    store.add_game(game(3))
    seed = "record::json->>'seed'" if is_postgres(place) else "json_extract(record, '$.seed')"
    assert [int(row[0]) for row in query(f"WITH seeds AS (SELECT {seed} FROM games) SELECT * FROM seeds", place).rows] == [3]


def test_a_program_that_dies_leaves_nothing_half_written(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"
    script = (
        "import os, sys; from facedown.store import Store, runs; from facedown import GameRecord\n"
        "store = Store.open(sys.argv[1]); record = GameRecord.from_json(sys.stdin.readline())\n"
        "run = store.begin('spring', {}); run.add([(0, 0, record, 0.1)])\n"
        "runs.PLAYERS = None  # fails after the games have been written\n"
        "insert = runs.insert\n"
        "runs.insert = lambda table: insert(table) if table is not None else os._exit(7)\n"
        "run.add([(1, 0, record, 0.1)])\n"
    )
    command = [sys.executable, "-c", script, str(place)]
    assert subprocess.run(command, input=game(1).to_json() + "\n", text=True, check=False).returncode == 7
    assert os.path.exists(f"{place}-wal")
    with Store.open(place) as store:
        run = store.begin("spring", {})
        assert run.done() == {(0, 0)}
        run.add(games(2))
