"""A position as one line of text, and back.

    hearts/1 hands=2.AK.Q.-|... played=... trick=2C,9C,-,- leader=1 points=0,5,0,0

First comes the game with its options, and the version of its rules; then the fields of its record that are not empty and do
not follow from others. What a seat sees has `view:2` before the fields, what a spectator sees `view:spectator`. A field is

    a number, a word, or a card: 5, passing, QS; - for none
    a set of cards as clubs.diamonds.spades.hearts: 2.AK.Q.-; * is a whole suit, and ~ before a set all cards but these
    several of these, with commas; those at the end that are empty are left out
    rows for each seat, or sets, with | between them

A position from outside is checked: it must be one in which the rules can be asked.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.cards import DECK_SIZE
from facedown.cards import text as card_text
from facedown.compiler.asking import is_over
from facedown.errors import BadGame, BadText, UnknownName, asked, shown
from facedown.kernel import Array, Record, copied, record_in
from facedown.notation.cells import CARD, SUIT, YES, Cells, field_text, read_field
from facedown.table.plain import CARD_NAMES, SUIT_NAMES

if TYPE_CHECKING:
    from facedown.game import Game

LONGEST = 20_000  # letters of a position that is read
VIEW = "view:"  # before whose view it is
UNFIT = (LookupError, ValueError, ArithmeticError)  # what comes of fields that do not fit together


@dataclass(frozen=True)
class Notation:
    """How a game's positions are written, and which it takes."""

    cells: Callable[["Game"], Mapping[str, Cells]] = lambda game: {}  # for those not named, by type and name of the field
    follow: Callable[[Record], None] | None = None  # writes the fields that follow from others
    follows: tuple[str, ...] = ()  # which these are, each after those it follows from
    free: tuple[str, ...] = ()  # those of them that may differ: rules can be asked all the same
    check: Callable[[Record], str | None] | None = None  # why a whole position is impossible


PLAIN = Notation()
SEAT_NAMES = ("to_move", "leader", "dealer", "active")


def plain_cells(game: "Game", name: str) -> Cells:
    """How a field is written that the game says nothing of: as its name and type suggest, as in the plain facts."""
    kind = game.rules.state[name].base
    if kind.kind == "b":
        return YES
    if kind.kind != "i":
        return Cells()
    if name in ("trick", "stock", *CARD_NAMES) or name.endswith("_card"):
        return replace(CARD, loose=True)
    if name in SUIT_NAMES or name.endswith("_suit"):
        return replace(SUIT, loose=True)
    return Cells(-1, game.seats) if name in SEAT_NAMES else Cells()


# --- A whole line -----------------------------------------------------------------------------------------------------


class Line:
    """The fields of a game's record as they are written."""

    def __init__(self, game: "Game") -> None:
        """A game with its options."""
        self.game, self.notation = game, game.notation
        self.header = f"{game.full_name}/{game.version}"
        own = asked("cells", self.notation.cells, game)
        self.empty = game.new_record()
        names = (game.rules.state.names or ())[:-1]  # the last is the mark of the game's sources
        set_up = [name for name in names if name in game.options or name in game.fixed or self.empty[name].any()]
        self.locked = [name for name in set_up if name not in own and self.notation.check]  # from outside, none is taken
        self.fields = {name: own.get(name) or plain_cells(game, name) for name in names if name not in self.locked}
        for name, cells in self.fields.items():
            if name not in set_up:
                self.empty[name] = cells.empty

    def completed(self, given: Mapping[str, Any]) -> Array:
        """The record of which some fields are given and the others follow, or are empty."""
        data = copied(self.empty)
        for name, value in given.items():
            data[name] = value
        if self.notation.follow:
            with suppress(*UNFIT), np.errstate(over="raise"):  # in a view it may need what is hidden
                answer("follow", self.notation.follow, record_in(data))
            for name, value in given.items():
                data[name] = value
        return data

    def written(self, data: Array) -> str:
        """The fields that are needed to read the record again."""
        for name in self.locked:
            if differ(data, self.empty, name):
                raise BadGame(f"expected {name!r} of {self.game.name} in its notation's `cells`, for it changes in play")
        follows = self.notation.follows
        given = {name: data[name] for name in self.fields if name not in follows and differ(data, self.empty, name)}
        while wrong := self._first_wrong(self.completed(given), data):
            given[wrong] = data[wrong]
        return " ".join(f"{name}={field_text(self.fields[name], given[name][0])}" for name in self.fields if name in given)

    def _first_wrong(self, completed: Array, data: Array) -> str | None:
        order = [*self.notation.follows, *self.fields]
        return next((name for name in order if name in self.fields and differ(completed, data, name)), None)

    def read(self, words: str) -> Array:
        """The record, from its fields as text."""
        given: dict[str, Any] = {}
        for word in words.split():
            name, equals, text = word.partition("=")
            if not equals:
                raise BadText(f"expected fields such as to_move=0 in a position, got {shown(word)}")
            if name not in self.fields:
                raise UnknownName(f"field in a position of {self.game.name}", name, self.fields)
            if name in given:
                raise BadText(f"expected each field of a position once, got {name!r} twice")
            given[name] = read_field(self.fields[name], name, text, np.zeros_like(self.empty[name][0]))
        return self.completed(given)


def answer(name: str, function: Callable[[Record], Any], record: Record) -> Any:
    """What a function of the notation answers; what it raises other than for fields that do not fit says where."""
    try:
        return function(record)
    except UNFIT:
        raise
    except Exception:
        return asked(name, function, record)


def differ(one: Array, other: Array, name: str) -> bool:
    """Whether two records differ in a field."""
    return bool(one[name].tobytes() != other[name].tobytes())


def write_position(game: "Game", data: Array, viewer: str = "") -> str:
    """A record as text; `viewer` says whose view it is."""
    line = Line(game)
    return " ".join(filter(None, [line.header, viewer and f"{VIEW}{viewer}", line.written(data)]))


def read_position(game: "Game", text: str, trusted: bool = True) -> Array:
    """A whole position from its text, checked."""
    line = Line(game)
    viewer, fields = parts(line, text, trusted)
    if viewer:
        raise BadText("expected a whole position, got a view: what it hides cannot be made up")
    data = line.read(fields)
    if reason := impossible(line, data):
        raise BadText(f"expected a position that the rules allow, got one in which {reason}")
    return data


def read_view(game: "Game", text: str, trusted: bool = True) -> tuple[str, Array]:
    """Whose view a text is, and what that viewer sees; whether there are cards that agree with it is not checked."""
    line = Line(game)
    viewer, fields = parts(line, text, trusted)
    if not viewer:
        raise BadText("expected a view, such as view:2 after the name of the game, got a whole position")
    return viewer, line.read(fields)


def parts(line: Line, text: str, trusted: bool) -> tuple[str, str]:
    """Whose view a text is, empty for a whole position; and its fields."""
    if not isinstance(text, str) or len(text) > LONGEST:
        raise BadText(f"expected a position of {line.header} as text, got {shown(text)}")
    if not trusted and line.notation.check is None:
        raise BadText(
            f"expected a game that checks positions from outside, got {line.game.name}: its notation has no `check`"
        )
    header, fields = text[: len(line.header)], text[len(line.header) :]
    if header != line.header or fields[:1].strip():
        raise BadText(f"expected a position of {line.header}, got {shown(text)}")
    first, _, others = fields.strip().partition(" ")
    return (first.removeprefix(VIEW), others) if first.startswith(VIEW) else ("", fields)


def check_world(game: "Game", data: Array) -> None:
    """Refuse a world that was drawn for a view: it must be a position that the rules allow."""
    if reason := impossible(Line(game), data):
        raise BadText(f"expected a view of a position that the rules allow, got one in which {reason}")


def impossible(line: Line, data: Array) -> str | None:
    """Why a position cannot be played on from."""
    try:
        with np.errstate(over="raise"):
            reason = contradiction(line, data) or wrong_cards(line, record_in(data))
        if reason:
            return reason
        if is_over(data) and line.game.another_deal_follows(record_in(data)):
            return "the deal is over and the next one of the match is not dealt"
        line.game.state_of(data, 0).legal  # noqa: B018  # refuses what breaks the game's own limits
    except UNFIT as error:
        return f"the fields do not fit together: {error}"
    return None


def contradiction(line: Line, data: Array) -> str | None:
    """A field that does not follow from the others as it should."""
    notation, twin = line.notation, copied(data)
    if notation.follow:
        answer("follow", notation.follow, record_in(twin))
    for name in notation.follows:
        if name not in notation.free and differ(twin, data, name):
            value = field_text(line.fields[name], twin[name][0], in_full=True)
            return f"{name} does not follow from the other fields: they say {value}"
    return None


def wrong_cards(line: Line, record: Record) -> str | None:
    """Why the cards cannot lie as they do."""
    if "hands" in line.fields and record.hands.dtype == np.uint64 and (twice := twice_in(record.hands)):
        return f"{twice} is in two hands"
    reason: str | None = answer("check", line.notation.check, record) if line.notation.check else None
    return reason


def twice_in(masks: Iterable[Any]) -> str:
    """The first card that is in two of some sets; empty if none is."""
    seen = 0
    for mask in map(int, masks):
        if seen & mask:
            return member_text(seen & mask)
        seen |= mask
    return ""


def each_card_once(places: Sequence[Any], deck: Any) -> str | None:
    """Why some sets are not together the deck: a card that is in two of them, or in none."""
    if twice := twice_in(places):
        return f"{twice} is in two places"
    lying = sum(map(int, places))
    if lying != int(deck):
        return f"{member_text(lying ^ int(deck))} is {'missing' if int(deck) & ~lying else 'none of its cards'}"
    return None


def member_text(mask: int) -> str:
    """The lowest card of a set, as text."""
    card = (mask & -mask).bit_length() - 1
    return card_text(card) if card < DECK_SIZE else str(card)
