"""The rollout policy of Bitan & Kraus 2018, section 4.5: how people on average play Cheat, and when nobody would not call.

Figure 2 gives each of the eighteen actions a probability. Where some cannot be played, the text shares their probability
equally among the others and works out an example (0.105 / 17); its formula would share it in proportion. Text and example
are followed. Six rules take precedence: a false claim is called wherever it would be folly not to. They look at whether the
claim is false, which the search supposes to be known.
"""

import numpy as np

from facedown.cards import NO_CARDS
from facedown.games.cheat.play import CALL, CLAIM, RANK_MASK, is_false, legal
from facedown.kernel import Array, Record, kernel
from facedown.rng import uniform

ONE_TO_FOUR = {"up": (0.173, 0.062, 0.024, 0.012), "down": (0.085, 0.029, 0.021, 0.023)}
PROBABILITY = np.array(
    [*ONE_TO_FOUR["up"], *ONE_TO_FOUR["up"], *ONE_TO_FOUR["down"], *ONE_TO_FOUR["down"], 0.037, 0.105], np.float64
)

MANY_CARDS = 8  # on the table: with more, a lie is called
OFTEN_CAUGHT = 8


@kernel
def must_call(state: Record) -> bool:
    """Rules a) to f): whether a false claim has been made that nobody would let pass."""
    if state.last_action != CLAIM or not is_false(state, state.batches - 1):
        return False
    mover = state.to_move
    liar = 1 - mover
    rank = state.last_rank
    return bool(
        state.held[liar] == 0
        or state.pile_size > MANY_CARDS
        or state.caught[liar] > OFTEN_CAUGHT
        or state.claimed[liar, rank] > state.batch_size[state.batches - 1]
        or state.hands[mover] & RANK_MASK[rank] != NO_CARDS
        or state.caught_on[liar] >> np.uint16(rank) & np.uint16(1)
    )


@kernel
def rule_action(state: Record, actions: Array, rng: Array) -> int:
    """Call where a rule says so, and otherwise act as people do."""
    if must_call(state):
        return CALL
    count = legal(state, actions)
    possible = 0.0
    for index in range(count):
        possible += PROBABILITY[actions[index]]
    share = (1.0 - possible) / count
    target = uniform(rng)
    for index in range(count):
        target -= PROBABILITY[actions[index]] + share
        if target < 0.0:
            return int(actions[index])
    return int(actions[count - 1])
