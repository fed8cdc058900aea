"""What a seat knows of the cards it cannot see, as a record: the games write it, and samplers draw worlds from it."""

from math import comb, factorial
from typing import Any

import numpy as np

from facedown.compiler.records import as_records
from facedown.errors import UnknownName

HOLDERS = 8  # at most, with the one that the "random" sampler adds for the cards it leaves out
CARDS = 64
STEPS = 2 * CARDS

HIDDEN = np.dtype(
    [
        # Written by the game, in `unseen`:
        ("holders", np.int64),  # how many there are; a seat keeps its own number
        ("pool", np.uint64),  # all cards that are not the seat's own, played ones too
        ("unseen", np.uint64),  # of these, the cards the seat cannot see
        ("may_hold", np.uint64, HOLDERS),  # unseen cards a holder may have by the voids and other facts shown
        ("known", np.uint64, HOLDERS),  # unseen cards a holder is known to have
        ("room", np.int64, HOLDERS),  # how many unseen cards a holder has
        ("worth", np.int8, CARDS),  # what a card counts towards a holder's need
        ("need", np.int64, HOLDERS),  # a holder's unseen cards are known to be worth this much in all, at least
        # Written when a world is drawn:
        ("held", np.uint64, HOLDERS),  # the cards drawn for a holder
        # The sampler's own:
        ("sampler", np.int64),
        ("patience", np.int64),  # how often a sampler that may fail is tried for one world; then the exact one serves
        ("minds_needs", np.int64),  # there are needs, and the sampler is one that knows what is known
        ("free", np.int64, HOLDERS),  # places left when the known cards are in
        ("stride", np.int64, HOLDERS),
        ("sure", np.uint64, HOLDERS),  # cards that need no drawing
        ("groups", np.int64),
        ("group_holders", np.uint64, CARDS),  # a mask of holders
        ("group_start", np.int64, CARDS + 1),  # how many cards come in the groups before
        ("group_cards", np.uint64, CARDS),  # a mask of cards
        ("steps", np.int64),
        ("step_group", np.int64, STEPS),
        ("step_holder", np.int64, STEPS),
        ("start", np.int64),  # the cell in which nothing is dealt yet
        ("left", np.int64, HOLDERS),  # places left while a world is being drawn
        ("order", np.int8, CARDS),  # cards in the order an accept-reject deal hands them out
        ("belief", np.float64, (HOLDERS, CARDS)),  # weights of the biased matrix
    ]
)

# Named samplers. The first four are the exact sampler with ever less knowledge.
EXACT, SUITS_AND_CARDS_PLAYED, CARDS_PLAYED, RANDOM, ACCEPT_REJECT, POSSIBILITY_MATRIX, BIASED_MATRIX = range(7)
SAMPLERS = {
    "exact": EXACT,
    "suits-and-cards-played": SUITS_AND_CARDS_PLAYED,  # Bax 2020, section 3: no card known to be held
    "cards-played": CARDS_PLAYED,  # Bax 2020: no void remembered either
    "random": RANDOM,  # Bax 2020: cards already played may turn up again
    "accept-reject": ACCEPT_REJECT,  # Fernandes 2016, section 4.1
    "possibility-matrix": POSSIBILITY_MATRIX,  # Fernandes 2016, algorithm 1: not uniform
    "biased-matrix": BIASED_MATRIX,  # Fernandes 2016, section 4.1.0.2: cards drawn by belief
}
PATIENCE = 1_000_000
BY_EXACT_COUNT = tuple(name for name, number in SAMPLERS.items() if number < ACCEPT_REJECT)

CHOOSE = np.array([[comb(n, k) for k in range(CARDS + 1)] for n in range(CARDS + 1)], np.float64)
FACTORIAL = np.array([factorial(n) for n in range(CARDS + 1)], np.float64)


def new_hidden(sampler: str = "exact", kind: np.dtype[Any] = HIDDEN) -> Any:
    """An empty record of what a seat knows, in an array of one; its kind is HIDDEN or a type with more fields."""
    if sampler not in SAMPLERS:
        raise UnknownName("sampler", sampler, SAMPLERS)
    hidden = as_records(np.zeros(1, kind))
    hidden[0].sampler = SAMPLERS[sampler]
    hidden[0].patience = PATIENCE
    hidden[0].belief[:] = 1.0
    return hidden
