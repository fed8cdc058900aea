"""Sueca and Bisca, compiled: the record, the deal, legal cards, tricks and scores. Rule numbers are the package's."""

from typing import Any

import numpy as np

from facedown import cards
from facedown.cards import DECK_SIZE, NO_CARD, NO_CARDS, RANKS, SUIT_MASK, SUIT_SIZE, bit, mask_of, or_else, suit_of
from facedown.games.tricks.play import TRICK, end_trick, lay_down, lead, no_tricks, win_so_far
from facedown.kernel import Array, Record, kernel
from facedown.rewards import HYBRID, POINTS, WEIGHT_OF_WIN, WIN, WIN_OR_LOSS
from facedown.rng import shuffle
from facedown.rules import win_rewards

MOST_SEATS = 4
SIDES = 2  # seats 0 and 2 against 1 and 3
FEWEST_IN_HAND = 3

RANK_ORDER = "A7KJQ65432"  # strongest first
RANK_POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
PACK = mask_of(suit * SUIT_SIZE + RANKS.index(rank) for suit in range(4) for rank in RANK_ORDER)
PACK_SIZE = len(RANK_ORDER) * 4
MOST_STOCK = PACK_SIZE - 2 * FEWEST_IN_HAND
ALL_POINTS = 4 * sum(RANK_POINTS.values())

CARD_POINTS = np.array([RANK_POINTS.get(RANKS[card % SUIT_SIZE], 0) for card in range(DECK_SIZE)], np.int8)
STRENGTH = np.array([RANK_ORDER[::-1].find(RANKS[card % SUIT_SIZE]) for card in range(DECK_SIZE)], np.int8)

WIN_POINTS, GREAT_WIN_POINTS = 61, 91  # card points that win a deal, and that win it doubly
WIN_VALUE, GREAT_WIN_VALUE, WHOLE_WIN_VALUE = 1, 2, 4  # game points; the last for all card points
POOR_HAND = 10  # mandar abaixo: fewer points than this, and no trump

PLAYING, OVER = range(2)

STATE = np.dtype(
    [
        # Options, written before the deal.
        ("seats", np.int8),  # 2 or 4
        ("hand_size", np.int8),  # cards dealt to each seat; the others are the stock
        ("mandar_abaixo", np.bool_),
        ("match", np.int16),  # game points at which a match ends, 0 for a single deal
        # The match so far.
        ("totals", np.int16, SIDES),  # game points of the deals that are over
        ("deals", np.int16),  # how many are over
        # This deal.
        ("hands", np.uint64, MOST_SEATS),
        ("played", np.uint64, MOST_SEATS),  # cards a seat has played
        ("not_held", np.uint64, MOST_SEATS),  # cards a seat has shown not to hold: it did not follow suit where it had to
        ("stock", np.int8, MOST_STOCK),  # a pile: the shown trump lies at 0, and the last of the cards left is drawn next
        ("stock_left", np.int8),  # cards in it
        ("trick", np.int8, MOST_SEATS),  # the card of each seat in this trick; before it plays, its card in the last one
        ("points", np.int8, SIDES),  # card points taken
        ("phase", np.int8),
        ("dealer", np.int8),
        ("trump", np.int8),  # the suit
        ("shown", np.int8),  # the card that names it
        ("shown_holder", np.int8),  # who holds that card, or played it; the number of seats while it lies in the stock
        *TRICK,
    ]
)


# --- The deal ---------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Record, rng: Array) -> None:
    """Shuffle and deal; the seat after the dealer leads (rules 1 to 4)."""
    pack = np.empty(PACK_SIZE, np.int8)
    count = cards.write_cards(PACK, pack)
    state.dealer = (state.seats - 1 + state.deals) % state.seats
    shuffle(rng, pack, 0, count)
    hand_out(state, pack)
    while state.mandar_abaixo and has_poor_hand(state):
        shuffle(rng, pack, 0, count)
        hand_out(state, pack)
    no_tricks(state)
    for side in range(SIDES):
        state.points[side] = 0
    state.phase = PLAYING
    state.leader = (state.dealer + 1) % state.seats
    state.to_move = state.leader


@kernel
def hand_out(state: Record, pack: Array) -> None:
    """Deal a pack, the dealer last. Its last card is shown: it is the dealer's own, or lies at the bottom of the stock."""
    seats = int(np.int64(state.seats))
    dealt = seats * int(np.int64(state.hand_size))
    for seat in range(MOST_SEATS):
        state.hands[seat] = NO_CARDS
    for place in range(MOST_STOCK):
        state.stock[place] = NO_CARD
    for place in range(dealt):
        state.hands[(state.dealer + 1 + place) % seats] |= bit(pack[place])
    for place in range(dealt, PACK_SIZE):
        state.stock[PACK_SIZE - 1 - place] = pack[place]
    state.stock_left = PACK_SIZE - dealt
    state.shown = pack[PACK_SIZE - 1]
    state.trump = suit_of(state.shown)
    state.shown_holder = state.dealer if dealt == PACK_SIZE else state.seats


@kernel
def points_of(mask: Any) -> int:
    """The points of a set of cards (rule 8)."""
    points = 0
    for card in range(DECK_SIZE):
        if mask & bit(card) != NO_CARDS:
            points += CARD_POINTS[card]
    return points


@kernel
def has_poor_hand(state: Record) -> bool:
    """Whether a hand has neither a trump nor the points to do without (rule 10)."""
    for seat in range(state.seats):
        if state.hands[seat] & SUIT_MASK[state.trump] == NO_CARDS and points_of(state.hands[seat]) < POOR_HAND:
            return True
    return False


# --- Moves ------------------------------------------------------------------------------------------------------------


@kernel
def legal_cards(state: Record) -> Any:
    """The cards the seat to move may play: while there is a stock, any (rule 5)."""
    hand = state.hands[state.to_move]
    if state.in_trick > 0 and state.stock_left == 0:
        return or_else(hand & SUIT_MASK[state.suit_led], hand)
    return hand


@kernel
def legal(state: Record, actions: Array) -> int:
    """Write the cards the seat to move may play."""
    return cards.write_cards(legal_cards(state), actions)


@kernel
def turns(state: Record) -> int:
    """A turn is a card."""
    return int(state.seats) * int(state.tricks_played) + int(state.in_trick)


@kernel
def episode(state: Record) -> int:
    """An episode is a trick."""
    return int(state.tricks_played)


@kernel
def beats(card: int, other: int, trump: int) -> bool:
    """Whether a card takes a trick from the one that was winning it (rule 6)."""
    if suit_of(card) == suit_of(other):
        return bool(STRENGTH[card] > STRENGTH[other])
    return bool(suit_of(card) == trump)


@kernel
def apply(state: Record, action: int) -> None:
    """Play a card to the trick, and note a void that it shows."""
    seat = state.to_move
    if state.in_trick == 0:
        lead(state, action)
    else:
        if state.stock_left == 0 and suit_of(action) != state.suit_led:
            state.not_held[seat] |= SUIT_MASK[state.suit_led]  # 5. it could not follow
        if beats(action, state.winning_card, state.trump):
            win_so_far(state, action)
    state.trick_points += CARD_POINTS[action]
    lay_down(state, action, state.seats)
    if state.in_trick == state.seats:
        take_trick(state)


@kernel
def take_trick(state: Record) -> None:
    """The winner takes the trick, draws first and leads to the next (rules 6 and 7); perhaps the deal is over."""
    state.points[state.winner % SIDES] += state.trick_points
    end_trick(state)
    if state.stock_left > 0:
        draw_from_stock(state)
    if state.tricks_played * state.seats == PACK_SIZE:
        end_deal(state)


@kernel
def draw_from_stock(state: Record) -> None:
    """Each seat draws a card, the trick's winner first; the last card is the shown trump, and all see who gets it."""
    seat = state.winner
    for _ in range(state.seats):
        state.stock_left -= 1
        state.hands[seat] |= bit(state.stock[state.stock_left])
        state.stock[state.stock_left] = NO_CARD
        if state.stock_left == 0:
            state.shown_holder = seat
        seat = (seat + 1) % state.seats


@kernel
def end_deal(state: Record) -> None:
    """Write the deal's game points down."""
    state.phase = OVER
    state.deals += 1
    for side in range(SIDES):
        state.totals[side] += game_points(state.points[side])


# --- Scores -----------------------------------------------------------------------------------------------------------


@kernel
def game_points(points: int) -> int:
    """What a side's card points count in a match (rule 9)."""
    if points == ALL_POINTS:
        return WHOLE_WIN_VALUE
    if points >= GREAT_WIN_POINTS:
        return GREAT_WIN_VALUE
    return WIN_VALUE if points >= WIN_POINTS else 0


@kernel
def is_over(state: Record) -> bool:
    """Whether the deal has ended."""
    return bool(state.phase == OVER)


@kernel
def is_decided(state: Record, seat: int) -> bool:
    """Whether a side has more than half of the points, or both have half."""
    return bool(max(state.points[0], state.points[1]) >= WIN_POINTS or state.points[0] + state.points[1] == ALL_POINTS)


def another_deal_follows(state: Record) -> bool:
    """Whether no side has reached the limit of the match (rule 9)."""
    return bool(max(state.totals[0], state.totals[1]) < state.match)


@kernel
def side_of(state: Record, seat: int) -> int:
    """Partners sit opposite each other."""
    return int(seat) % SIDES


@kernel
def scores(state: Record, out: Array) -> None:
    """Write each seat's score, which is its side's: card points, or in a match the game points of the deals over."""
    for seat in range(out.shape[0]):
        out[seat] = state.totals[seat % SIDES] if state.match > 0 else state.points[seat % SIDES]


@kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """A finished deal as the search sees it, the same for partners; points are the side's lead, from 0 to 1."""
    for seat in range(out.shape[0]):
        out[seat] = state.points[seat % SIDES]
    if kind in (WIN, WIN_OR_LOSS):
        win_rewards(state, 1.0, kind, out)
        return
    lead = float(state.points[0]) - float(state.points[1])
    for seat in range(out.shape[0]):
        own = lead if seat % SIDES == 0 else -lead
        if kind == POINTS:
            out[seat] = 0.5 + 0.5 * own / ALL_POINTS
        else:
            out[seat] = difference_reward(own)
        if kind == HYBRID:
            win = 1.0 if own > 0.0 else 0.5 if own == 0.0 else 0.0
            out[seat] = WEIGHT_OF_WIN * win + (1.0 - WEIGHT_OF_WIN) * (0.5 + 0.5 * out[seat])


@kernel
def difference_reward(lead: float) -> float:
    """The game points of the winner, as quarters of 4; for the loser the same below 0 (Fernandes 2016, section 5.3)."""
    value = game_points(int((ALL_POINTS + abs(lead)) / 2.0)) / WHOLE_WIN_VALUE
    return value if lead >= 0.0 else -value
