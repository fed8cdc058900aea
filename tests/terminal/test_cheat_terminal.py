"""Cheat at the terminal: a seat sees its own cards, those a pile has shown, and what may be claimed; nothing else."""

import pytest

import facedown as fd
from cheat_positions import set_up
from facedown.terminal import drawing
from facedown.terminal.drawing import Scene
from test_terminal import cards_in, drawn, randomly_played

NAMES = ["ann", "bob"]


def known_to(state: fd.State, seat: int) -> set[str]:
    """Cards a seat may see on its screen: its own, those it laid, the open one, and those piles have shown."""
    facts = state.facts
    laid = {card for claim in facts["pile"] if claim["seat"] == seat for card in claim["cards"]}
    return {*state.hands[seat], *laid, *facts["face_up"], *facts["shown"][0], *facts["shown"][1]}


@pytest.mark.parametrize("seat", [0, 1])
def test_no_hidden_card_is_on_the_table(seat: int) -> None:
    for seed in range(3):
        for state in randomly_played(fd.load("cheat:turn_limit=40").deal(seed), seed):
            screen = drawn(drawing.table(Scene(state.view(seat), NAMES)))
            assert cards_in(screen) <= known_to(state, seat)
            assert set(state.hands[seat]) <= cards_in(screen)


def test_a_claim_is_shown_with_its_cards_to_who_laid_it_only() -> None:
    state = set_up("3C 9C", "2C 4D", "5", claims=[(0, "6", "KC"), (1, "7", "QH 7D")], stock="8H")
    own, other = (drawn(drawing.table(Scene(state.view(seat), NAMES))) for seat in (0, 1))
    assert "you: one six (K♣, a lie)" in own
    assert "seat 1 bob: two sevens" in own
    assert not {"QH", "7D"} & cards_in(own)
    assert "seat 0 ann: one six" in other
    assert "KC" not in cards_in(other)


def test_all_that_may_be_done_is_on_the_table() -> None:
    screen = drawn(drawing.table(Scene(set_up("6C 9D", "2C", "5", claims=[(1, "5", "5C")], stock="8H").view(0), NAMES)))
    for words in ("up true", "up false", "down false", "5) take   6) call", "6 up or 4 down", "1 6: 6C"):
        assert words in screen
