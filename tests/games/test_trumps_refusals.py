"""What Sueca and Bisca answer to a card, a text or an option that they do not allow: the rule, and what was expected."""

from typing import Any

import pytest

import naive_trumps as naive
from facedown import BadOption, BadText, FacedownError, IllegalMove, State, UnknownName, load, play
from positions import play as play_cards
from trump_positions import deal, late


def refusal(state: State, card: Any) -> str:
    """What is said of a card, which leaves the state as it was."""
    before = state.copy()
    with pytest.raises(IllegalMove) as refused:
        state.play(card)
    assert state == before
    return str(refused.value)


def test_a_card_that_does_not_follow_suit_is_answered_with_the_suit() -> None:
    state = play_cards(deal("sueca", {0: "AK.23.23.2345", 1: "72.A7.A7.A7KJ"}, "6D"), "AC")
    assert refusal(state, "AD") == "AD is not legal for seat 1: must follow ♣; expected one of 2C 7C"
    assert refusal(state, "4C") == "4C is not legal for seat 1: that card is not in the hand; expected one of 2C 7C"
    state = play_cards(late("bisca", ["A.-.2.-", "7.A.-.-"], trump="D"), "AC")
    assert refusal(state, "AD") == "AD is not legal for seat 1: must follow ♣; expected one of 7C"


@pytest.mark.parametrize("card", ["8C", "9D", "TS"])
def test_cards_that_are_not_in_the_pack_are_in_no_hand(card: str) -> None:
    assert f"{card} is not legal for seat 0: that card is not in the hand" in refusal(load("sueca").deal(seed=1), card)


@pytest.mark.parametrize("action", [-1, 52, 10**20, 2.0, None, [0]])
@pytest.mark.parametrize("game", ["sueca", "bisca"])
def test_what_is_no_card_is_refused(game: str, action: Any) -> None:
    assert "expected" in refusal(load(game).deal(seed=1), action)


def test_text_that_names_no_card_is_refused() -> None:
    with pytest.raises(BadText, match="expected a card such as QS, TC or 2H, got '1C'"):
        load("bisca").deal(seed=1).play("1C")


def test_nothing_may_be_played_after_the_end() -> None:
    state = play_cards(late("bisca", ["A.-.-.-", "7.-.-.-"], trump="D"), "AC 7C")
    assert refusal(state, "AC") == "expected no more actions: the game is over"


@pytest.mark.parametrize("game", naive.GAMES)
def test_every_option_is_listed_with_its_meaning_and_the_default_of_the_rulebook(game: str) -> None:
    for name, option in load(game).options.items():
        assert option.value == getattr(naive.GAMES[game], name)
        assert len(option.meaning) > 15


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bisca:seats=3", "option seats: expected one of 2, 4, got 3"),
        ("bisca:seats=true", "option seats: expected one of 2, 4, got True"),
        ("bisca:seats=two", "option seats: expected one of 2, 4, got 'two'"),
        ("bisca:hand_size=10", "option hand_size: expected one of 3, 7, 9, got 10"),
        ("bisca:match=-1", "option match: expected a whole number from 0 to 10000, got -1"),
        ("sueca:mandar_abaixo=perhaps", "option mandar_abaixo: expected true or false, got 'perhaps'"),
    ],
)
def test_a_value_that_an_option_does_not_take_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadOption) as refused:
        load(text)
    assert str(refused.value) == message


def test_numbers_that_are_written_as_fractions_are_taken_as_whole_ones() -> None:
    assert load("bisca", hand_size=7.0).full_name == "bisca:hand_size=7"


@pytest.mark.parametrize(("game", "option"), [("sueca", "seats"), ("sueca", "hand_size"), ("bisca", "mandar_abaixo")])
def test_options_of_the_other_game_are_unknown(game: str, option: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown option of {game} '{option}'; known: "):
        load(f"{game}:{option}=4")


def test_as_many_agents_are_expected_as_there_are_seats() -> None:
    with pytest.raises(FacedownError, match="expected 2 agents for bisca, got 4"):
        play("bisca", ["random"] * 4)
    with pytest.raises(FacedownError, match="expected 4 agents for bisca, got 2"):
        play("bisca:seats=4", ["random"] * 2)
    with pytest.raises(FacedownError, match="expected a seat from 0 to 1, got 2"):
        load("bisca").deal(seed=1).view(2)
