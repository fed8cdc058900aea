"""Hearts as somebody tells it who plays it elsewhere: the cards that are passed to a seat."""

from collections.abc import Sequence
from random import Random

from facedown.cards import cards_of, mask_of
from facedown.cards import text as card_text
from facedown.elsewhere import Elsewhere
from facedown.games.hearts.rules import PASSED_CARDS, PASSING, SEATS, receiver
from facedown.kernel import Record


def uncovers(state: Record, seat: int, action: int) -> int:
    """The last card that is set aside brings each seat the cards passed to it (rule 2)."""
    return PASSED_CARDS if state.phase == PASSING and state.chosen == SEATS * PASSED_CARDS - 1 else 0


def uncover(state: Record, seat: int, received: Sequence[int]) -> str | None:
    """Let the giver pass these cards; for each that it had not, another of its cards goes to who had it."""
    owned = [int(state.hands[other]) | int(state.passed[other]) for other in range(SEATS)]
    wanted = int(mask_of(received))
    if strange := wanted & ~sum(owned):
        return f"{card_text(cards_of(strange)[0])} is no card of this game"
    if own := wanted & owned[seat]:
        return f"{card_text(cards_of(own)[0])} is your own card: it cannot be passed to you"
    if wanted.bit_count() != PASSED_CARDS:
        return f"expected {PASSED_CARDS} different cards that were passed to you, got {wanted.bit_count()}"
    giver = next(other for other in range(SEATS) if receiver(state, other) == seat)
    chance = Random(str(owned))  # so that worlds still differ in all that is not told
    missing = wanted & ~owned[giver]
    for other in range(SEATS):
        lost = owned[other] & missing
        if other != giver and lost:
            given = int(mask_of(chance.sample(cards_of(owned[giver] & ~wanted), lost.bit_count())))
            owned[other], owned[giver] = owned[other] & ~lost | given, owned[giver] & ~given | lost
    for other in range(SEATS):
        if other != seat:
            aside = int(state.passed[other]).bit_count()
            first = cards_of(wanted) if other == giver else chance.sample(cards_of(owned[other]), aside)
            state.passed[other] = mask_of(first[:aside])
            state.hands[other] = mask_of(cards_of(owned[other] & ~int(mask_of(first[:aside]))))
    return None


ELSEWHERE = Elsewhere(
    words={
        "pass": "the direction of passing",
        "to_move": "the seat that leads",
        "uncovered": "that were passed to you",
    },
    gained="were passed to you",
    uncovers=uncovers,
    uncover=uncover,
)
