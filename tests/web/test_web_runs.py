"""Competitions and tournaments: set up, followed while they are played, and what is left of them."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

import facedown as fd
from browsing import Visit
from facedown.store import Store
from serving import ServerProcess, served, wait_for
from sitting import Door

pytestmark = pytest.mark.browser

NAME = "spring 100 % / «ö»"
AGENTS = ["random", "easy:iterations=1"]


@pytest.fixture(scope="module")
def run(site: ServerProcess) -> str:
    """The address of a tournament in the server's store."""
    with Store.open(site.store) as store:
        fd.tournament("bisca", AGENTS, deals=6, seed=(1 << 61) + 1, store=store, name=NAME)
    return f"/runs/{quote(NAME, safe='')}"


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that others can reach."""
    with served(tmp_path_factory.mktemp("far") / "store.sqlite", loopback=False) as server:
        yield server.url


def shown_figures(page: Page) -> str:
    return page.locator("table.figures").first.inner_text()


# --- Tournaments ------------------------------------------------------------------------------------------------------


def test_tournaments_are_found_by_words_and_opened(visit: Visit, run: str) -> None:
    page = visit("/runs").page
    page.get_by_role("searchbox").fill("SPRING easy")
    expect(page.locator("#runs article")).to_have_count(1)
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.locator("#runs article")).to_have_count(0)
    page.get_by_role("searchbox").fill("spring")
    page.get_by_role("link", name=NAME).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(NAME)


def test_a_tournament_shows_its_figures_with_intervals_as_the_server_has_them(visit: Visit, door: Door, run: str) -> None:
    page = visit(run).page
    standings = door.get(f"runs/{quote(NAME, safe='')}").json()["standings"]
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    figures = shown_figures(page)
    assert all(one["agent"] in figures for one in standings)
    assert figures.count("±") >= 4
    assert f"{100 * standings[0]['wins']['value']:.1f} %" in figures
    expect(
        page.get_by_text(str((1 << 61) + 1)).first
    ).to_be_visible()  # a seed of more digits than JavaScript's numbers have


def test_every_plot_has_a_name_and_its_figures_in_words_or_a_table(visit: Visit, run: str) -> None:
    page = visit(run).page
    expect(page.locator("svg.chart")).to_have_count(5)  # leads, Elo, one difference, two distributions
    for plot in page.locator("svg.chart").all():
        assert plot.locator("title").text_content()
        assert re.search(r"\d", plot.locator("desc").text_content() or "")
    page.get_by_text("In figures").first.click()
    expect(page.get_by_role("region", name="Lead of the first less the second")).to_contain_text("±")


def test_games_lead_to_the_analysis_board_and_downloads_have_names(visit: Visit, run: str) -> None:
    visitor = visit(run)
    page = visitor.page
    expect(page.locator("#games li")).to_have_count(12)
    for file in ("games.csv", "games.jsonl", "report.html"):
        with page.expect_download() as download:
            page.locator(f"[data-download='{file}']").click()
        assert download.value.suggested_filename.endswith(file)
        assert Path(download.value.path()).stat().st_size > 500
    page.locator("#games a").first.click()
    expect(page.locator("#table")).to_be_visible()


def test_a_report_is_shown_with_its_styles(visit: Visit, run: str) -> None:
    page = visit(f"/api{run}/report.html").page
    expect(page.get_by_role("heading", level=1)).to_contain_text("bisca")
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") != "none"


# --- Competitions -----------------------------------------------------------------------------------------------------


def test_a_competition_is_set_up_and_followed_to_its_end(visit: Visit) -> None:
    page = visit("/competitions").page
    page.locator("select[name=game]").select_option("bisca")
    page.get_by_label("Entrant 1", exact=True).select_option("random")
    expect(page.locator("#cost")).to_contain_text("40 games")
    page.locator("input[name=deals]").fill("6")
    expect(page.locator("#cost")).to_contain_text("12 games: 6 deals in 2 seatings each")
    page.get_by_role("button", name="Start").click()
    expect(page).to_have_url(re.compile("/competitions/.+"))
    expect(page.locator("[data-status=over]")).to_be_visible()
    expect(page.locator("#standings svg.chart")).to_be_visible()
    assert "12 games" in page.locator("#progress").inner_text()
    page.get_by_role("link", name="All figures").click()
    expect(page).to_have_url(re.compile("/runs/competition-"))
    expect(page.get_by_role("heading", name="Comparisons")).to_be_visible()


def test_what_cannot_be_played_is_said_before_it_is_asked_for(visit: Visit) -> None:
    visitor = visit("/competitions")
    page = visitor.page
    with visitor.trouble():
        page.get_by_label("Entrant 1", exact=True).select_option("easy")
        expect(page.locator("#cost")).to_contain_text("expected each agent once")
    page.get_by_role("button", name="Remove entrant 2").click()
    page.locator("[data-add=open]").click()
    expect(page.locator("#cost")).to_contain_text("They begin when every open place is taken")


def test_entrants_come_while_somebody_looks(visit: Visit, door: Door) -> None:
    wish = {"game": "bisca", "entrants": [{"agent": "random"}, {"open": True}], "deals": 2, "name": "Open cup"}
    made = door.post("competitions", wish).json()
    page = visit(f"/competitions/{made['id']}").page
    expect(page.locator(".command")).to_contain_text(f"--competition {made['id']}")
    token = door.post(f"competitions/{made['id']}/entrants", {"name": "Ada"}).json()["token"]
    expect(page.locator("#entrants")).to_contain_text("not connected")
    with door.live(f"competitions/{made['id']}", token) as live:
        event = live.until("your_turn")
        expect(page.locator("#entrants .tag.on")).to_have_text("connected")
        expect(page.get_by_text("They can be looked at when it is over")).to_be_visible()
        while event["event"] != "competition_over":
            if event["event"] == "your_turn":
                live.send({"table": event["table"], "action": event["legal"][0], "moves": event["moves"]})
            event = live.next()
    expect(page.locator("[data-status=over]")).to_be_visible()
    wait_for(lambda: "Ada" in shown_figures(page))


def test_where_others_reach_the_server_the_token_is_asked_for(visit: Visit, far: str) -> None:
    visitor = visit("/competitions")
    visitor.url = far
    with visitor.trouble():
        page = visitor.open("/competitions")
        expect(page.get_by_label("The administrator’s token")).to_be_visible()
        expect(page.locator("#cost")).to_contain_text("token is needed")
