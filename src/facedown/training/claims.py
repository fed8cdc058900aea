"""Claims of recorded games: what the other seat could tell of each, and whether it was true."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from facedown.errors import BadText
from facedown.games.cheat.claims import CALL, TAKE
from facedown.games.cheat.rules import is_false
from facedown.inference.cheat import NAMES, features
from facedown.kernel import Array
from facedown.record import GameRecord


@dataclass(frozen=True)
class Claims:
    """Rows to train on or to test: one for each claim."""

    features: Array  # [claims, 21]
    lies: Array  # whether it was false
    players: Array  # who made it, as text
    games: Array  # the number of its game
    turns: Array  # and its turn there

    def __len__(self) -> int:
        """How many."""
        return len(self.lies)

    def where(self, chosen: Array) -> "Claims":
        """Some of them."""
        columns = (self.features, self.lies, self.players, self.games, self.turns)
        return Claims(*(column[chosen] for column in columns))


Row = tuple[Array, bool, str, int, int]


def claims_of(record: GameRecord, number: int = 0, chosen: Callable[[int], bool] = lambda seat: True) -> Iterator[Row]:
    """The claims of one game that somebody could have called, by chosen seats."""
    steps = record.steps()
    game = next(steps).game
    if game.name != "cheat":
        raise BadText(f"expected a game of cheat, got {record.game}")
    for turn, ((seat, action), state) in enumerate(zip(record.history, steps, strict=True)):
        if action in (TAKE, CALL) or state.over or not chosen(seat):
            continue
        lie = bool(is_false(state.record, int(state.record.batches) - 1))
        yield features(state.view(1 - seat)), lie, record.agents[seat], number, turn


def collected(rows: Iterable[Row]) -> Claims:
    """Rows as columns."""
    columns = list(zip(*rows, strict=True)) or [()] * 5
    return Claims(
        np.array(columns[0], np.float64).reshape(-1, len(NAMES)),
        np.array(columns[1], np.bool_),
        np.array(columns[2], np.str_),
        np.array(columns[3], np.int64),
        np.array(columns[4], np.int64),
    )
