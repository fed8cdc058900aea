"""What docs/server.md shows is run as it stands: the command, and the requests of its first game."""

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from serving import served

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text()


def requests_shown() -> list[list[str]]:
    """The requests of the page, word by word."""
    [block] = [
        block for block in re.findall(r"^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if block.startswith("curl")
    ]
    return [shlex.split(line) for line in block.replace("\\\n", " ").splitlines()]


def sent(words: list[str], filled_in: dict[str, str], url: str) -> httpx.Response:
    """What a server answers to a request that is written for curl."""
    words = [re.sub("ID|TOKEN", lambda found: filled_in[found[0]], word) for word in words]
    headers = dict(words[place + 1].split(": ") for place, word in enumerate(words) if word == "-H")
    data = next((words[place + 1] for place, word in enumerate(words) if word == "-d"), None)
    address = next(word for word in words if word.startswith("localhost:8000"))
    method = "POST" if "POST" in words else "GET"
    return httpx.request(method, address.replace("localhost:8000", url), headers=headers, content=data, timeout=60)


def test_the_first_game_of_the_page_can_be_played(tmp_path: Path) -> None:
    asked = requests_shown()
    assert len(asked) == 5
    with served(tmp_path / "store.sqlite") as server:
        filled_in: dict[str, str] = {}
        answers: list[Any] = []
        for words in asked:
            if answers and "legal" in answers[-1]:
                legal = answers[-1]["legal"]  # the page cannot know which cards are dealt
                words = [word.replace("AS", legal[0]) for word in words]
            answer = sent(words, filled_in, server.url)
            assert answer.status_code in (200, 201), answer.text
            answers.append(answer.json())
            filled_in |= {"ID": answers[0]["id"], "TOKEN": answers[1]["token"] if len(answers) > 1 else ""}
    assert answers[3] == {"moves": 1}


@pytest.mark.parametrize("json_wanted", [False, True])
def test_the_server_says_where_it_is_and_ends_when_it_is_told_to(tmp_path: Path, json_wanted: bool) -> None:
    command = [sys.executable, "-m", "facedown", "serve", "--port", "0", "--store", str(tmp_path / "store.sqlite")]
    serving = subprocess.Popen(
        [*command, *(["--json"] if json_wanted else [])], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert serving.stdout is not None
    first = serving.stdout.readline()
    if json_wanted:
        told = json.loads(first)
        url, token = told["url"], told["admin_token"]
    else:
        url, token = first.split()[-1], serving.stdout.readline().split(": ")[1].strip()
    assert first.startswith("{" if json_wanted else "facedown serves at http://127.0.0.1:")
    assert len(token) >= 43
    assert httpx.get(f"{url}/api/health", timeout=60).json()["status"] == "ok"
    assert "swagger" in httpx.get(f"{url}/docs", timeout=60).text
    serving.send_signal(signal.SIGTERM)
    out, err = serving.communicate(timeout=30)
    assert out == ""
    assert token not in err
    assert "Traceback" not in err
