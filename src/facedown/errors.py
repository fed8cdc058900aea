"""Every error facedown raises on purpose.

FacedownError
├── BadData            numbers from which a statistic cannot be computed
├── BadGame            a game's own code does not compile, fails, or breaks what it declares: the message says where
├── BadOption          an option's value, a seed, or an agent's or game's text
├── BadText            text that names no action
├── HiddenInformation  a view was asked for what its seat cannot know
├── IllegalMove        an action the rules do not allow now
├── ImpossibleEntry    something told of a game played elsewhere that cannot have happened there
├── MissingAnswer      a game does not answer a question that it is asked
├── NoRoom             more memory than is free
├── NoWorlds           a position, or a hypothesis about it, that no cards agree with
├── StoreError         a store that cannot be opened, read or written, or that holds something else
└── UnknownName        no such game, agent, option or sampler: the message lists those there are
"""

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

LONGEST_SHOWN = 80  # letters of a value in an error
OWN_FOLDER = str(Path(__file__).parent)
LONGEST_LINE = 1200  # letters of an error; of a longer one the middle is left out


def shown(value: Any) -> str:
    """A value in an error: cut where it is long."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**LONGEST_SHOWN:
        return f"a number of more than {LONGEST_SHOWN} digits"
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def plain_line(message: str) -> str:
    """A message on one line without control characters, shortened if it is too long."""
    if not message.isprintable():
        message = "".join(letter if letter.isprintable() else blank(letter) for letter in message.strip())
    half = LONGEST_LINE // 2
    return message if len(message) <= LONGEST_LINE else f"{message[:half]} … {message[-half:]}"


def blank(letter: str) -> str:
    """A letter that cannot be printed: a space for white space, an escape for others."""
    return " " if letter.isspace() else repr(letter)[1:-1]


class FacedownError(ValueError):
    """What was expected, and what came, on one line."""

    def __init__(self, message: str = "") -> None:
        super().__init__(plain_line(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message itself: a subclass may take other arguments."""
        return _restored, (type(self), *self.args), vars(self)


class BadData(FacedownError):
    """Numbers from which a statistic cannot be computed."""


class BadGame(FacedownError):
    """A game's own code that does not compile, fails, or breaks what the game declares; the message says where."""


class BadOption(FacedownError):
    """An option's value, a seed or an option text that cannot be used."""


class BadText(FacedownError):
    """Text that names no action."""


class HiddenInformation(FacedownError):
    """A view was asked for something its seat cannot know."""


class IllegalMove(FacedownError):
    """An action that the rules do not allow now; the state is unchanged."""

    position: str | None = None  # what the seat that tried it sees, as text, where it was its turn


class ImpossibleEntry(FacedownError):
    """Something told of a game played elsewhere that cannot have happened there; it is not taken."""

    def __init__(self, message: str = "", entry: int | None = None) -> None:
        super().__init__(message)
        self.entry = entry  # its place, counted from 0; None for the hand


class MissingAnswer(FacedownError):
    """A game that does not answer a question it is asked."""


class NoRoom(FacedownError):
    """More memory than is free."""


class NoWorlds(FacedownError):
    """A position, or a hypothesis about it, that no cards agree with."""


class StoreError(FacedownError):
    """A store that cannot be opened, read or written, or that holds something else than what is to be stored."""


class UnknownName(FacedownError):
    """No such game, agent, option or sampler."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {shown(name)}; known: {', '.join(sorted(known)) or 'none'}")


def _restored(kind: type[FacedownError], *arguments: Any) -> FacedownError:
    """An unpickled error, made without calling its __init__."""
    return kind.__new__(kind, *arguments)


# --- Errors in a user's own file ----------------------------------------------------------------------------------------


def is_own(file: str) -> bool:
    """Whether a source file is facedown's own."""
    return file.startswith(OWN_FOLDER)


def is_persons(file: str) -> bool:
    """Whether a source file is a user's: not facedown's, not Python's, not an installed package's, not `<string>`."""
    return not is_own(file) and not file.startswith(("<", *_others_folders()))


@cache
def _others_folders() -> tuple[str, ...]:
    """The folders of Python and installed packages."""
    import sysconfig

    return tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")})


def place(file: str, line: int | None) -> str:
    """A line of a file in words; files below the current folder by their relative path."""
    with suppress(ValueError, OSError):
        file = str(Path(file).relative_to(Path.cwd()))
    return f"{file}, line {line}"


def origin(error: BaseException) -> str | None:
    """The function, file and line of a user's code that an error comes from; None if it comes from none."""
    if isinstance(error, SyntaxError) and error.filename:
        return place(error.filename, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    found = [frame for frame in frames if is_persons(frame.filename)]
    if not found:
        return None
    frame = found[-1]
    return f"{f'{frame.name} in ' * frame.name.isidentifier()}{place(frame.filename, frame.lineno)}"


def calling_line() -> str:
    """The line outside of facedown that called this, in parentheses; empty if there is none."""
    frame = sys._getframe(1)
    while frame is not None and not is_persons(frame.f_code.co_filename):
        frame = frame.f_back  # type: ignore[assignment]  # None at the end
    return f" ({place(frame.f_code.co_filename, frame.f_lineno)})" if frame is not None else ""


def require_extra(module: str, package: str, extra: str) -> None:
    """Refuse in one line to continue without a package that is installed with an extra of facedown."""
    if find_spec(module) is None:
        raise FacedownError(f"expected {package} to be installed, got none: run pip install 'facedown[{extra}]'")


def one_line(error: BaseException) -> str:
    """An error in one line: its kind and its message."""
    words = " ".join(str(getattr(error, "msg", None) if isinstance(error, SyntaxError) else error).split())
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


@contextmanager
def loading(text: str) -> Iterator[None]:
    """Turn any error in a user's own file into one line with its place."""
    try:
        yield
    except FacedownError:
        raise
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = origin(error) or place(frame.filename, frame.lineno)
        raise FacedownError(f"expected {text!r} to load, got {one_line(error)} ({where})") from error


def asked(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a game's own Python function returns; any error in it becomes one line with its place."""
    try:
        return function(*arguments)
    except FacedownError:
        raise
    except Exception as error:
        where = origin(error)
        raise BadGame(
            f"expected the game's `{name}` to answer, got {one_line(error)}{f' ({where})' if where else ''}"
        ) from error
