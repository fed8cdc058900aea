"""The cards that may be clicked where cards have to be told."""

import pytest

from facedown.advisor import Session, cards_to_name
from facedown.games import load


@pytest.mark.parametrize(("game", "count"), [("hearts", 52), ("hearts32", 32), ("sueca", 40), ("bisca", 40), ("cheat", 52)])
def test_a_hand_is_among_all_cards_of_the_game(game: str, count: int) -> None:
    cards = cards_to_name(Session(load(game), 1))
    assert len(cards) == len(set(cards)) == count
    assert set(load(game).deal(3).hands[1]) <= set(cards)


def test_cards_that_are_no_playing_cards_are_named_once_each() -> None:
    cards = cards_to_name(Session(load("magic"), 0))
    assert "land" in cards
    assert len(cards) == len(set(cards))
    assert set(load("magic").deal(99).hands[0]) <= set(cards)


def test_cards_passed_to_a_seat_are_among_those_it_has_not() -> None:
    session = Session(load("hearts"), 0, "2H 3H 4H 5H 6H QS KS AS 7D 8D 9D TD JD")
    session.tell("QS", "KS", "AS")
    assert session.expects.kind == "cards"
    cards = cards_to_name(session)
    assert len(cards) == 52 - 13
    assert not {"2H", "QS", "JD"} & set(cards)


def test_where_an_action_has_to_be_told_no_cards_are_named() -> None:
    assert cards_to_name(Session(load("hearts"), 0, "2H 3H 4H 5H 6H QS KS AS 7D 8D 9D TD JD")) == []
