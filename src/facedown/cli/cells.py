"""Tables of whatever a database holds, printed for people."""

from collections.abc import Sequence
from decimal import Decimal
from numbers import Number
from typing import Any

from rich.console import Console

GAP = 2  # between two columns of a table
LARGEST_WRITTEN_OUT = 1e15  # number with all its digits


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under their names, a line each: long cells are cut at a terminal, and whole elsewhere."""
    from rich.cells import cell_len
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    cells = [[cell(value) for value in row] for row in rows]
    names = [printable(name) for name in columns]
    widths = [max(cell_len(line[index]) for line in (names, *cells)) for index in range(len(names))]
    if console.is_terminal:
        widths = fitted(widths, console.width - GAP * (len(names) - 1))
    else:
        console = Console(highlight=False, width=sum(widths) + GAP * len(names))
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style="bold")
    for index, name in enumerate(names):
        side: Any = "right" if all(isinstance(row[index], Number | None) for row in rows) else "left"
        table.add_column(Text(name), justify=side, overflow="ellipsis", no_wrap=True, width=widths[index])
    for line in cells:
        table.add_row(*map(Text, line))
    console.print(table)


def fitted(widths: Sequence[int], room: int) -> list[int]:
    """Widths of columns that fit together: those that are wider than their share are cut, all to the same."""
    share = max(widths, default=1)
    while share > 1 and sum(min(width, share) for width in widths) > room:
        share -= 1
    left = room - sum(min(width, share) for width in widths)
    found = []
    for width in widths:
        more = 1 if width > share and left > 0 else 0
        found.append(min(width, share) + more)
        left -= more
    return found


def cell(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return ""
    if isinstance(value, float | Decimal) and abs(float(value)) < LARGEST_WRITTEN_OUT:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return printable(str(value))


def printable(text: str) -> str:
    """Text on one line, which does nothing to a terminal."""
    return text if text.isprintable() else repr(text)[1:-1]
