"""Positions of Hearts as text: which fields follow from others, and which positions are possible."""

from facedown.cards import DECK_SIZE, HEARTS, SUIT_MASK, cards_of, suit_of
from facedown.game import Game
from facedown.games.hearts.rules import (
    CYCLE,
    HOLD,
    LEFT,
    NO_SEAT,
    OVER,
    PASSED_CARDS,
    PASSES,
    PASSING,
    PLAYING,
    QUEEN_OF_SPADES,
    SEATS,
    deck_of,
    lowest_club,
)
from facedown.games.tricks.position import FOLLOWS, check_played, follow_trick
from facedown.kernel import Record, record_in
from facedown.notation.cells import CARD, SUIT, Cells, seats, words
from facedown.notation.position import Notation, each_card_once

MOST_POINTS = DECK_SIZE // 2
MOST_TOTAL = 20_000  # so that a deal more is still a 16-bit number


def cells(game: Game) -> dict[str, Cells]:
    """How the fields are written."""
    return {
        **dict.fromkeys(("hands", "passed", "played"), Cells(within=int(deck_of(record_in(game.new_record()))))),
        **dict.fromkeys(("opener", "leader", "to_move", "winner"), seats(SEATS)),
        **dict.fromkeys(("totals", "deals"), Cells(0, MOST_TOTAL)),
        **dict.fromkeys(("points", "trick_points"), Cells(0, MOST_POINTS)),
        **dict.fromkeys(("chosen", "in_trick", "tricks_played"), Cells(0, DECK_SIZE)),
        "trick": CARD,
        "winning_card": CARD,
        "suit_led": SUIT,
        "phase": words("passing", "playing", "over"),
        "direction": words(*PASSES),
    }


def points_of(card: int, size: int) -> int:
    """The points of a card where hands are of a size (rule 8)."""
    return size if card == QUEEN_OF_SPADES else int(suit_of(card) == HEARTS)


def follow(state: Record) -> None:
    """Write what follows from the cards, and from who leads."""
    size = int(state.deck_size) // SEATS
    played = [int(cards) for cards in state.played]
    count = sum(map(int.bit_count, played))
    over = count == SEATS * size or (bool(state.early_end) and sum(state.points.tolist()) == 2 * size)
    state.direction = state.passing if state.passing != CYCLE else LEFT + (int(state.deals) - over) % 4
    state.chosen = sum(int(cards).bit_count() for cards in state.passed)
    passing = state.direction != HOLD and state.chosen < SEATS * PASSED_CARDS and not over
    state.phase = PASSING if passing else OVER if over else PLAYING
    holders = [seat for seat in range(SEATS) if (int(state.hands[seat]) | played[seat]) >> lowest_club(state) & 1]
    if passing or holders:  # a view may not say who has the card, but who leads
        state.opener = NO_SEAT if passing else holders[0]
    if count < SEATS:
        state.leader = state.opener
    follow_trick(state, SEATS, beats, lambda card: points_of(card, size))
    if passing:
        state.to_move = state.chosen // PASSED_CARDS
    gone = sum(played)
    broken = gone & int(SUIT_MASK[HEARTS]) or (state.queen_breaks_hearts and gone >> QUEEN_OF_SPADES & 1)
    state.hearts_broken = bool(broken) or not state.break_hearts
    state.scoring_barred = not state.first_trick_points and state.tricks_played == 0


def beats(card: int, best: int) -> bool:
    """Whether a card takes a trick from the one that was winning it (rule 7)."""
    return suit_of(card) == suit_of(best) and card > best


def check(state: Record) -> str | None:
    """Why the cards cannot lie so."""
    size = int(state.deck_size) // SEATS
    aside = [int(cards) if state.phase == PASSING else 0 for cards in state.passed]
    if reason := each_card_once([*state.hands, *state.played, *aside], deck_of(state)):
        return reason
    for seat in range(SEATS):
        own = int(state.hands[seat]) | int(state.played[seat]) | aside[seat]
        if own.bit_count() != size:
            return f"seat {seat} has {own.bit_count()} of {size} cards"
    if state.phase == PASSING and any(map(int, state.played)):
        return "cards are played before all have been passed"
    if state.phase != PASSING and state.leader == NO_SEAT:
        return "nobody leads"
    gone = sum(points_of(card, size) for card in cards_of(sum(map(int, state.played))))
    if sum(state.points.tolist()) + int(state.trick_points) > gone:
        return f"{sum(state.points.tolist())} points are taken, and only {gone} are played"
    return check_passed(state) or (None if state.phase == PASSING else check_played(state, SEATS))


def check_passed(state: Record) -> str | None:
    """Why the cards passed do not fit (rule 2)."""
    for seat in range(SEATS):
        passed, to = int(state.passed[seat]), (seat + int(state.direction)) % SEATS
        wanted = min(PASSED_CARDS, max(0, int(state.chosen) - seat * PASSED_CARDS)) if state.direction != HOLD else 0
        if passed.bit_count() != wanted:
            return f"seat {seat} has passed {passed.bit_count()} cards, not {wanted}"
        if state.phase != PASSING and passed & ~(int(state.hands[to]) | int(state.played[to])):
            return f"seat {to} has not got the cards that seat {seat} passed"
    return None


NOTATION = Notation(
    cells,
    follow,
    follows=("direction", "chosen", "phase", "opener", "leader", *FOLLOWS, "hearts_broken", "scoring_barred"),
    free=("hearts_broken",),
    check=check,
)
