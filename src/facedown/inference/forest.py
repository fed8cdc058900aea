"""A forest of decision trees in one file, and the probability it predicts: what agents need of a trained model.

All trees are stored one after another in flat arrays:

    feature    [nodes]  the feature that a node tests; LEAF where it tests none
    threshold  [nodes]  values up to this go left
    left       [nodes]  the child of a node
    right      [nodes]
    missing    [nodes]  whether NaN goes left
    value      [nodes]  the share of lies
    roots      [trees]
    scores     [points] the mean of the trees, rising, and
    chances    [points] the probability at each of these scores; linear in between
    about      JSON: names of the features, training data, and test results
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
from facedown.kernel import Array

LEAF = -1
FORMAT = 1
KINDS = {
    "feature": np.int8,
    "threshold": np.float32,
    "left": np.int32,
    "right": np.int32,
    "missing": np.bool_,
    "value": np.float32,
    "roots": np.int32,
    "scores": np.float32,
    "chances": np.float32,
}
COLUMNS = tuple(KINDS)
NODES = ("threshold", "left", "right", "missing", "value")  # as many as there are nodes
WORDS = {"i": "whole numbers", "b": "true and false", "f": "numbers"}
MOST_BYTES = 1 << 30  # of a model unpacked; the one shipped has a thousandth


class Forest:
    """A fitted model: features in, the probability of a lie out."""

    def __init__(self, columns: dict[str, Array], about: dict[str, Any]) -> None:
        """The arrays described above."""
        self.columns = columns
        self.about = about
        self.feature, self.threshold = columns["feature"], columns["threshold"]
        self.missing, self.value, self.roots = columns["missing"], columns["value"], columns["roots"]
        self.children = np.stack([columns["right"], columns["left"]])  # by whether to go left

    def score(self, rows: Array) -> Array:
        """The mean of the trees' answers for each row, before calibration."""
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
        """The probability of a lie for each row."""
        chance: Array = np.interp(self.score(rows), self.columns["scores"], self.columns["chances"])
        return chance

    def save(self, path: Path) -> None:
        """Write it to a file; equal models give equal files."""
        about = np.frombuffer(json.dumps(self.about, sort_keys=True).encode(), np.uint8)
        with whole_file(path) as file:
            np.savez_compressed(file, allow_pickle=False, about=about, **{name: self.columns[name] for name in COLUMNS})


def read_forest(path: Path, names: tuple[str, ...]) -> Forest:
    """A model from its file; it must have been trained on these features."""
    where = shown(str(path))
    if not os.path.isfile(path):  # unlike Path.is_file, it accepts any name
        raise FacedownError(f"expected the file of a model, got none at {where}")
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            check_size(data)
            about = json.loads(bytes(data["about"]))
            columns = {name: data[name] for name in COLUMNS}
    except Exception as error:  # a file may be damaged in any way, and NumPy raises whatever comes of it
        reason = shown(" ".join(str(error).split()) or type(error).__name__)
        raise FacedownError(f"expected the file of a model, got {where}: {reason}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT or about.get("features") != list(names):
        raise FacedownError(f"expected a model of format {FORMAT} for these features: {', '.join(names)}; got {where}")
    fault = fault_in(columns, len(names))
    if fault:
        raise FacedownError(f"expected the file of a model, got {where}, which is damaged: {fault}")
    return Forest({name: columns[name].astype(KINDS[name]) for name in COLUMNS}, about)


def check_size(data: Any) -> None:
    """Refuse a file that would fill the memory once it is unpacked."""
    size = sum(one.file_size for one in data.zip.infolist())
    if size > MOST_BYTES:
        raise ValueError(f"expected at most {MOST_BYTES} bytes unpacked, got {size}")


def fault_in(columns: dict[str, Array], features: int) -> str | None:
    """What is wrong with arrays that are not trees: no search may run for ever, and no probability may be NaN."""
    for name, column in columns.items():
        kind = np.dtype(KINDS[name]).kind
        if column.ndim != 1 or not len(column) or column.dtype.kind != kind:
            return f"expected {name} to be a list of {WORDS[kind]}, got {column.dtype} of shape {column.shape}"
        if kind == "f" and (np.isnan(column) if name == "threshold" else ~np.isfinite(column)).any():
            return f"expected numbers as {name}, got NaN or infinity"
    nodes, roots, inner = len(columns["feature"]), columns["roots"], columns["feature"] != LEAF
    if any(len(columns[name]) != nodes for name in NODES) or len(columns["scores"]) != len(columns["chances"]):
        return "expected lists of one length, got others"
    here, asked = np.arange(nodes)[inner], columns["feature"][inner]
    children = [columns[name][inner] for name in ("left", "right")]
    checks = {
        f"features from 0 to {features - 1}": within(asked, 0, features - 1),
        "roots among the nodes": within(roots, 0, nodes - 1),
        "shares from 0 to 1": within(columns["value"], 0, 1) and within(columns["chances"], 0, 1),
        "scores that rise": bool((np.diff(columns["scores"]) >= 0).all()),
        "children after their parents": all(within(child, here + 1, nodes - 1) for child in children),  # so every path ends
    }
    return next((f"expected {expected}, got others" for expected, holds in checks.items() if not holds), None)


def within(values: Array, least: Array | int, most: int) -> bool:
    """Whether all values are between two bounds."""
    return bool(((values >= least) & (values <= most)).all())


@cache
def shipped(name: str, names: tuple[str, ...]) -> Forest:
    """A model that comes with facedown."""
    with as_file(files("facedown.inference") / name) as path:
        return read_forest(path, names)
