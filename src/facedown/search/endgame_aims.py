"""What an exact solution aims for: the lead in score, or the win.

The lead is a sum of gains, so positions reached with different scores share one value. The win (Fernandes 2016, section 6.6)
is seen at the end only: it is worth 1,000, a loss -1,000, and the own score is added. All other sides play against the one
that searches (algorithm 4), so alpha-beta serves any number of sides. Departure: a win that several sides share is worth 0.

The two aims are types of the record that says how far a solution has got, and kernels are compiled for one of them.
"""

import numpy as np

from facedown import rules
from facedown.kernel import Array, Record, by_field, kernel, new_records, wrapping_product, wrapping_sum
from facedown.rewards import WIN

LEAD_AIM, WIN_AIM = AIMS = ("lead", "win")
WORTH_OF_WIN = 1000.0
SPREAD = np.uint64(0x9E37_79B9_7F4A_7C15)  # for scores that go into a key

SOLVING = np.dtype(  # how far a solution has got
    [
        ("depth", np.int64),
        ("looked", np.int64),  # positions looked at
        ("sign", np.float64),  # -1 where few points are good
        ("begun", np.bool_),
    ],
    align=True,
)
FOR_WIN = "for_win"  # a field that says by being there what is aimed for
SOLVING_WIN = np.dtype([(FOR_WIN, np.int64), *((name, SOLVING[name]) for name in SOLVING.names or ())], align=True)


def new_solving(for_win: bool) -> Array:
    """A solution that has not begun."""
    return new_records(1, SOLVING_WIN if for_win else SOLVING)


# --- The lead -----------------------------------------------------------------------------------------------------------


@kernel
def side_gain(state: Record, before: Array, after: Array, sign: float) -> float:
    """What side 0 gained over the other side between two scores; one seat speaks for its side."""
    gain = 0.0
    first_of_other = -1
    for seat in range(before.shape[0]):
        if rules.side_of(state, seat) != rules.side_of(state, 0):
            first_of_other = seat
            break
    gain += after[0] - before[0] - (after[first_of_other] - before[first_of_other])
    return float(sign * gain)


@kernel
def home_of_lead(run: Record, state: Record) -> int:
    """The side whose value is sought: that of seat 0."""
    return rules.side_of(state, 0)


@kernel
def gain_for_lead(run: Record, state: Record, before: Array, after: Array) -> float:
    """What an action gained."""
    return side_gain(state, before, after, run.sign)


@kernel
def end_for_lead(run: Record, state: Record, home: int, scores: Array) -> float:
    """Nothing is left to gain."""
    return 0.0


@kernel
def add_nothing(run: Record, key: Array, scores: Array) -> None:
    """Gains are the same whatever the scores are."""


# --- The win -------------------------------------------------------------------------------------------------------------


@kernel
def home_of_win(run: Record, state: Record) -> int:
    """The side of the seat to move."""
    return rules.side_of(state, rules.to_move(state))


@kernel
def gain_for_win(run: Record, state: Record, before: Array, after: Array) -> float:
    """Nothing: all is counted at the end."""
    return 0.0


@kernel
def end_for_win(run: Record, state: Record, home: int, scores: Array) -> float:
    """What a finished deal is worth to a side."""
    seat = 0
    while rules.side_of(state, seat) != home:
        seat += 1
    own = scores[seat]
    rewards = np.zeros(scores.shape[0])
    rules.reward(state, WIN, rewards)
    return float((2.0 * rewards[seat] - 1.0) * WORTH_OF_WIN + run.sign * own)


@kernel
def add_scores(run: Record, key: Array, scores: Array) -> None:
    """Who wins depends on the scores."""
    for seat in range(scores.shape[0]):
        key[0] = wrapping_sum(wrapping_product(key[0], SPREAD), np.uint64(np.int64(2.0 * scores[seat])))
        key[1] = wrapping_product(wrapping_sum(key[1], np.uint64(np.int64(2.0 * scores[seat]))), SPREAD)


home_of = by_field(FOR_WIN, home_of_win, home_of_lead)  # (run, state) -> side
gain_of = by_field(FOR_WIN, gain_for_win, gain_for_lead)  # (run, state, before, after) -> gain
end_value = by_field(FOR_WIN, end_for_win, end_for_lead)  # (run, state, home, scores) -> value
add_to_key = by_field(FOR_WIN, add_scores, add_nothing)  # (run, key, scores)
