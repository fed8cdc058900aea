"""Magic as somebody tells it who plays it elsewhere: the hand that a seat is dealt."""

from collections import Counter
from collections.abc import Sequence

from facedown.elsewhere import Elsewhere
from facedown.games.magic.record import KINDS, NO_CARD
from facedown.games.magic.text import card_texts
from facedown.kernel import Record


def hold(state: Record, seat: int, hand: Sequence[str]) -> str | None:
    """Put these cards of a seat's deck into its hand, and the others into its library."""
    texts, counts = card_texts(state), Counter(hand)
    rest: list[int] = []
    for kind in range(KINDS):
        count = counts.pop(texts[kind], 0) if kind <= state.kinds else 0
        deck = int(state.deck[seat, kind])
        if count > deck:
            return f"the deck of seat {seat} has {deck} of {texts[kind]}, not {count}"
        state.hand[seat, kind] = count
        rest += [kind] * (deck - count)
    if counts:
        return f"{next(iter(counts))} is no card of the deck of seat {seat}"
    state.library[seat][:] = NO_CARD
    state.library[seat][: len(rest)] = rest
    return None


ELSEWHERE = Elsewhere(gained="you drew", hold=hold)
