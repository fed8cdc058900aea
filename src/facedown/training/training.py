"""From claims to a model and its figures."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

import facedown
from facedown.arena.progress import WorkProgress
from facedown.games.cheat.styles import Style, style
from facedown.inference.cheat import NAMES
from facedown.inference.forest import Forest
from facedown.kernel import Array
from facedown.training.claims import Claims
from facedown.training.evaluation import Evaluation, best_threshold, evaluate, left_out_scores
from facedown.training.models import CLASSIFIERS, TREES, as_forest, calibration, fitted, scores

MOST_FOLDS = 60
TRAITS = [name for name in Style.__dataclass_fields__ if name != "number"]

Watch = Callable[[WorkProgress], None]


@dataclass(frozen=True)
class Trained:
    """A model, and how well it and its rival do on players they have not met."""

    forest: Forest
    left_out: dict[str, Evaluation]  # by classifier: each player left out in turn
    test: dict[str, Evaluation]  # by classifier: players kept apart; none where there are no such
    ceiling: Evaluation | None  # of somebody who knows each test player's style

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "left_out": {kind: one.to_dict() for kind, one in self.left_out.items()},
            "test": {kind: one.to_dict() for kind, one in self.test.items()},
            "ceiling": None if self.ceiling is None else self.ceiling.to_dict(),
        }


def train(
    claims: Claims,
    about: dict[str, Any],
    test: Claims | None = None,
    known: Claims | None = None,
    seed: int = 0,
    trees: int = TREES,
    watch: Watch = lambda progress: None,
) -> Trained:
    """Fit the forest and its rival; `known` are other games of the test players, for the ceiling."""
    left_out, tested = {}, {}
    forest = None
    for kind in CLASSIFIERS:
        begin = time.perf_counter()

        def shown(done: int, folds: int, kind: str = kind, begin: float = begin) -> None:
            watch(WorkProgress(f"{kind}: leaving players out", done, folds, done, time.perf_counter() - begin))

        def fit(rows: Array, lies: Array, kind: str = kind) -> Callable[[Array], Array]:
            return partial(scores, fitted(kind, rows, lies, seed, trees))

        found = left_out_scores(claims, fit, MOST_FOLDS, shown)
        at, chances = curve = calibration(found, claims.lies)
        threshold = best_threshold(claims.lies, found)
        left_out[kind] = evaluate(claims, found, np.interp(found, at, chances), threshold, seed)
        model = fitted(kind, claims.features, claims.lies, seed, trees)
        if test is not None:
            found = scores(model, test.features)
            tested[kind] = evaluate(test, found, np.interp(found, at, chances), threshold, seed)
        if kind == "forest":
            forest = as_forest(model, curve, {})
    assert forest is not None
    ceiling = None if test is None or known is None else knowing_styles(known, test, seed)
    result = Trained(forest, left_out, tested, ceiling)
    forest.about.update(described(about, claims, result))
    return result


def described(about: dict[str, Any], claims: Claims, result: Trained) -> dict[str, Any]:
    """What the file of a model says of itself."""
    figures = {"left_out": result.left_out["forest"]}
    if result.test:
        figures["test"] = result.test["forest"]
    if result.ceiling:
        figures["ceiling"] = result.ceiling
    kept = ("auc", "tpr", "tnr", "g_mean", "brier", "threshold", "claims", "lies")
    return {
        **about,
        "facedown": facedown.__version__,
        "features": list(NAMES),
        "claims": len(claims),
        "lies": int(claims.lies.sum()),
        "players": len(np.unique(claims.players)),
        "games": len(np.unique(claims.games)),
        "figures": {name: {key: one.to_dict()[key] for key in kept} for name, one in figures.items()},
    }


def knowing_styles(known: Claims, test: Claims, seed: int) -> Evaluation:
    """The ceiling: boosting that knows all traits of the claimer's style, fitted to other games of the test people."""
    model = fitted("boosting", with_traits(known), known.lies, seed)
    found = scores(model, with_traits(test))
    of_known = scores(model, with_traits(known))
    at, chances = calibration(of_known, known.lies)
    return evaluate(test, found, np.interp(found, at, chances), best_threshold(known.lies, of_known), seed)


def with_traits(claims: Claims) -> Array:
    """The features, and beside them the traits of who made the claim."""
    people = {text: style(int(text.rpartition("=")[2]) if "=" in text else 0) for text in np.unique(claims.players).tolist()}
    rows = {text: [getattr(person, name) for name in TRAITS] for text, person in people.items()}
    return np.hstack([claims.features, np.array([rows[text] for text in claims.players.tolist()])])
