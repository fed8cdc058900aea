"""How likely each holder is to have each unseen card, by exact counts of worlds: what a seat believes before it infers."""

from typing import Any

from facedown.cards import bit, cards_of
from facedown.errors import NoWorlds
from facedown.worlds.batches import has_batches
from facedown.worlds.counting import count_worlds


def card_shares(hidden: Any) -> dict[int, list[float]]:
    """For each unseen card the share of worlds in which each holder has it; what is missing to 1 lies in batches.

    Cards of which the same is known have the same shares, and are counted once.
    """
    total = count_worlds(hidden)
    if not total:
        raise NoWorlds("expected a position with at least one possible world, got one with none")
    record, found = hidden[0], dict[tuple[Any, ...], list[float]]()
    shares = {}
    masks = [*record.may_hold, *record.known, *([record.had] if has_batches(hidden) else [])]
    for card in cards_of(record.unseen):
        facts = [int(mask) >> card & 1 for mask in masks]
        kind = (*facts, int(record.worth[card]))
        if kind not in found:
            found[kind] = [count_with(hidden, holder, card) / total for holder in range(int(record.holders))]
        shares[card] = found[kind]
    return shares


def count_with(hidden: Any, holder: int, card: int) -> int:
    """In how many worlds a holder has a card."""
    record = hidden[0]
    owners = [other for other in range(int(record.holders)) if int(record.known[other]) >> card & 1]
    if owners:
        return count_worlds(hidden) if holder in owners else 0
    if not (record.room[holder] > 0 and int(record.may_hold[holder]) >> card & 1):
        return 0
    fixed = hidden.copy()
    fixed[0].known[holder] |= bit(card)
    return count_worlds(fixed)
