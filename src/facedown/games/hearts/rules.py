"""The play of Hearts, compiled: the record, the deal, legal cards, tricks and scores. Rule numbers are the package's."""

from typing import Any

import numpy as np

from facedown import cards
from facedown.cards import (
    ALL_CARDS,
    CLUBS,
    DECK_SIZE,
    HEARTS,
    NO_CARDS,
    SPADES,
    SUIT_MASK,
    SUIT_SIZE,
    bit,
    or_else,
    suit_of,
)
from facedown.games.tricks.play import TRICK, end_trick, lay_down, lead, no_tricks, win_so_far
from facedown.kernel import Array, Record, kernel
from facedown.rewards import HYBRID, POINTS, WEIGHT_OF_WIN, WIN, WIN_OR_LOSS
from facedown.rules import win_rewards

SEATS = 4
PASSED_CARDS = 3
NO_SEAT = -1
FACE_DOWN = DECK_SIZE  # how the other seats see a card that is passed

QUEEN_OF_SPADES = SPADES * SUIT_SIZE + 10
SCORING_CARDS = SUIT_MASK[HEARTS] | np.uint64(1 << QUEEN_OF_SPADES)
SEVEN_AND_HIGHER = np.uint64(sum(0x1FE0 << SUIT_SIZE * suit for suit in range(4)))

PASSING, PLAYING, OVER = range(3)
PASSES = ("cycle", "left", "across", "right", "hold")  # the option's choices; places from 1 on are directions
CYCLE, LEFT, ACROSS, RIGHT, HOLD = range(5)

STATE = np.dtype(
    [
        # Options, written before the deal.
        ("deck_size", np.int8),  # 52 or 32
        ("passing", np.int8),  # one of PASSES
        ("lowest_club_leads", np.bool_),
        ("first_trick_points", np.bool_),
        ("break_hearts", np.bool_),
        ("queen_breaks_hearts", np.bool_),
        ("moon", np.bool_),
        ("early_end", np.bool_),
        ("match", np.int16),  # points at which a match ends, 0 for a single deal
        # The match so far.
        ("totals", np.int16, SEATS),  # points of the deals that are over
        ("deals", np.int16),  # how many are over
        # This deal.
        ("hands", np.uint64, SEATS),
        ("passed", np.uint64, SEATS),  # cards a seat has passed, set aside until all have chosen
        ("played", np.uint64, SEATS),  # cards a seat has played
        ("not_held", np.uint64, SEATS),  # cards a seat has shown not to hold: by discarding, or by leading a heart it had to
        ("trick", np.int8, SEATS),  # the card of each seat in this trick; before it plays, its card in the last one
        ("points", np.int8, SEATS),  # points taken, before rule 9
        ("phase", np.int8),
        ("direction", np.int8),  # LEFT, ACROSS, RIGHT or HOLD
        ("chosen", np.int8),  # cards set aside so far, by all seats together
        ("opener", np.int8),  # who was dealt or passed the lowest club, once play has begun
        *TRICK,
        ("hearts_broken", np.bool_),
        ("scoring_barred", np.bool_),  # rule 5 is in force
    ]
)


# --- The deal ---------------------------------------------------------------------------------------------------------


@kernel
def deck_of(state: Record) -> Any:
    """The cards of the game."""
    return ALL_CARDS if state.deck_size == DECK_SIZE else SEVEN_AND_HIGHER


@kernel
def lowest_club(state: Record) -> int:
    """The card that decides who leads first."""
    return CLUBS * SUIT_SIZE + (0 if state.deck_size == DECK_SIZE else 5)


@kernel
def hand_size(state: Record) -> int:
    """How many cards each seat is dealt."""
    return int(state.deck_size) // SEATS


@kernel
def all_points(state: Record) -> int:
    """The points of a whole deal (rule 8)."""
    return int(state.deck_size) // SEATS * 2


@kernel
def deal(state: Record, rng: Array) -> None:
    """Shuffle, deal, and start with the passing or the first trick."""
    pack = deck_of(state)
    for seat in range(SEATS):
        state.hands[seat] = cards.random_cards(pack, hand_size(state), rng)
        pack &= ~state.hands[seat]
        state.passed[seat] = NO_CARDS
        state.points[seat] = 0
    state.chosen = 0
    state.opener = NO_SEAT
    state.leader = NO_SEAT
    state.to_move = 0
    no_tricks(state)
    state.hearts_broken = not state.break_hearts
    state.scoring_barred = not state.first_trick_points
    state.direction = state.passing
    if state.passing == CYCLE:
        state.direction = LEFT + state.deals % 4
    state.phase = PASSING
    if state.direction == HOLD:
        begin_play(state)


@kernel
def begin_play(state: Record) -> None:
    """The holder of the lowest club leads (rule 3)."""
    state.phase = PLAYING
    for seat in range(SEATS):
        if state.hands[seat] & bit(lowest_club(state)) != NO_CARDS:
            state.opener = seat
            state.leader = seat
            state.to_move = seat


# --- Moves ------------------------------------------------------------------------------------------------------------


@kernel
def legal_cards(state: Record) -> Any:
    """The cards the seat to move may pass or play (rules 2 to 6)."""
    choice = state.hands[state.to_move]
    if state.phase == PASSING:
        return choice
    if state.in_trick > 0:
        choice = or_else(choice & SUIT_MASK[state.suit_led], choice)  # 4. follow suit
    elif state.tricks_played == 0 and state.lowest_club_leads:
        return bit(lowest_club(state))  # 3. the lowest club opens
    elif not state.hearts_broken:
        choice = or_else(choice & ~SUIT_MASK[HEARTS], choice)  # 6. hearts wait until broken
    if state.scoring_barred:
        choice = or_else(choice & ~SCORING_CARDS, choice)  # 5. no points on the first trick
    return choice


@kernel
def legal(state: Record, actions: Array) -> int:
    """Write the cards the seat to move may pass or play."""
    return cards.write_cards(legal_cards(state), actions)


@kernel
def turns(state: Record) -> int:
    """A turn is a card, passed or played."""
    return int(state.chosen) + SEATS * int(state.tricks_played) + int(state.in_trick)


@kernel
def episode(state: Record) -> int:
    """An episode is a trick, and the first one the passing of cards."""
    return 0 if state.phase == PASSING else 1 + int(state.tricks_played)


@kernel
def apply(state: Record, action: int) -> None:
    """Pass or play a card."""
    if state.phase == PASSING:
        set_aside(state, action)
    else:
        play(state, action)


@kernel
def receiver(state: Record, seat: int) -> int:
    """Who gets the cards a seat passes."""
    return (seat + int(state.direction)) % SEATS  # LEFT, ACROSS and RIGHT are 1, 2 and 3 seats on


@kernel
def set_aside(state: Record, card: int) -> None:
    """Choose a card to pass; when all have chosen, the cards change hands at once (rule 2)."""
    seat = state.to_move
    state.hands[seat] &= ~bit(card)
    state.passed[seat] |= bit(card)
    state.chosen += 1
    state.to_move = state.chosen // PASSED_CARDS
    if state.chosen == SEATS * PASSED_CARDS:
        for giver in range(SEATS):
            state.hands[receiver(state, giver)] |= state.passed[giver]
        begin_play(state)


@kernel
def play(state: Record, card: int) -> None:
    """Play a card to the trick, and note what it shows about the hand it came from."""
    seat = state.to_move
    suit = suit_of(card)
    forced_to_score = state.scoring_barred and bit(card) & SCORING_CARDS != NO_CARDS
    if state.in_trick == 0:
        if forced_to_score:
            state.not_held[seat] |= ~SCORING_CARDS  # 5. it had nothing else to lead
        if suit == HEARTS and not state.hearts_broken:
            state.not_held[seat] |= ~SUIT_MASK[HEARTS]  # 6. nor any other suit
        lead(state, card)
    elif suit == state.suit_led:
        if forced_to_score:
            state.not_held[seat] |= SUIT_MASK[suit] & ~SCORING_CARDS  # 5. it had nothing else to follow with
        if card > state.winning_card:
            win_so_far(state, card)
    else:
        state.not_held[seat] |= SUIT_MASK[state.suit_led]  # 4. it could not follow
        if forced_to_score:
            state.not_held[seat] |= ~SCORING_CARDS  # 5. it had nothing else to discard
    if suit == HEARTS:
        state.hearts_broken = True
        state.trick_points += 1
    elif card == QUEEN_OF_SPADES:
        state.trick_points += hand_size(state)
        if state.queen_breaks_hearts:
            state.hearts_broken = True
    lay_down(state, card, SEATS)
    if state.in_trick == SEATS:
        take_trick(state)


@kernel
def take_trick(state: Record) -> None:
    """The winner takes the trick and leads to the next (rule 7); perhaps the deal is over."""
    state.points[state.winner] += state.trick_points
    end_trick(state)
    state.scoring_barred = False
    if state.tricks_played == hand_size(state) or (state.early_end and points_taken(state) == all_points(state)):
        end_deal(state)


@kernel
def end_deal(state: Record) -> None:
    """Write the deal's scores down."""
    state.phase = OVER
    state.deals += 1
    for seat in range(SEATS):
        state.totals[seat] += deal_score(state, seat)


# --- Scores -----------------------------------------------------------------------------------------------------------


@kernel
def points_taken(state: Record) -> int:
    """The points of all tricks so far."""
    total = 0
    for seat in range(SEATS):
        total += state.points[seat]
    return total


@kernel
def deal_score(state: Record, seat: int) -> int:
    """What a seat scores in this deal as it stands (rules 8 and 9)."""
    if state.moon:
        for shooter in range(SEATS):
            if state.points[shooter] == all_points(state):
                return 0 if shooter == seat else all_points(state)
    return int(state.points[seat])


@kernel
def is_over(state: Record) -> bool:
    """Whether the deal has ended."""
    return bool(state.phase == OVER)


@kernel
def is_decided(state: Record, seat: int) -> bool:
    """Whether a seat is ahead by more than all points left, or so far behind that they do not bring all others up to it."""
    own = int(state.points[seat])
    left = all_points(state) - points_taken(state)
    lowest = all_points(state)
    others = 0
    missing = 0  # what the others need to have as many points as this seat
    for other in range(SEATS):
        if other != seat:
            lowest = min(lowest, int(state.points[other]))
            others += state.points[other]
            missing += max(0, own - int(state.points[other]))
    may_shoot = state.moon and others == 0
    return own + left < lowest or (missing > left and not may_shoot)


def another_deal_follows(state: Record) -> bool:
    """Whether no seat has reached the limit of the match (rule 10)."""
    return bool(max(state.totals) < state.match)


@kernel
def scores(state: Record, out: Array) -> None:
    """Write each seat's points: of this deal, or of the match so far."""
    for seat in range(SEATS):
        out[seat] = deal_score(state, seat)
        if state.match > 0:
            out[seat] = state.totals[seat] + (0 if state.phase == OVER else deal_score(state, seat))


@kernel
def reward(state: Record, kind: int, out: Array) -> None:
    """A finished deal as the search sees it.

    Points are the sum of the others' leads (Manzke 2025, eq. 4.1), from 0 to 1: a seat that shoots the moon is three times
    all the points ahead, and one that takes them all where there is no moon is as far behind.
    """
    total = 0.0
    lowest = 3.0 * all_points(state)
    for seat in range(SEATS):
        out[seat] = deal_score(state, seat)
        total += out[seat]
        lowest = min(lowest, out[seat])
    if kind in (WIN, WIN_OR_LOSS):
        win_rewards(state, -1.0, kind, out)
        return
    winners = 0
    for seat in range(SEATS):
        winners += out[seat] == lowest
    for seat in range(SEATS):
        score = out[seat]
        if kind == POINTS:
            out[seat] = 0.5 + 0.5 * (total - SEATS * score) / (3.0 * all_points(state))
        else:
            out[seat] = difference_reward(lowest - score, all_points(state))
        if kind == HYBRID:
            win = 0.0 if score > lowest else 1.0 if winners == 1 else 0.5
            out[seat] = WEIGHT_OF_WIN * win + (1.0 - WEIGHT_OF_WIN) * (0.5 + 0.5 * out[seat])


@kernel
def difference_reward(behind: float, most: int) -> float:
    """The winner's score less a seat's own, in seven steps (Fernandes 2016, section 5.3); its table is for 26 points."""
    points = behind * 26.0 / most
    if points == 0.0:
        return 1.0
    if points > -7.0:
        return 0.5
    if points > -13.0:
        return 0.25
    if points == -13.0:
        return 0.0
    if points > -19.0:
        return -0.25
    if points > -26.0:
        return -0.5
    return -1.0
