"""Fernandes 2016, tables 4.1 and 4.2: whether samplers of worlds are uniform, by chi-squared tests of many samples.

As there: 1,000 samples (or as many as `--deals` says) of 10,000 worlds of the paper's example, which has nine, and the
share of samples that are rejected. In that example every sampler that treats cards alike is uniform (docs/worlds.md), so
another position is tried, in which the possibility matrix is not: three hands of two cards, of which one may have 2-5♣, one
2-5♣ and 6-7♦, one 4-5♣ and 6-7♦.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.stats import chi2

from facedown import stats
from facedown.cards import mask_of, parse
from facedown.kernel import Array
from facedown.lab.experiments.claims import Claim, equal, smaller
from facedown.lab.experiments.fernandes.counted_draws import count_draws
from facedown.lab.experiments.fernandes.three_games import SOURCE
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.rng import stream
from facedown.worlds import exact
from facedown.worlds.counting import every_world
from facedown.worlds.knowledge import new_hidden

SAMPLERS = ("accept-reject", "possibility-matrix", "exact")
LEVELS = (0.05, 0.01, 0.001)
PAPER, OTHER = "the paper's example", "another position"
POSITIONS = {  # the cards that each of three holders may have, two each
    PAPER: ("AH 7H 2H KS QS JS", "KS QS JS", "AH 7H 2H"),
    OTHER: ("2C 3C 4C 5C", "2C 3C 4C 5C 6D 7D", "4C 5C 6D 7D"),
}
SAMPLES, DRAWS = 1000, 10_000
QUICK_SAMPLES, QUICK_DRAWS = 5, 500
REJECTED = {"accept-reject": (44, 8, 0), "possibility-matrix": (46, 5, 0)}  # of 1,000, at each level

TABLE_4_1 = (
    "Table 4.1 has one sample of each: a chi-squared of 2.3246 and a p of .9694 by accept-reject, 0.548 and .9998 by the "
    "possibility matrix. The p of one sample is as likely to be any number as any other, so it judges no claim."
)


def label(position: str, sampler: str, level: float) -> str:
    """The label of a figure."""
    return f"{position}: {sampler}, rejected at {level:g}"


PUBLISHED = {
    label(PAPER, sampler, level): Published(count / SAMPLES, count=SAMPLES, rate=True)
    for sampler, counts in REJECTED.items()
    for level, count in zip(LEVELS, counts, strict=True)
}


def hidden_cards(position: str, sampler: str) -> Any:
    """What is known in a position."""
    hidden = new_hidden(sampler)
    masks = [mask_of(parse(card) for card in cards.split()) for cards in POSITIONS[position]]
    hidden[0].holders = len(masks)
    hidden[0].pool = hidden[0].unseen = np.bitwise_or.reduce(masks)
    hidden[0].may_hold[: len(masks)] = masks
    hidden[0].room[: len(masks)] = 2
    return hidden


def measure(lab: Lab) -> Findings:
    """Test samples of each sampler in both positions."""
    claims: list[Claim] = []
    pairs = [(position, sampler) for position in POSITIONS for sampler in SAMPLERS]
    rows: dict[str, list[Row]] = {position: [] for position in POSITIONS}
    first: list[str] = []
    for position, sampler in lab.steps("samples", "samplers", pairs):
        values = p_values(lab, position, sampler)
        if position == PAPER:
            first.append(f"{sampler} {values[0]:.4f}")
        for level in LEVELS:
            name = label(position, sampler, level)
            rejected = replace(stats.win_rate(int((values < level).sum()), len(values)), unit="samples")
            rows[position].append(Row(name, PUBLISHED.get(name), rejected))
            claims += claim(position, sampler, level, rejected)
    tables = [Table(f"Samples that are rejected, in {position}", some) for position, some in rows.items()]
    notes = [f"{TABLE_4_1} The p of our first samples: {', '.join(first)}."]
    return Findings(tables, notes=notes, claims=claims)


def claim(position: str, sampler: str, level: float, rejected: stats.Estimate) -> list[Claim]:
    """What follows for the paper: its counts, and that its sampler is uniform in general."""
    if level != LEVELS[0]:
        return []
    name = label(position, sampler, level)
    if name in PUBLISHED:
        return [
            equal(
                f"{sampler}: about 5 % of the samples of the paper's example are rejected", PUBLISHED[name], rejected, 0.02
            )
        ]
    if position == OTHER and sampler == "possibility-matrix":
        text = "the possibility matrix is uniform in general: samples of another position that are rejected"
        return [smaller(text, "argued for in six steps", rejected, 2 * LEVELS[0])]
    return []


def p_values(lab: Lab, position: str, sampler: str) -> Array:
    """The p of each sample."""
    samples, draws = (SAMPLES, DRAWS) if lab.full else (QUICK_SAMPLES, QUICK_DRAWS)
    samples = lab.settings.deals or samples
    hidden = hidden_cards(position, sampler)
    ways = exact.prepare(hidden)
    worlds = np.array([[held[0], held[1]] for held in every_world(hidden_cards(position, "exact"))], np.uint64)
    counts = np.zeros(len(worlds) + 1, np.int64)
    rng = stream(lab.settings.seed, SAMPLERS.index(sampler))
    found = np.empty(samples)
    for sample in range(samples):
        counts[-1] = draws
        count_draws(hidden[0], ways, worlds, counts, rng)
        expected = draws / len(worlds)
        found[sample] = chi2.sf(((counts[:-1] - expected) ** 2 / expected).sum(), len(worlds) - 1)
    return found


EXPERIMENT = Experiment(
    "tricks-samplers",
    "Whether samplers of worlds are uniform",
    f"{SOURCE}, tables 4.1 and 4.2",
    PUBLISHED,
    measure,
)
