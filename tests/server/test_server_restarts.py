"""A server that starts again: rematches, competitions of older rules, entrants while the store fails."""

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from facedown.arena.schedule import Schedule
from facedown.server import competition, hall
from facedown.server.journal import Journal
from facedown.server.refusals import not_stored
from serving import served, wait_for
from sitting import Door, problem


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


def finished_table(door: Door) -> tuple[str, list[str]]:
    id, tokens = door.full_table("bisca", 2)
    door.play(id, tokens)
    wait_for(lambda: door.facts(id)["status"] == "over")
    return id, tokens


def test_there_is_one_rematch_though_the_server_has_started_again_or_forgotten_the_table(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(place) as server, Door(server.url) as door:
        id, tokens = finished_table(door)
        first = door.post(f"tables/{id}/rematch", None, tokens[0]).json()["id"]
        other, others = finished_table(door)
    monkeypatch.setattr(hall, "MOST_FINISHED", 0)
    with served(place) as server, Door(server.url) as door:
        assert door.post(f"tables/{id}/rematch", None, tokens[1]).json()["id"] == first
        assert door.facts(id)["rematch"] == first
        again = [door.post(f"tables/{other}/rematch", None, token).json()["id"] for token in others]
        assert again[0] == again[1]
        door.play(first, [tokens[1], tokens[0]])
        wait_for(lambda: door.facts(first)["status"] == "over")
        assert door.post(f"tables/{id}/rematch", None, tokens[1]).json()["id"] == first


def test_tables_are_as_they_were_when_a_server_starts_again(place: Path) -> None:
    with served(place) as server, Door(server.url) as door:
        waiting = door.table("bisca", None, None, name="a name", move_seconds=50)
        _, token = door.sit(waiting, "Ana")
        under_way, tokens = door.full_table("hearts", 4)
        door.play(under_way, tokens, most=20)
        over, _ = finished_table(door)
        before = [door.facts(id) for id in (waiting, under_way, over)]
        views = [door.view(under_way, token) for token in (*tokens, None)]
        last = door.view(over)
    with served(place) as server, Door(server.url) as door:
        assert [door.facts(id) for id in (waiting, under_way, over)] == before
        assert [door.view(under_way, token) for token in (*tokens, None)] == views
        assert door.view(over) == last
        assert door.view(waiting, token)["seat"] == 0


def test_a_competition_that_cannot_be_resumed_does_not_stop_the_server(place: Path) -> None:
    with served(place) as server, Door(server.url) as door:
        entrants = [{"agent": "random"}, {"open": True}]
        ids = [door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1}).json()["id"] for _ in range(2)]
        for id in ids:
            door.post(f"competitions/{id}/entrants", {"name": "bot"})
    with closing(sqlite3.connect(place, isolation_level=None)) as store:
        name = f"competition-{ids[0]}"
        settings = json.loads(store.execute("SELECT settings FROM runs WHERE name = ?", [name]).fetchone()[0])
        changed = json.dumps({**settings, "version": 99})
        store.execute("UPDATE runs SET settings = ? WHERE name = ?", [changed, name])
    with served(place) as server, Door(server.url) as door:
        assert door.ok(door.get(f"competitions/{ids[1]}"))["status"] == "playing"


def test_who_enters_last_has_entered_though_the_store_fails_then(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(competition, "TRIES_AGAIN", 0.05)
    fails = [True]
    begin = competition.Competition._begin

    async def failing(self: competition.Competition, plan: Schedule) -> None:
        if fails[0]:
            raise not_stored("no room in the house")
        await begin(self, plan)

    monkeypatch.setattr(competition.Competition, "_begin", failing)
    with served(place) as server, Door(server.url) as door:
        entrants = [{"agent": "random"}, {"open": True}]
        id = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1}).json()["id"]
        entered = door.post(f"competitions/{id}/entrants", {"name": "bot"})
        assert entered.status_code == 201
        time.sleep(0.2)
        assert door.ok(door.get(f"competitions/{id}"))["status"] == "waiting"
        fails[0] = False
        with door.live(f"competitions/{id}", entered.json()["token"]) as live:
            live.until("your_turn")


def test_a_place_that_could_not_be_stored_is_still_open(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(place) as server, Door(server.url) as door:
        entrants = [{"open": True}, {"open": True}]
        id = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1}).json()["id"]

        async def refuse(self: Journal, work: object) -> None:
            raise not_stored("no room in the house")

        with monkeypatch.context() as patch:
            patch.setattr(Journal, "write", refuse)
            assert problem(door.post(f"competitions/{id}/entrants", {"name": "bot"})) == (503, "not_stored")
        assert [one["kind"] for one in door.ok(door.get(f"competitions/{id}"))["entrants"]] == ["open", "open"]
        assert door.post(f"competitions/{id}/entrants", {"name": "bot"}).status_code == 201
