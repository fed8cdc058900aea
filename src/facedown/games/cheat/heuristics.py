"""The rollout policy of Bitan & Kraus 2018, section 4.5: how people on average play Cheat, and when nobody would not call.

Figure 2 gives each of the eighteen actions a probability. Where some cannot be played, the paper shares their probability
equally among the others and works out an example (0.105 / 17); its formula would share it in proportion. Text and example
are followed. Six rules take precedence: a false claim is called wherever it would be folly not to. They look at whether the
claim is false, which the search takes for known.
"""

from typing import Any

import numpy as np

from facedown.cards import NO_CARDS
from facedown.games.cheat.claims import ACTIONS, CALL, MOST_LAID, RANK_MASK, TAKE, rank_towards
from facedown.games.cheat.rules import CLAIM, is_false
from facedown.kernel import Array, Record, count_ones, kernel
from facedown.rng import uniform

ONE_TO_FOUR = {"up": (0.173, 0.062, 0.024, 0.012), "down": (0.085, 0.029, 0.021, 0.023)}
PROBABILITY = np.array(
    [*ONE_TO_FOUR["up"], *ONE_TO_FOUR["up"], *ONE_TO_FOUR["down"], *ONE_TO_FOUR["down"], 0.037, 0.105], np.float64
)

COUNTS = MOST_LAID + 1  # of cards that could be laid: none to four


def _cumulative() -> Any:
    """CUMULATIVE[situation, action]: the probability of an action or one before it, in all situations (see situation_of)."""
    situations = np.arange(COUNTS**4 * 4)
    possible = np.zeros((len(situations), ACTIONS), np.bool_)
    possible[:, CALL] = situations % 2
    possible[:, TAKE] = situations // 2 % 2
    for kind in range(4):  # up true, up false, down true, down false
        cards = situations // 4 // COUNTS ** (3 - kind) % COUNTS
        possible[:, kind * MOST_LAID : (kind + 1) * MOST_LAID] = np.arange(MOST_LAID) < cards[:, None]
    share = (1.0 - possible @ PROBABILITY) / np.maximum(1, possible.sum(axis=1))
    cumulative = np.cumsum((PROBABILITY + share[:, None]) * possible, axis=1)
    cumulative[cumulative >= cumulative[:, -1:]] = np.inf  # from the last that is possible: rounding must not go beyond it
    return cumulative


CUMULATIVE = _cumulative()

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
def situation_of(state: Record) -> int:
    """Which actions are possible, as one number: cards for each kind of claim, whether to take, whether to call."""
    hand = state.hands[state.to_move]
    held = int(np.int64(state.held[state.to_move]))
    number = 0
    for direction in range(2):
        right = count_ones(hand & RANK_MASK[rank_towards(state, direction)])
        number = (number * COUNTS + right) * COUNTS + min(MOST_LAID, held - right)
    return number * 4 + 2 * int(state.stock_left > 0) + int(state.last_action == CLAIM)


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """Call where a rule says so, and otherwise act as people do."""
    if must_call(state):
        return CALL
    situation = situation_of(state)
    target = uniform(rng)
    action = 0
    while CUMULATIVE[situation, action] <= target:
        action += 1
    return action
