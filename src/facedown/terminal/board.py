"""Drawing a battlefield for the terminal: two sides with life, lands and creatures in play.

It is drawn for games that tell these facts; no game is known by name.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.text import Text

from facedown.terminal.words import packed
from facedown.view import Facts

TOLD = {"life", "lands", "creatures", "hand_sizes", "libraries", "turn"}
DOING = {"attacks": "bold red", "blocks": "bold cyan", "tapped": "dim"}  # what a creature may do, and how it looks then


def has_board(facts: Facts) -> bool:
    """Whether the facts tell a battlefield."""
    return facts.keys() >= TOLD


def battlefield(facts: Facts, own: int, names: Sequence[str], mover: int | None, *, compact: bool = False) -> RenderableType:
    """The other side above, the own side below, and the creatures of both between."""
    other = 1 - own
    return Group(
        side_line(facts, other, names[other], mover == other),
        Creatures(facts["creatures"][other], compact),
        Rule(style="dim"),
        Creatures(facts["creatures"][own], compact),
        side_line(facts, own, names[own], mover == own),
    )


def side_line(facts: Facts, seat: int, name: str, moving: bool) -> Text:
    """Who it is, and how things stand with them."""
    line = Text(f"▶ {name}" if moving else name, "bold yellow" if moving else "bold")
    line.append(f"   life {facts['life'][seat]}", "bold")
    line.append(f"   lands {facts['lands'][seat]}")
    if seat == facts.get("active") and facts.get("mana") is not None:
        line.append(f" ({facts['mana']} left)")
    line.append(f"   hand {facts['hand_sizes'][seat]}   library {facts['libraries'][seat]}", "dim")
    if facts.get("dead") and facts["dead"][seat]:
        line.append(f"   dead {len(facts['dead'][seat])}", "dim")
    return line


@dataclass(frozen=True)
class Creatures:
    """A side's creatures, and what each is doing: as boxes, or in words."""

    creatures: Sequence[str]
    compact: bool

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """As many to a row as fit."""
        if not self.creatures:
            yield Text("no creatures in play", "dim")
        elif self.compact:
            yield in_words(self.creatures, options.max_width)
        else:
            yield in_boxes(self.creatures, options.max_width)


def in_boxes(creatures: Sequence[str], width: int) -> Text:
    """Creatures as boxes, with a word below each on what it is doing, if one is doing something."""
    rows: list[list[Text]] = []
    idle = not any(parts(creature)[1] for creature in creatures)
    for creature in creatures:
        body, doing = parts(creature)
        style = DOING.get(doing.partition(" ")[0], "bold")
        size = max(len(body), len(doing) - 2, 4)
        box = [f"╭{'─' * size}╮", f"│{body:^{size}}│", f"╰{'─' * size}╯"] + ([] if idle else [f"{doing:^{size + 2}}"])
        if not rows or rows[-1][0].cell_len + size + 2 > width:
            rows.append([Text() for _ in box])
        for line, part in zip(rows[-1], box, strict=True):
            line.append(" " if line else "").append(part, style)
    return Text("\n").join(line for row in rows for line in row)


def in_words(creatures: Sequence[str], width: int) -> Text:
    """Creatures in words; those that look and do the same are counted."""
    found = []
    for creature, times in Counter(creatures).items():
        style = DOING.get(parts(creature)[1].partition(" ")[0], "bold")
        found.append(Text(f"{times}× {creature}" if times > 1 else creature, style))
    return packed(found, width, " · ", indent=0)


def parts(creature: str) -> tuple[str, str]:
    """A creature's own text, and what it is doing."""
    for word in DOING:
        body, found, rest = creature.partition(f" {word}")
        if found:
            return body, f"{word}{rest}"
    return creature, ""


def question_line(facts: Facts) -> Text:
    """Which turn it is, and what is asked."""
    line = Text.assemble((" turn ", "dim"), f"{facts['turn']}")
    if facts.get("question"):
        line.append("   ").append(f"{facts['question']}?", "bold")
    return line


def turn_line(facts: Facts) -> Text:
    """How things stand at the beginning of a turn, in one line."""
    sides = [
        f"life {facts['life'][seat]}, lands {facts['lands'][seat]}, {', '.join(facts['creatures'][seat]) or 'no creatures'}"
        for seat in range(2)
    ]
    return Text(f"turn {facts['turn']}: ", "dim").append(" | ".join(sides), "dim")
