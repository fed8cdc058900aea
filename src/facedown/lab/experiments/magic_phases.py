"""Games of Magic played phase by phase, each in a style of its own.

The kernel has a file of its own: see cheat_duel.py.
"""

import numpy as np

from facedown.games.magic.heuristics import play_phase
from facedown.games.magic.record import OVER
from facedown.games.magic.rules import to_move
from facedown.kernel import Array, kernel


@kernel
def winner_of(data: Array, styles: Array, actions: Array, rng: Array) -> int:
    """Play the first record to the end, each seat in its style for the phase; who has won."""
    state = data[0]
    while state.phase != OVER:
        play_phase(state, styles[to_move(state), state.phase], actions, rng)
    return int(np.int64(state.winner))
