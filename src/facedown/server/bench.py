"""How much the server carries: real sockets to a server in a process of its own, on this machine.

Two loads, since one says nothing of the other. Bots that answer at once show how many actions a second the server takes, and
how long one then waits for all the others. Tables at which a player takes some seconds for each action, and three built-in
agents none, show how long an action takes at tables as people use them.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
from rich.table import Table as Grid
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from facedown.errors import FacedownError

GAME, SEATS = "sueca", 4
BOTS_AT = 32  # tables, at most
SHARES = (0.1, 0.5, 1.0)  # of all tables of people, one after another
PAUSE = 4.0  # seconds that a player at these takes for an action
ADDRESS = re.compile(r"http://\S+")


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    seconds: float = 8.0  # for each load
    tables: int = 500
    spectators: int = 1000


@dataclass(frozen=True)
class Load:
    """What was measured under one load."""

    what: str
    tables: int
    sockets: int
    moves: float  # a second
    p50: float | None  # milliseconds of an action, there and back
    p99: float | None
    cpu: float | None  # milliseconds of the server's processor time for each action
    memory: float | None  # kilobytes of the server for each table


class ServerUnderTest:
    """A server in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "facedown", "serve", "--port", "0", "--store", str(folder / "store.sqlite")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        found = ADDRESS.search(self.process.stdout.readline())
        if found is None:
            raise FacedownError("expected a server to start, got none: run facedown serve to see why")
        self.url = found[0]

    @property
    def cpu(self) -> float:
        """Seconds of processor time that it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100.0

    @property
    def memory(self) -> float:
        """Bytes of memory that it uses."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096.0

    def stop(self) -> None:
        """Stop it."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self.process.communicate()


class Player:
    """A bot at one seat: plays at random, and notes how long each action takes until it is told to everybody."""

    def __init__(self, bench: "Bench", table: str, token: str, pause: float) -> None:
        self.bench = bench
        self.table = table
        self.token = token
        self.pause = pause
        self.sent: dict[int, float] = {}

    async def play(self) -> None:
        """Play to the end."""
        async with self.bench.connect(f"/api/tables/{self.table}/live") as socket:
            await socket.send(json.dumps({"token": self.token}))
            async for message in socket:
                event = json.loads(message)
                kind = event["event"]
                if kind == "your_turn":
                    asyncio.get_running_loop().call_later(self.wait(), self.answer, socket, event)
                elif kind == "move" and (begun := self.sent.pop(event["moves"], None)) is not None:
                    self.bench.trips.append(time.perf_counter() - begun)
                elif kind == "over":
                    return
                elif kind == "error":
                    raise FacedownError(f"expected a server that takes legal actions, got {event['message']}")

    def wait(self) -> float:
        """How long it takes for an action: around the pause, so that not all act at once."""
        return random.uniform(0.5, 1.5) * self.pause

    def answer(self, socket: ClientConnection, event: dict[str, Any]) -> None:
        """Play any legal action."""
        self.sent[event["moves"] + 1] = time.perf_counter()
        action = random.choice(event["legal"])
        self.bench.later(send_while_open(socket, json.dumps({"action": action, "moves": event["moves"]})))


async def send_while_open(socket: ClientConnection, message: str) -> None:
    """Send a message, unless the measurement is over."""
    with suppress(ConnectionClosed):
        await socket.send(message)


class Bench:
    """The measurements, one after another."""

    def __init__(self, server: ServerUnderTest, scale: Scale, report: Callable[[str], None]) -> None:
        self.server = server
        self.scale = scale
        self.seconds = scale.seconds
        self.report = report
        self.trips: list[float] = []
        self.api = self.new_api()
        self._tasks: set[asyncio.Task[Any]] = set()

    def new_api(self) -> httpx.AsyncClient:
        """A client for requests: another for each load, since cancelled requests take their connections with them."""
        limits = httpx.Limits(max_connections=50)
        return httpx.AsyncClient(base_url=self.server.url, timeout=httpx.Timeout(60.0, pool=None), limits=limits)

    def connect(self, path: str) -> Any:
        """A socket."""
        address = self.server.url.replace("http", "ws", 1) + path
        return connect(address, compression=None, max_size=None, open_timeout=60, ping_interval=None)

    def later(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def table(self, remote: int, pause: float) -> list[Player]:
        """A new table with some players, and built-in agents that play at random at the other seats."""
        seats: list[dict[str, Any]] = [{"open": True}] * remote + [{"agent": "random"}] * (SEATS - remote)
        made = (await self.api.post("/api/tables", json={"game": GAME, "seats": seats})).json()
        players = []
        for number in range(remote):
            told = await self.api.post(f"/api/tables/{made['id']}/seats", json={"name": f"player {number}"})
            players.append(Player(self, made["id"], told.json()["token"], pause))
        return players

    async def under_load(self, what: str, tables: int, remote: int, pause: float) -> Load:
        """Play at some tables at once for some seconds, new ones in place of those that are over."""
        self.report(f"{what}, {tables} tables")
        self.api = self.new_api()
        before, ended = self.server.memory, asyncio.Event()

        async def keep_playing() -> None:
            while not ended.is_set():
                players = await self.table(remote, pause)
                await asyncio.gather(*(player.play() for player in players))

        playing = [self.later(keep_playing()) for _ in range(tables)]
        await asyncio.sleep(1.0 + tables / 100)
        memory = self.server.memory - before
        self.trips.clear()
        cpu, begin = self.server.cpu, time.perf_counter()
        await asyncio.sleep(self.seconds)
        trips, spent, passed = list(self.trips), self.server.cpu - cpu, time.perf_counter() - begin
        ended.set()
        for task in playing:
            task.cancel()
        for failure in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(failure, Exception):  # not one that was cancelled
                raise failure
        await self.api.aclose()
        moves = len(trips) * (SEATS / remote)  # each player is one seat of four, and the others answer at once
        return Load(
            what,
            tables,
            tables * remote,
            moves / passed,
            *percentiles(trips),
            spent * 1000 / moves if moves else None,
            memory / 1024 / tables,
        )

    async def with_spectators(self) -> Load:
        """How long an action takes to the last of many spectators."""
        what, many = "spectators of one table", self.scale.spectators
        self.report(f"{many} {what}")
        self.api = self.new_api()
        [player] = await self.table(1, 0.2)
        seen: dict[int, list[float]] = {}
        sockets = []
        before = self.server.memory

        async def watch(socket: ClientConnection) -> None:
            await send_while_open(socket, "{}")
            async for message in socket:
                now = time.perf_counter()
                event = json.loads(message)
                if event["event"] == "move":
                    seen.setdefault(event["moves"], []).append(now)

        for _ in range(many):
            socket = await self.connect(f"/api/tables/{player.table}/live")
            sockets.append(socket)
            self.later(watch(socket))
        memory = self.server.memory - before
        sent: dict[int, float] = {}
        player.sent = Kept(sent)
        cpu, begin = self.server.cpu, time.perf_counter()
        with suppress(TimeoutError):
            await asyncio.wait_for(player.play(), self.seconds * 4)
        spent, passed = self.server.cpu - cpu, time.perf_counter() - begin
        last = [max(seen[number]) - begun for number, begun in sent.items() if len(seen.get(number, ())) == many]
        for socket in sockets:
            self.later(socket.close())
        return Load(
            what,
            1,
            many,
            len(seen) / passed,
            *percentiles(last),
            spent * 1000 / max(1, len(seen)),
            memory / 1024 / many,
        )

    async def run(self) -> list[Load]:
        """All of them."""
        await self.table(0, 0.0)  # compiles the rules
        found = [await self.under_load("bots that answer at once", min(BOTS_AT, self.scale.tables), SEATS, 0.0)]
        for share in SHARES:
            tables = max(1, int(share * self.scale.tables))
            found.append(await self.under_load(f"players with {PAUSE:g} s for an action", tables, 1, PAUSE))
        found.append(await self.with_spectators())
        return found


class Kept(dict[int, float]):
    """Times that are noted a second time, and never taken out there."""

    def __init__(self, copy: dict[int, float]) -> None:
        super().__init__()
        self.copy_of = copy

    def __setitem__(self, key: int, value: float) -> None:
        super().__setitem__(key, value)
        self.copy_of[key] = value


def measure_server(scale: Scale, report: Callable[[str], None]) -> list[Load]:
    """Start a server, load it, and stop it."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerUnderTest(Path(folder))
        try:
            return asyncio.run(Bench(server, scale, report).run())
        finally:
            server.stop()


def percentiles(seconds: list[float]) -> tuple[float | None, float | None]:
    """The median and the 99th percentile in milliseconds; of two times or more."""
    if len(seconds) < 2:
        return None, None
    cuts = quantiles(seconds, n=100)
    return cuts[49] * 1000, cuts[98] * 1000


def to_data(loads: list[Load]) -> list[dict[str, Any]]:
    """The measurements as plain data."""
    return [asdict(load) for load in loads]


def grid(loads: list[Load]) -> Grid:
    """The measurements as a table."""
    found = Grid(box=None, padding=(0, 1), pad_edge=False)
    for name in ("load", "tables", "sockets", "moves/s", "p50 ms", "p99 ms", "CPU ms/move", "kB each"):
        found.add_column(name, justify="left" if name == "load" else "right")
    for load in loads:
        figures = [f"{value:.1f}" if value is not None else "" for value in (load.p50, load.p99, load.cpu, load.memory)]
        found.add_row(load.what, str(load.tables), str(load.sockets), f"{load.moves:.0f}", *figures)
    return found
