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
    "hearts32-program": "facedown.lab.experiments.bax.hearts32_readings:AUTHOR",
    "hearts32-readings": "facedown.lab.experiments.bax.hearts32_readings:READINGS",
    "hearts32-table-1": "facedown.lab.experiments.bax.hearts32_tables:MORE_ITERATIONS",
    "hearts32-table-2": "facedown.lab.experiments.bax.hearts32_tables:SAMPLING",
    "magic-all-deals": "facedown.lab.experiments.cowling.magic_all_deals:EXPERIMENT",
    "magic-expert-reduced": "facedown.lab.experiments.cowling.magic_rules:EXPERIMENT",
    "magic-preliminaries": "facedown.lab.experiments.cowling.magic_preliminaries:EXPERIMENT",
    "magic-table-2": "facedown.lab.experiments.cowling.magic_trees:TABLE",
    "magic-table-3": "facedown.lab.experiments.cowling.magic_seven:ROUND_ROBIN",
    "magic-table-4": "facedown.lab.experiments.cowling.magic_seven:COSTS",
    "magic-table-5": "facedown.lab.experiments.cowling.magic_combinations:COMBINATIONS",
    "magic-table-6": "facedown.lab.experiments.cowling.magic_combinations:MORE_ROLLOUTS",
    "magic-trees-100k": "facedown.lab.experiments.cowling.magic_trees:MORE",
    "tricks-bounds": "facedown.lab.experiments.fernandes.tricks_figures:EXTREMES",
    "tricks-determinization": "facedown.lab.experiments.fernandes.tricks_figures:DETERMINIZATION",
    "tricks-exploration": "facedown.lab.experiments.fernandes.tricks_figures:CONSTANT",
    "tricks-iterations": "facedown.lab.experiments.fernandes.tricks_figures:MORE_ITERATIONS",
    "tricks-minimax": "facedown.lab.experiments.fernandes.tricks_figures:EXACT_END",
    "tricks-nast-policies": "facedown.lab.experiments.fernandes.tricks_figures:NAST_POLICIES",
    "tricks-ngrams": "facedown.lab.experiments.fernandes.tricks_figures:NGRAMS",
    "tricks-proposals": "facedown.lab.experiments.fernandes.tricks_figures:PROPOSALS",
    "tricks-readings": "facedown.lab.experiments.fernandes.tricks_readings:EXPERIMENT",
    "tricks-samplers": "facedown.lab.experiments.fernandes.tricks_samplers:EXPERIMENT",
    "tricks-trees": "facedown.lab.experiments.fernandes.tricks_trees:EXPERIMENT",
    "tricks-rewards": "facedown.lab.experiments.fernandes.tricks_figures:REWARDS",
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
