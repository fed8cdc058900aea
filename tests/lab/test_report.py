import csv
import re
from dataclasses import replace
from html.parser import HTMLParser
from math import inf
from xml.etree import ElementTree

import pytest

import facedown as fd
from facedown.arena.standings import Ledger
from facedown.arena.tournament import TournamentResult, tournament
from facedown.lab.report import origin as report_origin
from facedown.lab.report import plots
from facedown.lab.report.origin import duration, origin_of, without_folders
from facedown.lab.report.report import csv_report, games_csv, html_report
from results import LONG, result_of

NASTY = 'mine:Agent<script>alert("1")</script>&'


@pytest.fixture(scope="module")
def two() -> TournamentResult:
    return result_of(["ismcts:iterations=200", "random"], name="hearts-1f3a2b4c")


def pictures(page: str) -> list[ElementTree.Element]:
    """The plots of a page, which are well-formed."""
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]


class Tags(HTMLParser):
    """Checks that what is opened is closed, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.seen: set[str] = set()
        self.feed(page)
        assert not self.opened

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.opened += [] if tag in ("meta", "br", "wbr") else [tag]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.opened.pop() == tag


# --- The page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agents", [["a", "b"], ["a", "b", "c", "d", NASTY, LONG]])
def test_a_page_is_whole_and_fetches_nothing(agents: list[str]) -> None:
    page = html_report(result_of(agents, forfeits=True, name=f"run {NASTY}"))
    tags = Tags(page)
    assert not tags.seen & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"https?:|url\(|@import|src=", page)
    assert "<script" not in page
    assert all(picture.attrib["role"] == "img" and picture.attrib["aria-label"] for picture in pictures(page))


def test_a_page_says_what_was_played(two: TournamentResult) -> None:
    page = html_report(two)
    for words in (
        "hearts: 2 agents, 40 games",
        "20 deals in 2 seatings each",
        "<dd>7</dd>",
        "hearts-1f3a2b4c",
        "passing=cycle",
        f"facedown {fd.__version__}",
        "docs/statistics.md",
        "prefers-color-scheme: dark",
        "@media print",
    ):
        assert words in page


def test_a_page_shows_each_figure_with_its_interval(two: TournamentResult) -> None:
    page = html_report(two)
    for one in two.standings:
        assert one.elo is not None
        for figure in (one.lead, one.elo, one.wins):
            value = f"{figure}".replace("-", "–" if figure.rate else "−")
            assert f"<td>{value}" in page
        assert f"<td>{one.score}".replace("+", "") in page
    assert "par 50.0 %" in page
    assert "&lt; 0.001" in page
    assert [picture.findtext("title") for picture in pictures(page)] == [
        "Lead of each agent",
        "Elo of each agent",
        "ismcts:iterations=200 less random",
        "Scores of ismcts:iterations=200",
        "Scores of random",
    ]


def test_of_many_agents_the_best_is_compared_with_each_other() -> None:
    result = result_of(["a", "b", "c", "d", "e", "f"], deals=6)
    titles = [picture.findtext("title") or "" for picture in pictures(html_report(result))]
    assert [title for title in titles if "less" in title] == [f"a less {other}" for other in "bcdef"]


def test_the_same_result_is_the_same_page(two: TournamentResult) -> None:
    again = result_of(["ismcts:iterations=200", "random"], name="hearts-1f3a2b4c")
    assert html_report(two) == html_report(again)


def test_a_time_is_told_in_whole_seconds_minutes_and_hours() -> None:
    seconds = (0.4, 59.4, 59.6, 200.0, 3725.0)
    assert [duration(one) for one in seconds] == ["0 s", "59 s", "1 min", "3 min", "1 h 2 min"]


def test_a_page_says_at_its_head_where_it_comes_from(two: TournamentResult) -> None:
    origin = origin_of(["tournament", "/home/me/games/mine.py:GAME", "pmga:model=~/m.npz", "--deals", "20"], 3725.0, "x")
    page = html_report(two, origin)
    assert "<dt>command</dt><dd><code>facedown tournament mine.py:GAME pmga:model=m.npz --deals 20</code></dd>" in page
    assert "<dt>took</dt><dd>1 h 2 min, x</dd>" in page
    assert re.search(r"<dt>code</dt><dd>facedown [\d.]+", page)
    assert re.search(r"<dt>machine</dt><dd>.+, \d+ cores?; .+, Python 3\.", page)
    assert "<dt>command" not in html_report(two), "the same result is the same page"


def test_decks_and_files_below_are_left_in_a_command() -> None:
    words = ["magic:deck=17xland+23x2/2for2", "examples/little_knaves.py:GAME"]
    assert [without_folders(word) for word in words] == words


def test_a_commit_is_named_only_where_this_lies_in_a_checkout_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {"ls-files": "__init__.py", "rev-parse": "0123456789ab", "status": ""}
    monkeypatch.setattr(report_origin, "git", lambda what, *_: answers[what])
    assert report_origin.code_version() == f"facedown {fd.__version__}, commit 0123456789ab"
    answers["status"] = " M rules.py"
    assert report_origin.code_version().endswith("commit 0123456789ab with changes")
    answers["ls-files"] = ""
    assert report_origin.code_version() == f"facedown {fd.__version__}"


def test_without_git_the_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert report_origin.code_version() == f"facedown {fd.__version__}"


def test_a_tournament_stopped_by_its_results_says_so_beside_every_figure() -> None:
    page = html_report(result_of(["a", "b"], stopped=True))
    assert "Stopped early by its own results" in page
    assert "accept H1" in page
    assert page.count("†") >= 3
    assert "Stopped early" not in html_report(result_of(["a", "b"]))


def test_a_tournament_under_way_says_so(two: TournamentResult) -> None:
    ledger = Ledger(two.schedule, two.ledger.results[:31])
    page = html_report(replace(two, ledger=ledger, standings=ledger.standings(), comparisons=ledger.comparisons()))
    assert "31 of 40 games are played" in page


def test_a_tournament_without_a_game_has_a_page(two: TournamentResult) -> None:
    page = html_report(replace(two, ledger=Ledger(two.schedule, []), standings=[], comparisons=[]))
    assert "0 of 40 games are played" in page
    assert not pictures(page)


def test_forfeits_are_listed_with_their_reason_and_the_command_that_shows_it() -> None:
    page = html_report(result_of(["a", "b"], name="spring", forfeits=True))
    assert "facedown replay spring:3:0" in page
    assert "facedown replay spring:3:1" in page
    assert "ValueError: &lt;b&gt;&lt;b&gt;<br>" in page
    assert "Forfeits" not in html_report(result_of(["a", "b"]))


def test_one_deal_gives_no_interval_and_still_a_page() -> None:
    page = html_report(result_of(["a", "b"], deals=1))
    assert "± ∞" in page
    assert not any("less" in (picture.findtext("title") or "") for picture in pictures(page))


def test_a_real_tournament_can_be_reported() -> None:
    result = tournament("hearts32", ["random", "ismcts:iterations=2"], deals=5, seed=1)
    assert "hearts32" in html_report(result)
    assert csv_report(result).count("\n") == 3
    assert games_csv(result).count("\n") == 1 + 4 * len(result.ledger.results)


# --- Plots ------------------------------------------------------------------------------------------------------------


def test_an_interval_without_an_end_is_drawn_as_an_arrow() -> None:
    drawn = plots.forest([plots.Interval("a", 5, -1, inf, "5"), plots.Interval("b", 0, 0, 0, "0")], "title", "axis")
    assert "inf" not in drawn
    assert "nan" not in drawn
    ElementTree.fromstring(drawn)


def test_no_mark_leaves_the_picture() -> None:
    band = plots.Band([2, 3, 4, 5], [9, 1, 1, 1], [-1e9, -2, -1, 0], [1e9, 3, 2, 2])
    numbers = re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", plots.running(band, "t", "described", "deals"))
    assert all(0 <= float(x) <= plots.WIDTH and 0 <= float(y) <= 234 for x, y in numbers)


@pytest.mark.parametrize("values", [[0, 26, 13], [0.5, 0.25], [0, 1], [-500, 1200, 3], [7, 7]])
def test_every_value_is_in_a_bin(values: list[float]) -> None:
    low, high = min(values), max(values)
    bars = plots.binned(values, low, high if high > low else low + 1)
    assert sum(bars.counts) == len(values)
    assert bars.start <= low
    assert bars.start + bars.width * len(bars.counts) > high
    assert len(bars.counts) <= 40


@pytest.mark.parametrize(("low", "high"), [(-0.3, 0.4), (0, 7), (-1200, 13), (1e-5, 3e-5)])
def test_ticks_are_round_numbers_between_the_ends(low: float, high: float) -> None:
    found = plots.ticks(low, high)
    assert 3 <= len(found) <= 8
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found)


# --- Comma-separated values -------------------------------------------------------------------------------------------


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def test_the_csv_has_a_row_for_each_agent_with_both_ends_of_each_interval(two: TournamentResult) -> None:
    rows = rows_of(csv_report(two))
    assert [row["agent"] for row in rows] == [one.agent for one in two.standings]
    for row, one in zip(rows, two.standings, strict=True):
        assert one.elo is not None
        for name, figure in (("score", one.score), ("lead", one.lead), ("wins", one.wins), ("elo", one.elo)):
            expected = [figure.value, figure.low, figure.high]
            assert [float(row[name + end]) for end in ("", "_low", "_high")] == pytest.approx(expected)
        assert (row["games"], row["deals"], row["forfeits"]) == ("40", "20", "0")


def test_an_infinite_end_is_empty_in_the_csv() -> None:
    row = rows_of(csv_report(result_of([NASTY, "b"], deals=1)))[0]
    assert (row["agent"], row["lead_low"], row["lead_high"]) == (NASTY, "", "")


def test_the_games_csv_adds_up_to_the_standings() -> None:
    result = result_of(["a", "b", "c", "d", "e"], deals=4, forfeits=True)
    rows = rows_of(games_csv(result))
    assert len(rows) == 4 * len(result.ledger.results)
    for one in result.standings:
        own = [row for row in rows if row["agent"] == one.agent]
        assert sum(float(row["lead"]) for row in own) / len(own) == pytest.approx(one.lead.value)
        assert sum(float(row["win_share"]) for row in own) / len(own) == pytest.approx(one.wins.value)
        assert sum(row["forfeit"] == "1" for row in own) == one.forfeits
    assert sum(float(row["win_share"]) for row in rows) == pytest.approx(len(result.ledger.results))
