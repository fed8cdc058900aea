"""Drawing for the terminal where cards are laid face down and claimed to be something: the pile, and what may be said.

No game is known by name: it is drawn for games whose facts tell a pile of claims.
"""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.game import Facts

Show = Callable[[str], Text]  # a card in its colours


def has_claims(facts: Facts) -> bool:
    """Whether the facts tell a pile claim by claim."""
    pile = facts.get("pile")
    return isinstance(pile, list) and "ranks_to_claim" in facts and "shown" in facts


def claims_table(facts: Facts, seat: int, names: Sequence[str], to_move: int | None, show: Show) -> RenderableType:
    """The other seats, the pile, and what stands to be claimed; the seat itself below."""
    others = [other for other in range(len(names)) if other != seat]
    lines: list[RenderableType] = [player_line(facts, other, names, to_move, show) for other in others]
    lines += [Text(), pile_line(facts, names, show), rank_line(facts), Text()]
    return Group(*lines, player_line(facts, seat, names, to_move, show))


def player_line(facts: Facts, seat: int, names: Sequence[str], to_move: int | None, show: Show) -> Text:
    """A seat with the size of its hand, when it was caught, and the cards all know it took up."""
    moving = seat == to_move
    line = Text(f"▶ {names[seat]}" if moving else names[seat], "bold yellow" if moving else "bold")
    line.append(f" · {_counted(facts['hand_sizes'][seat], 'card')}")
    if facts["caught"][seat]:
        line.append(f" · caught {_counted(facts['caught'][seat], 'time')}, on {' '.join(facts['caught_on'][seat])}")
    if facts["shown"][seat]:
        cards = Text(" ").join(show(word) for word in facts["shown"][seat])
        line = Text.assemble(line, ("\n  took up, for all to see: ", "dim"), cards)
    return line


def pile_line(facts: Facts, names: Sequence[str], show: Show) -> Text:
    """What lies on the table, the oldest first; one's own cards by name."""
    line = Text.assemble(("pile ", "dim"), _counted(facts["pile_size"], "card"))
    parts = [Text.assemble(("face up ", "dim"), show(word)) for word in facts["face_up"]]
    for claim in facts["pile"]:
        said = Text.assemble((f"{names[claim['seat']]}: ", "dim"), f"{claim['count']} {_rank(claim['rank'])}")
        if "cards" in claim:
            said.append(" (").append_text(Text(" ").join(show(word) for word in claim["cards"]))
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


def choices(facts: Facts, legal: Sequence[str], show: Show) -> RenderableType:
    """What the seat may do, claims by rank and truth with the cards they would lay."""
    table = Table.grid(padding=(0, 2))
    claims = [text for text in legal if text in facts["lays"]]
    for kind, texts in groupby(claims, key=lambda text: text.rpartition(" ")[0]):
        parts = [
            Text.assemble(
                (f"{text.rpartition(' ')[2]}: ", "dim"), Text(" ").join(show(word) for word in facts["lays"][text])
            )
            for text in texts
        ]
        table.add_row(Text(f" {kind}", "bold"), Text("   ").join(parts))
    others = [text for text in legal if text not in facts["lays"]]
    up = facts["ranks_to_claim"][0]
    hand = facts.get("hand", ["QH"])
    lines: list[RenderableType] = [table]
    if others:
        lines.append(Text(" " + " · ".join(others), "bold"))
    lines.append(Text(f" or any cards under any name that is next: 1 {up}: {hand[0]}", "dim"))
    return Group(*lines)


def _rank(rank: str) -> str:
    return "10" if rank == "T" else rank


def _counted(number: Any, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
