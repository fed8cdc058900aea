"""A record of Cheat as plain Python numbers: ten times as fast to read, field by field, as the record itself."""

from types import SimpleNamespace
from typing import TypeAlias

from facedown.view import Position

Table: TypeAlias = SimpleNamespace


def plain(position: Position) -> Table:
    """The fields of a position's record by name: numbers, and lists where they are arrays."""
    data = position.data
    return Table(**dict(zip(data.dtype.names or (), data.tolist()[0], strict=True)))
