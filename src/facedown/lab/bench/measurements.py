"""What is measured, ours and OpenSpiel's: each measurement gives samples of one figure or several.

Start-up and memory are measured in processes of their own.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from facedown import rules
from facedown.agents import agent
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.kernel import Array, kernel
from facedown.lab.bench.open_spiel import OpenSpiel
from facedown.rng import stream
from facedown.rules import UNIFORM
from facedown.search.tree import NODE
from facedown.state import State
from facedown.view import View
from facedown.worlds import exact, literature

SAMPLERS = ("exact", "accept-reject", "possibility-matrix")
SLICE_SECONDS = 0.2  # of CPU time, at least, that a sample of a speed lasts
ITERATIONS = 10_000  # of the searches whose speed is measured
SEARCHED_DEALS = 3  # a sample of a search's speed is measured at the first decision of each
CONSTRAINED_GAMES = 40  # random games in which the most constrained position is searched for
FIRST_ITERATIONS = 100  # of a process's first search
MEMORY_ITERATIONS = 1_000_000
OPEN_SPIEL_MEMORY_ITERATIONS = 100_000
SLOW_ROUNDS = 3  # at most, for start-up and memory
STATUS = Path("/proc/self/status")  # where Linux reports the memory of a process


@dataclass(frozen=True)
class Figure:
    """A quantity that is measured, and the target it should reach."""

    name: str
    unit: str
    target: float | None = None
    lower_is_better: bool = False


@dataclass(frozen=True)
class Measurement:
    """Work to be measured: a run gives one sample of each figure."""

    figures: tuple[Figure, ...]
    run: Callable[[], Sequence[float]]
    rounds: int | None = None  # at most
    warm: bool = True  # run once before the first sample, so that nothing is compiled in it
    weight: int = 1  # how long it takes, compared with the others


@dataclass(frozen=True)
class SpeedRatio:
    """Two figures whose quotient is reported."""

    figure: Figure
    ours: str
    theirs: str


PLAYOUTS = Figure("playouts", "/s")
STEPS = Figure("playouts step by step", "/s")
ITERATION_RATE = Figure("ISMCTS iterations", "/s")
OPEN_SPIEL_PLAYOUTS = Figure("OpenSpiel playouts", "/s")
OPEN_SPIEL_ITERATION_RATE = Figure("OpenSpiel ISMCTS iterations", "/s")
OPEN_SPIEL_MEMORY = Figure("OpenSpiel memory an iteration", "B", lower_is_better=True)
STARTS = (
    Figure("first search, cold", "s", 15, lower_is_better=True),
    Figure("first search, cold, CPU", "s", lower_is_better=True),
    Figure("first search, cached", "s", 1, lower_is_better=True),
    Figure("first search, cached, CPU", "s", lower_is_better=True),
    Figure("import", "s", 0.5, lower_is_better=True),
    Figure("import, CPU", "s", lower_is_better=True),
)
NODE_SIZE = Figure("size of a node", "B", 48, lower_is_better=True)
NODE_MEMORY = Figure("memory a node", "B", 48, lower_is_better=True)
WORLDS_TARGETS = {"opening": 1e6, "voids": 3e5}  # for the exact sampler, a second

SPEED_RATIOS = (
    SpeedRatio(Figure("playouts, to OpenSpiel's", "x", 15), PLAYOUTS.name, OPEN_SPIEL_PLAYOUTS.name),
    SpeedRatio(Figure("step by step, to OpenSpiel's", "x", 15), STEPS.name, OPEN_SPIEL_PLAYOUTS.name),
    SpeedRatio(Figure("iterations, to OpenSpiel's", "x", 12), ITERATION_RATE.name, OPEN_SPIEL_ITERATION_RATE.name),
)


def measurements(name: str, beside_open_spiel: bool) -> list[Measurement]:
    """All measurements of a game, OpenSpiel's next to ours."""
    game = as_measured(name)
    searched = [first_choice(game, seed) for seed in range(SEARCHED_DEALS)]
    playing = [
        Measurement((PLAYOUTS,), partial(per_second, partial(play_deals, game, playouts))),
        Measurement((STEPS,), partial(per_second, partial(play_deals, game, playouts_step_by_step))),
    ]
    searching = [Measurement((ITERATION_RATE,), partial(_search_speed, searched))]
    slow = _slow_measurements(name)
    if beside_open_spiel:
        theirs = OpenSpiel(game)
        positions = [theirs.position(state) for state in searched]
        playing.append(Measurement((OPEN_SPIEL_PLAYOUTS,), partial(per_second, theirs.play_deals)))
        searching.append(Measurement((OPEN_SPIEL_ITERATION_RATE,), partial(_open_spiel_search_speed, theirs, positions)))
        slow += _memory_measurement(OPEN_SPIEL_MEMORY, partial(_memory, name, OPEN_SPIEL_MEMORY_ITERATIONS, "open-spiel"))
    return [*playing, *searching, *_world_measurements(game), *slow]


def as_measured(name: str) -> Game:
    """A game by name, with the options of its benchmark."""
    game = load(name)
    return game.with_options(**game.measured_with)


def first_choice(game: Game, seed: int) -> State:
    """A deal at the first decision with more than one action."""
    state = game.deal(seed)
    while len(state.legal) == 1:
        state.play(state.legal[0])
    return state


def per_second(work: Callable[[int], object]) -> list[float]:
    """Pieces of work per CPU second; `work(count)` does `count` of them."""
    count = 1
    while (seconds := cpu_seconds(partial(work, count))) < SLICE_SECONDS:
        count = min(10 * count, 1 + int(1.2 * count * SLICE_SECONDS / max(seconds, 1e-6)))
    return [count / seconds]


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time that this thread spends on some work."""
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


# --- Playing ----------------------------------------------------------------------------------------------------------


def play_deals(game: Game, play: Callable[[Array, Array, Array, int], None], count: int) -> None:
    """Deal and play at random to the end, `count` times."""
    play(np.repeat(game.deal(0).data, 2), np.empty(game.actions, np.int64), stream(0), count)


@kernel
def playouts(positions: Array, actions: Array, rng: Array, count: int) -> None:
    """Deal and play out as a search does: a game may stop when the score is decided, and skip bookkeeping."""
    for _ in range(count):
        positions[1] = positions[0]
        rules.deal(positions[1], rng)
        rules.play_out(positions[1], UNIFORM, actions, rng)


@kernel
def playouts_step_by_step(positions: Array, actions: Array, rng: Array, count: int) -> None:
    """Deal and play action by action to the end: the record stays complete, with all that every seat has learnt."""
    for _ in range(count):
        positions[1] = positions[0]
        state = positions[1]
        rules.deal(state, rng)
        while not rules.is_over(state):
            rules.apply(state, rules.choose(state, UNIFORM, actions, rng))


# --- Worlds -----------------------------------------------------------------------------------------------------------


def _world_measurements(game: Game) -> list[Measurement]:
    positions = {"opening": first_choice(game, 0), "voids": most_constrained(game)}
    return [
        Measurement(
            (Figure(f"{sampler} worlds, {place}", "/s", WORLDS_TARGETS[place] if sampler == "exact" else None),),
            partial(per_second, partial(draw_worlds, state.view(state.seat or 0), sampler)),
        )
        for sampler in SAMPLERS
        for place, state in positions.items()
    ]


def draw_worlds(view: View, sampler: str, count: int) -> None:
    """Draw `count` worlds as a search does: one after another, after one preparation."""
    hidden = view.unseen(sampler)
    draw_from(np.repeat(view.data, 2), view.seat, hidden, exact.prepare(hidden), stream(0), count)


@kernel
def draw_from(positions: Array, seat: int, hidden: Array, ways: Array, rng: Array, count: int) -> None:
    """Fill the second position with a world of the first, a view, `count` times."""
    for _ in range(count):
        positions[1] = positions[0]
        literature.draw_by_sampler(hidden[0], ways, rng)
        rules.place(positions[1], seat, hidden[0], rng)


def most_constrained(game: Game) -> State:
    """The position in many random games whose worlds take the most steps to draw; of equals, with most cards unseen."""
    best = first_choice(game, 0)
    most = (-1, -1)
    for seed in range(CONSTRAINED_GAMES):
        state = game.deal(seed)
        player = agent("random", seed)
        while state.seat is not None:
            view = state.view(state.seat)
            hidden = view.unseen()
            exact.prepare(hidden)
            constraint = (int(hidden[0].steps), int(hidden[0].unseen).bit_count())
            if constraint > most:
                best, most = state.copy(), constraint
            state.play(player.choose(view))
    return best


# --- Searching --------------------------------------------------------------------------------------------------------


def _search_speed(states: Sequence[State]) -> list[float]:
    player = agent(f"ismcts:iterations={ITERATIONS}")
    views = [state.view(state.seat or 0) for state in states]
    return [len(views) * ITERATIONS / sum(cpu_seconds(partial(player.choose, view)) for view in views)]


def _open_spiel_search_speed(theirs: OpenSpiel, positions: Sequence[Any]) -> list[float]:
    seconds = sum(cpu_seconds(partial(theirs.search, position, ITERATIONS, _exploration())) for position in positions)
    return [len(positions) * ITERATIONS / seconds]


def _exploration() -> float:
    """The exploration constant of our own agent."""
    value = agent("ismcts").options["exploration"].value
    assert isinstance(value, float)
    return value


# --- Start-up and memory ----------------------------------------------------------------------------------------------

FIRST_SEARCH = """
import json, sys, time
clocks = [(time.perf_counter(), time.process_time())]
import facedown
clocks.append((time.perf_counter(), time.process_time()))
game = facedown.load(sys.argv[1])
state = game.with_options(**game.measured_with).deal(0)
while len(state.legal) == 1:
    state.play(state.legal[0])
facedown.agent("ismcts:iterations=" + sys.argv[2]).choose(state.view(state.seat))
clocks.append((time.perf_counter(), time.process_time()))
print(json.dumps([[now - then for now, then in zip(clock, clocks[0])] for clock in clocks[1:]]))
"""
MEMORY = """
import sys
from facedown.lab.bench import measurements
print(measurements.search_memory(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
"""


def _slow_measurements(name: str) -> list[Measurement]:
    return [
        Measurement(STARTS, partial(_starts, name), rounds=SLOW_ROUNDS, warm=False, weight=40),
        Measurement((NODE_SIZE,), lambda: [float(NODE.itemsize)], rounds=1, warm=False),
        *_memory_measurement(NODE_MEMORY, partial(_memory, name, MEMORY_ITERATIONS, "facedown")),
    ]


def _memory_measurement(figure: Figure, run: Callable[[], Sequence[float]]) -> list[Measurement]:
    """The measurement, where the system reports the memory of a process."""
    return [Measurement((figure,), run, rounds=SLOW_ROUNDS, warm=False, weight=10)] if STATUS.exists() else []


def empty_cache() -> AbstractContextManager[str]:
    """A folder for compiled code that holds none yet."""
    return tempfile.TemporaryDirectory()


def _starts(name: str) -> list[float]:
    """Wall and CPU seconds to the first search, with an empty cache and again, and of the import."""
    with empty_cache() as folder:
        cold, cached = (_child(FIRST_SEARCH, name, str(FIRST_ITERATIONS), FACEDOWN_CACHE=folder) for _ in range(2))
    return [*cold[1], *cached[1], *cached[0]]


def _memory(name: str, iterations: int, whose: str) -> list[float]:
    return [_child(MEMORY, name, str(iterations), whose)]


def _child(script: str, *arguments: str, **environment: str) -> Any:
    """The data that a new Python process prints."""
    command = [sys.executable, "-c", script, *arguments]
    finished = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    if finished.returncode:
        reason = (finished.stderr.strip().splitlines() or ["no message"])[-1]
        raise FacedownError(
            f"expected a new process to search {arguments[0]}, got exit code {finished.returncode}: {reason}"
        )
    return json.loads(finished.stdout)


def search_memory(name: str, iterations: int, whose: str) -> float:
    """Bytes of memory that a search takes at its peak: for a node of ours, or for an iteration of OpenSpiel's.

    Call it in a process that has not searched before: memory that was freed would be used again.
    """
    state = first_choice(as_measured(name), 0)
    if whose == "open-spiel":
        theirs = OpenSpiel(state.game)
        position = theirs.position(state)
        before = _kilobytes("VmRSS")
        theirs.search(position, iterations, _exploration())
        return (_kilobytes("VmHWM") - before) * 1024 / iterations
    view = state.view(state.seat or 0)
    agent(f"ismcts:iterations={FIRST_ITERATIONS}").choose(view)
    before = _kilobytes("VmRSS")
    player = agent(f"ismcts:iterations={iterations}")
    player.choose(view)
    assert player.decision is not None
    return (_kilobytes("VmHWM") - before) * 1024 / player.decision.nodes


def _kilobytes(field: str) -> int:
    """How much memory the process uses (VmRSS), or has used at its peak (VmHWM)."""
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith(field + ":"))
