"""A game position by position: the positions are those of the record, and nobody is shown what they could not see."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.games import load
from facedown.record import GameRecord
from facedown.server.messages import encoded
from facedown.server.steps import step, steps_of_record
from leaks import pairs
from serving import served
from sitting import Door, problem

GAMES = ["hearts", "hearts32:passing=right", "sueca", "bisca", "cheat", "magic"]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with served(tmp_path_factory.mktemp("steps") / "store.sqlite") as server, Door(server.url) as door:
        yield door


def data_of(record: GameRecord) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(record.to_json())
    return data


@pytest.mark.parametrize("seat", [None, 2, -1])
def test_each_step_is_the_position_after_so_many_actions(door: Door, seat: int | None) -> None:
    record = fd.play("hearts:passing=left", ["random"] * 4, seed=3)
    told = door.ok(door.post("steps", {"record": data_of(record), "seat": seat}))
    assert len(told["steps"]) == len(record.history) + 1
    for number, (state, found) in enumerate(zip(record.steps(), told["steps"], strict=True)):
        seen = state if seat is None else state.view(fd.SPECTATOR if seat == -1 else seat)
        assert (found["moves"], found["to_move"], found["deal"]) == (number, state.seat, 1)
        assert found["table"] == json.loads(json.dumps(seen.table))
        assert found["position"] == seen.position
        played = [seen.history[-1][0], seen.game.text(seen.history[-1][1])] if number else None
        assert (played and {"seat": played[0], "action": played[1]}) == found["played"]
    assert told["outcome"]["words"] == record.replay().outcome.words  # type: ignore[union-attr]
    assert (told["scores"], told["lower_is_better"], told["ending"]) == (record.scores, True, None)
    assert told["seed"] == (3 if seat is None else None)


def test_whether_there_was_a_choice_is_told_to_who_can_know_it(door: Door) -> None:
    record = fd.play("sueca", ["random"] * 4, seed=3)
    choices = [len(state.legal) > 1 for state in record.steps()]
    movers = [state.seat for state in record.steps()]
    whole = door.ok(door.post("steps", {"record": data_of(record)}))
    assert [step["choice"] for step in whole["steps"]] == choices
    own = door.ok(door.post("steps", {"record": data_of(record), "seat": 1}))
    expected = [choice if mover in (1, None) else None for choice, mover in zip(choices, movers, strict=True)]
    assert [step["choice"] for step in own["steps"]] == expected


@pytest.mark.parametrize("name", GAMES)
def test_a_step_is_the_same_whatever_is_hidden_from_who_looks(name: str) -> None:
    compared = 0
    for pair in islice(pairs(load(name), range(1000), 4), 20):
        for viewer in (pair.seat, fd.SPECTATOR):
            assert encoded(step(pair.one, viewer)) == encoded(step(pair.two, viewer))
            compared += 1
        assert encoded(step(pair.one, None)) != encoded(step(pair.two, None))
    assert compared > 20


def test_deals_of_a_match_are_counted(door: Door) -> None:
    record = fd.play("sueca:match=2", ["random"] * 4, seed=1)
    told = door.ok(door.post("steps", {"record": data_of(record), "seat": 0}))
    assert [step["deal"] for step in told["steps"]] == [state.deals for state in record.steps()]
    assert told["steps"][-1]["deal"] > 1


def forfeited(record: GameRecord, moves: int) -> GameRecord:
    """The same game, given up by the seat whose turn it is, who has held the cards that the reason names."""
    seat = record.history[moves][0]
    worst, best = load(record.game).forfeit_scores
    scores = [worst if side == seat else best for side in range(2)]
    forfeit = {"seat": seat, "reason": "AS is not legal; expected one of KH QD", "traceback": None}
    return replace(record, history=record.history[:moves], actions=record.actions[:moves], scores=scores, forfeit=forfeit)


def test_why_a_game_was_forfeited_is_told_to_who_may_know_its_cards(door: Door) -> None:
    record = forfeited(fd.play("bisca", ["random"] * 2, seed=1), 7)
    assert record.forfeit is not None
    loser = record.forfeit["seat"]
    for seat in (None, 0, 1, -1):
        told = door.post("steps", {"record": data_of(record), "seat": seat})
        assert told.json()["outcome"]["reason"] == "forfeit"
        assert told.json()["ending"].startswith(f"seat {loser} random forfeited")
        assert ("KH QD" in told.text) == (seat in (None, loser))


@pytest.mark.parametrize("seat", [None, 1])
def test_a_position_is_one_step(door: Door, seat: int | None) -> None:
    state = load("hearts").deal(5)
    told = door.ok(door.post("steps", {"game": "hearts", "position": state.position, "seat": seat}))
    seen = state if seat is None else state.view(seat)
    [only] = told["steps"]
    assert (only["position"], only["table"]) == (seen.position, json.loads(json.dumps(seen.table)))
    assert (told["agents"], told["outcome"], only["played"]) == ([], None, None)


def test_a_view_stays_what_its_seat_sees(door: Door) -> None:
    view = load("hearts").deal(5).view(2)
    told = door.ok(door.post("steps", {"game": "hearts", "position": view.position}))
    assert told["steps"][0]["table"] == json.loads(json.dumps(view.table))
    assert problem(door.post("steps", {"game": "hearts", "position": view.position, "seat": 1})) == (422, "bad_text")


def test_a_record_that_breaks_the_rules_is_not_shown_in_part(door: Door) -> None:
    record = fd.play("bisca", ["random"] * 2, seed=1)
    broken = replace(record, history=[record.history[0], (1, record.history[0][1])], actions=record.actions[:2])
    answer = door.post("steps", {"record": data_of(broken)})
    assert problem(answer) == (422, "bad_text")
    assert "expected one of" in answer.text
    answer = door.post("steps", {"record": data_of(broken), "seat": 0})
    assert problem(answer) == (422, "bad_text")
    assert "expected one of" not in answer.text  # the cards that seat 1 holds
    assert problem(door.post("steps", {"record": data_of(replace(record, scores=[1, 2]))})) == (422, "bad_text")
    assert problem(door.post("steps", {"record": data_of(replace(record, agents=["random"] * 3, scores=[0] * 3))}))[0] == 422
    assert problem(door.post("steps", {"record": 12345})) == (404, "not_found")
    assert problem(door.post("steps", {"game": "bisca"})) == (422, "bad_request")
    assert problem(door.post("steps", {"record": data_of(record), "seat": 9})) == (422, "facedown_error")


def test_a_record_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("facedown.server.steps.MOST_STEPS", 10)
    record = fd.play("bisca", ["random"] * 2, seed=1)
    with pytest.raises(fd.FacedownError, match="at most 10 actions, got 40"):
        steps_of_record(load("bisca"), record, None)


def test_a_record_of_a_running_competition_stays_closed(tmp_path: Path) -> None:
    with served(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        entrants = [{"agent": "random"}, {"open": True}]
        made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 2, "seed": 1}).json()
        token = door.post(f"competitions/{made['id']}/entrants", {"name": "Eva"}).json()["token"]
        with door.live(f"competitions/{made['id']}", token) as live:
            while (event := live.next())["event"] != "over":
                if event["event"] == "your_turn":
                    live.send({"table": event["table"], "action": event["legal"][0], "moves": event["moves"]})
            for path, more in [("steps", {}), ("analyses", {}), ("beliefs", {"moves": 3}), ("trees", {"moves": 3})]:
                assert problem(door.post(path, {"record": event["record"], **more})) == (403, "not_yet")
