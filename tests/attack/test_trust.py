"""Text from outside loads no files; what was played here, and what a person types, does."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import text as sql

import facedown as fd
from facedown import cli
from facedown.arena.replay import same_agent
from facedown.options import Option, refuse_files
from facedown.store import Store, database, query
from facedown.store.places import REVISION
from facedown.training.games import rows_of
from stores import is_postgres

EVIL = """
from pathlib import Path

Path(__file__).with_suffix(".ran").touch()

from facedown.agents.random import Random
from facedown.games.hearts import HEARTS32 as GAME


class Player(Random):
    name = "evil"
"""
KNAVES = Path(__file__).parents[2] / "examples" / "little_knaves.py"
REFUSED = "expected a built-in or installed {} in text from outside, got {!r}; --trust, or trusted=True in Python, allows it"

Run = Callable[..., tuple[int, str, str]]


@cache
def played() -> fd.GameRecord:
    return fd.play("hearts32", ["random"] * 4, seed=1)


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """A file beside the records that leaves a mark when it is run."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / f"evil_{abs(hash(request.node.name))}.py"  # a name that no other test has imported
    file.write_text(EVIL)
    return file


def has_run(file: Path) -> bool:
    return file.with_suffix(".ran").exists()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command: its exit code, stdout and stderr."""
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "store.sqlite"))

    def command(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", None)
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(SystemExit) as exit:
            cli.main(arguments)
        out, err = capsys.readouterr()
        return int(exit.value.code or 0), out, err

    return command


def lines_of(record: fd.GameRecord) -> str:
    Path("lines.jsonl").write_text(f"{record.to_json()}\n")
    return "lines.jsonl"


# --- Files of records -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [[], ["--json"], ["--with", "random"], ["--research"], ["--seat", "0"], ["--no-trust"]])
def test_a_file_of_records_loads_no_game_from_a_file(run: Run, evil: Path, extra: list[str]) -> None:
    for name in (f"{evil.name}:GAME", f"{evil}:GAME", str(evil), f"{evil.stem}:GAME"):
        code, out, err = run("replay", lines_of(replace(played(), game=name)), *extra)
        found = f"{name}:GAME" if name.endswith(".py") else name
        assert (code, out, err) == (2, "", f"error: {REFUSED.format('game', found)}\n")
    assert not has_run(evil)


def test_a_file_of_records_loads_no_agent_from_a_file(run: Run, evil: Path) -> None:
    agent = f"{evil.name}:Player"
    lines = lines_of(replace(played(), agents=[agent, "random", "random", "random"]))
    assert run("replay", lines)[0] == 0
    code, out, _ = run("replay", lines, "--research")
    assert (code, has_run(evil)) == (0, False)
    assert f"not reproducible: seat 0 {agent}: it cannot be made here: {REFUSED.format('agent', agent)}" in out
    assert "identical" in run("replay", lines, "--research", "--trust")[1]
    assert has_run(evil)


def test_a_person_may_trust_a_file_of_records(run: Run, evil: Path) -> None:
    code, out, _ = run("replay", lines_of(replace(played(), game=f"{evil.name}:GAME")), "--trust")
    assert (code, has_run(evil)) == (0, True)
    assert "seat 3" in out


def test_what_a_person_types_is_trusted(run: Run, evil: Path) -> None:
    assert run("replay", lines_of(played()), "--with", f"{evil.name}:Player")[0] == 0
    assert has_run(evil)


def test_what_lies_in_the_current_folder_is_not_installed(evil: Path) -> None:
    """A folder that came with the records may look like an installed package, or like a module that Python looks for."""
    offers = Path("evil-1.0.dist-info")
    offers.mkdir()
    (offers / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (offers / "entry_points.txt").write_text(f"[facedown.games]\nevil = {evil.stem}:GAME\n")
    lines = lines_of(replace(played(), game="evil"))
    script = "import sys; from facedown.cli import main\ntry:\n    main()\nfinally:\n    print(sys.path.count(''))"
    command = [sys.executable, "-P", "-c", script, "replay", lines]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.stderr.startswith("error: unknown game 'evil'; known: bisca")
    assert (found.stdout, has_run(evil)) == ("0\n", False)


def test_a_module_in_the_current_folder_is_found_by_who_names_it(evil: Path) -> None:
    script = "import sys; from facedown.cli import main; main()"
    command = [sys.executable, "-P", "-c", script, "watch", f"{evil.stem}:GAME", "random", "--seed", "1"]
    subprocess.run(command, capture_output=True, check=True)
    assert has_run(evil)


# --- Stores -----------------------------------------------------------------------------------------------------------


def test_what_is_imported_loads_no_file_whatever_is_done_with_it(run: Run, evil: Path) -> None:
    bad = replace(played(), game=f"{evil.name}:GAME", agents=[f"{evil.name}:Player", "random", "random", "random"])
    assert run("import", lines_of(bad))[0] == 0
    assert run("import", "lines.jsonl", "--run", "spring")[0] == 0
    refusal = f"error: {REFUSED.format('game', f'{evil.name}:GAME')}\n"
    for place in ("1", "2", "spring:0:0"):
        assert run("replay", place) == (2, "", refusal)
    assert run("query", "SELECT game, record FROM games")[0] == 0
    assert run("store", "info")[0] == 0
    assert run("export")[1].count(evil.name) == 4
    assert not has_run(evil)
    assert run("replay", "spring:0:0", "--trust")[0] == 0
    assert has_run(evil)


def test_imported_lines_may_be_trusted_once_for_all(run: Run, evil: Path) -> None:
    run("import", lines_of(replace(played(), game=f"{evil.name}:GAME")), "--trust")
    assert run("replay", "1")[0] == 0
    assert has_run(evil)


def test_what_was_played_here_loads_its_file_unless_somebody_forbids_it(run: Run, evil: Path) -> None:
    with Store.open() as store:
        own = fd.play(fd.load(f"{evil.name}:GAME"), ["random"] * 4, seed=2)
        store.add_game(own)
        store.begin("spring", {}).add([(0, 0, own, None)])
    for place in ("1", "spring:0:0"):
        assert run("replay", place)[0] == 0
        assert run("replay", place, "--no-trust")[::2] == (2, f"error: {REFUSED.format('game', own.game)}\n")


def test_a_store_remembers_which_games_came_from_outside(place: str) -> None:
    foreign = fd.GameRecord.from_json(replace(played(), seed=3).to_json())
    with Store.open(place) as store:
        run = store.begin("spring", {})
        run.add([(0, 0, played(), None), (1, 0, foreign, None)])
        store.add_lines([foreign.to_json(), replace(played(), seed=4).to_json()], "autumn")
        numbers = [store.add_game(played()), store.add_game(foreign)]
        assert [record.trusted for record in run.records()] == [True, False]
        assert [run.record(deal, 0).trusted for deal in (0, 1)] == [True, False]
        assert [record.trusted for record in store.run("autumn").records()] == [False, False]
        assert [store.game(number).record.trusted for number in numbers] == [True, False]


def test_an_older_store_trusts_the_games_of_its_own_runs(place: str) -> None:
    with Store.open(place) as store:
        store.begin("spring", {"seed": 1}).add([(0, 0, played(), None)])
        store.add_lines([played().to_json()], "autumn")
        store.add_game(played())
        with database.writing(store._engine) as connection:
            for later in ("measured", "live_moves", "live_tables", "competitions"):
                connection.execute(sql(f"DROP TABLE {later}"))
            for later in ("cpu_seconds", "trusted"):
                connection.execute(sql(f"ALTER TABLE games DROP COLUMN {later}"))
            connection.execute(sql("UPDATE facedown_version SET version_num = '0001'"))
    assert Store.upgrade(place) == ("0001", REVISION)
    told = query("SELECT trusted FROM games ORDER BY id", place).rows
    assert told == ([(True,), (False,), (False,)] if is_postgres(place) else [(1,), (0,), (0,)])


def test_games_to_train_on_load_no_file(evil: Path) -> None:
    file = evil.rename(evil.with_name("cheat.py"))
    line = replace(played(), game="cheat.py:GAME").to_json()
    assert rows_of((0, [line], "*")) == []
    assert not has_run(file)


# --- Records, games and agents ----------------------------------------------------------------------------------------


def test_a_record_is_trusted_where_it_was_played_and_not_where_it_was_read(evil: Path) -> None:
    record = replace(played(), game=f"{evil.name}:GAME")
    assert record.trusted
    read = fd.GameRecord.from_json(record.to_json())
    assert (read.trusted, read == record, "trusted" in record.to_json()) == (False, True, False)
    with pytest.raises(fd.BadOption, match="expected a built-in or installed game in text from outside"):
        read.replay()
    assert not has_run(evil)
    assert fd.GameRecord.from_json(record.to_json(), trusted=True).replay().scores == record.scores


def test_a_line_cannot_speak_for_itself() -> None:
    line = played().to_json().replace('"version"', '"trusted":true,"version"')
    with pytest.raises(fd.BadText, match="unknown field 'trusted'"):
        fd.GameRecord.from_json(line)


def test_built_in_names_and_those_loaded_here_are_there_for_all() -> None:
    own = fd.load(str(KNAVES))
    assert fd.load(own.name, trusted=False).name == own.name
    assert fd.load("hearts:match=50", trusted=False).full_name == "hearts:match=50"
    assert fd.agent("ismcts:iterations=9", trusted=False).text == "ismcts:iterations=9"
    with pytest.raises(fd.UnknownName, match="unknown agent 'nobody'"):
        fd.agent("nobody", trusted=False)


@pytest.mark.parametrize("option", ["deck", "deck1"])
def test_a_deck_from_outside_is_cards_and_no_file(run: Run, evil: Path, option: str) -> None:
    Path("secret").write_text("a word that nobody should read")
    Path("same").write_text("another word")
    for value in ("secret", "same") if option == "deck" else ("secret",):
        lines = lines_of(replace(played(), game=f"magic:{option}={value}"))
        told = f"option {option}: expected no file in text from outside, got {value!r}; "
        code, _, err = run("replay", lines)
        assert code == 2
        assert err.startswith(f"error: {told}")
        assert "word" not in err
    cards = f"magic:{option}=17xland+23x2/2for2"
    assert fd.load(cards, trusted=False).full_name == cards
    assert fd.load("magic:deck=standard,deck1=same", trusted=False).full_name == "magic"


@pytest.mark.parametrize("value", ["model.npz", "0", "false"])
def test_a_model_is_not_read_for_text_from_outside(value: str) -> None:
    with pytest.raises(fd.BadOption, match="option model: expected no file in text from outside, got"):
        fd.agent(f"pmga:model={value}", trusted=False)
    record = replace(played(), agents=[f"pmga:model={value}"] * 4, trusted=False)
    assert "expected no file in text from outside" in str(same_agent(record, 0))


def test_an_option_that_reads_and_does_not_tell_is_not_read_from_outside() -> None:
    options = (Option("book", "", "of openings", read=str), Option("size", 1, "of it"))
    refuse_files(options, {"size": 3})
    with pytest.raises(fd.BadOption, match="option book: expected no file in text from outside, got 'x'"):
        refuse_files(options, {"book": "x"})


# --- Games that others have too ---------------------------------------------------------------------------------------


def test_who_loads_a_game_by_a_path_changes_it_for_nobody_else() -> None:
    by_path = fd.load("facedown.games.hearts:HEARTS32")
    from facedown.games.hearts import HEARTS32

    assert (by_path.path, by_path.full_path) == ("facedown.games.hearts:HEARTS32",) * 2
    assert (HEARTS32.path, fd.load("hearts32").full_path) == (None, "hearts32")
    assert fd.play("hearts32", ["random"] * 4, seed=1).game == "hearts32"


def test_a_game_from_a_file_is_sent_by_its_path_even_when_asked_for_by_name() -> None:
    path = f"{os.path.relpath(KNAVES)}:GAME"
    own = fd.load(path)
    assert (own.full_path, fd.load(own.name).full_path) == (path, path)
    assert fd.load(str(KNAVES)).full_path == f"{KNAVES}:GAME"
    assert own.full_path == path


SLOW = """
import time
from pathlib import Path

with Path(__file__).with_suffix(".log").open("a") as log:
    log.write("run\\n")
time.sleep(0.2)
from facedown.agents.random import Random as Player
from facedown.games.hearts import HEARTS32 as GAME
"""


@pytest.mark.parametrize("what", ["Game", "Agent"])
def test_the_first_load_of_a_file_in_many_threads_is_one_load(tmp_path: Path, what: str) -> None:
    file = tmp_path / f"slow_{what}.py"
    file.write_text(SLOW)
    start = threading.Barrier(8)
    found: list[object] = []

    def load() -> None:
        start.wait()
        try:
            found.append(fd.load(f"{file}:GAME") if what == "Game" else fd.agent(f"{file}:Player"))
        except Exception as error:
            found.append(error)

    threads = [threading.Thread(target=load) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {type(one).__name__ for one in found} == {"Game" if what == "Game" else "Random"}
    assert file.with_suffix(".log").read_text() == "run\n"
