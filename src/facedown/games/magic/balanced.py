"""Deals of Magic that favour no seat (Cowling, Ward and Powley 2012, section VII): found by playing them.

A deal is tried by games between equal players: the reduced, and experts that now and then play a phase as the reduced do. It
is kept where both kinds of game are won by seat 0 in 40 to 60 of 100. `python -m facedown.games.magic.balanced` prints the
first seeds from 0 up that pass: those of kept_deals.py.
"""

from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from facedown.games.magic import MAGIC
from facedown.games.magic.heuristics import play_phase
from facedown.games.magic.record import OVER, SEATS
from facedown.kernel import Array, kernel
from facedown.rng import stream, uniform
from facedown.rules import EXPERT, REDUCED

KEPT = 100
GAMES = 400  # of each kind, on each deal
SLIPS = 0.2  # how often an expert plays a phase as the reduced player does
LEAST, MOST = 0.4, 0.6  # what seat 0 wins of them
TRYING = 20  # first step of the paths of random streams


@kernel
def wins_of_first(data: Array, slips: float, games: int, actions: Array, rng: Array) -> int:
    """How many games seat 0 wins from the first record; the second is played on."""
    wins = 0
    for _ in range(games):
        data[1] = data[0]
        while data[1].phase != OVER:
            play_phase(data[1], REDUCED if uniform(rng) < slips else EXPERT, actions, rng)
        wins += data[1].winner == 0
    return wins


def shares(dealt: Array, seed: int, actions: int) -> tuple[float, float]:
    """What seat 0 wins of games between reduced players, and between experts with slips."""
    data = np.repeat(dealt, SEATS)
    scratch = np.empty(actions, np.int64)
    reduced, expert = (
        wins_of_first(data, slips, GAMES, scratch, stream(seed, TRYING, number)) for number, slips in enumerate((1.0, SLIPS))
    )
    return reduced / GAMES, expert / GAMES


def balanced_seeds() -> Iterator[int]:
    """The seeds of balanced deals of the standard deck, from 0 up."""
    for seed in count():
        if all(LEAST <= share <= MOST for share in shares(MAGIC.deal(seed).data, seed, MAGIC.actions)):
            yield seed


if __name__ == "__main__":
    print(*islice(balanced_seeds(), KEPT), sep=", ")
