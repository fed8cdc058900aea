"""The weakest player: a uniformly random legal action.

Its random numbers depend on its seed and on the number of actions so far. So its choice is the same for the same view, and
one call of a kernel can play a whole game of such players.
"""

from collections.abc import Sequence

import numpy as np

from facedown import rules
from facedown.agents.player import Agent
from facedown.errors import BadOption
from facedown.kernel import Array, kernel, wrapping_product, wrapping_sum
from facedown.rng import draw, stream
from facedown.state import State
from facedown.view import View

MOVES = 256  # that one call of the kernel plays at most
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9)


class Random(Agent):
    """Any legal action."""

    name = "random"
    summary = "any legal action, chosen uniformly"

    def choose(self, view: View) -> int:
        """One of the legal actions."""
        legal = view.legal
        if not legal:
            raise BadOption(f"expected a position with somebody to move, got {view!r}, which is over")
        rng = np.empty(2, np.uint64)
        set_stream(rng, self.words, len(view.history))
        return legal[draw(rng, len(legal))]

    @property
    def words(self) -> Array:
        """The seed words of the random numbers of all turns."""
        return stream(self.seed)


def play_at_random(state: State, players: Sequence[Random]) -> None:
    """Play a game to its end, as these players would one by one."""
    words = np.array([player.words for player in players])
    moves = np.empty((MOVES, 2), np.int64)
    seen = np.empty((MOVES, state.game.seats), np.int64)
    actions = np.empty(state.game.actions, np.int64)
    while not state.over:
        count = int(play_on(state.data, words, len(state.history), actions, moves, seen))
        state.absorb(moves[:count], seen[:count])


@kernel
def set_stream(rng: Array, words: Array, turn: int) -> None:
    """The random numbers of one turn: the words, mixed with its number (after Steele, Lea and Flood 2014)."""
    for place in range(2):
        mixed = wrapping_sum(words[place], wrapping_product(GOLDEN, np.uint64(turn + 1)))
        mixed = wrapping_product(mixed ^ (mixed >> np.uint64(30)), MULTIPLIER)
        rng[place] = mixed ^ (mixed >> np.uint64(27))


@kernel
def play_on(data: Array, words: Array, turn: int, actions: Array, moves: Array, seen: Array) -> int:
    """Play to the end of the deal, or until `moves` is full, writing (seat, action) and how each seat saw it."""
    state = data[0]
    rng = np.empty(2, np.uint64)
    for place in range(moves.shape[0]):
        if rules.is_over(state):
            return place
        mover = rules.to_move(state)
        set_stream(rng, words[mover], turn + place)
        count = rules.legal(state, actions)
        if count < 1:
            return place  # the Python API reports that the game breaks its rules
        action = actions[draw(rng, count)]
        moves[place, 0] = mover
        moves[place, 1] = action
        for seat in range(seen.shape[1]):
            seen[place, seat] = rules.seen_as(state, seat, action)
        rules.apply(state, action)
    return int(moves.shape[0])
