"""What each rule of Magic's expert is worth: players that follow it in one phase, and play as the reduced player in another.

The paper's 63.7 % for the expert against the reduced player is not reproduced here. These mixtures show which rules the
rate depends on, and random decks whether it depends on the cards, which the paper does not list. Compiled, a phase at a
time, since each figure takes tens of thousands of games.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facedown import stats
from facedown.game import Game
from facedown.games import load
from facedown.games.magic.record import KINDS
from facedown.kernel import Array
from facedown.lab.experiments.magic_phases import winner_of
from facedown.lab.experiments.result import Row
from facedown.lab.experiments.running import Lab
from facedown.rng import stream
from facedown.rules import EXPERT, REDUCED

MIXING = 21  # first step of the paths of random streams
LANDS, CREATURES = 17, 23
COSTS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7)  # of the creatures of a deck, drawn uniformly
BODIES = [(power, toughness) for power in range(1, 7) for toughness in range(1, 7)]

ALL_EXPERT = (EXPERT, EXPERT, EXPERT)  # in attack, block and cards
ALL_REDUCED = (REDUCED, REDUCED, REDUCED)
MIXTURES = {
    "the expert against the reduced player": (ALL_EXPERT, ALL_REDUCED),
    "the expert has Algorithm 1 only, and is reduced otherwise": ((EXPERT, REDUCED, REDUCED), ALL_REDUCED),
    "the expert has Algorithm 2 only": ((REDUCED, EXPERT, REDUCED), ALL_REDUCED),
    "the expert has Algorithm 3 only": ((REDUCED, REDUCED, EXPERT), ALL_REDUCED),
    "the reduced player attacks as the expert does": (ALL_EXPERT, (EXPERT, REDUCED, REDUCED)),
    "the reduced player blocks as the expert does": (ALL_EXPERT, (REDUCED, EXPERT, REDUCED)),
    "both fight as the expert does, and differ in cards alone": (ALL_EXPERT, (EXPERT, EXPERT, REDUCED)),
}


def mixture_rows(lab: Lab, deals: int) -> list[Row]:
    """The wins of the first of each pair of players with the standard deck."""
    seed = lab.settings.seed
    dealt = deals_of(load("magic"), deals, seed)
    rows = []
    for label in lab.steps("what the expert's rules are worth", "mixtures", list(MIXTURES)):
        won = mixture_wins(dealt, label, seed)
        rows.append(Row(label, None, stats.win_rate_by_deal(won, range(deals))))
    return rows


def deck_rows(lab: Lab, decks: int, deals: int) -> tuple[list[Row], str]:
    """The same over random decks, with intervals over decks; and a sentence with the range of their rates."""
    seed = lab.settings.seed
    rates: dict[str, list[float]] = {label: [] for label in MIXTURES}
    for number in lab.steps("the same with other decks", "decks", range(decks)):
        dealt = deals_of(load("magic", deck=random_deck(random.Random(f"{seed} {number}"))), deals, seed)
        for label, found in rates.items():
            found.append(sum(mixture_wins(dealt, label, seed)) / deals)
    rows = [Row(label, None, replace(stats.mean(found), unit="decks", rate=True)) for label, found in rates.items()]
    spans = [f"{label}, {100 * min(found):.1f} to {100 * max(found):.1f} %" for label, found in rates.items()]
    return rows, f"With {decks} random decks, from the lowest rate of a deck to the highest: {'; '.join(spans)}."


def random_deck(rng: random.Random) -> str:
    """Creatures from 1/1 to 6/6 whose power and toughness are together about twice their cost."""
    cards: Counter[str] = Counter()
    for _ in range(CREATURES):
        cost = rng.choice(COSTS)
        fair = [body for body in BODIES if abs(sum(body) - 2 * cost + (cost > 2)) <= 1]
        power, toughness = rng.choice(fair)
        cards[f"{power}/{toughness}for{cost}"] += 1
    return "+".join([f"{LANDS}xland", *(f"{copies}x{card}" for card, copies in sorted(cards.items()))])


def deals_of(game: Game, deals: int, seed: int) -> Array:
    """The records of the deals from a seed on."""
    return np.concatenate([game.deal(deal).data for deal in range(seed, seed + deals)])


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
