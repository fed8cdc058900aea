"""Records that a command names: in a store, by run, deal and seating, or as a line of a file."""

import os.path
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from facedown.errors import BadText, FacedownError, shown

if TYPE_CHECKING:
    from facedown.record import GameRecord

NEWEST = "last"  # the game stored last
LONGEST_NUMBER = 19  # digits, from which on it may be too large


class Found(NamedTuple):
    """A record, and where it was."""

    record: "GameRecord"
    place: dict[str, Any]  # store or file; run, deal and seating if it has them

    @property
    def title(self) -> str:
        """The place in words."""
        return ", ".join(f"{name} {value}" for name, value in self.place.items() if value is not None)

    def with_trust(self, trust: bool | None) -> "Found":
        """The same with the record trusted or not, if that is not None."""
        return self if trust is None else self._replace(record=replace(self.record, trusted=trust))


def located(text: str, store: str | None) -> Found:
    """The record that a text names."""
    if text == NEWEST or is_number(text):
        return in_store(None if text == NEWEST else int(text), store)
    file, line = file_and_line(text)
    if file is not None:
        return in_file(file, line)
    run, deal, seating = [*text.rsplit(":", 2), "", ""][:3]
    if run and is_number(deal) and is_number(seating):
        return in_run(run, int(deal), int(seating), store)
    raise BadText(f"expected the number of a game, {NEWEST}, RUN:DEAL:SEATING or a file of records, got {shown(text)}")


def is_number(text: str) -> bool:
    """Whether a text is a number that a database has room for."""
    return text.isdecimal() and len(text) < LONGEST_NUMBER


def file_and_line(text: str) -> tuple[str | None, int]:
    """The file that a text names, and which line of it; no file where there is none and it does not look like one."""
    if text == "-" or os.path.isfile(text):
        return text, 1
    for sign in "#:":
        name, _, line = text.rpartition(sign)
        if is_number(line) and (name == "-" or os.path.isfile(name) or name.endswith(".jsonl")):
            return name, int(line)
    return (text, 1) if text.endswith(".jsonl") else (None, 0)


def in_store(id: int | None, store: str | None) -> Found:
    """A game by its number, or the newest."""
    from facedown.store import Store

    with Store.open(store, create=False) as opened:
        game = opened.last() if id is None else opened.game(id)
        place = {"store": opened.name, "id": game.id, "run": game.run, "deal": game.deal, "seating": game.seating}
    return Found(game.record, place)


def in_run(run: str, deal: int, seating: int, store: str | None) -> Found:
    """A game of a tournament."""
    from facedown.store import Store

    with Store.open(store, create=False) as opened:
        record = opened.run(run).record(deal, seating)
        return Found(record, {"store": opened.name, "run": run, "deal": deal, "seating": seating})


def in_file(name: str, wanted: int) -> Found:
    """A line of a file."""
    from facedown.record import GameRecord

    count = 0
    with opened_file(name) as lines:
        for count, line in enumerate(lines, 1):
            if count == wanted:
                try:
                    record, place = GameRecord.placed(line.decode().strip())
                except UnicodeDecodeError:
                    raise BadText(f"line {count} of {name}: expected text in UTF-8, got {line[:30]!r}") from None
                except BadText as error:
                    raise BadText(f"line {count} of {name}: {error}") from None
                return Found(record, {"file": name, "line": wanted, **place})
    raise BadText(
        f"expected a line from 1 to {count} of {name}, got {wanted}"
        if count
        else f"expected records, got {name}, which is empty"
    )


@contextmanager
def opened_file(name: str) -> Iterator[BinaryIO]:
    """A file to read from."""
    if name == "-":
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            file = stack.enter_context(open(name, "rb"))
        except OSError as error:
            raise FacedownError(f"expected a file of records, got {name!r}: {error.strerror}") from None
        yield file
