"""Positions of Magic as keys: what a seat knows and still needs. The order in which cards were played is forgotten."""

import numpy as np

from facedown.games.hashing import hash_in, hash_start
from facedown.games.magic.combat import whole
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.record import KINDS, LAND, SEATS
from facedown.kernel import Array, Record, kernel

BASE = np.uint64(DECK_SIZE + 2)  # more than any count, kind or place has
FITS = 10  # numbers below the base that fit into a word, after their count


@kernel
def hash_row(key: Array, row: Array, count: int) -> None:
    """Add small numbers from -1 up to a key, several to a word."""
    word = np.uint64(count)
    for place in range(count):
        word = word * BASE + np.uint64(whole(row[place]) + 1)
        if place % FITS == FITS - 1:
            hash_in(key, word)
            word = np.uint64(0)
    hash_in(key, word)


@kernel
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Write two hashes: the table, the cards that are left, and the seat's hand; all hands and libraries for seat -1."""
    rest = np.uint64(whole(state.phase))
    rest = rest << np.uint64(1) | np.uint64(whole(state.active))
    rest = rest << np.uint64(1) | np.uint64(whole(state.land_played))
    rest = rest << np.uint64(7) | np.uint64(whole(state.spent))
    rest = rest << np.uint64(7) | np.uint64(whole(state.asked))
    rest = rest << np.uint64(7) | np.uint64(whole(state.in_hand[0]))
    rest = rest << np.uint64(7) | np.uint64(whole(state.in_hand[1]))
    hash_start(key, rest)
    hash_in(key, state.attackers)
    other = 1 - whole(state.active)
    if state.attackers != np.uint64(0):
        hash_row(key, state.blocked, whole(state.in_play[other]))
    for owner in range(SEATS):
        count = np.uint64(whole(state.life[owner]) + (1 << 20)) << np.uint64(16)
        hash_in(key, count + np.uint64(whole(state.in_library[owner])))
        hash_in(key, state.tapped[owner])
        hash_row(key, state.creatures[owner], whole(state.in_play[owner]))
        if seat < 0 or seat == owner:
            hash_row(key, state.hand[owner], KINDS)
        if seat < 0:
            hash_in(key, np.uint64(whole(state.played[owner, LAND])))
            hash_row(key, state.library[owner], whole(state.in_library[owner]))
        else:
            hash_row(key, state.played[owner], KINDS)


@kernel
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """Actions have the same names in all positions with the same key."""
    return int(action)
