"""A learnt policy: how likely a player is to choose each legal action, as a conditional logit on features of the game.

The chance of an action is proportional to exp(weights . features). A policy may have several modes, rows of weights:
players who duck and players who shoot play differently. A seat keeps its mode for a deal; how likely it plays in each is a
logit too, on features of its cards when play begins. By the same features, of the hands that a world has now, it is likelier
or not than plays alone tell: exp(hands . features). A policy is data: a JSON file with the names of its features, its
weights, and what it was learnt from.

Written by hand: kernels evaluate it inside searches, where no library can be called.
"""

import json
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from facedown import rules
from facedown.errors import BadOption, FacedownError
from facedown.kernel import Array, Record, kernel

if TYPE_CHECKING:
    from facedown.game import Game

FORMAT = 1


@dataclass(frozen=True, eq=False)
class Policy:
    """Weights, and what is known about them."""

    features: tuple[str, ...]
    weights: Array  # [mode, feature]
    modes: Array  # [mode, seat feature]; one row of zeros where there is one mode
    seat_features: tuple[str, ...] = ()
    hands: Array = field(default_factory=lambda: np.zeros(0))  # [seat feature], of the hands of a world; or none
    about: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> str:
        """The file's text; equal policies have equal texts."""
        parts = {
            "format": FORMAT,
            "about": self.about,
            "weights": _columns(self.features, self.weights),
            "modes": _columns(self.seat_features, self.modes),
        }
        if self.hands.size:
            parts["hands"] = {name: round(float(one), 4) for name, one in zip(self.seat_features, self.hands, strict=True)}
        return json.dumps(parts, indent=1) + "\n"


def _columns(names: tuple[str, ...], rows: Array) -> dict[str, list[float]]:
    return {name: [round(float(one), 4) for one in column] for name, column in zip(names, rows.T, strict=True)}


def _rows(columns: dict[str, list[float]]) -> Array:
    return np.ascontiguousarray(np.array(list(columns.values()), np.float64).T)


def read_policy(text: str, game: "Game") -> Policy:
    """A policy from its file's text, if it is one for this game."""
    return _read(text, game.name, game.features, game.seat_features)


@lru_cache(maxsize=16)
def _read(text: str, name: str, features: tuple[str, ...], seat_features: tuple[str, ...]) -> Policy:
    try:
        data = json.loads(text)
        weights, modes, found = _rows(data["weights"]), _rows(data["modes"]), (tuple(data["weights"]), tuple(data["modes"]))
        hands, named = np.array(list(data.get("hands", {}).values()), np.float64), tuple(data.get("hands", seat_features))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FacedownError(f"expected the file of a policy, got one without its parts: {error}") from None
    if data.get("format") != FORMAT:
        raise FacedownError(f"expected a policy in format {FORMAT}, got {data.get('format')!r}")
    if found != (features, seat_features) or named != seat_features:
        raise FacedownError(f"expected a policy with the {len(features)} features of {name}, got other ones")
    if not (all(np.isfinite(part).all() for part in (weights, modes, hands)) and len(weights) == max(1, len(modes))):
        raise FacedownError("expected finite weights for the same modes, got others")
    modes = modes if modes.size else np.zeros((len(weights), 0))
    return Policy(found[0], weights, modes, found[1], hands, data.get("about", {}))


@cache
def _shipped(name: str) -> str | None:
    path = files("facedown.inference") / "policies" / f"{name}.json"
    return path.read_text("utf-8") if path.is_file() else None


def policy_of(game: "Game", own: str = "") -> Policy:
    """The policy in the text of a file, or the one that is shipped for the game."""
    if not game.features:
        raise BadOption(f"expected a game with features to learn from, got {game.name}")
    text = own or _shipped(game.name)
    if text is None:
        raise BadOption(f"expected a game with a learnt policy, got {game.name}: facedown train {game.name} makes one")
    return read_policy(text, game)


# --- Kernels ----------------------------------------------------------------------------------------------------------


@kernel
def utilities(state: Record, weights: Array, actions: Array, rows: Array, out: Array) -> int:
    """Write weights . features of each legal action, for each mode; return how many actions there are.

    A single action has no utility: there is nothing to choose.
    """
    count = rules.legal(state, actions)
    if count == 1:
        return 1
    first, last = rules.action_features(state, actions, count, rows)
    for mode in range(weights.shape[0]):
        for row in range(count):
            even = 0.0  # two sums side by side take half the time of one
            odd = 0.0
            for column in range(0, last - first - 1, 2):
                even += weights[mode, first + column] * rows[row, column]
                odd += weights[mode, first + column + 1] * rows[row, column + 1]
            if (last - first) % 2 == 1:
                even += weights[mode, last - 1] * rows[row, last - first - 1]
            out[mode, row] = even + odd
    return count


@kernel
def mode_utilities(state: Record, seat: int, modes: Array, features: Array, out: Array) -> int:
    """Write modes . features of a seat; return how many features there are, 0 while there is nothing to tell modes by.

    `features` is room to write in.
    """
    count = rules.seat_features(state, seat, features)
    if count > 0:
        for mode in range(modes.shape[0]):
            out[mode] = 0.0
            for column in range(count):
                out[mode] += modes[mode, column] * features[column]
    return int(count)


@kernel
def log_chance(utility: Array, count: int, chosen: int) -> float:
    """The logarithm of how likely a choice is among `count`, given their utilities."""
    total = 0.0
    for row in range(count):
        total += np.exp(utility[row] - utility[chosen])
    return float(-np.log(total))
