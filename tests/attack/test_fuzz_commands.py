"""Command lines from somebody who means harm: every command answers, or refuses in one line with exit code 2."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from facedown import cli
from facedown.errors import FacedownError
from facedown.lab.bench import speed, strength
from facedown.lab.experiments import Experiment, Findings
from hostile import TEXTS, Ran, answered, check_answer, tried, unchanged
from stores import fill, game

# A line of each command that takes no time. What is tried takes the place of one or two of its words, or comes to them.
LINES = {
    "": [],
    "games": [],
    "agents": [],
    "play": ["coin_guess:GAME", "random", "--seed", "1", "--delay", "0"],
    "watch": ["coin_guess:GAME", "random", "--seed", "1", "--delay", "0"],
    "advise": ["coin_guess:GAME", "--agent", "random"],
    "bench": ["bisca", "--repeats", "1"],
    "check": ["coin_guess:GAME"],
    "audit": ["coin_guess:GAME", "--deals", "1"],
    "tournament": [
        "coin_guess:GAME",
        "random",
        "ismcts:iterations=2",
        "--deals",
        "1",
        "--on",
        "local",
        "--move-seconds",
        "60",
    ],
    "tune": [
        "coin_guess:GAME",
        "ismcts:iterations=2",
        "--over",
        "exploration=0.5|1",
        "--method",
        "knockout",
        "--deals",
        "1",
        "--fresh",
        "1",
        "--on",
        "local",
    ],
    "train": ["cheat", "--games", "1", "--test-games", "1", "--trees", "1", "--on", "local", "--out", "model.npz"],
    "reproduce": [f"{__name__}:NOTHING", "--on", "local"],
    "book": [],
    "replay": ["1"],
    "query": ["SELECT * FROM runs"],
    "export": [],
    "import": ["lines.jsonl"],
    "bot": ["http://127.0.0.1:1", "--agent", "random"],  # where nobody listens
    "serve": ["--port", "0"],
    "store": [],
    "store info": [],
    "store upgrade": [],
}
STORED = {
    "tournament",
    "tune",
    "train",
    "reproduce",
    "replay",
    "query",
    "export",
    "import",
    "serve",
    "store info",
    "store upgrade",
}
READING = {"replay", "query", "store info"}
WRITTEN = {"--html", "--csv", "--out", "--plot", "--output", "-o"}
FILES = {*WRITTEN, "--store", "--from-store"}  # only below the test's folder
PLACES = ["", ".", "folder", "pipe", "link", "file", "nowhere/below", "file/below", "x" * 300, "x" * 5000, "a\0b", "\udcff"]
PLACES += ["a\nb", "\x1b[2J.html", "postgresql://", "sqlite://", "x://y", "new.html", "new.csv", "new.json", "~nobody/x"]


NOTHING = Experiment("nothing", "Nothing", "nowhere", {}, lambda lab: Findings([], [], []))


@cache
def commands() -> dict[str, Any]:
    """Every command of the program as its library knows it."""
    top: Any = typer.main.get_command(cli.app)
    inner = {f"{name} {below}": one for name, group in top.commands.items() for below, one in commands_of(group).items()}
    return {"": top, **top.commands, **inner}


def commands_of(group: Any) -> dict[str, Any]:
    return dict(getattr(group, "commands", {}))


def test_every_command_is_tried() -> None:
    assert sorted(LINES) == sorted(commands())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a store, records, and things in the way."""
    fill(str(tmp_path / "kept" / "store.sqlite"), 0, 1)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("FACEDOWN_STORE", str(work / "store.sqlite"))
    monkeypatch.setattr(speed, "measure", measured)
    monkeypatch.setattr(strength, "measure_strength", measured)
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: sockets[0].close())
    return work


def measured(*_: Any, **__: Any) -> Any:
    """Benchmarks take minutes: only the checks before them are tried."""
    raise FacedownError("expected nothing more: all was right")


def prepare(work: Path) -> None:
    """Make all as it was before the last example."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "folder").mkdir(parents=True)
    os.chdir(work)
    os.mkfifo(work / "pipe")
    (work / "link").symlink_to("link")
    (work / "file").touch()
    (work / "lines.jsonl").write_text(f"{game(3).to_json()}\n")
    shutil.copy(work.parent / "kept" / "store.sqlite", work / "store.sqlite")


def places(option: str) -> st.SearchStrategy[str]:
    """Where to read or write: who writes into a pipe waits for a reader, and no real command line has a NUL in it."""
    return st.sampled_from([place for place in PLACES if option not in WRITTEN or (place != "pipe" and "\0" not in place)])


@st.composite
def command_lines(draw: st.DrawFn, name: str) -> list[str]:
    """A line that is right, but for some words."""
    words = list(LINES[name])
    options = sorted(spelling for one in commands()[name].params for spelling in [*one.opts, *one.secondary_opts])
    options = [one for one in options if one.startswith("-") and one not in ("--help", "--version")]
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(["replace", "option", "option", "insert", "remove", "flag"]))
        if kind == "option" and options:
            option = draw(st.sampled_from(options))
            value = draw(places(option) if option in FILES else TEXTS)
            words += [f"{option}={value}"] if option.startswith("--") else [option, value]
        elif kind == "replace" and words:
            place = draw(st.integers(0, len(words) - 1))
            words[place] = draw(places(words[place - 1]) if words[place - 1] in FILES else TEXTS.filter(not_far))
        elif kind == "insert":
            words.insert(draw(st.integers(0, len(words))), draw(TEXTS.filter(not_far)))
        elif kind == "remove" and words and name not in COSTLY:
            del words[draw(st.integers(0, len(words) - 1))]
        elif options:
            words.append(draw(st.sampled_from(options)))
    return [*name.split(), *words]


COSTLY = {"tournament", "tune", "train", "audit", "check"}  # which play many games


def not_far(text: str) -> bool:
    """Whether a text names nothing outside the folder that could be written, and can be a word of a command at all."""
    return not text.startswith(("/", "~")) and "\0" not in text


@pytest.mark.parametrize("name", LINES)
def test_each_line_is_answered_as_it_is(name: str, folder: Path) -> None:
    prepare(folder)
    ran = answered([*name.split(), *LINES[name]])
    assert ran.code == 0 or name in ("bench", "train", "bot"), ran  # stopped; too few games; nobody listens


@pytest.mark.parametrize("name", LINES)
def test_a_command_answers_or_refuses_in_one_line(name: str, folder: Path) -> None:
    @tried(12 if name in COSTLY else 30)
    @given(command_lines(name), st.binary(max_size=9))
    def answers(line: list[str], given_bytes: bytes) -> None:
        prepare(folder)
        answered(line, given_bytes)

    answers()


@pytest.mark.parametrize("name", sorted(READING))
def test_a_command_that_reads_changes_nothing(name: str, folder: Path) -> None:
    @tried(20)
    @given(command_lines(name))
    def changes_nothing(line: list[str]) -> None:
        prepare(folder)
        with unchanged(folder):
            answered(line)

    changes_nothing()


def test_any_words_are_answered_or_refused() -> None:
    @tried(60)
    @given(st.lists(TEXTS | st.sampled_from(sorted(LINES)), max_size=4).filter(lambda words: "bench" not in words))
    def answers(words: list[str]) -> None:
        answered([word for word in words if word not in COSTLY])

    answers()


# --- In processes of their own ----------------------------------------------------------------------------------------

COMMAND = [sys.executable, "-m", "facedown"]


@pytest.mark.parametrize(
    "line",
    [
        ["tournament", "bisca", "random", "random", "--deals", b"\xff\xfe", "--on", "local"],
        ["watch", b"\xff\xfe", "random"],
        ["query", b"SELECT '\xff\xfe'"],
        ["replay", "9" * 5000],
        ["replay", b"\xff.jsonl"],
        ["audit", "hearts32", "--deals", "9" * 5000],
        ["export", "-o", b"\xff\xfe/\xff"],
    ],
)
def test_a_real_command_refuses_in_one_line(line: list[str | bytes], folder: Path) -> None:
    prepare(folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([*COMMAND, *line], capture_output=True, env=environment, timeout=300, check=False)
    check_answer(Ran(done.returncode, done.stdout.decode(), done.stderr.decode()))
    assert done.returncode == 2
