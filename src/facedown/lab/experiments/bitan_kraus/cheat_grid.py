"""The constants of Smooth-UCT in Cheat, by self-play: Bitan & Kraus 2018, section 4.6.

There, 1,000 combinations of c (18 to 27), d (0.006 to 0.051) and a discount (0.975 to 1.02) met in a knock-out of 100
matches a pairing; eta and gamma were set by hand. The stated winner, c = 0.0025, d = 0.0025 and 0.995, has a c and a d
that are not on that grid, and on which scale rewards are is not said. Departures:

1. Each constant is tried alone: the defaults here, which have the stated d and discount, meet the same agent with
   another value of one constant. A knock-out says who won, not by how much.
2. The knock-out is of eight combinations of the grid, drawn at random. Its winner meets the defaults, on other deals.
   Discounts above 1, which make later wins worth more, are left out: `mga` has none.
3. Rewards are 0 to 1. c was chosen on other deals than these: docs/cheat.md.
"""

from itertools import product

import numpy as np

from facedown.lab.experiments.claims import REFUTED, Claim, larger, smaller
from facedown.lab.experiments.result import Row, Table
from facedown.lab.experiments.running import Contest, Experiment, Findings, Lab
from facedown.stats import Estimate

FULL_ITERATIONS, FULL_DEALS = 10_000, 50
QUICK_ITERATIONS, QUICK_DEALS = 10, 1
EVEN = 0.5
STATED_C = "exploration=0.0025"
STATED = {"d": "d = 0.0025", "discount": "a discount of 0.995"}
OTHERS = {
    "c": (STATED_C, "exploration=0.1", "exploration=0.2", "exploration=0.8", "exploration=18", "exploration=27"),
    "d": ("d=0.006", "d=0.026", "d=0.051"),
    "discount": ("discount=0.975", "discount=1"),
    "eta and gamma": ("eta=0.5", "gamma=0.5", "eta=1,gamma=1"),
}
GRID = (*OTHERS["d"], *OTHERS["discount"])  # values of the paper's grid, against its winner's
COMBINATIONS = [
    f"exploration={c},d={0.001 + 0.005 * d:.3f},discount={0.97 + 0.005 * discount:.3f}"
    for c, d, discount in product(range(18, 28), range(1, 11), range(1, 7))
]
ENTRANTS, ROUNDS = 8, 3  # of the knock-out


def measure(lab: Lab) -> Findings:
    """The defaults against each other value."""
    iterations, deals = (FULL_ITERATIONS, FULL_DEALS) if lab.full else (QUICK_ITERATIONS, QUICK_DEALS)
    usual = f"mga:iterations={iterations}"
    names = [name for some in OTHERS.values() for name in some]
    results = lab.play({name: Contest("cheat", (f"{usual},{name}", usual), deals) for name in names})
    wins = {name: result.standing(0).wins for name, result in results.items()}
    tables = [
        Table(f"Wins against the defaults: {constant}", [Row(name, None, wins[name]) for name in some])
        for constant, some in OTHERS.items()
    ]
    winner, best = knockout(lab, usual, deals)
    tables.append(Table("Wins of the knock-out's winner against the defaults", [Row(winner, None, best)]))
    claims = [
        Claim(
            "the winner was found on the grid that is described",
            f"c = 0.0025, {', '.join(STATED.values())}",
            "c from 18 to 27, d from 0.006 to 0.051",
            REFUTED,
            "neither its c nor its d is on it",
        ),
        larger(
            "c = 0.0025 is the best where rewards are 0 to 1: its wins against the default here",
            "c = 0.0025",
            wins[STATED_C],
            EVEN,
        ),
        *(smaller(f"{name} loses against the stated value", stated(name), wins[name], EVEN) for name in GRID),
    ]
    notes = [f"{iterations:,} simulations a decision. The defaults: {defaults()}."]
    return Findings(tables, notes=notes, claims=claims)


def stated(name: str) -> str:
    """The stated value of the constant that a variation changes."""
    return STATED[name.partition("=")[0]]


def knockout(lab: Lab, usual: str, deals: int) -> tuple[str, Estimate]:
    """The combination that wins a knock-out among some of the grid, and its wins against the defaults."""
    rng = np.random.default_rng(lab.settings.seed)
    left = [COMBINATIONS[number] for number in rng.choice(len(COMBINATIONS), ENTRANTS, replace=False)]
    for turn in range(1, ROUNDS + 1):
        pairs = {f"round {turn}: {one} and {other}": (one, other) for one, other in zip(left[::2], left[1::2], strict=True)}
        results = lab.play(
            {
                name: Contest("cheat", tuple(f"{usual},{some}" for some in pair), deals, apart=turn)
                for name, pair in pairs.items()
            }
        )
        left = [pair[0 if results[name].standing(0).wins.value >= EVEN else 1] for name, pair in pairs.items()]
    [winner] = left
    against = Contest("cheat", (f"{usual},{winner}", usual), deals, apart=ROUNDS + 1)
    return winner, lab.play({winner: against})[winner].standing(0).wins


def defaults() -> str:
    """The constants of `mga`."""
    from facedown.agents.sdmcts import Mga

    names = ("exploration", "d", "discount", "eta", "gamma")
    return ", ".join(f"{option.name} {option.value:g}" for option in Mga.declared if option.name in names)


EXPERIMENT = Experiment(
    "cheat-grid",
    "Cheat: the constants of Smooth-UCT",
    "Bitan & Kraus 2018, section 4.6",
    {},
    measure,
)
