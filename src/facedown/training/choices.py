"""The choices in recorded games, as rows of features: what policies are learnt from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from facedown import rules
from facedown.game import Game
from facedown.kernel import Array, kernel

MOST_CHOICES = 4096  # in a deal


@dataclass(frozen=True)
class Kind:
    """Choices that share a block of features: [first, last) of the game's."""

    first: int
    last: int
    rows: Array  # [action, feature]
    counts: Array  # [choice] how many actions there were
    chosen: Array  # [choice] which was taken
    owner: Array  # [choice] the number of the player: a seat of a deal

    @property
    def starts(self) -> Array:
        """The row of each choice's first action."""
        return np.cumsum(self.counts) - self.counts


@dataclass(frozen=True)
class Choices:
    """The choices of some deals."""

    kinds: list[Kind]
    seats: Array  # [owner, seat feature]; NaN where there are none
    deals: int

    @property
    def count(self) -> int:
        """How many choices there are."""
        return sum(len(kind.counts) for kind in self.kinds)


@kernel
def write_choices(deal: Array, taken: Array, rows: Array, about: Array, seats: Array) -> int:
    """Play a deal again; write the features of each choice, and a line (first, last, actions, chosen, seat) about it."""
    state = deal.copy()
    actions = np.empty(rows.shape[1], np.int64)
    choices = 0
    for place in range(taken.shape[0]):
        mover = rules.to_move(state[0])
        if np.isnan(seats[mover, 0]) and rules.seat_features(state[0], mover, seats[mover]) == 0:
            seats[mover, 0] = np.nan
        count = rules.legal(state[0], actions)
        if count > 1:
            first, last = rules.action_features(state[0], actions, count, rows[choices])
            chosen = 0
            while chosen < count - 1 and actions[chosen] != taken[place]:
                chosen += 1
            line = about[choices]
            line[0], line[1], line[2], line[3], line[4] = first, last, count, chosen, mover
            choices += 1
        rules.apply(state[0], taken[place])
    return choices


def choices_of(game: Game, deals: Iterable[tuple[Array, Sequence[int]]]) -> Choices:
    """The choices of deals, each a record as it was dealt and the actions that were taken."""
    found: dict[tuple[int, int], list[tuple[Array, Array]]] = {}
    seats, number = [], 0
    width, room = len(game.features), max(1, len(game.seat_features))
    for number, (data, taken) in enumerate(deals, 1):
        actions = np.array(taken, np.int64)
        rows = np.empty((len(actions), game.actions, width))
        about = np.empty((len(actions), 5), np.int64)
        own = np.full((game.seats, room), np.nan)
        count = write_choices(data, actions, rows, about, own)
        seats.append(own)
        about[:, 4] += (number - 1) * game.seats
        for place in range(count):
            first, last, size = about[place, :3].tolist()
            found.setdefault((first, last), []).append((rows[place, :size, : last - first].astype(np.float32), about[place]))
    kinds = []
    for (first, last), choices in sorted(found.items()):
        lines = np.array([line for _, line in choices])
        parts = np.concatenate([part for part, _ in choices])
        kinds.append(Kind(first, last, parts, lines[:, 2], lines[:, 3], lines[:, 4]))
    return Choices(kinds, np.concatenate(seats) if seats else np.empty((0, room)), number)
