"""Sueca and Bisca in words: the order of a hand, the facts on the table, and why a card may not be played."""

from typing import Any

from facedown import cards
from facedown.cards import DECK_SIZE, NO_CARD, NO_CARDS, bit
from facedown.games.speech import all_of, counted, gained, listed_faces, seat_name
from facedown.games.tricks.play import cards_played
from facedown.games.tricks.text import trick_facts, voids
from facedown.games.trumps.knowledge import cards_held
from facedown.games.trumps.rules import OVER, PACK, RANK_ORDER, RANK_POINTS, SIDES, STRENGTH
from facedown.kernel import Record
from facedown.view import SPECTATOR, Facts

HELP = f"""\
 Cards rank {" ".join(RANK_ORDER)}, highest first; any trump beats any other suit.
 Points: {", ".join(f"{rank} {points}" for rank, points in RANK_POINTS.items())}; 120 in all, and 61 win."""


def sort_key(card: int) -> tuple[int, int]:
    """Suit by suit, the weakest first."""
    return cards.suit_of(card), int(STRENGTH[card])


def in_order(mask: Any) -> list[str]:
    """The cards of a set as text, suit by suit, the weakest first."""
    return [cards.text(card) for card in sorted(cards.cards_of(mask), key=sort_key)]


def facts(state: Record, seat: int | None) -> Facts:
    """Everything on the table, as far as a seat knows it; all of it for seat None."""
    seats = range(int(state.seats))
    known: dict[str, Any] = {
        "trump": cards.SUITS[state.trump],
        "shown": cards.text(int(state.shown)),
        "dealer": int(state.dealer),
        "to_move": None if state.phase == OVER else int(state.to_move),
        "leader": int(state.leader),
        **trick_facts(state, len(seats)),
        "stock_left": int(state.stock_left),
        "points": [int(state.points[other % SIDES]) for other in seats],
        "totals": [int(state.totals[other % SIDES]) for other in seats],
        "deals_over": int(state.deals),
        "played": [in_order(state.played[other]) for other in seats],
        "holds": [in_order(_known_to_all(state, other, seat)) for other in seats],
        "hand_sizes": [int(cards_held(state, other)) for other in seats],
        "voids": [voids(state, other, PACK) for other in seats],
    }
    if seat is None:
        known["hands"] = [in_order(state.hands[other]) for other in seats]
        known["stock"] = [cards.text(int(card)) for card in state.stock[::-1] if card != NO_CARD]  # the next to draw first
    elif seat != SPECTATOR:
        known["hand"] = in_order(state.hands[seat])
        if len(seats) > SIDES:
            known["partner"] = (seat + SIDES) % len(seats)
    return known


def _known_to_all(state: Record, holder: int, seat: int | None) -> Any:
    """The cards that all know a seat to hold: the shown trump, or all once two seats have drawn the last of the stock."""
    if state.seats == SIDES and state.stock_left == 0 and seat != SPECTATOR:
        own = state.hands[holder]
        return own if seat in (None, holder) else PACK & ~(cards_played(state) | state.hands[seat])
    return bit(state.shown) & ~cards_played(state) if holder == state.shown_holder else NO_CARDS


def outcome(state: Record) -> tuple[str, str]:
    """Why the game ended."""
    if state.match:
        totals = state.totals.tolist()
        return "match won", f"a side has {max(totals)} game points, and the match was to {state.match}"
    points = state.points.tolist()
    return "all tricks played", f"all {state.tricks_played} tricks are played, {points[0]} card points to {points[1]}"


def news(before: Facts, after: Facts, own: int | None) -> list[str]:
    """What the seat draws, when the stock ends, and how a deal ended."""
    if after["deals_over"] != before["deals_over"]:
        return [_deal_report(before, after, own)]
    sentences = []
    if after["stock_left"] < before["stock_left"] and "hand" in after and own is not None:
        drawn = gained(before["hand"], after["hand"])
        sentences.append(f"you draw {listed_faces(drawn)}; {counted(after['stock_left'], 'card')} left in the stock")
        if not after["stock_left"]:
            sentences.append("the stock is gone: from now on the suit led must be followed")
    return sentences


def _deal_report(before: Facts, after: Facts, own: int | None) -> str:
    """How a deal ended: its card points, or what it brought in a match where the next is dealt already."""
    seats = range(len(after["points"]))
    sides = [all_of([seat_name(seat, own) for seat in seats if seat % SIDES == side]) for side in range(SIDES)]
    if after["to_move"] is None:
        points = ", ".join(f"{after['points'][side]} to {sides[side]}" for side in range(SIDES))
        return f"the deal is over, card points: {points}"
    won = [after["totals"][side] - before["totals"][side] for side in range(SIDES)]
    if not any(won):
        return "the deal is over: 60 card points each, and no game point"
    side = won.index(max(won))
    return f"the deal is over: {counted(won[side], 'game point')} to {sides[side]}"


def why_illegal(state: Record, action: int) -> str:
    """The rule that an action would break, for a person who tried it."""
    if not 0 <= action < DECK_SIZE or not state.hands[state.to_move] & bit(action):
        return "that card is not in the hand"
    return f"must follow {cards.SUIT_SIGNS[state.suit_led]}"
