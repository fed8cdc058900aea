"""The cards that somebody may name where cards are asked for, so that they can be clicked."""

from facedown.advisor.dealing import own_cards
from facedown.advisor.events import Start
from facedown.advisor.session import Session
from facedown.advisor.worlds import holds_cards
from facedown.cards import parse as card_number
from facedown.cards import texts_of
from facedown.game import Game

DEALS = 20  # looked at where cards are no playing cards: each kind is in one of them


def cards_to_name(session: Session) -> list[str]:
    """The cards among which those are that have to be told next: of the whole pack, or those that the seat has not seen."""
    view, expects = session.view, session.expects
    if expects.kind not in ("hand", "cards"):
        return []
    if expects.kind == "cards" and view is not None and holds_cards(view):
        return texts_of(int(view.unseen()[0].pool))
    return pack_of(session.game, session.seat)


def pack_of(game: Game, seat: int) -> list[str]:
    """All cards of a game, by what a seat has and has not in a deal; or else those that were dealt in some."""
    start = Start(game, seat)
    view = start.dealt(0, 0).view(seat)
    if holds_cards(view):
        return texts_of(int(view.unseen()[0].pool) | sum(1 << card_number(word) for word in own_cards(view)))
    return sorted({word for number in range(DEALS) for hand in start.dealt(number, 0).hands for word in hand})
