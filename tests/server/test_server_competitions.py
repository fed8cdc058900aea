"""Competitions: the games of `facedown tournament`, over one socket for each entrant, and on from where a server stopped."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import facedown as fd
from facedown.arena.schedule import schedule
from facedown.games import load
from facedown.kernel import COMPILED
from facedown.store import query
from serving import served, wait_for
from sitting import Door, problem, some

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.fixture
def door(place: Path) -> Iterator[Door]:
    with served(place) as server, Door(server.url) as door:
        yield door


def create(door: Door, game: str, *entrants: str | None, **wish: Any) -> str:
    told = [{"open": True} if text is None else {"agent": text} for text in entrants]
    answer = door.post("competitions", {"game": game, "entrants": told, **wish})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def enter(door: Door, id: str, name: str, at_once: int = 1) -> str:
    answer = door.post(f"competitions/{id}/entrants", {"name": name, "at_once": at_once})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


def facts_of(door: Door, id: str) -> dict[str, Any]:
    return door.ok(door.get(f"competitions/{id}"))


def wait_over(door: Door, id: str) -> dict[str, Any]:
    wait_for(lambda: facts_of(door, id)["status"] == "over")
    return facts_of(door, id)


def games_of(place: Path, run: str | None = None) -> dict[tuple[int, int], str]:
    rows = query("SELECT name, deal, seating, record FROM games JOIN runs ON runs.id = games.run_id", place).rows
    found = [((deal, seating), line) for name, deal, seating, line in rows if run in (None, name)]
    assert len(dict(found)) == len(found)
    return dict(found)


def compete(door: Door, id: str, token: str, most: int = 1 << 30) -> list[dict[str, Any]]:
    """Play all games of an entrant, or so many actions: all that it heard."""
    with door.live(f"competitions/{id}", token) as live:
        while most > 0 and (event := live.next())["event"] != "competition_over":
            assert event["event"] != "error", event
            if event["event"] == "your_turn":
                most -= 1
                action = some(event["legal"], event["moves"])
                live.send({"table": event["table"], "action": action, "moves": event["moves"]})
        return live.heard


# --- As in tournaments ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "agents", "how"),
    [
        ("hearts32", ["random", "easy:iterations=5"], {"seating": "all"}),
        ("bisca", ["random", "easy:iterations=5", "easy:iterations=2"], {"seating": "rotations"}),
        ("sueca", ["easy:iterations=2", "random", "easy:iterations=3"], {"pairing": "field"}),
        ("cheat", ["random", "cheat-person:style=3"], {}),
        ("magic", ["random", "reduced"], {}),
    ],
)
def test_among_agents_the_records_are_those_of_a_tournament(
    door: Door, place: Path, tmp_path: Path, game: str, agents: list[str], how: dict[str, Any]
) -> None:
    id = create(door, game, *agents, deals=2, seed=17, **how)
    facts = wait_over(door, id)
    other = tmp_path / "other.sqlite"
    fd.tournament(game, agents, deals=2, seed=17, store=other, **how)
    assert games_of(place) == games_of(other)
    assert facts["games"] == facts["games_played"] == len(games_of(other))
    assert facts["seed"] == 17


def test_standings_and_comparisons_have_intervals(door: Door) -> None:
    facts = wait_over(door, create(door, "bisca", "random", "easy:iterations=20", deals=4, seed=1))
    assert [standing["agent"] for standing in facts["standings"]]
    assert "low" in str(facts["standings"][0])
    assert "low" in str(facts["comparisons"][0])


# --- Remote entrants --------------------------------------------------------------------------------------------------


def test_an_entrant_plays_all_its_games_over_one_socket(door: Door, place: Path) -> None:
    id = create(door, "hearts32", None, "random", deals=2, seed=3)
    assert facts_of(door, id)["status"] == "waiting"
    token = enter(door, id, "my bot", at_once=3)
    assert problem(door.post(f"competitions/{id}/entrants", {"name": "late"})) == (409, "full")
    heard = compete(door, id, token)
    under_way: set[str] = set()
    most = 0
    for event in heard:
        if event["event"] == "view":
            under_way.add(event["table"])
        elif event["event"] == "over":
            under_way.discard(event["table"])
        most = max(most, len(under_way))
    assert 2 <= most <= 3
    plan = schedule(load("hearts32"), ["my bot", "random"], 2, 3)
    records = {spot: fd.GameRecord.from_json(line) for spot, line in games_of(place).items()}
    assert set(records) == {*plan.places()}
    for (_, seating), record in records.items():
        assert record.agents == [["my bot", "random"][number] for number in plan.lineups[seating]]
    assert heard[-1]["standings"]


def test_two_entrants_meet_and_one_that_is_too_slow_forfeits(door: Door, place: Path) -> None:
    id = create(door, "bisca", None, None, deals=1, seed=3, move_seconds=0.3)
    tokens = [enter(door, id, name) for name in ("quick", "slow")]
    assert problem(door.post(f"competitions/{id}/entrants", {"name": "quick"}))[0] == 409
    quick = threading.Thread(target=compete, args=(door, id, tokens[0]))
    with door.live(f"competitions/{id}", tokens[1]) as slow:
        quick.start()
        slow.until("competition_over")
    quick.join()
    records = [fd.GameRecord.from_json(line) for line in games_of(place).values()]
    assert len(records) == 2
    for record in records:
        assert record.forfeit is not None
        assert record.agents[record.forfeit["seat"]] == "slow"


def test_an_action_of_either_seat_sent_twice_counts_once(door: Door) -> None:
    id = create(door, "hearts32", None, "random", deals=1, seed=3)
    token = enter(door, id, "bot")
    with door.live(f"competitions/{id}", token) as live:
        seats: set[int] = set()
        while len(seats) < 2:
            turn = live.until("your_turn")
            seats.add(turn["viewer"])
            move = {"table": turn["table"], "action": turn["legal"][0], "moves": turn["moves"]}
            for _ in range(3):
                live.send(move)
        assert not [event for event in live.heard if event["event"] == "error"]
        again = {"action": move["action"], "moves": move["moves"]}
        assert door.post(f"tables/{turn['table']}/moves", again, token).json() == {"moves": turn["moves"] + 1}


def test_nobody_sees_the_games_of_a_competition_before_its_deals_are_played(door: Door) -> None:
    id = create(door, "bisca", None, "random", deals=3, seed=3)
    token = enter(door, id, "bot")
    heard = compete(door, id, token, most=25)
    table = next(event["table"] for event in heard if event["event"] == "view")
    wait_for(lambda: door.facts(table)["record"] is not None)
    record = door.facts(table)["record"]
    assert problem(door.get(f"records/{record}")) == (403, "not_yet")
    assert facts_of(door, id)["seed"] is None
    assert door.facts(table)["seed"] is None
    for other in [table, *facts_of(door, id)["tables"]]:
        assert problem(door.get(f"tables/{other}/view")) == (403, "not_yet")
        with door.live(f"tables/{other}") as live:
            assert live.next()["code"] == "not_yet"
        assert door.view(other, token)["seat"] is not None
    compete(door, id, token)
    assert door.get(f"records/{record}").status_code == 200
    assert door.view(table)["over"]


def test_cheats_at_a_competition_get_nothing(door: Door) -> None:
    id = create(door, "bisca", None, "random", deals=1, seed=3)
    token = enter(door, id, "bot")
    table, tokens = door.full_table("bisca", 2)
    for wrong in (tokens[0], "x"):
        with door.live(f"competitions/{id}", wrong) as live:
            assert live.next()["code"] == "forbidden"
    with door.live(f"competitions/{id}", token) as live:
        turn = live.until("your_turn")
        live.send({"table": table, "action": door.view(table, tokens[0])["legal"][0], "moves": 0})
        assert live.until("error")["code"] == "not_found"
        live.send({"action": turn["legal"][0], "moves": turn["moves"]})
        assert live.until("error")["code"] == "bad_message"
        assert problem(door.post(f"tables/{turn['table']}/hint", None, token)) == (403, "no_hints")
        assert problem(door.post(f"tables/{turn['table']}/seats", {"name": "Eva"})) == (409, "seat_taken")
    with door.live(f"competitions/{id}") as spectator:
        spectator.send({"table": turn["table"], "action": turn["legal"][0], "moves": turn["moves"]})
        assert spectator.until("error")["code"] == "forbidden"
    assert door.facts(table)["moves"] == 0


def test_an_entrant_that_leaves_and_comes_back_goes_on(door: Door, place: Path) -> None:
    id = create(door, "bisca", None, "random", deals=1, seed=3)
    token = enter(door, id, "bot")
    for _ in range(3):
        compete(door, id, token, most=5)
    compete(door, id, token)
    assert len(games_of(place)) == 2
