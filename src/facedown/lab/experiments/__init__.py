"""The published experiments that can be reproduced, by name; a folder for each study, a module for each table or figure.

docs/experiments.md explains how to add one.
"""

from facedown.errors import FacedownError
from facedown.games import find, points
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import (
    BARS,
    FOREST,
    ExperimentResult,
    Plot,
    Row,
    Significance,
    Table,
    bars,
    curves,
    forest,
)
from facedown.lab.experiments.running import Contest, Experiment, ExperimentSettings, Findings, Lab

__all__ = [
    "BARS",
    "EXPERIMENTS",
    "FOREST",
    "Contest",
    "Experiment",
    "ExperimentResult",
    "ExperimentSettings",
    "Findings",
    "Lab",
    "Plot",
    "Published",
    "Row",
    "Significance",
    "Table",
    "bars",
    "curves",
    "experiment",
    "experiments",
    "forest",
]

EXPERIMENTS = {
    "cheat-agents": "facedown.lab.experiments.bitan_kraus.cheat_agents:EXPERIMENT",
    "cheat-behaviour": "facedown.lab.experiments.bitan_kraus.cheat_behaviour:EXPERIMENT",
    "cheat-encoding": "facedown.lab.experiments.bitan_kraus.cheat_encoding:EXPERIMENT",
    "cheat-grid": "facedown.lab.experiments.bitan_kraus.cheat_grid:EXPERIMENT",
    "cheat-lies": "facedown.lab.experiments.bitan_kraus.cheat_lies:EXPERIMENT",
    "cheat-models": "facedown.lab.experiments.bitan_kraus.cheat_models:EXPERIMENT",
    "hearts-depths": "facedown.lab.experiments.manzke.hearts_depths:EXPERIMENT",
    "hearts-inference": "facedown.lab.experiments.manzke.hearts_inference:EXPERIMENT",
    "hearts-moons": "facedown.lab.experiments.manzke.hearts_moons:EXPERIMENT",
    "hearts-transpositions": "facedown.lab.experiments.manzke.hearts_transpositions:EXPERIMENT",
    "hearts32-program": "facedown.lab.experiments.bax.hearts32_readings:HEARTS32_PROGRAM",
    "hearts32-readings": "facedown.lab.experiments.bax.hearts32_readings:HEARTS32_READINGS",
    "hearts32-table-1": "facedown.lab.experiments.bax.hearts32_tables:HEARTS32_TABLE_1",
    "hearts32-table-2": "facedown.lab.experiments.bax.hearts32_tables:HEARTS32_TABLE_2",
    "magic-all-deals": "facedown.lab.experiments.cowling.magic_all_deals:EXPERIMENT",
    "magic-expert-reduced": "facedown.lab.experiments.cowling.magic_expert:EXPERIMENT",
    "magic-orders": "facedown.lab.experiments.cowling.magic_orders:EXPERIMENT",
    "magic-preliminaries": "facedown.lab.experiments.cowling.magic_preliminaries:EXPERIMENT",
    "magic-table-2": "facedown.lab.experiments.cowling.magic_trees:MAGIC_TABLE_2",
    "magic-table-3": "facedown.lab.experiments.cowling.magic_seven:MAGIC_TABLE_3",
    "magic-table-4": "facedown.lab.experiments.cowling.magic_seven:MAGIC_TABLE_4",
    "magic-table-5": "facedown.lab.experiments.cowling.magic_combinations:MAGIC_TABLE_5",
    "magic-table-6": "facedown.lab.experiments.cowling.magic_combinations:MAGIC_TABLE_6",
    "magic-trees-100k": "facedown.lab.experiments.cowling.magic_trees:MAGIC_TREES_100K",
    "tricks-bounds": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_BOUNDS",
    "tricks-determinization": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_DETERMINIZATION",
    "tricks-exploration": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_EXPLORATION",
    "tricks-iterations": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_ITERATIONS",
    "tricks-minimax": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_MINIMAX",
    "tricks-nast-policies": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_NAST_POLICIES",
    "tricks-ngrams": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_NGRAMS",
    "tricks-proposals": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_PROPOSALS",
    "tricks-readings": "facedown.lab.experiments.fernandes.tricks_readings:EXPERIMENT",
    "tricks-samplers": "facedown.lab.experiments.fernandes.tricks_samplers:EXPERIMENT",
    "tricks-trees": "facedown.lab.experiments.fernandes.tricks_trees:EXPERIMENT",
    "tricks-rewards": "facedown.lab.experiments.fernandes.tricks_figures:TRICKS_REWARDS",
}


def experiments() -> list[str]:
    """The names of all known experiments."""
    return sorted({*EXPERIMENTS, *points("facedown.experiments")})


def experiment(name: str) -> Experiment:
    """An experiment by name or `module:attribute`."""
    found = find(name, EXPERIMENTS, "facedown.experiments", "experiment")
    if not isinstance(found, Experiment):
        raise FacedownError(f"expected {name!r} to be an experiment, got {found!r}")
    return found
