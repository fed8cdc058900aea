"""Questions that pile up: so many of an address or of a table are under way, and one more is refused."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import facedown as fd
from facedown.games import load
from facedown.server import analyses, analysis_routes, beliefs, figures
from facedown.server.refusals import Refusal
from facedown.server.rooms import Room
from facedown.server.steps import steps_of_position
from serving import served, wait_for
from sitting import Door, problem


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with served(tmp_path_factory.mktemp("rooms") / "store.sqlite") as server, Door(server.url) as door:
        yield door


def test_each_owner_has_so_many_places_and_gets_them_back() -> None:
    room = Room("questions", 2)
    with room.place("a"), room.place("b"), room.place("a"):
        with pytest.raises(Refusal, match="at most 2 questions under way at once, got one more"), room.place("a"):
            pass
        assert room._taken == {"a": 2, "b": 1}
    with pytest.raises(ZeroDivisionError), room.place("a"):
        1 / 0  # noqa: B018
    assert not room._taken


def all_at_once(ask: Callable[[], httpx.Response], count: int, release: Event) -> Counter[tuple[int, str]]:
    """How requests are answered that are held up until one of them is refused."""
    with ThreadPoolExecutor(count) as threads:
        answers = [threads.submit(ask) for _ in range(count)]
        try:
            wait_for(lambda: any(one.done() for one in answers))
        finally:
            release.set()
        found = [one.result() for one in answers]
    return Counter((one.status_code, "" if one.is_success else problem(one)[1]) for one in found)


def test_an_address_has_so_many_games_shown_at_once(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    release = Event()
    position = load("bisca").deal(1).position

    def held_up(game: fd.Game, text: str, seat: int | None) -> object:
        release.wait(20)
        return steps_of_position(game, text, seat)

    monkeypatch.setattr(analysis_routes, "steps_of_position", held_up)
    most = analysis_routes.MOST_STEPS_ASKED
    found = all_at_once(lambda: door.post("steps", {"game": "bisca", "position": position}), most + 1, release)
    assert found == {(200, ""): most, (409, "busy"): 1}


def test_a_table_has_so_many_questions_about_beliefs_at_once(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    release, answer = Event(), beliefs.BeliefsQuestion.answer
    id, tokens = door.full_table("bisca", 2)

    def held_up(question: beliefs.BeliefsQuestion) -> object:
        release.wait(20)
        return answer(question)

    monkeypatch.setattr(beliefs.BeliefsQuestion, "answer", held_up)
    most = analysis_routes.MOST_BELIEFS_ASKED
    found = all_at_once(lambda: door.post("beliefs", {"table": id}, tokens[0]), most + 1, release)
    assert found == {(200, ""): most, (409, "busy"): 1}


def test_an_analysis_that_is_forgotten_stops(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyses, "MOST_KEPT", 1)
    release, answer, asked = Event(), analyses.Study.answer, []

    def held_up(question: analyses.Study) -> object:
        asked.append(question.moves)
        release.wait(20)
        return answer(question)

    monkeypatch.setattr(analyses.Study, "answer", held_up)
    record = json.loads(fd.play("bisca", ["random"] * 2, seed=1).to_json())
    first = door.post("analyses", {"record": record, "agent": "random"}).json()
    with door.live(f"analyses/{first['id']}") as live:
        live.until("analysis")
        wait_for(lambda: bool(asked))
        door.post("analyses", {"record": record, "agent": "random", "moves": [0]})
        release.set()
        over = live.until("analysis_over")
    assert over["status"] == "failed"
    assert "forgotten" in over["failure"]
    assert problem(door.get(f"analyses/{first['id']}")) == (404, "not_found")
    assert len(asked) < first["total"]


def test_while_one_thread_counts_standings_others_get_those_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    release, counts = Event(), [0]
    ledger = SimpleNamespace(standings=lambda skills: [], comparisons=list)

    def held_up(*counted: object) -> dict[str, int]:
        counts.append(len(counts))
        return {"count": counts[-1]} if len(counts) == 2 or release.wait(20) else {}

    monkeypatch.setattr(figures, "Ledger", lambda plan, games: ledger)
    monkeypatch.setattr(figures, "figures", held_up)
    plan: Any = None
    result: Any = None
    found = figures.Figures()
    assert found.now(plan, {1: result}, False) == {"count": 1}
    found._next = 0.0
    with ThreadPoolExecutor(1) as threads:
        other = threads.submit(found.now, plan, {1: result, 2: result}, False)
        wait_for(lambda: len(counts) == 3)
        assert found.now(plan, {1: result, 2: result}, False) == {"count": 1}
        release.set()
        assert other.result() == {"count": 2}
