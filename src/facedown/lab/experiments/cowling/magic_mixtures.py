"""What each rule of Magic's expert is worth: players that follow it in one phase, and play as the reduced player in another.

The paper's 63.7 % for the expert against the reduced player is not reproduced here. These mixtures show which rules the
rate depends on, and other decks whether it depends on the cards, which the paper does not list. Three of them are readings
that meet three published figures at once. Compiled, a phase at a time, since each figure takes tens of thousands of games.
"""

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facedown import stats
from facedown.games import load
from facedown.games.magic.record import KINDS
from facedown.kernel import Array
from facedown.lab.experiments.cowling.magic_decks import deals_of, random_deck
from facedown.lab.experiments.cowling.magic_phases import ANY_CARDS, winner_of
from facedown.lab.experiments.cowling.magic_published import EXPERT_WINS
from facedown.lab.experiments.result import Row
from facedown.lab.experiments.running import Lab
from facedown.rng import stream
from facedown.rules import EXPERT, REDUCED
from facedown.stats import Estimate

MIXING, DECKING, READING = 21, 23, 24  # first steps of the paths of random streams
ALL_EXPERT = (EXPERT, EXPERT, EXPERT)  # in attack, block and cards
ALL_REDUCED = (REDUCED, REDUCED, REDUCED)
WHOLE = "the expert against the reduced player"
MIXTURES = {
    WHOLE: (ALL_EXPERT, ALL_REDUCED),
    "the expert has Algorithm 1 only, and is reduced otherwise": ((EXPERT, REDUCED, REDUCED), ALL_REDUCED),
    "the expert has Algorithm 2 only": ((REDUCED, EXPERT, REDUCED), ALL_REDUCED),
    "the expert has Algorithm 3 only": ((REDUCED, REDUCED, EXPERT), ALL_REDUCED),
    "the reduced player attacks as the expert does": (ALL_EXPERT, (EXPERT, REDUCED, REDUCED)),
    "the reduced player blocks as the expert does": (ALL_EXPERT, (REDUCED, EXPERT, REDUCED)),
    "both fight as the expert does, and differ in cards alone": (ALL_EXPERT, (EXPERT, EXPERT, REDUCED)),
}
PUBLISHED = {WHOLE: EXPERT_WINS}
ALIKE = ("1/1for1", "2/2for2", "3/3for4", "4/4for5", "6/6for7", "1/3for2")  # the only creature of a deck

# A reduced player that attacks by Algorithm 1, and an AP that knows about cards only that lands are to be played.
CAREFUL = (EXPERT, REDUCED, REDUCED)
KNOWS_LANDS = (EXPERT, EXPERT, ANY_CARDS)
THREE = {
    WHOLE: (ALL_EXPERT, CAREFUL),
    "AP against the expert": (KNOWS_LANDS, ALL_EXPERT),
    "AP against the reduced player": (KNOWS_LANDS, CAREFUL),
}
BEST_DECK = random_deck(random.Random("0 4"))  # of the decks "0 0" to "0 23", where the three come nearest to the paper's


def mixture_rows(lab: Lab, deals: int) -> list[Row]:
    """The wins of the first of each pair of players with the standard deck."""
    seed = lab.settings.seed
    dealt = deals_of(load("magic"), deals, seed)
    rows = []
    for label in lab.steps("what the expert's rules are worth", "mixtures", list(MIXTURES)):
        won = mixture_wins(dealt, label, seed)
        rows.append(Row(label, PUBLISHED.get(label), stats.win_rate_by_deal(won, range(deals))))
    return rows


def deck_rows(lab: Lab, decks: int, deals: int) -> tuple[list[Row], str]:
    """The same over random decks, with intervals over decks; and a sentence with the range of their rates."""
    seed = lab.settings.seed
    rates: dict[str, list[float]] = {label: [] for label in MIXTURES}
    for number in lab.steps("the same with other decks", "decks", range(decks)):
        dealt = deals_of(load("magic", deck=random_deck(random.Random(f"{seed} {number}"))), deals, seed)
        for label, found in rates.items():
            found.append(sum(mixture_wins(dealt, label, seed)) / deals)
    means = {label: replace(stats.mean(found), unit="decks", rate=True) for label, found in rates.items()}
    rows = [Row(label, PUBLISHED.get(label), mean) for label, mean in means.items()]
    spans = [f"{label}, {100 * min(found):.1f} to {100 * max(found):.1f} %" for label, found in rates.items()]
    return rows, f"With {decks} random decks, from the lowest rate of a deck to the highest: {'; '.join(spans)}."


def alike_rows(lab: Lab, deals: int) -> list[Row]:
    """The wins of the expert against the reduced player with decks of one creature."""
    seed = lab.settings.seed
    rows = []
    for number, creature in enumerate(lab.steps("decks of one creature", "decks", ALIKE)):
        dealt = deals_of(load("magic", deck=f"17xland+23x{creature}"), deals, seed)
        won = wins_on(dealt, (ALL_EXPERT, ALL_REDUCED), stream(seed, DECKING, number))
        rows.append(Row(creature.replace("for", " for "), None, stats.win_rate_by_deal(won, range(deals))))
    return rows


def three_at_once(lab: Lab, deals: int, decks: int) -> dict[str, dict[str, Estimate]]:
    """The three readings with the standard deck, with the deck that suits them best, and on average over random decks."""
    seed = lab.settings.seed
    found: dict[str, dict[str, Estimate]] = {}
    for name, deck in {"standard deck": "standard", "best of 24 decks": BEST_DECK}.items():
        dealt = deals_of(load("magic", deck=deck), deals, seed)
        found[name] = {
            label: stats.win_rate_by_deal(reading_wins(dealt, label, seed), range(deals))
            for label in lab.steps(f"three readings, {name}", "readings", list(THREE))
        }
    rates: dict[str, list[float]] = {label: [] for label in THREE}
    for number in lab.steps("three readings, other decks", "decks", range(decks)):
        dealt = deals_of(load("magic", deck=random_deck(random.Random(f"{seed} {number}"))), max(2, deals // 5), seed)
        for label, one in rates.items():
            one.append(stats.mean(reading_wins(dealt, label, seed)).value)
    found["mean of other decks"] = {label: replace(stats.mean(one), unit="decks", rate=True) for label, one in rates.items()}
    return found


def reading_wins(dealt: Array, label: str, seed: int) -> list[float]:
    """The win rate of the first of two players of a reading on each deal."""
    return wins_on(dealt, THREE[label], stream(seed, READING, list(THREE).index(label)))


def mixture_wins(dealt: Array, label: str, seed: int) -> list[float]:
    """The win rate of the first player of a mixture on each deal, over both seats."""
    return wins_on(dealt, MIXTURES[label], stream(seed, MIXING, list(MIXTURES).index(label)))


def wins_on(dealt: Array, players: Sequence[Sequence[int]], rng: Array) -> list[float]:
    """The win rate of the first of two players on each deal, over both seats."""
    scratch = np.empty(KINDS + 1, np.int64)  # a main phase asks for a kind of card, or done
    styles = np.array(players, np.int64)
    turned = styles[::-1].copy()
    won = []
    for deal in range(len(dealt)):
        first = winner_of(dealt[deal : deal + 1].copy(), styles, scratch, rng) == 0
        second = winner_of(dealt[deal : deal + 1].copy(), turned, scratch, rng) == 1
        won.append((first + second) / 2)
    return won
