"""The facts of a game that has no words of its own, by the names of its record's fields.

hands, or any field of np.uint64   sets of cards
trick                              the card of each seat in this trick, in the order of play, from `leader` on, and
                                   only the first `in_trick` of them, if the record has these fields
card, or ..._card, shown           a card's number
trump, trumps, suit, ..._suit, suit_led   a suit's number, or a card's from 4 up

A number below 0 is no card, or no suit. Other fields stay as they are.
"""

from typing import Any

import numpy as np

from facedown import cards
from facedown.kernel import Record

SUIT_NAMES = ("trump", "trumps", "suit", "suit_led")
CARD_NAMES = ("card", "shown")


def plain_facts(record: Record, seat: int | None) -> dict[str, Any]:
    """A record's fields, with cards and suits as text."""
    facts = {}
    for name in record.dtype.names[:-1]:
        value = getattr(record, name)
        if value.dtype == np.uint64:  # sets of cards
            facts[name] = [cards.texts_of(mask) for mask in value] if value.shape else cards.texts_of(value)
        else:
            facts[name] = worded(name, value.tolist(), record)
    return facts


def worded(name: str, value: Any, record: Record) -> Any:
    """A field's value, as cards or suits where its name says that it is one."""
    if name == "trick" and isinstance(value, list) and all(is_card_number(card) for card in value):
        return trick_of(value, record)
    if name in CARD_NAMES or name.endswith("_card"):
        return each(value, card_text)
    if name in SUIT_NAMES or name.endswith("_suit"):
        return each(value, suit_text)
    return value


def trick_of(laid: list[int], record: Record) -> list[dict[str, Any]]:
    """The cards of a trick with their seats, in the order of play."""
    names = record.dtype.names
    leader = int(record.leader) if "leader" in names and 0 <= record.leader < len(laid) else 0
    order = [(leader + step) % len(laid) for step in range(len(laid))]
    if "in_trick" in names and record.in_trick.shape == ():
        order = order[: max(0, int(record.in_trick))]
    return [{"seat": other, "card": cards.text(laid[other])} for other in order if laid[other] >= 0]


def each(value: Any, text: Any) -> Any:
    """A value in words, or each of a list."""
    return [each(one, text) for one in value] if isinstance(value, list) else text(value)


def is_card_number(value: Any) -> bool:
    """Whether a value is a card's number, or no card."""
    return isinstance(value, int) and not isinstance(value, bool) and value < cards.DECK_SIZE


def card_text(value: Any) -> Any:
    """A card's text; None for no card; anything else as it is."""
    if not is_card_number(value):
        return value
    return cards.text(value) if value >= 0 else None


def suit_text(value: Any) -> Any:
    """A suit's letter, or the card whose number it is."""
    if is_card_number(value) and 0 <= value < len(cards.SUITS):
        return cards.SUITS[value]
    return card_text(value)
