"""Texts for the terminal: cards in their colours, a hand in one line, values in words."""

import re
from collections.abc import Iterable
from itertools import groupby
from textwrap import fill
from typing import Any

from rich.text import Text

from facedown.cards import SUIT_SIGNS, SUITS
from facedown.games.speech import face, is_card, seat_name
from facedown.state import listed
from facedown.table.zones import Table, Zone, first_zone, zones
from facedown.view import View

WIDTH = 80  # a narrow terminal; wider ones leave the rest empty
NUMBERED = re.compile(r" *(?:\d+\.|-) +")
SUIT_COLOURS = {"C": "default", "D": "red", "S": "default", "H": "red"}
TURN_STYLE = "bold yellow"


def card(word: str, style: str = "bold") -> Text:
    """A card, or a suit, in its colour, with its sign; any other text as it is."""
    if word in SUIT_COLOURS:
        return Text(SUIT_SIGNS[SUITS.index(word)], f"{style} {SUIT_COLOURS[word]}")
    return Text(face(word), f"{style} {SUIT_COLOURS[word[1]]}") if is_card(word) else Text(word)


def row_of(words: Iterable[Any]) -> Text:
    """Texts side by side, cards in their colours; with commas between words."""
    values = list(words)
    with_words = any(isinstance(value, str) and any(letter.islower() for letter in value) for value in values)
    return Text(", " if with_words else " ").join(in_words(value) for value in values)


def in_words(value: Any) -> Text:
    """A value in words: yes and no, cards in their colours, a dash for nothing."""
    if isinstance(value, bool):
        return Text("yes" if value else "no")
    if isinstance(value, list | tuple):
        return row_of(value) if value else Text("-")
    return card(value) if isinstance(value, str) else Text("-" if value is None else f"{value}")


def suits_line(hand: Iterable[str], signs: bool = True) -> Text:
    """A hand in one line: by suit with signs, or just its texts."""
    words = list(hand)
    if not signs or not all(is_card(word) for word in words):
        return row_of(words) if signs else Text(listed(words))
    groups = groupby(words, key=lambda word: word[1])
    return Text("   ").join(
        Text(f"{face(suit * 2)[-1]} {' '.join(face(word)[:-1] for word in group)}", f"bold {SUIT_COLOURS[suit]}")
        for suit, group in groups
    )


def cards_line(words: Iterable[str]) -> Text:
    """Cards side by side, in their colours."""
    return Text(" ").join(card(word) for word in words)


def trump_line(table: Table, own: int | None, signs: bool = True) -> Text | None:
    """Trumps, who is known to hold the card that named them, the stock and the partner, as far as there are any."""
    trump = first_zone(table, "trump")
    if trump is None:
        return None
    show = card if signs else Text
    parts = [Text("trump ").append_text(show(f"{trump.get('value')}"))]
    for word in trump.get("cards", ()):
        parts.append(Text("shown ").append_text(show(word)))
        parts[-1].append(f" ({seat_name(trump['seat'], own)})" if "seat" in trump else "")
    parts += [Text(f"stock {stock['count']}") for stock in zones(table, "stock", None) if stock.get("count")]
    if own is not None:
        parts += [Text(f"partner {seat_name(seat)}") for seat in partners(table)]
    return Text(", ").join(parts)


def shared_facts(table: Table) -> list[Text]:
    """What stands beside the table and belongs to nobody, each with its name; zero is left out."""
    found: list[tuple[str, Any]] = []
    for zone in table["zones"]:
        if zone["kind"] == "trump":
            found += [("trump", zone.get("value")), *(("shown", word) for word in zone.get("cards", ()))]
        elif zone["kind"] == "stock" and "seat" not in zone:
            found += [(f"{zone.get('label', 'stock')} left", zone.get("count"))]
        elif zone["kind"] == "fact" and "seat" not in zone:
            found += [(zone.get("label", ""), zone.get("value"))]
    return [named(name, value) for name, value in found if value or value is False]


def figure(zone: Zone) -> str:
    """A zone's value with its label."""
    return f"{zone.get('label', '')} {in_words(zone.get('value')).plain}".strip()


def named(name: str, value: Any) -> Text:
    """A value with its name before it."""
    return Text.assemble((f"{name} ", "dim"), in_words(value))


def partners(table: Table) -> list[int]:
    """The other seats on the side of the one that looks."""
    sides, seat = table["sides"], table["seat"]
    return [other for other, side in enumerate(sides) if seat is not None and other != seat and side == sides[seat]]


def legal_texts(view: View) -> list[str] | None:
    """What the seat may do, as text; None when it is not its turn."""
    return [view.game.text(action) for action in view.legal] if view.to_move == view.seat else None


def packed(parts: Iterable[Text], width: int, joint: str = "  ", indent: int = 1) -> Text:
    """Texts one after another in lines of a width, none of them cut in two unless it is longer than a line."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(joint) + part.cell_len <= width:
            lines[-1].append(joint).append_text(part)
        else:
            lines.append(Text(" " * indent).append_text(part))
    return Text("\n").join(lines)


def reflowed(text: str, width: int = WIDTH) -> str:
    """A text whose paragraphs fit a width; a numbered line, and one after a short line, begins a paragraph of its own."""
    found: list[str] = []
    for block in text.split("\n\n"):
        lines: list[str] = []
        for line in block.splitlines():
            continues = lines and not NUMBERED.match(line) and (line.startswith(" ") or len(lines[-1]) > width)
            lines[-1:] = [f"{lines[-1]} {line.strip()}"] if continues else [*lines[-1:], line]
        found.append("\n".join(fill(line, width, subsequent_indent=" " * hang(line)) for line in lines))
    return "\n\n".join(found)


def hang(line: str) -> int:
    """How far the text of a numbered line is indented."""
    match = NUMBERED.match(line)
    return match.end() if match else 0
