"""What a store does when something goes wrong: one clear line, and nothing half-written."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

import facedown as fd
from facedown.store import Store, database, places, query
from stores import contents, fill, game, games, is_postgres

TEXT = b"Dear diary, today I played Hearts.\n" * 40


# --- Something else in its place --------------------------------------------------------------------------------------


@pytest.fixture
def diary(place: str) -> str:
    """A database of some other program."""
    table = "CREATE TABLE diary (day TEXT)"
    if is_postgres(place):
        with psycopg.connect(place) as connection:
            connection.execute(table)
    else:
        Path(place).parent.mkdir()
        with closing(sqlite3.connect(place)) as connection:
            connection.execute(table)
    return place


def test_the_database_of_another_program_is_refused_and_left_alone(diary: str) -> None:
    file = Path(diary)
    before = None if is_postgres(diary) else file.read_bytes()
    for refused in (
        lambda: Store.open(diary),
        lambda: Store.upgrade(diary),
        lambda: query("SELECT * FROM diary", diary),
    ):
        with pytest.raises(fd.StoreError, match=r"expected a facedown store or an empty database, got .*: diary"):
            refused()
    if before:
        assert file.read_bytes() == before
        assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize("content", [TEXT, b"x", b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "diary.txt"
    file.write_bytes(content)
    with pytest.raises(fd.StoreError, match=r"expected a facedown store, got .*diary.txt, which is something else"):
        Store.open(file)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_and_a_file_in_the_way_are_refused(tmp_path: Path) -> None:
    with pytest.raises(fd.StoreError, match=r"expected a file for the store, got .*, which is a folder"):
        Store.open(tmp_path)
    with pytest.raises(fd.StoreError, match="expected a file for the store, got /dev/null, which is something else"):
        Store.open("/dev/null")
    (tmp_path / "file").touch()
    with pytest.raises(fd.StoreError, match=r"the store .* cannot be used: "):
        Store.open(tmp_path / "file" / "store.sqlite")


# --- Other versions ---------------------------------------------------------------------------------------------------

LATER = '''
"""A remark for each game."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("remark", sa.Text))
    {then}
'''


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The facedown to come, whose stores have one column more."""

    def install(then: str = "") -> None:
        migrations = tmp_path / "migrations"
        for file in database.MIGRATIONS.rglob("*.*"):
            if file.suffix in (".py", ".mako"):
                target = migrations / file.relative_to(database.MIGRATIONS)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(file.read_text())
        (migrations / "versions" / "revision_0005.py").write_text(LATER.format(then=then))
        monkeypatch.setattr(database, "MIGRATIONS", migrations)
        monkeypatch.setattr(places, "REVISION", "0005")

    return install


def test_a_store_of_an_older_version_is_refused_until_it_is_upgraded(place: str, next_version: Any) -> None:
    fill(place, 0, 1)
    before = contents(place)
    next_version()
    refusal = "expected a store of version 0005, got version 0004 in .*: run `facedown store upgrade` to bring it up to date"
    with pytest.raises(fd.StoreError, match=refusal):
        Store.open(place)
    with pytest.raises(fd.StoreError, match=refusal):
        query("SELECT 1", place)
    assert Store.upgrade(place) == ("0004", "0005")
    assert Store.upgrade(place) == ("0005", "0005")
    assert query("SELECT remark FROM games", place).rows == [(None,), (None,)]
    with Store.open(place) as store:
        assert store.run("spring").add(games(0, 1, 2)) == 1
    assert contents(place)[0] == before[0]


def test_an_upgrade_that_fails_changes_nothing(place: str, next_version: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(place, 0)
    before = contents(place)
    with monkeypatch.context():
        next_version(then='op.execute("UPDATE nowhere SET remark = 1")')
        with pytest.raises(fd.StoreError, match=r"the store .* cannot be used: .*nowhere"):
            Store.upgrade(place)
    monkeypatch.undo()
    assert contents(place) == before
    Store.open(place).close()


def test_a_store_of_a_newer_version_is_refused(place: str, next_version: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    next_version()
    fill(place, 0)
    monkeypatch.undo()
    for refused in (Store.open, Store.upgrade):
        with pytest.raises(
            fd.StoreError, match=r"expected a store of version 0004, got version 0005 in .*: a newer facedown"
        ):
            refused(place)


def test_a_version_that_is_no_text_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0)
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE facedown_version SET version_num = x'ff00'")
        connection.commit()
    for refused in (lambda: Store.open(place), lambda: query("SELECT 1", place)):
        with pytest.raises(fd.StoreError, match=r"expected a store of version \d+, got version b'"):
            refused()


def test_the_migrations_make_the_tables_that_the_program_uses(place: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    from facedown.store.places import REVISION, VERSION_TABLE
    from facedown.store.tables import METADATA

    assert ScriptDirectory(str(database.MIGRATIONS)).get_current_head() == REVISION
    with Store.open(place) as store, database.reading(store._engine) as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
        assert compare_metadata(context, METADATA) == []


def test_the_page_of_the_store_explains_every_column() -> None:
    from facedown.store.tables import METADATA

    page = (Path(__file__).parents[2] / "docs" / "store.md").read_text()
    for table in METADATA.tables.values():
        section = page.split(f"**{table.name}**")[1].split("**")[0]
        rows = "".join(line.split("|")[1] for line in section.splitlines() if line.startswith("|"))
        assert [name for name in [column.name for column in table.columns] if f"`{name}`" not in rows] == []


def test_alembic_is_imported_only_to_make_or_upgrade_a_store(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0)
    script = (
        f"import sys; from facedown.store import Store; Store.open({place!r}).runs(); sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


# --- Trouble while writing --------------------------------------------------------------------------------------------


@contextmanager
def setting(store: Store, pragma: str) -> Iterator[None]:
    """A store whose every connection has a pragma of SQLite's set."""

    def set_pragma(connection: sqlite3.Connection, _: Any) -> None:
        connection.execute(f"PRAGMA {pragma}")

    store._engine.dispose()
    event.listen(store._engine, "connect", set_pragma)
    yield
    event.remove(store._engine, "connect", set_pragma)
    store._engine.dispose()


def many(count: int) -> list[Any]:
    return [(deal, 0, replace(game(1), seed=deal), 0.1) for deal in range(100, 100 + count)]


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("max_page_count = 40", "the disk of the store .* is full: free some space, and run the same command again"),
        ("query_only = ON", "expected a store that can be written, got .*, which is read-only"),
    ],
)
def test_a_full_disk_or_a_read_only_file_stops_with_nothing_half_written(tmp_path: Path, pragma: str, message: str) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0, 1)
    before = contents(place)
    with Store.open(place) as store:
        run = store.run("spring")
        with setting(store, pragma), pytest.raises(fd.StoreError, match=f"{message}; nothing was changed$"):
            run.add(many(200))
        assert contents(place) == before
        assert run.add(many(200)) == 200


def test_a_file_that_may_not_grow_stops_with_nothing_half_written(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0, 1)
    before = contents(place)
    script = (
        "import sys, facedown as fd\n"
        "record = fd.GameRecord.from_json(sys.stdin.readline())\n"
        "try:\n"
        "    fd.Store.open(sys.argv[1]).run('spring').add([(deal, 0, record, 0.1) for deal in range(9, 400)])\n"
        "except fd.StoreError as error:\n"
        "    print(error)\n"
    )

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    result = subprocess.run(
        [sys.executable, "-c", script, place],
        input=game(1).to_json() + "\n",
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=no_large_files,
    )
    assert result.stdout.startswith("the disk of the store ")
    assert result.stdout.endswith("; nothing was changed\n")
    assert contents(place) == before


GONE = r"expected the store .* to stay where it is, but somebody has removed, moved or replaced it, and what was stored went"


@pytest.mark.parametrize("by", ["removed", "moved", "replaced", "its folder removed"])
def test_a_store_that_is_taken_away_is_noticed_at_the_next_games(by: str, tmp_path: Path) -> None:
    place = tmp_path / "folder" / "store.sqlite"
    with Store.open(place) as store:
        run = store.begin("spring", {})
        run.add(games(0))
        if by == "moved":
            place.rename(tmp_path / "elsewhere.sqlite")
        elif by == "its folder removed":
            shutil.rmtree(place.parent)
        else:
            place.unlink()
        if by == "replaced":
            fill(str(place), 3)
        with pytest.raises(fd.StoreError, match=GONE):
            run.add(games(1))


def test_a_store_of_a_relative_path_stays_where_it_is_when_the_current_folder_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with Store.open("store.sqlite") as store:
        run = store.begin("spring", {})
        monkeypatch.chdir(tmp_path / "other")
        assert run.add(games(0)) == 1


def test_a_store_that_stays_locked_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0)
    monkeypatch.setattr(database, "WAITS_SECONDS", 0.05)
    with Store.open(place) as store, closing(sqlite3.connect(place, isolation_level=None)) as other:
        run = store.run("spring")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(fd.StoreError, match=r"another program keeps the store .* locked: wait for it"):
            run.add(games(2))
        assert len(list(run.results())) == 1
        other.execute("ROLLBACK")
        assert run.add(games(2)) == 1


@pytest.mark.postgres
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
@pytest.mark.parametrize("table", ["games", "players"])
def test_a_lost_connection_stops_with_nothing_half_written(place: str, table: str) -> None:
    fill(place, 0, 1)
    before = contents(place)

    def cut(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if f"INSERT INTO {table}" in statement:
            with psycopg.connect(place, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.driver_connection.info.backend_pid])

    with Store.open(place) as store:
        run = store.run("spring")
        event.listen(store._engine, "after_cursor_execute", cut)
        with pytest.raises(
            fd.StoreError, match=r"lost the connection to the store .*: run the same command again to resume \("
        ) as caught:
            run.add(many(10))
        assert "\n" not in str(caught.value)
        event.remove(store._engine, "after_cursor_execute", cut)
        assert contents(place) == before
        assert run.add(many(10)) == 10


@pytest.mark.postgres
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_connection_lost_between_two_batches_is_made_again(place: str) -> None:
    with Store.open(place) as store, psycopg.connect(place, autocommit=True) as other:
        run = store.begin("spring", {})
        run.add(games(0))
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        assert run.add(games(1)) == 1


@pytest.mark.postgres
@pytest.mark.parametrize("place", ["postgres"], indirect=True)
def test_a_database_that_is_not_there_is_refused(place: str) -> None:
    with pytest.raises(fd.StoreError, match=r'the store .*nowhere.* cannot be used: .*database "nowhere.*" does not exist'):
        Store.open(place.replace("facedown_test", "nowhere"))


def test_another_process_that_closes_a_store_leaves_it_to_those_who_read_and_write_it(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    leave = (
        f"import sqlite3; one = sqlite3.connect({str(file)!r}); one.execute('SELECT 1 FROM games').fetchall(); one.close()"
    )
    with Store.open(file) as store:
        store.add_game(fd.play("hearts32", ["random"] * 4, seed=0))
        assert store.count() == 1  # reads the file once more, and must not release the locks of the store itself
        subprocess.run([sys.executable, "-c", leave], check=True)
        store.add_game(fd.play("hearts32", ["random"] * 4, seed=1))
        assert store.count() == 2
