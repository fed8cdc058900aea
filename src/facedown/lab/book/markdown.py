"""Parts of Markdown."""

import re
from collections.abc import Iterable, Sequence
from typing import Any


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def anchor(heading: str) -> str:
    """What a link to a heading ends in: small letters, hyphens for spaces, nothing else but digits."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
