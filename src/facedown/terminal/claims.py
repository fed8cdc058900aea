"""Drawing for the terminal where cards are laid face down and claimed to be something: the pile, and what may be claimed."""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from facedown.games.speech import counted
from facedown.table.zones import Table, Zone, first_zone, own_hand, zones
from facedown.terminal.menu import Menu, entry
from facedown.terminal.words import TURN_STYLE, WIDTH, card, cards_line, figure, packed, shared_facts

CLAIMS_SHOWN = 4  # where there is little room


def claims_table(table: Table, near: int, names: Sequence[str], *, compact: bool = False) -> RenderableType:
    """The other seats, the pile, and what stands to be claimed; the near seat below."""
    blank = [] if compact else [Text()]
    lines = [player_line(table, other, names) for other in range(len(names)) if other != near]
    piles = [pile_line(zone, names, CLAIMS_SHOWN if compact else None) for zone in zones(table, "claims")]
    facts = Text("   ").join(shared_facts(table))
    return Group(*lines, *blank, *piles, facts, *blank, player_line(table, near, names))


def player_line(table: Table, seat: int, names: Sequence[str]) -> Text:
    """A seat with the size of its hand, what is noted of it, and the cards that all know it to hold."""
    moving = seat == table["to_move"]
    line = Text(f"▶ {names[seat]}" if moving else names[seat], TURN_STYLE if moving else "bold")
    if (hand := first_zone(table, "hand", seat)) and "count" in hand:
        line.append(f" · {counted(hand['count'], 'card')}")
    for zone in zones(table, "fact", seat):
        line.append(f" · {figure(zone)}")
    for zone in zones(table, "known", seat):
        line = Text.assemble(line, (f"\n  {zone.get('label', 'has')}: ", "dim"), cards_line(zone.get("cards", ())))
    return line


def pile_line(pile: Zone, names: Sequence[str], most: int | None) -> Text:
    """What lies in the pile, the oldest first; cards by name where they are known; of many claims only the last."""
    line = Text.assemble((f"{pile.get('label', 'pile')} ", "dim"), counted(pile.get("count", 0), "card"))
    parts = [Text.assemble(("face up ", "dim"), card(word)) for word in pile.get("cards", ())]
    every = pile.get("claims", [])
    claims = every[-most:] if most else every
    left_out = len(every) - len(claims)
    parts += [Text(f"… {counted(left_out, 'claim')} before")] if left_out else []
    for claim in claims:
        words = Text.assemble((f"{names[claim['seat']]}: ", "dim"), claim["label"])
        if "cards" in claim:
            words.append(" (").append_text(cards_line(claim["cards"])).append(", a lie)" if claim.get("lie") else ")")
        parts.append(words)
    return Text.assemble(line, "  " if parts else "", Text("  ").join(parts))


def choices(table: Table, menu: Menu, pointed: str | None = None) -> RenderableType:
    """What the seat may do, claims by rank and truth with the cards they would lay, each with its number."""
    rows = Rows.grid(padding=(0, 2))
    rows.add_column(no_wrap=True)
    offered = {zone.get("label", ""): zone for zone in zones(table, "choice")}
    claims = [text for text in menu.legal if text in offered]
    for kind, texts in groupby(claims, key=lambda text: text.rpartition(" ")[0]):
        parts = [entry(menu, text, pointed, cards_line(offered[text].get("cards", ()))) for text in texts]
        rows.add_row(Text(f" {kind}", "bold"), Text("   ").join(parts))
    others = [entry(menu, text, pointed) for text in menu.legal if text not in offered]
    rank = str(next(iter(offered.values())).get("value")).replace("T", "10")
    example = f"1 {rank}: {own_hand(table)[0]}"
    return Group(rows, packed([*others, Text(f"or any cards as you like: {example}", "dim")], WIDTH, "   "))
