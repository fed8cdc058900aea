"""Arena servers for tests, on real ports of this machine: in a thread, or in a process of their own that can be killed.

with served(folder / "store.sqlite") as server:
    httpx.get(f"{server.url}/api/health")
"""

import asyncio
import contextlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from facedown.server.app import application
from facedown.server.asking import ServerSettings
from facedown.server.run import DRAINS_SECONDS, IDLE_SECONDS

STARTS_WITHIN = 60.0  # seconds
HOST = "127.0.0.1"


class Served:
    """A server in a thread."""

    def __init__(self, settings: ServerSettings) -> None:
        self.socket = socket.create_server((HOST, 0))
        self.port: int = self.socket.getsockname()[1]
        self.app = application(settings)
        config = uvicorn.Config(
            self.app,
            ws="websockets-sansio",
            log_level="error",
            lifespan="on",
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=DRAINS_SECONDS,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.socket]}, name="server")

    @property
    def url(self) -> str:
        """The address."""
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        self.thread.start()
        wait_for(lambda: self.server.started or not self.thread.is_alive())
        assert self.server.started, "the server did not start"

    def stop(self) -> None:
        """Stop as SIGTERM would."""
        self.server.should_exit = True
        self.thread.join(STARTS_WITHIN)
        self.socket.close()
        assert not self.thread.is_alive(), "the server did not stop"


@contextmanager
def served(store: Path, **settings: Any) -> Iterator[Served]:
    """A server in a thread, whose agents think in threads too: no process is started for them."""
    server = Served(ServerSettings(**{"store": store, "on": "threads", "workers": 1, **settings}))
    server.start()
    try:
        yield server
    finally:
        server.stop()


class ServerProcess:
    """A server in a process of its own, on a port that stays the same when it is started again."""

    def __init__(self, store: Path, *options: str) -> None:
        self.store = store
        self.options = options
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address."""
        return f"http://{HOST}:{self.port}"

    def start(self) -> None:
        """Start, and wait until it listens."""
        options = ["--port", str(self.port), "--store", str(self.store), "--on", "threads", "--workers", "1"]
        command = [sys.executable, "-m", "facedown", "serve", *options, *self.options]
        self.process = process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(lambda: listens(self.port) or process.poll() is not None)
        assert process.poll() is None, "the server did not start"

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End it by a signal."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(STARTS_WITHIN)
            self.process = None

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()


class Wire:
    """A wire to a server that can be cut: all connections through it break at once, and new ones are taken."""

    def __init__(self, port: int) -> None:
        """The port of the server."""
        self.port = port
        self.cuts = 0
        self.own_port = 0
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """The address of this end."""
        return f"http://{HOST}:{self.own_port}"

    async def __aenter__(self) -> "Wire":
        self._server = await asyncio.start_server(self._connected, HOST, 0)
        self.own_port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Break all connections."""
        self.cuts += 1
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            there, out = await asyncio.open_connection(HOST, self.port)
            self._writers |= {writer, out}
            await asyncio.gather(self._carry(reader, out), self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        writer.close()
        self._writers.discard(writer)


def wait_for(condition: Any, seconds: float = STARTS_WITHIN) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def free_port() -> int:
    """A port that nobody listens on."""
    with closing(socket.create_server((HOST, 0))) as taken:
        return int(taken.getsockname()[1])


def listens(port: int) -> bool:
    """Whether somebody listens on a port."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex((HOST, port)) == 0
