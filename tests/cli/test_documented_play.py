"""Every documented game at the terminal is played to its end by somebody who types, in a terminal of 80 by 24."""

import re
import shlex
import time
from collections.abc import Iterator

import pytest

from documented import before, is_played, surroundings, to_run
from facedown.kernel import COMPILED
from forking import ForkServer
from terminals import Terminal
from test_documented_commands import lay_out

LONGEST = 600  # seconds, on a machine where much else runs
MOST_LINES = 2000  # typed in a game
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()][0-9AB]?")
# A question is a line of its own: the line editor shows it once more, before what is typed.
QUESTION = re.compile(r"\n[^\n]*(your turn|choose \d+|Enter)[^\n]*: *$")
LEGAL = re.compile(r"expected one of (.*?)(?: (?:your turn|choose|only)\b|$)")

# A first try at each question of a game: mostly legal, else the refusal says what is.
TRIES = {"cheat": "take", "magic": "done"}
CARD = "2C"


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Runs commands in a folder with the files that the pages speak of, and a model that a documented command has made."""
    folder = tmp_path_factory.mktemp("desk")
    lay_out(folder)
    made = [command for command in to_run() if command.startswith("facedown train cheat --from-store")]
    with ForkServer(folder, surroundings(folder), tmp_path_factory.mktemp("forks")) as server:
        words = shlex.split(made[0])
        assert server.run(words[1:], "", before(words), LONGEST).returncode == 0
        yield server


class Sitting(Terminal):
    """A command in a terminal, and somebody before it who types lines."""

    def questions(self) -> Iterator[str]:
        """What is on the screen each time that something is asked, until the game is over."""
        deadline = time.monotonic() + LONGEST
        while time.monotonic() < deadline:
            if not self.read():
                return
            if QUESTION.search(shown := plain(self.shown)):
                yield shown
        raise AssertionError(f"no end in {LONGEST} seconds: {self.shown[-2000:]}")

    def enter(self, line: str) -> None:
        self.shown = ""
        self.type(f"{line}\r")


def plain(shown: str) -> str:
    """What was shown, without colours and places."""
    return ESCAPES.sub("", shown).replace("\r", "")


def answer(question: str, first: str) -> str:
    """What to type: the first action that a refusal names, or a try; nothing where Enter is enough."""
    if "Enter" in question.rstrip().splitlines()[-1]:
        return ""
    words = " ".join(question.split())
    refused = LEGAL.search(words)
    if not refused:
        return first
    named = refused[1].split(", ") if "," in refused[1] else refused[1].split(" ")
    return named[0].strip()


@pytest.mark.skipif(not COMPILED, reason="the searches take hours when interpreted")
@pytest.mark.parametrize("command", [command for command in to_run() if is_played(command)])
def test_a_documented_game_is_played_to_its_end(command: str, forks: ForkServer) -> None:
    first = TRIES.get(re.split(r"[: ]", command)[2], CARD)
    sitting = Sitting(forks, shlex.split(command)[1:], {})
    lines = 0
    try:
        for question in sitting.questions():
            lines += 1
            assert lines < MOST_LINES, question[-2000:]
            sitting.enter(answer(question, first))
        assert sitting.process.wait(30) == 0, sitting.shown[-2000:]
    finally:
        sitting.close()
    assert "same deal again: facedown play" in sitting.shown
    assert lines > 1
