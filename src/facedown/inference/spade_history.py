"""What a player of Hearts has done so far, in twelve properties: Manzke 2025, section 5.2.

The properties tell which of Q♠, K♠ and A♠ the player is likely to hold. All follow from cards that everybody has seen.
Where the paper leaves a reading open, this is ours; docs/inference.md lists the readings:

- Actions count until Q♠ is played: the history ends just before it, whoever plays it.
- A card could have been played if it was in the game, the player had not discarded on a spade before, and the rules
  allowed it as far as the others can see: to follow a spade, to lead, or to discard.
- Q♠ is not taken back if it is discarded, or follows K♠ or A♠ in a trick of spades. On the first trick it may not be played.
- K♠ and A♠ do not risk taking Q♠ if they are discarded, if K♠ follows A♠, or if all who play after them in the trick have
  discarded on a spade before, or if nobody does.
- A player had a spare spade after a risk if it played one later.
"""

from collections.abc import Sequence
from typing import NamedTuple

from facedown.cards import SPADES, SUIT_SIZE
from facedown.games.hearts.rules import QUEEN_OF_SPADES, SEATS
from facedown.view import History

QUEEN, KING, ACE = HONOURS = (QUEEN_OF_SPADES, QUEEN_OF_SPADES + 1, QUEEN_OF_SPADES + 2)
VALUES = ("none", "Q", "K", "QK", "A", "QA", "KA", "QKA")  # of the feature: a mask of the honours that a player holds
FIELD_BITS = 4  # of each property in a key


class ActionHistory(NamedTuple):
    """The twelve properties of a player, in the paper's order."""

    queen_kept: int = 0  # times it could have played Q♠ without the risk of taking it back, and did not
    king_kept: int = 0  # times it could have played K♠ without the risk of taking Q♠, and did not
    ace_kept: int = 0  # the same of A♠
    played_safely: int = 0  # times it played K♠ or A♠ when there was no risk of taking Q♠
    king_risked: int = 0  # whether it played K♠ when there was such a risk
    ace_risked: int = 0  # the same of A♠
    spare_spade: int = 0  # whether it had another spade after taking a risk
    leads: int = 0  # tricks it led
    low_spade_leads: int = 0  # tricks it led with a spade that is none of the three
    trick: int = 1  # the number of the trick
    king_left: int = 1  # whether K♠ is still in the game
    ace_left: int = 1  # the same of A♠

    @property
    def key(self) -> int:
        """The history as one number."""
        return key_of(self)

    @classmethod
    def of_key(cls, key: int) -> "ActionHistory":
        """The history that a number stands for."""
        fields = len(cls._fields)
        return cls(*(key >> FIELD_BITS * (fields - 1 - place) & (1 << FIELD_BITS) - 1 for place in range(fields)))


TRICK, KING_LEFT, ACE_LEFT = 9, 10, 11  # places of the properties that all players share
KEPT = {QUEEN: 0, KING: 1, ACE: 2}
RISKED = {KING: 4, ACE: 5}
LEFT = {KING: KING_LEFT, ACE: ACE_LEFT}
PLAYED_SAFELY, SPARE_SPADE, LEADS, LOW_SPADE_LEADS = 3, 6, 7, 8


def key_of(properties: Sequence[int]) -> int:
    """Properties as one number."""
    key = 0
    for number in properties:
        key = key << FIELD_BITS | number
    return key


class Reached(NamedTuple):
    """A history that a player has reached."""

    key: int
    played: int  # the honours it had played by then, as a mask of three bits


def honours_in(cards: int) -> int:
    """The honours among some cards, as a mask of three bits: Q♠ 1, K♠ 2, A♠ 4."""
    return int(cards) >> QUEEN & 7


def histories(plays: History, points_barred: bool = True) -> list[list[Reached]]:
    """For each seat the histories it has reached, one after another: before each card played, and now.

    `points_barred` says that nobody may play a card that scores on the first trick.
    """
    replay = Replay(points_barred)
    for seat, card in plays:
        replay.note()
        if card == QUEEN:
            return replay.reached
        replay.play(seat, card)
    replay.note()
    return replay.reached


class Replay:
    """The plays of a deal, one after another, and the properties of each player so far."""

    def __init__(self, points_barred: bool) -> None:
        self.points_barred = points_barred
        self.properties = [list(ActionHistory()) for _ in range(SEATS)]
        self.reached: list[list[Reached]] = [[] for _ in range(SEATS)]
        self.changed = [True] * SEATS
        self.played = [0] * SEATS  # honours, as a mask
        self.void = [False] * SEATS  # whether a seat has discarded on a spade
        self.in_trick: list[int] = []  # cards, in order
        self.tricks = 0

    def note(self) -> None:
        """Add to the histories reached those that are new."""
        for seat, changed in enumerate(self.changed):
            if changed:
                self.reached[seat].append(Reached(key_of(self.properties[seat]), self.played[seat]))
                self.changed[seat] = False

    def play(self, seat: int, card: int) -> None:
        """Count a card, which is not Q♠."""
        mine = self.properties[seat]
        before = list(mine)
        leads, spade = not self.in_trick, card // SUIT_SIZE == SPADES
        suit_led = (card if leads else self.in_trick[0]) // SUIT_SIZE
        discards, in_spades = card // SUIT_SIZE != suit_led, suit_led == SPADES
        if discards and in_spades:
            self.void[seat] = True
        if spade and (mine[RISKED[KING]] or mine[RISKED[ACE]]):
            mine[SPARE_SPADE] = 1
        if not self.void[seat] and (leads or discards or in_spades):
            self.count_kept(seat, card, leads, discards)
        if card in RISKED:
            if discards or self.is_safe(seat, card):
                mine[PLAYED_SAFELY] += 1
            else:
                mine[RISKED[card]] = 1
        mine[LEADS] += leads
        mine[LOW_SPADE_LEADS] += leads and spade and card not in HONOURS
        self.changed[seat] |= mine != before
        self.lay(seat, card)

    def count_kept(self, seat: int, card: int, leads: bool, discards: bool) -> None:
        """Count the honours that a seat could have played without risk in place of this card."""
        mine = self.properties[seat]
        barred = self.points_barred and self.tricks == 0
        if not leads and not barred and (discards or KING in self.in_trick or ACE in self.in_trick):
            mine[KEPT[QUEEN]] += 1
        for honour in (KING, ACE):
            if card != honour and mine[LEFT[honour]] and (discards or self.is_safe(seat, honour)):
                mine[KEPT[honour]] += 1

    def is_safe(self, seat: int, honour: int) -> bool:
        """Whether K♠ or A♠, led or played to a spade, cannot take Q♠ in this trick, as far as everybody can see."""
        if honour == KING and ACE in self.in_trick:
            return True
        later = SEATS - 1 - len(self.in_trick)
        return all(self.void[(seat + step) % SEATS] for step in range(1, later + 1))

    def lay(self, seat: int, card: int) -> None:
        """Lay the card on the table, for all to see."""
        self.in_trick.append(card)
        if card in LEFT:
            self.played[seat] |= 1 << card - QUEEN
            self.set_for_all(LEFT[card], 0)
        if len(self.in_trick) == SEATS:
            self.in_trick = []
            self.tricks += 1
            self.set_for_all(TRICK, self.tricks + 1)

    def set_for_all(self, place: int, number: int) -> None:
        """Set a property that all players share."""
        for properties in self.properties:
            properties[place] = number
        self.changed = [True] * SEATS
