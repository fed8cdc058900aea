"""Bax 2020: open-card UCT against twice its iterations (Table 1), and three qualities of sampling (Table 2).

At full scale, as there: 32 cards, matches to 75 points, two players of each kind at the table, 1,000 matches, c = 0.1 with
the 2 inside of the root, which is 0.141 here; 25 worlds with 250 iterations each. Departures:

1. Each series of deals is played in all six seatings, so 1,000 matches are 167 series; intervals are over series.
2. Rewards are scaled to 0 to 1 inside of the search, and c belongs to that scale; the paper does not state its own.
3. A win that several share is divided among them; the paper does not say how it counts one.
4. Worlds vote for an action; the paper takes "the average best action" and does not say more. `hearts32-readings` plays
   other readings, and `hearts32-program` what the paper's program does.

Standard deviations here are those of single players' points at the end of a match, and their intervals are over series. The
paper does not say whether it has these, or those of the mean of the two players of a kind, which would be far smaller.

The intervals of printed figures follow from 1,000 matches and from the standard deviations of points that are printed; for
the samples that respect the cards played none is.

The last column of Table 2 is the third of Table 1 from the other side; its 59.1 % and the 41.1 % there should add up to 100.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from facedown.arena.tournament import TournamentResult
from facedown.lab.experiments.bax.bax_figures import (
    BEST,
    CLOSE,
    EVEN,
    EXPLORATION,
    MARGIN,
    OPEN_CARDS,
    OPPONENT,
    RANDOM,
    SAMPLERS,
    SOURCE,
    TABLE_1,
    TABLE_2,
    WINS,
    Pair,
    budget,
    deviations_of,
    labels,
    play,
    points_as_published,
    tables_of,
    uct,
)
from facedown.lab.experiments.claims import Claim, equal, larger, smaller
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Table
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.stats import mean_by_deal, paired_difference

STEPS = (
    ("random sample", "cards played", "random ones", "very strong"),
    ("cards played", BEST, "by cards played alone", "weaker"),
)
GAIN = Published(5.5, 0.5, unit="points", printed="about 5 (results), 6 (discussion)")


def measure_iterations(lab: Lab) -> Findings:
    """Table 1."""
    players = {name: Pair(uct(int(name.split()[1])), uct(2 * int(name.split()[1]))) for name in TABLE_1}
    results = play(lab, players)
    claims = [
        smaller(
            f"{name} wins less than half of its matches against twice the iterations",
            str(TABLE_1[name].wins),
            result.standing(0).wins,
            EVEN,
        )
        for name, result in results.items()
    ]
    claims += [
        equal(f"{name} wins as often as published", TABLE_1[name].wins, result.standing(0).wins, MARGIN)
        for name, result in results.items()
    ]
    tables = tables_of(results, TABLE_1)
    claims += [*points_as_published(tables, " against twice its iterations"), gain_claim(results)]
    return Findings([*tables, deviations_of(results, TABLE_1)], claims=claims)


def gain_claim(results: Mapping[str, TournamentResult]) -> Claim:
    """What twice the iterations are worth in points, on average over all numbers of them."""
    gains = []
    for result in results.values():
        ours, theirs = (result.ledger.figures[text] for text in result.schedule.agents)
        gains.append([own - others for own, others in zip(ours.scores, theirs.scores, strict=True)])
    means = [fmean(some) for some in zip(*gains, strict=True)]
    text = "UCT takes as many points less with twice the iterations as printed, on average"
    return equal(text, GAIN, mean_by_deal(means, ours.deals), CLOSE)


def measure_sampling(lab: Lab) -> Findings:
    """Table 2."""
    worlds, iterations = budget(lab)
    pimc = f"pimc:worlds={worlds},iterations={iterations},exploration={EXPLORATION},sampler="
    players = {name: pimc + sampler for name, sampler in SAMPLERS.items()}
    players |= {RANDOM: "random", OPEN_CARDS: uct(2 * OPPONENT)}
    results = play(lab, {name: Pair(text, uct(OPPONENT)) for name, text in players.items()})
    tables = tables_of(results, TABLE_2)
    return Findings([*tables, deviations_of(results, TABLE_2)], claims=sampling_claims(results, tables))


def sampling_claims(results: Mapping[str, TournamentResult], tables: Sequence[Table]) -> list[Claim]:
    """What the paper says of Table 2."""
    wins = {name: result.standing(0).wins for name, result in results.items()}
    figures = {name: result.ledger.figures[result.schedule.agents[0]] for name, result in results.items()}
    claims = [
        larger(
            f"samples by {more} are better than {words}: points less",
            f"a {strength} effect ({TABLE_2[less].points.value - TABLE_2[more].points.value:.2f})",
            paired_difference(figures[less].scores, figures[more].scores, figures[less].deals),
        )
        for less, more, words, strength in STEPS
    ]
    claims += [smaller("the best samples still lose against open cards: wins", str(TABLE_2[BEST].wins), wins[BEST], EVEN)]
    claims += [equal(f"{name}: {WINS}", TABLE_2[name].wins, wins[name], MARGIN) for name in wins]
    return claims + points_as_published(tables)


HEARTS32_TABLE_1 = Experiment(
    "hearts32-table-1",
    "Hearts with 32 cards: UCT with open cards against twice its iterations",
    f"{SOURCE}, Table 1",
    labels(TABLE_1),
    measure_iterations,
)
HEARTS32_TABLE_2 = Experiment(
    "hearts32-table-2",
    "Hearts with 32 cards: three qualities of sampling against open cards",
    f"{SOURCE}, Table 2",
    labels(TABLE_2),
    measure_sampling,
)
