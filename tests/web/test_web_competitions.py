"""Competitions set up and followed in the browser, and tournaments with their downloads."""

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import Visit
from serving import wait_for
from sitting import Door

pytestmark = pytest.mark.browser

DEALS = 2
GAMES = 2 * DEALS  # each deal in both seatings


@pytest.fixture
def run(door: Door) -> str:
    """The name of a run: a competition that is over."""
    entrants = [{"agent": "random"}, {"agent": "expert"}]
    made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": DEALS, "seed": 1}).json()
    wait_for(lambda: door.get(f"competitions/{made['id']}").json()["status"] == "over")
    return str(door.get(f"competitions/{made['id']}").json()["run"])


def test_a_competition_is_set_up_and_followed_to_its_standings(visit: Visit) -> None:
    page = visit("/competitions").page
    page.get_by_text("New competition").click()
    form = page.locator("form")
    form.locator("[name=game]").select_option("bisca")
    for entrant, agent in zip(form.locator(".entrant").all(), ("random", "expert"), strict=True):
        entrant.locator("select").first.select_option(agent)
    form.locator("[name=deals]").fill(str(DEALS))
    expect(form.locator("#cost")).to_contain_text(f"{GAMES} games")
    form.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/competitions/\w+"))
    expect(page.locator("[data-status]")).to_have_attribute("data-status", "over")
    rows = page.locator("#standings tbody tr")
    expect(rows).to_have_count(2)
    expect(page.locator("#standings svg").first).to_be_visible()


def test_what_is_wrong_with_a_wish_is_said_in_the_form(visit: Visit) -> None:
    visitor = visit("/competitions")
    page = visitor.page
    with visitor.trouble():
        page.get_by_text("New competition").click()
        page.locator("form .entrant").last.get_by_role("button", name="Remove").click()
        expect(page.locator("form #cost")).to_contain_text("at least 2")


def test_an_open_place_shows_how_a_bot_takes_part(visit: Visit, door: Door) -> None:
    made = door.post("competitions", {"game": "bisca", "entrants": [{"open": True}, {"agent": "random"}], "deals": 1}).json()
    page = visit(f"/competitions/{made['id']}").page
    expect(page.locator("main")).to_contain_text(
        f"facedown bot {page.url.split('/competitions')[0]} --competition {made['id']}"
    )
    door.post(f"competitions/{made['id']}/entrants", {"name": "Ada"})
    expect(page.locator("#entrants")).to_contain_text("Ada")


def test_a_tournament_shows_its_figures_and_can_be_downloaded(visit: Visit, run: str, tmp_path: Path) -> None:
    page = visit("/runs").page
    page.get_by_role("link", name=run).click()
    expect(page.locator("main table tbody tr").first).to_be_visible()
    expect(page.locator("main svg").first).to_be_visible()
    found = {}
    for kind in ("csv", "jsonl", "html"):
        with page.expect_download() as downloading:
            page.locator(f"a[download][href$='.{kind}']").first.click()
        found[kind] = tmp_path / f"games.{kind}"
        downloading.value.save_as(found[kind])
    assert len(list(csv.DictReader(found["csv"].read_text().splitlines()))) >= GAMES
    records = [json.loads(line) for line in found["jsonl"].read_text().splitlines()]
    assert [record["game"] for record in records] == ["bisca"] * GAMES
    assert found["html"].read_text().lower().startswith("<!doctype html>")


def test_a_game_of_a_tournament_leads_to_its_replay(visit: Visit, run: str) -> None:
    page = visit(f"/runs/{run}").page
    expect(page.locator("#games li")).to_have_count(GAMES)
    page.locator("#games a").first.click()
    expect(page.locator("#table")).to_have_attribute("data-moves", "0")
