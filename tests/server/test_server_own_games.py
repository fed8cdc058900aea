"""Games of the operator's own: offered from files, named by clients, played by workers in other processes."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import httpx
import pytest

import facedown as fd
from facedown.errors import BadOption, UnknownName
from facedown.games import offer, offered
from serving import ServerProcess, wait_for

KNAVES = Path(__file__).parents[2] / "examples" / "little_knaves.py"
BY_SEARCH = {"agent": "ismcts:iterations=20"}


@pytest.fixture(scope="module")
def own_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    store = tmp_path_factory.mktemp("own") / "store.db"
    options = ["--game", str(KNAVES), "--on", "processes"]
    with ServerProcess(store, *options) as server, httpx.Client(base_url=server.url) as client:
        yield client


def test_a_game_of_a_file_is_listed_by_its_name_and_without_its_place(own_game: httpx.Client) -> None:
    answer = own_game.get("/api/games")
    listed = {game["name"]: game for game in answer.json()}
    assert listed["little-knaves"]["seats"] == 3
    assert str(KNAVES) not in answer.text


def test_agents_in_other_processes_play_a_game_of_a_file_and_its_record_names_no_file(own_game: httpx.Client) -> None:
    made = own_game.post("/api/tables", json={"game": "little-knaves", "seats": [BY_SEARCH] * 3, "seed": 5}).json()
    wait_for(lambda: own_game.get(f"/api/tables/{made['id']}").json()["status"] == "over")
    facts = own_game.get(f"/api/tables/{made['id']}").json()
    record = own_game.get(f"/api/records/{facts['record']}").json()
    assert record["game"] == "little-knaves"
    assert record["forfeit"] is None
    assert facts["moves"] == 21
    steps = own_game.post("/api/steps", json={"record": facts["record"]})
    assert len(steps.json()["steps"]) == 22


def test_a_client_names_no_file_even_of_a_game_that_is_offered(own_game: httpx.Client) -> None:
    refused = own_game.post("/api/tables", json={"game": f"{KNAVES}:GAME"})
    assert refused.status_code == 422
    assert "expected a built-in or installed game" in refused.json()["error"]["message"]


def test_a_game_cannot_be_offered_under_the_name_of_another(tmp_path: Path) -> None:
    file = tmp_path / "other_hearts.py"
    file.write_text("from facedown.games.hearts import HEARTS52 as GAME\n")
    with pytest.raises(BadOption, match=r"expected a game whose name is none of .*hearts.*, got 'hearts'"):
        offer(str(file))


def test_a_text_from_outside_may_name_what_is_offered_and_a_second_offer_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = import_module("facedown.games")  # the package has a function of this name
    monkeypatch.setattr(module, "_offered", {})
    monkeypatch.setattr(module, "_loaded", {})
    with pytest.raises(UnknownName):
        fd.load("little-knaves", trusted=False)
    first = offer(str(KNAVES))
    assert offer(str(KNAVES)) is first
    assert fd.load("little-knaves", trusted=False).full_path == "little-knaves"
    assert offered() == ["little-knaves"]
    assert "little-knaves" not in fd.games()  # which other processes know too
