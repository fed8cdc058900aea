"""What a player of Sueca or Bisca may look at when it chooses a card: the features of the learnt policy.

A lead and a reply have features of their own; those of the other kind are 0. Only what the seat to act may see goes in.
"""

from typing import Any, NamedTuple

import numpy as np

from facedown.cards import NO_CARD, NO_CARDS, SUIT_MASK, bit, random_card, suit_of
from facedown.games.tricks.play import cards_played
from facedown.games.trumps.rules import CARD_POINTS, MOST_SEATS, MOST_STOCK, PACK, PACK_SIZE, SIDES, STRENGTH, beats
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit

LEAD_NAMES = (
    "trump",
    "trump, by strength",
    "points",
    "points of a trump",
    "share of lower cards out",
    "nobody can beat it in its suit",
    "points, nobody can beat it in its suit",
    "nobody else has the suit",
    "by length of the suit",
    "the last of a suit",
    "strength",
    "ace",
    "seven",
    "points, while there is a stock",
    "trump, while there is a stock",
    "nobody can beat it in its suit, while there is a stock",
    "points, by cards played",
    "trump, by cards played",
)
REPLY_NAMES = (
    "takes",
    "takes, by points of the trick",
    "takes, last to play",
    "takes, last to play, by points of the trick",
    "takes by a trump another suit",
    "takes by a trump another suit, by points of the trick",
    "takes, partner was winning",
    "takes, share of lower cards out",
    "takes, own points",
    "strength",
    "points, opponent wins",
    "points, opponent wins, last to play",
    "points, partner wins",
    "points, partner wins, last to play",
    "trump that does not take",
    "strength of a trump",
    "discard of another suit",
    "discard, the last of a suit",
    "discard, by length of the suit",
    "discard, nobody can beat it in its suit",
    "points, while there is a stock",
    "takes, while there is a stock",
    "trump, while there is a stock",
    "takes a poor trick",
)
LEAD, REPLY = 0, len(LEAD_NAMES)
END = REPLY + len(REPLY_NAMES)
FEATURES = (*(f"lead: {name}" for name in LEAD_NAMES), *(f"reply: {name}" for name in REPLY_NAMES))

MOST_POINTS = 11.0
MOST_STRENGTH = 9.0
ACE, SEVEN = 9, 8  # strengths


class Situation(NamedTuple):
    """What the seat to act sees, as far as all its cards share it."""

    hand: Any
    others: Any  # cards it cannot see
    stock: float  # 1 while there is one
    progress: float  # share of the cards played


@kernel
def out_below(card: int, others: Any) -> int:
    """How many weaker cards of its suit a seat cannot see."""
    count = 0
    left = others & SUIT_MASK[suit_of(card)]
    while left != NO_CARDS:
        count += STRENGTH[lowest_bit(left)] < STRENGTH[card]
        left &= left - np.uint64(1)
    return count


@kernel
def action_features(state: Record, actions: Array, count: int, out: Array) -> tuple[int, int]:
    """A row for each of these cards, which are all legal ones; which of FEATURES they are: of a lead, or of a reply."""
    hand = state.hands[state.to_move]
    played = cards_played(state)
    stock = 1.0 if state.stock_left > 0 else 0.0
    seen = Situation(hand, PACK & ~(hand | played), stock, count_ones(played) / PACK_SIZE)
    first, last = (LEAD, REPLY) if state.in_trick == 0 else (REPLY, END)
    for row in range(count):
        for column in range(last - first):
            out[row, column] = 0.0
        if first == LEAD:
            lead_features(state, actions[row], seen, out[row])
        else:
            reply_features(state, actions[row], seen, out[row])
    return first, last


@kernel
def lead_features(state: Record, card: int, seen: Situation, out: Array) -> None:
    """Of a card to lead."""
    suit = suit_of(card)
    trump = 1.0 if suit == state.trump else 0.0
    points = CARD_POINTS[card] / MOST_POINTS
    strength = STRENGTH[card] / MOST_STRENGTH
    length = count_ones(seen.hand & SUIT_MASK[suit])
    total = count_ones(seen.others & SUIT_MASK[suit])
    lower = out_below(card, seen.others)
    sure = 1.0 if lower == total else 0.0
    out[0] = trump
    out[1] = trump * strength
    out[2] = points
    out[3] = points * trump
    out[4] = lower / total if total > 0 else 1.0
    out[5] = sure
    out[6] = sure * points
    out[7] = 1.0 if total == 0 else 0.0
    out[8] = length / 5.0
    out[9] = 1.0 if length == 1 else 0.0
    out[10] = strength
    out[11] = 1.0 if STRENGTH[card] == ACE else 0.0
    out[12] = 1.0 if STRENGTH[card] == SEVEN else 0.0
    out[13] = points * seen.stock
    out[14] = trump * seen.stock
    out[15] = sure * seen.stock
    out[16] = points * seen.progress
    out[17] = trump * seen.progress


@kernel
def reply_features(state: Record, card: int, seen: Situation, out: Array) -> None:
    """Of a card that is played to a trick."""
    suit = suit_of(card)
    trump = 1.0 if suit == state.trump else 0.0
    points = CARD_POINTS[card] / MOST_POINTS
    strength = STRENGTH[card] / MOST_STRENGTH
    worth = state.trick_points / MOST_POINTS
    last = 1.0 if state.in_trick == state.seats - 1 else 0.0
    partner = state.winner % SIDES == state.to_move % SIDES
    length = count_ones(seen.hand & SUIT_MASK[suit])
    total = count_ones(seen.others & SUIT_MASK[suit])
    lower = out_below(card, seen.others)
    takes = beats(card, state.winning_card, state.trump)
    if takes:
        ruffs = 1.0 if trump > 0.0 and suit != state.suit_led else 0.0
        out[0] = 1.0
        out[1] = worth
        out[2] = last
        out[3] = last * worth
        out[4] = ruffs
        out[5] = ruffs * worth
        out[6] = 1.0 if partner else 0.0
        out[7] = lower / total if total > 0 else 1.0
        out[8] = points
        out[21] = seen.stock
        out[23] = 1.0 if state.trick_points == 0 else 0.0
    else:
        out[12 if partner else 10] = points
        out[13 if partner else 11] = points * last
        out[14] = trump
        if suit != state.suit_led and trump == 0.0:
            out[16] = 1.0
            out[17] = 1.0 if length == 1 else 0.0
            out[18] = length / 5.0
            out[19] = 1.0 if lower == total else 0.0
    out[9] = strength
    out[15] = trump * strength
    out[20] = points * seen.stock
    out[22] = trump * seen.stock


# --- The deal that a world comes from ---------------------------------------------------------------------------------


@kernel
def recall(state: Record, world: Record, seat: int, actions: Array) -> int:
    """The hands before any card was played or drawn, and the stock; when which card was drawn is anybody's guess."""
    state.trump = world.trump
    state.shown = world.shown
    stock = PACK_SIZE - int(state.seats) * int(state.hand_size)
    for place in range(MOST_STOCK):
        state.stock[place] = world.stock[place] if place < world.stock_left else NO_CARD
    for holder in range(MOST_SEATS):
        state.hands[holder] = world.hands[holder] | world.played[holder]
    if stock > 0:
        put_draws_back(state, world, actions, stock)
    else:
        state.shown_holder = world.shown_holder
    return 0


@kernel
def put_draws_back(state: Record, world: Record, actions: Array, stock: int) -> None:
    """Take the cards drawn out of the hands, the last draw first: any that was not played before, uniformly."""
    seats = int(state.seats)
    rng = np.empty(2, np.uint64)
    rng[0] = world.hands[0] ^ np.uint64(0x9E3779B97F4A7C15)
    rng[1] = world.hands[1] ^ world.hands[seats - 1] ^ np.uint64(0xD1B54A32D192ED03)
    tricks = actions.shape[0] // seats
    leaders = np.empty(tricks + 1, np.int64)
    leaders[0] = state.leader
    for trick in range(tricks):
        best = 0
        for place in range(1, seats):
            if beats(actions[trick * seats + place], actions[trick * seats + best], state.trump):
                best = place
        leaders[trick + 1] = (leaders[trick] + best) % seats
    draws = (stock - int(world.stock_left)) // seats
    not_yet = NO_CARDS  # cards that are still in a hand, or were played later
    for holder in range(seats):
        not_yet |= world.hands[holder]
    for place in range(tricks * seats, actions.shape[0]):
        not_yet |= bit(actions[place])
    for trick in range(tricks - 1, -1, -1):
        if trick < draws:
            for place in range(seats - 1, -1, -1):
                drawer = (leaders[trick + 1] + place) % seats
                where = stock - 1 - trick * seats - place
                choice = state.hands[drawer] & not_yet & ~bit(state.shown)
                card = int(state.shown) if where == 0 else random_card(choice, rng)
                state.hands[drawer] &= ~bit(card)
                state.stock[where] = card
        for place in range(seats):
            not_yet |= bit(actions[trick * seats + place])
