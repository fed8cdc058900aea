"""Stores that are damaged in every way a file can be: commands that read answer or refuse, and never change the file."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.store import Store
from hostile import HUGE, NEGATIVE, TEXTS, answered, damaged, settled, tried, unchanged
from stores import fill, game

READING = [
    ["query", "SELECT * FROM games JOIN players ON game_id = id"],
    ["query", "SELECT * FROM runs", "--json"],
    ["query", "SELECT seed, score FROM games JOIN players ON game_id = id", "--csv"],
    ["store", "info"],
    ["store", "info", "--json"],
    ["export"],
    ["export", "spring"],
    ["replay", "1"],
    ["replay", "spring:0:1", "--json"],
]
SOME = st.lists(st.sampled_from(READING), min_size=2, max_size=4, unique_by=tuple)
WRITING = [["import", "{lines}"], ["import", "{lines}", "--run", "summer"], ["store", "upgrade"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store of four games, and lines to import beside it."""
    folder = tmp_path_factory.mktemp("stores")
    fill(str(folder / "whole.sqlite"), 0, 1, 2, 3)
    (folder / "lines.jsonl").write_text(f"{game(9).to_json()}\n")
    yield folder
    with unchanged(folder):  # the last example's changes would show here as well
        answered(["store", "info", "--store", str(folder / "whole.sqlite")])


@cache
def whole(folder: Path) -> bytes:
    return (folder / "whole.sqlite").read_bytes()


def damaged_store(folder: Path, content: bytes) -> Path:
    """A folder with nothing but a damaged store in it."""
    place = folder / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    (place / "store.sqlite").write_bytes(content)
    return place / "store.sqlite"


def read_from(store: Path, commands: list[list[str]]) -> None:
    for command in commands:
        with unchanged(store.parent):
            answered([*command, "--store", str(store)])


def test_all_commands_read_and_write_a_whole_store(folder: Path) -> None:
    store = damaged_store(folder, whole(folder))
    for command in READING:
        with unchanged(store.parent):
            assert answered([*command, "--store", str(store)]).code == 0, command
    for command in WRITING:
        line = [word.format(lines=folder / "lines.jsonl") for word in command]
        assert answered([*line, "--store", str(store)]).code == 0, command


@tried(90)
@given(data=st.data())
def test_a_store_with_damaged_bytes_is_read_or_refused_and_left_as_it_is(folder: Path, data: st.DataObject) -> None:
    read_from(damaged_store(folder, data.draw(damaged(whole(folder)))), data.draw(SOME))


@tried(25)
@given(data=st.data())
def test_a_store_with_damaged_bytes_is_written_or_refused(folder: Path, data: st.DataObject) -> None:
    store = damaged_store(folder, data.draw(damaged(whole(folder))))
    for command in WRITING:
        answered([*(word.format(lines=folder / "lines.jsonl") for word in command), "--store", str(store)])


# --- Whole files with other things in them ----------------------------------------------------------------------------

TABLES = {
    "runs": ["id", "name", "settings", "facedown", "created"],
    "games": ["run_id", "deal", "seating", "game", "version", "seed", "actions", "forfeit", "finished", "record", "trusted"],
    "players": ["seat", "agent", "score", "best"],
    "facedown_version": ["version_num"],
}
CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.binary(max_size=9),
    TEXTS.filter(str.isprintable),
    st.sampled_from(
        ["{}", "[]", "{", '{"a":1}', "NaN", "2020-13-45", "0001", "9999", "\x1b[31m", "a\nb", game(1).to_json()]
    ),
)


@st.composite
def sabotage(draw: st.DrawFn) -> tuple[str, tuple[object, ...]]:
    """A statement that does harm."""
    table = draw(st.sampled_from(sorted(TABLES)))
    column = draw(st.sampled_from(TABLES[table]))
    kind = draw(st.integers(0, 12))
    statements = {
        0: f"DROP TABLE {table}",
        1: f"ALTER TABLE {table} RENAME COLUMN {column} TO other",
        2: f"ALTER TABLE {table} RENAME TO others",
        3: f"DELETE FROM {table}",
        4: f"INSERT INTO {table} SELECT * FROM {table}",
        5: "CREATE TABLE diary (day TEXT)",
        6: f"CREATE VIEW v AS SELECT * FROM {table}",
        7: "PRAGMA user_version = 99",
    }
    if kind in statements:
        return statements[kind], ()
    return f"UPDATE OR IGNORE {table} SET {column} = ?", (draw(CELLS),)


@tried(120)
@given(data=st.data())
def test_a_store_with_other_contents_is_read_or_refused_and_left_as_it_is(folder: Path, data: st.DataObject) -> None:
    store = damaged_store(folder, whole(folder))
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement, values in data.draw(st.lists(sabotage(), min_size=1, max_size=2)):
            try:
                connection.execute(statement, values)
            except sqlite3.Error:  # such harm cannot be done here
                continue
        connection.execute("PRAGMA journal_mode = DELETE")
    read_from(store, data.draw(SOME))


# --- Questions --------------------------------------------------------------------------------------------------------

QUESTIONS = """
SELECT * FROM runs
SELECT 1/0
SELECT 9e999, -9e999, 0.0*9e999
SELECT x'ff00', CAST(x'fffe' AS TEXT)
SELECT NULL
DROP TABLE games
DELETE FROM games
PRAGMA journal_mode=WAL
PRAGMA writable_schema=1
ATTACH '/tmp/x' AS x
VACUUM
SELECT load_extension('x')
SELECT 1; SELECT 2
SELECT zeroblob(1000000000)
BEGIN
SELECT
'
"
;
--
/*
SELECT ?
SELECT :a
SELECT char(27, 91, 50, 74)
SELECT char(0)
EXPLAIN SELECT 1
VALUES (1), (2)
SELECT 9223372036854775807 + 1
SELECT '' AS ""
SELECT 1 AS a, 2 AS a
WITH x AS (SELECT 1) SELECT * FROM x
SELECT max(id) FROM games
REINDEX
SELECT randomblob(9)
CREATE TEMP TABLE t (a)
INSERT INTO runs DEFAULT VALUES
SELECT printf('%*d', 100000, 1)
"""
SQL = st.sampled_from(QUESTIONS.strip().splitlines())


@tried(150)
@given(sql=SQL | TEXTS, limit=st.sampled_from(["0", "1"]) | TEXTS, form=st.sampled_from([[], ["--json"], ["--csv"]]))
def test_a_question_is_answered_or_refused_and_changes_nothing(folder: Path, sql: str, limit: str, form: list[str]) -> None:
    store = damaged_store(folder, whole(folder))
    with unchanged(folder):
        answered(["query", f"--limit={limit}", *form, "--store", str(store), "--", sql])


NUMBERS_OF_GAMES = st.one_of(
    TEXTS,
    st.builds("{}:{}:{}".format, st.sampled_from(["spring", "", "summer"]) | TEXTS, TEXTS, TEXTS),
    st.builds("{}:{}".format, st.sampled_from(["{lines}", "nowhere.jsonl", "-"]), TEXTS),
    st.builds("{}#{}".format, st.just("{lines}"), st.integers(-3, 3)),
)


@tried(150)
@given(id=NUMBERS_OF_GAMES, seat=st.none() | TEXTS, given_lines=st.binary(max_size=20))
def test_a_game_by_any_number_is_replayed_or_refused(folder: Path, id: str, seat: str | None, given_lines: bytes) -> None:
    store = damaged_store(folder, whole(folder))
    options = ["--store", str(store), *([] if seat is None else [f"--seat={seat}"])]
    with unchanged(folder):
        answered(["replay", *options, "--", id.replace("{lines}", str(folder / "lines.jsonl"))], given_lines)


@tried(40)
@given(run=TEXTS, settings=st.dictionaries(TEXTS, TEXTS | HUGE | NEGATIVE, max_size=2))
def test_a_run_of_any_name_is_begun_and_found_again_or_refused(folder: Path, run: str, settings: dict[str, object]) -> None:
    store = damaged_store(folder, whole(folder))
    with Store.open(store) as opened:
        begun = settled(opened.begin, run, settings)
        if begun is not None:
            assert opened.run(run).settings == begun.settings
        settled(opened.run, run)
        settled(opened.count, run)
        settled(lambda: list(opened.lines(run)))
        settled(opened.delete_run, run)
        assert settled(opened.runs) is not None
    answered(["export", "--store", str(store), "--", run])
    read_from(store, [["store", "info"], ["query", "SELECT * FROM runs"]])
