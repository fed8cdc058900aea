"""Every page: accessible in light and dark, no wider than a phone, and without anything going wrong."""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, TimeoutError

import facedown as fd
from browsing import PHONE, Visitor
from clicking import seat_taken
from serving import ServerProcess, wait_for
from sitting import Door

pytestmark = pytest.mark.browser

# For each page what is there as soon as it is drawn.
PAGES = {
    "/": "button[data-play=hearts]",
    "/table/ID": "#table button[data-card]:enabled",
    "/replay": "main li, main tbody tr",
    "/replay/ID": "#table [data-shown]",
    "/position": "textarea",
    "/competitions#new": "main form",
    "/competitions/ID": "main table tbody tr",
    "/runs": "main a[href^='/runs/']",
    "/runs/NAME": "main table tbody tr",
    "/advise": "main a[href^='/advise/']",
    "/advise/hearts": "#entry",
}
CONTRAST = {"runOnly": ["color-contrast"], "resultTypes": ["violations"]}
ALL_RULES = {"resultTypes": ["violations"]}
WIDTH = "document.documentElement.scrollWidth"
FITS = f"(width) => {WIDTH} <= width"
SETTLES = 5000.0  # milliseconds until drawings have found their new size
WIDER = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > width + 1 && !one.closest(".scroll-x"))
  .slice(0, 5).map((one) => one.outerHTML.slice(0, 120))"""


@dataclass
class Looked:
    """A page as it was found."""

    light: list[str]
    dark: list[str]
    width: int
    wider: list[str]
    headings: list[str]
    title: str
    problems: list[str]


def violations(page: Page, options: dict[str, Any]) -> list[str]:
    """What axe finds wrong: the rule, and where."""
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]


@pytest.fixture(scope="module")
def names(site: ServerProcess) -> dict[str, str]:
    """A finished game, a competition and its run, which pages are about."""
    with Door(site.url) as door:
        record = fd.play("hearts32", ["random"] * 4, seed=3)
        door.http.post("/api/records", content=record.to_json())
        game = door.get("records?limit=1").json()[0]["id"]
        entrants = [{"agent": "random"}, {"agent": "expert"}]
        made = door.post("competitions", {"game": "bisca", "entrants": entrants, "deals": 4, "seed": 1}).json()
        wait_for(lambda: door.get(f"competitions/{made['id']}").json()["status"] == "over")
        run = door.get(f"competitions/{made['id']}").json()["run"]
        return {
            "/replay/ID": f"/replay/{game}",
            "/competitions/ID": f"/competitions/{made['id']}",
            "/runs/NAME": f"/runs/{run}",
        }


@pytest.fixture(scope="module", params=PAGES)
def looked(request: pytest.FixtureRequest, names: dict[str, str], site: ServerProcess, browser: Browser) -> Iterator[Looked]:
    address: str = request.param
    visitor = Visitor(browser, site.url)
    page = visitor.page
    if address == "/table/ID":
        with Door(site.url) as door:
            seat_taken(door, visitor, door.table("sueca", None, "random", "random", "random", seed=3))
    else:
        visitor.open(names.get(address, address))
    page.locator(PAGES[address]).first.wait_for()
    light = violations(page, ALL_RULES)
    page.emulate_media(color_scheme="dark")
    dark = violations(page, CONTRAST)
    page.set_viewport_size(PHONE)
    with suppress(TimeoutError):
        page.wait_for_function(FITS, arg=PHONE["width"], timeout=SETTLES)
    width = page.evaluate(WIDTH)
    wider = page.evaluate(WIDER, PHONE["width"]) if width > PHONE["width"] else []
    headings = page.get_by_role("heading", level=1).all_inner_texts()
    yield Looked(light, dark, width, wider, headings, page.title(), visitor.problems)
    visitor.context.close()


def test_a_page_is_accessible(looked: Looked) -> None:
    assert looked.light == []


def test_a_page_can_be_read_in_the_dark(looked: Looked) -> None:
    assert looked.dark == []


def test_a_page_is_no_wider_than_a_phone(looked: Looked) -> None:
    assert looked.width <= PHONE["width"], looked.wider


def test_a_page_says_what_it_is_and_nothing_goes_wrong(looked: Looked) -> None:
    assert looked.problems == []
    assert len(looked.headings) == 1
    assert re.fullmatch(r".+ · facedown", looked.title)
