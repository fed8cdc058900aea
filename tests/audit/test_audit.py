"""The leak audit: games that are right pass it, and each planted fault is found by the check it belongs to.

Seeds are fixed, so nothing here fails by chance. With other seeds, a correct game would fail the check of uniform drawing
once in a thousand audits; the other checks have no false alarms.
"""

import io
import json
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import coin_guess
import facedown as fd
import little_duel
import planted_faults
from facedown import cli
from facedown.adapters.open_spiel import OpenSpielGame
from facedown.audit import AuditReport, audit, worlds
from facedown.audit.trial import UNCHECKED
from facedown.kernel import COMPILED

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "little_knaves.py")
DEALS = 3  # of little games
FEW = 2  # of larger ones

pytestmark = pytest.mark.skipif(not COMPILED, reason="audits draw so many worlds that they take minutes when interpreted")
beside_open_spiel = pytest.mark.skipif(not find_spec("pyspiel"), reason="OpenSpiel is not installed")


def printed(report: AuditReport) -> str:
    out = io.StringIO()
    Console(file=out, width=300).print(report.table())
    return out.getvalue()


def words(report: AuditReport, name: str) -> str:
    """The example of a check that must have failed."""
    example = report[name].example
    assert example is not None
    return str(example)


# --- Games that are right ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", fd.games())
def test_every_game_passes(name: str) -> None:
    report = audit(name, deals=FEW)
    assert report.passed, printed(report)
    assert report["replay"].looked_at > 0
    assert report["hide"].looked_at > 0
    assert report["replay"].remark == ""


@pytest.mark.parametrize(
    "options", ["passing=right", "passing=across,queen_breaks_hearts=true", "match=30,first_trick_points=true"]
)
def test_hearts_passes_with_other_options(options: str) -> None:
    report = audit(f"hearts:{options}", deals=1, seed=5)
    assert report.passed, printed(report)


@pytest.mark.parametrize(
    "game", [EXAMPLE, coin_guess.GAME, little_duel.GAME], ids=["little-knaves", "coin-guess", "little-duel"]
)
def test_strangers_games_pass_with_an_agent(game: Any) -> None:
    report = audit(game, "ismcts:iterations=60" if game == EXAMPLE else "random", deals=FEW)
    assert report.passed, printed(report)
    assert [finding.name for finding in report.findings] == [*("limits", "replay", "complete", "uniform", "hide", "choice")]
    assert report["limits"].remark == ("" if game == EXAMPLE else UNCHECKED)
    assert not any(finding.skipped for finding in report.findings)
    assert report["complete"].looked_at > report["complete"].positions > 0


def test_the_same_seed_gives_the_same_report() -> None:
    first, again = (audit(little_duel.GAME, "random", deals=1, seed=3).to_dict() for _ in range(2))
    assert first == again
    assert first != audit(little_duel.GAME, "random", deals=1, seed=4).to_dict()


# --- Planted faults -----------------------------------------------------------------------------------------------------


def test_a_field_that_hide_forgets_is_found() -> None:
    report = audit(planted_faults.forgetful(), deals=1)
    assert not report["hide"].passed
    assert "the view distinguishes hidden cards: rest is " in words(report, "hide")


def test_what_only_a_spectator_is_shown_is_found() -> None:
    report = audit(planted_faults.hasty(), deals=1)
    assert not report["hide"].passed
    assert "a spectator's view distinguishes hidden cards: hands[0] is " in words(report, "hide")


def test_a_void_that_unseen_ignores_is_found() -> None:
    report = audit(planted_faults.without_voids(), deals=DEALS)
    assert not report["replay"].passed
    assert "a world that is impossible: action " in words(report, "replay")
    assert " could not have been played: " in words(report, "replay")
    assert not report["complete"].passed
    assert "counted as a world, but impossible" in words(report, "complete")
    assert report["hide"].passed
    share = report["replay"].share
    assert share is not None
    assert 0 < share.low < share.value < share.high


def test_a_world_that_unseen_leaves_out_is_found() -> None:
    report = audit(planted_faults.too_sure(), deals=DEALS)
    assert "the real state is not one of the worlds: hands[" in words(report, "replay")
    assert "possible, but not counted as a world: holder " in words(report, "complete")


def test_a_place_that_ignores_what_was_drawn_is_found() -> None:
    report = audit(planted_faults.lossy(), deals=1)
    assert "`place` loses some of the cards drawn" in words(report, "complete")


def test_answers_that_allow_no_world_are_found() -> None:
    report = audit(planted_faults.overfull(), deals=1)
    assert not report["replay"].passed
    assert "no world can be drawn: expected a position with at least one possible world" in words(report, "replay")
    assert not report["hide"].passed


@pytest.fixture
def other_sampler(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let views draw their worlds by another sampler."""
    drawn = fd.View.sample_many

    def choose(sampler: str, **extra: Any) -> None:
        monkeypatch.setattr(fd.View, "sample_many", lambda view, count, rng: drawn(view, count, rng, sampler, **extra))

    return choose


def test_a_biased_sampler_is_found_world_by_world(other_sampler: Callable[..., None]) -> None:
    weights = [[1.0 + (card % 2) for card in range(64)]] * 3
    other_sampler("biased-matrix", beliefs=weights)
    report = audit(little_duel.GAME, deals=DEALS)
    assert not report["uniform"].passed
    assert report["uniform"].p is not None
    assert report["uniform"].p < 1e-6
    assert " worlds: " in words(report, "uniform")
    assert "times, not about" in words(report, "uniform")
    assert report["replay"].passed
    assert report["complete"].passed


def test_a_biased_sampler_is_found_card_by_card(other_sampler: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "MOST_COUNTED", 1)
    other_sampler("biased-matrix", beliefs=[[1.0 + 0.3 * (card % 2) for card in range(64)]] * 4)
    report = audit("hearts32", deals=1)
    assert not report["uniform"].passed
    assert "hands[" in words(report, "uniform")


def test_a_sampler_that_forgets_voids_is_found(other_sampler: Callable[..., None]) -> None:
    other_sampler("cards-played")
    report = audit("hearts32", deals=FEW)
    assert not report["replay"].passed
    assert "it goes against what was known at the deal: hands[1] has not 7C, which it is known to have" in words(
        report, "replay"
    )


# --- Agents -------------------------------------------------------------------------------------------------------------


class Peeker(fd.Agent):
    """Looks at the last state that anybody made a view of, kept in a global."""

    name = "peeker"
    last: fd.State

    def choose(self, view: fd.View) -> int:
        return view.legal[hash(str(Peeker.last.hands[1 - view.seat])) % len(view.legal)]


class FrameReader(fd.Agent):
    """Looks for a state among the variables of its callers."""

    name = "frame-reader"

    def choose(self, view: fd.View) -> int:
        frame = sys._getframe(1)
        while not (found := [value for value in frame.f_locals.values() if isinstance(value, fd.State)]):
            assert frame.f_back is not None
            frame = frame.f_back
        return view.legal[hash(str(found[0].hands[1 - view.seat])) % len(view.legal)]


class Moody(fd.Agent):
    """Chooses by how often it was asked."""

    name = "moody"
    asked = 0

    def choose(self, view: fd.View) -> int:
        self.asked += 1
        return view.legal[self.asked % len(view.legal)]


@pytest.fixture
def kept_states(monkeypatch: pytest.MonkeyPatch) -> None:
    make = fd.State.view

    def view(state: fd.State, seat: int) -> fd.View:
        Peeker.last = state
        return make(state, seat)

    monkeypatch.setattr(fd.State, "view", view)


@pytest.mark.usefixtures("kept_states")
def test_an_agent_that_looks_into_a_global_is_found() -> None:
    report = audit(little_duel.GAME, Peeker(), deals=1)
    assert [finding.name for finding in report.findings if not finding.passed] == ["choice"]
    assert "the agent chooses " in words(report, "choice")
    assert " when hands[" in words(report, "choice")


def test_an_agent_that_reads_its_callers_is_found() -> None:
    assert not audit(little_duel.GAME, FrameReader(), deals=1)["choice"].passed


def test_an_agent_that_cannot_repeat_itself_is_found() -> None:
    report = audit(little_duel.GAME, Moody(), deals=1)
    assert "the same view and seed gave two different choices" in words(report, "choice")


def test_an_agent_that_is_declared_to_see_all_is_not_asked() -> None:
    report = audit("hearts32", "uct", deals=1)
    assert report.passed
    assert report["choice"].skipped
    assert report["choice"].remark == "uct is declared to see all cards"


# --- OpenSpiel ----------------------------------------------------------------------------------------------------------


def broken_void(position: Any, world: Any) -> bool:
    """Whether a seat holds a suit in a world that it did not follow; in a game without passing, by lists of cards."""
    texts = [text[-2:] for text in map(world.action_to_string, world.history()[1:])]
    hands = [set(texts[:52][seat::4]) for seat in range(4)]
    void: set[tuple[int, str]] = set()
    trick: list[tuple[int, str]] = []
    seat = next(seat for seat in range(4) if "2C" in hands[seat])
    for card in position.texts:
        hands[seat].remove(card)
        trick.append((seat, card))
        led = trick[0][1][1]
        if card[1] != led:
            void.add((seat, led))
        seat = (seat + 1) % 4
        if len(trick) == 4:
            seat = max((("23456789TJQKA".index(card[0]), seat) for seat, card in trick if card[1] == led))[1]
            trick = []
    return any((seat, card[1]) in void for seat in range(4) for card in hands[seat])


@beside_open_spiel
def test_open_spiels_worlds_contradict_shown_voids() -> None:
    game = OpenSpielGame("open-spiel:hearts:pass_cards=false")
    impossible = broken = 0
    for position in game.positions(4, 1):
        for world in position.sample(5):
            broken += broken_void(position, world)
            impossible += position.why_impossible(world) is not None
            assert position.why_impossible(world) is not None or not broken_void(position, world)
    assert 0 < broken <= impossible
    assert broken > 0.9 * impossible


@beside_open_spiel
def test_the_audit_finds_the_fault_of_open_spiels_hearts() -> None:
    report = audit(OpenSpielGame("hearts"), deals=6)
    assert not report.passed
    assert "did not follow" in words(report, "replay")
    share = report["replay"].share
    assert share is not None
    assert 0.05 < share.low < share.high < 0.8
    assert report["hide"].passed
    assert report["uniform"].skipped
    assert "the other program does not count its worlds" in printed(report)


@beside_open_spiel
def test_other_games_of_open_spiels() -> None:
    assert audit(OpenSpielGame("leduc_poker"), deals=3).passed
    with pytest.raises(
        fd.UnknownName, match=r"unknown game of OpenSpiel's that draws worlds 'chess'; known: euchre, hearts"
    ):
        OpenSpielGame("open-spiel:chess")
    with pytest.raises(fd.FacedownError, match="expected no agent with a game of another program, got random"):
        audit(OpenSpielGame("hearts"), "random", deals=1)


# --- The report and the command -----------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as exit:
        cli.main(["audit", *arguments])
    out, err = capsys.readouterr()
    return int(exit.value.code or 0), out, err


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, f"{little_duel.__file__}:GAME", "random", "--deals", "1")
    assert (code, err) == (0, "")
    assert out.startswith("little-duel, random: 1 deals, seed 0: nothing found\n")
    assert out.count(" passed ") == 6
    assert "\x1b" not in out


@beside_open_spiel
def test_the_command_prints_json_and_exits_with_1_when_a_fault_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "open-spiel:hearts", "--deals", "3", "--seed", "2", "--json")
    assert (code, err) == (1, "")
    report = json.loads(out)
    assert (report["passed"], report["deals"], report["seed"]) == (False, 3, 2)
    replay = report["findings"][0]
    assert replay["failures"] > 0
    assert replay["example"]["actions"]
    assert replay["share"]["unit"] == "deals"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "unknown game 'chess'"),
        (["hearts", "nobody"], "unknown agent 'nobody'"),
        (["hearts", "--deals", "0"], "option deals: expected a whole number from 1 up, got 0"),
        (["hearts", "--seed", "x"], "expected a seed that is a whole number from 0 up, got 'x'"),
        (["open-spiel:chess"], "unknown game of OpenSpiel's that draws worlds 'chess'; known: euchre, hearts"),
        pytest.param(["open-spiel:hearts:foo=1"], "unknown option of hearts 'foo'", marks=beside_open_spiel),
    ],
)
def test_a_mistake_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_without_open_spiel_one_line_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    code, out, err = run(capsys, "open-spiel:hearts")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "facedown[openspiel]" in err


def test_deals_must_be_at_least_one() -> None:
    with pytest.raises(fd.FacedownError, match="expected at least one deal, got 0"):
        audit("hearts", deals=0)


def test_progress_is_told_by_check_with_the_fraction_done() -> None:
    told: list[tuple[str, float | None]] = []
    audit(coin_guess.GAME, "random", deals=2, progress=lambda text, fraction: told.append((text, fraction)))
    assert told[:2] == [("coin-guess: limits", None), ("coin-guess: playing", None)]
    assert {text.partition(": ")[2] for text, _ in told} == {
        *("limits", "playing", "replay", "complete", "uniform", "hide", "choice")
    }
    assert all(fraction is None or 0 <= fraction < 1 for _, fraction in told)
