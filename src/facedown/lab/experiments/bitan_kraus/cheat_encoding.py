"""What it is worth to write an information set of Cheat as one number: Bitan & Kraus 2018, section 4.3.1.

The paper writes sixteen attributes, naively 15 bytes, as a number of 32 bits, and makes twelve times as many simulations
in the same time. It does not say what the naive form was. Two readings are measured, both on the sets that a search has
met:

1. Sixteen bytes in a row, hashed and compared byte by byte, in compiled code as all else here. A simulation takes as
   long as it does, less its look-ups, plus the same number of naive ones.
2. An object with sixteen attributes, as the key of a dictionary in Python: look-ups only.

Times are CPU time; both forms take turns, and a turn of both is an observation.
"""

from collections.abc import Callable
from dataclasses import make_dataclass, replace
from time import process_time

import numpy as np

from facedown import stats
from facedown.agents import agent
from facedown.agents.sdmcts import HypothesisAgent
from facedown.games import load
from facedown.games.cheat.keys import FIELDS, attributes
from facedown.kernel import Array
from facedown.lab.experiments.bitan_kraus.cheat_lookups import enter_naively, look_up, look_up_naively
from facedown.lab.experiments.claims import equal
from facedown.lab.experiments.published import Published
from facedown.lab.experiments.result import Row, Table, forest
from facedown.lab.experiments.running import Experiment, Findings, Lab
from facedown.rng import stream
from facedown.search.sdmcts import EMPTY, SetsSearch
from facedown.stats import Estimate
from facedown.worlds.hypothetical import hypotheses_of

GAIN = "simulations in the same time"
PUBLISHED = {GAIN: Published(12.0)}
MARGIN = 2.0
FULL_SIMULATIONS, FULL_LOOKUPS, FULL_TURNS = 20_000, 1_000_000, 20
QUICK_SIMULATIONS, QUICK_LOOKUPS, QUICK_TURNS = 300, 2_000, 3
IN_PYTHON = 10  # times fewer look-ups there
ROOM = 2  # places of a naive table for each of the search's

Sixteen = make_dataclass("Sixteen", [(name, int) for name in FIELDS], frozen=True)


def seconds(work: Callable[[], object]) -> float:
    """The CPU time of some work."""
    begin = process_time()
    work()
    return max(process_time() - begin, 1e-9)


def searched(lab: Lab) -> tuple[SetsSearch, list[float]]:
    """A search of the first turn, and the seconds of a simulation, one figure for each turn."""
    view = load("cheat").deal(lab.settings.seed).view(0)
    settings = agent("mga")
    assert isinstance(settings, HypothesisAgent)
    simulations, turns = (FULL_SIMULATIONS, FULL_TURNS) if lab.full else (QUICK_SIMULATIONS, QUICK_TURNS)
    times = []
    for turn in lab.steps("searches", "searches", range(turns + 1)):
        search = SetsSearch(view, settings.settings(), hypotheses_of(view), stream(lab.settings.seed, turn))
        times.append(seconds(lambda search=search: search.advance(simulations, simulations)) / simulations)  # type: ignore[misc]
    return search, times[1:]  # the first may have compiled


def measure(lab: Lab) -> Findings:
    """Look-ups in both forms, taking turns; and what they make of a simulation."""
    search, simulation = searched(lab)
    met = search.table.slots[search.table.slots["node"] != EMPTY]
    keys, seats = met["key"].copy(), met["seat"].copy()
    rows = np.array([list(attributes(int(key)).values()) for key in keys], np.uint8)
    table = np.full(ROOM * len(search.table.slots), EMPTY, np.int32)
    enter_naively(table, rows)
    count = FULL_LOOKUPS if lab.full else QUICK_LOOKUPS
    order = np.random.default_rng(lab.settings.seed).integers(len(keys), size=count)
    packed: list[float] = []
    naive: list[float] = []
    for _ in range(len(simulation) + 1):
        packed.append(seconds(lambda: look_up(search.table.slots, seats, keys, order)) / count)
        naive.append(seconds(lambda: look_up_naively(table, rows, order)) / count)
    lookups = search.figure("depth_total") / search.figure("simulations")
    del packed[0], naive[0]  # the first may have compiled
    gains = [1 + lookups * (slow - quick) / whole for quick, slow, whole in zip(packed, naive, simulation, strict=True)]
    gain = counted(gains)
    ratios = [slow / quick for quick, slow in zip(packed, naive, strict=True)]
    objects = counted(in_python(keys, order[::IN_PYTHON], len(ratios)))
    figures = Table(
        "How many times as many",
        [
            Row(GAIN, PUBLISHED[GAIN], gain),
            Row("look-ups in the same time, compiled", None, counted(ratios)),
            Row("look-ups in the same time, objects in Python", None, objects),
        ],
        forest("times as many"),
    )
    text = "against sixteen bytes in a row the encoding makes twelve times as many simulations possible"
    claims = [equal(text, PUBLISHED[GAIN], gain, MARGIN)]
    notes = [
        f"A simulation looks up {lookups:.1f} sets and takes {1e6 * np.mean(simulation):.1f} microseconds, "
        f"a look-up {1e9 * np.mean(packed):.0f} nanoseconds by one number and {1e9 * np.mean(naive):.0f} by sixteen bytes.",
        "The paper does not describe its naive form, so what else it may have saved is not known.",
    ]
    return Findings([figures], notes=notes, claims=claims)


def in_python(keys: Array, order: Array, turns: int) -> list[float]:
    """How many times as long dictionaries take whose keys are objects, turn by turn."""
    numbers = keys.tolist()
    objects = [Sixteen(**attributes(key)) for key in numbers]
    by_number, by_object = dict.fromkeys(numbers, 0), dict.fromkeys(objects, 0)
    wanted = order.tolist()
    found = []
    for _ in range(turns):
        quick = seconds(lambda: [by_number[numbers[number]] for number in wanted])
        found.append(seconds(lambda: [by_object[objects[number]] for number in wanted]) / quick)
    return found


def counted(values: list[float]) -> Estimate:
    """The mean over turns."""
    return replace(stats.mean(values), unit="turns", signed=False)


EXPERIMENT = Experiment(
    "cheat-encoding",
    "Cheat: what it is worth to write an information set as one number",
    "Bitan & Kraus 2018, section 4.3.1",
    PUBLISHED,
    measure,
)
