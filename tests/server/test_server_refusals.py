"""Refusals of tables: each has its status, its code and one line, and changes nothing."""

import time
from collections.abc import Iterator

import pytest

from serving import Served, served
from sitting import Door, problem


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("refusals") / "store.sqlite") as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


def test_each_refusal_of_a_move_has_its_status_and_code(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2, seed=2)
    legal = door.view(id, tokens[0])["legal"]
    other = door.view(id, tokens[1])["facts"]
    before = door.view(id, tokens[0])
    assert problem(door.move(id, None, legal[0], 0)) == (401, "unauthorized")
    assert problem(door.move(id, "x" * 43, legal[0], 0)) == (403, "forbidden")
    assert problem(door.move(id, tokens[1], legal[0], 0)) == (409, "not_your_turn")
    assert problem(door.move(id, tokens[0], legal[0], 1)) == (409, "stale")
    assert problem(door.move(id, tokens[0], "nonsense", 0)) == (422, "illegal_move")
    not_held = next(card for card in ("AS", "AH", "AD", "AC", "7S", "7H", "7D", "7C", "KS") if card not in legal)
    refused = door.move(id, tokens[0], not_held, 0)
    assert problem(refused) == (422, "illegal_move")
    assert not_held in refused.json()["error"]["message"]
    assert problem(door.move("no-such-table", tokens[0], legal[0])) == (404, "not_found")
    assert problem(door.post(f"tables/{id}/moves", {"action": 3}, tokens[0])) == (422, "bad_request")
    assert problem(door.post(f"tables/{id}/moves", {"action": legal[0], "more": 1}, tokens[0])) == (422, "bad_request")
    assert problem(door.post(f"tables/{id}/moves", {"action": legal[0], "moves": "0"}, tokens[0])) == (422, "bad_request")
    assert (door.view(id, tokens[0]), door.view(id, tokens[1])["facts"]) == (before, other)


def test_the_same_move_sent_twice_counts_once(door: Door) -> None:
    for game, seats in (("bisca", 2), ("hearts", 4), ("cheat", 2), ("magic", 2)):
        id, tokens = door.full_table(game, seats, seed=4)
        for _ in range(9):
            mover = door.facts(id)["to_move"]
            view = door.view(id, tokens[mover])
            action, moves = view["legal"][-1], view["moves"]
            for _ in range(3):
                assert door.move(id, tokens[mover], action, moves).json() == {"moves": moves + 1}
            assert door.facts(id)["moves"] == moves + 1


def test_the_last_move_sent_twice_counts_once_though_the_game_is_over(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    last: list[tuple[str, str, int]] = []

    def remember(legal: list[str], moves: int) -> str:
        last.append((tokens[door.facts(id)["to_move"]], legal[0], moves))
        return legal[0]

    door.play(id, tokens, choice=remember)  # type: ignore[arg-type]
    token, action, moves = last[-1]
    for _ in range(2):
        assert door.move(id, token, action, moves).json() == {"moves": moves + 1}
        while door.facts(id)["status"] != "over":
            time.sleep(0.01)
    assert problem(door.move(id, token, "2H" if action != "2H" else "3H", moves)) == (409, "over")


def test_tables_are_refused_with_a_reason(door: Door) -> None:
    wishes = [
        ({"game": "chess"}, "unknown_name"),
        ({"game": "hearts:passing=up"}, "bad_option"),
        ({"game": "bisca", "seats": [{"open": True}] * 3}, "bad_option"),
        ({"game": "bisca", "seats": [{"open": True, "agent": "random"}]}, "bad_option"),
        ({"game": "bisca", "seats": [{"agent": "nobody"}]}, "unknown_name"),
        ({"game": "bisca", "move_seconds": 0}, "bad_request"),
        ({"game": "bisca", "seed": -1}, "bad_request"),
        ({"game": "bisca", "seed": 1 << 62}, "bad_request"),
        ({"game": "bisca", "name": "a\u0007b"}, "bad_option"),
        ({"game": "x" * 301}, "bad_request"),
        ({}, "bad_request"),
        ([], "bad_request"),
    ]
    before = door.get("tables").json()
    for wish, code in wishes:
        assert problem(door.post("tables", wish)) == (422, code), wish
    assert door.get("tables").json() == before


def test_names_are_one_line_and_nobody_is_called_like_an_agent(door: Door) -> None:
    id = door.table("bisca", None, "random")
    for name in ("random", "ismcts:iterations=5", "human", "a/b", "", "  ", "a\nb\u0000", "x" * 41, "\u202eabc", "\ud800"):
        answer = door.post(f"tables/{id}/seats", {"name": name})
        assert problem(answer)[0] == 422, name
    assert problem(door.post(f"tables/{id}/seats", {"name": "Ana", "seat": 1})) == (409, "seat_taken")
    assert problem(door.post(f"tables/{id}/seats", {"name": "Ana", "seat": 64})) == (422, "bad_request")
    assert door.sit(id, "Ana")[0] == 0


def test_what_is_not_there_is_told_in_the_same_form(door: Door) -> None:
    for path in ("nothing", "tables/none", "tables/none/view", "competitions/none", "records/99999"):
        assert problem(door.get(path)) == (404, "not_found")
    assert problem(door.get("records/0")) == (422, "bad_request")
    assert problem(door.http.delete("/api/tables")) == (405, "method_not_allowed")
    assert problem(door.http.post("/api/tables", content=b"{")) == (422, "bad_request")
    assert problem(door.http.post("/api/tables", content=b"\xff\xfe")) in ((400, "bad_request"), (422, "bad_request"))
