"""What a seat takes note of in Cheat, in 32 bits (Bitan & Kraus 2018, section 4.3 and figure 1).

    bits     attribute
    0-1      1      the other's last action: true claim, false claim, card taken, cheat called (as 0 to 3)
    2, 3     2, 3   can a true claim be made up, down?
    4-6      4      cards in the hand, in steps: 0 to 4, 5 for 5 to 8, 6 for more
    7-9      5      cards in the other's hand, the same
    10-12    6      cards on the table, the same
    13-19    7      the turn, from 1 to 100
    20-21    8      how many cards of the rank above the other seems to have: 0 to 2, 3 for more
    22-23    9      and of the rank below
    24, 25   10, 11 has the seat claimed the rank above, below since cheat was last called?
    26, 27   12, 13 has the other?
    28, 29   14, 15 was the seat ever caught on the rank above, below?
    30       16     was it ever caught?
    31       none

The paper estimates the other's cards from those it took up and those it claimed, and does not say how: here it is the cards
it is known to have had, less those it has claimed of the rank since. At the first turn the last action counts as a card
taken, since nothing can be called. A hidden action lies open here, as the algorithm wants it: whether the last claim was
true is the first attribute.
"""

import numpy as np

from facedown.cards import NO_CARDS
from facedown.games.cheat.claims import DOWN, RANK_MASK, UP, rank_towards
from facedown.games.cheat.rules import CALLED, CLAIM, is_false
from facedown.kernel import Record, count_ones, kernel

TRUE_CLAIM, FALSE_CLAIM, CARD_TAKEN, CHEAT_CALLED = range(4)
MOST_TURNS = 127  # that have room

FIELDS = {  # attribute: first bit and width
    "last_action": (0, 2),
    "true_up": (2, 1),
    "true_down": (3, 1),
    "hand": (4, 3),
    "other_hand": (7, 3),
    "table": (10, 3),
    "turn": (13, 7),
    "other_has_up": (20, 2),
    "other_has_down": (22, 2),
    "claimed_up": (24, 1),
    "claimed_down": (25, 1),
    "other_claimed_up": (26, 1),
    "other_claimed_down": (27, 1),
    "caught_up": (28, 1),
    "caught_down": (29, 1),
    "caught": (30, 1),
}


@kernel
def psi(cards: int) -> int:
    """A number of cards in steps."""
    number = int(np.int64(cards))
    if number <= 4:
        return number
    return 5 if number <= 8 else 6


@kernel
def phi(cards: int) -> int:
    """A number of cards of one rank in steps."""
    return min(3, int(np.int64(cards)))


@kernel
def last_action_of(state: Record) -> int:
    """Attribute 1."""
    if state.last_action == CLAIM:
        return FALSE_CLAIM if is_false(state, state.batches - 1) else TRUE_CLAIM
    return CHEAT_CALLED if state.last_action == CALLED else CARD_TAKEN


@kernel
def seems_to_have(state: Record, seat: int, rank: int) -> int:
    """How many cards of a rank a seat is known to have had, less those it has claimed since."""
    return max(0, count_ones(state.had[seat] & RANK_MASK[rank]) - int(np.int64(state.claimed[seat, rank])))


@kernel
def information_set(state: Record, seat: int) -> int:
    """The 32 bits for a seat that is to move."""
    other = 1 - seat
    up = rank_towards(state, UP)
    down = rank_towards(state, DOWN)
    code = last_action_of(state)
    code |= int(state.hands[seat] & RANK_MASK[up] != NO_CARDS) << 2
    code |= int(state.hands[seat] & RANK_MASK[down] != NO_CARDS) << 3
    code |= psi(state.held[seat]) << 4
    code |= psi(state.held[other]) << 7
    code |= psi(state.pile_size) << 10
    code |= min(MOST_TURNS, int(np.int64(state.turn)) + 1) << 13
    code |= phi(seems_to_have(state, other, up)) << 20
    code |= phi(seems_to_have(state, other, down)) << 22
    code |= int(state.claimed[seat, up] > 0) << 24
    code |= int(state.claimed[seat, down] > 0) << 25
    code |= int(state.claimed[other, up] > 0) << 26
    code |= int(state.claimed[other, down] > 0) << 27
    caught = int(np.int64(state.caught_on[seat]))
    code |= (caught >> up & 1) << 28
    code |= (caught >> down & 1) << 29
    code |= int(caught != 0) << 30
    return code


def attributes(code: int) -> dict[str, int]:
    """The sixteen attributes of a code, by name."""
    return {name: code >> first & (1 << width) - 1 for name, (first, width) in FIELDS.items()}


def packed(values: dict[str, int]) -> int:
    """The code of sixteen attributes."""
    code = 0
    for name, (first, width) in FIELDS.items():
        if not 0 <= values[name] < 1 << width:
            raise ValueError(f"expected {name} from 0 to {(1 << width) - 1}, got {values[name]}")
        code |= values[name] << first
    return code
