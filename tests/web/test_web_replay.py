"""The analysis board on a recorded game, and positions of one's own."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from math import factorial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

import facedown as fd
from browsing import Visit
from page_leaks import seen_by
from serving import ServerProcess, wait_for
from sitting import Door

pytestmark = pytest.mark.browser

MOVES = 32
DEALT = 8
SHOWN = """() => [...document.querySelectorAll("#table [data-shown]")].map((one) => one.dataset.shown)"""


@pytest.fixture(scope="module")
def record() -> fd.GameRecord:
    return fd.play("hearts32", ["ismcts:iterations=100", "random", "random", "random"], seed=7)


@pytest.fixture(scope="module")
def address(site: ServerProcess, record: fd.GameRecord) -> Iterator[str]:
    """Where the game is shown."""
    with Door(site.url) as door:
        imported = door.http.post("/api/records", content=record.to_json())
        assert imported.json()["games"] == 1, imported.text
        yield f"/replay/{door.get('records?limit=1').json()[0]['id']}"


def after(record: fd.GameRecord, moves: int) -> fd.State:
    """The game after so many actions."""
    return next(islice(record.steps(), moves, None))


def moves_shown(page: Page, moves: int) -> None:
    expect(page.locator("#table")).to_have_attribute("data-moves", str(moves))


def test_an_address_shows_an_analysis_of_the_same_game_and_no_other(visit: Visit, site: ServerProcess, address: str) -> None:
    other = fd.play("bisca", ["random"] * 2, seed=1)
    download = "a[download^='analysis-']"
    with Door(site.url) as door:
        sources = [int(address.rpartition("/")[2]), json.loads(other.to_json())]
        own, foreign = (door.post("analyses", {"record": one, "agent": "random"}).json()["id"] for one in sources)
        for id in (own, foreign):
            wait_for(lambda id=id: door.ok(door.get(f"analyses/{id}"))["status"] == "done")
    expect(visit(f"{address}#analysis={own}").page.locator(download)).to_be_visible()
    page = visit(f"{address}#analysis={foreign}").page
    moves_shown(page, 0)
    page.wait_for_load_state("networkidle")
    expect(page.locator(download)).to_have_count(0)


def test_arrows_and_the_slider_step_through_a_game(visit: Visit, address: str, record: fd.GameRecord) -> None:
    page = visit(address).page
    moves_shown(page, 0)
    for key, moves in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", MOVES),
        ("ArrowRight", MOVES),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        moves_shown(page, moves)
    page.locator("input[type=range]").fill("5")
    moves_shown(page, 5)
    expect(page.get_by_role("status").filter(has_text="5 of 32")).to_be_visible()
    page.reload()
    moves_shown(page, 5)
    assert str(int(record.scores[0])) in page.locator("#scores").inner_text()


def test_all_cards_are_open_or_only_what_one_seat_saw(visit: Visit, address: str, record: fd.GameRecord) -> None:
    page = visit(f"{address}#step=6").page
    moves_shown(page, 6)
    held = {card for hand in after(record, 6).hands for card in hand}
    assert held <= set(page.evaluate(SHOWN))
    page.get_by_label("View").select_option("1")
    expect(page.locator("#decision")).to_contain_text("another seat")
    assert set(page.evaluate(SHOWN)) <= seen_by(record, 1)[6]


def test_a_game_is_graded_by_what_could_be_known_and_by_hindsight(visit: Visit, address: str) -> None:
    page = visit(address).page
    page.locator("#analyse").get_by_role("button", name="Analyse").click()
    expect(page.locator("#summary tbody tr")).to_have_count(4)
    expect(page.locator("#evaluation svg").first).to_be_visible()
    page.keyboard.press("ArrowDown")
    rows = page.locator("#decision tr[data-candidate]")
    expect(rows.first).to_be_visible()
    expect(page.locator("#decision tr.played")).to_have_count(1)
    assert page.locator("#decision").inner_text().lower().count("hindsight") >= 1
    assert page.locator("[data-graded]:not([data-graded=''])").count() > DEALT


def test_a_recorded_decision_is_searched_again_and_found_identical(visit: Visit, address: str) -> None:
    page = visit(address).page
    page.get_by_role("button", name="Check the record").click()
    expect(page.locator("#analyse")).to_contain_text(re.compile(r"✓ \d+ of \d+ decisions searched again are identical"))


def test_another_agent_can_be_asked_about_a_decision(visit: Visit, address: str) -> None:
    page = visit(address).page
    asking = page.locator("#decision details.ask-again")
    asking.locator("> summary").click()
    asking.get_by_label("seed").fill("5")
    asking.get_by_role("button", name="Ask").click()
    answer = page.locator("#decision .answer")
    expect(answer.locator("tr[data-candidate]").first).to_be_visible()
    expect(answer).to_contain_text("seed 5")


def test_beliefs_count_the_worlds_exactly(visit: Visit, address: str) -> None:
    page = visit(address).page
    worlds = factorial(3 * DEALT) // factorial(DEALT) ** 3
    beliefs = page.locator("#beliefs")
    beliefs.scroll_into_view_if_needed()
    expect(beliefs.locator("[data-worlds]")).to_have_attribute("data-worlds", str(worlds))
    assert beliefs.locator("tbody tr").count() == 3 * DEALT
    expect(beliefs.locator("tbody td").first).to_contain_text("33")
    page.keyboard.press("ArrowRight")
    expect(beliefs).to_contain_text("Since the action before")


def test_a_tree_opens_level_by_level(visit: Visit, address: str) -> None:
    page = visit(f"{address}#step=1").page
    tree = page.locator("#tree")
    tree.get_by_role("button", name="Show the tree").click()
    rows = tree.get_by_role("treeitem")
    expect(rows.nth(1)).to_be_visible()
    children = tree.locator("[aria-level='2']:not(.more) > span:nth-child(2)").all_text_contents()
    visits = [int(text.replace(",", "")) for text in children]
    assert visits == sorted(visits, reverse=True)
    assert len(visits) > 1
    before = rows.count()
    rows.nth(1).click()
    expect(tree.locator("[aria-level='3']").first).to_be_visible()
    assert rows.count() > before
    tree.get_by_role("button", name="Open the expected line").click()
    expect(tree.locator("[aria-level='4'].on-line")).to_have_count(1)


def test_a_record_from_a_file_is_shown_too(visit: Visit, record: fd.GameRecord, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(record.to_json() + "\n")
    page = visit("/replay").page
    page.locator("input[type=file]").set_input_files(file)
    moves_shown(page, 0)
    page.keyboard.press("End")
    moves_shown(page, MOVES)


def test_a_position_is_shared_by_its_address(visit: Visit, address: str, record: fd.GameRecord) -> None:
    page = visit(f"{address}#step=9").page
    page.get_by_role("link", name="Use this position").click()
    page.wait_for_url(re.compile(r"/position\?"))
    expect(page.locator("#decision tr[data-candidate]").first).to_be_visible()
    query = urlencode({"game": "hearts32", "position": after(record, 9).position})
    shared = visit(f"/position?{query}").page
    expect(shared.locator("#table [data-shown]")).not_to_have_count(0)
    assert set(shared.evaluate(SHOWN)) == set(page.evaluate(SHOWN))


def test_a_text_that_is_no_position_is_refused_with_the_reason(visit: Visit) -> None:
    visitor = visit("/position")
    with visitor.trouble():
        visitor.page.locator("textarea").fill("hearts32/1 hands=nonsense")
        visitor.page.get_by_role("button", name="Show", exact=True).click()
        expect(visitor.page.locator("#problem")).to_contain_text("expected")


def test_a_replay_that_is_not_there_is_said_so(visit: Visit) -> None:
    visitor = visit()
    with visitor.trouble():
        visitor.open("/replay/999999")
        expect(visitor.page.get_by_role("alert")).to_contain_text("expected")
