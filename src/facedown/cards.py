"""Cards as numbers, sets of cards as masks, and both as text.

A card is suit * 13 + rank: clubs, diamonds, spades, hearts; 2 is rank 0, the ace rank 12. Games with fewer cards use the
same numbers and leave the low ranks out.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from facedown.errors import BadText
from facedown.kernel import Array, count_ones, kernel, lowest_bit, nth_bit
from facedown.rng import draw, random_word

RANKS = "23456789TJQKA"
SUITS = "CDSH"
SUIT_SIGNS = "♣♦♠♥"
CLUBS, DIAMONDS, SPADES, HEARTS = range(4)
SUIT_SIZE = 13
DECK_SIZE = 52
NO_CARD = -1

NO_CARDS = np.uint64(0)
ALL_CARDS = np.uint64((1 << DECK_SIZE) - 1)
SUIT_MASK = np.array([0x1FFF << SUIT_SIZE * suit for suit in range(4)], np.uint64)


@kernel
def bit(card: Any) -> Any:
    """The set that holds one card."""
    return np.uint64(1) << np.uint64(card)


@kernel
def suit_of(card: Any) -> int:
    """A card's suit."""
    return int(card) // SUIT_SIZE


@kernel
def random_card(cards: Any, rng: Array) -> int:
    """One card of a set, uniformly."""
    return nth_bit(cards, draw(rng, count_ones(cards)))


@kernel
def random_cards(cards: Any, count: int, rng: Array) -> Any:
    """A uniformly chosen subset of `count` cards.

    A first guess takes each card with about the right probability. Then cards are removed or added one at a time, uniformly,
    until the number is right. All cards are treated alike, so all subsets of that size are equally likely.
    """
    size = count_ones(cards)
    count = min(count, size)  # of a made-up position there may be too few: that is refused later, and must not take for ever
    guess = NO_CARDS if 2 * count <= size else cards
    if 4 <= count <= size - 4:  # with fewer, a guess costs more than it saves
        eighths = min(7, (16 * count + size) // (2 * size))
        guess = NO_CARDS
        for place in range(3):
            word = random_word(rng)
            guess = guess | word if eighths >> place & 1 else guess & word
        guess &= cards
    chosen = count_ones(guess)
    while chosen > count:
        guess &= ~bit(nth_bit(guess, draw(rng, chosen)))
        chosen -= 1
    while chosen < count:
        guess |= bit(nth_bit(cards & ~guess, draw(rng, size - chosen)))
        chosen += 1
    return guess


@kernel
def or_else(cards: Any, others: Any) -> Any:
    """Some cards, or others if there are none."""
    return cards if cards != NO_CARDS else others


@kernel
def write_cards(cards: Any, out: Array) -> int:
    """Write a set's cards into an array, lowest first; return how many there are."""
    count = 0
    while cards != NO_CARDS:
        out[count] = lowest_bit(cards)
        cards &= cards - np.uint64(1)
        count += 1
    return count


def text(card: int) -> str:
    """A card as text: 'QS' is the queen of spades."""
    if not 0 <= card < DECK_SIZE:
        raise BadText(f"expected a card from 0 to {DECK_SIZE - 1}, got {card}")
    return RANKS[card % SUIT_SIZE] + SUITS[card // SUIT_SIZE]


def parse(text: str) -> int:
    """A card from text: 'QS', also 'qs', '10c' or 'Q♠'."""
    word = text.strip().upper().replace("10", "T")
    for sign, letter in zip(SUIT_SIGNS, SUITS, strict=True):
        word = word.replace(sign, letter)
    if len(word) == 2 and word[0] in RANKS and word[1] in SUITS:
        return SUITS.index(word[1]) * SUIT_SIZE + RANKS.index(word[0])
    raise BadText(f"expected a card such as QS, TC or 2H, got {text!r}")


def mask_of(cards: Iterable[int]) -> Any:
    """The set of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return np.uint64(mask)


def cards_of(mask: Any) -> list[int]:
    """The cards of a set, lowest first."""
    left, cards = int(mask), []
    while left:
        cards.append((left & -left).bit_length() - 1)
        left &= left - 1
    return cards


def texts_of(mask: Any) -> list[str]:
    """The cards of a set as text, lowest first."""
    return [text(card) for card in cards_of(mask)]
