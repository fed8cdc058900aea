"""A hand for the terminal: as boxes with numbers to choose by, or in a line or two where there is little room."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from facedown.games.speech import is_card
from facedown.terminal.words import WIDTH, card, packed

CHOSEN = "bold yellow"
POINTED = "bold green"
ROUND, DOUBLE = "╭─╮│╰╯", "╔═╗║╚╝"


def boxed(word: str, style: str = "bold", border: str = "", number: int | None = None, edge: str = ROUND) -> list[Text]:
    """A card as three lines, its number in the edge below; a longer text makes a wider box."""
    label = card(word, style)
    label.pad_left(max(0, 3 - len(label)))
    upper_left, line, upper_right, side, lower_left, lower_right = tuple(edge)
    below = f"{'' if number is None else number:{line}^{len(label)}}"
    return [
        Text(f"{upper_left}{line * len(label)}{upper_right}", border),
        Text.assemble((side, border), label, (side, border)),
        Text(f"{lower_left}{below}{lower_right}", border),
    ]


def kinds_of(hand: Sequence[str]) -> Sequence[str]:
    """What the cards of a hand are sorted by: their suits, if the cards of each suit are neighbours, or else their ranks."""
    suits = [word[-1] for word in hand]
    runs = sum(suit != last for suit, last in zip(suits, ["", *suits], strict=False))
    return suits if runs == len(set(suits)) else [word[:-1] for word in hand]


@dataclass(frozen=True)
class Hand:
    """A hand, a gap between suits; cards that may not be played are dim, those chosen already are raised."""

    cards: Sequence[str]
    legal: Collection[str] | None  # None: nothing to choose now
    numbers: Mapping[str, int] = field(default_factory=dict)  # by which cards are chosen
    chosen: Collection[str] = ()
    pointed: str | None = None
    compact: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many boxes, or texts, to a row as fit."""
        width = min(WIDTH, options.max_width)
        yield self.in_lines(width) if self.compact else self.in_boxes(width)

    def in_boxes(self, width: int) -> Text:
        """Boxes side by side."""
        height = 4 if self.chosen else 3
        rows: list[list[Text]] = []
        kinds = kinds_of(self.cards)
        for word, kind, last in zip(self.cards, kinds, [kinds[0], *kinds], strict=False):
            box = self._box(word)
            gap = "  " if kind != last else ""
            if not rows or rows[-1][0].cell_len + len(gap) + box[0].cell_len > width:
                rows.append([Text(" ") for _ in range(height)])
                gap = ""
            blank = [Text(" " * box[0].cell_len)] * (height - 3)
            for line, part in zip(rows[-1], [*box, *blank] if word in self.chosen else [*blank, *box], strict=True):
                line.append(gap).append_text(part)
        return Text("\n").join(line for row in rows for line in row)

    def _box(self, word: str) -> list[Text]:
        style, border = self._styles(word)
        edge = DOUBLE if word == self.pointed else ROUND
        return boxed(word, style, border, self.numbers.get(word) if self._playable(word) else None, edge)

    def _styles(self, word: str) -> tuple[str, str]:
        if word == self.pointed:
            return "bold", POINTED
        if word in self.chosen:
            return "bold", CHOSEN
        return ("bold", "") if self._playable(word) else ("dim", "dim")

    def _playable(self, word: str) -> bool:
        return self.legal is None or word in self.legal

    def in_lines(self, width: int) -> Text:
        """Texts side by side, each once."""
        parts = []
        for word, times in Counter(self.cards).items():
            style, border = self._styles(word)
            part = card(word, style) if is_card(word) else Text(word, style)
            if times > 1:
                part = Text(f"{times}× ", border).append_text(part)
            if word in self.chosen or word == self.pointed:
                part = Text.assemble(("[" if word in self.chosen else "»", border), part)
                part.append("]" if word in self.chosen else "«", border)
            elif word in self.numbers and self._playable(word):
                part = Text.assemble((f"{self.numbers[word]} ", "dim"), part)
            parts.append(part)
        return packed(parts, width)
