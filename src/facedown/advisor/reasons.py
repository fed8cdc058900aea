"""Why something that was told of a game played elsewhere cannot have happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.advisor.dealing import own_cards
from facedown.advisor.worlds import Acting, is_card_action
from facedown.cards import SUIT_MASK, suit_of
from facedown.cards import text as card_text
from facedown.view import View

SUIT_WORDS = ("clubs", "diamonds", "spades", "hearts")


@dataclass(frozen=True)
class Played:
    """An action of this deal that was told."""

    seat: int
    action: int
    tricks: int | None  # finished before it


def why_not(view: View, acting: Acting, played: Sequence[Played]) -> str:
    """Why the seat to move cannot have done something: no cards that the viewer cannot see allow it."""
    seat, game = acting.mover, view.game
    text = game.text(acting.action)
    if not is_card_action(view, acting.action):
        return f"seat {seat} cannot have done this, whatever it holds: {text}"
    return why_not_card(view, acting.action, seat, played) or must_rather(acting, text)


def must_rather(acting: Acting, text: str) -> str:
    """A card that a seat has had to play instead."""
    if acting.blocked_by:
        return (
            f"seat {acting.mover} cannot have played {text}: it holds {' '.join(acting.blocked_by)}, which had to be played"
        )
    return f"seat {acting.mover} cannot have played {text} now, whatever else it holds"


def why_not_card(view: View, card: int, seat: int | None, played: Sequence[Played]) -> str | None:
    """Why a seat, or for None nobody else, can have had a card."""
    game, record = view.game, view.unseen()[0]
    text = card_text(card)
    if text in own_cards(view):
        return f"{text} is in your own hand"
    for one in played:
        if one.action == card and game.text(one.action) == card_text(card):  # in some games it is another action
            where = "" if one.tricks is None else f" in trick {one.tricks + 1}"
            whom = "you" if one.seat == view.seat else f"seat {one.seat}"
            return f"{text} was played by {whom}{where}"
    if not int(record.pool) >> card & 1:
        return f"{text} is no card of {game.name}"
    if not int(record.unseen) >> card & 1:
        return f"{text} lies open on the table"
    if seat is None:
        return None
    for other in range(int(record.holders)):
        if other != seat and int(record.known[other]) >> card & 1:
            holder = f"seat {other}" if other < game.seats else "the stock"
            return f"{text} is known to be with {holder}"
    suit = int(SUIT_MASK[suit_of(card)]) & int(record.unseen)
    if not int(record.may_hold[seat]) & suit:
        return f"seat {seat} has shown to have no {SUIT_WORDS[suit_of(card)]}"
    if not int(record.may_hold[seat]) >> card & 1:
        return f"seat {seat} has shown not to have {text}"
    return None


def why_no_cards(cards: Sequence[str] | None, facts: Mapping[str, Any], dealt: bool) -> str:
    """That no deal, or no world, agrees with cards that were told, and with what all see."""
    told = [f"{name} {' '.join(map(str, value)) if isinstance(value, list) else value}" for name, value in facts.items()]
    told += [f"the cards {' '.join(cards)}"] if cards else []
    where = "deal" if dealt else "world"
    return f"expected what some {where} agrees with, got {' and '.join(told) or 'what none does'}"
