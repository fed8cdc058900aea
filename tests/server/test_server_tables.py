"""Tables over requests and sockets: whole games of every game, who may do what, and how each refusal is told."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import facedown as fd
from facedown.arena.supervise import forfeit_scores
from facedown.games import load
from serving import Served, served
from sitting import WAITS, Door, Live, problem, some

GAMES = {"hearts:passing=left": 4, "hearts32": 4, "sueca": 4, "bisca": 2, "cheat": 2, "magic": 2}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("tables") / "store.sqlite") as server:
        yield server


@pytest.fixture
def door(server: Served) -> Iterator[Door]:
    with Door(server.url) as door:
        yield door


def wait_over(door: Door, id: str) -> dict[str, Any]:
    end = time.monotonic() + WAITS
    while (facts := door.facts(id))["status"] != "over":
        assert time.monotonic() < end, facts
        time.sleep(0.01)
    return facts


def played(door: Door, id: str) -> fd.GameRecord:
    """The record of a table whose game is over."""
    number = wait_over(door, id)["record"]
    return fd.GameRecord.from_json(door.get(f"records/{number}").text)


# --- Whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seats"), GAMES.items())
def test_a_whole_game_is_played_by_requests_alone(door: Door, game: str, seats: int) -> None:
    id, tokens = door.full_table(game, seats, seed=5)
    count = door.play(id, tokens)
    facts = wait_over(door, id)
    record = played(door, id)
    assert (facts["moves"], facts["to_move"], facts["seed"]) == (count, None, 5)
    assert record.agents == [f"player {seat}" for seat in range(seats)]
    assert record.replay().scores == record.scores == facts["scores"] == door.view(id)["scores"]


@pytest.mark.parametrize(("game", "seats"), GAMES.items())
def test_a_whole_game_is_played_over_sockets(door: Door, game: str, seats: int) -> None:
    id, tokens = door.full_table(game, seats, seed=6)
    ends: dict[int, tuple[Live, dict[str, Any]]] = {}

    def play(seat: int) -> None:
        with door.live(f"tables/{id}", tokens[seat]) as live:
            ends[seat] = live, live.play()

    threads = [threading.Thread(target=play, args=(seat,)) for seat in range(seats)]
    with door.live(f"tables/{id}") as spectator:
        for thread in threads:
            thread.start()
        over = spectator.until("over")
    for thread in threads:
        thread.join(WAITS)
    record = played(door, id)
    moves = [event["moves"] for event in spectator.heard if event["event"] == "move"]
    first = spectator.heard[0]["moves"]
    assert moves == [*range(first + 1, len(record.actions) + 1)]
    assert over["scores"] == record.scores
    assert all(end["outcome"] == over["outcome"] for _, end in ends.values())


def test_the_same_choices_give_the_same_game_as_in_the_library(door: Door) -> None:
    id, tokens = door.full_table("sueca", 4, seed=11)
    door.play(id, tokens)
    state = load("sueca").deal(11)
    while state.seat is not None:
        texts = state.game.texts(state.view(state.seat).legal)
        state.play(some(texts, state.actions_played))
    assert played(door, id).actions == state.game.texts([action for _, action in state.history])


# --- From waiting to over ---------------------------------------------------------------------------------------------


def test_play_begins_when_all_seats_are_taken(door: Door) -> None:
    id = door.table("bisca", None, None, name="  my   table ")
    facts = door.facts(id)
    assert (facts["status"], facts["to_move"], facts["name"]) == ("waiting", None, "my table")
    seat, token = door.sit(id, "Ana")
    assert (seat, door.facts(id)["status"], door.view(id, token)["legal"]) == (0, "waiting", [])
    assert problem(door.move(id, token, "AS")) == (409, "waiting")
    door.sit(id, "Rui")
    assert (door.facts(id)["status"], door.facts(id)["to_move"]) == ("playing", 0)
    assert [seat["name"] for seat in door.facts(id)["seats"]] == ["Ana", "Rui"]
    assert problem(door.post(f"tables/{id}/seats", {"name": "Eva"})) == (409, "seat_taken")


def test_seats_that_are_not_mentioned_are_the_opponent(door: Door) -> None:
    id = door.table("hearts32", None)
    assert [seat["kind"] for seat in door.facts(id)["seats"]] == ["open", "agent", "agent", "agent"]
    assert door.facts(id)["seats"][1]["name"] == "ismcts"


def test_an_agent_that_cannot_play_a_game_gets_no_seat_and_is_not_listed_for_it(door: Door) -> None:
    assert problem(door.post("tables", {"game": "hearts32", "seats": [{"agent": "mga"}]})) == (422, "missing_answer")
    plays = {one["name"]: one["plays"] for one in door.get("agents").json()}
    assert plays["mga"] == ["cheat"]
    assert "hearts32" in plays["ismcts-t"]
    assert plays["ismcts"] == []  # all


def test_a_person_plays_against_agents(door: Door) -> None:
    id = door.table("hearts32", None, "random", "easy", "random", seed=3)
    _, token = door.sit(id, "Ana")
    with door.live(f"tables/{id}", token) as live:
        assert live.play()["event"] == "over"
    assert played(door, id).agents == ["Ana", "random", "easy", "random"]


def test_a_hint_is_what_the_best_would_do(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2, seed=1)
    answer = door.ok(door.post(f"tables/{id}/hint", {"seconds": 0.05}, tokens[0]))
    assert answer["action"] in door.view(id, tokens[0])["legal"]
    assert answer["decision"]
    assert problem(door.post(f"tables/{id}/hint", {"seconds": 0.05}, tokens[1])) == (409, "not_your_turn")
    assert problem(door.post(f"tables/{id}/hint")) == (401, "unauthorized")
    without, others = door.full_table("bisca", 2, hints=False)
    assert problem(door.post(f"tables/{without}/hint", None, others[0])) == (403, "no_hints")


def test_a_rematch_moves_all_one_seat_on_and_takes_the_same_tokens(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    assert problem(door.post(f"tables/{id}/rematch", None, tokens[0])) == (409, "not_over")
    door.play(id, tokens)
    wait_over(door, id)
    assert problem(door.post(f"tables/{id}/rematch")) == (401, "unauthorized")
    again = door.post(f"tables/{id}/rematch", None, tokens[0])
    assert again.status_code == 201
    assert door.post(f"tables/{id}/rematch", None, tokens[1]).json()["id"] == again.json()["id"]
    assert door.facts(id)["rematch"] == again.json()["id"]
    assert [seat["name"] for seat in again.json()["seats"]] == ["player 1", "player 0"]
    assert door.view(again.json()["id"], tokens[1])["seat"] == 0


def test_a_late_socket_gets_what_it_has_missed(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    door.play(id, tokens, most=5)
    with door.live(f"tables/{id}", tokens[1], since=2) as live:
        assert live.next()["event"] == "view"
        assert [live.next()["moves"] for _ in range(3)] == [3, 4, 5]
    with door.live(f"tables/{id}", since=0) as spectator:
        view = spectator.next()
        told = [spectator.next() for _ in range(5)]
        assert [[event["seat"], event["action"]] for event in told] == view["history"]


def test_a_socket_may_ask_for_whole_views(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2)
    with door.live(f"tables/{id}", tokens[0], views=True) as live:
        live.until("your_turn")
        door.play(id, tokens, most=1)
        live.until("move")
        view = live.next()
        assert view.pop("event") == "view"
        assert view == door.view(id, tokens[0])


# --- Clocks -----------------------------------------------------------------------------------------------------------


def test_who_takes_too_long_for_an_action_forfeits_as_in_tournaments(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2, move_seconds=0.2)
    with door.live(f"tables/{id}", tokens[0]) as live:
        assert 0 < live.until("your_turn")["seconds_left"] <= 0.2
        over = live.until("over")
    record = played(door, id)
    assert record.forfeit is not None
    assert record.forfeit["seat"] == 0
    assert record.forfeit["reason"] == "took longer than 0.2 s for an action"
    assert record.scores == over["scores"] == forfeit_scores(load("bisca").deal(0), 0)
    view = door.view(id, tokens[1])
    assert (view["over"], view["legal"], view["outcome"]) == (True, [], over["outcome"])


def test_who_takes_too_long_for_all_its_actions_forfeits(door: Door) -> None:
    id, tokens = door.full_table("bisca", 2, game_seconds=0.4)
    door.play(id, tokens, most=2)
    facts = wait_over(door, id)
    record = played(door, id)
    assert record.forfeit is not None
    assert record.forfeit["reason"] == "took longer than 0.4 s for all its actions"
    assert facts["moves"] == 2
    assert record.replay().actions_played == 2
