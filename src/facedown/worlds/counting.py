"""How many worlds there are, as an exact whole number, and all of them one by one: in plain Python, without doubles."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from facedown.cards import cards_of, mask_of
from facedown.worlds.batches import count_laid, every_laid, has_batches
from facedown.worlds.exact import prepare, worth_of
from facedown.worlds.knowledge import HOLDERS


def quick_count(hidden: Any) -> float:
    """How many worlds there are where there are neither needs nor batches; exact as long as a double is."""
    return float(prepare(hidden)[0, hidden[0].start])


def is_one(hidden: Any) -> bool:
    """Whether there is a single world, as far as that is quickly told: with needs or batches, where no card is in doubt."""
    record = hidden[0]
    if not has_batches(hidden) and not record.need.any():
        return quick_count(hidden) == 1
    loose = int(record.unseen)
    for cards in record.known:
        loose &= ~int(cards)
    return not loose


def count_worlds(hidden: Any) -> int:
    """How many worlds a record of knowledge allows, as an exact whole number."""
    record = hidden[0]
    if has_batches(hidden):
        return count_laid(record)
    known: list[int] = record.known.tolist()
    free = tuple(room - cards.bit_count() for room, cards in zip(record.room.tolist(), known, strict=True))
    need = tuple(max(0, int(record.need[holder] - worth_of(record, record.known[holder]))) for holder in range(HOLDERS))
    loose = int(record.unseen) & ~sum(known)
    may_hold, worths, most = record.may_hold.tolist(), record.worth.tolist(), max(need)
    sizes: dict[tuple[tuple[int, ...], int], int] = {}  # by possible holders, and by worth where that matters
    for card in cards_of(loose):
        kind = tuple(holder for holder in range(HOLDERS) if may_hold[holder] >> card & 1), min(most, worths[card])
        sizes[kind] = sizes.get(kind, 0) + 1
    groups = [(*kind, size) for kind, size in sorted(sizes.items(), key=lambda item: -item[0][1])]

    @cache
    def ways(group: int, member: int, left: int, free: tuple[int, ...], need: tuple[int, ...]) -> int:
        if group == len(groups):
            return int(not any(free) and not any(need))
        holders, worth, _ = groups[group]
        if member == len(holders):
            following = groups[group + 1][2] if group + 1 < len(groups) else 0
            return ways(group + 1, 0, following, free, need) if left == 0 else 0
        holder = holders[member]
        least = left if member == len(holders) - 1 else 0  # the last one takes what is left
        total = 0
        for count in range(least, min(left, free[holder]) + 1):
            fewer = (*free[:holder], free[holder] - count, *free[holder + 1 :])
            less = (*need[:holder], max(0, need[holder] - count * worth), *need[holder + 1 :])
            total += comb(left, count) * ways(group, member + 1, left - count, fewer, less)
        return total

    return ways(0, 0, groups[0][2] if groups else 0, free, need)


def every_world(hidden: Any) -> Iterator[list[int]]:
    """All worlds a record of knowledge allows: a mask of cards for each holder, and each batch. Count them first."""
    record = hidden[0]
    if has_batches(hidden):
        yield from every_laid(record)
        return
    known = [int(cards) for cards in record.known]
    holders = [holder for holder in range(HOLDERS) if record.room[holder] > 0]
    held = known + [0] * (len(record.held) - len(known))  # the batches are empty

    def assign(place: int, left: int) -> Iterator[list[int]]:
        if place == len(holders):
            if not left:
                yield list(held)
            return
        holder = holders[place]
        free = int(record.room[holder]) - known[holder].bit_count()
        for hand in combinations(cards_of(left & int(record.may_hold[holder])), free):
            chosen = int(mask_of(hand))
            held[holder] = known[holder] | chosen
            if worth_of(record, np.uint64(held[holder])) >= record.need[holder]:
                yield from assign(place + 1, left & ~chosen)

    loose = int(record.unseen)
    for cards in known:
        loose &= ~cards
    yield from assign(0, loose)
