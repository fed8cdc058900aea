"""Magic at the terminal: the battlefield, lines of text, and answers cut short."""

import io

import pytest
from rich.console import Console

import facedown as fd
from facedown.state import State
from facedown.terminal.choices import chosen
from facedown.terminal.drawing import Scene, table
from magic_boards import board, play


def drawn(state: State, seat: int = 0, height: int = 24) -> str:
    """The table as a seat sees it, on a screen of so many lines."""
    console = Console(file=io.StringIO(), width=80, height=height, force_terminal=False)
    console.print(table(Scene(state.view(seat), ["human", "expert"])))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_the_battlefield_shows_both_sides_and_what_each_creature_does() -> None:
    state = board("3/3, 3/3, 2/2", "4/4, 2/4 t, 1/1", hand="land, 2/2 for 2", lands=3, life=(18, 7))
    text = drawn(play(state, "attack 3/3, attack 3/3, hold 2/2, block 3/3 #2 by 4/4"))
    for part in ("life 18", "life 7", "lands 3", "attacks", "3/3 #2", "blocks 3/3 #2", "tapped", "whom does 1/1 block?"):
        assert part in text
    assert text.index("4/4") < text.index("│3/3")  # the other side stands above
    assert max(map(len, text.splitlines())) <= 80


def test_the_other_hand_is_not_drawn() -> None:
    state = fd.load("magic").deal(seed=3)
    assert "6/6" not in drawn(state, 1) or "6/6 for 7" in state.facts["hands"][1]
    assert drawn(state, 0).count("for") == sum("for" in card for card in state.facts["hands"][0])


def test_a_crowd_of_creatures_stays_on_the_screen() -> None:
    decks = "magic:deck=17xland+23x1/1for1,deck1=17xland+23x2/2for2"
    crowd = board(", ".join(["1/1"] * 23), ", ".join(["2/2"] * 23), game=decks)
    assert drawn(crowd, height=40).count("│1/1 │") == 23
    for height in (24, 40):
        lines = drawn(crowd, height=height).splitlines()
        assert len(lines) <= height
        assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(("line", "action"), [("a", "attack 3/3"), ("H", "hold 3/3"), ("attack 3/3", "attack 3/3")])
def test_the_beginning_of_an_action_is_enough(line: str, action: str) -> None:
    view = board("3/3").view(0)
    assert [view.game.text(number) for number in chosen(view, line)] == [action]


def test_a_beginning_that_fits_two_actions_is_refused() -> None:
    with pytest.raises(fd.BadText):
        chosen(play(board("3/3, 2/2", "4/4"), "attack 3/3, attack 2/2").view(1), "b")


def test_the_beginning_of_a_card_is_not_enough() -> None:
    state = fd.load("hearts:passing=hold").deal(seed=1)
    with pytest.raises(fd.BadText):
        chosen(state.view(state.seat or 0), "q")
