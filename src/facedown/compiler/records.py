"""Records whose fields are attributes, for Python code.

NumPy's own take any name for an attribute first, and look for a field when that has failed: most of the time of code that is
interpreted. Here what is no attribute of every record is a field. Nothing else is different.
"""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

ATTRIBUTES = frozenset(dir(np.record))
attribute = np.void.__getattribute__
part = np.void.getfield


class QuickRecord(np.record):  # type: ignore[misc]  # NumPy has no reason to call it final
    """One record."""

    def __getattribute__(self, name: str) -> Any:
        if name in ATTRIBUTES:
            return attribute(self, name)
        field = attribute(self, "dtype").fields.get(name)
        if field is None:
            return super().__getattribute__(name)
        kind, offset = field[:2]
        value = part(self, kind, offset)
        return value if kind.base.names is None else value.view((type(self), value.dtype))


class QuickRecords(np.recarray[Any, Any]):
    """An array of them."""

    def __array_finalize__(self, made_from: Any) -> None:
        """NumPy would make its own records of them here."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "dtype":
            object.__setattr__(self, name, value)  # as it is
        else:
            super().__setattr__(name, value)


@cache
def quick(kind: np.dtype[Any]) -> np.dtype[Any]:
    """A kind of record, as quick ones."""
    return np.dtype((QuickRecord, kind))


def as_records(array: npt.NDArray[Any]) -> Any:
    """The same memory as records with attributes."""
    return array.view(quick(array.dtype), QuickRecords)
