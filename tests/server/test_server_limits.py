"""What one client can do to others: nothing, whether it floods, is silent, sends too much or never reads."""

import asyncio
import json
import socket
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from facedown.server import guards, hall, listeners, sockets
from facedown.server.run import IDLE_SECONDS
from serving import HOST, Served, served, wait_for
from sitting import WAITS, Door, problem

MOST = guards.LARGEST_BODY


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("limits") / "store.sqlite") as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


# --- Sizes ------------------------------------------------------------------------------------------------------------


def test_a_body_that_is_too_large_is_refused(door: Door) -> None:
    for path, most in (("tables", MOST), ("records", guards.LARGEST_IMPORT)):
        answer = door.http.post(f"/api/{path}", content=b" " * (most + 1))
        assert problem(answer) == (413, "too_large")


@pytest.mark.parametrize(("path", "most"), [("tables", MOST), ("records", guards.LARGEST_IMPORT)])
def test_a_body_without_a_length_is_refused_when_it_is_too_large(door: Door, path: str, most: int) -> None:
    parts = (b" " * 65536 for _ in range(most // 65536 + 2))
    assert problem(door.http.post(f"/api/{path}", content=parts)) == (413, "too_large")


def test_a_long_message_on_a_socket_is_refused(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    with door.live(f"tables/{id}", tokens[0]) as live:
        live.send("x" * 5000)
        assert live.until("error")["code"] == "bad_message"
        live.send(json.dumps({"action": "x" * 4000}))
        assert live.until("error")["code"] == "bad_message"


# --- Silence, mistakes, floods ----------------------------------------------------------------------------------------


def test_a_client_gives_up_an_idle_connection_before_the_server_closes_it() -> None:
    assert 2 * float(httpx.Limits().keepalive_expiry or 0) < IDLE_SECONDS  # else a request may meet it closing


def test_a_silent_socket_is_closed(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_WITHIN", 0.2)
    id = door.table("bisca", None)
    with connect(f"ws{door.url.removeprefix('http')}/api/tables/{id}/live") as live:
        assert json.loads(live.recv(WAITS))["code"] == "bad_message"
        with pytest.raises(ConnectionClosed):
            live.recv(WAITS)


def test_who_makes_too_many_mistakes_is_cut_off(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "MOST_MISTAKES", 5)
    id, tokens = door.full_table("bisca", 2)
    with door.live(f"tables/{id}", tokens[0]) as live:
        for _ in range(8):
            live.send({"action": "nonsense"})
        for _ in range(5):
            assert live.until("error")["code"] == "illegal_move"
        with pytest.raises(ConnectionClosed):
            live.until("error")
    assert door.play(id, tokens, most=1) == 1


def test_one_table_too_many_is_refused(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall, "MOST_TABLES", 0)
    assert problem(door.post("tables", {"game": "bisca"})) == (429, "too_many_tables")


def test_an_address_that_sends_too_much_is_refused_for_a_while(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite", rate=5.0) as server, Door(server.url) as door:
        answers = [door.get("health").status_code for _ in range(40)]
        assert answers[:20] == [200] * 20
        assert answers.count(429) >= 10
        wait_for(lambda: door.get("health").status_code == 200)


def test_a_competition_of_millions_of_games_is_refused_at_once(door: Door) -> None:
    for entrants, deals in ((64, 1), (40, 100), (2, 100_000)):
        wish = {"game": "hearts32", "entrants": [{"open": True}] * entrants, "deals": deals}
        begin = time.monotonic()
        assert problem(door.post("competitions", wish)) == (422, "bad_option")
        assert time.monotonic() - begin < 5


# --- Slow readers -----------------------------------------------------------------------------------------------------


def handshake(door: Door, id: str, hello: bytes) -> socket.socket:
    """A socket that says hello and never reads a byte."""
    port = int(door.url.rsplit(":", 1)[1])
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect((HOST, port))
    raw.sendall(
        f"GET /api/tables/{id}/live HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        answer += raw.recv(1)
    assert b" 101 " in answer
    raw.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
    return raw


def test_a_client_that_never_reads_delays_nobody(door: Door) -> None:
    id, tokens = door.full_table("magic", 2, seed=3)
    slow = [handshake(door, id, b'{"views": true}') for _ in range(20)]
    wait_for(lambda: door.facts(id)["spectators"] == 20)
    took = []
    with door.live(f"tables/{id}", tokens[1]) as other:
        other.next()
        for _ in range(40):
            mover = door.facts(id)["to_move"]
            view = door.view(id, tokens[mover])
            begin = time.monotonic()
            assert door.move(id, tokens[mover], view["legal"][0], view["moves"]).status_code == 200
            while other.next().get("moves") != view["moves"] + 1:
                pass
            took.append(time.monotonic() - begin)
    assert statistics.median(took) < 0.2
    for one in slow:
        one.close()
    wait_for(lambda: door.facts(id)["spectators"] == 0)


def test_a_client_that_is_too_far_behind_is_cut_off_though_it_never_reads() -> None:
    async def cut_off() -> int:
        never = asyncio.Event()

        async def send(message: str) -> None:
            await never.wait()

        listener = listeners.Listener(send)
        delivering = asyncio.create_task(listener.deliver())
        for _ in range(listeners.MOST_WAITING + 2):
            listener.tell("news")
            await asyncio.sleep(0)
        return await asyncio.wait_for(delivering, 5)

    assert asyncio.run(cut_off()) == listeners.TOO_SLOW
