"""From which deal a world of Cheat came, for the audit: cards move unseen here, so only the game can say."""

from facedown.cards import NO_CARD, cards_of, mask_of
from facedown.games.cheat.claims import CALL, TAKE, cards_of_claim, rank_named
from facedown.games.cheat.rules import apply
from facedown.games.cheat.text import claim_of
from facedown.kernel import Record
from facedown.view import History


def rewind(dealt: Record, world: Record, seat: int, seen: History, actions: History) -> list[int] | None:
    """Write the deal that leads to a world into `dealt`; the actions that do, the other's claims with their cards.

    What was laid before the pile was last shown lies open, so it is as it was in reality. The fresh cards that the other has
    had since then are those of the world: the first to be laid was the first to come.
    """
    other = 1 - seat
    real = dealt.copy()
    came = cards_of(real.hands[other])  # the cards of the other's hand, in the order they came, since the pile was shown
    laid = [int(cards) for cards, layer in zip(world.batch_cards, world.batch_seat, strict=True) if cards and layer == other]
    played: list[int] = []
    claims: list[int] = []  # where the claims are that lie face down
    for mover, action in actions:
        if mover == other and action == TAKE:
            came.append(int(real.stock[int(real.stock_left) - 1]))
        elif mover == other and action != CALL:
            claims.append(len(played))
            action = claim_of(rank_named(real, action), cards_of(cards_of_claim(real, action)))
        played.append(action)
        apply(real, action)
        if action == CALL:
            came = cards_of(real.hands[other])
            claims = []
    for place, cards in zip(claims, laid, strict=True):
        played[place] = claim_of(rank_named(world, seen[place][1]), cards_of(cards))
    had = cards_of(world.had[other])
    left = int(world.stock_left)
    here = [card for card in came if card not in had] + [int(card) for card in real.stock[:left]]
    there = [card for cards in [*laid, int(world.hands[other])] for card in cards_of(cards) if card not in had]
    there += [int(card) for card in world.stock[:left]]
    if sorted(here) != sorted(there):
        return None  # a card that the other is known to have had lies in the stock
    exchange = dict(zip(here, there, strict=True))
    dealt.hands[other] = mask_of(exchange.get(card, card) for card in cards_of(dealt.hands[other]))
    for place, card in enumerate(dealt.stock.tolist()):
        dealt.stock[place] = exchange.get(card, card) if card != NO_CARD else NO_CARD
    return played
