"""Information sets of Cheat looked up by one number and by sixteen attributes.

The kernels have a file of their own, as cheat_duel.py says.
"""

import numpy as np

from facedown.kernel import Array, kernel
from facedown.search.sdmcts import slot_of

ATTRIBUTES = 16
START, PRIME = np.uint64(0xCBF2_9CE4_8422_2325), np.uint64(0x100_0000_01B3)  # of the hash FNV-1a, byte by byte
UPPER_BITS = np.uint64(32)


@kernel
def naive_slot(table: Array, rows: Array, row: Array) -> int:
    """Where a set stands in a table of numbers of rows, if each row is sixteen attributes; if nowhere, an empty place."""
    last = np.uint64(table.shape[0] - 1)
    word = START
    for place in range(ATTRIBUTES):
        word = (word ^ np.uint64(row[place])) * PRIME
    slot = (word ^ word >> UPPER_BITS) & last
    while table[slot] >= 0:
        same = True
        for place in range(ATTRIBUTES):
            if rows[table[slot], place] != row[place]:
                same = False
                break
        if same:
            break
        slot = (slot + np.uint64(1)) & last
    return int(np.int64(slot))


@kernel
def enter_naively(table: Array, rows: Array) -> None:
    """Enter all rows into a table."""
    for number in range(rows.shape[0]):
        table[naive_slot(table, rows, rows[number])] = number


@kernel
def look_up_naively(table: Array, rows: Array, order: Array) -> int:
    """Look up sets by their attributes; a sum, so that nothing is left out."""
    total = 0
    for number in order:
        total += int(np.int64(table[naive_slot(table, rows, rows[number])]))
    return total


@kernel
def look_up(slots: Array, seats: Array, keys: Array, order: Array) -> int:
    """Look up sets by their one number, as the search does."""
    total = 0
    for number in order:
        total += int(np.int64(slots[slot_of(slots, seats[number], keys[number])].node))
    return total
