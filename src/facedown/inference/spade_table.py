"""How often players of Hearts held which of Q♠, K♠ and A♠ after which history of actions: counts, in one file.

keys     [histories]     the histories in rising order, see spade_history.ActionHistory.key
counts   [histories, 8]  how often a player reached it with each value of the feature, see spade_history.VALUES
about    JSON: the command, settings and games that made it, size and coverage
"""

import json
import os
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import FacedownError, shown
from facedown.files import whole_file
from facedown.inference.forest import check_size
from facedown.inference.spade_history import VALUES, ActionHistory
from facedown.kernel import Array

FORMAT = 1
SHIPPED = "hearts-table.npz"
LEAST_OBSERVATIONS = 10  # of a history that is believed (section 5.4)
PROPERTIES = list(ActionHistory._fields)
MOST_COUNT = 1 << 40


class HonourTable:
    """Counts by history: P(feature | history) is a count divided by its row's sum."""

    def __init__(self, keys: Array, counts: Array, about: dict[str, Any]) -> None:
        """The arrays described above."""
        self.keys = keys
        self.counts = counts
        self.about = about
        self._rows = dict(zip(keys.tolist(), counts.tolist(), strict=True))

    def __len__(self) -> int:
        """How many histories it has."""
        return len(self.keys)

    def row(self, key: int) -> list[int] | None:
        """The counts of a history, by value of the feature; None if it has never been reached."""
        found: list[int] | None = self._rows.get(key)
        return found

    def save(self, path: Path) -> None:
        """Write it to a file; equal tables give equal files."""
        about = np.frombuffer(json.dumps(self.about, sort_keys=True).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez_compressed(file, allow_pickle=False, about=about, keys=self.keys, counts=self.counts)


def read_table(path: Path) -> HonourTable:
    """A table from its file."""
    where = shown(str(path))
    if not os.path.isfile(path):  # unlike Path.is_file, it accepts any name
        raise FacedownError(f"expected the file of a table of honours, got none at {where}")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            check_size(data)
            about = json.loads(bytes(data["about"]))
            keys, counts = data["keys"], data["counts"]
    except Exception as error:  # a file may be damaged in any way, and NumPy raises whatever comes of it
        reason = shown(" ".join(str(error).split()) or type(error).__name__)
        raise FacedownError(f"expected the file of a table of honours, got {where}: {reason}") from None
    named = isinstance(about, dict) and about.get("values") == list(VALUES) and about.get("properties") == PROPERTIES
    if not named or about.get("format") != FORMAT:
        raise FacedownError(f"expected a table of honours of format {FORMAT}, with its properties and values, got {where}")
    fault = fault_in(keys, counts)
    if fault:
        raise FacedownError(f"expected the file of a table of honours, got {where}, which is damaged: {fault}")
    return HonourTable(keys.astype(np.int64), counts.astype(np.int64), about)


def fault_in(keys: Array, counts: Array) -> str | None:
    """What is wrong with arrays that are no table."""
    if keys.ndim != 1 or keys.dtype.kind not in "iu" or counts.dtype.kind not in "iu":
        return f"expected whole numbers, got {keys.dtype} of shape {keys.shape} and {counts.dtype}"
    if counts.shape != (len(keys), len(VALUES)):
        return f"expected {len(VALUES)} counts for each of {len(keys)} histories, got an array of shape {counts.shape}"
    if len(keys) and (keys[:-1] >= keys[1:]).any():
        return "expected histories in rising order, got others"
    if counts.size and not (int(counts.min()) >= 0 and int(counts.max()) < MOST_COUNT):
        return f"expected counts from 0 to {MOST_COUNT - 1}, got others"
    return None


@cache
def shipped_table() -> HonourTable:
    """The table that comes with facedown."""
    with as_file(files("facedown.inference") / SHIPPED) as path:
        return read_table(path)
