"""The Python side of semi-determinized search: what may be supposed of the last action, and what is expected of each answer.

    E[action] = sum over suppositions c of P(c) * Q(root of c, action)

P are beliefs, from wherever they come; Q is the mean reward of an action at a supposition's root.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from facedown.errors import FacedownError, NoWorlds
from facedown.kernel import Array, new_records
from facedown.search.sdmcts import EMPTY, SLOT, grow_sets, refill
from facedown.search.search import ENTERED_A_SECOND, FIRST_ROOM, Arm, Search, Settings, doubled, new_run_of, rooted, together
from facedown.search.tree import NO_NODE, ROOT
from facedown.turns import count_suppositions, describe_supposed
from facedown.view import View
from facedown.worlds import exact


@dataclass(frozen=True)
class Supposition:
    """A kind that the last action may have been of, and its worlds."""

    which: int
    hidden: Array  # one record of exact.HIDDEN
    ways: Array


def suppositions_of(view: View) -> list[Supposition]:
    """What may be supposed of the last action, less the kinds that no cards agree with."""
    found = []
    for which in range(count_suppositions(view.data, view.seat)):
        hidden = exact.new_hidden()
        describe_supposed(view.data, view.seat, which, hidden)
        try:
            found.append(Supposition(which, hidden, exact.prepare(hidden)))
        except NoWorlds:
            continue
    if not found:
        raise NoWorlds("expected a position with at least one possible world, got one with none, whatever is supposed")
    return found


def shares(beliefs: Sequence[float], suppositions: Sequence[Supposition], count: int) -> list[float]:
    """Beliefs as probabilities of all `count` kinds: impossible ones have none; equal if nothing is left."""
    if len(beliefs) != count or not all(0.0 <= belief < float("inf") for belief in beliefs):
        raise FacedownError(f"expected {count} weights from 0 up, one for each supposition, got {list(beliefs)}")
    possible = {one.which for one in suppositions}
    weights = [float(belief) if which in possible else 0.0 for which, belief in enumerate(beliefs)]
    if not any(weights):
        weights = [float(which in possible) for which in range(count)]
    total = sum(weights)
    return [weight / total for weight in weights]


class SupposingSearch(Search):
    """Semi-determinized MCTS: tables of information sets, and a root for each supposition."""

    def __init__(self, view: View, settings: Settings, suppositions: Sequence[Supposition], rng: Array) -> None:
        self.seat = view.seat
        self.kinds = [one.which for one in suppositions]
        self.run = new_run_of(view, settings, 0)
        self.run["nodes"] = len(suppositions)
        self.view = view.data
        self.hidden = np.zeros(len(suppositions), exact.HIDDEN).view(np.recarray)
        steps, cells = np.max([one.ways.shape for one in suppositions], axis=0)
        self.ways = np.zeros((len(suppositions), steps, cells))  # drawing looks no further than a table was filled
        for place, one in enumerate(suppositions):
            self.hidden[place] = one.hidden[0]
            self.ways[place, : one.ways.shape[0], : one.ways.shape[1]] = one.ways
        self.memory = settings.playout()
        self.rng = rng
        self.scratch = np.zeros((3, view.game.actions), np.int64)
        self.tree = rooted(FIRST_ROOM, len(suppositions))
        self.slots = _slots(FIRST_ROOM)

    def _slice(self, iterations: int) -> int:
        table = (self.tree, self.slots, self.run, self.view, self.hidden, self.ways)
        return int(grow_sets(iterations, *table, self.memory, self.scratch, self.rng))

    def _make_room(self) -> None:
        self.tree = doubled(self.tree)
        larger = _slots(len(self.tree))
        refill(self.slots, larger)
        self.slots = larger

    def _room_seconds(self) -> float:
        return len(self.tree) / ENTERED_A_SECOND

    def arms(self, node: int = ROOT) -> list[Arm]:
        """The arms of an information set; the roots come first, one for each supposition."""
        found = []
        child = int(self.tree["first_child"][node])
        while child != NO_NODE:
            reward, squares, visits, available, _, following, sibling, action, seat = self.tree[child].item()
            places: list[tuple[Search, int]] = [(self, following)] if following != NO_NODE else []
            found.append(Arm(action, seat, visits, available, reward, squares, places))
            child = sibling
        return found


class Expectation(Search):
    """What searches side by side expect of each action, when kinds of the last one are so likely."""

    def __init__(self, searches: Sequence[SupposingSearch], beliefs: Sequence[float]) -> None:
        """`beliefs` has a probability for each kind, impossible ones too."""
        self.searches = searches
        self.beliefs = beliefs

    def figure(self, name: str) -> int:
        """A count of all the runs."""
        counts = [search.figure(name) for search in self.searches]
        return max(counts) if name == "depth_most" else sum(counts)

    def by_kind(self) -> dict[int, list[Arm]]:
        """The arms of each supposition's root, the searches added up."""
        kinds = self.searches[0].kinds
        return {
            which: together([arm for search in self.searches for arm in search.arms(root)])
            for root, which in enumerate(kinds)
        }

    @property
    def complete(self) -> bool:
        """Whether some action has been tried under every supposition that is believed at all."""
        return any(self._is_complete(tried) for tried in self._by_action().values())

    def arms(self, node: int = ROOT) -> list[Arm]:
        """For each action all visits, and the expected reward as the mean.

        Once there is an action that was tried under all suppositions believed, those that were not are left out.
        """
        by_action = self._by_action()
        complete = {action: tried for action, tried in by_action.items() if self._is_complete(tried)}
        arms = [self._expected(action, tried) for action, tried in (complete or by_action).items()]
        return sorted(arms, key=lambda arm: (-arm.visits, arm.action))

    def _by_action(self) -> dict[int, dict[int, Arm]]:
        """The arms by action and kind."""
        found: dict[int, dict[int, Arm]] = {}
        for which, arms in self.by_kind().items():
            for arm in arms:
                if arm.visits > 0:
                    found.setdefault(arm.action, {})[which] = arm
        return found

    def _is_complete(self, tried: dict[int, Arm]) -> bool:
        return all(which in tried for which, belief in enumerate(self.beliefs) if belief > 0)

    def _expected(self, action: int, tried: dict[int, Arm]) -> Arm:
        """One arm made of those of the kinds: sums that have the expected reward for a mean, and its variance."""
        weights = {which: self.beliefs[which] for which in tried}
        if not any(weights.values()):
            weights = dict.fromkeys(tried, 1.0)
        total = sum(weights.values())
        mean = variance = 0.0
        for which, arm in tried.items():
            share, own = weights[which] / total, arm.reward / arm.visits
            mean += share * own
            variance += share * share * max(0.0, arm.squares / arm.visits - own * own) / arm.visits
        visits = sum(arm.visits for arm in tried.values())
        likeliest = max(tried, key=lambda which: weights[which])
        return Arm(
            action,
            self.searches[0].seat,
            visits,
            sum(arm.available for arm in tried.values()),
            mean * visits,
            (mean * mean + variance * visits) * visits,
            tried[likeliest].places,
        )


def _slots(nodes: int) -> Array:
    """An empty table for the sets among so many nodes: each has an arm at least, so they are half of them at most."""
    slots = new_records(nodes // 2, SLOT)
    slots["node"] = EMPTY
    return slots
