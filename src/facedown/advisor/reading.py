"""What somebody types of a game played elsewhere: cards in any usual notation, and the first of several things in a line."""

import re
from collections.abc import Iterator

from facedown.cards import RANKS, SUIT_SIGNS, SUITS
from facedown.errors import BadText
from facedown.game import Game

RANK, SUIT = f"10|[{RANKS}]", f"[{SUITS}{SUIT_SIGNS}]"
RANK_FIRST = re.compile(f"({RANK})({SUIT})", re.IGNORECASE)  # QS, 10h, and qs10h for two
SUIT_FIRST = re.compile(f"({SUIT})((?:{RANK})+)", re.IGNORECASE)  # ♠Q, and ♠AKQ for three
TIMES = re.compile(r"(\d{1,2})\s*[x×]\s*(\S.*)|(\d{1,2})\s+([a-z]\S*.*)", re.IGNORECASE)  # 3x land, 3 land
SEAT = re.compile(r"\s*(\d)\s*:\s*")  # 2: before an action of seat 2


def card_name(rank: str, suit: str) -> str:
    """A card as the library writes it."""
    letter = suit.upper() if suit.upper() in SUITS else SUITS[SUIT_SIGNS.index(suit)]
    return f"{rank.upper().replace('10', 'T')}{letter}"


def cards_in(word: str) -> list[str]:
    """The cards that one word names: `qs`, `Q♠`, `♠Q`, `qs10h`, `♠AKQ`; none if it is no such word."""
    word = word.replace("\ufe0f", "")  # with which some programs turn ♠ into a picture
    if re.fullmatch(f"(?:{RANK_FIRST.pattern})+", word, re.IGNORECASE):
        return [card_name(rank, suit) for rank, suit in RANK_FIRST.findall(word)]
    if found := SUIT_FIRST.fullmatch(word):
        return [card_name(rank, found[1]) for rank in re.findall(RANK, found[2], re.IGNORECASE)]
    return []


def words_in(text: str) -> list[str]:
    """The words of a line."""
    return re.split(r"[\s,;]+", text.strip(" \t\r\n,;")) if text.strip(" \t\r\n,;") else []


def named_cards(text: str) -> list[str]:
    """The cards that a text names, word by word."""
    found: list[str] = []
    for word in words_in(text):
        cards = cards_in(word)
        if not cards:
            raise BadText(f"expected a card such as QS, 10c or 2♥, got {word!r}")
        found += cards
    return found


def named_things(text: str, known: set[str]) -> list[str]:
    """The cards that a text names where cards are no playing cards: between commas, each perhaps a number of times."""
    found: list[str] = []
    for part in re.split(r"[,;+\n]", text):
        words = " ".join(part.lower().split())
        if not words:
            continue
        several = None if words in known else TIMES.fullmatch(words)
        count, name = (int(several[1] or several[3]), several[2] or several[4]) if several else (1, words)
        fits = [one for one in known if one == name] or [one for one in known if one.split()[0] == name]
        if len(fits) != 1:
            raise BadText(f"expected cards such as {', '.join(sorted(known)[:3])}, with commas between them, got {words!r}")
        found += fits * count
    return found


def without_seat(text: str) -> tuple[int | None, str]:
    """Which seat a text says it is of, `2: QS`, and the rest of it."""
    found = SEAT.match(text)
    return (int(found[1]), text[found.end() :]) if found else (None, text)


def beginnings(text: str) -> Iterator[tuple[str, str]]:
    """How a text may be divided into one action and the rest: all of it, up to a comma, the first word, its first card."""
    text = text.strip(" \t\r\n,;")
    yield text, ""
    part, comma, rest = re.split(r"([,;])", text, maxsplit=1) if re.search("[,;]", text) else (text, "", "")
    if comma:
        yield part.strip(), rest
    word, _, others = part.partition(" ") if " " in part else (part, "", "")
    others = f"{others} {comma} {rest}".strip() if comma else others
    if cards := cards_in(word):
        yield cards[0], " ".join([*cards[1:], others]).strip()
    if word != part:
        yield word, others


def first_action(game: Game, text: str) -> tuple[int, str]:
    """The first action that a text names, and the rest of the text."""
    refused: BadText | None = None
    for part, rest in beginnings(text):
        try:
            return game.parse(part), rest
        except BadText as error:
            refused = refused or error
    raise refused or BadText("expected an action, got nothing")
