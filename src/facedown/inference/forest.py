"""A forest of decision trees in one file, and the chance that it gives: what agents need of a model that was trained.

All trees lie one after another in flat arrays:

    feature    [nodes]  which feature a node asks for; LEAF where it asks no more
    threshold  [nodes]  at most this goes left
    left       [nodes]  the node to go on with
    right      [nodes]
    missing    [nodes]  whether NaN goes left
    value      [nodes]  the share of lies
    roots      [trees]
    scores     [points] the mean of the trees, rising, and
    chances    [points] the chance that each of these means; between them by straight lines
    about      JSON: names of the features, what it was trained on, and how well it did
"""

import json
import zipfile
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from facedown.errors import FacedownError
from facedown.files import whole_file
from facedown.kernel import Array

LEAF = -1
FORMAT = 1
COLUMNS = ("feature", "threshold", "left", "right", "missing", "value", "roots", "scores", "chances")


class Forest:
    """A model that was fitted: features in, the chance of a lie out."""

    def __init__(self, columns: dict[str, Array], about: dict[str, Any]) -> None:
        """The arrays of the drawing above."""
        self.columns = columns
        self.about = about
        self.feature, self.threshold = columns["feature"], columns["threshold"]
        self.missing, self.value, self.roots = columns["missing"], columns["value"], columns["roots"]
        self.children = np.stack([columns["right"], columns["left"]])  # by whether to go left

    def score(self, rows: Array) -> Array:
        """The mean of the trees' answers for each row, before it is made a chance."""
        numbers = np.asarray(rows, np.float32)
        nodes = np.repeat(self.roots[None, :], len(numbers), axis=0)  # [rows, trees]
        row = np.arange(len(numbers))[:, None]
        while (self.feature[nodes] != LEAF).any():
            asked = self.feature[nodes]
            number = numbers[row, np.maximum(asked, 0)]
            left = np.where(np.isnan(number), self.missing[nodes], number <= self.threshold[nodes])
            nodes = np.where(asked == LEAF, nodes, self.children[left.astype(np.int8), nodes])
        mean: Array = self.value[nodes].mean(axis=1)
        return mean

    def chance(self, rows: Array) -> Array:
        """The chance of a lie for each row."""
        chance: Array = np.interp(self.score(rows), self.columns["scores"], self.columns["chances"])
        return chance

    def save(self, path: Path) -> None:
        """Write it to a file: equal models make equal files."""
        about = np.frombuffer(json.dumps(self.about, sort_keys=True).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez_compressed(file, allow_pickle=False, about=about, **{name: self.columns[name] for name in COLUMNS})


def read_forest(path: Path, names: tuple[str, ...]) -> Forest:
    """A model from its file; it must have been trained on these features."""
    try:
        with np.load(path, allow_pickle=False) as data:
            about = json.loads(bytes(data["about"]))
            columns = {name: data[name] for name in COLUMNS}
    except FileNotFoundError:
        raise FacedownError(f"expected the file of a model, got none at {path}") from None
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise FacedownError(f"expected the file of a model, got {path}: {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT or tuple(about.get("features", ())) != names:
        raise FacedownError(f"expected a model of format {FORMAT} for these features: {', '.join(names)}; got {path}")
    check_columns(columns, path)
    return Forest(columns, about)


def check_columns(columns: dict[str, Array], path: Path) -> None:
    """Refuse arrays that are not those of trees: nobody should search for ever in a damaged file."""
    nodes = len(columns["feature"])
    inner = columns["feature"] != LEAF
    here = np.arange(nodes)[inner]
    whole = all(len(columns[name]) == nodes for name in ("threshold", "left", "right", "missing", "value"))
    whole = whole and len(columns["scores"]) == len(columns["chances"]) > 0 and len(columns["roots"]) > 0
    if not whole or not all(  # children come after their parents, so every way ends
        ((columns[name][inner] > here) & (columns[name][inner] < nodes)).all() for name in ("left", "right")
    ):
        raise FacedownError(f"expected the file of a model, got {path}, whose trees are damaged")


@cache
def shipped(name: str, names: tuple[str, ...]) -> Forest:
    """A model that comes with facedown."""
    with as_file(files("facedown.inference") / name) as path:
        return read_forest(path, names)
