"""The published experiments that can be reproduced, by name; one module for each table or figure.

docs/experiments.md explains how to add one.
"""

from facedown.errors import FacedownError
from facedown.games import find, points
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import BARS, FOREST, ExperimentResult, Plot, Row, Significance, Table, curves
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
    "curves",
    "experiment",
    "experiments",
]

EXPERIMENTS = {
    "cheat-agents": "facedown.lab.experiments.cheat_agents:EXPERIMENT",
    "cheat-behaviour": "facedown.lab.experiments.cheat_behaviour:EXPERIMENT",
    "cheat-encoding": "facedown.lab.experiments.cheat_encoding:EXPERIMENT",
    "cheat-grid": "facedown.lab.experiments.cheat_grid:EXPERIMENT",
    "cheat-lies": "facedown.lab.experiments.cheat_lies:EXPERIMENT",
    "cheat-models": "facedown.lab.experiments.cheat_models:EXPERIMENT",
    "hearts-depths": "facedown.lab.experiments.hearts_depths:EXPERIMENT",
    "hearts-inference": "facedown.lab.experiments.hearts_inference:EXPERIMENT",
    "hearts-moons": "facedown.lab.experiments.hearts_moons:EXPERIMENT",
    "hearts-transpositions": "facedown.lab.experiments.hearts_transpositions:EXPERIMENT",
    "hearts32-program": "facedown.lab.experiments.hearts32_readings:AUTHOR",
    "hearts32-readings": "facedown.lab.experiments.hearts32_readings:READINGS",
    "hearts32-table-1": "facedown.lab.experiments.hearts32_tables:MORE_ITERATIONS",
    "hearts32-table-2": "facedown.lab.experiments.hearts32_tables:SAMPLING",
    "magic-all-deals": "facedown.lab.experiments.magic_all_deals:EXPERIMENT",
    "magic-expert-reduced": "facedown.lab.experiments.magic_rules:EXPERIMENT",
    "magic-preliminaries": "facedown.lab.experiments.magic_preliminaries:EXPERIMENT",
    "magic-table-2": "facedown.lab.experiments.magic_trees:TABLE",
    "magic-table-3": "facedown.lab.experiments.magic_seven:ROUND_ROBIN",
    "magic-table-4": "facedown.lab.experiments.magic_seven:COSTS",
    "magic-table-5": "facedown.lab.experiments.magic_combinations:COMBINATIONS",
    "magic-table-6": "facedown.lab.experiments.magic_combinations:MORE_ROLLOUTS",
    "magic-trees-100k": "facedown.lab.experiments.magic_trees:MORE",
    "tricks-bounds": "facedown.lab.experiments.tricks_figures:EXTREMES",
    "tricks-determinization": "facedown.lab.experiments.tricks_figures:DETERMINIZATION",
    "tricks-exploration": "facedown.lab.experiments.tricks_figures:CONSTANT",
    "tricks-iterations": "facedown.lab.experiments.tricks_figures:MORE_ITERATIONS",
    "tricks-minimax": "facedown.lab.experiments.tricks_figures:EXACT_END",
    "tricks-nast-policies": "facedown.lab.experiments.tricks_figures:NAST_POLICIES",
    "tricks-ngrams": "facedown.lab.experiments.tricks_figures:NGRAMS",
    "tricks-proposals": "facedown.lab.experiments.tricks_figures:PROPOSALS",
    "tricks-samplers": "facedown.lab.experiments.tricks_samplers:EXPERIMENT",
    "tricks-trees": "facedown.lab.experiments.tricks_trees:EXPERIMENT",
    "tricks-rewards": "facedown.lab.experiments.tricks_figures:REWARDS",
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
