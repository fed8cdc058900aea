"""How well a model tells lies from truths, on players it has never met; each figure with its interval over players."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.metrics import auc as area
from sklearn.metrics import brier_score_loss, roc_curve

from facedown.errors import FacedownError
from facedown.kernel import Array
from facedown.stats import Estimate
from facedown.training.claims import Claims

RESAMPLES = 400
BINS = 10  # of the reliability table
CURVE_POINTS = 101
LEAST_SHARE = 0.25  # of the others' claims, that must be left when the games of a player are left out


def auc(lies: Array, found: Array) -> float:
    """The area under the ROC curve: the chance that a lie scores higher than a truth; equal scores count a half."""
    return float(area(*_roc(lies, found))) if lies.any() and not lies.all() else float("nan")


def _roc(lies: Array, found: Array) -> tuple[Array, Array]:
    """The corners of the ROC curve: false alarms, lies found."""
    with config_context(assume_finite=True, skip_parameter_validation=True):  # it is asked hundreds of times
        alarms, hits, _ = roc_curve(lies, found, drop_intermediate=False)
    return alarms, hits


def best_threshold(lies: Array, found: Array) -> float:
    """The score from which on a claim is taken for a lie, so that TPR x TNR is largest."""
    at = np.unique(np.quantile(found, np.linspace(0, 1, 401)))
    rates = [rates_at(lies, found, threshold) for threshold in at]
    return float(at[int(np.argmax([right * wrong for right, wrong in rates]))])


def rates_at(lies: Array, found: Array, threshold: float) -> tuple[float, float]:
    """TPR and TNR: the shares of lies and of truths that are taken for what they are."""
    said = found >= threshold
    return float(said[lies].mean()) if lies.any() else 0.0, float((~said)[~lies].mean()) if (~lies).any() else 0.0


# --- Players left out -------------------------------------------------------------------------------------------------


Fit = Callable[[Array, Array], Callable[[Array], Array]]  # rows and lies to a function from rows to scores


def left_out_scores(
    claims: Claims, fit: Fit, most_folds: int | None = None, watch: Callable[[int, int], None] | None = None
) -> Array:
    """For each claim the score of a model that was fitted without any game of its player: leave one player out.

    With more players than `most_folds` some are left out together.
    """
    players = np.unique(claims.players)
    folds = np.array_split(players, min(len(players), most_folds or len(players)))
    found = np.full(len(claims), np.nan)
    for number, out in enumerate(folds):
        tested, trained = fold_of(claims, out)
        found[tested] = fit(claims.features[trained], claims.lies[trained])(claims.features[tested])
        if watch:
            watch(number + 1, len(folds))
    return found


def fold_of(claims: Claims, out: Array) -> tuple[Array, Array]:
    """The claims of some players, and those to train on: of games that none of these sat in.

    Somebody who sat in nearly all games would leave next to nothing; then others' claims in those games are trained on.
    """
    tested = np.isin(claims.players, out)
    trained = ~np.isin(claims.games, np.unique(claims.games[tested]))
    if trained.sum() < LEAST_SHARE * (~tested).sum():
        trained = ~tested
    if len(np.unique(claims.lies[trained])) < 2:
        raise FacedownError(f"expected true and false claims by others than {', '.join(out)}, got claims of one kind")
    return tested, trained


# --- Figures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """A model's figures on claims of players that it has not met."""

    auc: Estimate
    tpr: Estimate
    tnr: Estimate
    g_mean: Estimate
    brier: Estimate
    threshold: float
    claims: int
    lies: int
    reliability: list[dict[str, float]]  # by tenths of the chance: how many, the mean chance, the share of lies
    curve: list[tuple[float, float]]  # ROC: false alarms, lies found

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        names = ("auc", "tpr", "tnr", "g_mean", "brier")
        figures = {name: getattr(self, name).to_dict() for name in names}
        plain = {name: getattr(self, name) for name in ("threshold", "claims", "lies", "reliability", "curve")}
        return {**figures, **plain}


def evaluate(claims: Claims, found: Array, chances: Array, threshold: float, seed: int = 0) -> Evaluation:
    """All figures of scores and chances; the threshold is on the scores, and was chosen on training data."""
    right, wrong = rates_at(claims.lies, found, threshold)
    values = {
        "auc": auc(claims.lies, found),
        "tpr": right,
        "tnr": wrong,
        "g_mean": float(np.sqrt(right * wrong)),
        "brier": float(brier_score_loss(claims.lies, chances)),
    }
    errors = (chances - claims.lies) ** 2
    players = np.unique(claims.players)
    rows = [np.flatnonzero(claims.players == player) for player in players]
    samples: dict[str, list[float]] = {name: [] for name in values}
    rng = np.random.default_rng(seed)
    for _ in range(RESAMPLES):
        drawn = np.concatenate([rows[place] for place in rng.integers(len(rows), size=len(rows))])
        lies, score = claims.lies[drawn], found[drawn]
        right, wrong = rates_at(lies, score, threshold)
        samples["auc"].append(auc(lies, score))
        samples["tpr"].append(right)
        samples["tnr"].append(wrong)
        samples["g_mean"].append(float(np.sqrt(right * wrong)))
        samples["brier"].append(float(errors[drawn].mean()))
    figures = {name: estimate(value, samples[name], len(players), name) for name, value in values.items()}
    return Evaluation(
        **figures,
        threshold=threshold,
        claims=len(claims),
        lies=int(claims.lies.sum()),
        reliability=reliability(claims.lies, chances),
        curve=roc(claims.lies, found),
    )


def estimate(value: float, samples: Sequence[float], players: int, name: str) -> Estimate:
    """A figure with the middle 95 % of what resampled players gave."""
    low, high = np.nanquantile(samples, [0.025, 0.975])
    return Estimate(value, float(low), float(high), players, "players", rate=name in ("tpr", "tnr", "g_mean"), signed=False)


def reliability(lies: Array, chances: Array) -> list[dict[str, float]]:
    """By tenths of the chance: how many claims, their mean chance, and the share of lies among them."""
    table = []
    bins = np.minimum(BINS - 1, (chances * BINS).astype(int))
    for number in range(BINS):
        inside = bins == number
        if inside.any():
            entry = {"claims": int(inside.sum()), "chance": chances[inside].mean(), "lies": lies[inside].mean()}
            table.append({name: round(float(value), 4) for name, value in entry.items()})
    return table


def roc(lies: Array, found: Array) -> list[tuple[float, float]]:
    """The ROC curve as (false alarms, lies found), both rising, at evenly spaced shares of false alarms."""
    at = np.linspace(0, 1, CURVE_POINTS)
    heights = np.interp(at, *_roc(lies, found))
    return [(round(float(x), 4), round(float(y), 4)) for x, y in zip(at, heights, strict=True)]


def lies_found(lies: Array, found: Array, alarms: float) -> float:
    """The height of the ROC curve at a share of false alarms."""
    return float(np.interp(alarms, *_roc(lies, found))) if lies.any() and not lies.all() else float("nan")
