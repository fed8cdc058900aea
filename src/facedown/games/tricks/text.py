"""Facts that trick games share."""

from typing import Any

from facedown import cards
from facedown.cards import SUIT_MASK
from facedown.games.tricks.position import in_trick
from facedown.kernel import Record


def trick_facts(state: Record, seats: int) -> dict[str, Any]:
    """The cards of the trick in the order they were played, and how many tricks came before."""
    trick = [{"seat": seat, "card": cards.text(int(state.trick[seat]))} for seat in in_trick(state, seats)]
    return {"trick": trick, "tricks_played": int(state.tricks_played)}


def voids(state: Record, seat: int, deck: Any) -> list[str]:
    """The suits a seat has shown that it has none of."""
    shown = state.not_held[seat] | state.played[seat]
    return [cards.SUITS[suit] for suit in range(4) if not SUIT_MASK[suit] & deck & ~shown]
