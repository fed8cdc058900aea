"""Plain English about seats, numbers and cards, for games that describe what happened."""

from collections import Counter
from collections.abc import Sequence

from facedown.cards import RANKS, SUIT_SIGNS, SUITS

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
RANK_NAMES = dict(
    zip(
        RANKS,
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"),
        strict=True,
    )
)


def seat_name(seat: int, own: int | None = None) -> str:
    """A seat in a sentence; `own` is the reader's seat."""
    return "you" if seat == own else f"seat {seat}"


def does(seat: int, own: int | None, verb: str) -> str:
    """A seat with a verb: `you take`, `seat 1 takes`."""
    ending = "" if seat == own else "es" if verb.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{seat_name(seat, own)} {verb}{ending}"


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 card`, `2 cards`."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"


def number_word(number: int) -> str:
    """A small number as a word."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else f"{number}"


def of_rank(number: int, rank: str) -> str:
    """A number of cards of a rank: `four twos`, `one six`."""
    name = RANK_NAMES[rank]
    ending = "" if number == 1 else "es" if name.endswith("x") else "s"
    return f"{number_word(number)} {name}{ending}"


def is_card(word: object) -> bool:
    """Whether a text names a card of the usual packs."""
    return isinstance(word, str) and len(word) == 2 and word[0] in RANKS and word[1] in SUITS


def face(word: str) -> str:
    """A card as people write it: 10♠."""
    return word[0].replace("T", "10") + SUIT_SIGNS[SUITS.index(word[1])]


def listed_faces(words: Sequence[str]) -> str:
    """Cards as people write them; other texts as they are, with commas."""
    if all(is_card(word) for word in words):
        return " ".join(face(word) for word in words)
    return ", ".join(words)


def gained(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The cards of a hand that were not there before."""
    return list((Counter(after) - Counter(before)).elements())


def all_of(words: Sequence[str]) -> str:
    """Texts as a list in a sentence: `you, seat 1 and seat 2`."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""
