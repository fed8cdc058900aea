"""A game played elsewhere at the terminal: what is typed, shown, refused and kept."""

import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import facedown as fd
from facedown.advisor import Session
from facedown.cli.advise import Kept, begun
from facedown.terminal.advising import Desk
from facedown.terminal.audience import Lines
from terminals import Open, Run

PAGE = Path(__file__).parent.parent.parent / "docs" / "advise.md"
HAND = "2c5ckc 3d9dad 4sqsas 2h6h10hkh"
TOLD = ["advise", "hearts:passing=hold", "--hand", HAND, "--agent", "ismcts:iterations=200"]


class Typed(Lines):
    """Lines of text that somebody types, and the answers."""

    def __init__(self, lines: list[str]) -> None:
        self.shown = io.StringIO()
        console = Console(file=self.shown, width=100, color_system=None, highlight=False)
        super().__init__(console, Console(file=io.StringIO()), 0, 0)
        self.lines = iter(lines)

    def ask(self, prompt: str) -> str | None:
        return next(self.lines, None)


def answers(session: Session, *lines: str, strict: bool = False) -> str:
    """What is shown to somebody who types some lines."""
    audience = Typed(list(lines))
    Desk(session, audience, "ismcts:iterations=200", lambda session: None).run(strict)
    return audience.shown.getvalue()


def kept_hearts() -> Session:
    return Session(fd.load("hearts:passing=hold"), 0, HAND)


def test_the_example_of_the_page_is_what_happens() -> None:
    [block] = re.findall(r"```session\n(.*?)```", PAGE.read_text(), re.DOTALL)
    command, *lines = block.splitlines()
    words = shlex.split(command)
    session = Session(fd.load(words[2]), 0, words[words.index("--hand") + 1])
    typed = [line.removeprefix("> ") for line in lines if line.startswith("> ")]
    printed = [line.rstrip() for line in answers(session, *typed).splitlines()]
    assert printed == [line for line in lines if not line.startswith("> ")]


def test_hint_why_ok_and_beliefs() -> None:
    session = kept_hearts()
    shown = answers(session, "2c ac 9c 8c", "3c 4c 6c", "", "why", "beliefs", "ok")
    assert re.search(r"hint: (K|5)♣, .* of 200 visits", shown)
    assert "is best" in shown or "was tried most" in shown
    assert re.search(r"7♣ 10♣.* 33% +33% +33%", shown)
    assert session.spoken[-1][0] == 0
    assert len(session.entries) == 3


def test_three_cards_are_advised_where_three_are_passed() -> None:
    session = Session(fd.load("hearts"), 0, HAND)
    shown = answers(session, "hint", "ok")
    assert len(re.findall(r"[♣♦♠♥]", shown.partition("hint:")[2].partition(",")[0])) == 3
    assert session.expects.words == "the 3 cards that were passed to you"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("undo 3", "expected to take back from 0 to 1 of the entries, got 3"),
        ("undo x", "expected undo, or undo and a number, got 'x'"),
        ("fix 9 qd", "expected an entry from 0 to 0, got 8"),
        (f"fix {'9' * 5000} qd", "expected fix, the number of a line"),
        ("fix qd", "expected fix, the number of a line and what it should be, as in fix 7 QD, got 'qd'"),
        ("hint", "expected an action of seat 1: advice is for your own turn"),
        ("beliefs all", "expected beliefs, or beliefs inferred, got 'all'"),
        ("fix 1 3d", "in line 1: 3D is not legal for seat 0"),
    ],
)
def test_slips_are_told_and_change_nothing(line: str, words: str) -> None:
    session = kept_hearts()
    assert words in answers(session, "2c", line)
    assert session.entries == ["2c"]


def test_what_was_told_is_kept_and_continued(tmp_path: Path) -> None:
    kept, session = Kept(tmp_path / "kept.json"), kept_hearts()
    audience = Typed(["2c ac 9c", "8c"])
    Desk(session, audience, "random", kept.write).run(strict=True)
    again = begun(session.game, 0, None, {}, kept, audience)
    assert again.view == session.view
    assert again.entries == ["2c ac 9c", "8c"]
    assert kept.read(fd.load("hearts"), 0) is None  # another game


@pytest.mark.parametrize(
    "kept",
    [
        {"entries": []},
        {"entries": [], "hand": 5, "start": {}},
        {"entries": [], "hand": [5], "start": {}},
        {"entries": [5], "hand": None, "start": {}},
        {"entries": [], "hand": None, "start": [1]},
    ],
)
def test_a_damaged_file_is_refused(kept: dict[str, Any], tmp_path: Path) -> None:
    place = tmp_path / "kept.json"
    place.write_text(json.dumps({"game": "hearts", "seat": 0, **kept}))
    with pytest.raises(fd.FacedownError, match="expected a game that was told in"):
        Kept(place).read(fd.load("hearts"), 0)


# --- The command --------------------------------------------------------------------------------------------------------


def test_the_first_line_that_is_refused_ends_the_command(run: Run) -> None:
    code, _, errors = run(*TOLD, lines="2c ac 9c 9c\n8c\n")
    assert code == 2
    assert errors.strip().splitlines()[-1] == "error: '2c ac 9c 9c': 9C was played by seat 2 in trick 1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "4"], "expected a seat from 0 to 3, got 4"),
        (["--agent", "uct"], "expected an agent that plays hearts and sees what its seat sees, got uct"),
        (["--start", "shown"], "expected --start as a name and a value, such as shown=7H, got 'shown'"),
        (["--start", "nothing=1"], "expected one of the facts"),
        (["--hand", "2c 2c"], "2C is twice in the hand"),
    ],
)
def test_bad_options_are_refused_in_one_line(run: Run, words: list[str], message: str) -> None:
    code, _, errors = run("advise", "hearts:passing=hold", *words)
    assert code == 2
    assert message in errors
    assert len(errors.strip().splitlines()) == 1


def test_quit_ends_lines_of_a_pipe_as_their_end_does(run: Run) -> None:
    told = run(*TOLD, lines="2c ac 9c 8c\n3c 4c 6c\n")
    assert "advice: " in told[1]
    assert run(*TOLD, lines="2c ac 9c 8c\n3c 4c 6c\nquit\nnonsense\n")[:2] == told[:2]


def test_one_document_for_machines(run: Run) -> None:
    code, printed, _ = run(*TOLD, "--json", lines="2c ac 9c 8c\n3c 4c 6c\n")
    found = json.loads(printed)
    assert code == 0
    assert found["possible"] == ["5C", "KC"]
    assert found["advice"]["actions"][0] in found["possible"]
    assert found["worlds"] == "136526995463040"


def test_a_person_is_asked_and_nothing_is_lost(terminal: Open, tmp_path: Path) -> None:
    words = [*TOLD[:2], *TOLD[4:], "--save", str(tmp_path / "kept.json")]
    first = terminal(*words)
    first.wait_for("your hand, 13 cards")
    first.type(f"{HAND}\r")
    first.wait_for("your action")
    first.type("2c ac 9c\r")
    first.wait_for("an action of seat 3")
    first.interrupt()
    assert first.exit_code() == 0
    assert "the same command continues" in first.shown.replace("\r\n", "")
    again = terminal(*words)
    again.wait_for("continue the game that was told before")
    again.type("\r")
    again.wait_for("an action of seat 3")
    again.type("8c\r")
    again.wait_for("an action of seat 1")
    again.type("quit\r")
    assert again.exit_code() == 0
    assert json.loads((tmp_path / "kept.json").read_text())["entries"] == [HAND, "2c ac 9c", "8c"]


def test_a_file_of_something_else_is_not_written_over(run: Run, tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ana")
    code, _, err = run(*TOLD, "--save", str(other))
    assert code == 2
    assert err.startswith(f"error: expected a game that was told in {other}")
    assert other.read_text() == "Dear Ana"
