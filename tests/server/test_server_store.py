"""The store fails in mid-game: moves are refused, nothing is half written, and play goes on when it is back."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from facedown.errors import StoreError
from facedown.server import journal, table
from facedown.server.journal import Journal
from facedown.store import database, query
from needs import empty_database
from serving import Served, served, wait_for
from sitting import Door, problem

BUSY = 0.2  # seconds that a locked store is waited for


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WAITS_SECONDS", BUSY)
    monkeypatch.setattr(table, "TRIES_AGAIN", 0.1)


@pytest.fixture
def server(tmp_path: Path, quick: None) -> Iterator[Served]:
    with served(tmp_path / "store.sqlite") as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


@contextmanager
def locked(place: Path) -> Iterator[None]:
    """Another program has the whole store locked."""
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


@contextmanager
def refusing(place: Path) -> Iterator[None]:
    """Every new move fails in the store."""
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute(
            "CREATE TRIGGER damaged BEFORE INSERT ON live_moves BEGIN SELECT RAISE(ABORT, 'no room in the house'); END"
        )
        yield
        other.execute("DROP TRIGGER damaged")


@pytest.mark.parametrize("fault", [locked, refusing])
def test_moves_are_refused_while_the_store_fails_and_play_goes_on_afterwards(
    server: Served, door: Door, tmp_path: Path, fault: Callable[[Path], Any]
) -> None:
    place = tmp_path / "store.sqlite"
    id, tokens = door.full_table("bisca", 2)
    door.play(id, tokens, most=3)
    mover = door.facts(id)["to_move"]
    before = [door.view(id, token) for token in tokens]
    action = before[mover]["legal"][0]
    with fault(place), door.live(f"tables/{id}", tokens[mover]) as live:
        for _ in range(2):
            answer = door.move(id, tokens[mover], action, 3)
            assert problem(answer) == (503, "not_stored")
            assert "nothing was changed, please try again" in answer.json()["error"]["message"]
        live.send({"action": action, "moves": 3})
        assert live.until("error")["code"] == "not_stored"
        assert problem(door.move(id, tokens[mover], "nonsense", 3)) == (422, "illegal_move")
        assert [door.view(id, token) for token in tokens] == before
        assert door.ok(door.get("health"))["status"] == "ok"
    assert query("SELECT count(*) FROM live_moves", place).rows == [(3,)]
    assert door.move(id, tokens[mover], action, 3).json() == {"moves": 4}
    door.play(id, tokens)
    wait_for(lambda: door.facts(id)["status"] == "over")
    assert query("SELECT count(*) FROM live_moves", place).rows == [(0,)]


def test_new_tables_and_seats_are_refused_while_the_store_fails(door: Door, tmp_path: Path) -> None:
    id = door.table("bisca", None, None)
    with locked(tmp_path / "store.sqlite"):
        assert problem(door.post("tables", {"game": "bisca"})) == (503, "not_stored")
        assert problem(door.post(f"tables/{id}/seats", {"name": "Ana"})) == (503, "not_stored")
        assert [seat["kind"] for seat in door.facts(id)["seats"]] == ["open", "open"]
    assert door.sit(id, "Ana")[0] == 0


def test_a_full_disk_refuses_what_is_new_until_there_is_room(server: Served, door: Door) -> None:
    engine = server.app.state.hall.store.engine

    def allow(pages: int) -> int:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
            return int(connection.exec_driver_sql("PRAGMA page_count").scalar())

    id, tokens = door.full_table("bisca", 2)
    allow(allow(1 << 30))
    refused = next(
        answer for _ in range(500) if (answer := door.post("tables", {"game": "bisca", "seats": [{"open": True}]})).is_error
    )
    assert problem(refused) == (503, "not_stored")
    assert "full" in refused.json()["error"]["message"]
    tables = len(door.get("tables?limit=1000").json())
    allow(1 << 30)
    door.table("bisca", None)
    assert len(door.get("tables?limit=1000").json()) == tables + 1
    door.play(id, tokens, most=2)


def test_many_refusals_take_no_longer_than_one(door: Door, tmp_path: Path) -> None:
    tables = [door.full_table("bisca", 2) for _ in range(12)]
    answers: list[tuple[int, str]] = []

    def play(id: str, token: str) -> None:
        with Door(door.url) as own:
            answers.append(problem(own.move(id, token, own.view(id, token)["legal"][0], 0)))

    threads = [threading.Thread(target=play, args=(id, tokens[0])) for id, tokens in tables]
    with locked(tmp_path / "store.sqlite"):
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        took = time.monotonic() - begin
    assert answers == [(503, "not_stored")] * 12
    assert took < 8 * BUSY + 1


def test_agents_go_on_when_the_store_is_back(door: Door, tmp_path: Path) -> None:
    id = door.table("bisca", "random", None)
    with locked(tmp_path / "store.sqlite"):
        pass
    _, token = door.sit(id, "Ana")
    wait_for(lambda: door.facts(id)["to_move"] == 1)
    while door.facts(id)["status"] != "over":
        view = door.view(id, token)
        if view["to_move"] != 1:
            continue
        with locked(tmp_path / "store.sqlite") if view["moves"] % 8 == 1 else refusing(tmp_path / "store.sqlite"):
            time.sleep(0.01)
        door.move(id, token, view["legal"][0], view["moves"])
    assert door.facts(id)["moves"] == 40


def test_nobody_waits_for_an_agent_whose_move_cannot_be_stored(door: Door, tmp_path: Path) -> None:
    id = door.table("bisca", "random", None)
    with refusing(tmp_path / "store.sqlite"):
        _, token = door.sit(id, "Ana")
        time.sleep(0.3)
        begin = time.monotonic()
        assert problem(door.move(id, token, "AS", 0))[0] in (409, 503)
        assert time.monotonic() - begin < 5
    wait_for(lambda: door.facts(id)["moves"] == 1)


def test_a_clock_does_not_run_out_because_the_store_fails(door: Door, tmp_path: Path) -> None:
    id, tokens = door.full_table("bisca", 2, move_seconds=0.6)
    action = door.view(id, tokens[0])["legal"][0]
    with refusing(tmp_path / "store.sqlite"):
        for _ in range(6):
            assert problem(door.move(id, tokens[0], action, 0)) == (503, "not_stored")
            time.sleep(0.2)
    assert door.move(id, tokens[0], action, 0).json() == {"moves": 1}


def test_a_move_whose_answer_from_the_store_was_lost_counts_once(
    server: Served, door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, tokens = door.full_table("bisca", 2)
    legal = door.view(id, tokens[0])["legal"]
    store = Journal._store

    def lose_answers(self: Journal, batch: list[journal.Entry]) -> None:
        store(self, batch)
        for entry in batch:
            entry.error = StoreError("the connection was lost")

    monkeypatch.setattr(Journal, "_store", lose_answers)
    assert problem(door.move(id, tokens[0], legal[0], 0)) == (503, "not_stored")
    monkeypatch.setattr(Journal, "_store", store)
    assert problem(door.move(id, tokens[0], legal[1], 0)) == (409, "stale")
    assert door.move(id, tokens[0], legal[0], 0).json() == {"moves": 1}
    assert door.view(id, tokens[0])["history"] == [[0, legal[0]]]
    assert query("SELECT count(*) FROM live_moves", tmp_path / "store.sqlite").rows == [(1,)]


@pytest.mark.postgres
@pytest.mark.usefixtures("quick")
def test_games_survive_a_postgresql_server_that_drops_everybody(postgres: str) -> None:
    import psycopg

    with empty_database(postgres) as place:
        with served(place) as server, Door(server.url) as door:  # type: ignore[arg-type]
            id, tokens = door.full_table("bisca", 2)
            name = place.rsplit("/", 1)[1].partition("?")[0]
            with psycopg.connect(postgres, autocommit=True) as admin:
                for allowed in ("false", "true"):
                    door.play(id, tokens, most=4)
                    mover = door.facts(id)["to_move"]
                    view = door.view(id, tokens[mover])
                    admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS {allowed}".encode())
                    admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
                    answer = door.move(id, tokens[mover], view["legal"][0], view["moves"])
                    if allowed == "false":
                        assert problem(answer) == (503, "not_stored")
                        assert problem(door.get("records")) == (503, "no_store")
                        assert door.view(id, tokens[mover]) == view
                        admin.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true".encode())
                        assert door.move(id, tokens[mover], view["legal"][0], view["moves"]).status_code == 200
                    else:
                        assert answer.json() == {"moves": view["moves"] + 1}
            assert problem(door.http.get("/api/records", params={"game": "a\u0000b"}))[0] == 422
            door.play(id, tokens)
            wait_for(lambda: door.facts(id)["status"] == "over")
            before = door.view(id)
        with served(place) as server, Door(server.url) as door:  # type: ignore[arg-type]
            assert door.view(id) == before
