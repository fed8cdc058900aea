"""Tables as pictures: the labels say what belongs together, and both the page and the book draw the same."""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from xml.etree import ElementTree

import pytest

from facedown.lab.book.outcomes import FOLDER, read_outcome
from facedown.lab.experiments import BARS, FOREST, ExperimentResult, Plot, Published, Row, Table, bars, curves, forest
from facedown.lab.experiments.bitan_kraus.cheat_models import ROC
from facedown.lab.experiments.drawing import drawings, number_in, without_common_end
from facedown.lab.experiments.written import html_result
from facedown.lab.report.plots import LogScale, Scale, standalone, ticks
from facedown.stats import Estimate
from facedown.stats.estimate import COUNTED


def figure(value: float, half: float = 1.0, rate: bool = False) -> Estimate:
    return Estimate(value, value - half, value + half, 100, "deals", rate)


def table(plot: Plot, rows: Mapping[str, tuple[float | None, float]]) -> Table:
    """Rows by label: the published figure, and ours."""
    made = [Row(label, None if old is None else Published(old, 0.5), figure(new)) for label, (old, new) in rows.items()]
    return Table("Figures", made, plot)


def drawn(of: Table) -> ElementTree.Element:
    """The only picture of a table."""
    [one] = drawings(of)
    return ElementTree.fromstring(one.svg)


def texts(picture: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in picture.iter("text")]


def shapes(picture: ElementTree.Element, kind: str, **having: str) -> list[ElementTree.Element]:
    return [one for one in picture.iter(kind) if all(one.get(name) == value for name, value in having.items())]


def published_marks(picture: ElementTree.Element) -> list[ElementTree.Element]:
    """Diamonds, without the one of the key, and lines of published intervals."""
    marks = shapes(picture, "path", **{"class": "published"})
    return marks[1:] if "published" in texts(picture) else marks


def across(picture: ElementTree.Element, kind: str) -> list[float]:
    """Where the upright lines of a kind are."""
    return [float(one.attrib["d"][1:].split()[0]) for one in shapes(picture, "path", **{"class": kind})]


# --- Data -------------------------------------------------------------------------------------------------------------


def test_a_table_is_the_same_after_it_was_stored() -> None:
    rows = [Row("a", Published(0.2, 0.1, 50, rate=True), figure(0.3, 0.1, rate=True)), Row("b", None, None)]
    rows.append(Row("c", None, Estimate(1.0, -inf, inf, 1, "deals")))
    made = Table("Figures", rows, curves("trick", log=True, up="points"))
    assert Table.from_dict(made.to_dict()) == made


def test_a_stored_table_that_names_no_plot_is_a_forest() -> None:
    data = table(BARS, {"a": (1.0, 2.0)}).to_dict()
    del data["plot"]
    assert Table.from_dict(data).plot == FOREST


def test_a_stored_plot_without_a_unit_has_none() -> None:
    data = table(BARS, {"a": (1.0, 2.0)}).to_dict()
    del data["plot"]["up"]
    assert Table.from_dict(data).plot == BARS


def test_shares_and_other_figures_have_a_picture_each() -> None:
    rows = [Row("a", None, figure(0.5, 0.1, rate=True)), Row("b", None, figure(3.0)), Row("nobody", None, None)]
    assert len(drawings(Table("Both", rows))) == 2
    assert drawings(Table("None", [Row("nobody", None, None)])) == []


def test_the_page_of_an_experiment_and_the_book_have_the_same_plots() -> None:
    tables = [table(plot, {"trick 1: a": (1.0, 2.0), "trick 2: a": (None, 1.0)}) for plot in (FOREST, BARS, curves("trick"))]
    page = html_result(ExperimentResult("name", "Title", "nowhere", "quick", 0, "facedown reproduce name", tables))
    for one in tables:
        for made in drawings(one):
            assert made.svg in page
            assert made.caption in page
            ElementTree.fromstring(standalone(made.svg))


# --- Labels -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("label", "word", "found"),
    [
        ("trick 3: inferred", "trick", (3.0, ["inferred"])),
        ("ISMCTS: iterations to depth 12", "depth", (12.0, ["ISMCTS", "iterations to"])),
        ("Sueca: 20,000 iterations: wins", "iterations", (20_000.0, ["Sueca", "wins"])),
        ("Bisca: score difference, 0.25: wins", "score difference", (0.25, ["Bisca", "wins"])),
        ("SVM: false alarms 10 %", "false alarms", (10.0, ["SVM"])),
        ("SVM: false alarms 2.5 %", "false alarms", (2.5, ["SVM"])),
        ("all tricks: inferred", "trick", None),
    ],
)
def test_the_number_beside_a_word_lies_across_and_the_rest_names_the_series(label: str, word: str, found: object) -> None:
    assert number_in(label, word) == found


def test_what_all_labels_end_in_is_left_out() -> None:
    assert without_common_end([["Sueca", "a", "wins"], ["Bisca", "a", "wins"]]) == [["Sueca"], ["Bisca"]]
    assert without_common_end([["Sueca", "a"], ["Sueca", "b"]]) == [["Sueca", "a"], ["Sueca", "b"]]
    assert without_common_end([["only"], ["only"]]) == [["only"], ["only"]]


# --- Forests ----------------------------------------------------------------------------------------------------------


def test_no_line_runs_through_the_labels_of_a_forest() -> None:
    [made] = drawings(table(FOREST, {"a": (None, 2.0), "b": (None, 1.0)}))
    style = re.search(r"<style>(.*)</style>", standalone(made.svg))
    assert style
    assert re.search(r"(^|})text{[^}]*paint-order:stroke;stroke:#fff;stroke-width:4px", style[1])
    kinds = [one.get("class", "") for one in ElementTree.fromstring(made.svg)]
    assert max(kinds.index("zero"), kinds.index("grid")) < kinds.index("name")


def test_a_published_interval_is_a_thin_line_through_its_diamond_and_our_dot_lies_on_top() -> None:
    picture = drawn(table(FOREST, {"a": (1.0, 1.0)}))
    line, diamond = published_marks(picture)
    left, middle, right = map(float, re.findall(r"[\d.]+", line.attrib["d"]))
    x, top, half = map(float, re.findall(r"[\d.]+", diamond.attrib["d"])[:3])
    assert line.attrib["style"] == "stroke-width:1"
    assert x == pytest.approx((left + right) / 2, abs=0.2)
    assert top + half == middle
    [ours] = [one for one in shapes(picture, "path", **{"class": "mark"}) if "H" in one.attrib["d"]]
    begin, _, end = map(float, re.findall(r"[\d.]+", ours.attrib["d"]))
    assert right - left == pytest.approx((end - begin) / 2, abs=0.2)  # 1 ± 0.5 beside 1 ± 1
    assert list(picture).index(shapes(picture, "circle")[0]) > list(picture).index(diamond)


def test_a_wide_published_interval_stays_in_the_picture() -> None:
    wide = Table("Figures", [Row("a", Published(1.0, 30.0), figure(1.0))])
    left, _, right = map(float, re.findall(r"[\d.]+", published_marks(drawn(wide))[0].attrib["d"]))
    assert right - left > 500


@pytest.mark.parametrize(
    ("title", "labels", "value", "lines"),
    [
        ("Wins against the expert", ("a", "b"), 0.6, 1),
        ("Figures", ("a: wins", "b: win ratio"), 0.6, 1),
        ("Figures", ("a: wins", "b: moons"), 0.6, 0),
        ("Windows", ("a", "b"), 0.6, 0),
        ("Wins against the expert", ("a", "b"), 0.1, 1),
    ],
)
def test_a_forest_of_wins_has_a_line_at_one_half(title: str, labels: tuple[str, ...], value: float, lines: int) -> None:
    picture = drawn(Table(title, [Row(label, None, figure(value, 0.05, rate=True)) for label in labels]))
    even = across(picture, "zero")
    assert len(even) == lines
    if even:
        dot = float(shapes(picture, "circle")[0].attrib["cx"])
        assert (even[0] < dot) == (value > 0.5)
        assert "50" in texts(picture)


def test_only_a_forest_of_signed_figures_has_zero_on_its_axis() -> None:
    signed = drawn(table(FOREST, {"a": (None, 80.0), "b": (None, 83.0)}))
    plain = drawn(Table("Figures", [Row("a", None, figure(value).unsigned()) for value in (80.0, 83.0)]))
    assert "0" in texts(signed)
    assert len(across(signed, "zero")) == 1
    assert "0" not in texts(plain)
    assert across(plain, "zero") == []
    first, second = (float(one.attrib["cx"]) for one in shapes(plain, "circle"))
    assert second - first > 300


def test_a_forest_by_powers_of_ten_has_them_below_and_an_arrow_where_an_interval_reaches_zero() -> None:
    rows = [Row("a", Published(10.0), Estimate(0.01, 0.005, 0.015, 9, "moves", signed=False))]
    rows.append(Row("b", None, Estimate(0.1, -0.1, 0.3, 9, "moves", signed=False)))
    picture = drawn(Table("Figures", rows, forest("seconds", log=True)))
    assert {"0.01", "0.1", "1", "10", "seconds"} <= set(texts(picture))
    ours, diamond = shapes(picture, "circle")[0].attrib["cx"], published_marks(picture)[0].attrib["d"][1:].split()[0]
    grid = across(picture, "grid")
    assert [float(ours), float(diamond)] == pytest.approx([grid[0], grid[3]], abs=0.2)
    assert grid[2] - grid[1] == pytest.approx(grid[1] - grid[0], abs=0.2)
    assert sum(one.attrib["d"].count("L") == 2 for one in shapes(picture, "path", **{"class": "mark"})) == 1


@pytest.mark.parametrize("plot", [forest("points"), bars("points"), curves("depth", up="points")])
def test_figures_that_are_no_shares_have_their_unit_beside_the_axis(plot: Plot) -> None:
    rows = {"a: depth 1": (None, 1.0), "a: depth 2": (None, 2.0)}
    [unit] = [one for one in drawn(table(plot, rows)).iter("text") if one.text == "points"]
    assert "axis" in unit.attrib["class"]
    shares = Table("Shares", [Row(label, None, figure(0.5, 0.1, rate=True)) for label in rows], plot)
    assert "per cent" in texts(drawn(shares))
    assert "points" not in texts(drawn(shares))


# --- Bars -------------------------------------------------------------------------------------------------------------


def test_bars_stand_in_groups_beside_the_published_ones() -> None:
    picture = drawn(
        table(BARS, {"Sueca: a: wins": (8.0, 4.0), "Sueca: b: wins": (None, 2.0), "Bisca: a: wins": (None, 1.0)})
    )
    assert {"Sueca", "Bisca", "a", "b", "published"} <= set(texts(picture))
    own = [one for one in shapes(picture, "rect") if one.get("width") != "11" and one.get("fill")]
    [old] = [one for one in shapes(picture, "rect", **{"class": "published"}) if one.get("width") != "11"]
    heights = [float(one.attrib["height"]) for one in own]
    assert heights[0] == pytest.approx(2 * heights[1], abs=0.2)
    assert float(old.attrib["height"]) == pytest.approx(2 * heights[0], abs=0.2)
    assert own[0].get("fill") == own[2].get("fill") != own[1].get("fill")
    assert len(shapes(picture, "path", **{"class": "whisker"})) == 4


def test_no_room_is_kept_for_published_bars_that_do_not_exist() -> None:
    def width(published: float | None) -> float:
        rows = {f"Sueca: {name}": (None, 4.0) for name in "abcdefgh"} | {f"Bisca: {name}": (published, 4.0) for name in "a"}
        own = [one for one in shapes(drawn(table(BARS, rows)), "rect") if one.get("width") != "11" and one.get("fill")]
        return float(own[0].attrib["width"])

    assert width(5.0) == width(None)


def test_bars_that_differ_in_a_number_have_one_colour_and_the_number_below() -> None:
    rows = {
        f"{group}: {name}, place {place}": (None, 4.0) for group in ("one", "two") for place, name in enumerate("abb", 21)
    }
    [made] = drawings(table(bars(across="place"), {**rows, "three: b": (None, 1.0)}))
    picture = ElementTree.fromstring(made.svg)
    own = [one.attrib["fill"] for one in shapes(picture, "rect") if one.get("width") != "11"]
    assert own[0] == own[3] != own[1] == own[2] == own[4] == own[5] == own[6]
    assert [text for text in texts(picture) if text in ("21", "22", "23")] == ["21", "22", "23"] * 2
    assert made.caption.endswith("The number below a bar is its place.")


def test_what_was_counted_has_no_interval() -> None:
    [made] = drawings(Table("Nodes", [Row("a", None, Estimate(4.7, 4.7, 4.7, 1, COUNTED, signed=False))], BARS))
    assert made.caption == "Ours."
    assert "whisker" not in made.svg


def test_bars_below_zero_hang_from_it() -> None:
    up, down = shapes(drawn(table(BARS, {"a": (None, 3.0), "b": (None, -3.0)})), "rect")
    assert float(up.attrib["y"]) + float(up.attrib["height"]) == pytest.approx(float(down.attrib["y"]), abs=0.2)


def test_more_groups_than_have_room_for_their_names_are_a_forest() -> None:
    rows = {f"number {place}": (None, float(place)) for place in range(20)}
    assert drawings(table(BARS, rows)) == drawings(table(FOREST, rows))


def test_an_infinite_interval_ends_at_the_edge() -> None:
    [one] = drawings(Table("Figures", [Row("a", None, Estimate(1.0, -inf, inf, 1, "deals"))], BARS))
    assert "inf" not in one.svg.split("aria-label")[1].split(">", 1)[1]


# --- Curves -----------------------------------------------------------------------------------------------------------


def test_curves_have_a_line_for_each_series_and_diamonds_for_what_was_published() -> None:
    rows = {f"{kind}: depth {depth}": (5.0 if depth == 3 else None, depth + 1.0) for kind in "ab" for depth in (1, 2, 3)}
    picture = drawn(table(curves("depth"), {**rows, "beside": (None, 9.0)}))
    assert {"a", "b", "depth", "published"} <= set(texts(picture))
    dots = shapes(picture, "circle")
    assert len(dots) == 6
    first, second, third = (float(one.attrib["cx"]) for one in dots[:3])
    assert third - second == pytest.approx(second - first, abs=0.2)
    assert len(published_marks(picture)) == 2


def test_numbers_that_span_a_hundredfold_lie_across_by_powers_of_ten() -> None:
    picture = drawn(table(curves("trees"), {f"{trees} trees": (None, 1.0) for trees in (1, 10, 100)}))
    first, second, third = (float(one.attrib["cx"]) for one in shapes(picture, "circle"))
    assert third - second == pytest.approx(second - first, abs=0.2)
    assert {"1", "10", "100"} <= set(texts(picture))


@pytest.mark.parametrize("kinds", ["a", "ab"])
def test_published_intervals_of_curves_lie_beside_each_other(kinds: str) -> None:
    rows = {f"{kind}: depth {depth}": (5.0, 1.0) for kind in kinds for depth in (1, 2)}
    picture = drawn(table(curves("depth"), rows))
    lines = shapes(picture, "path", **{"class": "whisker"})
    assert len(lines) == len(rows)
    assert len(set(across(picture, "whisker"))) == len(rows)
    assert len({one.get("style") for one in lines}) == len(kinds)
    dot = float(shapes(picture, "circle")[0].attrib["cx"])
    assert (across(picture, "whisker")[0] == dot) == (kinds == "a")


def test_what_all_series_end_in_is_not_in_the_key() -> None:
    rows = {f"trees {trees}: by {name}, against x": (None, 1.0) for name in "ab" for trees in (1, 2)}
    assert {"by a", "by b"} <= set(texts(drawn(table(curves("trees"), rows))))


def test_a_published_figure_has_the_colour_of_its_series() -> None:
    picture = drawn(table(curves("depth"), {f"{kind}: depth {depth}": (5.0, 1.0) for kind in "ab" for depth in (1, 2)}))
    assert len({one.attrib["style"] for one in published_marks(picture)}) == 2


@pytest.mark.parametrize(("kinds", "look"), [("ab", "stroke:currentColor"), ("a", None)])
def test_the_key_of_published_figures_is_a_diamond_of_no_series(kinds: str, look: str | None) -> None:
    rows = {f"{kind}: depth {depth}": (5.0, 1.0) for kind in kinds for depth in (1, 2)}
    picture = drawn(table(curves("depth"), rows))
    key, *marks = shapes(picture, "path", **{"class": "published"})
    assert shapes(picture, "rect", **{"class": "published"}) == []
    assert key.attrib["d"].split("l", 1)[1] == marks[0].attrib["d"].split("l", 1)[1]
    assert key.get("style") == look
    assert len(marks) == len(rows)


def test_our_dots_lie_on_published_diamonds() -> None:
    picture = drawn(table(curves("depth"), {f"depth {depth}": (1.0, 1.0) for depth in (1, 2)}))
    marks = list(picture)
    assert marks.index(shapes(picture, "circle")[0]) > marks.index(published_marks(picture)[-1])


def test_the_roc_table_has_a_curve_for_each_classifier() -> None:
    made = next(one for one in read_outcome(FOLDER / "cheat-models.json").tables if one.title.startswith("ROC"))
    assert drawings(made)
    assert drawings(replace(made, plot=FOREST))
    picture = drawn(replace(made, plot=ROC))
    assert {"random forest", "SVM", "neural network", "decision tree", "false alarms, per cent"} <= set(texts(picture))
    dots = shapes(picture, "circle")
    assert len({one.attrib["fill"] for one in dots}) == 4
    assert len(dots) == len(made.rows) == 4 * len({one.attrib["cx"] for one in dots})


def test_curves_of_nothing_but_zeros_are_drawn() -> None:
    rows = [Row(f"a: depth {depth}", None, Estimate(0.0, -inf, inf, 1, "positions")) for depth in (1, 2)]
    for plot in (curves("depth"), curves("depth", log=True), BARS, FOREST):
        assert drawings(Table("nodes", rows, plot))


def test_a_scale_of_powers_that_has_few_of_them_has_other_round_numbers() -> None:
    assert LogScale(270.0, 6450.0, 0.0, 400.0).ticks(6) == [500.0, 1000.0, 2000.0, 5000.0]
    assert LogScale(13.3, 24.0, 0.0, 400.0).ticks(6) == ticks(13.3, 24.0, 6)


def test_curves_without_any_number_are_not_drawn() -> None:
    assert drawings(table(curves("depth"), {"a": (None, 1.0)})) == []


def test_equal_ratios_are_equal_distances_on_a_scale_of_powers() -> None:
    scale = LogScale(1.0, 10_000.0, 0.0, 400.0)
    assert [scale(value) for value in (0.0, 1.0, 10.0, 100.0, 1e9)] == ["0.0", "0.0", "100.0", "200.0", "400.0"]
    assert scale.ticks(6) == [1.0, 10.0, 100.0, 1000.0, 10_000.0]
    assert Scale(0.0, 10.0, 0.0, 400.0).ticks(5) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
