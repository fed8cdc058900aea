"""The command facedown bot against a real server, as the pages show it."""

import asyncio
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import needs
from documented import FENCE, NOT_RUN, ROOT, commands_of, program
from serving import ServerProcess, free_port
from terminals import Run

PAGE = ROOT / "docs" / "client.md"
OPEN, RANDOM = {"open": True}, {"agent": "random"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("served") / "store.sqlite") as running:
        yield running


def post(server: ServerProcess, path: str, **body: Any) -> Any:
    return httpx.post(f"{server.url}/api/{path}", json=body, timeout=60).json()


def new_table(server: ServerProcess, game: str = "hearts32", **wishes: Any) -> str:
    return str(post(server, "tables", game=game, seats=[OPEN, RANDOM, RANDOM, RANDOM], **wishes)["id"])


def documented_bots() -> list[str]:
    return [command for command in commands_of(PAGE) if " http://" in command]


@pytest.mark.parametrize("command", documented_bots())
def test_every_documented_bot_plays(server: ServerProcess, run: Run, command: str) -> None:
    assert command in NOT_RUN  # elsewhere
    if "--competition" in command:
        id = post(server, "competitions", game="hearts32", entrants=[RANDOM, OPEN], deals=1)["id"]
    else:
        id = new_table(server, "hearts" if "--game" in command else "hearts32")
    typed = command.replace("http://127.0.0.1:8000", server.url).replace(" ID", f" {id}").replace("=0.2", "=0.01")
    if not typed.startswith("facedown"):
        words, _ = program(typed)
        done = subprocess.run([*words, id], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return
    code, out, err = run(*shlex.split(typed)[1:])
    assert (code, err) == (0, "")
    if "--json" in command:
        data = json.loads(out)
        assert (data["name"], data["agent"], len(data["games"])) == ("random bot", "random", 1)
        assert data["games"][0]["table"] == id
        assert len(data["games"][0]["scores"]) == 4
    else:
        expected = "Ada has played 1 game" if "Ada" in command else "ismcts bot has played 1 game"
        if "--competition" in command:
            expected = "expert bot has played 6 games"  # of two against two
            assert all(", seats " in line for line in out.splitlines()[1:7])
        assert out.splitlines()[-1].startswith(f"{expected} and won ")


@pytest.mark.node
def test_the_documented_bot_in_javascript_plays(server: ServerProcess) -> None:
    assert "node examples/bot.js http://127.0.0.1:8000" in PAGE.read_text()
    command = [needs.node(), "examples/bot.js", server.url, new_table(server)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_python_of_the_page_plays(server: ServerProcess) -> None:
    names: dict[str, Any] = {}
    for fence in FENCE.finditer(PAGE.read_text()):
        if fence[1] == "python":
            exec(compile(fence[2], PAGE, "exec"), names)
    for bot in ("first_legal", "expert"):
        assert len(asyncio.run(names[bot](server.url))) == 4


def test_a_bot_prints_a_line_for_each_game(server: ServerProcess, run: Run) -> None:
    table = new_table(server, seed=4)
    code, out, err = run("bot", server.url, "--agent", "random", "--seed", "1", "--table", table)
    first, second, last = out.splitlines()
    assert (code, err) == (0, "")
    assert first == f"random bot plays hearts32 at table {table}, seat 0"
    assert second.startswith(f"hearts32 at {table}, seat 0: scores ")
    assert last in ("random bot has played 1 game and won 0", "random bot has played 1 game and won 1")


def test_a_bot_prints_the_standings_of_a_competition(server: ServerProcess, run: Run) -> None:
    id = post(server, "competitions", game="bisca", entrants=[RANDOM, OPEN], deals=1, seed=1)["id"]
    code, out, err = run("bot", server.url, "--agent", "expert", "--competition", id, "--json")
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert {one["agent"] for one in data["standings"]} == {"random", "expert bot"}
    assert [game["seats"] for game in data["games"]] in ([[0], [1]], [[1], [0]])
    assert data["won"] == sum(game["won"] for game in data["games"])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--game", "magic"], "expected a table of magic with an open seat at URL, got none"),
        (["--table", "nowhere"], "expected the id of a table, got 'nowhere'"),
        (["--competition", "nowhere"], "expected the id of a competition, got 'nowhere'"),
        (["--table", "a", "--competition", "b"], "expected a table or a competition, got both"),
        (["--agent", "nobody"], "unknown agent 'nobody'; known: "),
        (["--agent", "uct"], "expected an agent that needs no more than its view, got uct, which sees all"),
        (["--at-once", "0"], "option at_once: expected"),
        (["--name", "a/b", "--table", "TABLE"], "expected a name without a colon or a slash, got 'a/b'"),
        (["--game", "sueca", "--table", "TABLE"], "expected a table of sueca, got one of hearts32"),
        (
            ["--agent", "cheat-person", "--table", "TABLE"],
            "expected the game cheat, which is all that cheat-person can play",
        ),
    ],
)
def test_what_a_bot_cannot_do_is_one_line(server: ServerProcess, run: Run, arguments: list[str], reason: str) -> None:
    table = new_table(server)
    agent = [] if "--agent" in arguments else ["--agent", "random"]
    code, out, err = run("bot", server.url, *agent, *[table if word == "TABLE" else word for word in arguments])
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {reason.replace('URL', server.url)}")
    assert err.count("\n") == 1


def test_a_server_that_cannot_be_reached_is_one_line(run: Run) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert run("bot", url, "--agent", "random") == (
        *(2, "", f"error: expected a server at {url}, got nobody who answers\n"),
    )


def test_ctrl_c_leaves_in_the_middle_of_a_thought(server: ServerProcess, tmp_path: Path) -> None:
    table = post(server, "tables", game="bisca", seats=[OPEN, OPEN])["id"]
    command = [sys.executable, "-m", "facedown", "bot", server.url, "--agent", "ismcts:seconds=0.01", "--table", table]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as bot:
        assert bot.stdout is not None
        first = bot.stdout.readline()
        bot.send_signal(signal.SIGINT)
        out, err = bot.communicate(timeout=30)
    assert first == f"ismcts bot plays bisca at table {table}, seat 0\n"
    assert (bot.returncode, out, err) == (130, "ismcts bot has played 0 games and won 0\n", "")
    assert httpx.get(f"{server.url}/api/tables/{table}").json()["seats"][0]["kind"] == "remote"
