"""The benchmark of the pages measures what it says."""

import json
from pathlib import Path

import pytest

import needs
from facedown.server import page_bench
from terminals import Run


@pytest.mark.browser
def test_the_benchmark_measures_the_pages(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    needs.browser()
    monkeypatch.setattr(page_bench, "CLICKS", 1)
    monkeypatch.setattr(page_bench, "ANALYSED", "hearts32")  # which is shorter
    code, out, _ = run("bench", "web", "--repeats", "1", "--json")
    assert code == 0
    figures = json.loads(out)
    assert [figure["times"] for figure in figures] == [1, 1, 1, 1]
    assert all(0 < figure["median"] <= figure["most"] for figure in figures)
    laid, told = figures[1], figures[2]
    assert laid["most"] <= told["most"]  # a card lies there before the server has answered
    assert page_bench.grid([page_bench.Figure(**figure) for figure in figures]).row_count == 4


def test_without_a_browser_it_says_so_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FACEDOWN_BROWSER", str(tmp_path / "none"))
    code, out, err = run("bench", "web")
    assert (code, out) == (2, "")
    assert err.startswith("error: expected a browser on the path, or named by FACEDOWN_BROWSER, got none of chromium")
