"""The fields of a record as text, both ways: numbers, words, cards and sets of cards, and rows of these."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.cards import DECK_SIZE, RANKS, SUIT_SIZE, SUITS
from facedown.cards import text as card_text
from facedown.errors import BadText, shown

ALL_BITS = (1 << 64) - 1
ALL_CARDS = (1 << DECK_SIZE) - 1
NONE = "-"


@dataclass(frozen=True)
class Cells:
    """How the numbers of a field are written, and which are allowed."""

    least: float = -np.inf
    most: float = np.inf
    empty: int = 0  # the number that is left out
    words: tuple[str, ...] = ()  # for the numbers from `least` on
    loose: bool = False  # other numbers are allowed, too
    counts: bool = False  # the numbers of a row say how many there are of each word
    within: int = ALL_BITS  # of sets: the members there may be
    places: bool = False  # of sets: the members are numbers, not cards


def words(*names: str) -> Cells:
    """Numbers from 0 on that have names."""
    return Cells(0, len(names) - 1, words=names)


def seats(count: int) -> Cells:
    """A seat, or none."""
    return Cells(-1, count - 1, empty=-1)


CARD = Cells(-1, DECK_SIZE - 1, -1, (NONE, *map(card_text, range(DECK_SIZE))))
SUIT = Cells(-1, len(SUITS) - 1, -1, (NONE, *SUITS))
RANK = words(*RANKS)
YES = words("no", "yes")


# --- Fields as text ---------------------------------------------------------------------------------------------------


def field_text(cells: Cells, value: Any, in_full: bool = False) -> str:
    """A field's numbers as text; the empty ones at the end only `in_full`."""
    if value.ndim == 0:
        return cell_text(cells, value)
    if value.ndim == 1 and not (value.dtype == np.uint64 or cells.counts):
        return row_text(cells, value, in_full)
    rows = [row_text(cells, row, in_full) if value.ndim > 1 else cell_text(cells, row) for row in value]
    while rows and rows[-1] == NONE and not in_full:
        rows.pop()
    return "|".join(rows) or NONE


def row_text(cells: Cells, row: Any, in_full: bool = False) -> str:
    """Numbers with commas between them."""
    row = row.reshape(-1)
    if cells.counts:
        named = [(int(count), word) for count, word in zip(row, cells.words, strict=False) if count]
        return ",".join(word if count == 1 else f"{count}x{word}" for count, word in named) or NONE
    filled = np.flatnonzero(row != cells.empty)
    end = len(row) if in_full else int(filled[-1]) + 1 if len(filled) else 0
    return ",".join(cell_text(cells, cell) for cell in row[:end]) or NONE


def cell_text(cells: Cells, cell: Any) -> str:
    """One number, word or set."""
    if cell.dtype == np.uint64:
        return set_text(cells, int(cell))
    if cell.dtype.kind == "f":
        return repr(float(cell))
    number = int(cell)
    place = number - int(cells.least) if cells.words else -1
    return cells.words[place] if 0 <= place < len(cells.words) else str(number)


def set_text(cells: Cells, mask: int) -> str:
    """A set of cards by suits, or of places; in hexadecimal what is neither."""
    if not mask:
        return NONE
    if cells.places:
        return "+".join(str(place) for place in range(64) if mask >> place & 1)
    if mask & ~ALL_CARDS == ALL_BITS & ~ALL_CARDS:
        return f"~{set_text(cells, ALL_BITS & ~mask)}"
    if mask & ~ALL_CARDS:
        return hex(mask)
    suits = [mask >> SUIT_SIZE * suit & (1 << SUIT_SIZE) - 1 for suit in range(len(SUITS))]
    return ".".join(suit_text(ranks) for ranks in suits)


def suit_text(ranks: int) -> str:
    """The ranks of one suit, the lowest first."""
    if ranks == (1 << SUIT_SIZE) - 1:
        return "*"
    return "".join(RANKS[rank] for rank in range(SUIT_SIZE) if ranks >> rank & 1) or NONE


# --- And back -----------------------------------------------------------------------------------------------------------


def read_field(cells: Cells, name: str, text: str, like: Any) -> Any:
    """A field's numbers from text, in the shape of another value of it."""
    value = np.full(like.shape, cells.empty, like.dtype)
    try:
        if value.ndim == 0:
            value[...] = read_cell(cells, text, value.dtype)
        elif value.ndim == 1 and not (value.dtype == np.uint64 or cells.counts):
            read_row(cells, text, value)
        else:
            rows = text.split("|")
            if len(rows) > len(value):
                raise ValueError(f"at most {len(value)} rows, got {len(rows)}")
            for place, row in enumerate(rows):
                if value.ndim > 1:
                    read_row(cells, row, value[place].reshape(-1))
                else:
                    value[place] = read_cell(cells, row, value.dtype)
    except (ValueError, OverflowError) as error:
        raise BadText(f"expected in the field {name!r} of a position {error}") from None
    return value


def read_row(cells: Cells, text: str, row: Any) -> None:
    """Write the numbers of a row; those that are not given are empty."""
    if text == NONE:
        return
    parts = text.split(",")
    if cells.counts:
        for part in parts:
            count, times, word = part.partition("x")
            word, number = (word, count) if times and count.isdecimal() else (part, "1")
            if word not in cells.words or row[cells.words.index(word)]:
                raise ValueError(f"each of {' '.join(cells.words)} once, got {shown(text)}")
            row[cells.words.index(word)] = whole(number, 1, cells.most)
        return
    if len(parts) > len(row):
        raise ValueError(f"at most {len(row)} numbers, got {len(parts)}")
    for place, part in enumerate(parts):
        row[place] = read_cell(cells, part, row.dtype)


def read_cell(cells: Cells, text: str, kind: Any) -> Any:
    """One number, word or set."""
    if kind == np.uint64:
        return read_set(cells, text)
    if text in cells.words:
        return cells.words.index(text) + int(cells.least)
    if kind.kind == "f":
        return float(text)
    limits: Any = np.iinfo(kind) if kind.kind in "iu" else None
    least, most = (limits.min, limits.max) if limits else (0, 1)
    if not cells.loose:
        least, most = max(least, cells.least), min(most, cells.most)
    if cells.words and not text.lstrip("-").isdecimal():
        raise ValueError(f"one of {' '.join(cells.words)}, got {shown(text)}")
    return whole(text, least, most)


def whole(text: str, least: float, most: float) -> int:
    """A whole number within limits."""
    if not (text.isascii() and text.removeprefix("-").isdecimal() and len(text) <= 20 and least <= int(text) <= most):
        raise ValueError(f"a whole number from {least:g} to {most:g}, got {shown(text)}")
    return int(text)


def read_set(cells: Cells, text: str) -> int:
    """A set of cards, or of places."""
    if text.startswith("~"):
        mask = ALL_BITS & ~read_cards(text[1:])
    elif text.startswith("0x"):
        mask = int(text, 16)
    elif cells.places and text != NONE:
        mask = sum(1 << place for place in {whole(part, 0, 63) for part in text.split("+")})
    else:
        mask = read_cards(text)
    if not 0 <= mask <= ALL_BITS or mask & ~cells.within:
        raise ValueError(f"a set of {'places' if cells.places else 'cards'} that the game has, got {shown(text)}")
    return mask


def read_cards(text: str) -> int:
    """A set of cards by suits."""
    suits = text.split(".") if text != NONE else []
    if suits and len(suits) != len(SUITS):
        raise ValueError(f"cards as clubs.diamonds.spades.hearts, such as 2.AK.Q.-, got {shown(text)}")
    mask = 0
    for suit, ranks in enumerate(suits):
        for rank in RANKS if ranks == "*" else ranks if ranks != NONE else "":
            card = 1 << suit * SUIT_SIZE + RANKS.index(rank) if rank in RANKS else 0
            if not card or mask & card:
                raise ValueError(f"ranks of {RANKS}, each once, got {shown(ranks)}")
            mask |= card
    return mask
