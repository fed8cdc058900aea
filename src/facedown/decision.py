"""What a search thought: for each action how often it was tried and what it brought, and the line it expects."""

from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import Any

from facedown.game import Game
from facedown.search.tree import NO_ACTION, ROOT, children

LINE_LENGTH = 12  # actions of the principal line that are kept


@dataclass(frozen=True)
class Candidate:
    """One action at the root, as the search sees it for the seat that would choose it."""

    action: int
    text: str
    visits: int
    available: int  # how often it could have been chosen
    mean: float  # reward, from 0 to 1
    interval: tuple[float, float]  # 95 % confidence, of the mean of the playouts


@dataclass(frozen=True)
class Decision:
    """A choice with its reasons; `candidates` stand in order of preference."""

    action: int
    text: str
    candidates: list[Candidate] = field(default_factory=list)
    line: list[str] = field(default_factory=list)  # the most visited action, the answer to it, and so on
    iterations: int = 0
    worlds: int = 0  # different ones searched; 0 where each iteration drew its own
    nodes: int = 0
    depth_mean: float = 0.0
    depth_most: int = 0
    seconds: float = 0.0
    forced: bool = False
    _tree: Any = field(default=None, repr=False, compare=False)
    _game: Game | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain data, without the tree."""
        return {key: value for key, value in asdict(self, dict_factory=_public).items() if not key.startswith("_")}

    def tree(self, depth: int = 2) -> dict[str, Any]:
        """The tree down to a depth, as plain data for JSON."""
        if self._tree is None or self._game is None:
            return {"action": None, "text": None, "visits": 0, "children": []}
        return _branch(self._tree, self._game, ROOT, depth)


def _public(items: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key: value for key, value in items if not key.startswith("_")}


def forced(game: Game, action: int) -> Decision:
    """The only action there is."""
    return Decision(action, game.text(action), [], [game.text(action)], forced=True)


def from_tree(game: Game, tree: Any, **figures: Any) -> Decision:
    """The decision that a searched tree leads to: the most visited action."""
    candidates = [_candidate(game, tree, child) for child in children(tree, ROOT)]
    best = candidates[0]
    return Decision(best.action, best.text, candidates, _line(game, tree), **figures, _tree=tree, _game=game)


def _candidate(game: Game, tree: Any, child: int) -> Candidate:
    visits = int(tree["visits"][child])
    mean, half = _mean(tree, child)
    action = int(tree["action"][child])
    return Candidate(action, game.text(action), visits, int(tree["available"][child]), mean, (mean - half, mean + half))


def _mean(tree: Any, node: int) -> tuple[float, float]:
    """A node's mean reward and half the width of its 95 % interval."""
    visits = max(1, int(tree["visits"][node]))
    mean = float(tree["reward"][node]) / visits
    variance = max(0.0, float(tree["squares"][node]) / visits - mean * mean)
    return mean, 1.96 * sqrt(variance / visits)


def _line(game: Game, tree: Any) -> list[str]:
    line: list[str] = []
    below = children(tree, ROOT)
    while below and len(line) < LINE_LENGTH and tree["visits"][below[0]] > 1:
        line.append(game.text(int(tree["action"][below[0]])))
        below = children(tree, below[0])
    return line


def _branch(tree: Any, game: Game, node: int, depth: int) -> dict[str, Any]:
    action = int(tree["action"][node])
    mean, half = _mean(tree, node)
    below = children(tree, node) if depth > 0 else []
    return {
        "action": None if action == NO_ACTION else action,
        "text": None if action == NO_ACTION else game.text(action),
        "seat": None if node == ROOT else int(tree["seat"][node]),
        "visits": int(tree["visits"][node]),
        "available": int(tree["available"][node]),
        "mean": None if node == ROOT else mean,
        "interval": None if node == ROOT else [mean - half, mean + half],
        "children": [_branch(tree, game, child, depth - 1) for child in below],
    }
