"""How fast facedown is on this machine: playouts, worlds and iterations, start-up and memory; beside OpenSpiel if asked.

Speeds are per CPU second of one core, since wall time on a shared machine means little. Every round measures everything
once, ours and OpenSpiel's in turn, so that noise affects both, and a ratio is taken round by round. The signature is a
number that changes when play does.
"""

import os
import platform
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.agents import agent
from facedown.errors import FacedownError, UnknownName
from facedown.game import Game
from facedown.games import games as known_games
from facedown.games import load
from facedown.kernel import COMPILED
from facedown.lab.bench.limits import limit_measurements
from facedown.lab.bench.measurements import SPEED_RATIOS, Figure, Measurement, SpeedRatio, as_measured, measurements
from facedown.lab.bench.open_spiel import COUNTERPARTS, load_pyspiel
from facedown.lab.bench.searches import search_measurements
from facedown.search.decision import Decision

OPPONENTS = ("open-spiel",)
SIGNATURE_DEALS = 3
SIGNATURE_ITERATIONS = 500
SIGNATURE_EVERY = 7  # actions from one searched position to the next

Progress: TypeAlias = Callable[[str, float | None], None]
Samples: TypeAlias = dict[tuple[str, str], list[float]]  # by game and figure


# --- Results ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row(Figure):
    """A figure of one game: the median of its samples, and their spread."""

    game: str = ""
    median: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def reached(self) -> bool | None:
        """Whether the median reaches the target; None where there is no target."""
        if self.target is None:
            return None
        return self.median <= self.target if self.lower_is_better else self.median >= self.target

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        return {**asdict(self), "reached": self.reached}


def row(game: str, figure: Figure, samples: Sequence[float]) -> Row:
    """The summary of a figure's samples."""
    return Row(**asdict(figure), game=game, median=median(samples), low=min(samples), high=max(samples))


@dataclass(frozen=True)
class Report:
    """All that was measured, with the machine it was measured on."""

    machine: dict[str, Any]
    versions: dict[str, str]
    rows: list[Row]
    ratios: list[Row]
    signatures: dict[str, int]  # by game

    @property
    def signature(self) -> int:
        """One number for the play of all the games measured."""
        return sum(self.signatures.values()) % (1 << 32)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "machine": self.machine,
            "versions": self.versions,
            "rows": [row.to_dict() for row in self.rows],
            "ratios": [row.to_dict() for row in self.ratios],
            "signatures": self.signatures,
            "signature": self.signature,
        }

    def table(self) -> RenderableType:
        """The report for a person, 80 columns wide."""
        heading = f"{self.machine['processor']}, {self.machine['cores']} cores, medians of {self.machine['repeats']} rounds"
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="dim")
        table.add_column("/s is per CPU second, one core", no_wrap=True)
        table.add_column("median", justify="right", no_wrap=True)
        table.add_column("spread", justify="right", no_wrap=True)
        table.add_column("target", no_wrap=True)
        for game in self.signatures:
            table.add_row(Text(game, style="bold"))
            for row in (row for row in [*self.rows, *self.ratios] if row.game == game):
                table.add_row(*_cells(row))
        signature = Text(f"signature {self.signature}")
        return Group(Text(heading, style="dim"), Text(versions, style="dim"), Text(), table, Text(), signature)


def _cells(row: Row) -> list[str | Text]:
    spread = f"{short(row.low)}-{short(row.high)}" if row.low != row.high else ""
    target = Text()
    if row.target is not None:
        target.append(f"{'<=' if row.lower_is_better else '>='} {short(row.target)} ", "dim")
        target.append("met" if row.reached else "missed", "green" if row.reached else "bold red")
    gap = " " if row.unit.isalpha() else ""
    return [f"  {row.name}", f"{short(row.median)}{gap}{row.unit}", spread, target]


def short(number: float) -> str:
    """A number to three digits: 1.23 M, 318 k, 0.42."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size * 0.9995:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}" if number >= 0.1 else f"{number:.2g}"


# --- Measuring --------------------------------------------------------------------------------------------------------


def measure(
    games: Sequence[str] | None = None,
    against: str | None = None,
    repeats: int = 5,
    progress: Progress | None = None,
) -> Report:
    """Measure some games, or all; `progress(text, fraction done or None)` is called before each step."""
    if repeats < 1:
        raise FacedownError(f"expected at least one repeat, got {repeats}")
    report = progress or (lambda text, fraction: None)
    names = list(known_games() if games is None else games)
    compared = _compared(names, against)
    plan = []
    for name in names:
        report(f"{name}: getting ready", None)
        plan += [(name, measurement) for measurement in measurements(name, beside_open_spiel=name in compared)]
        plan += [(name, measurement) for measurement in search_measurements(as_measured(name))]
        plan += [(name, measurement) for measurement in limit_measurements(as_measured(name))]
    samples = _run(plan, repeats, report)
    report("signature", None)
    return Report(
        machine=_machine(repeats),
        versions=_versions(against),
        rows=[row(name, figure, samples[name, figure.name]) for name, measurement in plan for figure in measurement.figures],
        ratios=[_ratio(name, ratio, samples) for name in compared for ratio in SPEED_RATIOS],
        signatures={name: signature(load(name)) for name in names},
    )


def _compared(names: Sequence[str], against: str | None) -> list[str]:
    """The games to be measured beside an opponent's."""
    if against is None:
        return []
    if against not in OPPONENTS:
        raise UnknownName("opponent", against, OPPONENTS)
    compared = [name for name in names if load(name).name in COUNTERPARTS]
    if not compared:
        raise FacedownError(f"expected a game that {against} plays too ({', '.join(COUNTERPARTS)}), got {', '.join(names)}")
    load_pyspiel()
    return compared


def _run(plan: Sequence[tuple[str, Measurement]], repeats: int, report: Progress) -> Samples:
    """All samples of each figure of each game: every round runs every measurement once."""
    for name, measurement in plan:
        if measurement.warm:
            report(f"{name}: warming up {measurement.figures[0].name}", None)
            measurement.run()
    samples: Samples = {}
    runs = [
        (name, measurement)
        for round in range(repeats)
        for name, measurement in plan
        if round < (measurement.rounds or repeats)
    ]
    total = sum(measurement.weight for _, measurement in runs)
    done = 0
    for name, measurement in runs:
        report(f"{name}: {measurement.figures[0].name}", done / total)
        for figure, value in zip(measurement.figures, measurement.run(), strict=True):
            samples.setdefault((name, figure.name), []).append(value)
        done += measurement.weight
    return samples


def _ratio(game: str, ratio: SpeedRatio, samples: Samples) -> Row:
    """The ratio of two figures, round by round."""
    pairs = zip(samples[game, ratio.ours], samples[game, ratio.theirs], strict=True)
    return row(game, ratio.figure, [ours / theirs for ours, theirs in pairs])


# --- Whether play has changed -----------------------------------------------------------------------------------------


def signature(game: Game) -> int:
    """A number made from searches at fixed positions with fixed seeds: it changes when play changes."""
    digest = 0
    for seed in range(SIGNATURE_DEALS):
        state = game.deal(seed)
        walker = agent("random", seed)
        searcher = agent(f"ismcts:iterations={SIGNATURE_ITERATIONS}", seed)
        for place in count():
            if state.seat is None:
                break
            view = state.view(state.seat)
            if place % SIGNATURE_EVERY == 0:
                searcher.choose(view)
                digest = zlib.crc32(_summary(searcher.decision), digest)
            state.play(walker.choose(view))
        digest = zlib.crc32(repr(state.scores).encode(), digest)
    return digest


def _summary(decision: Decision | None) -> bytes:
    """The result of a search, in whole numbers."""
    assert decision is not None
    visits = [(candidate.action, candidate.visits) for candidate in decision.candidates]
    return repr((decision.action, decision.nodes, visits)).encode()


# --- Where it was measured --------------------------------------------------------------------------------------------


def _machine(repeats: int) -> dict[str, Any]:
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "compiled": COMPILED,
        "repeats": repeats,
    }


def _processor() -> str:
    """The processor's name, if the system reports it."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _versions(against: str | None) -> dict[str, str]:
    packages = ["facedown", "numba", "numpy", *(["open_spiel"] if against else [])]
    return {"python": platform.python_version(), **{package: _version(package) for package in packages}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
