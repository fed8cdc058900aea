"""The example bots play against a real server, as whoever copies them would."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import needs
from serving import ServerProcess

EXAMPLES = Path(__file__).parents[2] / "examples"
LINES_OF_A_PAGE = 70
PYTHON = [sys.executable, str(EXAMPLES / "bot.py")]
JAVASCRIPT = ["node", str(EXAMPLES / "bot.js")]
BOTH = pytest.mark.parametrize(
    "program",
    [
        pytest.param(PYTHON, id="python"),
        pytest.param(JAVASCRIPT, id="javascript", marks=pytest.mark.node),
    ],
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("served") / "store.sqlite") as running:
        yield running


def new_table(server: ServerProcess, seats: list[dict[str, Any]], game: str = "sueca") -> str:
    answer = httpx.post(f"{server.url}/api/tables", json={"game": game, "seats": seats}, timeout=60)
    return str(answer.json()["id"])


def started(program: list[str], *arguments: str) -> subprocess.Popen[str]:
    if program == JAVASCRIPT:
        needs.node()
    return subprocess.Popen([*program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@BOTH
def test_an_example_bot_plays_a_game_to_its_end(server: ServerProcess, program: list[str]) -> None:
    table = new_table(server, [{"open": True}, *[{"agent": "random"}] * 3])
    bot = started(program, server.url, table)
    out, err = bot.communicate(timeout=60)
    assert (bot.returncode, err) == (0, "")
    assert re.fullmatch(rf"table {table}, seat 0\nscores( \d+){{4}}\nall 10 tricks are played, .*\n", out)
    assert httpx.get(f"{server.url}/api/tables/{table}").json()["status"] == "over"


@pytest.mark.node
def test_bots_in_two_languages_play_together(server: ServerProcess) -> None:
    table = new_table(server, [{"open": True}, {"agent": "random"}, {"open": True}, {"agent": "random"}])
    bots = [started(program, server.url, table) for program in (PYTHON, JAVASCRIPT)]
    scores = [bot.communicate(timeout=60)[0].splitlines()[1] for bot in bots]
    assert scores[0] == scores[1]
    names = {seat["name"] for seat in httpx.get(f"{server.url}/api/tables/{table}").json()["seats"]}
    assert names == {"python example", "javascript example", "random"}


@BOTH
def test_an_example_bot_says_in_one_line_why_it_cannot_play(server: ServerProcess, program: list[str]) -> None:
    bot = started(program, server.url, "nowhere")
    out, err = bot.communicate(timeout=60)
    assert (bot.returncode, out, err) == (1, "", "error: expected the id of a table, got 'nowhere'\n")


@BOTH
def test_an_example_bot_is_about_a_page(program: list[str]) -> None:
    assert len(Path(program[1]).read_text().splitlines()) <= LINES_OF_A_PAGE
