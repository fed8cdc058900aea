"""The table as plain data: zones, each of a kind. Terminal, web and notebooks draw from it; docs/table.md has the schema."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Required, TypeAlias, TypedDict

VERSION = 1  # of the schema
KINDS = ("hand", "known", "void", "trick", "pile", "stock", "board", "claims", "choice", "score", "total", "trump", "fact")
ANY_SEAT: Final = -2  # neither a seat nor a spectator

Value: TypeAlias = str | int | float | bool | list[Any] | None


class Claim(TypedDict, total=False):
    """Cards laid face down under a rank; the cards themselves only for who knows them."""

    seat: Required[int]
    count: Required[int]
    rank: Required[str]
    label: Required[str]  # in words
    cards: list[str]
    lie: bool


class Zone(TypedDict, total=False):
    """One place on the table, or one thing written beside it. What a kind has no use for is left out."""

    kind: Required[str]
    label: str
    seat: int  # whose it is; left out: everybody's
    cards: list[str]  # those that can be seen
    count: int  # all cards that lie there, face up or face down
    seats: list[int]  # who laid each card
    notes: list[str]  # a word on each card, or on the value; may be empty
    number: int  # which trick of the deal, from 1
    value: Value
    claims: list[Claim]


class Table(TypedDict):
    """All that a seat sees on the table, or all there is."""

    version: int
    seat: int | None  # who looks; None for who sees everything, and for a spectator
    to_move: int | None  # None when the game is over
    deal: int  # of a match, from 1
    turn: int | None  # from 1, where a game counts them
    question: str | None  # what the seat to move is asked, where it is not simply to play a card
    choose: int | None  # how many actions it still chooses together, face down; None where each stands alone
    sides: list[int]  # the side of each seat: partners share one
    zones: list[Zone]


# --- Made -------------------------------------------------------------------------------------------------------------


def new_table(
    seat: int | None,
    to_move: int | None,
    sides: Iterable[int],
    zones: Iterable[Zone],
    *,
    deals_over: int = 0,
    turn: int | None = None,
    question: str | None = None,
    choose: int | None = None,
) -> Table:
    """A table; `deals_over` are those of a match before this deal, and this one too once the game is over."""
    deal = deals_over + 1 if to_move is not None else max(1, deals_over)
    return Table(
        version=VERSION,
        seat=seat,
        to_move=to_move,
        deal=deal,
        turn=turn,
        question=question,
        choose=choose,
        sides=list(sides),
        zones=list(zones),
    )


def new_zone(
    kind: str,
    label: str | None = None,
    cards: Sequence[str] | None = None,
    *,
    seat: int | None = None,
    count: int | None = None,
    seats: Sequence[int] | None = None,
    notes: Sequence[str] | None = None,
    number: int | None = None,
    value: Value = None,
    claims: Sequence[Claim] | None = None,
) -> Zone:
    """A zone without the fields that are None; the cards are counted where no count is given."""
    found = Zone(kind=kind)
    count = len(cards) if count is None and cards is not None else count
    fields = {"label": label, "seat": seat, "number": number, "value": value, "count": count, "cards": cards}
    for name, given in {**fields, "seats": seats, "notes": notes, "claims": claims}.items():
        if given is not None:
            plain = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else given
            found[name] = plain  # type: ignore[literal-required]  # the names are those of the arguments
    return found


def for_each_seat(kind: str, label: str, values: Iterable[Value]) -> list[Zone]:
    """A zone with a value for each seat."""
    return [new_zone(kind, label, seat=seat, value=value) for seat, value in enumerate(values)]


def hand_zones(sizes: Sequence[int | None], known: Mapping[int, Sequence[str]]) -> list[Zone]:
    """The hands of all seats: with their cards where these are known, otherwise only counted."""
    return [new_zone("hand", cards=known.get(seat), seat=seat, count=size) for seat, size in enumerate(sizes)]


def hands_told(facts: Mapping[str, Any], seat: int | None) -> dict[int, Sequence[str]]:
    """The hands that facts show: all of them (`hands`), that of the seat itself (`hand`), or none to a spectator."""
    if seat is None:
        return dict(enumerate(facts.get("hands") or ()))
    return {seat: facts["hand"]} if "hand" in facts else {}


def trick_zone(plays: Sequence[Mapping[str, Any]], leader: int | None, number: int | None = None) -> Zone:
    """A trick from its plays, in their order: a seat and a card each."""
    seats, cards = ([play[part] for play in plays] for part in ("seat", "card"))
    return new_zone("trick", cards=cards, seat=leader, seats=seats, number=number)


def void_zones(voids: Sequence[Sequence[str]]) -> list[Zone]:
    """The suits that each seat has shown to lack, where there are some."""
    return [new_zone("void", seat=seat, value=list(suits)) for seat, suits in enumerate(voids) if suits]


def known_zones(label: str, cards: Sequence[Sequence[str]]) -> list[Zone]:
    """The cards that everybody knows each seat to hold, where there are some."""
    return [new_zone("known", label, held, seat=seat) for seat, held in enumerate(cards) if held]


# --- Read -------------------------------------------------------------------------------------------------------------


def zones(table: Table, kind: str, seat: int | None = ANY_SEAT) -> list[Zone]:
    """The zones of a kind: of a seat, of nobody (None), or all."""
    found = [zone for zone in table["zones"] if zone["kind"] == kind]
    return found if seat == ANY_SEAT else [zone for zone in found if zone.get("seat") == seat]


def first_zone(table: Table, kind: str, seat: int | None = ANY_SEAT) -> Zone | None:
    """The first zone of a kind, if there is one."""
    return next(iter(zones(table, kind, seat)), None)


def own_hand(table: Table) -> list[str]:
    """The cards of the seat that looks; none for a spectator, and where nobody holds cards."""
    hand = None if table["seat"] is None else first_zone(table, "hand", table["seat"])
    return list(hand.get("cards", ())) if hand else []


def numbers_of(table: Table, kind: str) -> list[float]:
    """The values of a kind of zone, seat by seat: scores or totals; empty where there are none."""
    return [value for zone in zones(table, kind) if isinstance(value := zone.get("value"), int | float)]
