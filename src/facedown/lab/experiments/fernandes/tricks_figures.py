"""Fernandes 2016, figures 6.1 to 6.9: variations of ISMCTS against a baseline in Sueca, Bisca and Hearts.

What the experiments of this study share is told under that heading. Further departures:

1. Figure 6.1: the paper does not print its numbers of trees; 10, 25 and 50 are ours. "10 trees of 500" are 10 worlds with
   500 iterations each.
2. Figures 6.4 and 6.5: our score difference is the paper's divided by 4, and so is the exploration constant for it.
3. Figure 6.9: `minimax` is the paper's own form. With 13 actions left (Bisca 15) it solves all worlds, up to 4,200, and each
   world has a vote. It maximizes 1,000 for a win or -1,000 for a loss and its own points, with all others against it. A
   shared win counts 0; the paper does not say what it is worth. `exact end` is ours and judges no claim: it maximizes the
   lead, on average over the worlds.
4. Figure 6.3: the cheating player is UCT with open cards, with as many iterations; in Bisca it sees the order of the stock,
   too. It plays the action with the best mean, as algorithm 2 has it. In figure 6.1 each tree votes for its best mean.
5. Figures 6.5 and 6.6: as there, 2,500 iterations, and the baseline has the same reward and a constant of 0.7 in all games.
   The paper says that the constants are from 0 to 2; the steps are ours. It calls the constant "higher than 0", so 0 is
   played, but judges no claim.
6. Three proposals of sections 6.4 and 6.6, which the paper did not try: the score counts once the win is decided; in Bisca
   the constant lies between 0 and 0.25 (0.1 is ours), and UCT searches once all cards are known.
7. Figures 6.7 and 6.8: the paper does not print NAST's parameters. Ours are tau = 1, epsilon = 0.2 and c = 0.7, which it
   quotes as the best of another study. Its claims on sequences of 2 are those on `ucb1`, the same player: they count once.
8. Section 6.4 says without a figure that PWL with 0.7 was worse in Bisca. Here it meets the baseline, which has 0.25.
"""

from collections.abc import Callable, Iterable, Sequence
from math import factorial
from typing import TypeAlias

from facedown.lab.experiments.claims import REFUTED, Claim, equal, larger, no_difference, proposed, smaller
from facedown.lab.experiments.fernandes.three_games import (
    CLOSE,
    GAMES,
    ITERATIONS,
    SOURCE,
    Duels,
    LateDuels,
    baseline,
    options,
    row_label,
)
from facedown.lab.experiments.published import Published, between
from facedown.lab.experiments.result import curves
from facedown.lab.experiments.running import Experiment, Findings, Lab

Players: TypeAlias = dict[tuple[str, str], str]
ALL = tuple(GAMES)
SD_SCALE = 4  # our score difference is a quarter of the paper's


def players(names: Iterable[str], text: Callable[[str, str], str], games: Sequence[str] = ALL) -> Players:
    """An agent for each game and variation."""
    return {(game, name): text(game, name) for game in games for name in names}


def duels(lab: Lab, variations: Players) -> Duels:
    """Variations against the usual baseline."""
    return Duels(lab, variations, {game: baseline(lab, game) for game in GAMES})


def late_duels(lab: Lab, variations: Players) -> LateDuels:
    """Variations that begin late in a deal."""
    return LateDuels(lab, variations, {game: baseline(lab, game) for game in GAMES})


def ahead(found: Duels, labels: Iterable[str], words: str) -> list[Claim]:
    """Claims that variations win more often than the baseline."""
    return [larger(f"{label} {words}", "wins more", found.ahead(label)) for label in labels]


def behind(found: Duels, labels: Iterable[str], words: str) -> list[Claim]:
    """Claims that variations win less often than the baseline."""
    return [smaller(f"{label} {words}", "wins less", found.ahead(label)) for label in labels]


def level(found: Duels, labels: Iterable[str], words: str, published: str = "no significant difference") -> list[Claim]:
    """Claims that variations win about as often."""
    return [
        no_difference(f"{label} {words}", published, found.ahead(label), CLOSE[label.partition(":")[0]], "percentage points")
        for label in labels
    ]


def improved(found: Duels, label: str, points: float) -> list[Claim]:
    """Claims that a variation wins more often than the baseline, and by how many percentage points."""
    ours = found.ahead(label)
    return [
        larger(f"{label} wins more often", f"by {points:g} %", ours),
        equal(f"{label} wins as much more often as printed", Published(points), ours, max(1, points / 2)),
    ]


def gains(found: Duels, pairs: Iterable[tuple[str, str]], published: str) -> list[Claim]:
    """Claims that one variation wins more often than another against the same baseline."""
    return [
        larger(f"{label} win more often than {other.partition(': ')[2]}", published, found.gain(label, other))
        for label, other in pairs
    ]


def better_scores(found: Duels, labels: Iterable[str], published: str) -> list[Claim]:
    """Claims that variations score better than the baseline: more points, or in Hearts fewer."""
    return [
        (smaller if label.startswith("Hearts") else larger)(f"{label} improves the score", published, found.points(label))
        for label in labels
    ]


# --- 6.1 and 6.2: how to search, and how long ----------------------------------------------------------------------------

TREES, TREE_ITERATIONS = (10, 25, 50), (500, 2000)
FORESTS = {f"{trees} trees of {count}": (trees, count) for count in TREE_ITERATIONS for trees in TREES}
BISCA_FORESTS = between(28, 33)
PUBLISHED_FORESTS = {row_label(f"Bisca: {name}", "wins"): BISCA_FORESTS for name in FORESTS if name.endswith("2000")}


def measure_determinization(lab: Lab) -> Findings:
    """Figure 6.1."""

    def forest(game: str, name: str) -> str:
        trees, count = FORESTS[name]
        return f"pimc:worlds={trees if lab.full else 3},{options(lab, game, count, vote='mean')}"

    found = duels(lab, players(FORESTS, forest))
    words = "(determinized UCT) lose against ISMCTS"
    claims = behind(found, [f"{game}: {name}" for game in ("Sueca", "Bisca") for name in FORESTS], words)
    claims += level(found, [f"Hearts: {name}" for name in FORESTS], "(determinized UCT) are as good as ISMCTS")
    claims += [
        equal(f"{label} (determinized UCT) win 28 to 33 %", BISCA_FORESTS, found.wins(label), 0.05)
        for label in (f"Bisca: {name}" for name in FORESTS if name.endswith("2000"))
    ]
    few, many = TREES[0], TREES[-1]
    short, long = TREE_ITERATIONS
    fewer = [(f"Sueca: {few} trees of {count}", f"Sueca: {many} trees of {count}") for count in TREE_ITERATIONS]
    claims += gains(found, fewer, "more trees win less")
    longer = [(f"Bisca: {trees} trees of {long}", f"Bisca: {trees} trees of {short}") for trees in TREES]
    claims += gains(found, longer, "more, by around 3 %")
    for count in TREE_ITERATIONS:
        label = f"Hearts: {many} trees of {count}"
        claims.append(larger(f"{label} take more points than ISMCTS", "significantly", found.points(label)))
    return Findings(found.tables(PUBLISHED_FORESTS), claims=claims)


LONGER = {f"{thousand},000 iterations": 1000 * thousand for thousand in (20, 30, 40, 50)}


def measure_iterations(lab: Lab) -> Findings:
    """Figure 6.2."""
    found = duels(lab, players(LONGER, lambda game, name: baseline(lab, game, LONGER[name])))
    claims = level(found, ["Sueca: 20,000 iterations"], "are as good as 10,000", "almost the same result")
    claims += ahead(found, ["Sueca: 30,000 iterations", "Sueca: 40,000 iterations"], "are better than 10,000")
    claims += ahead(found, [f"Bisca: {name}" for name in LONGER], "are better than 10,000")
    claims += gains(found, [("Sueca: 40,000 iterations", "Sueca: 50,000 iterations")], "50,000 seem to win less")
    claims += level(found, [f"Hearts: {name}" for name in LONGER], "are as good as 10,000")
    return Findings(found.tables({}), claims=claims)


# --- 6.3: the least and the most that can be reached ---------------------------------------------------------------------

RANDOM, CHEATING = "random", "open cards"
BOUNDS = {
    f"Sueca: {RANDOM}": between(17, 21),
    f"Bisca: {RANDOM}": between(1, 3),
    f"Hearts: {RANDOM}": between(10, 13),
    f"Sueca: {CHEATING}": between(62, 67),
    f"Bisca: {CHEATING}": between(87, 91),
    f"Hearts: {CHEATING}": between(40, 44),
}
BOUNDS_MARGIN = 0.06  # within which a share of wins counts as the published one; at most the share itself
PUBLISHED_BOUNDS = {row_label(label, "wins"): figure for label, figure in BOUNDS.items()}


def as_often(found: Duels) -> list[Claim]:
    """The claims of section 6.3."""
    return [
        equal(f"{label} wins as often as printed", BOUNDS[label], found.wins(label), min(BOUNDS_MARGIN, BOUNDS[label].value))
        for label in found.results
    ]


def measure_bounds(lab: Lab) -> Findings:
    """Figure 6.3."""

    def player(game: str, name: str) -> str:
        return "random" if name == RANDOM else f"uct:{options(lab, game, final='mean')}"

    found = duels(lab, players((RANDOM, CHEATING), player))
    return Findings(found.tables(PUBLISHED_BOUNDS), claims=as_often(found))


# --- 6.4 to 6.6: rewards and their exploration constants -----------------------------------------------------------------

WIN_LOSS, DIFFERENCE = "win or loss", "score difference"
CONSTANTS = {
    WIN_LOSS: {"Sueca": 1.75, "Bisca": 0.25, "Hearts": 1.5},
    DIFFERENCE: {"Sueca": 0.5, "Bisca": 0.25, "Hearts": 0.25},
}
LITTLE, USUAL = 0.25, 0.7  # the constant that the paper found best in Bisca, and that of its baselines
MUCH = f"PWL, exploration {USUAL:g}"


def rewarded(lab: Lab, game: str, reward: str, constant: float, iterations: int = ITERATIONS) -> str:
    """ISMCTS with another reward, and the paper's exploration constant on our scale."""
    kind, scale = ("wl", 1) if reward == WIN_LOSS else ("sd", SD_SCALE)
    return baseline(lab, game, iterations, reward=kind, exploration=constant / scale)


def measure_rewards(lab: Lab) -> Findings:
    """Figure 6.4."""
    texts = players(CONSTANTS, lambda game, name: rewarded(lab, game, name, CONSTANTS[name][game]))
    found = duels(lab, texts | {("Bisca", MUCH): baseline(lab, "Bisca", exploration=USUAL)})
    claims = of_sides(found)
    worse, label = "significantly worsened the results", f"Bisca: {MUCH}"
    claims += [smaller(f"{label} wins less often than {LITTLE:g}", worse, found.ahead(label))]
    claims += [claim for name in CONSTANTS for claim in improved(found, f"Hearts: {name}", 1)]
    claims += [smaller(f"Hearts: {DIFFERENCE} scores fewer points", "fewer", found.points(f"Hearts: {DIFFERENCE}"))]
    return Findings(found.tables({}), claims=claims)


def of_sides(found: Duels) -> list[Claim]:
    """The claims of figure 6.4 on games of two sides."""
    claims = behind(found, [f"Sueca: {name}" for name in CONSTANTS], "slightly worsens the win rate")
    claims += improved(found, f"Bisca: {WIN_LOSS}", 3)
    claims += level(found, [f"Bisca: {DIFFERENCE}"], "wins as often as the baseline", "win rates seem to be equal")
    return [*claims, smaller(f"Bisca: {DIFFERENCE} scores fewer points", "fewer", found.points(f"Bisca: {DIFFERENCE}"))]


EXPLORED = (0.0, 0.25, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0)
QUICK_EXPLORED = (0.25, 1.5)
EXPLORED_ITERATIONS = 2500


def measure_exploration(lab: Lab) -> Findings:
    """Figures 6.5 and 6.6: against the same reward with 0.7."""
    tables, claims = [], []
    for reward in (DIFFERENCE, WIN_LOSS):
        kept = [constant for constant in EXPLORED if lab.full or constant in QUICK_EXPLORED]
        names = {explored(reward, constant): constant for constant in kept}
        texts = {
            (game, name): rewarded(lab, game, reward, constant, EXPLORED_ITERATIONS)
            for game in GAMES
            for name, constant in names.items()
        }
        found = Duels(lab, texts, {game: rewarded(lab, game, reward, USUAL, EXPLORED_ITERATIONS) for game in GAMES})
        tables += found.tables({}, curves("exploration"), reward.capitalize())
        tried = [name for name, constant in names.items() if constant]
        claims += as_good(found, [f"{game}: {name}" for game in ("Sueca", "Hearts") for name in tried])
        claims += little_is_best(found, reward)
    return Findings(tables, claims=claims)


def explored(reward: str, constant: float) -> str:
    """The name of a variation with an exploration constant."""
    return f"{reward}, exploration {constant:g}"


def as_good(found: Duels, labels: Iterable[str]) -> list[Claim]:
    """The claims of figures 6.5 and 6.6 on Sueca and Hearts."""
    return level(found, labels, f"is as good as {USUAL:g}")


def little_is_best(found: Duels, reward: str) -> list[Claim]:
    """The claim of figure 6.5 or 6.6 on Bisca."""
    return ahead(found, [f"Bisca: {explored(reward, LITTLE)}"], f"is better than {USUAL:g}")


# --- 6.7 and 6.8: NAST ----------------------------------------------------------------------------------------------------

POLICIES = ("epsilon-greedy", "gibbs", "roulette", "ucb1")
LENGTHS = {f"sequences of {length}": length for length in (1, 2, 3, 4)}


def measure_policies(lab: Lab) -> Findings:
    """Figure 6.7."""
    found = duels(lab, players(POLICIES, lambda game, name: baseline(lab, game, playout="nast", ngram=2, policy=name)))
    claims = ahead(found, ["Sueca: ucb1", "Sueca: roulette"], "helps")
    claims += ahead(found, ["Bisca: ucb1", "Bisca: epsilon-greedy", "Bisca: gibbs"], "helps")
    claims += level(found, [f"Hearts: {name}" for name in POLICIES], "makes no significant difference")
    return Findings(found.tables({}), claims=claims)


def measure_lengths(lab: Lab) -> Findings:
    """Figure 6.8."""

    def player(game: str, name: str) -> str:
        return baseline(lab, game, playout="nast", ngram=LENGTHS[name], policy="ucb1")

    found = duels(lab, players(LENGTHS, player))
    claims = level(found, [f"Hearts: sequences of {length}" for length in (3, 4)], "make no significant difference")
    return Findings(found.tables({}), claims=claims)


# --- 6.9: minimax at the end ----------------------------------------------------------------------------------------------

LEADS, MINIMAX = "exact end", "minimax"
ENDS: dict[str, dict[str, str]] = {LEADS: {}, MINIMAX: {"endgame_aim": "win", "final": "votes"}}
LAST = {"Sueca": 13, "Bisca": 15, "Hearts": 13}
SOLVED_WORLDS, QUICK_WORLDS = 4200, 3
ASSIGNMENTS = Claim(
    "with 13 cards left in Sueca or Hearts there can be around 4,200 assignments of the hidden ones",
    "4,200: 10 hidden cards in hands of 4, 3 and 3",
    f"{factorial(9) // factorial(3) ** 3:,}",
    REFUTED,
    "who moves has 4 of the 13 cards, so 9 are hidden, in hands of 3",
)


def measure_minimax(lab: Lab) -> Findings:
    """Figure 6.9."""
    worlds = SOLVED_WORLDS if lab.full else QUICK_WORLDS

    def player(game: str, name: str) -> str:
        return baseline(lab, game, ITERATIONS, endgame=LAST[game], endgame_worlds=worlds, **ENDS[name])

    found = late_duels(lab, players(ENDS, player))
    labels = [f"{game}: {MINIMAX}" for game in GAMES]
    claims = level(found, labels, "does not change the win rate")
    claims += [*better_scores(found, labels, "significantly"), ASSIGNMENTS]
    return Findings(found.tables({}), claims=claims)


# --- What the paper proposes ----------------------------------------------------------------------------------------------

HYBRID, ALL_KNOWN = "win, then score", "UCT once all cards are known"
LEAST = 0.1  # an exploration constant of Bisca "between 0 and 0.25"
PROPOSED = "proposed, not tried"


def measure_proposals(lab: Lab) -> Findings:
    """The reward that section 6.4 proposes; for Bisca its smaller constant too, and the search that section 6.6 proposes."""
    texts = players([HYBRID], lambda game, _: baseline(lab, game, reward="pwl-sd"))
    texts |= players([ALL_KNOWN], lambda game, _: baseline(lab, game, one_world="uct"), ["Bisca"])
    found = late_duels(lab, texts)
    labels = [f"{game}: {HYBRID}" for game in GAMES]
    claims = level(found, labels, "wins as often as the baseline", PROPOSED) + better_scores(found, labels, PROPOSED)
    claims.append(larger(f"Bisca: {ALL_KNOWN} wins more", PROPOSED, found.ahead(f"Bisca: {ALL_KNOWN}")))
    tables = found.tables({})
    for reward in CONSTANTS:
        name = explored(reward, LEAST)
        usual = {"Bisca": rewarded(lab, "Bisca", reward, LITTLE)}
        least = Duels(lab, {("Bisca", name): rewarded(lab, "Bisca", reward, LEAST)}, usual)
        tables += least.tables({}, about=f"{reward}, against exploration {LITTLE:g}".capitalize())
        text = f"Bisca: {name} wins more often than {LITTLE:g}"
        claims.append(larger(text, "between 0 and 0.25 could be better", least.ahead(f"Bisca: {name}")))
    return Findings(tables, claims=[proposed(claim) for claim in claims])


def figure(
    name: str, title: str, number: str, measure: Callable[[Lab], Findings], published: dict[str, Published]
) -> Experiment:
    """An experiment of chapter 6."""
    return Experiment(name, f"Sueca, Bisca, Hearts: {title}", f"{SOURCE}, {number}", published, measure)


TRICKS_DETERMINIZATION = figure(
    "tricks-determinization", "determinized UCT against ISMCTS", "figure 6.1", measure_determinization, PUBLISHED_FORESTS
)
TRICKS_ITERATIONS = figure("tricks-iterations", "more iterations", "figure 6.2", measure_iterations, {})
TRICKS_BOUNDS = figure("tricks-bounds", "random play and open cards", "figure 6.3", measure_bounds, PUBLISHED_BOUNDS)
TRICKS_REWARDS = figure("tricks-rewards", "reward functions", "figure 6.4", measure_rewards, {})
TRICKS_EXPLORATION = figure("tricks-exploration", "exploration constants", "figures 6.5 and 6.6", measure_exploration, {})
TRICKS_NAST_POLICIES = figure("tricks-nast-policies", "policies of NAST", "figure 6.7", measure_policies, {})
TRICKS_NGRAMS = figure("tricks-ngrams", "lengths of NAST's sequences", "figure 6.8", measure_lengths, {})
TRICKS_MINIMAX = figure("tricks-minimax", "exact solutions at the end", "figure 6.9", measure_minimax, {})
TRICKS_PROPOSALS = figure("tricks-proposals", "what the paper proposes", "sections 6.4 and 6.6", measure_proposals, {})
