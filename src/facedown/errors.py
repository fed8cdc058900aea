"""Every error facedown raises on purpose.

FacedownError
├── BadData            numbers that the statistic asked for cannot be made from
├── BadOption          an option's value, a seed, or an agent's or game's text
├── BadText            text that names no action
├── HiddenInformation  a view was asked for what its seat cannot know
├── IllegalMove        an action the rules do not allow now
├── MissingAnswer      a game does not answer a question that it is asked
├── NoRoom             more memory than there is
├── NoWorlds           a position, or what is supposed of it, that no cards agree with
├── StoreError         a store that cannot be opened, read or written, or that holds something else
└── UnknownName        no such game, agent, option or sampler: the message lists those there are
"""

import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

LONGEST_SHOWN = 80  # letters of a value in an error


def shown(value: Any) -> str:
    """A value in an error: cut where it is long."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**LONGEST_SHOWN:
        return f"a number of more than {LONGEST_SHOWN} digits"
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


class FacedownError(ValueError):
    """What was expected, and what came."""


class BadData(FacedownError):
    """Numbers that the statistic asked for cannot be made from."""


class BadOption(FacedownError):
    """An option's value, a seed or an option text that cannot be used."""


class BadText(FacedownError):
    """Text that names no action."""


class HiddenInformation(FacedownError):
    """A view was asked for something its seat cannot know."""


class IllegalMove(FacedownError):
    """An action that the rules do not allow now; the state is unchanged."""


class MissingAnswer(FacedownError):
    """A game that does not answer a question it is asked."""


class NoRoom(FacedownError):
    """More memory than there is."""


class NoWorlds(FacedownError):
    """A position, or what is supposed of it, that no cards agree with."""


class StoreError(FacedownError):
    """A store that cannot be opened, read or written, or that holds something else than what is to be stored."""


class UnknownName(FacedownError):
    """No such game, agent, option or sampler."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown {kind} {shown(name)}; known: {', '.join(sorted(known)) or 'none'}")


@contextmanager
def loading(text: str) -> Iterator[None]:
    """Turn whatever a person's own file raises into one line that says where."""
    try:
        yield
    except FacedownError:
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{place.filename}, line {place.lineno}"
        raise FacedownError(f"expected {text!r} to load, got {type(error).__name__}: {error} ({where})") from error
