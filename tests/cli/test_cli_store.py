import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import facedown as fd
from facedown import cli
from facedown.store import Store, reading
from stores import contents, fill, game, games, is_postgres

Run = Callable[..., tuple[int, str, str]]
COMMAND = [sys.executable, "-c", "from facedown.cli import main; main()"]
SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000000000) SELECT COUNT(*) FROM n"


@pytest.fixture
def run(place: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command on the store: its exit code, stdout and stderr."""
    monkeypatch.setenv("FACEDOWN_STORE", place)

    def command(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(SystemExit) as exit:
            cli.main(arguments)
        out, err = capsys.readouterr()
        return int(exit.value.code or 0), out, err

    return command


# --- Questions --------------------------------------------------------------------------------------------------------


def test_an_answer_is_a_plain_table(run: Run, place: str) -> None:
    fill(place, 0, 1)
    sql = "SELECT agent, seat, 7.25 AS mean, NULL AS empty FROM players WHERE seat < 2 ORDER BY game_id, seat"
    code, out, err = run("query", sql)
    assert (code, err) == (0, "")
    assert [line.rstrip() for line in out.splitlines()] == [
        "agent   seat  mean  empty",
        "random     0  7.25",
        "random     1  7.25",
        "random     0  7.25",
        "random     1  7.25",
    ]


def test_an_answer_for_machines_is_json_or_comma_separated(run: Run, place: str) -> None:
    fill(place, 0)
    sql = "SELECT seat, agent, seat FROM players WHERE seat > 1 ORDER BY seat"
    rows = [{"seat": 2, "agent": "random", "seat_2": 2}, {"seat": 3, "agent": "random", "seat_2": 3}]
    assert json.loads(run("query", sql, "--json")[1]) == rows
    assert run("query", sql, "--csv") == (0, "seat,agent,seat\n2,random,2\n3,random,3\n", "")
    (created,) = json.loads(run("query", "SELECT created FROM runs", "--json")[1])
    assert created["created"].startswith("20")
    assert json.loads(run("query", "SELECT seat FROM players WHERE seat > 9", "--json")[1]) == []
    assert json.loads(run("query", "SELECT AVG(seat) AS mean FROM players", "--json")[1]) == [{"mean": 1.5}]


def test_a_long_table_is_cut_with_a_note(run: Run, place: str) -> None:
    fill(place, *range(30))
    sql = "SELECT agent FROM players"
    _, out, err = run("query", sql)
    assert (out.count("random"), err) == (100, "the first 100 rows; --limit 0 prints all\n")
    assert run("query", sql, "--limit", "7")[1].count("random") == 7
    assert run("query", sql, "--limit", "0")[1].count("random") == 120
    assert run("query", sql, "--csv")[1].count("random") == 120


def test_nothing_in_a_table_reaches_the_terminal_as_a_command(run: Run, place: str) -> None:
    fill(place, 0)
    escape = "chr(27)" if is_postgres(place) else "char(27)"
    out = run("query", f"SELECT {escape} || '[31mred' || {escape.replace('27', '10')} AS text FROM runs")[1]
    assert out.splitlines()[1].strip() == r"\x1b[31mred\n"


def test_a_store_is_asked_and_never_changed(run: Run, place: str) -> None:
    fill(place, 0)
    before = contents(place)
    code, out, err = run("query", "DELETE FROM games")
    assert (code, out) == (2, "")
    assert err.startswith("error: expected a question in SQL that only reads, got 'DELETE FROM games'")
    assert err.count("\n") == 1
    assert contents(place) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["query", "SELECT 1", "--limit", "many"], "option limit: expected a whole number from 0 up, got 'many'"),
        (["query", "SELECT 1", "--limit", "-1"], "option limit: expected a whole number from 0 up, got '-1'"),
        (["query", "SELECT 1", "--json", "--csv"], "expected --json or --csv, got both"),
        (["query", "SELECT 1", "--store", "mysql://x"], "expected a file or postgresql://user@host/database as the store"),
        (["query", "SELECT 1", "--store", "nowhere.sqlite"], "expected a store, got nowhere.sqlite, which is not there"),
        (["store", "info", "--store", __file__], "test_cli_store.py, which is something else"),
        (["store", "upgrade", "--store", __file__], "test_cli_store.py, which is something else"),
        (["export", "summer"], "unknown run 'summer'; known: spring"),
        (["export", "--output", "nowhere/x.jsonl"], "expected a folder to write nowhere/x.jsonl to"),
        (["import", "nowhere.jsonl"], "expected a file of records, got 'nowhere.jsonl': No such file or directory"),
        (["import", "."], "expected a file of records, got '.': Is a directory"),
    ],
)
def test_a_mistake_is_answered_by_one_line_and_exit_code_2(
    run: Run, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    fill(place, 0)
    before = contents(place)
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1
    assert contents(place) == before


# --- Records out and in -----------------------------------------------------------------------------------------------


def test_records_go_out_and_come_back(run: Run, place: str, tmp_path: Path) -> None:
    fill(place, 2, 0, 1)
    file, other = tmp_path / "games.jsonl", str(tmp_path / "other.sqlite")
    lines = run("export", "spring")[1]
    assert [fd.GameRecord.from_json(line) for line in lines.splitlines()] == [game(0), game(1), game(2)]
    assert run("export", "-o", str(file)) == (0, f"3 games written to {file}\n", "")
    assert sorted(file.read_text().splitlines()) == sorted(lines.splitlines())
    assert run("import", str(file), "--store", other) == (0, f"3 games read, 3 of them new in {other}\n", "")
    assert run("export", "spring", "--store", other) == (0, lines, "")
    told = json.loads(run("import", "-", "--store", other, "--json", stdin=lines.encode())[1])
    assert told == {"games": 3, "new": 0, "store": other}
    told = json.loads(run("import", "-", "--store", other, "--json", "--run", "autumn", stdin=lines.encode())[1])
    assert told["new"] == 3
    assert json.loads(run("export", "autumn", "--store", other, "--json", "-o", str(file))[1])["games"] == 3


def test_a_damaged_line_is_named_and_nothing_is_read(run: Run, place: str, tmp_path: Path) -> None:
    fill(place, 0)
    before = contents(place)
    file = tmp_path / "games.jsonl"
    file.write_text(f"{game(1).to_json()}\n\n{game(2).to_json()[:-5]}\n")
    code, out, err = run("import", str(file))
    assert (code, out) == (2, "")
    assert err.startswith("error: line 3: expected a game record of format 2, got ")
    assert err.count("\n") == 1
    assert contents(place) == before


def test_a_file_is_replaced_only_by_a_whole_one(run: Run, place: str, tmp_path: Path, monkeypatch: Any) -> None:
    fill(place, 0, 1)
    file = tmp_path / "games.jsonl"
    file.write_text("what was there")

    def broken(store: Any, name: str | None = None) -> Any:
        yield "half"
        raise KeyboardInterrupt

    monkeypatch.setattr(reading, "lines_in", broken)
    assert run("export", "-o", str(file))[0] == 130
    assert file.read_text() == "what was there"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["games.jsonl"]


def test_whoever_reads_only_the_first_lines_is_not_told_off(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    with Store.open(place) as store:
        store.begin("spring", {}).add([(deal, 0, game(1), None) for deal in range(200)])
    process = subprocess.Popen([*COMMAND, "export", "--store", place], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(60), process.stderr.read()) == (0, b"")
    process.stderr.close()


def test_ctrl_c_stops_a_long_question(place: str) -> None:
    fill(place, 0)
    script = (
        "import os, signal, threading, facedown.store; from facedown.cli import main\n"
        "threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start(); main()"
    )
    command = [sys.executable, "-c", script, "query", SLOW, "--store", place]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_ctrl_c_stops_an_import_with_nothing_read(place: str) -> None:
    fill(place, 0)
    before = contents(place)
    command = [*COMMAND, "import", "-", "--store", place]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin
        for seed in range(600):  # more than a pipe holds: once all is written, most has been read
            process.stdin.write(replace(game(1), seed=seed).to_json() + "\n")
        process.stdin.flush()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr
        told = process.stderr.read().splitlines()
        assert all(line.startswith("reading") for line in told), told  # how far it was, if that took long
    assert contents(place) == before


def test_at_a_terminal_a_table_fits_and_a_bar_shows_the_progress(tmp_path: Path) -> None:
    place = str(tmp_path / "store.sqlite")
    fill(place, 0, 1)
    keyboard, screen = pty.openpty()
    environment = {**os.environ, "COLUMNS": "110", "TERM": "xterm"}
    subprocess.run([*COMMAND, "query", "SELECT * FROM games", "--store", place], stdout=screen, env=environment, check=True)
    shown = os.read(keyboard, 65536).decode()
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(len(line) for line in plain.splitlines()) <= 110
    assert re.match(r"id +run_id +deal .* record", plain)
    assert "…" in shown
    assert len(plain.splitlines()) == 3, "a line for each row"
    subprocess.run(
        [*COMMAND, "export", "--store", place, "-o", str(tmp_path / "x.jsonl")],
        stdout=subprocess.DEVNULL,
        stderr=screen,
        env=environment,
        check=True,
    )
    assert "writing" in os.read(keyboard, 65536).decode()
    os.close(keyboard)
    os.close(screen)


# --- Stores -----------------------------------------------------------------------------------------------------------


def test_info_says_what_is_in_a_store(run: Run, place: str) -> None:
    fill(place, 0, 1)
    with Store.open(place) as store:
        store.add_game(game(5))
        store.begin("autumn", {"seed": 1}).add(games(3))
        name = store.name
    code, out, err = run("store", "info")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"{name}, version 0004: 4 games, 2 runs"
    assert [line.split()[:2] for line in lines[1:]] == [["run", "games"], ["spring", "2"], ["autumn", "1"]]
    told = json.loads(run("store", "info", "--json")[1])
    assert (told["store"], told["version"], told["games"]) == (name, "0004", 4)
    assert [(one["name"], one["games"], one["settings"]) for one in told["runs"]] == [
        ("spring", 2, {}),
        ("autumn", 1, {"seed": 1}),
    ]


def test_upgrade_says_what_it_did(run: Run, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(place, 0)
    assert run("store", "upgrade") == (0, "the store is up to date: version 0004\n", "")
    assert run("store", "upgrade", "--json") == (0, '{"from": "0004", "to": "0004"}\n', "")
    monkeypatch.setattr(Store, "upgrade", lambda where: ("0001", "0004"))
    assert run("store", "upgrade") == (0, "the store had version 0001, now 0004\n", "")


def test_without_a_command_help_is_shown(run: Run) -> None:
    code, out, _ = run("store")
    assert code == 0
    assert "upgrade" in out
