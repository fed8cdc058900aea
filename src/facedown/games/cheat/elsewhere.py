"""Cheat as somebody tells it who plays it elsewhere: the other's claims as they are seen, and the pile when it is shown."""

from collections.abc import Sequence

from facedown.cards import NO_CARD, cards_of, mask_of
from facedown.cards import text as card_text
from facedown.elsewhere import Elsewhere
from facedown.games.cheat.claims import CALL, CARDS_LAID, MOST_LAID, SEEN, size_of
from facedown.games.cheat.position import check_seat
from facedown.games.cheat.rules import pack
from facedown.games.cheat.text import claim_of
from facedown.kernel import Record


def disguised(state: Record, action: int) -> int:
    """A claim of any cards that looks like this one; other actions are what they look like."""
    if not SEEN <= action < CARDS_LAID:
        return action
    return claim_of((action - SEEN) // MOST_LAID, cards_of(state.hands[state.to_move])[: size_of(action)])


def hidden_batches(state: Record, seat: int) -> list[int]:
    """The batches in the pile that the other seat has laid, the first laid first."""
    return [batch for batch in range(int(state.batches)) if state.batch_seat[batch] != seat]


def uncovers(state: Record, seat: int, action: int) -> int:
    """A call shows the pile (rule 5)."""
    return sum(int(state.batch_size[batch]) for batch in hidden_batches(state, seat)) if action == CALL else 0


def uncover(state: Record, seat: int, cards: Sequence[int]) -> str | None:
    """Put these cards into the other's batches, in the order in which they were laid, and what lay there elsewhere."""
    other = 1 - seat
    batches = hidden_batches(state, seat)
    before = sum(int(state.batch_cards[batch]) for batch in batches)
    stock = int(mask_of(int(card) for card in state.stock[: state.stock_left]))
    laid = int(mask_of(cards))
    if strange := laid & ~int(pack(state)):
        return f"{card_text(cards_of(strange)[0])} is no card of this game"
    if known := laid & ~(before | stock | int(state.hands[other])):
        return f"{card_text(cards_of(known)[0])} lies elsewhere, as you can see"
    if laid.bit_count() != sum(int(state.batch_size[batch]) for batch in batches):
        return f"expected {before.bit_count()} different cards, got {laid.bit_count()}"
    place = 0
    for batch in batches:
        state.batch_cards[batch] = mask_of(cards[place : place + int(state.batch_size[batch])])
        place += int(state.batch_size[batch])
    had, free = int(state.had[other]) & ~laid, (int(state.hands[other]) | before | stock) & ~laid
    size = int(state.held[other])
    if had.bit_count() > size:
        return f"{card_text(cards_of(had)[0])} must lie in the pile: seat {other} took it up, and holds only {size} cards"
    hand = [*cards_of(had), *cards_of(int(state.hands[other]) & ~laid & ~had), *cards_of(free & ~had)]
    state.hands[other] = mask_of(list(dict.fromkeys(hand))[:size])
    rest = cards_of(free & ~int(state.hands[other]))
    state.stock[:] = NO_CARD
    state.stock[: len(rest)] = rest
    all_laid = [int(batch) for batch in state.batch_cards]
    return "these cards were not all in the hand when they were laid" if check_seat(state, other, all_laid) else None


ELSEWHERE = Elsewhere(
    words={
        "face_up": "the first card of the pile, which lies face up",
        "uncovered": "of the other seat in the pile, in the order in which they were laid",
    },
    gained="you took from the stock",
    disguised=disguised,
    uncovers=uncovers,
    uncover=uncover,
)
