"""Workers of every kind: all results once, no more tasks than workers, and deaths survived."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
import needs
from facedown.arena.executors import KINDS, Local, Ray, Threads, start_workers
from facedown.arena.processes import Processes, ProcessPool, packed
from facedown.arena.replay import Replay
from facedown.arena.tournament import tournament
from facedown.arena.workers import AHEAD, CrashHandler, Workers
from facedown.store import Store

RAY = pytest.param("ray", marks=pytest.mark.ray)


def square(number: int) -> int:
    return number * number


def fail(number: int) -> int:
    raise ValueError(f"not {number}")


def die_once(task: tuple[str, int]) -> int:
    """Kill this very process at the first go."""
    folder, number = task
    mark = Path(folder) / str(number)
    if number % 5 == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


@pytest.fixture(scope="module")
def one_ray() -> Iterator[None]:
    """Ray takes seconds to start: once is enough for all tests."""
    try:
        running = Ray(2)
    except fd.FacedownError as error:
        needs.do_without("ray", str(error))
    yield
    running.close()


@pytest.fixture(params=["local", "threads", "processes", RAY])
def workers(request: pytest.FixtureRequest) -> Callable[[], Workers]:
    if request.param == "ray":
        request.getfixturevalue("one_ray")
    return lambda: start_workers(request.param, 1 if request.param == "local" else 2)


def test_every_task_is_done_once(workers: Callable[[], Workers]) -> None:
    assert sorted(workers().run(square, range(1, 30))) == [number * number for number in range(1, 30)]


def test_no_tasks_give_no_results(workers: Callable[[], Workers]) -> None:
    assert list(workers().run(square, [])) == []


def test_a_failure_reaches_who_asked(workers: Callable[[], Workers]) -> None:
    with pytest.raises(ValueError, match="not 3"):
        list(workers().run(fail, [3]))


def test_tasks_are_taken_only_as_there_are_workers(workers: Callable[[], Workers]) -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(1, 100):
            taken.append(number)
            yield number

    some = workers()
    results = some.run(square, tasks())
    next(results)
    assert len(taken) <= some.count * (1 + AHEAD) + 1
    results.close()


@pytest.mark.parametrize("kind", ["processes", RAY])
def test_a_task_whose_worker_is_killed_goes_to_another(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    if kind == "ray":
        request.getfixturevalue("one_ray")
    tasks = [(str(tmp_path), number) for number in range(1, 12)]
    assert sorted(start_workers(kind, 2).run(die_once, tasks)) == list(range(1, 12))
    assert {mark.name for mark in tmp_path.iterdir()} == {"5", "10"}


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_worker_that_dies_while_tasks_are_handed_out_loses_none(after: int) -> None:
    """Its pipe is found broken when one more is sent."""
    results: list[int] = []
    tasks = iter(range(1, 10))
    pool = ProcessPool(packed(square), tasks, 2, CrashHandler())
    while pool.assign_tasks():
        results += pool.collect()
        if len(results) >= after and pool.workers and pool.failed_starts == 0:
            os.kill(pool.workers[0].process.pid or 0, signal.SIGKILL)
            pool.workers[0].process.join()
            after = 100
    pool.stop_all()
    assert sorted(results) == [number**2 for number in range(1, 10)]


def test_a_task_that_kills_every_worker_is_given_up() -> None:
    with pytest.raises(fd.FacedownError, match="expected workers to survive their tasks, but 3 died one after another"):
        list(Processes(1).run(die, [1]))


def test_threads_work_side_by_side() -> None:
    begin = time.perf_counter()
    assert list(Threads(4).run(nap, [0.3] * 4)) == [0.3] * 4
    assert time.perf_counter() - begin < 1.0


def test_workers_by_name() -> None:
    assert isinstance(start_workers(), Local)
    assert start_workers("threads", 3).count == 3
    assert start_workers("processes").count == os.cpu_count()


@pytest.mark.parametrize("on", ["", "cloud", "threads:2", "local:here"])
def test_unknown_places_are_refused(on: str) -> None:
    with pytest.raises(fd.UnknownName, match=f"unknown place to work on {on!r}; known: {KINDS[0]}"):
        start_workers(on)


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(fd.BadOption, match="expected at least one worker, got 0"):
        start_workers("threads", 0)
    with pytest.raises(fd.BadOption, match="expected one worker on local, got 2"):
        start_workers("local", 2)


# --- Tournaments on them ----------------------------------------------------------------------------------------------

ENDS = [("Leaving", "ended its process with exit code 7"), ("Segfaulting", "ended its process by SIGSEGV")]


def records_in(place: Path) -> list[fd.GameRecord]:
    with Store.open(place) as store:
        return list(store.run("run").records())


@pytest.mark.ray
@pytest.mark.usefixtures("one_ray")
def test_a_tournament_has_the_same_result_on_ray(tmp_path: Path) -> None:
    """test_tournament.py compares the other places."""
    given: dict[str, Any] = {"deals": 6, "seed": 3, "name": "run"}
    places = {on: tmp_path / f"{on}.sqlite" for on in ("local", "ray")}
    agents = ["ismcts:iterations=30", "random"]
    results = [tournament("hearts32", agents, store=place, on=on, **given) for on, place in places.items()]
    assert results[0].to_dict() == results[1].to_dict()
    here, there = map(records_in, places.values())
    assert [record.to_json() for record in here] == [record.to_json() for record in there]


@pytest.mark.parametrize("on", ["processes", RAY])
def test_agents_that_end_or_crash_their_process_forfeit_and_the_tournament_goes_on(
    on: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if on == "ray":
        request.getfixturevalue("one_ray")
    agents = [f"strange_agents:{name}" for name, _ in ENDS]
    place = tmp_path / "store.sqlite"
    given: dict[str, Any] = {"deals": 1, "store": place, "name": "run", "workers": 2, "on": on}
    result = tournament("bisca", agents, **given)
    reasons = {f"strange_agents:{name}": reason for name, reason in ENDS}
    kept = records_in(place)
    assert {record.agents[record.forfeit["seat"]] for record in kept if record.forfeit} == set(agents)
    for record in kept:
        assert record.forfeit is not None
        seat = record.forfeit["seat"]
        assert record.forfeit["reason"] == reasons[record.agents[seat]]
        assert record.replay().seat == seat
        assert len(record.history) == 4, "at its third turn"
        assert Replay(record).states
    again = tournament("bisca", agents, **{**given, "on": "local", "workers": 1})  # nothing is left to play
    assert again.to_dict() == result.to_dict(), "it can be looked at again"
