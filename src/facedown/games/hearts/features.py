"""What a player of Hearts may look at when it chooses a card: the features of the learnt policy, by the kind of choice.

Each kind of choice (pass, lead, follow, discard) has features of its own; those of the other kinds are 0. Only what the
seat to act may see goes in: its hand, and what all have seen.
"""

from typing import Any, NamedTuple

from facedown.cards import CLUBS, HEARTS, NO_CARDS, SPADES, SUIT_MASK, SUIT_SIZE, bit, suit_of
from facedown.games.hearts.feature_names import COLLECTS, DISCARD, END, FOLLOW, LEAD, PASS, SEAT_FEATURES
from facedown.games.hearts.heuristics import HIGH_SPADES, ONE, QUEEN, cards_played, highest_card
from facedown.games.hearts.rules import (
    PASSING,
    QUEEN_OF_SPADES,
    SCORING_CARDS,
    SEATS,
    all_points,
    deck_of,
    hand_size,
    points_taken,
)
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit

STRONG = 8.0  # cards that nobody beats, of a hand whose strength is 1


@kernel
def strength(hand: Any, others: Any) -> float:
    """How much of a hand wins tricks when it leads: cards above all that others hold, and the length behind them; to 1."""
    count = 0.0
    for suit in range(4):
        held = hand & SUIT_MASK[suit]
        out = others & SUIT_MASK[suit]
        if held == NO_CARDS:
            continue
        above = held
        if out != NO_CARDS:
            highest = out
            while highest & (highest - ONE) != NO_CARDS:
                highest &= highest - ONE
            above = held & ~(highest - ONE)
        sure = count_ones(above)
        count += sure
        if sure >= 2:  # long suits run out
            count += 0.5 * min(sure, count_ones(held) - sure)
    return min(1.0, count / STRONG)


@kernel
def collector(state: Record, seat: int) -> float:
    """How far another seat is that has all points so far: 0 to 1; 0 where there is none."""
    taken = points_taken(state)
    if taken == 0 or not state.moon:
        return 0.0
    for other in range(SEATS):
        if other != seat and state.points[other] == taken:
            return taken / all_points(state)
    return 0.0


class Situation(NamedTuple):
    """What the seat to act sees, as far as all its cards share it."""

    hand: Any
    others: Any  # cards that the other seats hold
    strength: float  # of the hand, while the seat may still shoot the moon
    alone: float  # it has all points so far: above 0
    collects: float  # another seat has them


@kernel
def situation(state: Record) -> Situation:
    """How things stand for the seat to act."""
    seat = int(state.to_move)
    hand = state.hands[seat]
    others = deck_of(state) & ~(hand | cards_played(state))
    taken = points_taken(state)
    power = 0.0
    alone = 0.0
    if state.moon and state.points[seat] == taken:
        power = strength(hand, others)
        alone = 0.0 if taken == 0 else 0.3 + 0.7 * taken / all_points(state)
    return Situation(hand, others, power, alone, collector(state, seat))


@kernel
def out_below(card: int, suit: int, others: Any) -> int:
    """How many lower cards of the suit the others hold."""
    return count_ones(others & SUIT_MASK[suit] & (bit(card) - ONE))


@kernel
def action_features(state: Record, actions: Array, count: int, out: Array) -> tuple[int, int]:
    """A row for each of these cards, which are all legal ones; which of FEATURES they are: those of one kind of choice."""
    seen = situation(state)
    first, last = PASS, LEAD
    if state.phase != PASSING:
        first, last = LEAD, FOLLOW
        if state.in_trick > 0:
            first, last = FOLLOW, DISCARD
            if seen.hand & SUIT_MASK[state.suit_led] == NO_CARDS:
                first, last = DISCARD, END
    for row in range(count):
        for column in range(last - first):
            out[row, column] = 0.0
        if first == PASS:
            pass_features(actions[row], seen, out[row])
        elif first == LEAD:
            lead_features(state, actions[row], seen, out[row])
        elif first == FOLLOW:
            follow_features(state, actions[row], seen, out[row])
        else:
            discard_features(state, actions[row], seen, out[row])
    return first, last


@kernel
def pass_features(card: int, seen: Situation, out: Array) -> None:
    """Of a card to pass; the cards set aside already are not in the hand."""
    suit = suit_of(card)
    rank = (card - suit * SUIT_SIZE) / 12.0
    held = seen.hand & SUIT_MASK[suit]
    length = count_ones(held)
    below = count_ones(held & (bit(card) - ONE))
    if card == QUEEN_OF_SPADES:
        out[0] = 1.0
        out[1] = length / 5.0
    elif suit == SPADES and card > QUEEN_OF_SPADES:
        out[2] = 1.0
        out[3] = length / 5.0
    elif suit == SPADES:
        out[4] = 1.0
        out[5] = 1.0 if below + 1 < length else 0.0
    elif suit == HEARTS:
        out[6] = 1.0
        out[7] = rank
        out[8] = below / 5.0
    if suit != SPADES:
        out[9] = rank
        out[10] = rank * rank
        out[11] = below / 5.0
    out[12] = length / 5.0
    out[13] = 1.0 if length == 1 else 0.0
    out[14] = 1.0 if suit == CLUBS else 0.0
    out[15] = seen.strength * rank
    out[16] = seen.strength * (1.0 - rank) if suit != HEARTS else 0.0
    out[17] = seen.strength if suit == HEARTS else 0.0


@kernel
def lead_features(state: Record, card: int, seen: Situation, out: Array) -> None:
    """Of a card to lead."""
    suit = suit_of(card)
    held = seen.hand & SUIT_MASK[suit]
    length = count_ones(held)
    total = count_ones(seen.others & SUIT_MASK[suit])
    lower = out_below(card, suit, seen.others)
    share = lower / total if total > 0 else 1.0
    sure = 1.0 if lower == total else 0.0
    queen_out = seen.others & QUEEN != NO_CARDS
    out[0] = 1.0 if suit == SPADES else 0.0
    out[1] = 1.0 if suit == HEARTS else 0.0
    out[2] = 1.0 if total == 0 else 0.0
    out[3] = share
    out[4] = share * share
    out[5] = sure
    out[6] = length / 5.0
    out[7] = 1.0 if length == 1 else 0.0
    out[8] = 1.0 if held & (bit(card) - ONE) == NO_CARDS else 0.0
    out[9] = (hand_size(state) - total - length) / 13.0
    if suit == SPADES:
        out[10] = 1.0 if queen_out and card < QUEEN_OF_SPADES else 0.0
        out[11] = 1.0 if queen_out and card > QUEEN_OF_SPADES else 0.0
        out[12] = 1.0 if card == QUEEN_OF_SPADES else 0.0
        out[13] = 1.0 if card != QUEEN_OF_SPADES and held & QUEEN != NO_CARDS else 0.0
    out[14] = sure * seen.alone
    out[15] = share * seen.alone
    out[16] = sure * seen.strength
    out[17] = share * seen.strength
    out[18] = sure * seen.strength * seen.alone
    out[19] = seen.strength if suit == HEARTS else 0.0
    out[20] = seen.alone if suit == HEARTS else 0.0
    out[21] = sure * seen.collects
    out[22] = seen.collects if suit == HEARTS else 0.0
    out[23] = share * seen.collects


@kernel
def follow_features(state: Record, card: int, seen: Situation, out: Array) -> None:
    """Of a card of the suit led."""
    suit = suit_of(card)
    rank = (card - suit * SUIT_SIZE) / 12.0
    held = seen.hand & SUIT_MASK[suit]
    total = count_ones(seen.others & SUIT_MASK[suit])
    lower = out_below(card, suit, seen.others)
    share = lower / total if total > 0 else 1.0
    points = state.trick_points / 13.0
    with_points = 1.0 if state.trick_points > 0 else 0.0
    last = 1.0 if state.in_trick == SEATS - 1 else 0.0
    queen_out = seen.others & QUEEN != NO_CARDS
    high_spade = bit(card) & HIGH_SPADES != NO_CARDS
    if card > state.winning_card:
        out[0] = 1.0
        out[1] = last
        out[2] = with_points
        out[3] = points
        out[4] = last * with_points
        out[5] = (total - lower) / 5.0 * (1.0 - last)
        out[6] = 1.0 if held & ~(bit(card) | (bit(card) - ONE)) == NO_CARDS else 0.0
        out[7] = rank
        out[11] = 1.0 if card == QUEEN_OF_SPADES else 0.0
        out[12] = 1.0 if high_spade and queen_out else 0.0
        out[15] = seen.alone
        out[16] = seen.strength
        out[17] = seen.strength * seen.alone
        out[18] = with_points * seen.alone
        out[19] = with_points * seen.strength
        out[21] = seen.collects
        if seen.collects > 0.0 and state.points[state.winner] > 0:
            out[22] = with_points * seen.collects
    else:
        between = held & (bit(state.winning_card) - ONE) & ~(bit(card) | (bit(card) - ONE))
        out[8] = 1.0 if between == NO_CARDS else 0.0
        out[9] = rank
        out[10] = 1.0 if card == QUEEN_OF_SPADES else 0.0
    out[13] = 1.0 if high_spade and queen_out and last > 0.0 else 0.0
    out[14] = rank if state.scoring_barred else 0.0
    out[20] = rank * seen.strength
    out[23] = share


@kernel
def discard_features(state: Record, card: int, seen: Situation, out: Array) -> None:
    """Of a card of another suit than the one led."""
    suit = suit_of(card)
    rank = (card - suit * SUIT_SIZE) / 12.0
    length = count_ones(seen.hand & SUIT_MASK[suit])
    total = count_ones(seen.others & SUIT_MASK[suit])
    lower = out_below(card, suit, seen.others)
    share = lower / total if total > 0 else 0.0
    scores = bit(card) & SCORING_CARDS != NO_CARDS
    queen_out = seen.others & QUEEN != NO_CARDS
    to_collector = seen.collects > 0.0 and state.points[state.winner] > 0
    out[0] = 1.0 if card == QUEEN_OF_SPADES else 0.0
    out[1] = 1.0 if queen_out and bit(card) & HIGH_SPADES != NO_CARDS else 0.0
    out[2] = 1.0 if queen_out and suit == SPADES else 0.0
    out[3] = 1.0 if suit == HEARTS else 0.0
    out[4] = rank if suit == HEARTS else 0.0
    out[5] = rank
    out[6] = share
    out[7] = 1.0 if total > 0 and lower == total else 0.0
    out[8] = 1.0 if length == 1 else 0.0
    out[9] = length / 5.0
    out[10] = 1.0 if total == 0 else 0.0
    out[11] = rank if state.scoring_barred else 0.0
    out[14] = share * seen.alone
    out[15] = share * seen.strength
    out[18] = share * seen.collects
    if scores:
        out[12] = seen.alone
        out[13] = seen.strength
        out[16] = seen.collects if to_collector else 0.0
        out[17] = seen.collects if not to_collector else 0.0
        out[19] = seen.collects if to_collector and card == QUEEN_OF_SPADES else 0.0


@kernel
def seat_features(state: Record, seat: int, out: Array) -> int:
    """What a hand promises: whether to shoot the moon; nothing while cards are passed."""
    if state.phase == PASSING or not state.moon:
        return 0
    hand = state.hands[seat]
    others = deck_of(state) & ~(hand | cards_played(state))
    power = strength(hand, others)
    losing = 0
    losing_hearts = 0
    longest = 0
    for suit in range(4):
        held = hand & SUIT_MASK[suit]
        length = count_ones(held)
        longest = max(longest, length)
        left = held
        while left != NO_CARDS:
            card = lowest_bit(left)
            left &= left - ONE
            higher = count_ones(others & SUIT_MASK[suit] & ~(bit(card) - ONE))
            above = count_ones(held & ~(bit(card) | (bit(card) - ONE)))
            if higher > above:  # those above it do not draw all that beat it
                losing += 1
                losing_hearts += suit == HEARTS
    out[0] = 1.0
    out[1] = power
    out[2] = power * power
    out[3] = losing / 13.0
    out[4] = losing_hearts / 4.0
    out[5] = longest / 13.0
    out[6] = max(0.0, (longest - losing) / 13.0)
    for column in range(COLLECTS, len(SEAT_FEATURES)):
        out[column] = 0.0
    if 2 * state.points[seat] >= all_points(state) and state.points[seat] == points_taken(state):
        out[COLLECTS] = losing / max(1, count_ones(hand))
        collecting_features(state, seat, others, out[COLLECTS + 1 :])
    return len(SEAT_FEATURES)


@kernel
def collecting_features(state: Record, seat: int, others: Any, out: Array) -> None:
    """Of a seat alone with half of all points: how far the cards of this world let it take the rest as well."""
    ranks = 0
    stopped = 0
    for suit in range(4):
        held = state.hands[seat] & SUIT_MASK[suit]
        out_of_it = others & SUIT_MASK[suit]
        left = held
        while left != NO_CARDS:
            ranks += lowest_bit(left) - suit * SUIT_SIZE
            left &= left - ONE
        if held == NO_CARDS or out_of_it == NO_CARDS or lowest_bit(held) > highest_card(out_of_it):
            continue
        masters = count_ones(held & ~(bit(highest_card(out_of_it)) - ONE))
        longest = 0
        for other in range(SEATS):
            if other != seat:
                longest = max(longest, count_ones(state.hands[other] & out_of_it))
        stopped += longest > masters  # somebody still has the suit when the highest are gone
    out[0] = stopped / 4.0
    out[1] = ranks / (12.0 * max(1, count_ones(state.hands[seat])))
    out[2] = 1.0 if stopped == 0 else 0.0
