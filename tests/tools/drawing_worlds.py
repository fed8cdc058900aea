"""Worlds drawn and looked through in compiled loops; a file without other imports, whose digest takes no time."""

import numpy as np

from facedown.kernel import Array, kernel
from facedown.worlds import literature
from facedown.worlds.batches import draw_laid


@kernel
def draw_many(hidden: Array, ways: Array, rng: Array, out: Array) -> None:
    """Fill out[draw, holder] with worlds."""
    for index in range(out.shape[0]):
        literature.draw_by_sampler(hidden[0], ways, rng)
        for holder in range(out.shape[1]):
            out[index, holder] = hidden[0].held[holder]


@kernel
def draw_many_laid(hidden: Array, rng: Array, out: Array) -> None:
    """Fill out[draw] with worlds."""
    for index in range(out.shape[0]):
        draw_laid(hidden[0], rng)
        out[index] = hidden[0].held


@kernel
def impossible_worlds(records: Array, seat: int, hidden: Array) -> int:
    """How many of the worlds break anything that the seat knows."""
    impossible = 0
    for index in range(records.shape[0]):
        together = np.uint64(0)
        fits = True
        for holder in range(4):
            if holder != seat:
                hand = records[index].hands[holder]
                fits &= hand & ~hidden[0].may_hold[holder] == 0 and hidden[0].known[holder] & ~hand == 0
                fits &= together & hand == 0
                together |= hand
        impossible += not (fits and together == hidden[0].unseen)
    return impossible
