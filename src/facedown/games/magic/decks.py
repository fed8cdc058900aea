"""Decks of lands and creatures: from a file or a line of text, and the table of kinds that two decks share."""

import os
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from facedown.errors import BadOption, shown

DECK_SIZE = 40
MOST_BYTES = 1_000_000  # of a deck's file
MOST_KINDS = 24  # of creatures, in both decks together
MOST_COST = MOST_POWER = MOST_TOUGHNESS = 99

STANDARD = "standard"
STANDARD_LINES = """\
17 land
2 1/1 for 1
2 2/1 for 2
3 2/2 for 2
1 1/3 for 2
3 2/3 for 3
2 3/2 for 3
3 3/3 for 4
1 2/4 for 4
2 4/4 for 5
1 5/3 for 5
2 5/5 for 6
1 6/6 for 7
"""

LINE = re.compile(r"(\d{1,3})\s*x?\s*(?:(land)s?|(\d{1,3})\s*/\s*(\d{1,3})\s*for\s*(\d{1,3}))", re.ASCII)


class Creature(NamedTuple):
    """A kind of creature; the order of kinds is by power, then cost, then toughness, the greatest first."""

    power: int
    cost: int
    toughness: int

    def __str__(self) -> str:
        """As it is written on the card."""
        return f"{self.power}/{self.toughness} for {self.cost}"


Deck = Counter[Creature | None]  # None is a land


def read_deck(value: Any) -> str:
    """An option's value as the text of a deck: a file is read, so that the text holds all there is to know.

    The text is a line such as 17xland+23x2/2for2; `standard` is the deck that comes with the game.
    """
    text = str(value).strip()
    if text == STANDARD:
        return STANDARD
    deck = parse_deck(text.replace("+", "\n"), "deck") if is_cards(text) else parse_deck(_contents(text), text)
    return STANDARD if deck == parse_deck(STANDARD_LINES, STANDARD) else deck_text(deck)


def names_file(value: Any) -> bool:
    """Whether an option's value is neither the standard deck nor cards: then it is taken for a file."""
    text = str(value).strip()
    return text != STANDARD and not is_cards(text)


def is_cards(text: str) -> bool:
    """Whether a text is a line of cards, such as 17xland+23x2/2for2."""
    return all(LINE.fullmatch(part.strip()) for part in text.split("+"))


def _contents(path: str) -> str:
    """The text of a file; pipes and devices may never end."""
    try:
        file = Path(os.path.expanduser(path))
        if not file.exists() or (file.is_file() and file.stat().st_size <= MOST_BYTES):
            return file.read_text(encoding="utf-8")
        why = "larger than any deck" if file.is_file() else "not a plain file"
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else "not a text file"
    raise BadOption(f"expected a deck file, or a deck such as 17xland+23x2/2for2, got {shown(path)}: {why}")


def parse_deck(text: str, source: str) -> Deck:
    """A deck from lines such as `17 land` and `2 1/1 for 1`; empty lines and what follows a # are left out."""
    deck: Deck = Counter()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip().lower()
        if not words:
            continue
        where = f"{source}, line {number}"
        found = LINE.fullmatch(words)
        if not found:
            raise BadOption(f"{where}: expected a line such as `17 land` or `2 1/1 for 1`, got {shown(line.strip())}")
        count = int(found[1])
        if count == 0:
            raise BadOption(f"{where}: expected at least one of a card, got {shown(line.strip())}")
        deck[None if found[2] else _creature(int(found[3]), int(found[4]), int(found[5]), where)] += count
    if deck.total() != DECK_SIZE:
        raise BadOption(f"{source}: expected a deck of {DECK_SIZE} cards, got {deck.total()}")
    return deck


def _creature(power: int, toughness: int, cost: int, where: str) -> Creature:
    limits = [("power", power, 0, MOST_POWER), ("toughness", toughness, 1, MOST_TOUGHNESS), ("cost", cost, 1, MOST_COST)]
    for name, value, least, most in limits:
        if not least <= value <= most:
            raise BadOption(f"{where}: expected a {name} from {least} to {most}, got {value}")
    return Creature(power, cost, toughness)


def deck_text(deck: Deck) -> str:
    """A deck as one word, the same for the same cards: lands first, then creatures from the weakest."""
    parts = [f"{deck[None]}xland"] if deck[None] else []
    parts += [f"{deck[kind]}x{kind}".replace(" ", "") for kind in sorted(kind for kind in deck if kind is not None)]
    return "+".join(parts)


@dataclass(frozen=True)
class Kinds:
    """The kinds of card in two decks: number 0 is the land, the creatures follow, the strongest first."""

    creatures: tuple[Creature, ...]
    decks: tuple[tuple[int, ...], ...]  # by seat, how many of each kind

    @property
    def most_alike(self) -> tuple[int, ...]:
        """How many of each kind may attack together: as many as the deck that has more of them."""
        return (0, *(max(counts) for counts in list(zip(*self.decks, strict=True))[1:]))


@cache
def kinds_of(first: str, second: str) -> Kinds:
    """The kinds of two decks, given as the options' texts."""
    decks = [_deck(text) for text in (first, second)]
    creatures = sorted({kind for deck in decks for kind in deck if kind is not None}, reverse=True)
    if len(creatures) > MOST_KINDS:
        raise BadOption(f"expected at most {MOST_KINDS} kinds of creature in both decks together, got {len(creatures)}")
    order = (None, *creatures)
    return Kinds(tuple(creatures), tuple(tuple(deck[kind] for kind in order) for deck in decks))


def _deck(text: str) -> Deck:
    return parse_deck(STANDARD_LINES if text == STANDARD else text.replace("+", "\n"), "deck")
