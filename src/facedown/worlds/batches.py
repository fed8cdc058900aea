"""Cards laid face down, batch after batch, by a seat that takes up others in between: exactly uniform worlds of these.

Groups and free places, as in exact.py, cannot say that a card taken up after a batch was laid does not lie in that batch.
But the cards that a seat may have taken up unseen, the fresh ones, are all alike. So it is enough to know how many of them
the layer had had by the time of each batch: no more can lie in this batch and those before it. The other cards are those
that the layer is known to have had before the first batch; they may lie anywhere.

A world gives each batch some fresh cards and some others. Worlds are counted by how many fresh ones lie in the batches:

    batch_ways[k, n]    the first k batches have n fresh cards in all: the sum over all ways of 1 / (fresh! * others!)
                        of each batch, which is their number but for factors that all ways have in common
    last_ways[n]        the worlds in which the last batch has n fresh cards

The last batch stands apart, since a game may want to know more of it: how many of its cards are of some marked ones (in
Cheat, of the rank named). A world is drawn from the last batch back to the first, and then the hand.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from facedown.cards import cards_of, mask_of, random_cards
from facedown.kernel import Array, Record, count_ones, kernel
from facedown.rng import uniform
from facedown.worlds.knowledge import CARDS, CHOOSE, FACTORIAL, HIDDEN, HOLDERS


def with_batches(most: int) -> np.dtype[Any]:
    """HIDDEN for a game in which a seat lays batches of cards face down, `most` at a time."""
    plain = [(name, HIDDEN[name].base, HIDDEN[name].shape) for name in HIDDEN.names or () if name != "held"]
    return np.dtype(
        [
            *plain,
            # Written by the game, in `unseen`:
            ("batches", np.int64),  # how many lie there unseen
            ("layer", np.int64),  # the holder who laid them
            ("had", np.uint64),  # unseen cards the layer is known to have had before the first batch, and has or has laid
            ("batch_size", np.int64, most),
            ("batch_fresh", np.int64, most),  # how many other unseen cards the layer had had in its hand by then
            ("marked", np.uint64),  # of these cards, the last batch has
            ("fewest_marked", np.int64),  # at least this many
            ("fewest_unmarked", np.int64),  # and of the others at least this many
            # Written when a world is drawn:
            ("held", np.uint64, HOLDERS + most),  # after the cards of the holders come those of the batches
            # The sampler's own:
            ("loose_had", np.uint64),  # of `had`, the cards that nobody is known to have now
            ("loose_fresh", np.uint64),  # the other cards that nobody is known to have
            ("hand_room", np.int64),  # places in the layer's hand when the known cards are in
            ("batch_ways", np.float64, (most + 1, CARDS + 1)),  # see above
            ("last_ways", np.float64, CARDS + 1),
        ]
    )


def has_batches(hidden: Array) -> bool:
    """Whether cards lie in batches."""
    return "batches" in (hidden.dtype.names or ()) and bool(hidden[0].batches > 0)


@kernel
def prepare_laid(hidden: Record) -> bool:
    """Fill the tables; whether there is any world."""
    sort_out(hidden)
    last = hidden.batches - 1
    ways = hidden.batch_ways
    ways[: last + 1] = 0.0
    ways[0, 0] = 1.0
    for batch in range(last):
        size = hidden.batch_size[batch]
        for before in range(hidden.batch_fresh[batch] + 1):
            for fresh in range(min(size, hidden.batch_fresh[batch] - before) + 1):
                ways[batch + 1, before + fresh] += ways[batch, before] / (FACTORIAL[fresh] * FACTORIAL[size - fresh])
    total = 0.0
    for fresh in range(hidden.batch_size[last] + 1):
        hidden.last_ways[fresh] = ways_to_fill_last(hidden, fresh) * ways_before_last(hidden, fresh)
        total += hidden.last_ways[fresh]
    return total > 0.0


@kernel
def sort_out(hidden: Record) -> None:
    """Leave the cards that somebody is known to have out of the drawing."""
    loose = hidden.unseen
    for holder in range(hidden.holders):
        loose &= ~hidden.known[holder]
    hidden.loose_had = hidden.had & loose
    hidden.loose_fresh = ~hidden.had & loose
    hidden.hand_room = hidden.room[hidden.layer] - count_ones(hidden.known[hidden.layer])


@kernel
def ways_to_fill_last(hidden: Record, fresh: int) -> float:
    """In how many ways n fresh cards and some others make up the last batch."""
    total = 0.0
    for marked_had in range(hidden.batch_size[hidden.batches - 1] - fresh + 1):
        for marked_fresh in range(fresh + 1):
            total += ways_to_mix_last(hidden, fresh, marked_had, marked_fresh)
    return total


@kernel
def ways_to_mix_last(hidden: Record, fresh: int, marked_had: int, marked_fresh: int) -> float:
    """The same with a number of marked cards; none if they are too few or too many."""
    size = hidden.batch_size[hidden.batches - 1]
    marked = marked_had + marked_fresh
    if marked < hidden.fewest_marked or size - marked < hidden.fewest_unmarked:
        return 0.0
    return float(
        CHOOSE[count_ones(hidden.loose_had & hidden.marked), marked_had]
        * CHOOSE[count_ones(hidden.loose_had & ~hidden.marked), size - fresh - marked_had]
        * CHOOSE[count_ones(hidden.loose_fresh & hidden.marked), marked_fresh]
        * CHOOSE[count_ones(hidden.loose_fresh & ~hidden.marked), fresh - marked_fresh]
    )


@kernel
def ways_before_last(hidden: Record, fresh: int) -> float:
    """The worlds that are left when the last batch has its cards, n of them fresh."""
    last = hidden.batches - 1
    had = hidden.batch_size[last] - fresh
    if fresh > count_ones(hidden.loose_fresh) or had > count_ones(hidden.loose_had):
        return 0.0
    total = 0.0
    for before in range(hidden.batch_fresh[last] - fresh + 1):
        total += ways_with_before(hidden, fresh, before)
    return float(total * FACTORIAL[count_ones(hidden.loose_fresh) - fresh] * FACTORIAL[count_ones(hidden.loose_had) - had])


@kernel
def ways_with_before(hidden: Record, fresh: int, before: int) -> float:
    """The same with n fresh cards in the batches before, but for factors that do not depend on them."""
    laid = 0
    for batch in range(hidden.batches):
        laid += hidden.batch_size[batch]
    had_left = count_ones(hidden.loose_had) - (laid - fresh - before)
    fresh_in_hand = hidden.hand_room - had_left
    if had_left < 0 or fresh_in_hand < 0 or fresh_in_hand > count_ones(hidden.loose_fresh) - fresh - before:
        return 0.0
    return float(hidden.batch_ways[hidden.batches - 1, before] / (FACTORIAL[had_left] * FACTORIAL[fresh_in_hand]))


# --- Drawing ----------------------------------------------------------------------------------------------------------


@kernel
def draw_laid(hidden: Record, rng: Array) -> None:
    """One of all worlds, uniformly; prepare_laid has been called."""
    last = hidden.batches - 1
    fresh = draw_fresh_in_last(hidden, rng)
    fill_last(hidden, fresh, rng)
    had_cards = hidden.loose_had & ~hidden.held[HOLDERS + last]
    fresh_cards = hidden.loose_fresh & ~hidden.held[HOLDERS + last]
    before = draw_before(hidden, fresh, rng)
    for batch in range(last - 1, -1, -1):
        fresh = draw_fresh(hidden, batch, before, rng)
        before -= fresh
        some = random_cards(fresh_cards, fresh, rng)
        others = random_cards(had_cards, hidden.batch_size[batch] - fresh, rng)
        hidden.held[HOLDERS + batch] = some | others
        fresh_cards &= ~some
        had_cards &= ~others
    layer = hidden.layer
    hand = random_cards(fresh_cards, hidden.hand_room - count_ones(had_cards), rng)
    hidden.held[layer] = hidden.known[layer] | had_cards | hand
    fresh_cards &= ~hand
    for holder in range(hidden.holders):
        if holder != layer:
            some = random_cards(fresh_cards, hidden.room[holder] - count_ones(hidden.known[holder]), rng)
            hidden.held[holder] = hidden.known[holder] | some
            fresh_cards &= ~some


@kernel
def draw_fresh_in_last(hidden: Record, rng: Array) -> int:
    """How many fresh cards the last batch has, in proportion to the worlds."""
    total = 0.0
    for fresh in range(hidden.batch_size[hidden.batches - 1] + 1):
        total += hidden.last_ways[fresh]
    target = uniform(rng) * total
    chosen = 0
    for fresh in range(hidden.batch_size[hidden.batches - 1] + 1):
        if hidden.last_ways[fresh] > 0.0 and target >= 0.0:
            chosen = fresh
            target -= hidden.last_ways[fresh]
    return chosen


@kernel
def fill_last(hidden: Record, fresh: int, rng: Array) -> None:
    """The cards of the last batch, n of them fresh, in proportion to the ways to choose the marked ones."""
    last = hidden.batches - 1
    had = hidden.batch_size[last] - fresh
    target = uniform(rng) * ways_to_fill_last(hidden, fresh)
    of_had = 0
    of_fresh = 0
    for marked_had in range(had + 1):
        for marked_fresh in range(fresh + 1):
            weight = ways_to_mix_last(hidden, fresh, marked_had, marked_fresh)
            if weight > 0.0 and target >= 0.0:
                of_had = marked_had
                of_fresh = marked_fresh
                target -= weight
    cards = random_cards(hidden.loose_had & hidden.marked, of_had, rng)
    cards |= random_cards(hidden.loose_had & ~hidden.marked, had - of_had, rng)
    cards |= random_cards(hidden.loose_fresh & hidden.marked, of_fresh, rng)
    cards |= random_cards(hidden.loose_fresh & ~hidden.marked, fresh - of_fresh, rng)
    hidden.held[HOLDERS + last] = cards


@kernel
def draw_before(hidden: Record, fresh: int, rng: Array) -> int:
    """How many fresh cards all batches before the last have in all."""
    most = hidden.batch_fresh[hidden.batches - 1] - fresh
    total = 0.0
    for before in range(most + 1):
        total += ways_with_before(hidden, fresh, before)
    target = uniform(rng) * total
    chosen = 0
    for before in range(most + 1):
        weight = ways_with_before(hidden, fresh, before)
        if weight > 0.0 and target >= 0.0:
            chosen = before
            target -= weight
    return chosen


@kernel
def draw_fresh(hidden: Record, batch: int, total: int, rng: Array) -> int:
    """How many of the fresh cards that a batch and those before it have lie in this one."""
    size = hidden.batch_size[batch]
    target = uniform(rng) * hidden.batch_ways[batch + 1, total]
    chosen = 0
    for fresh in range(min(size, total) + 1):
        weight = hidden.batch_ways[batch, total - fresh] / (FACTORIAL[fresh] * FACTORIAL[size - fresh])
        if weight > 0.0 and target >= 0.0:
            chosen = fresh
            target -= weight
    return chosen


# --- Counting, in whole numbers and by listing: plain Python, and by another way than the tables above ----------------


def count_laid(record: Record) -> int:
    """How many worlds there are."""
    sort_out(record)
    sizes = [int(size) for size in record.batch_size[: record.batches]]
    bounds = [int(fresh) for fresh in record.batch_fresh[: record.batches]]
    rooms = [
        int(record.room[holder]) - int(record.known[holder]).bit_count()
        for holder in range(int(record.holders))
        if holder != record.layer
    ]
    marked, had, fresh = int(record.marked), int(record.loose_had), int(record.loose_fresh)

    @cache
    def rest(batch: int, had_left: int, fresh_left: int, used: int, in_last: int) -> int:
        if batch == len(sizes) - 1:
            in_hand = int(record.hand_room) - had_left
            if used + in_last > bounds[-1] or in_hand < 0 or fresh_left - in_hand != sum(rooms):
                return 0
            ways = comb(fresh_left, in_hand)
            fresh_left -= in_hand
            for room in rooms:
                ways *= comb(fresh_left, room)
                fresh_left -= room
            return ways
        total = 0
        for some in range(min(sizes[batch], fresh_left, bounds[batch] - used) + 1):
            others = sizes[batch] - some
            ways = comb(fresh_left, some) * comb(had_left, others)
            if ways:
                total += ways * rest(batch + 1, had_left - others, fresh_left - some, used + some, in_last)
        return total

    total = 0
    for mixed in _mixtures(sizes[-1]):
        marked_had, plain_had, marked_fresh, plain_fresh = mixed
        if marked_had + marked_fresh < record.fewest_marked or plain_had + plain_fresh < record.fewest_unmarked:
            continue
        ways = 1
        for cards, count in zip((had & marked, had & ~marked, fresh & marked, fresh & ~marked), mixed, strict=True):
            ways *= comb(cards.bit_count(), count)
        if ways:
            some, others = marked_fresh + plain_fresh, marked_had + plain_had
            total += ways * rest(0, had.bit_count() - others, fresh.bit_count() - some, 0, some)
    return total


def _mixtures(size: int) -> Iterator[tuple[int, int, int, int]]:
    """All ways to make up a number of four."""
    for one in range(size + 1):
        for two in range(size - one + 1):
            for three in range(size - one - two + 1):
                yield one, two, three, size - one - two - three


def is_laid_world(record: Record, held: dict[int, int]) -> bool:
    """Whether masks of cards, by holder and by HOLDERS + batch, are one of the worlds."""
    used = 0
    for batch in range(int(record.batches)):
        cards = held[HOLDERS + batch]
        used += (cards & ~int(record.had)).bit_count()
        if cards.bit_count() != record.batch_size[batch] or used > record.batch_fresh[batch]:
            return False
    marked = (held[HOLDERS + int(record.batches) - 1] & int(record.marked)).bit_count()
    size = int(record.batch_size[record.batches - 1])
    rooms = all(cards.bit_count() == record.room[holder] for holder, cards in held.items() if holder < HOLDERS)
    had_elsewhere = any(int(record.had) & held[holder] for holder in held if holder < HOLDERS and holder != record.layer)
    in_place = marked >= record.fewest_marked and size - marked >= record.fewest_unmarked
    return rooms and in_place and not had_elsewhere and sum(held.values()) == int(record.unseen)


def every_laid(record: Record) -> Iterator[list[int]]:
    """All worlds: a mask of cards for each holder, and then for each batch."""
    sort_out(record)
    known = [int(cards) for cards in record.known]
    held = known + [0] * (len(record.held) - HOLDERS)
    had, marked, layer, hand_room = int(record.loose_had), int(record.marked), int(record.layer), int(record.hand_room)
    sizes = [int(size) for size in record.batch_size[: record.batches]]
    bounds = [int(fresh) for fresh in record.batch_fresh[: record.batches]]
    others = [holder for holder in range(int(record.holders)) if holder != layer]
    rooms = {holder: int(record.room[holder]) - known[holder].bit_count() for holder in others}

    def lay(batch: int, left: int, used: int) -> Iterator[list[int]]:
        places = sum(sizes[batch:]) + hand_room
        if (left & had).bit_count() > places or (left & ~had).bit_count() < sum(rooms.values()):
            return
        if batch == len(sizes):
            fresh = left & ~had
            for cards in combinations(cards_of(fresh), hand_room - (left & had).bit_count()):
                chosen = int(mask_of(cards))
                held[layer] = known[layer] | left & had | chosen
                yield from share(0, fresh & ~chosen)
            return
        for cards in combinations(cards_of(left), sizes[batch]):
            chosen = int(mask_of(cards))
            fresh = used + (chosen & ~had).bit_count()
            in_marked = (chosen & marked).bit_count()
            last = batch == len(sizes) - 1
            if fresh > bounds[batch] or (last and in_marked < record.fewest_marked):
                continue
            if last and sizes[batch] - in_marked < record.fewest_unmarked:
                continue
            held[HOLDERS + batch] = chosen
            yield from lay(batch + 1, left & ~chosen, fresh)

    def share(place: int, left: int) -> Iterator[list[int]]:
        if place == len(others):
            if not left:
                yield list(held)
            return
        holder = others[place]
        for cards in combinations(cards_of(left), rooms[holder]):
            chosen = int(mask_of(cards))
            held[holder] = known[holder] | chosen
            yield from share(place + 1, left & ~chosen)

    yield from lay(0, had | int(record.loose_fresh), 0)
