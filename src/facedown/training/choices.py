"""The choices in recorded games, as rows of features: what policies are learnt from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from facedown import rules
from facedown.compiler.asking import turns_taken
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.kernel import Array, copied, kernel
from facedown.record import GameRecord
from facedown.rewards import POINTS


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
    seats: Array  # [owner, seat feature]; 0 where there are none
    rewards: Array  # [owner] by points, of the deal
    deals: int

    @property
    def count(self) -> int:
        """How many choices there are."""
        return sum(len(kind.counts) for kind in self.kinds)


class Deal(NamedTuple):
    """A recorded deal."""

    dealt: Array
    actions: list[int]
    learnt: Sequence[bool]  # for each seat whether its choices are learnt from


def deals_of(record: GameRecord, players: str = "*") -> Iterator[Deal]:
    """The whole deals of a recorded game; those seats are learnt from whose text matches the pattern."""
    learnt = [fnmatchcase(text, players) for text in record.agents]
    deals: list[Deal] = []
    for state, (_, action) in zip(record.steps(), record.history, strict=False):
        if turns_taken(state.data) == 0:
            yield from deals
            deals = [Deal(copied(state.data), [], learnt)]
        deals[0].actions.append(action)
    if record.forfeit is None:
        yield from deals


@kernel
def write_choices(deal: Array, taken: Array, rows: Array, about: Array, seats: Array, rewards: Array) -> int:
    """Play a deal again; write the features of each choice, and a line (first, last, actions, chosen, seat) about it."""
    state = deal.copy()
    actions = np.empty(rows.shape[1], np.int64)
    begun = np.zeros(seats.shape[0], np.bool_)
    choices = 0
    for place in range(taken.shape[0]):
        mover = rules.to_move(state[0])
        if not begun[mover]:
            begun[mover] = rules.seat_features(state[0], mover, seats[mover]) > 0
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
    rules.reward(state[0], POINTS, rewards)
    return choices


def choices_of(game: Game, deals: Iterable[Deal]) -> Choices:
    """The choices of deals."""
    found: dict[tuple[int, int], list[tuple[Array, Array]]] = {}
    owners: list[tuple[Array, Array]] = []
    for deal in deals:
        taken = np.array(deal.actions, np.int64)
        rows = np.empty((len(taken), game.actions, len(game.features)))
        about = np.empty((len(taken), 5), np.int64)
        seats, rewards = np.zeros((game.seats, max(1, len(game.seat_features)))), np.zeros(game.seats)
        count = write_choices(deal.dealt, taken, rows, about, seats, rewards)
        for place, (first, last, size, _, seat) in enumerate(about[:count].tolist()):
            if deal.learnt[seat]:
                part = rows[place, :size, : last - first].astype(np.float32)
                about[place, 4] = len(owners) * game.seats + seat
                found.setdefault((first, last), []).append((part, about[place]))
        owners.append((seats, rewards))
    if not found:
        raise FacedownError(f"expected games of {game.name} with choices to learn from, got none")
    kinds = []
    for (first, last), choices in sorted(found.items()):
        lines = np.array([line for _, line in choices])
        rows = np.concatenate([part for part, _ in choices])
        kinds.append(Kind(first, last, rows, lines[:, 2], lines[:, 3], lines[:, 4]))
    return Choices(
        kinds, np.concatenate([seats for seats, _ in owners]), np.concatenate([rest for _, rest in owners]), len(owners)
    )
