"""What Hearts answers to a card, a text or an option that it does not allow: the rule, and what was expected."""

from dataclasses import asdict
from typing import Any

import pytest

import naive
from facedown import BadOption, BadText, IllegalMove, State, UnknownName, load
from positions import deal, late, play

HOLD = "hearts:passing=hold"
ANY_LEAD = "hearts:passing=hold,lowest_club_leads=false"


def refusal(state: State, card: Any) -> str:
    """What is said of a card, which leaves the state as it was."""
    before = state.copy()
    with pytest.raises(IllegalMove) as refused:
        state.play(card)
    assert state == before
    return str(refused.value)


def test_an_illegal_card_is_answered_with_the_rule_it_would_break() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A", 1: "3.432.QJ.KQJT987", 2: "-.-.KT98765432.654"})
    assert refusal(state, "AD") == "AD is not legal for seat 0: the first trick is opened with 2C; expected one of 2C"
    assert refusal(state, "3C") == "3C is not legal for seat 0: that card is not in the hand; expected one of 2C"
    play(state, "2C")
    assert refusal(state, "2D") == "2D is not legal for seat 1: must follow ♣; expected one of 3C"
    play(state, "3C")
    barred = "no card that scores may be played on the first trick while another can be"
    assert refusal(state, "6H").startswith(f"6H is not legal for seat 2: {barred}; expected one of 2S 3S")
    play(state, "2S 4C")
    unbroken = "hearts have not been broken, and another suit is held"
    assert refusal(state, "2H").startswith(f"2H is not legal for seat 3: {unbroken}; expected one of 5C 6C")


def test_points_on_the_first_trick_are_refused_as_such_also_when_led_or_following() -> None:
    barred = "no card that scores may be played on the first trick while another can be"
    state = deal(ANY_LEAD + ",break_hearts=false", {0: "2.AKQJT98765.A.A", 1: "-.432.QJ9.KQJT987"})
    assert refusal(state, "AH").startswith(f"AH is not legal for seat 0: {barred};")
    assert refusal(play(state, "AS"), "QS") == f"QS is not legal for seat 1: {barred}; expected one of 9S JS"
    assert refusal(state, "2D") == "2D is not legal for seat 1: must follow ♠; expected one of 9S JS"


@pytest.mark.parametrize("action", [-1, 52, 53, 10**20, 2.0, None, [0], "??"])
def test_what_is_no_card_is_refused(action: Any) -> None:
    assert "expected" in refusal(deal(HOLD, {0: "2.AKQJT98765.A.A"}), action)


def test_text_that_names_no_card_is_refused() -> None:
    state = deal(HOLD, {0: "2.AKQJT98765.A.A"})
    with pytest.raises(BadText, match="expected a card such as QS, TC or 2H, got '1C'"):
        state.play("1C")
    assert state.history == []


def test_nothing_may_be_played_after_the_end() -> None:
    state = play(late("hearts", ["A.-.-.-", "-.-.Q.-", "-.-.-.7", "-.-.-.8"]), "AC QS 7H 8H")
    assert refusal(state, "AC") == "expected no more actions: the game is over"


# --- Options --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", naive.GAMES)
def test_every_option_is_listed_with_its_meaning_and_the_default_of_the_rulebook(game: str) -> None:
    options = load(game).options
    agreed = {key: value for key, value in asdict(naive.GAMES[game]).items() if key != "cards"}
    assert {name: option.value for name, option in options.items()} == agreed
    assert all(len(option.meaning) > 15 for option in options.values())


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("passing", "up"),
        ("passing", 1),
        ("moon", "yes"),
        ("moon", 2),
        ("match", -1),
        ("match", 1.5),
        ("match", True),
        ("match", "100"),
        ("match", float("nan")),
        ("match", float("inf")),
        ("match", 10**9),
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused(option: str, value: Any) -> None:
    with pytest.raises(BadOption, match=f"option {option}: expected .*, got "):
        load("hearts", **{option: value})


def test_an_unknown_option_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match=r"unknown option of hearts 'jokers'; known: break_hearts, early_end, .* passing"):
        load("hearts", jokers=2)
