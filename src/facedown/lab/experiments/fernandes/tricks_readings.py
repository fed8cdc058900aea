"""Two readings of Fernandes 2016: where the 2 of UCB1 stands, and what a tree votes for.

Equation 2.1 adds c √(ln n / nⱼ), algorithms 2 and 3 add c √(2 ln n / nⱼ). The paper prints most of its numbers in section
6.3, so random play and open cards are tried by the algorithms here; `tricks-bounds` has them by the equation. And both
constants, and votes by means and by visits, meet each other. `three_games` tells how they are played.
"""

from math import sqrt

from facedown.lab.experiments.fernandes.three_games import EXPLORATION, GAMES, SOURCE, Duels, baseline, notes, options
from facedown.lab.experiments.fernandes.tricks_figures import BOUNDS, CHEATING, RANDOM
from facedown.lab.experiments.result import BARS, Row, Table, bars
from facedown.lab.experiments.running import Experiment, Findings, Lab

BY_ALGORITHM = {game: round(sqrt(2) * constant, 2) for game, constant in EXPLORATION.items()}
INSIDE, VISITS = "the 2 inside the root", "votes by visits"
TREES, TREE_ITERATIONS = 25, 500


def measure(lab: Lab) -> Findings:
    """Section 6.3 by the algorithms' constant, and each reading against the other."""
    inside = {game: baseline(lab, game, exploration=BY_ALGORITHM[game]) for game in GAMES}
    bounds = {(game, RANDOM): "random" for game in GAMES}
    bounds |= {(game, CHEATING): f"uct:{options(lab, game, exploration=BY_ALGORITHM[game], final='mean')}" for game in GAMES}
    bounded = Duels(lab, bounds, inside)
    constants = Duels(
        lab, {(game, INSIDE): text for game, text in inside.items()}, {game: baseline(lab, game) for game in GAMES}
    )

    def forest(game: str, vote: str) -> str:
        return f"pimc:worlds={TREES if lab.full else 3},{options(lab, game, TREE_ITERATIONS, vote=vote)}"

    votes = Duels(
        lab, {(game, VISITS): forest(game, "visits") for game in GAMES}, {game: forest(game, "mean") for game in GAMES}
    )
    rows = [Row(f"{label}: wins", BOUNDS[f"{label}: wins"], bounded.wins(label)) for label in bounded.results]
    against = [
        Row(f"{label}: wins ahead", None, duels.ahead(label)) for duels in (constants, votes) for label in duels.results
    ]
    tables = [
        Table(f"Section 6.3 with {INSIDE}: wins, counted as in the paper", rows, BARS),
        Table("Each reading against ours: wins more, in percentage points", against, bars("percentage points")),
    ]
    return Findings(tables, notes=notes(lab))


EXPERIMENT = Experiment(
    "tricks-readings",
    "Sueca, Bisca, Hearts: readings of UCB1 and of votes",
    f"{SOURCE}, equation 2.1, algorithms 2 and 3, section 6.3",
    BOUNDS,
    measure,
)
