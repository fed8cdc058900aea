"""Ninety styles of playing Cheat, drawn from the distributions below: simulated players, for want of games of people.

What Bitan & Kraus 2018 say of people is matched: how often a claim is false and how often a turn is a call when people
play each other, sizes and directions of claims, about 25 seconds a turn. How far people differ is judgement. How well
they play was set so that `mga` wins about 80 % of its matches against those of them that models are trained on, as it
did against people there. docs/cheat-people.md has the table, and what was measured. Two inner leanings of each style
were found by simulation, so that it lies and calls as often as it should in the company of the others: styles.json, by
`python -m facedown.training.calibration`.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from statistics import NormalDist

from facedown.rng import stream, uniform

STYLES = 90
TRAINING_STYLES = range(60)  # the others are for tests: no model is trained on them
TEST_STYLES = range(60, STYLES)
DRAWING = 0x57F1E  # the seed of the styles

# How each trait is spread over people: mean and standard deviation of a normal distribution, and the bounds it is cut to.
SPREAD: dict[str, tuple[float, float, float, float]] = {
    "lies": (0.476, 0.15, 0.10, 0.85),  # share of its claims that are false: 1,157 of 2,432 in the paper
    "calls": (0.13, 0.07, 0.03, 0.40),  # share of the claims it faces that it calls: a tenth of all turns, as in figure 2
}
# The same without bounds: for numbers of any size.
NORMAL: dict[str, tuple[float, float]] = {
    "honour": (1.6, 0.8),  # how much less it wants to lie where a true claim can be made (log odds)
    "taking": (0.2, 0.8),  # how much it wants to take a card rather than lie (log odds)
    "risk": (0.0, 1.0),  # larger lies
    "greed": (0.8, 0.5),  # how much it wants to lay all cards of a rank at once
    "upward": (0.54, 0.5),  # up rather than down (log odds); figure 2 has 63 % up
    "habit": (0.4, 0.6),  # going on in the direction of its last claim (log odds)
    "shame": (0.25, 0.25),  # how much less it lies for each time it was caught, up to three (log odds)
    "desperation": (0.6, 0.5),  # how much more it lies when the other has few cards left (log odds)
    "prudence": (0.25, 0.1),  # how much less it lies for each card of the pile (log odds)
    "insight": (1.6, 0.4),  # how far it goes by the chance that the cards claimed are there (log odds per log odds)
    "stakes": (0.15, 0.08),  # calls for each card of the pile (log odds)
    "resentment": (0.15, 0.15),  # calls for each lie shown more than truths (log odds)
    "tell": (0.9, 0.6),  # how much longer it takes to lie, in standard deviations of its times; below 0: shorter
}
# Of a share, the normal distribution of its log odds.
SHARE: dict[str, tuple[float, float]] = {
    "memory": (1.5, 0.9),  # how much it remembers of what was shown, laid and claimed
    "attention": (2.5, 0.9),  # how often it notices what its own cards say about a claim
    "foresight": (2.0, 0.9),  # how often it thinks of what comes next: ranks to follow, a last claim that will be called
    "planning": (0.5, 1.0),  # how often a lie is made of the cards that are of use last; else of any
    "mixing": (-1.2, 0.8),  # how often a lie has a true card among its cards, where there is one
    "last_call": (4.0, 0.8),  # how often it calls a claim that would win the game for the other
    "lapses": (-5.0, 0.6),  # how often it does just anything
}
# Of a positive number, the normal distribution of its logarithm.
POSITIVE: dict[str, tuple[float, float]] = {
    "tempo": (2.75, 0.40),  # seconds of a usual turn: e ** 2.75 is 16, the mean over turns is about 22
    "unsteadiness": (-0.75, 0.25),  # standard deviation of the logarithm of its times
    "care": (-4.2, 0.5),  # how much longer it takes for each card in its hand and in the pile (logarithm of times)
}


@dataclass(frozen=True)
class Style:
    """How a simulated player plays; the comments on the distributions say what each trait is."""

    number: int
    lies: float
    calls: float
    honour: float
    taking: float
    risk: float
    greed: float
    upward: float
    habit: float
    shame: float
    desperation: float
    prudence: float
    insight: float
    stakes: float
    resentment: float
    tell: float
    memory: float
    attention: float
    foresight: float
    planning: float
    mixing: float
    last_call: float
    lapses: float
    tempo: float
    unsteadiness: float
    care: float
    dishonesty: float = 0.0  # the leanings found by simulation (log odds)
    suspicion: float = -2.0


def traits(number: int) -> dict[str, float]:
    """The traits of a style as they are drawn."""
    rng = stream(DRAWING, number)
    found: dict[str, float] = {}

    def drawn(mean: float, deviation: float) -> float:
        return NormalDist(mean, deviation).inv_cdf(min(max(uniform(rng), 1e-9), 1 - 1e-9))

    for name, (mean, deviation, least, most) in SPREAD.items():
        found[name] = min(most, max(least, drawn(mean, deviation)))
    for name, (mean, deviation) in NORMAL.items():
        found[name] = drawn(mean, deviation)
    for name, (mean, deviation) in SHARE.items():
        found[name] = 1 / (1 + exp(-drawn(mean, deviation)))
    for name, (mean, deviation) in POSITIVE.items():
        found[name] = exp(drawn(mean, deviation))
    return found


@cache
def leanings() -> dict[str, list[float]]:
    """What was found by simulation: for each style by number, dishonesty and suspicion."""
    found: dict[str, list[float]] = json.loads((files("facedown.games.cheat") / "styles.json").read_text("utf-8"))
    return found


@cache
def style(number: int) -> Style:
    """A style by its number."""
    found = leanings()
    return Style(number, dishonesty=found["dishonesty"][number], suspicion=found["suspicion"][number], **traits(number))
