"""The harness of the fuzz tests catches what it is there to catch: each fault is planted, and found."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from facedown.errors import FacedownError, asked
from hostile import SMALL, Hangs, Ran, answered, check_answer, check_line, settled, tried, unchanged, watched


def test_what_goes_well_or_is_refused_in_one_line_passes() -> None:
    assert settled(lambda: 7) == 7
    assert settled(lambda: refuse("expected a card, got none")) is None
    assert answered(["query", "SELECT 1", "--store", "/nowhere/store.sqlite"]).code == 2
    assert answered(["--version"]).code == 0


def refuse(line: str) -> Any:
    raise FacedownError(line)


STRANGE = ["two\nlines", "a bell \x07", "a \x1b[2J clear", "\ud800", "endless " * 1000]


@pytest.mark.parametrize("line", ["", " ", *STRANGE])
def test_a_refusal_that_is_not_one_plain_line_is_caught(line: str) -> None:
    with pytest.raises(AssertionError):
        check_line(line)
    with pytest.raises(AssertionError):
        check_answer(Ran(2, "", f"error: {line}\n"))


@pytest.mark.parametrize("line", STRANGE)
def test_every_error_is_one_plain_line_whatever_it_repeats(line: str) -> None:
    assert settled(lambda: refuse(f"expected a card, got {line}")) is None
    assert str(FacedownError("two\nlines \x1b[2J")) == "two lines \\x1b[2J"
    longest = str(FacedownError(f"expected {'x' * 5000}, got it"))
    assert longest.startswith("expected xxx")
    assert longest.endswith("xxx, got it")
    assert len(longest) < 1300


@pytest.mark.parametrize("fault", [ValueError, KeyError, TypeError, OverflowError, RecursionError, SystemExit, MemoryError])
def test_a_planted_error_is_caught(fault: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise fault("planted")

    with pytest.raises(fault):
        settled(fail)
    if fault is not SystemExit:
        monkeypatch.setattr("facedown.cli.games.print_list", fail)
        with pytest.raises(AssertionError, match="an error of the program itself"):
            answered(["games"])


def test_a_planted_traceback_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.cli.listing.Console", None)
    with pytest.raises(TypeError):
        answered(["games"])


def test_an_error_told_as_if_a_game_were_at_fault_is_caught() -> None:
    with pytest.raises(AssertionError, match="an error of the program itself"):
        settled(lambda: asked("parse", int, "seven"))


def test_an_error_planted_for_one_number_is_found_among_many() -> None:
    @tried(50)
    @given(SMALL)
    def property(number: int) -> None:
        settled(lambda: 1 // (number - 3))

    with pytest.raises(ZeroDivisionError):
        property()


@pytest.mark.parametrize(
    "ran",
    [
        Ran(2, "", "error: one\nerror: two\n"),
        Ran(2, "half a table\n", "error: one\n"),
        Ran(2, "", "Traceback (most recent call last)\n"),
        Ran(2, "", ""),
        Ran(0, "", "error: but all is well\n"),
        Ran(3, "", "error: one\n"),
        Ran(-11, "", ""),
        Ran(1, "", "Traceback (most recent call last):\n  ...\nValueError: planted\n"),
    ],
)
def test_another_answer_than_work_or_one_line_is_caught(ran: Ran) -> None:
    with pytest.raises(AssertionError):
        check_answer(ran)


@pytest.mark.parametrize("work", [lambda: time.sleep(60), lambda: busy()])
def test_a_planted_hang_is_caught(work: Callable[[], Any]) -> None:
    begin = time.monotonic()
    with pytest.raises(Hangs), watched(seconds=0.2):
        work()
    assert time.monotonic() - begin < 50


def busy() -> None:
    while True:
        try:
            time.sleep(0)
        except Exception:  # as code does that goes on whatever happens
            continue


def test_a_planted_huge_allocation_is_caught() -> None:
    with pytest.raises(MemoryError):
        settled(lambda: bytearray(1 << 35))


def test_a_planted_change_is_caught(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    file.write_bytes(b"store")
    with unchanged(tmp_path):
        file.read_bytes()
    log = tmp_path / "store.sqlite-wal"
    for change in (lambda: file.write_bytes(b"stare"), lambda: log.write_bytes(b"more"), file.unlink):
        with pytest.raises(AssertionError, match=r"changed: store\.sqlite"), unchanged(tmp_path):
            change()
