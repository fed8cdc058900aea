"""Tournaments that are killed again and again, at any moment: nothing is lost, nothing is played twice, nobody stays behind.

FACEDOWN_FUZZ=N kills N times as often.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.kernel import COMPILED
from facedown.store import query
from hostile import TIMES, run
from test_workers_end import alive, wait_until

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

KILLS = 5  # of one run
DEALS, SEATINGS = 12, 6
SLOWEST_START = 2.0  # seconds, in which a kill may come at any moment
LINE = ["tournament", "hearts32", "ismcts:iterations=60", "random", "--deals", f"{DEALS}", "--seed", "3", "--name", "run"]


def kept(place: Path) -> dict[tuple[int, int], str]:
    """The records of a store that may not be there yet, by deal and seating."""
    try:
        return {
            (deal, seating): line for deal, seating, line in query("SELECT deal, seating, record FROM games", place).rows
        }
    except fd.StoreError:
        return {}


def finish(place: Path) -> dict[str, Any]:
    """Play what is left, here: the result."""
    ran = run([*LINE, "--on", "local", "--store", str(place), "--json"])
    assert ran.code == 0, ran
    result: dict[str, Any] = json.loads(ran.out)
    return result


def processes_of(session: int) -> list[int]:
    """All that lives of what a command has started."""
    found = subprocess.run(["pgrep", "-s", str(session)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split() if alive(int(word))]


def kill_somewhere(place: Path, on: list[str], chance: random.Random, alone: bool) -> None:
    """Resume a run in a process of its own, and kill it at some moment: with its workers, or alone."""
    before = len(kept(place))
    command = [sys.executable, "-m", "facedown", *LINE, *on, "--store", str(place), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    if chance.random() < 0.7:  # otherwise while it starts
        more = before + chance.randint(1, 6)
        assert wait_until(lambda: len(kept(place)) >= more or process.poll() is not None, 120)
        time.sleep(chance.uniform(0.0, 0.1))
    else:
        time.sleep(chance.uniform(0.0, SLOWEST_START))
    with suppress(ProcessLookupError):  # it has ended by itself
        (os.kill if alone else os.killpg)(process.pid, signal.SIGKILL)
    process.wait(60)
    assert wait_until(lambda: not processes_of(process.pid)), "a worker stays behind"


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[tuple[int, int], str]]:
    place = tmp_path_factory.mktemp("unbroken") / "store.sqlite"
    return finish(place), kept(place)


@pytest.mark.parametrize("on", [["--on", "local"], ["--on", "processes", "--workers", "2"]], ids=["local", "processes"])
@pytest.mark.parametrize("number", range(TIMES))
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_never_was(
    on: list[str], number: int, tmp_path: Path, unbroken: tuple[dict[str, Any], dict[tuple[int, int], str]]
) -> None:
    place, chance = tmp_path / "store.sqlite", random.Random(f"{number} {on}")
    counts = [0]
    records: dict[tuple[int, int], str] = {}
    for kill in range(KILLS):
        kill_somewhere(place, on, chance, alone=kill % 2 == 1)
        found = kept(place)
        assert {key: found.get(key) for key in records} == records, "what was kept is kept"
        counts.append(len(found))
        records = found
    assert any(0 < count < DEALS * SEATINGS for count in counts), f"never killed midway: {counts}"
    result, everything = unbroken
    assert finish(place) == result
    assert kept(place) == everything
    assert len(everything) == DEALS * SEATINGS
