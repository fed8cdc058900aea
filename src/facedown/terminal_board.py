"""Drawing a battlefield for the terminal: two sides with life, lands and creatures in play.

It is drawn for games that tell these facts; no game is known by name.
"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from facedown.game import Facts

TOLD = {"life", "lands", "creatures", "hand_sizes", "libraries", "turn"}
DOING = {"attacks": "bold red", "blocks": "bold cyan", "tapped": "dim"}  # what a creature may do, and how it looks then


def has_board(facts: Facts) -> bool:
    """Whether the facts tell a battlefield."""
    return facts.keys() >= TOLD


def battlefield(facts: Facts, own: int, names: Sequence[str], mover: int | None, width: int) -> RenderableType:
    """The other side above, the own side below, and the creatures of both between."""
    other = 1 - own
    return Group(
        side_line(facts, other, names[other], mover == other),
        creature_rows(facts["creatures"][other], width),
        Text("─" * width, "dim"),
        creature_rows(facts["creatures"][own], width),
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


def creature_rows(creatures: Sequence[str], width: int) -> Text:
    """Creatures as boxes, with a word below each on what it is doing."""
    rows: list[list[Text]] = []
    for creature in creatures:
        body, doing = parts(creature)
        style = DOING.get(doing.partition(" ")[0], "bold")
        size = max(len(body), len(doing) - 2, 4)
        box = [f"╭{'─' * size}╮", f"│{body:^{size}}│", f"╰{'─' * size}╯", f"{doing:^{size + 2}}"]
        if not rows or rows[-1][0].cell_len + size + 3 > width:
            rows.append([Text() for _ in box])
        for line, part in zip(rows[-1], box, strict=True):
            line.append(part, style).append(" ")
    return Text("\n").join(line for row in rows for line in row) if rows else Text("no creatures in play\n", "dim")


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
