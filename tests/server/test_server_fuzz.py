"""Hostile requests and messages: each is answered or refused in our form, soon, and the server goes on.

FACEDOWN_FULL=1 sends 100,000 in all, others each time: from the OpenAPI document by Schemathesis, from our own generator,
and over sockets.
"""

import asyncio
import json
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from facedown.kernel import COMPILED
from serving import Served, served
from sitting import WAITS, Door, bearer, problem

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

FULL = bool(os.environ.get("FACEDOWN_FULL"))
BY_DOCUMENT, BY_US, ON_SOCKETS = (10_000, 30_000, 60_000) if FULL else (150, 500, 1500)
SEED = time.time_ns() if FULL else 1
AT_ONCE = 8  # sockets
MESSAGES = 40  # on one socket

ODD: list[Any] = [None, True, False, 0, 1, -1, 2**31, 2**63, 10**30, 1.5, -0.0, 1e308, [], {}, [[]], {"a": {}}, "", " ", "x"]
ODD += [
    "\u0000",
    "\ud800",
    "\u202e",
    "é♠",
    "x" * 301,
    "x" * 5000,
    "../../etc/passwd",
    "os:system",
    "' OR 1=1 --",
    "%s%n",
    "{}",
]
ODD += ["QS", "2 Q: QH 5D", "AS", "call", "take", "hearts", "bisca", "cheat:ranks=5", "bisca:match=-1", "random", "uct"]
ODD += ["ismcts:iterations=99999999999999999999", "easy:iterations=1", "random:x=1", "9" * 400, [{"open": True}] * 3]
KEYS = [
    "action",
    "moves",
    "token",
    "since",
    "views",
    "table",
    "game",
    "seats",
    "seed",
    "name",
    "seat",
    "hints",
    "at_once",
    "x",
]
KEYS += ["open", "agent", "move_seconds", "game_seconds", "entrants", "deals", "pairing", "seating", "record", "position"]


class World:
    """What there is on a server, to be asked for."""

    def __init__(self, door: Door) -> None:
        self.tables: list[tuple[str, str]] = []
        for game, seats in (("bisca", 2), ("hearts", 4), ("cheat", 2)):
            id, tokens = door.full_table(game, seats)
            door.play(id, tokens, most=6)
            self.tables += [(id, token) for token in tokens]
        over, tokens = door.full_table("bisca", 2)
        door.play(over, tokens)
        self.tables.append((over, tokens[0]))
        self.tables.append((door.table("bisca", None, "random"), "none"))
        entrants = [{"agent": "random"}, {"open": True}]
        self.competition = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 2}).json()["id"]
        self.entrant = door.post(f"competitions/{self.competition}/entrants", {"name": "bot"}).json()["token"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("fuzz") / "store.sqlite") as server:
        yield server


@pytest.fixture(scope="module")
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


@pytest.fixture(scope="module")
def world(door: Door) -> World:
    return World(door)


def check_answer(answer: httpx.Response) -> None:
    """No fault of the server, and every refusal in our form."""
    assert answer.status_code < 500 or answer.status_code == 503, (answer.request.method, answer.request.url, answer.text)
    assert "Traceback" not in answer.text
    if answer.status_code >= 400:
        problem(answer)


def cheap(body: Any) -> Any:
    """A body that asks for nothing that takes long."""
    if isinstance(body, dict):
        if "seconds" in body and isinstance(body["seconds"], int | float):
            body["seconds"] = min(body["seconds"], 0.01)
        if "deals" in body and isinstance(body["deals"], int):
            body["deals"] = min(body["deals"], 2)
    return body


# --- By the OpenAPI document ------------------------------------------------------------------------------------------


def test_requests_by_the_openapi_document_are_answered_or_refused(server: Served, door: Door, world: World) -> None:
    document = schemathesis.openapi.from_dict(server.app.openapi())
    found: list[Any] = list(document.get_all_operations())
    operations = [one.ok() for one in found]
    counts: Counter[int] = Counter()

    @settings(
        max_examples=BY_DOCUMENT,
        derandomize=not FULL,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of([operation.as_strategy() for operation in operations]), st.randoms(use_true_random=False))
    def ask(case: Any, chance: random.Random) -> None:
        id, token = chance.choice(world.tables)
        path = case.path
        for name, value in case.path_parameters.items():
            real = world.competition if "competitions" in path else id
            path = path.replace(f"{{{name}}}", real if chance.random() < 0.7 else quote(f"{value}", safe="") or "x")
        body = cheap(case.body) if isinstance(case.body, dict | list) else None
        if isinstance(body, dict) and chance.random() < 0.5 and "game" in body:
            body["game"] = chance.choice(["bisca", "hearts32", "cheat"])
        content = None if body is None else json.dumps(body)
        query = {name: f"{value}"[:2000] for name, value in (case.query or {}).items()}
        headers = bearer(chance.choice([None, token, token, "x"])) | {"Content-Type": "application/json"}
        answer = door.http.request(case.method, path, content=content, params=query, headers=headers)
        check_answer(answer)
        counts[answer.status_code] += 1

    ask()
    print(f"{sum(counts.values())} requests by the document: {dict(sorted(counts.items()))}")
    assert door.ok(door.get("health"))["status"] == "ok"


# --- By our own generator ---------------------------------------------------------------------------------------------


def some_value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.random()
    if kind < 0.7 or depth > 3:
        return chance.choice(ODD)
    if kind < 0.8:
        return [some_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(KEYS): some_value(chance, depth + 1) for _ in range(chance.randrange(4))}


def some_body(chance: random.Random, likely: dict[str, Any]) -> bytes:
    """A body that is nearly right, or not at all."""
    data: Any = dict(likely)
    for _ in range(chance.randrange(4)):
        data[chance.choice([*likely, *KEYS[:14]])] = some_value(chance)
    if chance.random() < 0.1:
        data = some_value(chance)
    raw = json.dumps(cheap(data)).encode()
    if chance.random() < 0.1:
        place = chance.randrange(len(raw) + 1)
        raw = raw[:place] + chance.choice([b"", b"\xff", b"\x00", b"{", b"]", b"NaN", b'"']) + raw[place + 1 :]
    return raw


def test_requests_of_our_own_are_answered_or_refused(door: Door, world: World) -> None:
    chance = random.Random(SEED)
    counts: Counter[int] = Counter()
    for number in range(BY_US):
        id, token = chance.choice(world.tables)
        competition = world.competition
        wishes: list[tuple[str, dict[str, Any]]] = [
            ("tables", {"game": "bisca", "seats": [{"open": True}], "seed": 3}),
            (f"tables/{id}/seats", {"name": "Ana", "seat": 0}),
            (
                f"tables/{id}/moves",
                {"action": chance.choice(["AS", "QH", "call", "take"]), "moves": chance.randrange(9)},
            ),
            (f"tables/{id}/hint", {"seconds": 0.01}),
            (f"tables/{id}/rematch", {}),
            ("competitions", {"game": "bisca", "entrants": [{"open": True}, {"agent": "random"}], "deals": 1}),
            (f"competitions/{competition}/entrants", {"name": "Eva", "at_once": 2}),
            ("records", {"format": 2, "game": "bisca"}),
            ("analyses", {"game": "bisca", "position": "x", "agent": "random"}),
            ("steps", {"game": "bisca", "position": "x", "seat": 0}),
            ("beliefs", {"table": id, "inference": "none"}),
            ("trees", {"table": id, "agent": "ismcts:iterations=10", "seed": 1}),
            ("trees/x?node=1", {}),
            (quote(f"{some_value(chance)!a}"[:200], safe="/"), {}),
        ]
        path, likely = chance.choice(wishes)
        headers = {b"Content-Type": chance.choice([b"application/json", b"application/json", b"text/plain", b"\xff"])}
        word = chance.choice([token, token, world.entrant, "x", "é", "", "a b"])
        headers[b"Authorization"] = chance.choice([b"Bearer ", b"bearer ", b"Basic ", b""]) + word.encode("latin-1")
        headers[b"Authorization"] = headers[b"Authorization"].strip()
        method = chance.choices(["POST", "GET", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"], [12, 3, 1, 1, 1, 1, 1])[0]
        begin = time.monotonic()
        answer = door.http.request(method, f"/api/{path}", content=some_body(chance, likely), headers=headers)
        if method != "HEAD":
            check_answer(answer)
        assert time.monotonic() - begin < WAITS, number
        counts[answer.status_code] += 1
    print(f"{BY_US} requests of our own: {dict(sorted(counts.items()))}")
    assert door.ok(door.get("health"))["status"] == "ok"


# --- On sockets -------------------------------------------------------------------------------------------------------


def some_message(chance: random.Random, likely: dict[str, Any]) -> str | bytes:
    raw = some_body(chance, likely)
    if chance.random() < 0.1:
        return raw
    return raw.decode("utf-8", "replace")


async def one_socket(url: str, world: World, chance: random.Random, counts: Counter[str]) -> int:
    """Say hello, more or less, and then send what comes: how many messages were sent."""
    id, token = chance.choice(world.tables)
    own = {"action": chance.choice(["AS", "QH", "call", "take", "2C"]), "moves": chance.randrange(9)}
    place, hello = chance.choice(
        [
            (f"tables/{id}", {"token": token}),
            (f"tables/{id}", {}),
            (f"competitions/{world.competition}", {"token": world.entrant}),
            (f"competitions/{world.competition}", {}),
            ("analyses/x", {}),
            ("tables/none", {}),
        ]
    )
    sent = 0
    async with connect(f"ws{url.removeprefix('http')}/api/{place}/live", open_timeout=WAITS) as socket:

        async def listen() -> None:
            async for text in socket:
                event = json.loads(text)
                counts[f"{event['event']} {event.get('code', '')}".strip()] += 1
                assert "Traceback" not in text

        listening = asyncio.create_task(listen())
        try:
            await socket.send(json.dumps(hello) if chance.random() < 0.8 else some_message(chance, hello))
            sent += 1
            for _ in range(MESSAGES):
                await socket.send(some_message(chance, own if "tables" in place else {**own, "table": id}))
                sent += 1
        except ConnectionClosed:
            pass
        await asyncio.sleep(0.01)
        await socket.close()
        try:
            await asyncio.wait_for(listening, WAITS)
        except ConnectionClosed:
            counts[f"closed {socket.protocol.close_code}"] += 1
    return sent


def test_messages_on_sockets_are_carried_out_or_refused(server: Served, door: Door, world: World) -> None:
    counts: Counter[str] = Counter()

    async def all_sockets() -> int:
        sent = 0

        async def work(number: int) -> None:
            nonlocal sent
            chance = random.Random(SEED + number)
            while sent < ON_SOCKETS:
                sent += await one_socket(server.url, world, chance, counts)

        await asyncio.gather(*(work(number) for number in range(AT_ONCE)))
        return sent

    sent = asyncio.run(all_sockets())
    print(f"{sent} messages on sockets: {dict(counts)}")
    assert not counts.keys() & {"closed 1006", "closed 1011"}
    assert door.ok(door.get("health"))["status"] == "ok"
    for id, token in world.tables:
        assert door.get(f"tables/{id}/view", None if token == "none" else token).status_code == 200
