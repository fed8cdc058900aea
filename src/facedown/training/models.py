"""The classifiers, and a fitted forest as arrays that are read without scikit-learn."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.isotonic import IsotonicRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from facedown.inference.forest import FORMAT, LEAF, Forest
from facedown.kernel import Array

TREES = 80
SHARE_OF_CLAIMS = 0.5  # that each tree sees: half the time, and no worse
SMALLEST_LEAF = 20  # claims: keeps the file small
MOST_DEPTH = 12
NETWORK_ROUNDS = 40  # through all claims; more fit them too closely
POINTS = 200  # of the curve from the trees' mean to a chance

CLASSIFIERS = ("forest", "boosting")  # those that `facedown train` compares; experiments have others beside


def classifier(kind: str, seed: int, trees: int = TREES) -> Any:
    """One of the rivals, unfitted; the rarer kind of claim weighs more, as much as oversampling would make it."""
    return MAKERS[kind](seed, trees)


def _forest(seed: int, trees: int) -> Any:
    return RandomForestClassifier(
        trees,
        max_depth=MOST_DEPTH,
        min_samples_leaf=SMALLEST_LEAF,
        max_features=6,
        max_samples=SHARE_OF_CLAIMS,
        class_weight="balanced",
        random_state=seed,
        n_jobs=-1,
    )


def _boosting(seed: int, trees: int) -> Any:
    return HistGradientBoostingClassifier(
        max_iter=80,
        learning_rate=0.1,
        max_leaf_nodes=15,
        min_samples_leaf=SMALLEST_LEAF,
        class_weight="balanced",
        early_stopping=False,
        random_state=seed,
    )


def _tree(seed: int, trees: int) -> Any:
    return DecisionTreeClassifier(
        max_depth=MOST_DEPTH, min_samples_leaf=SMALLEST_LEAF, class_weight="balanced", random_state=seed
    )


def _svm(seed: int, trees: int) -> Any:
    return _filled_in(SVC(class_weight="balanced", random_state=seed))


def _network(seed: int, trees: int) -> Any:
    """No weights here: claims of both kinds are about as many."""
    return _filled_in(MLPClassifier((32, 16), alpha=1.0, max_iter=NETWORK_ROUNDS, random_state=seed))


def _filled_in(model: Any) -> Any:
    """A classifier that wants numbers of one size, and no gaps."""
    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler(), model)


MAKERS: dict[str, Callable[[int, int], Any]] = {
    "forest": _forest,
    "boosting": _boosting,
    "tree": _tree,
    "svm": _svm,
    "network": _network,
}


def fitted(kind: str, rows: Array, lies: Array, seed: int, trees: int = TREES) -> Any:
    """A classifier that has seen these claims."""
    # One thread: several wait for each other without sleep, ten times as slow on a busy machine.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the network is stopped early on purpose
        model = classifier(kind, seed, trees).fit(rows, lies)
    if kind == "forest":
        model.n_jobs = 1  # threads would add up the trees in any order, and so not the same to the last bit
    return model


def scores(model: Any, rows: Array) -> Array:
    """How sure a classifier is of a lie, from 0 to 1; of an SVM, how far the claim lies on that side."""
    with threadpool_limits(1):
        found: Array = model.predict_proba(rows)[:, 1] if hasattr(model, "predict_proba") else model.decision_function(rows)
    return found


def calibration(found: Array, lies: Array) -> tuple[Array, Array]:
    """The chance of a lie by score: isotonic, as points of a rising line."""
    curve = IsotonicRegression(y_min=0.005, y_max=0.995, out_of_bounds="clip").fit(found, lies)
    at = np.unique(np.quantile(found, np.linspace(0, 1, POINTS)))
    return at, curve.predict(at)


def as_forest(model: Any, curve: tuple[Array, Array], about: dict[str, Any]) -> Forest:
    """A random forest of scikit-learn as flat arrays."""
    columns: dict[str, list[Array]] = {name: [] for name in ("feature", "threshold", "left", "right", "missing", "value")}
    roots, nodes = [], 0
    for tree in (one.tree_ for one in model.estimators_):
        leaf = tree.children_left == -1
        counts = tree.value[:, 0, :]
        columns["feature"].append(np.where(leaf, LEAF, tree.feature))
        columns["threshold"].append(np.where(leaf, 0.0, tree.threshold))
        columns["left"].append(np.where(leaf, 0, tree.children_left + nodes))
        columns["right"].append(np.where(leaf, 0, tree.children_right + nodes))
        columns["missing"].append(np.where(leaf, False, tree.missing_go_to_left.astype(bool)))
        columns["value"].append(counts[:, 1] / counts.sum(axis=1))
        roots.append(nodes)
        nodes += len(leaf)
    flat = {name: np.concatenate(parts) for name, parts in columns.items()}
    kinds = {"feature": np.int8, "left": np.int32, "right": np.int32, "missing": np.bool_, "value": np.float32}
    flat = {name: values.astype(kinds.get(name, values.dtype)) for name, values in flat.items()}
    flat["threshold"] = rounded_down(flat["threshold"])
    flat["roots"] = np.array(roots, np.int32)
    flat["scores"], flat["chances"] = (part.astype(np.float32) for part in curve)
    return Forest(flat, {"format": FORMAT, **about})


def rounded_down(thresholds: Array) -> Array:
    """The greatest numbers of single precision that are not greater: the question is the same for such features."""
    single = thresholds.astype(np.float32)
    below: Array = np.where(single > thresholds, np.nextafter(single, np.float32(-np.inf)), single)
    return below
