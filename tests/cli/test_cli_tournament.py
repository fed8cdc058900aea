"""facedown tournament at the command line: what a person sees, and machines."""

import fcntl
import io
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from rich.console import Console

from facedown import cli
from facedown.arena.tournament import Progress
from facedown.cli.tournament import HowFar, Screen
from facedown.store import Store
from terminals import Run

COMMAND = [sys.executable, "-c", "from facedown.cli import main; main()"]
QUICK = ["tournament", "hearts32", "ismcts:iterations=20", "random", "--deals", "2", "--on", "local"]


def test_a_person_reads_standings_with_intervals(run: Run) -> None:
    code, out, err = run(*QUICK)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("hearts32: 2 deals in 6 seatings, seed 0; run hearts32-")
    assert "A  ismcts:iterations=20" in lines
    assert sum("±" in line for line in lines) >= 3
    assert any(line.startswith("A against B: lead ") and ", p " in line for line in lines)
    assert "intervals are 95 %, over deals" in out
    assert max(map(len, lines)) <= 80


def test_a_machine_reads_json_and_nothing_else(run: Run) -> None:
    code, out, err = run(*QUICK, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["games"] == 12
    assert {"agent", "score", "lead", "wins", "elo", "skill"} <= data["standings"][0].keys()
    assert {"value", "low", "high"} <= data["standings"][0]["lead"].keys()


@pytest.mark.parametrize("on", ["local", "threads", "processes"])
def test_an_agent_that_prints_does_not_spoil_the_json(on: str, tmp_path: Path) -> None:
    command = [*COMMAND, "tournament", "bisca", "random", "strange_agents:Printing", "--deals", "1", "--on", on, "--json"]
    store = ["--store", str(tmp_path / "store.sqlite")]
    result = subprocess.run([*command, *store], capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["games"] == 2
    assert {"thinking", "deeply"} <= set(result.stderr.split())


@pytest.mark.parametrize("command", [["watch", "bisca", "random"], ["play", "bisca"]])
def test_an_agent_that_prints_does_not_spoil_a_game_in_json(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit) as exit:
        cli.main([*command, "strange_agents:Printing", "--seed", "1", "--json"])
    out, err = capfd.readouterr()
    assert not exit.value.code
    assert json.loads(out)["game"] == "bisca"
    assert {"thinking", "deeply"} <= set(err.split())


def test_a_command_whose_agents_end_its_workers_ends_well_and_says_who_forfeited(tmp_path: Path) -> None:
    command = [
        *COMMAND,
        "tournament",
        "bisca",
        "random",
        "strange_agents:Leaving",
        "--deals",
        "1",
        "--workers",
        "2",
        "--json",
    ]
    for _ in range(2):  # and when it is resumed
        result = subprocess.run(
            [*command, "--store", str(tmp_path / "store.sqlite")],
            capture_output=True,
            text=True,
            check=True,
        )
        standings = {one["agent"]: one for one in json.loads(result.stdout)["standings"]}
        assert standings["strange_agents:Leaving"]["forfeits"] == 2
        assert standings["random"]["forfeits"] == 0


def test_an_analysis_that_cannot_be_made_leaves_the_rest_of_the_result(run: Run) -> None:
    line = ["tournament", "bisca", "random", "ismcts:iterations=2", "--deals", "1", "--on", "local", "--anova"]
    code, out, err = run(*line)
    assert (code, err) == (0, "")
    assert "no analysis of variance: expected more values" in out
    assert json.loads(run(*line, "--json")[1])["anova"] is None


def test_reports_are_written(run: Run, tmp_path: Path) -> None:
    page, table = tmp_path / "report.html", tmp_path / "report.csv"
    assert run(*QUICK, "--html", str(page), "--csv", str(table))[0] == 0
    assert page.read_text().lower().startswith("<!doctype html>")
    assert "<svg" in page.read_text()
    assert len(table.read_text().splitlines()) == 3


def test_the_same_command_goes_on(run: Run, tmp_path: Path) -> None:
    _, first, _ = run(*QUICK, "--json")
    _, longer, _ = run(*QUICK[:5], "3", *QUICK[6:], "--json")
    assert json.loads(first)["name"] == json.loads(longer)["name"]
    with Store.open(tmp_path / "store.sqlite") as store:
        assert [run["games"] for run in store.runs()] == [18]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random"], "expected at least two agents, got 1"),
        (["random", "nobody"], "unknown agent 'nobody'; known: "),
        (["random", "random"], "expected each agent once, got 'random' twice"),
        (["random", "ismcts", "--deals", "0"], "option deals: expected a whole number from 1 up, got 0"),
        (["random", "ismcts", "--deals", "many"], "option deals: expected a whole number from 1 up, got 'many'"),
        (["random", "ismcts", "--seed", "-1"], "option seed: expected a whole number from 0 up, got -1"),
        (["random", "ismcts", "--workers", "0"], "option workers: expected a whole number from 1 up, got 0"),
        (["random", "ismcts", "--on", "moon"], "unknown place to work on 'moon'; known: "),
        (["random", "ismcts", "--sprt", "5"], "option sprt: expected two numbers such as 0,5, got '5'"),
        (["random", "ismcts", "--sprt", "5,0"], "option sprt: expected the smaller Elo first, got 5,0"),
        (["random", "ismcts", "uct", "--sprt", "0,5"], "expected two agents for a sequential test, got 3"),
        (["random", "ismcts", "--pairing", "swiss"], "option pairing: expected one of round-robin, field, got 'swiss'"),
        (["random", "ismcts", "--html", "no/such/folder.html"], "expected a folder to write no/such/folder.html to"),
        (["random", "ismcts", "--move-seconds", "soon"], "option move_seconds: expected a number from 0 up, got 'soon'"),
    ],
)
def test_mistakes_are_one_line(run: Run, arguments: list[str], message: str, tmp_path: Path) -> None:
    code, out, err = run("tournament", "hearts32", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_at_a_terminal_the_standings_are_live_and_ctrl_c_loses_nothing(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite"
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 90, 0, 0))
    command = [
        *COMMAND,
        "tournament",
        "hearts32",
        "ismcts:iterations=500",
        "random",
        "--deals",
        "2000",
        "--store",
        str(place),
    ]
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, close_fds=True)
    os.close(slave)
    shown = b""
    deadline = time.monotonic() + 120
    while b"games/s" not in shown and time.monotonic() < deadline:
        shown += os.read(master, 65536)
    process.send_signal(signal.SIGINT)
    try:
        while chunk := os.read(master, 65536):
            shown += chunk
    except OSError:  # the terminal is gone with the process
        pass
    assert process.wait(60) == 130
    os.close(master)
    text = shown.decode()
    assert " left" in text
    assert "of 12000 games are kept as hearts32-" in text
    assert "the same command resumes" in text
    with Store.open(place) as store:
        assert store.count() > 0


def test_a_line_below_the_table_tells_the_time_within_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    screen = Screen(quiet=True)
    told = []
    for done, seconds in ((0, 0.0), (1000, 94.0), (1010, 1.0), (1020, 3600.0)):
        clock[0] += seconds
        screen.show(Progress("run", done, 123456, done, 0.0, lambda: None))  # type: ignore[arg-type, return-value]
        console = Console(file=io.StringIO(), width=80)
        console.print(HowFar(screen))
        assert isinstance(console.file, io.StringIO)
        told.append(console.file.getvalue().rstrip())
    assert all("\n" not in line and len(line) <= 80 for line in told), told
    assert "getting ready 0:00 elapsed" in told[0]
    assert "getting ready" not in told[1]
    assert told[1].endswith("1:34 elapsed"), "nothing is known of the time to go yet"
    assert " left" in told[2]
