"""Drawing for the terminal where cards are laid face down and claimed to be something: the pile, and what may be said.

No game is known by name: it is drawn for games whose facts tell a pile of claims.
"""

from collections.abc import Sequence
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.games.speech import counted, of_rank
from facedown.terminal.menu import Menu, entry
from facedown.terminal.words import card, packed
from facedown.view import Facts

CLAIMS_SHOWN = 4  # where there is little room


def has_claims(facts: Facts) -> bool:
    """Whether the facts tell a pile claim by claim."""
    pile = facts.get("pile")
    return isinstance(pile, list) and "ranks_to_claim" in facts and "shown" in facts


def claims_table(
    facts: Facts, seat: int, names: Sequence[str], to_move: int | None, *, compact: bool = False
) -> RenderableType:
    """The other seats, the pile, and what stands to be claimed; the seat itself below."""
    others = [other for other in range(len(names)) if other != seat]
    blank = [] if compact else [Text()]
    lines: list[RenderableType] = [player_line(facts, other, names, to_move) for other in others]
    lines += [*blank, pile_line(facts, names, CLAIMS_SHOWN if compact else None), rank_line(facts), *blank]
    return Group(*lines, player_line(facts, seat, names, to_move))


def player_line(facts: Facts, seat: int, names: Sequence[str], to_move: int | None) -> Text:
    """A seat with the size of its hand, when it was caught, and the cards all know it took up."""
    moving = seat == to_move
    line = Text(f"▶ {names[seat]}" if moving else names[seat], "bold yellow" if moving else "bold")
    line.append(f" · {counted(facts['hand_sizes'][seat], 'card')}")
    if facts["caught"][seat]:
        line.append(
            f" · caught {counted(facts['caught'][seat], 'time')}, on {' '.join(map(_rank, facts['caught_on'][seat]))}"
        )
    if facts["shown"][seat]:
        cards = Text(" ").join(card(word) for word in facts["shown"][seat])
        line = Text.assemble(line, ("\n  took up, for all to see: ", "dim"), cards)
    return line


def pile_line(facts: Facts, names: Sequence[str], most: int | None) -> Text:
    """What lies on the table, the oldest first; one's own cards by name; of many claims only the last."""
    line = Text.assemble(("pile ", "dim"), counted(facts["pile_size"], "card"))
    parts = [Text.assemble(("face up ", "dim"), card(word)) for word in facts["face_up"]]
    claims = facts["pile"][-most:] if most else facts["pile"]
    left_out = len(facts["pile"]) - len(claims)
    parts += [Text(f"… {counted(left_out, 'claim')} before")] if left_out else []
    for claim in claims:
        said = Text.assemble((f"{names[claim['seat']]}: ", "dim"), of_rank(claim["count"], claim["rank"]))
        if "cards" in claim:
            said.append(" (").append_text(Text(" ").join(card(word) for word in claim["cards"]))
            said.append(")" if all(word[0] == claim["rank"] for word in claim["cards"]) else ", a lie)")
        parts.append(said)
    return Text.assemble(line, "  " if parts else "", Text("  ").join(parts))


def rank_line(facts: Facts) -> Text:
    """The last rank named, and where one may go from there."""
    up, down = (_rank(rank) for rank in facts["ranks_to_claim"])
    return Text.assemble(
        ("last named ", "dim"),
        (_rank(facts["last_rank"]), "bold"),
        ("; next is ", "dim"),
        (up, "bold"),
        (" up or ", "dim"),
        (down, "bold"),
        (" down   stock ", "dim"),
        f"{facts['stock_left']}",
        ("   turns left ", "dim"),
        f"{facts['turns_left']}",
    )


def choices(facts: Facts, menu: Menu, pointed: str | None = None) -> RenderableType:
    """What the seat may do, claims by rank and truth with the cards they would lay, each with its number."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    claims = [text for text in menu.legal if text in facts["lays"]]
    for kind, texts in groupby(claims, key=lambda text: text.rpartition(" ")[0]):
        parts = [entry(menu, text, pointed, Text(" ").join(card(word) for word in facts["lays"][text])) for text in texts]
        table.add_row(Text(f" {kind}", "bold"), Text("   ").join(parts))
    others = [entry(menu, text, pointed) for text in menu.legal if text not in facts["lays"]]
    up = facts["ranks_to_claim"][0]
    own = Text(f"or any cards as you like: 1 {_rank(up)}: {facts.get('hand', ['QH'])[0]}", "dim")
    return Group(table, packed([*others, own], 80, "   "))


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank
