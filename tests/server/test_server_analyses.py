"""Analyses over real sockets: who is asked, what is found, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import facedown as fd
from facedown.agents import agent
from facedown.analysis.value import measure
from facedown.games import load
from facedown.record import GameRecord
from facedown.server.asking import ServerSettings
from facedown.server.tokens import hash_of
from serving import Served, served
from sitting import Door, problem

AGENTS = ["ismcts:iterations=40", "easy:iterations=30"]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    folder = tmp_path_factory.mktemp("analyses")
    with served(folder / "store.sqlite", workers=2) as server, Door(server.url) as door:
        yield door


@pytest.fixture(scope="module")
def record() -> GameRecord:
    return fd.play("bisca", AGENTS, seed=6, decisions=True)


def data_of(record: GameRecord) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(record.to_json())
    return data


def analysed(door: Door, **wish: Any) -> dict[str, Any]:
    """An analysis when it is done."""
    begun = door.post("analyses", wish)
    assert begun.status_code == 201, begun.text
    with door.live(f"analyses/{begun.json()['id']}") as live:
        while (event := live.next())["event"] != "analysis_over" and event.get("status") != "done":
            pass
    found = door.ok(door.get(f"analyses/{begun.json()['id']}"))
    assert (found["status"], found["done"]) == ("done", found["total"])
    return found


def test_every_decision_has_what_it_cost_as_could_be_known_and_by_hindsight(door: Door, record: GameRecord) -> None:
    found = analysed(door, record=data_of(record), agent="ismcts:iterations=60", hindsight=True)
    choices = [number for number, state in enumerate(record.steps()) if len(state.legal) > 1]
    assert [one["moves"] for one in found["decisions"]] == choices
    scale = measure(load("bisca"))
    assert found["measure"] == {"unit": "lead", "scale": scale.scale, "zero": scale.zero, "name": ""}
    for one in found["decisions"]:
        best = one["decision"]["candidates"][0]
        assert one["value"] == best["mean"]
        taken = [other["mean"] for other in one["decision"]["candidates"] if other["text"] == one["played"]]
        assert one["regret"] == pytest.approx(max(0.0, best["mean"] - taken[0]))
        assert one["agreed"] == (best["text"] == one["played"])
        assert (one["grade"] == "best") == (one["regret"] == 0.0)
        assert one["identical"] is None
        assert 0 <= one["hindsight"]["value"] <= 1
    late = [one["hindsight"]["exact"] for one in found["decisions"] if one["moves"] > 30]
    assert late
    assert all(late)
    assert not found["decisions"][0]["hindsight"]["exact"]
    for player in found["players"]:
        assert player["result"] == pytest.approx(player["expected"] + player["luck"] - player["regret"])
    assert [player["name"] for player in found["players"]] == ["ismcts", "easy"]


def test_the_recorded_agents_find_the_recorded_decisions_again(door: Door, record: GameRecord) -> None:
    found = analysed(door, record=data_of(record), agent="recorded")
    assert {one["identical"] for one in found["decisions"]} == {True}
    changed = data_of(record)
    spoilt = found["decisions"][4]["moves"]
    changed["decisions"][spoilt]["candidates"][0]["mean"] += 0.001
    again = analysed(door, record=changed, agent="recorded")
    assert [one["moves"] for one in again["decisions"] if not one["identical"]] == [spoilt]


def test_persons_clocks_and_agents_beyond_the_caps_are_not_asked_again(door: Door, record: GameRecord) -> None:
    told = data_of(record)
    for text, reason in [
        ("Ana", "it cannot be made here"),
        ("human", "a person played"),
        ("best:seconds=1", "by the clock"),
    ]:
        told["agents"][1] = text
        found = analysed(door, record=told, agent="recorded")
        by_seat = {(one["seat"], one["identical"]) for one in found["decisions"]}
        assert by_seat == {(0, True), (1, None)}
        assert all(reason in one["decision"]["reason"] for one in found["decisions"] if one["seat"] == 1)
    told["agents"][1] = "ismcts:iterations=9000000"
    found = analysed(
        door, record=told, agent="recorded", moves=[found["decisions"][0]["moves"], found["decisions"][1]["moves"]]
    )
    assert "expected at most 200000 on this server" in str([one["decision"].get("reason") for one in found["decisions"]])


def test_figures_on_another_scale_are_left_out(door: Door, record: GameRecord) -> None:
    told = data_of(record)
    told["agents"], told["decisions"] = ["ismcts:iterations=40", "ismcts:iterations=40,reward=pwl"], None
    found = analysed(door, record=told, agent="recorded", hindsight=True)
    assert {one["regret"] for one in found["decisions"] if one["seat"] == 1} == {None}
    assert None not in {one["value"] for one in found["decisions"] if one["seat"] == 0}


def test_a_seed_changes_what_a_search_finds_and_the_same_one_does_not(door: Door, record: GameRecord) -> None:
    wish = {"record": data_of(record), "agent": "ismcts:iterations=40", "moves": [0, 1]}
    first, same, other = (
        [one["decision"]["candidates"] for one in analysed(door, **wish, seed=seed)["decisions"]] for seed in (1, 1, 2)
    )
    assert first == same != other


def test_only_some_decisions_are_looked_at_if_so_wished(door: Door, record: GameRecord) -> None:
    found = analysed(door, record=data_of(record), agent="ismcts:iterations=40", moves=[5, 6, 1000])
    assert [one["moves"] for one in found["decisions"]] == [5, 6]
    assert {player["luck"] for player in found["players"]} == {None}
    nothing = analysed(door, record=data_of(record), moves=[])
    assert (nothing["total"], nothing["decisions"]) == (0, [])


def test_a_position_is_analysed_and_what_one_seat_sees_of_it(door: Door) -> None:
    state = load("bisca").deal(3)
    whole = analysed(door, game="bisca", position=state.position, agent="ismcts:iterations=40", hindsight=True)
    seen = analysed(door, game="bisca", position=state.view(0).position, agent="ismcts:iterations=40")
    assert whole["decisions"][0]["decision"]["candidates"] == seen["decisions"][0]["decision"]["candidates"]
    assert whole["decisions"][0]["hindsight"]["best"] in load("bisca").texts(state.legal)
    assert (whole["players"], seen["decisions"][0]["hindsight"]) == (None, None)
    refused = door.post("analyses", {"game": "bisca", "position": state.view(0).position, "hindsight": True})
    assert problem(refused) == (422, "bad_request")


def test_what_cannot_be_analysed_is_refused(door: Door, record: GameRecord) -> None:
    told = data_of(record)
    for wish, code in [
        ({"record": told, "agent": "uct"}, "bad_option"),  # which sees all cards
        ({"record": told, "agent": "nobody"}, "unknown_name"),
        ({"record": told, "agent": "ismcts:iterations=9000000"}, "bad_option"),
        ({"record": {**told, "scores": [1, 2]}}, "bad_text"),
        ({"record": {**told, "history": [[0, 1]] * len(told["history"])}}, "bad_text"),
        ({"game": "bisca", "position": load("bisca").deal(1).position, "agent": "recorded"}, "bad_request"),
        ({"game": "bisca"}, "bad_request"),
        ({"record": told, "moves": [-1]}, "bad_request"),
    ]:
        assert problem(door.post("analyses", wish)) == (422, code), wish


def test_a_search_is_the_administrators_where_others_can_reach_the_server(tmp_path: Any, record: GameRecord) -> None:
    settings = ServerSettings(tmp_path / "s.sqlite", loopback=False, admin_hash=hash_of("secret"), on="threads", workers=1)
    server = Served(settings)
    server.start()
    try:
        with Door(server.url) as door:
            for path in ("analyses", "beliefs", "trees"):
                wish = {"record": data_of(record), **({} if path == "analyses" else {"moves": 2})}
                assert problem(door.post(path, wish)) == (401, "unauthorized")
                assert problem(door.post(path, wish, "wrong")) == (403, "forbidden")
            assert door.post("beliefs", {"record": data_of(record), "moves": 2}, "secret").status_code == 200
            assert door.post("steps", {"record": data_of(record)}).status_code == 200  # which costs no search
    finally:
        server.stop()


def test_the_regret_of_a_record_is_what_the_agent_itself_says(door: Door, record: GameRecord) -> None:
    [told] = analysed(door, record=data_of(record), agent="ismcts:iterations=80", seed=3, moves=[0])["decisions"]
    searcher, state = agent("ismcts:iterations=80", 3), record.start()
    searcher.choose(state.view(state.seat or 0))
    assert searcher.decision is not None
    expected = [(one.text, one.visits, one.mean) for one in searcher.decision.candidates]
    assert [(one["text"], one["visits"], one["mean"]) for one in told["decision"]["candidates"]] == expected
