"""What a seat knows of the cards it cannot see, as a record: the games write it, and samplers draw worlds from it."""

from math import comb, factorial
from typing import Any

import numpy as np

from facedown.errors import UnknownName

HOLDERS = 8  # at most, with the one that the "random" sampler adds for the cards it leaves out
CARDS = 64
BATCHES = 52
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
        ("need", np.int64, HOLDERS),  # a holder's unseen cards are known to be worth this much together, at least
        # Written by games in which a seat lays batches of cards face down, one after another (see batches.py):
        ("batches", np.int64),  # how many lie there unseen
        ("layer", np.int64),  # the holder who laid them
        ("had", np.uint64),  # unseen cards the layer is known to have had before the first batch, and has or has laid since
        ("batch_size", np.int64, BATCHES),
        ("batch_fresh", np.int64, BATCHES),  # how many other unseen cards the layer had had in its hand by then
        ("marked", np.uint64),  # of these cards, the last batch has
        ("fewest_marked", np.int64),  # at least so many
        ("fewest_unmarked", np.int64),  # and of the others at least so many
        # Written when a world is drawn:
        ("held", np.uint64, HOLDERS + BATCHES),  # the cards drawn for a holder; after the holders come the batches
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
        ("loose_had", np.uint64),  # of `had`, the cards that nobody is known to have now
        ("loose_fresh", np.uint64),  # the other cards that nobody is known to have
        ("hand_room", np.int64),  # places in the layer's hand when the known cards are in
        ("batch_ways", np.float64, (BATCHES + 1, CARDS + 1)),  # see batches.py
        ("last_ways", np.float64, CARDS + 1),
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


def new_hidden(sampler: str = "exact") -> Any:
    """An empty HIDDEN record, in an array of one."""
    if sampler not in SAMPLERS:
        raise UnknownName("sampler", sampler, SAMPLERS)
    hidden = np.zeros(1, HIDDEN).view(np.recarray)
    hidden[0].sampler = SAMPLERS[sampler]
    hidden[0].patience = PATIENCE
    hidden[0].belief[:] = 1.0
    return hidden
