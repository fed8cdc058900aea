"""Decks of Magic, which the paper describes but does not list, and how many moves their main phases offer.

Cowling, Ward and Powley 2012, section VI: "There are typically 5-6 moves available at a decision node." Its own example
(Figure 3) has five moves with lands always played, of which two are not part of another.
"""

import random
from collections import Counter

import numpy as np

from facedown import stats
from facedown.game import Game
from facedown.games import load
from facedown.games.magic.decks import DECK_SIZE
from facedown.games.magic.record import KINDS
from facedown.kernel import Array, new_records
from facedown.lab.experiments.cowling.magic_phases import moves_offered
from facedown.rng import stream
from facedown.rules import EXPERT
from facedown.search.compound_moves import DRAFT
from facedown.stats import Estimate

PRUNINGS = ("all moves", "lands played", "not part of another")  # in the order of compound_moves.py
WHOLE = PRUNINGS[-1]
WITH_A_CHOICE = "phases with a choice"
COUNTING = 22  # first step of the paths of random streams
MOST_PHASES = 2 * DECK_SIZE
LANDS, CREATURES = 17, 23
COSTS = (1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7)  # of the creatures of a deck, drawn uniformly
BODIES = [(power, toughness) for power in range(1, 7) for toughness in range(1, 7)]
WIDE_COST = 3


def random_deck(rng: random.Random) -> str:
    """Creatures from 1/1 to 6/6 whose power and toughness are together about twice their cost."""
    cards: Counter[str] = Counter()
    for _ in range(CREATURES):
        cost = rng.choice(COSTS)
        fair = [body for body in BODIES if abs(sum(body) - 2 * cost + (cost > 2)) <= 1]
        power, toughness = rng.choice(fair)
        cards[f"{power}/{toughness}for{cost}"] += 1
    return "+".join([f"{LANDS}xland", *(f"{copies}x{card}" for card, copies in sorted(cards.items()))])


def wide_deck() -> str:
    """A deck whose main phases offer about 5 moves: all creatures differ, and but for the ends of the range cost the same.

    Decks whose creatures cost from 1 to 7 do not come near: whatever the costs, a hand is soon played out.
    """
    fair = sorted(BODIES, key=lambda body: abs(sum(body) - 2 * WIDE_COST + 1))[: CREATURES - 2]
    middle = [f"1x{power}/{toughness}for{WIDE_COST}" for power, toughness in fair]
    return "+".join([f"{LANDS}xland", "1x1/1for1", *middle, "1x6/6for7"])


def varied_deck(rng: random.Random) -> str:
    """A deck of creatures that all differ and have one to four costs, whatever their bodies are worth."""
    costs = rng.sample(range(1, 8), rng.randint(1, 4))
    creatures = [f"1x{power}/{toughness}for{rng.choice(costs)}" for power, toughness in rng.sample(BODIES, CREATURES)]
    return "+".join([f"{LANDS}xland", *creatures])


def widest_deck(decks: int, deals: int, seed: int) -> str:
    """The one of so many varied decks with most moves that are not part of another, by the deals from a seed on."""
    found = [varied_deck(random.Random(f"varied {number}")) for number in range(decks)]
    return max(found, key=lambda deck: moves_offered_by(deck, deals, seed)[WHOLE].value)


def deals_of(game: Game, deals: int, seed: int) -> Array:
    """The records of the deals from a seed on."""
    return np.concatenate([game.deal(deal).data for deal in range(seed, seed + deals)])


def moves_by_deal(game: Game, deals: int, seed: int) -> list[Array]:
    """For each deal, played by experts: the moves of each main phase, by pruning."""
    dealt = deals_of(game, deals, seed)
    drafts, counts = new_records(1, DRAFT), np.zeros((MOST_PHASES, len(PRUNINGS)), np.int64)
    scratch, rng = np.empty(KINDS + 1, np.int64), stream(seed, COUNTING)
    found = []
    for deal in range(deals):
        phases = moves_offered(dealt[deal : deal + 1].copy(), EXPERT, drafts, counts, scratch, rng)
        found.append(counts[:phases].copy())
    return found


def moves_offered_by(deck: str, deals: int, seed: int) -> dict[str, Estimate]:
    """The moves of a main phase with a deck, on average, under each pruning; then of the phases with more than one."""
    by_deal = moves_by_deal(load("magic", deck=deck), deals, seed)
    labels = np.array([deal for deal, counts in enumerate(by_deal) for _ in counts])
    counts = np.concatenate(by_deal)
    found = {name: stats.mean_by_deal(counts[:, place], labels).unsigned() for place, name in enumerate(PRUNINGS)}
    for place, name in enumerate(PRUNINGS):
        open_ones = counts[:, place] > 1
        if open_ones.any():
            found[f"{name}, {WITH_A_CHOICE}"] = stats.mean_by_deal(counts[open_ones, place], labels[open_ones]).unsigned()
    return found


WIDE_DECK = wide_deck()
