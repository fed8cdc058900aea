"""Whether a seat takes every point that is left, whatever the other three do, where all cards lie open.

A search of yes and no, for the seat against the three together: a trick with points that goes to another seat is the end of
it, and so is the last scoring card. The exact solution of an ending asks far more, the points of all seats.

    frames:   depth 0 ── card ──> depth 1 ── card ──> ...      one record each: hands, trick, cards not tried yet

Of cards that do the same, being neighbours among the cards left, one is tried. Positions between tricks are kept in a table:
the four hands themselves, with who leads, who collects and whether hearts are broken in the bits that no card uses. So no
two positions are mistaken for each other, and a table serves any number of worlds of one game and its options.
"""

from typing import Any, NamedTuple

import numpy as np

from facedown.cards import DECK_SIZE, HEARTS, NO_CARDS, SUIT_MASK, bit, or_else, suit_of
from facedown.games.hashing import mixed
from facedown.games.hearts.heuristics import highest_card
from facedown.games.hearts.rules import QUEEN_OF_SPADES, SCORING_CARDS, SEATS
from facedown.kernel import Array, Record, count_ones, kernel, lowest_bit, new_records

NO, YES, UNKNOWN = range(3)

MOST_STEPS = 40_000  # of one test: about one in a hundred needs more
TABLE_BITS = 14
LEADER, COLLECTOR, BROKEN, MET, TAKEN = (np.uint64(DECK_SIZE + place) for place in (0, 2, 4, 5, 6))  # bits above the cards

FRAME = np.dtype(
    [
        ("hands", np.uint64, SEATS),
        ("left", np.uint64),  # cards of the seat to move that are not tried yet
        ("to_move", np.int64),
        ("in_trick", np.int64),  # cards in this trick
        ("suit_led", np.int64),
        ("winner", np.int64),  # who is winning the trick
        ("winning_card", np.int64),
        ("trick_scores", np.bool_),
        ("hearts_broken", np.bool_),
        ("all_taken", np.bool_),  # the answer so far
    ],
    align=True,
)


class Room(NamedTuple):
    """What a test works in; kept from one to the next."""

    frames: Array  # [DECK_SIZE + 1]
    table: Array  # [positions, SEATS]


def new_room() -> Room:
    """Room for tests, one at a time."""
    return Room(new_records(DECK_SIZE + 1, FRAME), np.zeros((1 << TABLE_BITS, SEATS), np.uint64))


@kernel
def cards_to_try(frame: Record) -> Any:
    """The cards of the seat to move that differ in what they do; the rules of the first trick are left out (4 and 6)."""
    hand = frame.hands[frame.to_move]
    choice = hand
    in_play = frame.hands[0] | frame.hands[1] | frame.hands[2] | frame.hands[3]
    if frame.in_trick > 0:
        choice = or_else(hand & SUIT_MASK[frame.suit_led], hand)
        in_play |= bit(frame.winning_card)
    elif not frame.hearts_broken:
        choice = or_else(hand & ~SUIT_MASK[HEARTS], hand)
    different = choice
    left = choice
    while left != NO_CARDS:
        card = lowest_bit(left)
        left &= left - np.uint64(1)
        above = in_play & SUIT_MASK[suit_of(card)] & ~(bit(card + 1) - np.uint64(1))
        if above == NO_CARDS:
            continue
        neighbour = lowest_bit(above)
        if choice & bit(neighbour) != NO_CARDS and card != QUEEN_OF_SPADES and neighbour != QUEEN_OF_SPADES:
            different &= ~bit(card)
    return different


@kernel
def open_frame(frame: Record, seat: int) -> None:
    """Begin with a position: nothing is tried, and who is to move has not got its way."""
    frame.left = cards_to_try(frame)
    frame.all_taken = frame.to_move != seat


@kernel
def copy_position(state: Record, frame: Record) -> None:
    """Take what matters of a game in progress."""
    for seat in range(SEATS):
        frame.hands[seat] = state.hands[seat]
    frame.to_move = state.to_move
    frame.in_trick = state.in_trick
    frame.suit_led = state.suit_led
    frame.winner = state.winner
    frame.winning_card = state.winning_card
    frame.trick_scores = state.trick_points > 0
    frame.hearts_broken = state.hearts_broken


@kernel
def play_into(frame: Record, card: int, queen_breaks: bool, after: Record) -> None:
    """The position after a card; a trick that is complete is still on the table."""
    suit = suit_of(card)
    for seat in range(SEATS):
        after.hands[seat] = frame.hands[seat]
    after.hands[frame.to_move] &= ~bit(card)
    after.to_move = (frame.to_move + 1) % SEATS
    after.in_trick = frame.in_trick + 1
    after.suit_led = frame.suit_led
    after.winner = frame.winner
    after.winning_card = frame.winning_card
    after.trick_scores = frame.in_trick > 0 and frame.trick_scores
    if frame.in_trick == 0:
        after.suit_led = suit
    if frame.in_trick == 0 or (suit == frame.suit_led and card > frame.winning_card):
        after.winner = frame.to_move
        after.winning_card = card
    if bit(card) & SCORING_CARDS != NO_CARDS:
        after.trick_scores = True
    after.hearts_broken = frame.hearts_broken or suit == HEARTS or (queen_breaks and card == QUEEN_OF_SPADES)


@kernel
def runs_every_suit(frame: Record, seat: int) -> bool:
    """Whether a seat that leads takes all tricks from the top: the lower cards of a suit count once nobody else has any."""
    others = frame.hands[0] | frame.hands[1] | frame.hands[2] | frame.hands[3]
    others &= ~frame.hands[seat]
    for suit in range(4):
        held = frame.hands[seat] & SUIT_MASK[suit]
        against = others & SUIT_MASK[suit]
        if held == NO_CARDS or against == NO_CARDS or lowest_bit(held) > highest_card(against):
            continue
        masters = count_ones(held & ~(bit(highest_card(against)) - np.uint64(1)))
        for other in range(SEATS):
            if other != seat and count_ones(frame.hands[other] & against) > masters:
                return False
    return True


@kernel
def take_trick(frame: Record, seat: int) -> int:
    """The winner leads to the next trick; the answer, where this trick gives it."""
    frame.in_trick = 0
    frame.to_move = frame.winner
    if frame.trick_scores and frame.winner != seat:
        return NO
    in_hands = frame.hands[0] | frame.hands[1] | frame.hands[2] | frame.hands[3]
    if in_hands & SCORING_CARDS == NO_CARDS or (frame.winner == seat and runs_every_suit(frame, seat)):
        return YES
    return UNKNOWN


@kernel
def next_card(frame: Record, seat: int) -> int:
    """The likeliest card to get its player's way: the highest, but against the seat high cards are not thrown away."""
    discards = frame.in_trick > 0 and suit_of(lowest_bit(frame.left)) != frame.suit_led
    if frame.to_move != seat and discards and frame.winner == seat:
        return lowest_bit(frame.left)
    return highest_card(frame.left)


# --- The table --------------------------------------------------------------------------------------------------------


@kernel
def first_word(frame: Record, seat: int) -> Any:
    """The first hand, and all else that tells positions between tricks apart."""
    about = np.uint64(frame.to_move) << LEADER | np.uint64(seat) << COLLECTOR | np.uint64(frame.hearts_broken) << BROKEN
    return frame.hands[0] | about | np.uint64(1) << MET


@kernel
def slot_of(frame: Record, table: Array) -> int:
    """Where a position belongs."""
    key = mixed(mixed(frame.hands[0], frame.hands[1]), frame.hands[2] | np.uint64(frame.to_move) << LEADER)
    return int(key & np.uint64(table.shape[0] - 1))


@kernel
def remembered(frame: Record, seat: int, table: Array) -> int:
    """The answer for a position between tricks that was met before."""
    row = table[slot_of(frame, table)]
    if row[0] != first_word(frame, seat) or row[1] != frame.hands[1] or row[2] != frame.hands[2]:
        return UNKNOWN
    if row[3] == frame.hands[3]:
        return NO
    return YES if row[3] == frame.hands[3] | np.uint64(1) << TAKEN else UNKNOWN


@kernel
def remember(frame: Record, seat: int, table: Array) -> None:
    """Keep the answer for a position between tricks; it takes the place of another."""
    row = table[slot_of(frame, table)]
    row[0] = first_word(frame, seat)
    row[1] = frame.hands[1]
    row[2] = frame.hands[2]
    row[3] = frame.hands[3] | np.uint64(frame.all_taken) << TAKEN


# --- The test ---------------------------------------------------------------------------------------------------------


@kernel
def answered_at_once(state: Record, seat: int) -> int:
    """The answer where no card need be tried: another seat has points, or there are none left."""
    points = 0
    for other in range(SEATS):
        points += state.points[other]
    if points > state.points[seat]:
        return NO
    in_hands = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3]
    return YES if in_hands & SCORING_CARDS == NO_CARDS and state.trick_points == 0 else UNKNOWN


@kernel
def takes_all(state: Record, seat: int, room: Any) -> int:
    """YES if no other seat can keep a point from `seat`, or NO; UNKNOWN before the second trick, or if it takes too long."""
    if state.tricks_played == 0:
        return UNKNOWN
    answer = answered_at_once(state, seat)
    if answer != UNKNOWN:
        return answer
    frames, table = room
    copy_position(state, frames[0])
    open_frame(frames[0], seat)
    depth = 0
    for _ in range(MOST_STEPS):
        # Step 1. Done with a frame: its mover has got its way, or has tried everything.
        frame = frames[depth]
        if frame.left == NO_CARDS or frame.all_taken == (frame.to_move == seat):
            if frame.in_trick == 0:
                remember(frame, seat, table)
            if depth == 0:
                return YES if frame.all_taken else NO
            depth -= 1
            answer = YES if frame.all_taken else NO
        else:
            # Step 2. Play the next card; perhaps the answer is known.
            card = next_card(frame, seat)
            frame.left &= ~bit(card)
            after = frames[depth + 1]
            play_into(frame, card, state.queen_breaks_hearts, after)
            answer = UNKNOWN
            if after.in_trick == SEATS:
                answer = take_trick(after, seat)
                if answer == UNKNOWN:
                    answer = remembered(after, seat, table)
            if answer == UNKNOWN:
                open_frame(after, seat)
                depth += 1
                continue
        # Step 3. An answer counts for the frame above if it is what its mover wants.
        above = frames[depth]
        if (answer == YES) == (above.to_move == seat):
            above.all_taken = answer == YES
    return UNKNOWN


@kernel
def take_all(worlds: Array, seat: int, room: Any, answers: Array) -> None:
    """Write for each of many worlds whether `seat` takes all."""
    for place in range(worlds.shape[0]):
        answers[place] = takes_all(worlds[place], seat, room)
