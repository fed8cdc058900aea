"""Clients that cheat: other people's tokens and turns, replayed and forged messages, early records, code from elsewhere."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from facedown.server.asking import ServerSettings
from facedown.server.tokens import hash_of
from serving import Served, served
from sitting import WAITS, Door, bearer, problem


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("cheats") / "store.sqlite") as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


# --- Tokens and turns -------------------------------------------------------------------------------------------------


def test_a_token_is_good_for_its_own_seat_and_table_only(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    other, foreign = door.full_table("bisca", 2)
    legal = door.view(id, tokens[0])["legal"]
    for token in (*foreign, tokens[0] + "x", tokens[0][:-1], hash_of(tokens[0]), "é", "null", "0"):
        headers = {b"Authorization": b"Bearer " + token.encode("latin-1")}
        assert problem(door.http.get(f"/api/tables/{id}/view", headers=headers)) == (403, "forbidden")
        body = {"action": legal[0], "moves": 0}
        assert problem(door.http.post(f"/api/tables/{id}/moves", json=body, headers=headers)) == (403, "forbidden")
    assert problem(door.post(f"tables/{id}/rematch", None, foreign[0])) == (403, "forbidden")
    assert door.facts(id)["moves"] == door.facts(other)["moves"] == 0


def test_a_token_in_an_address_is_no_token(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    assert door.http.get(f"/api/tables/{id}/view", params={"token": tokens[0]}).json()["seat"] is None
    assert problem(door.http.post(f"/api/tables/{id}/moves?token={tokens[0]}", json={"action": "AS"})) == (
        401,
        "unauthorized",
    )


def test_sockets_with_other_tokens_are_told_so_and_closed(door: Door) -> None:
    id, _ = door.full_table("bisca", 2)
    _, foreign = door.full_table("bisca", 2)
    for token in (foreign[0], "x", "\ud800", "\u0000"):
        with door.live(f"tables/{id}", token) as live:
            assert live.next()["code"] in ("forbidden", "bad_message")
            with pytest.raises(ConnectionClosed):
                live.next()


def test_a_spectator_cannot_play(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    with door.live(f"tables/{id}") as live:
        live.send({"action": door.view(id, tokens[0])["legal"][0], "moves": 0})
        assert live.until("error")["code"] == "forbidden"
    assert door.facts(id)["moves"] == 0


def test_nobody_moves_for_others(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    legal = door.view(id, tokens[0])["legal"]
    with door.live(f"tables/{id}", tokens[1]) as live:
        for message in (
            {"action": legal[0], "moves": 0},
            {"action": legal[0]},
            {"action": legal[0], "moves": 0, "seat": 0},
            {"action": legal[0], "token": tokens[0]},
            {"event": "move", "seat": 0, "action": legal[0], "moves": 1},
        ):
            live.send(message)
            assert live.until("error")["code"] in ("not_your_turn", "bad_message")
    assert door.facts(id)["moves"] == 0


def test_replayed_and_forged_messages_change_nothing(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    played = []
    for _ in range(6):
        mover = door.facts(id)["to_move"]
        view = door.view(id, tokens[mover])
        played.append((tokens[mover], view["legal"][0], view["moves"]))
        assert door.move(id, *played[-1]).status_code == 200
    before = [door.view(id, token) for token in tokens]
    for token, action, moves in played:
        assert door.move(id, token, action, moves).json() == {"moves": moves + 1}
        other = tokens[1 - tokens.index(token)]
        assert problem(door.move(id, other, action, moves)) == (409, "stale")
    for moves in (5, 7, 1000, (1 << 31) - 1):
        token = tokens[door.facts(id)["to_move"]]
        assert problem(door.move(id, token, before[0]["legal"][0] if before[0]["legal"] else "AS", moves)) == (409, "stale")
    assert [door.view(id, token) for token in tokens] == before


def test_nobody_is_told_of_the_future(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    door.play(id, tokens, most=3)
    with door.live(f"tables/{id}", tokens[0], since=100) as live:
        assert live.next()["moves"] == 3
        assert live.next()["event"] == "seat"
    for since in (-1, 1 << 31, 1.5, "0"):
        with door.live(f"tables/{id}", tokens[0], since=since) as live:
            assert live.next()["code"] == "bad_message"


def test_the_seed_is_told_when_the_game_is_over_and_not_before(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2, seed=123456789)
    door.play(id, tokens, most=10)
    shown = door.get(f"tables/{id}").text + door.get(f"tables/{id}/view").text + door.get("tables").text
    assert "123456789" not in shown
    door.play(id, tokens)
    while door.facts(id)["status"] != "over":
        time.sleep(0.01)
    assert door.facts(id)["seed"] == 123456789


# --- What a server keeps and says -------------------------------------------------------------------------------------


def test_tokens_are_neither_in_the_store_nor_in_the_log(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        id, tokens = door.full_table("bisca", 2, seed=987654321)
        entrants = [{"agent": "random"}, {"open": True}]
        competition = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 1}).json()["id"]
        tokens.append(door.post(f"competitions/{competition}/entrants", {"name": "bot"}).json()["token"])
        door.play(id, tokens)
        with door.live(f"competitions/{competition}", tokens[2]) as live:
            live.until("your_turn")
        door.move(id, "a-wrong-token", "AS")
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    out = capfd.readouterr()
    logged = out.out + out.err
    assert " move " in logged
    for token in tokens:
        assert len(token) >= 43
        assert token.encode() not in kept
        assert hash_of(token).encode() in kept
        assert token not in logged
        assert hash_of(token) not in logged
    assert "a-wrong-token" not in logged
    assert "987654321" not in logged


# --- Code and files ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["os:system", "examples/little_knaves.py:GAME", "/etc/passwd", "./x.py:GAME", "facedown.games.bisca:GAME", "a.py"],
)
def test_no_game_or_agent_comes_from_a_module_or_a_file(door: Door, text: str) -> None:
    assert problem(door.post("tables", {"game": text}))[0] == 422
    assert problem(door.post("tables", {"game": "bisca", "seats": [{"agent": text}]}))[0] == 422
    entrants = [{"agent": text}, {"agent": "random"}]
    assert problem(door.post("competitions", {"game": "bisca", "entrants": entrants}))[0] == 422


@pytest.mark.parametrize(
    "agent",
    [
        "ismcts:inference=policy,model=/etc/passwd",
        "ismcts:inference=policy,model=../x.json",
        "pmga:model=/etc/passwd",
        "uct",
        "fpmga",
        "human",
        "ismcts:iterations=200001",
        "ismcts:seconds=10.5",
        "ismcts:threads=2",
        "best:seconds=11",
        "easy:iterations=300000",
        "ismcts:endgame=8,endgame_worlds=1000000",
        "ensemble:trees=10000,simulations=1000000000",
        "ensemble:simulations=300000",
        "ismcts:worlds=20000",
    ],
)
def test_agents_that_read_files_see_all_or_cost_too_much_are_refused(door: Door, agent: str) -> None:
    game = "magic" if agent.startswith("ensemble") else "cheat" if agent.startswith("pmga") else "hearts"
    before = len(door.get("tables").json())
    assert problem(door.post("tables", {"game": game, "seats": [{"agent": agent}]}))[0] == 422
    assert len(door.get("tables").json()) == before


# --- Where requests come from -----------------------------------------------------------------------------------------


def test_pages_of_other_origins_are_refused(door: Door) -> None:
    own = door.url
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "http://[", "", "file://"):
        answer = door.http.post("/api/tables", json={"game": "bisca"}, headers={"Origin": origin})
        assert problem(answer) == (403, "wrong_origin"), origin
        id = door.table("bisca", None)
        with pytest.raises(InvalidStatus):
            connect(f"ws{own.removeprefix('http')}/api/tables/{id}/live", origin=Origin(origin))
    assert door.http.post("/api/tables", json={"game": "bisca"}, headers={"Origin": own}).status_code == 201


def test_names_that_others_could_have_made_point_here_are_refused(door: Door) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "evil.example:8000", "[", "[::1", "", "192.168.0.1"):
        answer = door.http.get("/api/health", headers={"Host": host})
        assert answer.status_code in (400, 421), host
    for host in ("localhost", "127.0.0.1:8000", "[::1]:80"):
        assert door.http.get("/api/health", headers={"Host": host}).status_code == 200


def test_a_name_that_a_spreadsheet_takes_for_a_formula_is_refused(door: Door) -> None:
    id = door.table("bisca", None, "random")
    for name in ("=cmd|'x'!A1", "+1", "-1", "@SUM(A1)", " =1"):
        assert problem(door.post(f"tables/{id}/seats", {"name": name})) == (422, "bad_option"), name
    assert door.sit(id, "Ana = 1")[0] == 0


def test_where_others_reach_the_server_some_things_are_the_administrators(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"loopback": False, "admin_hash": hash_of("the admin's")}
    assert ServerSettings(**settings).admin_hash
    with served(tmp_path / "store.sqlite", **settings) as server, Door(server.url) as door:
        wish = {"game": "bisca", "entrants": [{"agent": "random"}, {"open": True}], "deals": 1}
        for path, body in (("competitions", wish), ("records", {})):
            assert problem(door.post(path, body)) == (401, "unauthorized")
            assert problem(door.post(path, body, "another")) == (403, "forbidden")
        made = door.post("competitions", wish, "the admin's")
        assert made.status_code == 201
        entered = door.post(f"competitions/{made.json()['id']}/entrants", {"name": "bot"})
        assert entered.status_code == 201
        assert problem(door.post("competitions", wish, entered.json()["token"])) == (403, "forbidden")


def test_answers_forbid_what_a_page_should_not_do(door: Door) -> None:
    headers = httpx.get(f"{door.url}/api/health", timeout=WAITS, headers=bearer(None)).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers
