"""Stores that are damaged, cannot be written or are asked in strange ways: an answer or one line, and nothing is changed."""

import json
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest

from facedown.cli.cells import fitted
from facedown.store import Store, places, query
from stores import fill, game
from terminals import Run

DEEP = '{"a":' * 5000


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a run, in one file and nothing beside it."""
    place = tmp_path / "folder" / "store.sqlite"
    fill(str(place), 0, 1)
    with sqlite3.connect(place) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return place


def refused(run: Run, *arguments: str) -> str:
    code, _, err = run(*arguments)
    assert code == 2, arguments
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    ("table", "column", "value", "command"),
    [
        ("runs", "settings", "x", ["store", "info"]),
        ("runs", "settings", "[]", ["store", "info", "--json"]),
        ("runs", "settings", DEEP, ["store", "info"]),
        ("runs", "settings", 7, ["replay", "spring:0:0"]),
        ("runs", "created", "x", ["store", "info"]),
        ("runs", "created", b"\xff", ["store", "info"]),
        ("games", "finished", "x", ["replay", "1"]),
        ("games", "finished", b"\xff", ["replay", "1"]),
        ("games", "record", b"\xff", ["export"]),
        ("games", "record", "", ["replay", "1"]),
        ("games", "deal", b"\xff", ["export", "spring"]),
    ],
)
def test_a_damaged_field_is_one_line(
    run: Run,
    store: Path,
    table: str,
    column: str,
    value: Any,
    command: list[str],
) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))
    connection.close()
    message = refused(run, *command, "--store", str(store))
    assert "is damaged: " in message or "expected a game record of format 2" in message


@pytest.mark.parametrize(("column", "value"), [("score", "x"), ("seat", 9), ("score", b"\xff")])
def test_a_run_with_damaged_scores_is_not_gone_on_with(run: Run, tmp_path: Path, column: str, value: Any) -> None:
    place = tmp_path / "damaged.sqlite"
    agents = ["random", "ismcts:iterations=1"]
    command = ["tournament", "hearts32", *agents, "--deals", "1", "--on", "local", "--store", str(place)]
    assert run(*command)[0] == 0
    with sqlite3.connect(place) as connection:
        connection.execute(f"UPDATE players SET {column} = ? WHERE seat = 2", (value,))
        connection.execute("DELETE FROM players WHERE seat > 3")
    connection.close()
    assert "damaged" in refused(run, *command)


def test_text_that_is_no_utf_8_inside_of_the_store_is_damage(run: Run, store: Path) -> None:
    whole = store.read_bytes()
    assert b"CREATE TABLE players" in whole
    store.write_bytes(whole.replace(b"CREATE TABLE players", b"CREATE TABLE pl\xc2yers"))
    for command in (["store", "info"], ["query", "SELECT 1"], ["export"], ["replay", "1"]):
        refused(run, *command, "--store", str(store))


# --- Questions --------------------------------------------------------------------------------------------------------


def test_a_question_that_is_no_utf_8_is_one_line(run: Run, store: Path) -> None:
    message = refused(run, "query", "SELECT '\udcff'", "--store", str(store))
    assert "expected a question in SQL that only reads, got" in message


def test_json_has_null_for_what_is_infinite(run: Run, store: Path) -> None:
    out = run(
        "query", "SELECT 9e999 AS up, -9e999 AS down, 1.5 AS number, 'Infinity' AS word", "--json", "--store", str(store)
    )[1]
    rows = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert rows == [{"up": None, "down": None, "number": 1.5, "word": "Infinity"}]


def test_a_limit_beyond_what_there_can_be_is_no_limit(store: Path) -> None:
    assert len(query("SELECT 1", store, 10**30).rows) == 1


def test_long_cells_are_cut_so_that_a_row_fits() -> None:
    assert fitted([2, 5, 900, 40], 60) == [2, 5, 27, 26]
    assert fitted([2, 5], 60) == [2, 5]
    assert sum(fitted([30] * 12, 58)) == 58
    assert fitted([], 10) == []


# --- Places that cannot be written ------------------------------------------------------------------------------------


COMMON = {Path("/"), *Path(tempfile.gettempdir()).parents, Path(tempfile.gettempdir())}  # open to all, and not ours


def answers_without_writing(store: Path) -> list[Any]:
    """What a process that may not write there is told; as root it becomes somebody else for this."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setuid(12345)
            with Store.open(store, create=False) as opened:
                told = [query("SELECT COUNT(*) FROM games", store).rows[0][0], opened.count(), opened.game(1).record.seed]
            os.write(writing, json.dumps(told).encode())
        except BaseException as error:
            os.write(writing, json.dumps([repr(error)]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        answers: list[Any] = json.load(pipe)
    return answers


def test_a_store_in_a_place_that_cannot_be_written_can_be_read(store: Path) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA journal_mode = WAL")  # as it was made
    connection.close()
    with Store.open(store, create=False) as opened:
        expected = [2, opened.count(), opened.game(1).record.seed]  # and all that reading imports is imported by now
    for left in store.parent.glob("*-*"):
        left.unlink()
    folders = [folder for folder in store.parents if folder.stat().st_uid == os.geteuid() and folder not in COMMON]
    modes = {folder: folder.stat().st_mode for folder in folders}
    try:
        for folder in folders:
            folder.chmod(0o755)
        store.parent.chmod(0o555)
        assert answers_without_writing(store) == expected
    finally:
        for folder, mode in modes.items():
            folder.chmod(mode)


def test_a_store_that_somebody_is_at_is_never_taken_for_one_that_cannot_change(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK)
    assert places.only_readable(store)
    log = store.with_name(f"{store.name}-wal")
    log.write_bytes(b"")
    assert places.only_readable(store)
    log.write_bytes(b"games that are not in the file yet")
    assert not places.only_readable(store)
    log.unlink()
    store.with_name(f"{store.name}-shm").write_bytes(b"")
    assert not places.only_readable(store)


def test_a_home_that_is_not_known_is_no_traceback(run: Run) -> None:
    assert "which is not there" in refused(run, "store", "info", "--store", "~nobody-here/store.sqlite")


# --- Records ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 10**30),
        ("version", 2**31),
        ("deal", 2**31),
        ("seating", 10**19),
        ("seed", 10**100),
        ("agent_seeds", [10**100] * 4),
        ("history", [[0, 2**63]]),
    ],
)
def test_numbers_no_database_has_room_for_are_refused(
    run: Run,
    tmp_path: Path,
    field: str,
    value: Any,
) -> None:
    line = {**json.loads(game(1).to_json()), "run": "spring", field: value}
    (tmp_path / "records.jsonl").write_text(f"{json.dumps(line)}\n")
    message = refused(run, "import", str(tmp_path / "records.jsonl"))
    assert "line 1: expected a game record of format 2, got " in message
    assert f"{field}: expected " in message


def test_a_number_of_thousands_of_digits_in_a_record_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text(f'{{"format": 2, "seed": {"9" * 5000}}}\n')
    assert "line 1: expected a game record" in refused(run, "import", str(tmp_path / "records.jsonl"))
