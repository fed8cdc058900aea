"""Games of Magic played phase by phase, each in a style of its own, and the moves that their main phases offer.

The kernels have a file of their own: see cheat_duel.py.
"""

import numpy as np

from facedown.games.magic.heuristics import play_phase
from facedown.games.magic.record import LAND, MAIN, OVER
from facedown.games.magic.rules import play_land, to_move
from facedown.kernel import Array, Record, kernel
from facedown.rules import UNIFORM
from facedown.search.compound_moves import find_move, open_menu

ANY_CARDS = -1  # a style of choosing cards: a land if there is one, then any card or done, at each question


@kernel
def play_in_style(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Play what is left of a phase in one of the game's styles, or cards by chance after a land."""
    if style == ANY_CARDS:
        if not state.land_played and state.hand[state.active, LAND] > 0:
            play_land(state)
        style = UNIFORM
    play_phase(state, style, actions, rng)


@kernel
def winner_of(data: Array, styles: Array, actions: Array, rng: Array) -> int:
    """Play the first record to the end, each seat in its style for the phase; who has won."""
    state = data[0]
    while state.phase != OVER:
        play_in_style(state, styles[to_move(state), state.phase], actions, rng)
    return int(np.int64(state.winner))


@kernel
def moves_offered(data: Array, style: int, drafts: Array, counts: Array, actions: Array, rng: Array) -> int:
    """Play the first record to the end; write how many moves each main phase offers under each pruning, and count phases."""
    state, draft = data[0], drafts[0]
    phases = 0
    while state.phase != OVER:
        if state.phase == MAIN:
            open_menu(state, draft)
            for pruning in range(counts.shape[1]):
                draft.pruning = pruning
                counts[phases, pruning] = find_move(draft, -1)[1]
            phases += 1
        play_in_style(state, style, actions, rng)
    return phases
