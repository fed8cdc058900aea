"""Tricks at the terminal: the one on the table, and finished ones in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from facedown.games.speech import counted, seat_name
from facedown.terminal.words import card
from facedown.view import Facts


@dataclass(frozen=True)
class Trick:
    """A finished trick, in the order it was played."""

    cards: Sequence[tuple[int, str]]  # seat and card
    taker: int | None  # None where the facts do not tell
    points: float | None


def has_tricks(facts: Facts) -> bool:
    """Whether the facts tell a trick card by card."""
    trick: Any = facts.get("trick")
    return isinstance(trick, list) and all(isinstance(play, dict) and {"seat", "card"} <= play.keys() for play in trick)


def laid_cards(facts: Facts) -> list[tuple[int, str]]:
    """The trick so far: seat and card."""
    return [(play["seat"], play["card"]) for play in facts["trick"]]


def trick_line(trick: Trick, own: int | None, signs: bool = True) -> Text:
    """A finished trick in words."""
    show = card if signs else Text
    line = Text("  ").join(Text.assemble((f"{seat_name(seat, own)} ", "dim"), show(word)) for seat, word in trick.cards)
    if trick.taker is not None:
        line.append(f" {'→' if signs else '->'} {seat_name(trick.taker, own)}")
        line.append(f", {counted(trick.points, 'point')}" if trick.points is not None else "")
    return line
