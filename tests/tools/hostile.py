"""Hostile input, and what is asked of all of it: a result or one line, soon, in little memory, and nothing else changed.

FACEDOWN_FUZZ=N tries N times as many examples, other ones each time; without it they are always the same.
"""

import io
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from facedown import cli
from facedown.errors import LONGEST_LINE, FacedownError

Made = TypeVar("Made")

TIMES = max(1, int(os.environ.get("FACEDOWN_FUZZ") or 1))
SECONDS = 60.0  # after which something hangs: none of this takes one, even on a busy machine
BYTES = 3 << 30  # that nothing here needs


def tried(examples: int) -> settings:
    """How many examples a test tries."""
    return settings(
        max_examples=examples * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        print_blob=True,
        phases=[Phase.explicit, Phase.generate, *([Phase.shrink] if TIMES > 1 else [])],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


# --- What may come of it ----------------------------------------------------------------------------------------------


class Hangs(BaseException):
    """It took so long that it might never end; no handler of errors may hide it."""


@contextmanager
def watched(seconds: float = SECONDS, size: int = BYTES) -> Iterator[None]:
    """Raise Hangs in what takes too long, and MemoryError in what asks for too much."""

    def stop(*_: object) -> None:
        raise Hangs(f"expected an end within {seconds:g} s")

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with ExitStack() as stack:
        before = signal.signal(signal.SIGALRM, stop)
        stack.callback(signal.signal, signal.SIGALRM, before)
        stack.callback(signal.setitimer, signal.ITIMER_REAL, 0)
        pages = Path("/proc/self/statm")
        if pages.exists():
            used = int(pages.read_text().split()[0]) * resource.getpagesize()
            stack.callback(resource.setrlimit, resource.RLIMIT_AS, (soft, hard))
            resource.setrlimit(resource.RLIMIT_AS, (used + size, hard))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield


# Facedown tells an error that comes out of a person's own file in one line too; no file tried here has one.
INTERNAL = re.compile(r"\b[A-Z]\w*(Error|Warning|Exception|Iteration|Exit): ")


def settled(call: Callable[..., Made], *given: Any, **named: Any) -> Made | None:
    """The result, or None where one line refuses it; whatever else is raised, the test fails by it."""
    with watched():
        try:
            return call(*given, **named)
        except FacedownError as error:
            check_line(str(error))
    return None


def check_line(line: str) -> None:
    """One line for a person: not empty, not endless, and doing nothing to a terminal."""
    assert line.strip(), "an empty line"
    assert len(line.splitlines()) == 1, f"more than one line: {line!r}"
    assert len(line) <= LONGEST_LINE + 10, f"a line of {len(line)} letters: {line[:200]!r}..."
    assert line.isprintable(), f"letters that are not printable: {line!r}"
    assert not INTERNAL.search(line), f"an error of the program itself, told as if it were the input's: {line}"


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def run(arguments: Sequence[str], given: bytes = b"") -> Ran:
    """Run a command in this process, without a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    keyboard, path = sys.stdin, list(sys.path)
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    code: Any = None
    try:
        with watched(), redirect_stdout(out), redirect_stderr(err):
            cli.main(arguments)
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin, sys.path[:] = keyboard, path
    return Ran(int(code or 0), *(stream.buffer.getvalue().decode() for stream in (out, err)))


def answered(arguments: Sequence[str], given: bytes = b"") -> Ran:
    """What a command did, if that was its work or one line of refusal with exit code 2."""
    ran = run(arguments, given)
    check_answer(ran)
    return ran


def check_answer(ran: Ran) -> None:
    """Exit code 2 comes with one line and no more but what was whole before; 0 and 1 (found something) with no error."""
    assert ran.code in (0, 1, 2), ran
    assert "Traceback (most recent call last)" not in ran.out + ran.err, ran
    if ran.code == 2:
        assert all(line.startswith('{"format":') for line in ran.out.splitlines()), ran  # exported before the damage
        lines = [line for line in ran.err.split("\n") if not line.startswith("compiling ")]  # which is told before
        assert len(lines) == 2, ran
        assert lines[0].startswith("error: "), ran
        assert lines[1] == "", ran
        check_line(lines[0].removeprefix("error: "))
    else:
        assert "error: " not in ran.err, ran


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """Refuse any change of the files in a folder: contents, names, nothing new beside them."""
    before = contents_of(folder)
    yield
    after = contents_of(folder)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    assert not changed, f"changed: {', '.join(changed)}"


def contents_of(folder: Path) -> dict[str, bytes | None]:
    """All below a folder, None for what is no plain file; less the empty log and its index that SQLite's readers leave."""
    found = {str(file.relative_to(folder)): file.read_bytes() if file.is_file() else None for file in folder.rglob("*")}
    return {name: file for name, file in found.items() if not name.endswith("-shm") and (file or not name.endswith("-wal"))}


# --- What is tried ----------------------------------------------------------------------------------------------------

# Small enough to be done at once, or so large that it has to be refused: what lies between is allowed, and takes long.
SMALL = st.integers(0, 3)
HUGE = st.one_of(
    st.sampled_from([2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 10**19, 10**30, 10**308, 10**309]),
    st.integers(10**15, 10**40),
)
NEGATIVE = HUGE.map(int.__neg__) | st.integers(-3, -1)
DIGITS = st.sampled_from(["9" * 5000, "-" + "9" * 5000, "0" * 5000 + "1", "1." + "0" * 5000, "1e" + "9" * 5000, "9" * 4300])
ODD = """
    nan NaN inf -inf Infinity 1e308 1e309 -1e308 1e-400 0x10 1_0 +1 -0 0.5 1.5 ² ٣ １ ½ None null true false [] {} ""
    '' ' " \\ / . .. ~ - -- * ? % $HOME %s {0} {} = == , ,, : :: ; # #1 + | & 0..1 1..0 0-1 1-0 0,5 1/2 ../.. -1.5
"""
WORDS = st.sampled_from(ODD.split())
BLANKS = ["", " ", "\t", "\n", "a\nb", "\r", "\0", "a\0b", "\x7f", "\u2028", "\ufeff"]
CODES = ["\x1b[2J\x1b[31m", "\x07", "\u202eabc", "\ud800", "a\udcffb", "\udcff\udcfe", "\U0010ffff"]
LONG = ["x" * 300, "x" * 5000, "é" * 3000, "/" * 5000]
CONTROLS = st.sampled_from([*BLANKS, *CODES, *LONG, "é", "♠", "ﬁ", "𝟙"])
NUMBERS = st.one_of(SMALL, HUGE, NEGATIVE).map(str) | DIGITS
TEXTS = st.one_of(NUMBERS, WORDS, CONTROLS, st.text(max_size=30), st.text(st.characters(), max_size=12))
VALUES: st.SearchStrategy[Any] = st.one_of(
    SMALL,
    HUGE,
    NEGATIVE,
    st.floats(),
    st.none(),
    st.booleans(),
    TEXTS,
    st.binary(max_size=5),
    st.sampled_from([[], {}, (), [1], object(), 1j, 10**5000, range(3)]),
)


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Bytes with some flipped, overwritten, cut off, doubled or taken out."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(data) - 1)))
        kind = draw(st.sampled_from(["flip", "flip", "flip", "overwrite", "cut", "remove", "insert", "zero"]))
        if kind == "flip" and data:
            data[place] ^= 1 << draw(st.integers(0, 7))
        elif kind == "overwrite":
            piece = draw(st.binary(min_size=1, max_size=16))
            data[place : place + len(piece)] = piece
        elif kind == "cut":
            del data[place:]
        elif kind == "remove":
            del data[place : place + draw(st.integers(1, 200))]
        elif kind == "insert":
            data[place:place] = draw(st.binary(min_size=1, max_size=16))
        elif kind == "zero":
            size = min(draw(st.integers(1, 600)), len(data) - place)
            data[place : place + size] = bytes(size)
    return bytes(data)


@st.composite
def option_texts(draw: st.DrawFn, names: Sequence[str], options: Callable[[str], Sequence[str]]) -> str:
    """A text such as name:option=value,option=value, right in some parts and wrong in others."""
    name = draw(st.sampled_from(names)) if draw(st.integers(0, 9)) else draw(TEXTS)
    known = list(options(name)) if name in names else ["iterations"]
    parts = []
    for _ in range(draw(st.integers(0, 3))):
        key = draw(st.sampled_from(known)) if known and draw(st.integers(0, 9)) > 0 else draw(TEXTS)
        sign = "=" if draw(st.integers(0, 19)) else draw(st.sampled_from(["", "==", " = ", ":"]))
        parts.append(f"{key}{sign}{draw(TEXTS)}")
    colon = ":" if parts or not draw(st.integers(0, 9)) else ""
    return f"{name}{colon}{','.join(parts)}"
