"""Drawing boards for the terminal: the sides opposite each other, with what each has in play between them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

from facedown.table.zones import Table, Zone, zones
from facedown.terminal.words import TURN_STYLE, figure, packed

NOTE_STYLES = {"attacks": "bold red", "blocks": "bold cyan", "tapped": "dim"}  # by the first word of a note


def battlefield(table: Table, near: int, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """The other sides above, the near side below, and the cards in play between them."""
    parts: list[RenderableType] = []
    for seat in (other for other in range(len(names)) if other != near):
        parts += [side_line(table, seat, names[seat]), *boards(table, seat, compact)]
    return Group(*parts, Rule(style="dim"), *boards(table, near, compact), side_line(table, near, names[near]))


def boards(table: Table, seat: int, compact: bool) -> list[RenderableType]:
    """A seat's boards."""
    return [CardsInPlay(zone, compact) for zone in zones(table, "board", seat)]


def side_line(table: Table, seat: int, name: str) -> Text:
    """Who it is, and how things stand with them."""
    moving = seat == table["to_move"]
    line = Text(f"▶ {name}" if moving else name, TURN_STYLE if moving else "bold")
    for zone in zones(table, "score", seat):
        line.append(f"   {figure(zone)}", "bold")
    for zone in zones(table, "fact", seat):
        notes = f" ({', '.join(zone['notes'])})" if zone.get("notes") else ""
        line.append(f"   {figure(zone)}{notes}")
    counted = [*zones(table, "hand", seat), *zones(table, "stock", seat)]
    counted += [zone for zone in zones(table, "pile", seat) if zone.get("count")]
    for zone in counted:
        line.append(f"   {zone.get('label', zone['kind'])} {zone.get('count', '?')}", "dim")
    return line


@dataclass(frozen=True)
class CardsInPlay:
    """The cards of a board, and a note on each: as boxes, or in words."""

    zone: Zone
    compact: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many to a row as fit."""
        if not with_notes(self.zone):
            yield Text(f"no {self.zone.get('label', 'cards')} in play", "dim")
        elif self.compact:
            yield in_words(with_notes(self.zone), options.max_width)
        else:
            yield in_boxes(with_notes(self.zone), options.max_width)


def with_notes(zone: Zone) -> list[tuple[str, str]]:
    """The cards of a board, each with its note."""
    cards = zone.get("cards", [])
    return list(zip_longest(cards, zone.get("notes", [])[: len(cards)], fillvalue=""))


def style_of(note: str) -> str:
    """How a card looks that has a note."""
    return NOTE_STYLES.get(note.partition(" ")[0], "bold")


def in_boxes(cards: Sequence[tuple[str, str]], width: int) -> Text:
    """Cards as boxes, with the notes below them, if there are any."""
    rows: list[list[Text]] = []
    idle = not any(note for _, note in cards)
    for word, note in cards:
        size = max(len(word), len(note) - 2, 4)
        box = [f"╭{'─' * size}╮", f"│{word:^{size}}│", f"╰{'─' * size}╯"] + ([] if idle else [f"{note:^{size + 2}}"])
        if not rows or rows[-1][0].cell_len + size + 2 > width:
            rows.append([Text() for _ in box])
        for line, part in zip(rows[-1], box, strict=True):
            line.append(" " if line else "").append(part, style_of(note))
    return Text("\n").join(line for row in rows for line in row)


def in_words(cards: Sequence[tuple[str, str]], width: int) -> Text:
    """Cards in words; those that look and do the same are counted."""
    found = []
    for (word, note), times in Counter(cards).items():
        text = f"{word} {note}".strip()
        found.append(Text(f"{times}× {text}" if times > 1 else text, style_of(note)))
    return packed(found, width, " · ", indent=0)


def turn_line(table: Table) -> Text:
    """How things stand at the beginning of a turn, in one line."""
    sides = []
    for seat in range(len(table["sides"])):
        figures = [figure(zone) for kind in ("score", "fact") for zone in zones(table, kind, seat)]
        for zone in zones(table, "board", seat):
            figures += [f"{word} {note}".strip() for word, note in with_notes(zone)] or [f"no {zone.get('label', 'cards')}"]
        sides.append(", ".join(figures))
    return Text(f"turn {table['turn']}: ", "dim").append(" | ".join(sides), "dim")
