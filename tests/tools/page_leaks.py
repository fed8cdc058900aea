"""Whether a page was told, or shows, a card that its seat has not seen yet.

What a seat has seen is followed through the record of the game by tests/tools/leaks.py, which knows what a rulebook lets
a seat see and does not ask the library what is hidden.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

import facedown as fd
from facedown.cards import text as card_text
from leaks import TABLES, Table

WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
RANKS = dict(zip("23456789TJQKA", WORDS, strict=True))
SUITS = {"C": ("clubs", "♣"), "D": ("diamonds", "♦"), "S": ("spades", "♠"), "H": ("hearts", "♥")}
FORMS = {  # how pages write, say and show each card
    form: rank + suit
    for rank, name in RANKS.items()
    for suit, (suit_name, sign) in SUITS.items()
    for form in (rank + suit, f"{name} of {suit_name}", f"{'10' if rank == 'T' else rank}{sign}")
}
CARD = re.compile(rf"(?<!\w)({'|'.join(FORMS)})(?!\w)")
LINES = re.compile(r' d="[^"]*"')  # of drawings: letters and numbers, but no cards


def cards_in(text: str) -> set[str]:
    """All cards that a text names in any form."""
    return {FORMS[found[1]] for found in CARD.finditer(LINES.sub("", text))}


def seen_by(record: fd.GameRecord, seat: int | None) -> list[set[str]]:
    """The cards that a seat, or a spectator, has seen after each number of actions."""
    rules = TABLES.get(record.game.partition(":")[0], Table())
    viewer = -1 if seat is None else seat
    found: list[set[str]] = []
    before: fd.State | None = None
    for played, state in enumerate(record.steps()):
        same_deal = before is not None and state.deals == before.deals
        seen = set(found[-1]) if same_deal else open_from_the_start(state)
        if before is not None:
            mover = record.history[played - 1][0]
            for part in rules.event(before, mover, record.actions[played - 1], viewer):
                seen |= {card_text(card) for card in part} if isinstance(part, list) else cards_in(str(part))
        if seat is not None:
            seen |= set(state.hands[seat])
        found.append(seen | only_possible(state, viewer, seen, rules))
        before = state.copy()
    return found


def open_from_the_start(state: fd.State) -> set[str]:
    """The cards that lie open for all in a new deal: the one that shows trumps, or the first of the pile."""
    record, names = state.record, state.record.dtype.names
    shown = {card_text(int(record.shown))} if "shown" in names and int(record.shown) >= 0 else set()
    face_up = int(record.face_up) if "face_up" in names else 0
    return shown | {card_text(card) for card in range(52) if face_up >> card & 1}


def only_possible(state: fd.State, viewer: int, seen: set[str], rules: Table) -> set[str]:
    """The cards that nobody but one seat can hold, since all others are seen."""
    unseen = {card_text(card) for card in rules.hidden(state, viewer)} - seen
    holders = [set(hand) for hand in state.hands if unseen & set(hand)]
    return unseen if len(holders) == 1 and unseen <= holders[0] else set()


def told_too_early(frames: Iterable[str], seen: list[set[str]]) -> list[str]:
    """What a page was told by its socket of cards that it had not seen yet, up to the end of the game."""
    moves, found = 0, []
    for frame in frames:
        event: dict[str, Any] = json.loads(frame)
        if event["event"] == "over" or event.get("over"):
            break
        moves = event.get("moves", moves)
        if unseen := cards_in(frame) - seen[moves]:
            found.append(f"{event['event']} after {moves} actions: {sorted(unseen)}")
    return found


def shown_too_early(pictures: Iterable[tuple[int, str]], seen: list[set[str]]) -> list[str]:
    """What a page showed of cards that it had not seen yet: the page's markup, and how many actions were played."""
    return [
        f"shown after {moves} actions: {sorted(unseen)}"
        for moves, html in pictures
        if (unseen := cards_in(html) - seen[moves])
    ]
