"""How soon the pages are there: a real browser on this machine, and a server in a process of its own.

Times are the page's own, from the start of loading or from the click until the frame in which it is drawn. Cards do not
move meanwhile.
"""

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import httpx
from rich.table import Table as Grid

import facedown as fd
from facedown.errors import FacedownError, one_line
from facedown.server.bench import ServerUnderTest
from facedown.server.browser import launched_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OPEN, RANDOM = {"open": True}, {"agent": "random"}
CLICKS = 8  # of each repeat
ANALYSED = "hearts"
WAITS = 300_000.0  # milliseconds, for what compiles first

# When the first thing that a selector finds was drawn.
NOTED = """(() => {
  const noted = (window.noted = {});
  window.note = (name, found) => new MutationObserver((_, watch) => {
    if (!(name in noted) && found()) {
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => { noted[name] = performance.now(); }));
    }
  }).observe(document, { childList: true, subtree: true, attributes: true });
  window.note("usable", () => document.querySelector("button[data-play]"));
})()"""
CLICK = """(card) => {
  delete window.noted.laid;
  delete window.noted.told;
  const table = document.getElementById("table");
  const before = Number(table.dataset.moves);
  document.addEventListener("click", () => { window.clicked = performance.now(); }, { capture: true, once: true });
  window.note("laid", () => table.querySelector(`.trick [data-shown="${card}"]`));
  window.note("told", () => Number(table.dataset.moves) > before);
}"""
TURN = """() => {
  const table = document.getElementById("table");
  const card = table?.querySelector("button[data-card]:enabled")?.dataset.card;
  return table?.dataset.over === "true" ? "over" : card;
}"""


@dataclass(frozen=True)
class Figure:
    """What was measured, in milliseconds."""

    what: str
    median: float
    most: float
    times: int


class PageBench:
    """The measurements, one after another."""

    def __init__(self, api: httpx.Client, browser: "Browser", report: Callable[[str], None]) -> None:
        """A client of the server for requests, and a browser for its pages."""
        self.api = api
        self.browser = browser
        self.report = report
        self.url = str(api.base_url).rstrip("/")

    def new_page(self) -> "Page":
        """A page of a browser that has loaded nothing yet."""
        context = self.browser.new_context(reduced_motion="reduce")
        context.set_default_timeout(WAITS)
        context.add_init_script(NOTED)
        return context.new_page()

    def first_page(self) -> float:
        """How soon a game can be begun."""
        page = self.new_page()
        page.goto(self.url)
        page.wait_for_function("() => window.noted.usable")
        found = float(page.evaluate("window.noted.usable"))
        page.context.close()
        return found

    def clicks(self) -> tuple[list[float], list[float]]:
        """How soon a card that is clicked lies on the table, and how soon the server's answer is drawn."""
        made = self.api.post("/api/tables", json={"game": "sueca", "seats": [OPEN, RANDOM, RANDOM, RANDOM]}).json()
        taken = self.api.post(f"/api/tables/{made['id']}/seats", json={"name": "bench"}).json()
        page = self.new_page()
        seats = json.dumps({made["id"]: {**taken, "name": "bench"}})
        page.context.add_init_script(f"localStorage.setItem('facedown.seats', {json.dumps(seats)})")
        page.goto(f"{self.url}/table/{made['id']}")
        laid, told = [], []
        for _ in range(CLICKS):
            card = page.wait_for_function(TURN).json_value()
            page.evaluate(CLICK, card)
            page.locator(f'button[data-card="{card}"]').click()
            page.wait_for_function("() => window.noted.laid && window.noted.told")
            laid.append(float(page.evaluate("window.noted.laid - window.clicked")))
            told.append(float(page.evaluate("window.noted.told - window.clicked")))
        page.context.close()
        return laid, told

    def analysis(self) -> float:
        """How long the analysis of a whole deal of Hearts takes, from the click to the summary."""
        record = fd.play(ANALYSED, ["random"] * 4, seed=1)
        self.api.post("/api/records", content=record.to_json())
        page = self.new_page()
        page.goto(f"{self.url}/replay/{self.api.get('/api/records?limit=1').json()[0]['id']}")
        button = page.locator("#analyse button[type=submit]")
        button.wait_for()
        page.evaluate("window.note('judged', () => document.querySelector('#summary:not([hidden]) tbody tr'))")
        page.evaluate("document.addEventListener('click', () => { window.clicked = performance.now(); }, { capture: true })")
        button.click()
        page.wait_for_function("() => window.noted.judged")
        found = float(page.evaluate("window.noted.judged - window.clicked"))
        page.context.close()
        return found

    def run(self, repeats: int) -> list[Figure]:
        """All of them; each once before it counts, so that everything is compiled."""
        self.report("the first page")
        self.first_page()
        usable = [self.first_page() for _ in range(repeats)]
        self.report("clicks on cards")
        self.clicks()
        laid, told = zip(*(self.clicks() for _ in range(repeats)), strict=True)
        self.report("the analysis of a deal of Hearts")
        self.analysis()
        judged = [self.analysis() for _ in range(repeats)]
        return [
            figure("the first page can be used", usable),
            figure("a card that is clicked lies on the table", [one for many in laid for one in many]),
            figure("the server's answer to it is drawn", [one for many in told for one in many]),
            figure("a deal of Hearts is analysed, 1,000 iterations a decision", judged),
        ]


def figure(what: str, milliseconds: list[float]) -> Figure:
    """Measurements in short."""
    return Figure(what, median(milliseconds), max(milliseconds), len(milliseconds))


def measure_pages(repeats: int, report: Callable[[str], None]) -> list[Figure]:
    """Start a server and a browser, measure, and stop them."""
    with launched_browser() as browser, tempfile.TemporaryDirectory() as folder:
        from playwright.sync_api import Error

        server = ServerUnderTest(Path(folder))
        try:
            with httpx.Client(base_url=server.url, timeout=120) as api:
                return PageBench(api, browser, report).run(repeats)
        except Error as error:
            raise FacedownError(f"expected pages that answer, got {one_line(error)}") from None
        finally:
            server.stop()


def to_data(figures: list[Figure]) -> list[dict[str, Any]]:
    """The measurements as plain data."""
    return [asdict(one) for one in figures]


def grid(figures: list[Figure]) -> Grid:
    """The measurements as a table."""
    found = Grid(box=None, padding=(0, 1), pad_edge=False)
    for name in ("what", "median ms", "most ms", "times"):
        found.add_column(name, justify="left" if name == "what" else "right")
    for one in figures:
        found.add_row(one.what, f"{one.median:.0f}", f"{one.most:.0f}", str(one.times))
    return found
