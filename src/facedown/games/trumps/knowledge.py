"""What a seat knows in Sueca and Bisca: its view, and where the cards that it cannot see may lie."""

from facedown.cards import DECK_SIZE, NO_CARD, NO_CARDS, SUIT_MASK, bit, write_cards
from facedown.games.tricks.play import cards_played
from facedown.games.trumps.rules import CARD_POINTS, MOST_STOCK, PACK, PACK_SIZE, POOR_HAND, points_of
from facedown.kernel import Array, Record, count_ones, kernel
from facedown.rng import shuffle


@kernel
def cards_held(state: Record, seat: int) -> int:
    """How many cards a seat has in its hand: a view tells as much as a state."""
    drawn = PACK_SIZE // state.seats - state.hand_size - state.stock_left // state.seats
    return int(state.hand_size + drawn - count_ones(state.played[seat]))


@kernel
def hide(state: Record, seat: int) -> None:
    """Leave a seat its own hand; the other hands and the order of the stock are hidden, the shown trump is not."""
    for other in range(state.seats):
        if other != seat:
            state.hands[other] = NO_CARDS
    for place in range(1, MOST_STOCK):
        state.stock[place] = NO_CARD


@kernel
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """The other hands, less what they have shown not to hold, and the stock; all know where the shown trump lies."""
    stock = int(state.seats)
    hidden.holders = stock + 1
    hidden.pool = PACK & ~state.hands[seat]
    hidden.unseen = hidden.pool & ~cards_played(state)
    for other in range(state.seats):
        hidden.may_hold[other] = NO_CARDS
        hidden.room[other] = 0
        if other != seat:
            hidden.may_hold[other] = hidden.unseen & ~state.not_held[other]
            hidden.room[other] = cards_held(state, other)
    hidden.may_hold[stock] = hidden.unseen
    hidden.room[stock] = state.stock_left
    hidden.known[state.shown_holder] = bit(state.shown) & hidden.unseen
    if state.mandar_abaixo:
        for card in range(DECK_SIZE):
            hidden.worth[card] = worth(state, card)
        for other in range(state.seats):
            if other != seat:
                hidden.need[other] = need(state, other)


@kernel
def worth(state: Record, card: int) -> int:
    """What a card counts towards a hand that is not poor: its points, and a trump is enough alone (rule 10)."""
    return POOR_HAND if SUIT_MASK[state.trump] & bit(card) != NO_CARDS else int(CARD_POINTS[card])


@kernel
def need(state: Record, seat: int) -> int:
    """How much of that a seat must still hold, after the cards it has played."""
    if state.played[seat] & SUIT_MASK[state.trump] != NO_CARDS:
        return 0
    return max(0, POOR_HAND - points_of(state.played[seat]))


@kernel
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Give the other seats their cards, and put those of the stock in any order, the shown trump at the bottom."""
    stock = int(state.seats)
    for other in range(state.seats):
        if other != seat:
            state.hands[other] = hidden.held[other]
    if state.stock_left == 0:
        return
    pile = hidden.held[stock]
    bottom = 0
    if pile & bit(state.shown) != NO_CARDS:  # samplers that forget what is known may have put it elsewhere
        pile &= ~bit(state.shown)
        state.stock[0] = state.shown
        bottom = 1
    write_cards(pile, state.stock[bottom:])
    shuffle(rng, state.stock, bottom, state.stock_left)
