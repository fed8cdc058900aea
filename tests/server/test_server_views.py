"""Beliefs, trees and hints over real sockets: they say what the library says of the view, and nothing of what is hidden."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pytest

import facedown as fd
from facedown.agents import agent
from facedown.games import load
from leaks import pairs
from serving import Served, served
from sitting import Door, problem


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("views") / "store.sqlite") as server:
        yield server


@pytest.fixture(scope="module")
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


def data_of(record: fd.GameRecord) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(record.to_json())
    return data


def state_after(record: fd.GameRecord, moves: int) -> fd.State:
    return next(islice(record.steps(), moves, None)).copy()


# --- Beliefs ----------------------------------------------------------------------------------------------------------


def test_beliefs_are_those_of_the_view(door: Door) -> None:
    record = fd.play("hearts:passing=left", ["random"] * 4, seed=3)
    view = state_after(record, 30).view(2)
    wish = {"record": data_of(record), "moves": 30, "seat": 2, "inference": "policy"}
    told = door.ok(door.post("beliefs", wish))
    assert int(told["worlds"]) == view.worlds()
    assert (told["cards"], told["inferred"]) == (view.beliefs(), view.beliefs("policy"))
    assert (told["seats"], told["seat"]) == (4, 2)
    assert door.ok(door.post("beliefs", {**wish, "inference": "none"}))["inferred"] is None


def test_by_default_the_seat_to_move_looks(door: Door) -> None:
    record = fd.play("sueca", ["random"] * 4, seed=3)
    assert door.ok(door.post("beliefs", {"record": data_of(record), "moves": 9}))["seat"] == state_after(record, 9).seat
    assert problem(door.post("beliefs", {"record": data_of(record)})) == (422, "bad_text")  # nobody is to move at the end


def test_a_game_without_a_policy_has_no_inferred_beliefs(door: Door) -> None:
    wish = {"game": "cheat", "position": load("cheat").deal(1).position, "inference": "policy"}
    told = door.ok(door.post("beliefs", wish))
    assert told["inferred"] is None
    assert told["cards"] == load("cheat").deal(1).view(load("cheat").deal(1).seat or 0).beliefs()


def test_where_cards_look_alike_there_are_no_beliefs(door: Door) -> None:
    assert problem(door.post("beliefs", {"game": "magic", "position": load("magic").deal(1).position})) == (
        422,
        "no_beliefs",
    )


def test_a_source_is_one_of_three(door: Door) -> None:
    record, position = data_of(fd.play("bisca", ["random"] * 2, seed=1)), load("bisca").deal(1).position
    for source in [{}, {"record": record, "position": position}, {"position": position}, {"game": "bisca"}]:
        assert problem(door.post("beliefs", source)) == (422, "bad_request")
    for source in [{"record": record, "moves": 41}, {"record": record, "moves": 3, "seat": 2}]:
        assert problem(door.post("beliefs", source))[0] == 422
    view = load("bisca").deal(1).view(1).position
    assert door.ok(door.post("beliefs", {"game": "bisca", "position": view}))["seat"] == 1
    assert problem(door.post("beliefs", {"game": "bisca", "position": view, "seat": 0})) == (422, "bad_text")
    assert problem(door.post("beliefs", {"table": "none"})) == (404, "not_found")


# --- Trees ------------------------------------------------------------------------------------------------------------


def whole(door: Door, id: str, node: int = 0) -> list[Any]:
    """A tree as it is loaded, some children at a time."""
    found: list[Any] = []
    while True:
        told = door.ok(door.get(f"trees/{id}?node={node}&start={len(found)}&limit=4"))
        found += told["children"]
        if not told["more"]:
            return found


def test_a_tree_is_that_of_the_agent_part_by_part(door: Door) -> None:
    state = load("sueca").deal(4)
    searcher = agent("ismcts:iterations=300", 5)
    searcher.choose(state.view(state.seat or 0))
    assert searcher.decision is not None
    wish = {"game": "sueca", "position": state.position, "agent": "ismcts:iterations=300", "seed": 5}
    told = door.post("trees", wish)
    assert told.status_code == 201
    grown = told.json()
    assert (grown["iterations"], grown["nodes"], grown["kept"]) == (300, 301, 301)
    assert (grown["root"]["node"], grown["root"]["visits"], grown["line"]) == (0, 300, searcher.decision.line)

    def compare(node: int, tree: dict[str, Any]) -> None:
        children = whole(door, grown["id"], node)
        for one, branch in zip(children, tree["children"], strict=bool(tree["children"])):
            assert [one["text"], one["seat"], one["visits"], one["available"], one["children"] > 0] == [
                branch["text"],
                branch["seat"],
                branch["visits"],
                branch["available"],
                bool(branch["children"]) or one["children"] > 0,
            ]
            assert one["mean"] == pytest.approx(branch["mean"])
        for one, branch in list(zip(children, tree["children"], strict=False))[:2]:
            compare(one["node"], branch)

    compare(0, searcher.decision.tree(3))


def test_what_has_no_tree_is_refused(door: Door) -> None:
    position = load("bisca").deal(1).position
    assert problem(door.post("trees", {"game": "bisca", "position": position, "agent": "random"})) == (422, "no_tree")
    assert problem(door.post("trees", {"game": "bisca", "position": position, "agent": "uct"})) == (422, "bad_option")
    assert problem(door.post("trees", {"game": "bisca", "position": position, "seat": 1})) == (409, "not_your_turn")
    assert problem(door.get("trees/none")) == (404, "not_found")


def test_a_node_that_is_not_there_is_refused_and_the_oldest_trees_are_forgotten(door: Door) -> None:
    wish = {"game": "bisca", "position": load("bisca").deal(1).position, "agent": "ismcts:iterations=5"}
    ids = [door.post("trees", wish).json()["id"] for _ in range(21)]
    assert problem(door.get(f"trees/{ids[-1]}?node=99999")) == (404, "not_found")
    assert problem(door.get(f"trees/{ids[0]}")) == (404, "not_found")
    assert door.get(f"trees/{ids[1]}").status_code == 200


# --- At a table -------------------------------------------------------------------------------------------------------


def compile_before(state: fd.State) -> None:
    """Compile what is asked for in this process, where the server's thinkers are too: a request waits for so long only."""
    view = state.view(state.seat or 0)
    agent("ismcts:iterations=2").choose(view)
    view.beliefs()
    with suppress(fd.FacedownError):  # where there is no policy
        view.beliefs("policy")


def at_table(door: Door, server: Served, state: fd.State, **wish: Any) -> tuple[str, list[str]]:
    """A table with a position, and the tokens of its seats."""
    id, tokens = door.full_table(state.game.full_name, state.game.seats, seed=1, **wish)
    table = server.app.state.hall.tables[id]
    table.state = state.copy()
    table._views.clear()
    return id, tokens


def timeless(text: str, *ids: str) -> Any:
    """An answer without what differs every time."""
    for id in ids:
        text = text.replace(id, "same")
    data = json.loads(text)
    data.get("decision", {}).pop("seconds", None)
    data.pop("id", None)
    return data


@pytest.mark.parametrize("name", ["hearts", "sueca", "cheat"])
def test_a_seat_is_told_the_same_of_beliefs_and_trees_whatever_is_hidden_from_it(
    door: Door, server: Served, name: str
) -> None:
    pairs_found = (pair for pair in pairs(load(name), range(1000), 3) if not pair.one.over)
    searched = 0
    compile_before(load(name).deal(1))
    for pair in islice(pairs_found, 6):
        told = []
        for state in (pair.one, pair.two):
            id, tokens = at_table(door, server, state)
            beliefs = door.post("beliefs", {"table": id, "inference": "policy"}, tokens[pair.seat])
            tree = door.post("trees", {"table": id, "agent": "ismcts:iterations=40"}, tokens[pair.seat])
            found = [timeless(beliefs.text, id), timeless(tree.text, id)]
            if tree.status_code == 201:
                found.append(door.ok(door.get(f"trees/{tree.json()['id']}")))
                searched += 1
            told.append(found)
        assert told[0] == told[1]
    assert searched


def test_beliefs_and_trees_of_a_table_want_a_seats_token_and_hints(door: Door, server: Served) -> None:
    state = load("bisca").deal(2)
    id, tokens = at_table(door, server, state)
    other = 1 - (state.seat or 0)
    for path in ("beliefs", "trees"):
        assert problem(door.post(path, {"table": id})) == (401, "unauthorized")
        assert problem(door.post(path, {"table": id}, "wrong")) == (403, "forbidden")
    assert problem(door.post("trees", {"table": id}, tokens[other])) == (409, "not_your_turn")
    assert door.ok(door.post("beliefs", {"table": id}, tokens[other]))["cards"] == state.view(other).beliefs()
    closed, tokens = at_table(door, server, state, hints=False)
    for path in ("beliefs", "trees"):
        assert problem(door.post(path, {"table": closed}, tokens[state.seat or 0])) == (403, "no_hints")


def test_a_hint_has_its_measure_reasons_and_risks(door: Door, server: Served) -> None:
    record = fd.play("hearts:passing=hold", ["random"] * 4, seed=3)
    state = next(one.copy() for one in record.steps() if one.actions_played > 20 and len(one.legal) > 2)
    agent("best:iterations=20").choose(state.view(state.seat or 0))  # compiled before, or nothing would be left of the time
    id, tokens = at_table(door, server, state)
    told = door.ok(door.post(f"tables/{id}/hint", {"seconds": 0.5}, tokens[state.seat or 0]))
    assert told["action"] in state.game.texts(state.legal)
    assert told["measure"] == {"unit": "lead", "scale": 52.0, "zero": -26.0, "name": ""}
    assert "points" in told["reasons"]["best"]
    assert told["reasons"]["next"]
    [shares] = told["risks"].values()
    assert list(shares) == [one["text"] for one in told["decision"]["candidates"][:3]]
    assert all(0 <= share <= 1 for share in shares.values())
