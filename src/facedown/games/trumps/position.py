"""Positions of Sueca and Bisca as text: which fields follow from others, and which positions are possible."""

from facedown.cards import NO_CARD, SUIT_MASK, cards_of, mask_of, suit_of
from facedown.game import Game
from facedown.games.tricks.position import FOLLOWS, check_played, follow_trick
from facedown.games.trumps.rules import (
    ALL_POINTS,
    CARD_POINTS,
    MOST_SEATS,
    OVER,
    PACK,
    PACK_SIZE,
    PLAYING,
    POOR_HAND,
    STRENGTH,
)
from facedown.kernel import Record
from facedown.notation.cells import CARD, SUIT, Cells, seats, words
from facedown.notation.position import Notation, each_card_once

MOST_TOTAL = 20_000  # so that a deal more is still a 16-bit number


def cells(game: Game) -> dict[str, Cells]:
    """How the fields are written."""
    return {
        **dict.fromkeys(("hands", "played"), Cells(within=int(PACK))),
        **dict.fromkeys(("dealer", "leader", "to_move"), Cells(0, MOST_SEATS - 1)),
        **dict.fromkeys(("totals", "deals"), Cells(0, MOST_TOTAL)),
        **dict.fromkeys(("points", "trick_points"), Cells(0, ALL_POINTS)),
        **dict.fromkeys(("stock_left", "in_trick", "tricks_played"), Cells(0, PACK_SIZE)),
        **dict.fromkeys(("stock", "trick", "shown", "winning_card"), CARD),
        "winner": seats(MOST_SEATS),
        "shown_holder": Cells(0, MOST_SEATS),
        "suit_led": SUIT,
        "trump": SUIT,
        "phase": words("playing", "over"),
    }


def points_of(mask: int) -> int:
    """The points of a set of cards (rule 8)."""
    return sum(int(CARD_POINTS[card]) for card in cards_of(mask))


def follow(state: Record) -> None:
    """Write what follows from the cards, and from who leads."""
    count = sum(int(cards).bit_count() for cards in state.played)
    players = int(state.seats)
    over = count == PACK_SIZE
    state.phase = OVER if over else PLAYING
    state.dealer = (players - 1 + int(state.deals) - over) % players
    hidden = bool((state.stock[1:] == NO_CARD).all() and state.stock_left > 1)  # in a view, but for the shown card
    if not hidden:
        state.stock_left = int((state.stock != NO_CARD).sum())
    if state.stock_left:
        state.shown = state.stock[0]
    shown = int(state.shown)
    state.trump = suit_of(shown)
    holders = [seat for seat in range(players) if (int(state.hands[seat]) | int(state.played[seat])) >> shown & 1]
    if state.stock_left or holders:
        state.shown_holder = players if state.stock_left else holders[0]
    if count < players:
        state.leader = (int(state.dealer) + 1) % players

    def beats(card: int, best: int) -> bool:
        """Whether a card takes a trick from the one that was winning it (rule 6)."""
        same = suit_of(card) == suit_of(best)
        return bool(STRENGTH[card] > STRENGTH[best]) if same else suit_of(card) == state.trump

    follow_trick(state, players, beats, lambda card: int(CARD_POINTS[card]))


def check(state: Record) -> str | None:
    """Why the cards cannot lie so."""
    players = int(state.seats)
    stock = [int(card) for card in state.stock[: state.stock_left]]
    if NO_CARD in stock or len({*stock}) < len(stock):
        return "the stock has a gap, or a card twice"
    if reason := each_card_once([*state.hands, *state.played, mask_of(stock)], PACK):
        return reason
    if state.leader >= players:
        return f"seat {state.leader} leads, of {players} seats"
    left = max(0, PACK_SIZE - players * (int(state.hand_size) + int(state.tricks_played)))
    if len(stock) != left:
        return f"the stock has {len(stock)} cards, not {left}"
    for seat in range(MOST_SEATS):
        own = int(state.hands[seat]) | int(state.played[seat])
        if own.bit_count() != ((PACK_SIZE - left) // players if seat < players else 0):
            return f"seat {seat} has had {own.bit_count()} cards"
        poor = not own & int(SUIT_MASK[state.trump]) and points_of(own) < POOR_HAND
        if state.mandar_abaixo and poor and seat < players:
            return f"seat {seat} was dealt fewer than {POOR_HAND} points and no trump"
    gone = points_of(sum(map(int, state.played)))
    if sum(state.points.tolist()) + int(state.trick_points) > gone:
        return f"{sum(state.points.tolist())} points are taken, and only {gone} are played"
    return check_played(state, players)


NOTATION = Notation(
    cells,
    follow,
    follows=("phase", "dealer", "stock_left", "shown", "trump", "shown_holder", "leader", *FOLLOWS),
    free=("suit_led",),
    check=check,
)
