"""What each rule of Magic's expert is worth: players that follow it in one phase, and play as the reduced player in another.

The text's 63.7 % for the expert against the reduced player is not met here; these mixtures tell which rules it hangs on, and
decks made by chance whether it hangs on the cards, which the text does not list. Compiled, a phase at a time, since each
figure takes tens of thousands of games.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from facedown import stats
from facedown.experiments.outcome import Row
from facedown.game import Game
from facedown.games import load
from facedown.games.magic.play import to_move
from facedown.games.magic.rule_play import play_phase
from facedown.games.magic.table import OVER
from facedown.kernel import Array, kernel
from facedown.rng import stream
from facedown.rules import EXPERT, REDUCED

MIXING = 21  # first step of the paths of random streams
LANDS, CREATURES = 17, 23
COSTS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7)  # of the creatures of a deck, each as likely
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


@kernel
def winner_of(data: Array, styles: Array, actions: Array, rng: Array) -> int:
    """Play the first record to the end, each seat in its style for the phase; who has won."""
    state = data[0]
    while state.phase != OVER:
        play_phase(state, styles[to_move(state), state.phase], actions, rng)
    return int(np.int64(state.winner))


def mixture_rows(deals: int, seed: int) -> list[Row]:
    """The wins of the first of each pair of players with the standard deck."""
    won = wins_by_mixture(load("magic"), deals, seed)
    return [Row(label, None, stats.win_rate_by_deal(wins, range(deals))) for label, wins in won.items()]


def deck_rows(decks: int, deals: int, seed: int) -> tuple[list[Row], str]:
    """The same over decks made by chance, with intervals over decks; and in words how far their rates lie apart."""
    rates: dict[str, list[float]] = {label: [] for label in MIXTURES}
    for number in range(decks):
        game = load("magic", deck=chance_deck(random.Random(f"{seed} {number}")))
        for label, wins in wins_by_mixture(game, deals, seed).items():
            rates[label].append(sum(wins) / deals)
    rows = [Row(label, None, replace(stats.mean(found), unit="decks", rate=True)) for label, found in rates.items()]
    spans = [f"{label}, {100 * min(found):.1f} to {100 * max(found):.1f} %" for label, found in rates.items()]
    return rows, f"With {decks} decks made by chance, from the lowest rate of a deck to the highest: {'; '.join(spans)}."


def chance_deck(chance: random.Random) -> str:
    """Creatures from 1/1 to 6/6 whose power and toughness are together about twice their cost."""
    cards: Counter[str] = Counter()
    for _ in range(CREATURES):
        cost = chance.choice(COSTS)
        fair = [body for body in BODIES if abs(sum(body) - 2 * cost + (cost > 2)) <= 1]
        power, toughness = chance.choice(fair)
        cards[f"{power}/{toughness}for{cost}"] += 1
    return "+".join([f"{LANDS}xland", *(f"{copies}x{card}" for card, copies in sorted(cards.items()))])


def wins_by_mixture(game: Game, deals: int, seed: int) -> dict[str, list[float]]:
    """What the first of each pair of players wins on each deal, over both seats; all have the same deals."""
    dealt = np.concatenate([game.deal(deal).data for deal in range(seed, seed + deals)])
    return {
        label: mixture_wins(dealt, players, game.actions, stream(seed, MIXING, number))
        for number, (label, players) in enumerate(MIXTURES.items())
    }


def mixture_wins(dealt: Array, players: Sequence[Sequence[int]], actions: int, rng: Array) -> list[float]:
    """What the first player wins on each deal, over both seats."""
    scratch = np.empty(actions, np.int64)
    styles = np.array(players, np.int64)
    turned = styles[::-1].copy()
    won = []
    for deal in range(len(dealt)):
        first = winner_of(dealt[deal : deal + 1].copy(), styles, scratch, rng) == 0
        second = winner_of(dealt[deal : deal + 1].copy(), turned, scratch, rng) == 1
        won.append((first + second) / 2)
    return won
