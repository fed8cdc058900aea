"""The reproduction book: verdicts follow from figures, and pages from outcomes."""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from math import hypot
from pathlib import Path
from typing import Any

import pytest

import facedown.cli.book as command
from facedown import stats
from facedown.errors import FacedownError
from facedown.lab.book.learnt import holding, how_many_hold, refuted_list
from facedown.lab.book.lessons import LESSONS, Lesson, in_words, shown_by
from facedown.lab.book.markdown import anchor
from facedown.lab.book.outcomes import FOLDER, Outcome, all_outcomes, claims_of, read_outcome
from facedown.lab.book.pages import book, write_book
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments import EXPERIMENTS
from facedown.lab.experiments.claims import (
    IMPOSSIBLE,
    KINDS,
    OTHER,
    Claim,
    equal,
    impossible,
    larger,
    no_difference,
    proposed,
    reading,
    smaller,
    verdict_of,
)
from facedown.lab.experiments.published import Published, between
from facedown.lab.experiments.running import undecided
from facedown.stats import Estimate
from terminals import Run

PAGES = Path(__file__).parents[2] / "docs" / "book"


def figure(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, 100, "deals")


@pytest.mark.parametrize(("value", "verdict"), [(2.0, "confirmed"), (0.5, "not decided"), (-2.0, "refuted")])
def test_a_claim_of_more_is_judged_by_the_side_on_which_the_whole_interval_lies(value: float, verdict: str) -> None:
    assert larger("a leads b", "+1.3", figure(value, 1.0)).verdict == verdict
    assert smaller("b leads a", "-1.3", figure(-value, 1.0)).verdict == verdict


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [
        (0.42, 0.01, "confirmed"),
        (0.42, 0.1, "not decided"),
        (0.6, 0.05, "refuted"),
        (0.46, 0.03, "not decided"),
        (0.48, 0.05, "not decided"),  # the figure is beyond the margin, but its interval is not
    ],
)
def test_a_claim_of_a_figure_is_decided_where_the_whole_interval_lies_within_its_margin_or_beyond(
    value: float, half: float, verdict: str
) -> None:
    assert equal("wins", Published(0.42, rate=True), figure(value, half), within=0.05).verdict == verdict


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [(0.1, 0.2, "confirmed"), (2, 0.5, "refuted"), (0.1, 3, "not decided"), (0.6, 0.5, "not decided")],
)
def test_no_difference_needs_a_narrow_interval_around_zero(value: float, half: float, verdict: str) -> None:
    assert no_difference("no gain", "n.s.", figure(value, half), within=0.5).verdict == verdict


@pytest.mark.parametrize(("printed", "ours"), [(0.02, (0.01, 0.004, 0.023)), (0.97, (0.98, 0.96, 0.999))])
def test_a_margin_beyond_none_or_all_is_no_end_of_a_share(printed: float, ours: tuple[float, float, float]) -> None:
    share = Estimate(*ours, 500, "deals", rate=True)
    claim = equal("wins", Published(printed, half=0.01, rate=True), share, within=0.03)
    assert claim.verdict == "confirmed"
    assert None in (claim.claimed or ())


def test_the_interval_of_a_printed_figure_widens_ours() -> None:
    ours = figure(0.6, 0.05)
    assert equal("wins", Published(0.42, rate=True), ours, within=0.05).verdict == "refuted"
    assert equal("wins", Published(0.42, half=0.2, rate=True), ours, within=0.05).verdict == "not decided"


def test_an_interval_without_an_end_can_still_lie_on_one_side() -> None:
    open_above = Estimate(9.0, 5.0, float("inf"), 100, "deals")
    assert larger("a leads", "", open_above).verdict == "confirmed"
    assert smaller("b leads", "", open_above).verdict == "refuted"


def test_a_bound_that_is_not_zero_is_printed() -> None:
    assert larger("wins", "", Estimate(0.6, 0.55, 0.65, 100, "deals", rate=True), 0.5).reason == "above 50 %"
    assert smaller("of 12", "", figure(5.0, 2.0), 6).reason == "below 6"
    assert larger("leads", "", figure(5.0, 2.0)).reason == ""


@pytest.mark.parametrize("value", [0.0, 2.0])
def test_a_figure_without_spread_decides_nothing(value: float) -> None:
    same = figure(value, 0.0)
    claims = [
        larger("a", "", same),
        smaller("b", "", same),
        no_difference("c", "", same, 0.5),
        equal("d", Published(0), same, 9),
    ]
    assert {claim.verdict for claim in claims} == {"not decided"}
    assert all("∞" in claim.ours for claim in claims)
    assert larger("a", "", Estimate(1.0, 1.0, 1.0, 9, "deals", rate=True), 0.5).ours == "100.0 % (0.0-100.0)"


def test_a_quick_run_decides_nothing() -> None:
    claim = undecided(larger("a leads", "+1", figure(2.0, 1.0)))
    assert (claim.verdict, claim.reason, claim.interval) == ("not decided", "a quick run decides nothing", None)
    assert undecided(impossible("b leads", "", "no people")).verdict == "not reproducible here"


def test_a_printed_range_is_a_figure_with_its_own_interval() -> None:
    printed = between(17, 21)
    assert str(printed) == "17-21 %"
    assert [printed.value, printed.half] == pytest.approx([0.19, 0.02])
    ours = equal("wins", printed, Estimate(0.15, 0.10, 0.20, 60, "deals", rate=True), within=0.06)
    assert ours.interval == pytest.approx((0.15 - hypot(0.05, 0.02), 0.15 + hypot(0.05, 0.02)))


def test_no_outcome_decides_a_claim_by_a_figure_without_spread() -> None:
    decided = [claim for one in all_outcomes().values() for claim in one.claims if claim.verdict in ("confirmed", "refuted")]
    assert decided
    assert not [claim.text for claim in decided if re.search(r"± 0(\.0*)?$", claim.ours)]


def test_an_infinite_interval_decides_nothing() -> None:
    claim = equal("wins", Published(1.0), figure(1.0, float("inf")), within=9)
    assert (claim.verdict, claim.more) == ("not decided", None)


def test_what_is_not_decided_says_how_many_times_as_many_deals_would_decide_it() -> None:
    claim = larger("a leads b", "+1.3", figure(0.5, 1.0))
    assert claim.more == pytest.approx(4)  # half the width: 0.5
    assert claim.remark == "×4"
    assert larger("a leads b", "", replace(figure(0.5, 1.0), low=0.01, high=0.99)).more is None
    assert no_difference("no gain", "n.s.", figure(1.0, 3.0), within=2.0).remark == "a difference below 2 counts as none; ×9"
    for near in (0.0, 0.01):
        assert larger("a leads b", "", figure(near, 1.0)).remark == "over ×100"
    assert not undecided(claim).more


def test_near_0_fewer_deals_decide_a_share_than_its_interval_suggests() -> None:
    def never(games: int) -> Claim:
        return smaller("never", "0", stats.win_rate(0, games), than=0.001)

    more = never(400).more or 0.0
    assert more == pytest.approx(9.6, abs=0.1)
    assert [never(int(400 * more * some)).verdict for some in (0.98, 1.02)] == ["not decided", "confirmed"]


def test_no_number_of_deals_decides_what_the_printed_spread_leaves_open() -> None:
    printed = Published(0.0, half=3.0)
    assert equal("leads", printed, figure(1.0, 4.0), within=2.0).remark == "to within 2; ×∞"
    assert equal("leads", printed, figure(1.0, 4.0), within=6.0).more == pytest.approx(1.0)  # 4² / (5² - 3²)


def test_every_experiment_has_its_place_in_a_study_and_an_outcome() -> None:
    named = [name for study in STUDIES for name in study.experiments]
    assert len(named) == len(set(named))
    assert set(all_outcomes()) == set(named) == set(EXPERIMENTS)


def test_the_pages_of_the_book_are_made_from_the_outcomes() -> None:
    files = book(all_outcomes())
    for name, text in files.items():
        assert (PAGES / name).read_text(encoding="utf-8") == text, f"facedown book --out docs/book writes {name} anew"
    drawn = {f"plots/{file.name}" for file in (PAGES / "plots").glob("*.svg")}
    assert drawn == {name for name in files if name.startswith("plots/")}


def test_every_link_of_the_book_leads_to_a_heading_or_a_picture() -> None:
    files = book(all_outcomes())
    headings = {
        name: {anchor(re.sub(r"[\[\]]|\(.*\)", "", line.lstrip("# "))) for line in text.splitlines() if line.startswith("#")}
        for name, text in files.items()
    }
    links = [(name, *link) for name, text in files.items() for link in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text)]
    assert len(links) > 200
    assert [
        (name, file, place)
        for name, file, place in links
        if (file or name) not in files or (place and place not in headings[file or name])
    ] == []


def test_outcomes_are_small_and_named_after_their_experiments() -> None:
    for file in FOLDER.glob("*.json"):
        assert file.stat().st_size < 200_000
        assert file.stem == read_outcome(file)["experiment"]


def test_stored_verdicts_follow_from_the_stored_figures() -> None:
    claims = [claim for outcome in all_outcomes().values() for claim in outcome.claims]
    judged = [claim for claim in claims if claim.verdict != IMPOSSIBLE and claim.kind != OTHER]
    assert len(judged) > 300
    assert [claim.text for claim in judged if not claim.interval or not claim.claimed] == []
    assert [
        claim
        for claim in judged
        if verdict_of(claim.interval or (None, None), claim.claimed or (None, None)) != claim.verdict
    ] == []


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_no_two_claims_of_a_study_have_the_same_words(study: Study) -> None:
    words = [claim.text for claim, _ in claims_of(study, all_outcomes())]
    assert [text for text, times in Counter(words).items() if times > 1] == []


def test_outcomes_say_how_to_make_them_again_and_what_that_costs() -> None:
    for outcome in all_outcomes().values():
        assert outcome["origin"]["command"].startswith(f"facedown reproduce {outcome['experiment']} --scale full")
        assert f"--seed {outcome['seed']}" in outcome["origin"]["command"]
        assert re.fullmatch(r"facedown [\d.]+, commit [0-9a-f]{12}", outcome["origin"]["code"])
        assert date.fromisoformat(outcome["origin"]["date"])
        assert outcome["origin"]["seconds_played"] + outcome["origin"].get("cpu_seconds", 0) > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"experiment": "../../escaped"}, "expected an experiment of the five studies in bad.json, got '../../escaped'"),
        ({"claims": [{}]}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"claims": None}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"tables": [{"title": "a"}]}, "expected an outcome that this facedown can show in bad.json, got KeyError"),
        ({"tables": "x"}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"origin": {}}, "expected an outcome that this facedown can show in bad.json, got KeyError"),
        ({"origin": None}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"title": None}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"notes": 3}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"tests": [3]}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"setup": 3}, "expected an outcome that this facedown can show in bad.json, got TypeError"),
        ({"experiment": []}, "expected an experiment of the five studies in bad.json"),
    ],
)
def test_a_damaged_outcome_is_refused_in_one_line(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({**all_outcomes()["hearts32-table-2"].data, **change}))
    with pytest.raises(FacedownError) as refused:
        all_outcomes(tmp_path)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_two_outcomes_of_one_experiment_are_refused_and_so_is_none(tmp_path: Path) -> None:
    with pytest.raises(
        FacedownError, match=r"expected outcomes that `facedown reproduce --out NAME.json` wrote in .*, got none"
    ):
        all_outcomes(tmp_path)
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text((FOLDER / "cheat-lies.json").read_text())
    with pytest.raises(FacedownError, match=r"expected one outcome of cheat-lies in .*, got another in b\.json"):
        all_outcomes(tmp_path)


def test_a_page_that_is_not_of_a_book_is_left_alone(tmp_path: Path) -> None:
    outcomes = {"cheat-lies": all_outcomes()["cheat-lies"]}
    write_book(tmp_path, outcomes)
    write_book(tmp_path, outcomes)
    (tmp_path / "README.md").write_text("my project")
    with pytest.raises(
        FacedownError, match=r"expected a folder whose README\.md is a book's, got .*, which has another README\.md"
    ):
        write_book(tmp_path, outcomes)
    assert (tmp_path / "README.md").read_text() == "my project"


def test_a_lesson_that_says_a_side_holds_only_there() -> None:
    lesson = Lesson(STUDIES[0].name, "deeper than was printed", "refuted", ("*",), "above")
    printed = Published(6.8)
    assert lesson.holds([equal("depth", printed, figure(31.9, 1.4), within=2)])
    assert not lesson.holds([equal("depth", printed, figure(1.0, 0.5), within=2)])
    assert not lesson.holds([equal("depth", printed, figure(6.8, 0.5), within=2)])
    assert lesson.holds([smaller("weaker", "", figure(64.0, 9.0), than=50)])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.text)
def test_a_lesson_in_words_has_the_verdicts_that_it_rests_on(lesson: Lesson) -> None:
    claims = shown_by(lesson, all_outcomes())
    assert lesson.holds(claims), f"say it anew, or leave it out: {[(claim.text, claim.verdict) for claim in claims]}"
    for pattern in lesson.claims:
        assert shown_by(replace(lesson, claims=(pattern,)), all_outcomes()), f"no claim is like {pattern!r}"


def test_a_lesson_needs_a_claim_that_shows_it_and_none_against_it() -> None:
    lesson = Lesson(STUDIES[0].name, "a leads", "confirmed", ("a leads*",))
    shown, against, open_claim = (
        larger("a leads", "", figure(2, 1)),
        larger("a leads", "", figure(-2, 1)),
        larger("", "", figure(0, 1)),
    )
    assert lesson.holds([shown])
    assert lesson.holds([shown, open_claim])
    assert not lesson.holds([open_claim])
    assert not lesson.holds([shown, against])
    assert not lesson.holds([])
    assert replace(lesson, verdict="not decided").holds([open_claim])
    assert not replace(lesson, verdict="not decided").holds([open_claim, shown])


def test_a_lesson_that_other_outcomes_contradict_is_left_out_of_their_book() -> None:
    outcome, study = all_outcomes()["tricks-samplers"], STUDIES[-1]
    sentence = "The possibility matrix is not a uniform sampler."
    [found] = [line for line in in_words(study, {"tricks-samplers": outcome}, page="x.md") if sentence in line]
    assert found == f"- **{sentence}** [tricks-samplers](x.md#whether-samplers-of-worlds-are-uniform)"
    data = json.loads(json.dumps(outcome.data).replace('"refuted"', '"confirmed"'))
    assert not any(sentence in line for line in in_words(study, {"tricks-samplers": Outcome(data)}))


def test_a_lesson_of_many_claims_shows_some_of_them_on_the_front_page() -> None:
    study = next(study for study in STUDIES if study.name == "bax-2020")
    lessons = {most: in_words(study, all_outcomes(), most=most) for most in (2, None)}
    start = next(place for place, line in enumerate(lessons[2]) if "Twice the iterations win more" in line)
    assert lessons[2][start + 3] == "  - and 3 more"
    assert lessons[2][start : start + 3] == lessons[None][:3]
    assert not any("more" in line and line.startswith("  - and") for line in lessons[None])


def outcome_of(claims: list[Claim]) -> dict[str, Outcome]:
    """An outcome with some claims."""
    data = {"experiment": "hearts32-table-1", "claims": [claim.to_dict() for claim in claims], "tables": []}
    return {"hearts32-table-1": Outcome(data)}


def test_how_many_hold_is_counted_from_the_claims() -> None:
    claims = [
        larger("a leads", "+1", figure(2.0, 1.0)),
        larger("b leads", "+1", figure(-2.0, 1.0)),
        larger("c leads", "+1", figure(0.0, 1.0)),
        equal("wins", Published(0.42, rate=True), figure(0.42, 0.01), within=0.05),
    ]
    assert [holding(claims, kind) for kind in KINDS] == ["1 of 2", "1 of 1", "", "", "", ""]
    claims += [proposed(larger(f"{name} is proposed", "", figure(value, 1.0))) for name, value in (("d", -2.0), ("e", 0.0))]
    claims += [reading(larger("f leads", "+1", figure(-3.0, 1.0)))]
    text = "\n".join(how_many_hold(outcome_of(claims)))
    assert "| [Determinized UCT in Hearts with 32 cards](bax-2020.md) | 2 | 1 | 1 | 0 | 0 |" in text
    assert "1 of 2 claims that one is larger than another; 1 of 1 claims of how large it is" in text
    assert refuted_list(claims) == ["- b leads: published +1, ours -2.0 ± 1.0"]
    uncertain = equal("leads", Published(0.0, half=3.0), figure(1.0, 4.0), within=2.0)
    assert "| **all** | **0** | **0** | **1** | **1** | **1** |" in "\n".join(how_many_hold(outcome_of([uncertain])))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "expected an outcome that `facedown reproduce` wrote to bad.json"),
        ("[]", "expected an outcome of an experiment in bad.json, got one without 'experiment'"),
        ('{"experiment": 1}', "expected an outcome of an experiment in bad.json, got one without 'title'"),
    ],
)
def test_a_file_that_is_no_outcome_is_refused_in_one_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(FacedownError, match=message.replace("[", r"\[")):
        all_outcomes(tmp_path)


def test_another_verdict_than_the_four_is_refused(tmp_path: Path) -> None:
    data = all_outcomes()["hearts32-table-2"].data
    claims = [{**claim, "verdict": "maybe"} for claim in data["claims"]]
    (tmp_path / "bad.json").write_text(json.dumps({**data, "claims": claims}))
    with pytest.raises(FacedownError, match="expected verdicts confirmed, refuted"):
        all_outcomes(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FacedownError, match=r"expected a file that can be written, got .*file/book.*: Not a directory"):
        command.book(out=tmp_path / "file" / "book", outcomes=FOLDER, json=False)


def test_the_command_counts_claims_by_study_and_of_all_in_80_columns(run: Run) -> None:
    head, *studies, whole, last = run("book")[1].splitlines()
    assert max(map(len, (head, *studies, whole, last))) <= 80
    assert head.split() == ["study", "confirmed", "refuted", "not", "decided", "not", "here"]
    assert len(studies) == len(STUDIES), "a line each"
    counts = [[int(number) for number in line.split()[-4:]] for line in studies]
    assert whole.split() == ["all", *(str(sum(column)) for column in zip(*counts, strict=True))]
    assert "facedown book --out FOLDER" in last
