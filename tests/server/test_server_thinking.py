"""Thinking: on a bounded number of workers, fair between tables; an agent whose worker dies or hangs forfeits, no more."""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

import needs
from facedown.games import load
from facedown.kernel import COMPILED
from facedown.server import thinking
from facedown.server.thinking import AgentFailed, Answer, Question, Thinkers
from serving import free_port, listens, served, wait_for
from sitting import Door

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")


def question(agent: str = "random", seed: int = 1) -> Question:
    return Question.of(load("bisca").deal(seed).view(0), agent, 0)


def test_two_tables_share_one_worker_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []

    def think(asked: Question) -> Answer:
        time.sleep(0.01)
        return Answer(0, 0.01)

    monkeypatch.setattr(thinking, "think", think)

    async def ask() -> None:
        thinkers = Thinkers("threads", 1)

        async def one(owner: str) -> None:
            await thinkers.ask(owner, question())
            order.append(owner)

        await asyncio.gather(*(one("greedy") for _ in range(6)), *(one("modest") for _ in range(3)))
        await thinkers.close()

    asyncio.run(ask())
    assert order == ["greedy", *["greedy", "modest"] * 3, "greedy", "greedy"]  # one had begun before the others came


def test_no_more_think_at_once_than_there_are_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    now, most = 0, 0

    def think(asked: Question) -> Answer:
        nonlocal now, most
        now += 1
        most = max(most, now)
        time.sleep(0.02)
        now -= 1
        return Answer(0, 0.0)

    monkeypatch.setattr(thinking, "think", think)

    async def ask() -> None:
        thinkers = Thinkers("threads", 2)
        asked = [asyncio.create_task(thinkers.ask(f"table {number}", question())) for number in range(10)]
        await asyncio.sleep(0.01)
        assert thinkers.waiting >= 6
        await asyncio.gather(*asked)
        await thinkers.close()

    asyncio.run(ask())
    assert most <= 2


def test_an_agent_without_an_answer_fails_and_the_next_is_asked() -> None:
    async def ask() -> None:
        thinkers = Thinkers("threads", 1)
        with pytest.raises(AgentFailed):
            await thinkers.ask("table", question("no-such-agent"))
        assert (await thinkers.ask("table", question())).seconds >= 0
        await thinkers.close()

    asyncio.run(ask())


def test_workers_that_die_or_hang_are_replaced() -> None:
    """One test for all of it: starting processes takes long."""

    async def kill_all(thinkers: Thinkers, times: int) -> None:
        for _ in range(times):
            while not (ready := [worker for worker in thinkers._thinking if worker.ready]):
                await asyncio.sleep(0.01)
            ready[0].process.kill()
            while ready[0] in thinkers._thinking:
                await asyncio.sleep(0.01)

    async def ask() -> None:
        thinkers = Thinkers("processes", 1, limit=60.0)
        await thinkers.ask("table", question())
        killing = asyncio.create_task(kill_all(thinkers, 1))
        answer = await thinkers.ask("table", question("ismcts:seconds=1"))  # killed once, it is asked again
        await killing
        assert answer.seconds >= 0
        killing = asyncio.create_task(kill_all(thinkers, 2))
        with pytest.raises(AgentFailed, match="its worker process crashed"):
            await thinkers.ask("table", question("ismcts:seconds=5"))
        await killing
        assert (await thinkers.ask("table", question())).seconds >= 0
        thinkers.limit = 0.3
        with pytest.raises(AgentFailed, match=r"took longer than 0\.3 s"):
            await thinkers.ask("table", question("ismcts:seconds=10"))
        thinkers.limit = 60.0
        assert (await thinkers.ask("table", question())).seconds >= 0
        asked = asyncio.create_task(thinkers.ask("table", question("ismcts:seconds=10")))
        await asyncio.sleep(0.2)
        begin = time.monotonic()
        await thinkers.close()
        thinkers._threads.shutdown(wait=True)
        assert time.monotonic() - begin < 5
        asked.cancel()

    asyncio.run(ask())


def test_a_server_whose_agents_think_long_stops_in_time(tmp_path: Path) -> None:
    port = free_port()
    options = ["--port", f"{port}", "--store", f"{tmp_path / 'store.sqlite'}", "--workers", "1"]
    command = [sys.executable, "-m", "facedown", "serve", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: listens(port) or process.poll() is not None)
        with Door(f"http://127.0.0.1:{port}") as door:
            id = door.table("bisca", "ismcts:seconds=10", None)
            _, token = door.sit(id, "Ana")
            time.sleep(3.0)
            assert door.facts(id)["moves"] == 0
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in (0, -signal.SIGTERM)
        assert time.monotonic() - begin < 7
    finally:
        process.kill()
        process.wait()
    with served(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        assert (door.facts(id)["status"], door.facts(id)["moves"]) == ("playing", 0)
        assert door.view(id, token)["seat"] == 1


@pytest.mark.ray
def test_agents_think_on_a_ray_cluster(tmp_path: Path) -> None:
    try:
        import ray
    except ImportError as error:
        needs.do_without("ray", str(error))
    settings: dict[str, Any] = {"on": "ray", "workers": 1}
    try:
        with served(tmp_path / "store.sqlite", **settings) as server, Door(server.url) as door:
            door.http.timeout = httpx.Timeout(120.0)
            id = door.table("cheat:turn_limit=9", "easy:iterations=1", "easy:iterations=2")  # a short game
            wait_for(lambda: door.facts(id)["status"] == "over", 240)
            assert door.facts(id)["moves"] >= 9
            assert [seat["name"] for seat in door.facts(id)["seats"]] == ["easy:iterations=1", "easy:iterations=2"]
    finally:
        ray.shutdown()
