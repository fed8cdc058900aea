"""Playouts that prefer what has gone well: the n-gram average sampling technique (Powley, Whitehouse and Cowling 2013).

Every sequence of n actions has a mean reward, that of the seat which played the last of them; in a playout each legal action
is judged by the sequence it would complete (Fernandes 2016, section 5.4). With n = 1 this is MAST.

Departures: at the root, sequences begin with fewer actions than n, and count as sequences of their own. Where the table is
full, a sequence takes the place of one seen seldom.
"""

from math import exp, isnan, log, sqrt
from typing import Any

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, kernel, new_records, wrapping_product
from facedown.rewards import DIFFERENCE, WIN_OR_LOSS
from facedown.rng import draw, uniform
from facedown.search.playouts.playout import NO_ACTION, NOTED, policy

GIBBS, EPSILON_GREEDY, ROULETTE, UCB1 = range(4)
KINDS = {"gibbs": GIBBS, "epsilon-greedy": EPSILON_GREEDY, "roulette": ROULETTE, "ucb1": UCB1}
PARAMETERS = {"gibbs": 1.0, "epsilon-greedy": 0.2, "roulette": 0.0, "ucb1": 0.7}  # tau, epsilon, none and c of the paper

LONGEST = 4
BUCKET = 4  # neighbouring records, of which a sequence may take any
ROOM = {1: 1 << 11, 2: 1 << 15, 3: 1 << 17, 4: 1 << 17}  # records by n, powers of two
NO_KEY = 0
GOLDEN_RATIO = np.uint64(0x9E37_79B9_7F4A_7C15)  # of 2^64: spreads keys that lie close together
UPPER_BITS = np.uint64(40)


# --- The table of sequences -------------------------------------------------------------------------------------------


@kernel
def first_key(run: Record, moves: Array, count: int, seat: int) -> int:
    """The key of a seat's action 0 after the first moves; other actions follow it."""
    history = 0
    for place in range(max(1, count - run.ngram + 2), count + 1):
        history = history * (run.actions + 1) + moves[place] % run.actions + 1
    return int((history * run.seats + seat) * run.actions + NO_KEY + 1)


@kernel
def place_of(memory: Array, key: int) -> int:
    """Where a sequence stands in the table; if nowhere, where it may go."""
    first = np.int64(wrapping_product(key, GOLDEN_RATIO) >> UPPER_BITS) & (memory.shape[0] - BUCKET)
    least = int(first)
    for place in range(first, first + BUCKET):
        if memory[place].key == key or memory[place].key == NO_KEY:
            return place
        if memory[place].visits < memory[least].visits:
            least = place
    return least


@kernel
def note_move(memory: Any, run: Record, world: Record, moves: Array, seat: int, action: int) -> None:
    """Keep the action and who played it."""
    moves[NOTED] += 1
    moves[moves[NOTED]] = seat * run.actions + action


@kernel
def seat_in(run: Record, move: int) -> int:
    """Who played a move; beyond seat and action, it may hold an episode."""
    return int(move // run.actions % run.seats)


@kernel
def learn_sequence(memory: Array, key: int, reward: float) -> None:
    """Give a sequence a reward."""
    entry = memory[place_of(memory, key)]
    if entry.key != key:
        entry.key = key
        entry.visits = 0
        entry.reward = 0.0
    entry.visits += 1
    entry.reward += reward


@kernel
def learn_ngrams(memory: Array, run: Record, moves: Array, rewards: Array) -> None:
    """Give every sequence from the root on the reward of the seat that ended it."""
    for last in range(1, moves[NOTED] + 1):
        seat = seat_in(run, moves[last])
        learn_sequence(memory, first_key(run, moves, last - 1, seat) + moves[last] % run.actions, rewards[seat])


# --- The choice -------------------------------------------------------------------------------------------------------


@kernel
def write_means(memory: Array, key: int, actions: Array, means: Array) -> None:
    """Write the mean reward of each action's sequence; one never seen stands at the mean of those that were."""
    total = 0.0
    seen = 0
    for choice in range(actions.shape[0]):
        entry = memory[place_of(memory, key + actions[choice])]
        means[choice] = np.nan
        if entry.key == key + actions[choice]:
            means[choice] = entry.reward / entry.visits
            total += means[choice]
            seen += 1
    if seen < actions.shape[0]:
        neutral = total / seen if seen > 0 else 0.5
        for choice in range(actions.shape[0]):
            if isnan(means[choice]):
                means[choice] = neutral


@kernel
def highest(numbers: Array) -> float:
    """The highest of some numbers; NumPy's own takes longer for a few."""
    best = numbers[0]
    for place in range(1, numbers.shape[0]):
        best = max(best, numbers[place])
    return float(best)


@kernel
def weigh_by_gibbs(means: Array, tau: float) -> None:
    """Turn means into exp(mean / tau), equation 5.1 before its division; the best weighs 1, so that none overflows."""
    best = highest(means)
    for choice in range(means.shape[0]):
        means[choice] = exp((means[choice] - best) / tau)


@kernel
def weigh_greedily(means: Array, epsilon: float) -> None:
    """Turn means into 1 - epsilon for the best together, and epsilon for the others: equations 5.2 and 5.3."""
    best = highest(means)
    ties = 0
    for choice in range(means.shape[0]):
        ties += means[choice] == best
    for choice in range(means.shape[0]):
        if means[choice] == best:
            means[choice] = (1.0 - epsilon) / ties
        else:
            means[choice] = epsilon / (means.shape[0] - ties)


@kernel
def weigh_by_reward(means: Array, kind: int) -> None:
    """Leave means as they are, equation 5.4; kinds of reward that go below 0 are moved into the range from 0 to 1."""
    if kind in (WIN_OR_LOSS, DIFFERENCE):
        for choice in range(means.shape[0]):
            means[choice] = 0.5 + 0.5 * means[choice]


@kernel
def weigh_by_bounds(memory: Array, key: int, actions: Array, c: float, weights: Array) -> None:
    """Write 1 for the actions of the highest UCB1 value, and 0: equations 5.5 and 5.6; what was never seen comes first."""
    trials = 0
    for choice in range(actions.shape[0]):
        entry = memory[place_of(memory, key + actions[choice])]
        if entry.key == key + actions[choice]:
            trials += entry.visits
    for choice in range(actions.shape[0]):
        entry = memory[place_of(memory, key + actions[choice])]
        weights[choice] = np.inf
        if entry.key == key + actions[choice]:
            weights[choice] = entry.reward / entry.visits + c * sqrt(log(float(trials)) / entry.visits)
    best = highest(weights)
    for choice in range(actions.shape[0]):
        weights[choice] = 1.0 if weights[choice] == best else 0.0


@kernel
def weigh(memory: Array, run: Record, key: int, actions: Array, weights: Array) -> None:
    """Write how likely each action is, up to a factor."""
    if run.policy == UCB1:
        weigh_by_bounds(memory, key, actions, run.parameter, weights)
        return
    write_means(memory, key, actions, weights)
    if run.policy == GIBBS:
        weigh_by_gibbs(weights, run.parameter)
    elif run.policy == EPSILON_GREEDY:
        weigh_greedily(weights, run.parameter)
    else:
        weigh_by_reward(weights, run.reward)


@kernel
def drawn_by(weights: Array, rng: Array) -> int:
    """A place drawn with a probability proportional to its weight; any place where all weigh nothing."""
    total = 0.0
    for place in range(weights.shape[0]):
        total += weights[place]
    if total <= 0.0:
        return int(np.int64(draw(rng, weights.shape[0])))  # signed, as the other results
    left = uniform(rng) * total
    chosen = 0
    for place in range(weights.shape[0]):
        if weights[place] > 0.0:  # and not the last place in any case: rounding may leave a rest
            chosen = place
            left -= weights[place]
            if left < 0.0:
                return place
    return chosen


@kernel
def preferred_of(memory: Array, run: Record, key: int, actions: Array, rng: Array) -> int:
    """An action by what its sequence has been worth; none where no sequence of them has been met."""
    met = actions.shape[0] == 1
    for choice in range(actions.shape[0]):
        met |= memory[place_of(memory, key + actions[choice])].key == key + actions[choice]
    if not met:
        return NO_ACTION
    weights = np.empty(actions.shape[0])
    weigh(memory, run, key, actions, weights)
    return int(actions[drawn_by(weights, rng)])


@kernel
def prefer_by_ngram(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> int:
    """An action by the last n - 1 actions."""
    legal = rules.legal(world, actions)
    key = first_key(run, moves, moves[NOTED], rules.to_move(world))
    return preferred_of(memory, run, key, actions[:legal], rng)


@kernel
def play_out_by_ngrams(memory: Array, run: Record, world: Record, moves: Array, actions: Array, rng: Array) -> None:
    """Play to the end by what the sequences have been worth."""
    weights = np.empty(run.actions)
    count = moves[NOTED]
    while not rules.is_over(world):
        legal = rules.legal(world, actions)
        mover = rules.to_move(world)
        choice = 0
        if legal > 1:
            weigh(memory, run, first_key(run, moves, count, mover), actions[:legal], weights[:legal])
            choice = drawn_by(weights[:legal], rng)
        count += 1
        moves[count] = mover * run.actions + actions[choice]
        rules.apply(world, actions[choice])
    moves[NOTED] = count


NGRAM = policy(
    "ngram",
    [("key", np.int64), ("visits", np.int64), ("reward", np.float64)],  # reward: sum over visits
    note_move,
    play_out_by_ngrams,
    learn_ngrams,
    preferred=prefer_by_ngram,
)


def ngram_table(length: int) -> Array:
    """An empty table for sequences of n actions."""
    return new_records(ROOM[length], NGRAM)
