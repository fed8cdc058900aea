"""Advice over the server for games played elsewhere, on a real port."""

from collections.abc import Iterator
from typing import Any

import pytest

import facedown as fd
from facedown.advisor import Session
from serving import Served, served
from sitting import Door, problem
from telling import random_game

HAND = ["2C", "5C", "KC", "3D", "9D", "AD", "4S", "QS", "AS", "2H", "6H", "TH", "KH"]
QUICK = {"agent": "ismcts:iterations=50"}
TOLD: dict[str, Any] = {"game": "hearts:passing=hold", "seat": 0, "hand": HAND}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("advice") / "store.sqlite", workers=1) as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


def test_advice_is_for_the_seat_that_tells(door: Door) -> None:
    answer = door.post("advice", {**TOLD, **QUICK}).json()
    assert answer["expects"] == {
        "kind": "action", "words": "your action", "seat": 0, "count": 1, "name": None, "values": [],
    }  # fmt: skip
    assert answer["legal"] == ["2C"] == answer["advice"]["actions"]
    assert answer["view"]["facts"]["hand"] == sorted(HAND, key=fd.load("hearts").parse)
    assert answer["worlds"] == answer["beliefs"]["worlds"] == str(Session(fd.load(TOLD["game"]), 0, HAND).view.worlds())  # type: ignore[union-attr]


def test_what_others_may_do_is_told_and_no_advice(door: Door) -> None:
    answer = door.post("advice", {**TOLD, "entries": ["2C AC 9C 8C", "3C"]}).json()
    assert (answer["to_move"], answer["advice"], answer["legal"]) == (2, None, [])
    assert "4C" in answer["possible"]
    assert "KC" not in answer["possible"]
    assert "3H" in answer["possible"]
    assert answer["played"][:2] == [[0, "2C"], [1, "AC"]]


def test_a_set_of_cards_to_pass_is_advised_at_once(door: Door) -> None:
    answer = door.post("advice", {**TOLD, "game": "hearts", "seconds": 0.1}).json()
    assert len(answer["advice"]["actions"]) == 3
    passed = door.post("advice", {**TOLD, "game": "hearts", "entries": ["QS AS KH"], **QUICK}).json()
    assert (passed["expects"]["kind"], passed["expects"]["count"]) == ("cards", 3)
    assert passed["advice"] is None
    assert passed["to_move"] is None


def test_what_cannot_be_is_refused_with_its_place(door: Door) -> None:
    refused = door.post("advice", {**TOLD, "entries": ["2C AC 9C 8C", "8C"]})
    assert refused.status_code == 422
    assert refused.json() == {
        "error": {"code": "impossible_entry", "message": "8C was played by seat 3 in trick 1", "entry": 1}
    }
    twice = door.post("advice", {**TOLD, "hand": ["2C", "2C", *HAND[2:]]})
    assert twice.json() == {"error": {"code": "impossible_entry", "message": "2C is twice in the hand"}}
    for wish in (
        {**TOLD, "seat": 4},
        {**TOLD, "start": {"nothing": 1}},
        {**TOLD, "start": {"totals": [1, 2]}},
        {**TOLD, "entries": ["x" * 301]},
        {**TOLD, "seconds": 11},
        {**TOLD, "agent": "uct"},
        {**TOLD, "agent": "ismcts:iterations=900000"},
        {**TOLD, "game": "/etc/passwd:GAME"},
        {"game": "hearts", "more": 1},
    ):
        assert problem(door.post("advice", wish))[0] == 422, wish


def test_what_is_missing_is_asked_for(door: Door) -> None:
    assert door.post("advice", {"game": "bisca", "seat": 1}).json()["expects"]["kind"] == "hand"
    hand = ["2C", "3C", "4C", "5C", "6C", "QC", "JC", "KC", "7C"]
    asked = door.post("advice", {"game": "bisca", "seat": 1, "hand": hand}).json()["expects"]
    assert (asked["kind"], asked["name"]) == ("fact", "shown")
    given = door.post("advice", {"game": "bisca", "seat": 1, "hand": hand, "start": {"shown": "AS"}}).json()
    assert given["expects"]["words"] == "an action of seat 0"


@pytest.mark.parametrize("text", ["magic", "cheat"])
def test_a_told_game_has_the_view_of_the_real_one(door: Door, text: str) -> None:
    game = fd.load(text)
    seen = random_game(game, 0, 1)
    session, count = Session(game, 0, seen.views[0].hands[0]), min(12, len(seen.views) - 2)
    while session.view is None or len(session.view.history) < count:
        session.tell(seen.answer(session))
    wish = {"game": text, "seat": 0, "hand": seen.views[0].hands[0], "entries": session.entries, "agent": "random"}
    answer = door.post("advice", wish).json()
    assert answer["view"]["position"] == seen.views[count].position
    assert answer["worlds"] == str(seen.views[count].worlds())


def test_beliefs_and_trees_take_told_games(door: Door) -> None:
    entries = ["2C AC 9C 8C", "3C 4C 6C"]
    beliefs = door.post("beliefs", {**TOLD, "entries": entries}).json()
    view = Session(fd.load(TOLD["game"]), 0, HAND)
    view.tell(*entries)
    assert view.view is not None
    assert beliefs["cards"] == view.view.beliefs()
    tree = door.post("trees", {**TOLD, "entries": entries, "agent": "ismcts:iterations=50"})
    assert tree.status_code == 201
    assert tree.json()["seat"] == 0
    refused = door.post("beliefs", {**TOLD, "entries": ["2C", "2C"]}).json()["error"]
    assert (refused["code"], refused["entry"]) == ("impossible_entry", 1)
    assert problem(door.post("beliefs", {**TOLD, "game": "hearts", "entries": ["QS AS KH"]})) == (422, "bad_text")


def test_advice_is_the_administrators_where_others_can_reach_the_server(tmp_path: Any) -> None:
    with served(tmp_path / "store.sqlite", loopback=False, admin_hash="0" * 64) as server, Door(server.url) as door:
        assert problem(door.post("advice", TOLD)) == (401, "unauthorized")
