"""Hearts by rules of thumb that know the moon: a strong hand tries to shoot it, and the others try to stop it.

The rules of heuristics.py never shoot. These are for judging a hand before play, where it matters who could: a seat whose
cards can take nearly every trick leads from the top and keeps the lead, as long as nobody else has taken a point. All other
seats play as in heuristics.py; against a seat that alone has many points they keep their high cards.
"""

from typing import Any

from facedown.cards import HEARTS, NO_CARDS, SPADES, SUIT_MASK, SUIT_SIZE, bit, or_else, random_card, suit_of
from facedown.games.hearts.heuristics import (
    ONE,
    QUEEN,
    card_to_dump,
    card_to_follow,
    card_to_lead,
    cards_played,
    highest_card,
    shooter,
)
from facedown.games.hearts.rules import (
    NO_SEAT,
    PASSING,
    QUEEN_OF_SPADES,
    SCORING_CARDS,
    SEATS,
    legal_cards,
    points_taken,
)
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit
from facedown.rng import uniform

EARLY_LOSERS = 3  # cards that will not take a trick, with which a hand may try to shoot the moon: in the first tricks
LATE_LOSERS = 2  # and later
EARLY_TRICKS = 4
CHANCE = 0.35  # how often any legal card is played: values then follow real games best, see docs/hearts.md
DEALT_LOSERS = 8  # before three cards are passed
HEART_LOSER = 2  # one of hearts counts as much: it is lost with a point
FOLLOWERS = 3  # cards of a suit that the others play to a trick, as long as they have some
GUARDS = 4  # other spades that protect the queen of spades, king or ace


@kernel
def losers(hand: Any, others: Any, most: int) -> int:
    """The cards of a hand that will not take a trick if it plays from the top, and the others hold `others`.

    Where there are more than `most`, some of them are not counted.
    """
    found = 0
    for suit in range(HEARTS, -1, -1):
        held = hand & SUIT_MASK[suit]
        against = others & SUIT_MASK[suit]
        weight = HEART_LOSER if suit == HEARTS else 1
        while held != NO_CARDS and against != NO_CARDS:
            card = bit(highest_card(held))
            held &= ~card
            followers = FOLLOWERS
            if card < against:  # some card of the others is higher
                found += weight
                if found > most:
                    return found
                against &= ~bit(highest_card(against))
                followers -= 1
            for _ in range(followers):
                against &= against - ONE if against != NO_CARDS else NO_CARDS
    return found


@kernel
def may_shoot(state: Record) -> bool:
    """Whether the seat to move tries to shoot the moon: nobody else has a point, and its hand is strong enough."""
    seat = state.to_move
    if not state.moon or points_taken(state) != state.points[seat]:
        return False
    if state.in_trick > 0 and state.trick_points > 0 and state.winner != seat:
        above = legal_cards(state) & SUIT_MASK[state.suit_led]
        if above < bit(state.winning_card):
            return False
    hand = state.hands[seat]
    few = EARLY_LOSERS if state.tricks_played < EARLY_TRICKS else LATE_LOSERS
    return losers(hand, ~(cards_played(state) | hand), few) <= few


@kernel
def card_to_shoot(state: Record, choice: Any) -> int:
    """What takes this trick, and keeps the lead: from the top; else the card that is least use."""
    hand = state.hands[state.to_move]
    others = ~(cards_played(state) | hand)
    if state.in_trick > 0:
        following = choice & SUIT_MASK[state.suit_led]
        above = following & ~(bit(state.winning_card) - ONE)
        if above == NO_CARDS:
            return lowest_bit(following) if following != NO_CARDS else useless_card(choice, others)
        if state.in_trick == SEATS - 1:
            return lowest_bit(above)
        return highest_card(above)
    best = -1
    longest = -1
    for suit in range(4):
        held = choice & SUIT_MASK[suit]
        if held > others & SUIT_MASK[suit]:
            length = count_ones(held)
            if length > longest:
                longest = length
                best = highest_card(held)
    return best if best >= 0 else useless_card(choice, others)


@kernel
def useless_card(choice: Any, others: Any) -> int:
    """The lowest card of a suit in which the others hold higher ones; no heart if possible."""
    best = -1
    least = 2 * SUIT_SIZE + 1
    for suit in range(4):
        held = choice & SUIT_MASK[suit]
        if held == NO_CARDS:
            continue
        card = lowest_bit(held)
        above = count_ones(others & SUIT_MASK[suit] & ~(bit(card) - ONE))
        worth = SUIT_SIZE - above + (SUIT_SIZE if suit == HEARTS else 0)
        if worth < least:
            least = worth
            best = card
    return best


@kernel
def card_to_pass(state: Record, choice: Any) -> int:
    """The card that a hand is best rid of before play; the lowest ones, where the rest can shoot the moon."""
    hand = state.hands[state.to_move] | state.passed[state.to_move]
    if state.moon and losers(hand, ~hand, DEALT_LOSERS) <= DEALT_LOSERS:
        return useless_card(choice, ~hand)
    best = -1
    most = -100
    cards = choice
    while cards != NO_CARDS:
        card = lowest_bit(cards)
        cards &= cards - ONE
        danger = danger_of(hand, choice, card)
        if danger > most:
            most = danger
            best = card
    return best


@kernel
def danger_of(hand: Any, left: Any, card: int) -> int:
    """How much a hand would like to be rid of a card; `left` are the cards that are still in it."""
    suit = suit_of(card)
    rank = card - suit * SUIT_SIZE
    held = left & SUIT_MASK[suit]
    below = count_ones(held & (bit(card) - ONE))
    length = count_ones(held)
    if suit == SPADES:
        if card < QUEEN_OF_SPADES:
            return -20 - rank if hand & (QUEEN | QUEEN << ONE | QUEEN << ONE + ONE) != NO_CARDS else -10
        guarded = length > GUARDS
        if card == QUEEN_OF_SPADES:
            return -5 if guarded else 30
        return 0 if guarded else 20 + rank
    danger = rank - 2 * below + (2 if suit == HEARTS else 0)
    if length <= 3 and suit != HEARTS:
        danger += 3
    return danger


@kernel
def bold_card(state: Record, rng: Array) -> int:
    """A legal card by these rules; who does not shoot the moon sometimes plays any."""
    choice = legal_cards(state)
    if choice & (choice - ONE) == NO_CARDS:
        return lowest_bit(choice)
    if state.phase == PASSING:
        return card_to_pass(state, choice)
    if may_shoot(state):
        return card_to_shoot(state, choice)
    if uniform(rng) < CHANCE:
        return random_card(choice, rng)
    if state.in_trick == 0:
        return card_to_lead(state, choice, rng)
    if choice & SUIT_MASK[state.suit_led] != NO_CARDS:
        return card_to_follow(state, choice)
    moon = shooter(state)
    if moon != NO_SEAT and moon == state.winner:
        return useless_card(or_else(choice & ~SCORING_CARDS, choice), ~(cards_played(state) | choice))
    return card_to_dump(state, choice, rng)


@kernel
def choose(state: Record, style: int, actions: Array, rng: Array) -> int:
    """See bold_card."""
    return bold_card(state, rng)
