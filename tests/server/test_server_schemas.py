"""The messages that docs/server.schema.json describes are the ones that a running server sends."""

import asyncio
import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from websockets.asyncio.client import connect

from facedown.server.events import schemas
from serving import Served, served

PAGE = Path(__file__).parents[2] / "docs" / "server.schema.json"


@cache  # to make them takes longer than a message's way
def validator_of(event: str) -> Any:
    """What checks an event, with nothing allowed that its schema does not name."""
    whole = schemas()
    definition = dict(whole["$defs"][whole["sent"][event]["$ref"].rpartition("/")[2]])
    schema = {**definition, "additionalProperties": False, "$defs": whole["$defs"]}
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def check(text: str | bytes) -> dict[str, Any]:
    """A message, if its schema allows it."""
    message: dict[str, Any] = json.loads(text)
    validator_of(message["event"]).validate(message)
    return message


async def play(server: Served, path: str, token: str | None, seed: int) -> set[str]:
    """Play at random to the end, with a mistake first; returns the kinds of events that came."""
    rng, kinds = random.Random(seed), set()
    async with connect(f"{server.url.replace('http', 'ws')}{path}") as socket:
        await socket.send(json.dumps({} if token is None else {"token": token, "views": True, "since": 0}))
        await socket.send("no message")
        async for text in socket:
            event = check(text)
            kinds.add(event["event"])
            if event["event"] == "your_turn":
                await socket.send(json.dumps({"action": rng.choice(event["legal"]), "moves": event["moves"]}))
            elif event["event"] == "over":
                return kinds
    return kinds


async def followed(server: Served, path: str) -> set[str]:
    """Listen to the end; returns the kinds of events that came."""
    async with connect(f"{server.url.replace('http', 'ws')}{path}") as socket:
        await socket.send("{}")
        return {check(text)["event"] async for text in socket}


def test_the_page_has_the_schemas_of_the_program() -> None:
    assert json.loads(PAGE.read_text()) == schemas(), "run python -m facedown.server.events > docs/server.schema.json"


@pytest.mark.parametrize("game", ["hearts:passing=left", "cheat"])
def test_every_message_of_a_game_follows_its_schema(tmp_path: Path, game: str) -> None:
    with served(tmp_path / "store.sqlite") as server, httpx.Client(base_url=server.url, timeout=60) as api:
        seats = [{"open": True}, *[{"agent": "random"}] * (1 if game == "cheat" else 3)]
        made = api.post("/api/tables", json={"game": game, "seats": seats, "seed": 5, "move_seconds": 60}).json()
        path = f"/api/tables/{made['id']}/live"

        async def both() -> tuple[set[str], set[str]]:
            watching = asyncio.create_task(play(server, path, None, 0))
            await asyncio.sleep(0.2)
            token = api.post(f"/api/tables/{made['id']}/seats", json={"name": "Ana"}).json()["token"]
            return await play(server, path, token, 1), await watching

        seat, spectator = asyncio.run(both())
        assert seat >= {"view", "move", "your_turn", "over", "error"}
        assert spectator >= {"view", "move", "seat", "over", "error"}
        assert "your_turn" not in spectator


def test_an_analysis_of_a_record_finds_what_each_decision_cost(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite") as server, httpx.Client(base_url=server.url, timeout=60) as api:
        made = api.post("/api/tables", json={"game": "bisca", "seats": [{"agent": "random"}] * 2, "seed": 1}).json()
        while (table := api.get(f"/api/tables/{made['id']}").json())["status"] != "over":
            pass
        wish = {"record": table["record"], "agent": "ismcts:iterations=50", "depth": 1}
        begun = api.post("/api/analyses", json=wish)
        assert begun.status_code == 201
        kinds = asyncio.run(followed(server, f"/api/analyses/{begun.json()['id']}/live"))
        assert kinds >= {"analysis", "decision", "analysis_over"}
        found = api.get(f"/api/analyses/{begun.json()['id']}").json()
        assert (found["status"], found["done"]) == ("done", found["total"])
        assert all(one["regret"] is None or 0 <= one["regret"] <= 1 for one in found["decisions"])
        assert any(one["regret"] for one in found["decisions"])
        record = api.get(f"/api/records/{table['record']}").json()
        for one in found["decisions"]:
            assert [one["seat"], one["played"]] == [record["history"][one["moves"]][0], record["actions"][one["moves"]]]
            assert one["decision"]["tree"]["children"]
        refused = api.post("/api/analyses", json={"agent": "random"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_request")
