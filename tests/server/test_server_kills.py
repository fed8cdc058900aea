"""Servers that are killed again and again under load: no accepted move is lost, none is doubled, everybody comes back.

FACEDOWN_FULL=1 kills 100 times.
"""

import json
import os
import random
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import WebSocketException

import facedown as fd
from facedown.kernel import COMPILED
from facedown.store import query
from serving import ServerProcess, wait_for
from sitting import Door, some

pytestmark = pytest.mark.skipif(not COMPILED, reason="these games take minutes when interpreted")

KILLS = 100 if os.environ.get("FACEDOWN_FULL") else 3
LONGEST_LIFE = 0.8  # seconds from a start to the next kill
GONE = (httpx.HTTPError, OSError, WebSocketException, TimeoutError, EOFError)
AGAIN = 0.05  # seconds until somebody tries again


@dataclass
class Told:
    """What a server has said about the actions at its tables: it must stay true for ever."""

    actions: dict[tuple[str, int], str] = field(default_factory=dict)  # by table and number
    tokens: dict[str, str] = field(default_factory=dict)  # one of each table
    entered: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def hears(self, id: str, number: int, action: str) -> None:
        """An action was told or acknowledged: the same as before, if it was told before."""
        with self.lock:
            if self.actions.setdefault((id, number), action) != action:
                self.faults.append(f"table {id}, action {number}: {self.actions[id, number]}, then {action}")

    def check_view(self, id: str, view: dict[str, Any]) -> None:
        """All that was told is in the view."""
        with self.lock:
            known = [number for table, number in self.actions if table == id]
        for number in known:
            if number >= len(view["history"]):
                self.faults.append(f"table {id}: action {number} is lost")
        for number, (_, action) in enumerate(view["history"]):
            self.hears(id, number, action)


def insist(stop: threading.Event, attempt: Callable[[], None], told: Told) -> None:
    """Do something again and again, however often the server goes away."""
    while not stop.is_set():
        try:
            attempt()
        except GONE:
            time.sleep(AGAIN)
        except Finished:
            raise
        except Exception as error:
            told.faults.append(traceback.format_exc() + f"{error}"[:300])
            return


def play_by_requests(url: str, told: Told, stop: threading.Event) -> None:
    """Both seats of one table after another, by requests: each is sent until it is answered."""
    with Door(url) as door:

        def one_table() -> None:
            id, tokens = door.full_table("bisca", 2)
            told.tokens[id] = tokens[0]
            insist(stop, lambda: play(id, tokens), told)

        def play(id: str, tokens: list[str]) -> None:
            while not stop.is_set():
                mover = door.facts(id)["to_move"]
                if mover is None:
                    raise Finished
                view = door.view(id, tokens[mover])
                told.check_view(id, view)
                action = some(view["legal"], view["moves"])
                answer = door.move(id, tokens[mover], action, view["moves"])
                if answer.status_code != 200 or answer.json() != {"moves": view["moves"] + 1}:
                    told.faults.append(f"{id}: {answer.text}")
                told.hears(id, view["moves"], action)

        again(stop, one_table, told)


def play_over_sockets(url: str, told: Told, stop: threading.Event) -> None:
    """One seat against agents, at one table after another, over a socket that comes back."""
    with Door(url) as door:

        def one_table() -> None:
            id = door.table("hearts32", None, "random", "random", "random")
            _, token = door.sit(id, "bot")
            told.tokens[id] = token
            insist(stop, lambda: play(id, token), told)

        def play(id: str, token: str) -> None:
            with door.live(f"tables/{id}", token) as live:
                while not stop.is_set():
                    event = live.next(2.0)
                    if event["event"] == "view":
                        told.check_view(id, event)
                    elif event["event"] == "move":
                        told.hears(id, event["moves"] - 1, event["action"])
                    elif event["event"] == "your_turn":
                        live.send({"action": some(event["legal"], event["moves"]), "moves": event["moves"]})
                    elif event["event"] == "over":
                        raise Finished
                    elif event["event"] == "error":
                        told.faults.append(f"{id}: {event}")

        again(stop, one_table, told)


class Finished(Exception):
    """A game is over."""


def again(stop: threading.Event, one_table: Callable[[], None], told: Told) -> None:
    """One table after another."""
    while not stop.is_set():
        try:
            one_table()
        except (Finished, *GONE):
            time.sleep(AGAIN)
        except AssertionError as error:  # an answer that is none of those expected
            told.faults.append(f"{error}"[:300])
            return


def compete(url: str, id: str, token: str, told: Told, stop: threading.Event) -> None:
    """All games of an entrant over one socket that comes back."""
    with Door(url) as door:

        def play() -> None:
            with door.live(f"competitions/{id}", token) as live:
                while not stop.is_set():
                    event = live.next(2.0)
                    if event["event"] == "view":
                        told.check_view(event["table"], event)
                    elif event["event"] == "move":
                        told.hears(event["table"], event["moves"] - 1, event["action"])
                    elif event["event"] == "your_turn":
                        action = some(event["legal"], event["moves"])
                        live.send({"table": event["table"], "action": action, "moves": event["moves"]})
                    elif event["event"] == "error" and event["code"] != "not_found":  # the game may be over meanwhile
                        told.faults.append(f"competition: {event}")

        insist(stop, play, told)


def new_competition(door: Door, *agents: str, **wish: Any) -> str:
    entrants = [*({"agent": text} for text in agents), *([{"open": True}] if len(agents) < 2 else [])]
    answer = door.post("competitions", {"game": "hearts32", "entrants": entrants, **wish})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_kills_at_any_moment_lose_no_accepted_move_and_double_none(tmp_path: Path) -> None:
    chance, told, stop = random.Random(3), Told(), threading.Event()
    place, deals = tmp_path / "store.sqlite", 4 * KILLS
    with ServerProcess(place) as server, Door(server.url) as door:
        among_agents = new_competition(door, "random", "easy:iterations=1", deals=KILLS, seed=5)
        open_to_all = new_competition(door, "random", deals=deals, seed=6, seating="rotations")
        entered = door.post(f"competitions/{open_to_all}/entrants", {"name": "bot", "at_once": 3}).json()
        players = [play_by_requests, play_by_requests, play_over_sockets, play_over_sockets]
        threads = [threading.Thread(target=one, args=(server.url, told, stop)) for one in players]
        threads.append(threading.Thread(target=compete, args=(server.url, open_to_all, entered["token"], told, stop)))
        for thread in threads:
            thread.start()
        try:
            for _ in range(KILLS):
                time.sleep(chance.uniform(0.0, LONGEST_LIFE))
                server.kill()
                server.start()
            ends = time.monotonic() + 60 + 2 * KILLS
            for id in (among_agents, open_to_all):
                while (facts := door.ok(door.get(f"competitions/{id}")))["status"] != "over":
                    assert time.monotonic() < ends, facts
                    time.sleep(0.2)
        finally:
            stop.set()
            for thread in threads:
                thread.join(30)
            print(*told.faults, sep="\n")
        assert told.faults == []
        for id, token in told.tokens.items():
            told.check_view(id, door.view(id, token))
        assert told.faults == []
    print(f"{KILLS} kills, {len(told.tokens)} tables, {len(told.actions)} actions told, all of them kept")
    check_run(place, among_agents, KILLS * 6)
    check_run(place, open_to_all, deals * 2)
    result = fd.tournament("hearts32", ["random", "easy:iterations=1"], deals=KILLS, seed=5, store=tmp_path / "other.sqlite")
    assert result is not None
    assert games_of(place, f"competition-{among_agents}") == games_of(tmp_path / "other.sqlite", None)


def check_run(place: Path, id: str, games: int) -> None:
    """Every game of a competition is there once."""
    found = games_of(place, f"competition-{id}")
    assert len(found) == games
    assert all(json.loads(record).get("forfeit") is None for record in found.values())


def games_of(place: Path, run: str | None) -> dict[tuple[int, int], str]:
    """The records of a run, or of the only one, by deal and seating."""
    rows = query("SELECT name, deal, seating, record FROM games JOIN runs ON runs.id = games.run_id", place).rows
    found = [((deal, seating), line) for name, deal, seating, line in rows if run in (None, name)]
    assert len(dict(found)) == len(found)
    return dict(found)


def more_told(told: Told, enough: int) -> bool:
    return len(told.actions) >= enough


def test_sigterm_ends_the_server_in_time_and_loses_nothing(tmp_path: Path) -> None:
    told, stop = Told(), threading.Event()
    with ServerProcess(tmp_path / "store.sqlite") as server, Door(server.url) as door:
        threads = [
            threading.Thread(target=one, args=(server.url, told, stop)) for one in (play_by_requests, play_over_sockets)
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in range(2):
                enough = len(told.actions) + 20
                wait_for(partial(more_told, told, enough))
                begin = time.monotonic()
                process = server.process
                server.kill(signal.SIGTERM)
                assert time.monotonic() - begin < 15
                assert process is not None
                assert process.returncode in (0, -signal.SIGTERM)
                server.start()
        finally:
            stop.set()
            for thread in threads:
                thread.join(30)
        for id, token in told.tokens.items():
            told.check_view(id, door.view(id, token))
    assert told.faults == []
