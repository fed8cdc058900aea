"""Tricks at the terminal: the one on the table, and finished ones in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from facedown.games.speech import counted, seat_name
from facedown.table.zones import Table, first_zone
from facedown.terminal.words import card


@dataclass(frozen=True)
class Trick:
    """A finished trick, in the order it was played."""

    cards: Sequence[tuple[int, str]]  # seat and card
    taker: int | None  # None where the table does not show it
    points: float | None


def has_trick(table: Table) -> bool:
    """Whether tricks are played at a table."""
    return first_zone(table, "trick") is not None


def laid_cards(table: Table) -> list[tuple[int, str]]:
    """The trick so far: seat and card; empty where no tricks are played."""
    trick = first_zone(table, "trick")
    return list(zip(trick.get("seats", ()), trick.get("cards", ()), strict=True)) if trick else []


def trick_leader(table: Table) -> int | None:
    """Who leads to the trick, or led: the taker of the last one."""
    trick = first_zone(table, "trick")
    return trick.get("seat") if trick else None


def before_first_trick(table: Table) -> bool:
    """Whether no card of the deal has been led."""
    trick = first_zone(table, "trick")
    return trick is not None and trick.get("number") == 1 and not trick.get("cards")


def trick_line(trick: Trick, own: int | None, signs: bool = True) -> Text:
    """A finished trick in words."""
    show = card if signs else Text
    line = Text("  ").join(Text.assemble((f"{seat_name(seat, own)} ", "dim"), show(word)) for seat, word in trick.cards)
    if trick.taker is not None:
        line.append(f" {'→' if signs else '->'} {seat_name(trick.taker, own)}")
        line.append(f", {counted(trick.points, 'point')}" if trick.points is not None else "")
    return line
