"""The record of Magic: all that lies on the table, in the hands and in the libraries."""

import numpy as np

from facedown.games.magic.decks import DECK_SIZE, MOST_KINDS

SEATS = 2
HAND_SIZE = 7
LIFE = 20
KINDS = MOST_KINDS + 1  # with the land
LAND = 0  # the kind, and the action that plays one
NO_CARD = -1
NO_CREATURES = np.uint64(0)

ATTACKING, BLOCKING, MAIN, OVER = range(4)
NOBODY = -1

STATE = np.dtype(
    [
        # Options, and the cards there are; written before the deal.
        ("first_draw", np.bool_),  # the first player draws in the first turn too
        ("balanced", np.bool_),  # seeds name deals that favour no seat: see balanced.py
        ("kinds", np.int8),  # how many kinds of creature there are; kind 0 is the land
        ("power", np.int8, KINDS),
        ("toughness", np.int8, KINDS),
        ("cost", np.int8, KINDS),
        ("deck", np.int8, (SEATS, KINDS)),  # how many of each kind
        ("first_name", np.int16, KINDS),  # attackers have names: a kind, and a number among those of the kind
        ("names", np.int16),  # how many there are
        # The cards.
        ("hand", np.int8, (SEATS, KINDS)),  # how many of each kind
        ("library", np.int8, (SEATS, DECK_SIZE)),  # kinds; the last of those left is drawn next
        ("played", np.int8, (SEATS, KINDS)),  # cards that have left the hand; lands stay in play for good
        ("in_hand", np.int8, SEATS),
        ("in_library", np.int8, SEATS),
        # Creatures in play stand in the order of their kinds; a set of them is a mask of their places.
        ("creatures", np.int8, (SEATS, DECK_SIZE)),  # kinds; 0 beyond those in play
        ("in_play", np.int8, SEATS),
        ("tapped", np.uint64, SEATS),
        ("life", np.int16, SEATS),
        # The turn.
        ("turn", np.int16),  # how many are over
        ("active", np.int8),  # whose turn it is
        ("phase", np.int8),
        ("asked", np.int8),  # the place of the creature that the question is about, in combat
        ("attackers", np.uint64),  # declared so far
        ("blocked", np.int8, DECK_SIZE),  # for each creature of the other seat, the place of the attacker; -1 for none
        ("land_played", np.bool_),
        ("spent", np.int8),  # mana, in this main phase
        ("winner", np.int8),
    ]
)
