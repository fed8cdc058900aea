"""Sueca and Bisca at the terminal: partner, trumps, stock and what is known, and no card that is not."""

import io
from itertools import islice

import pytest
from rich.console import Console

import facedown as fd
from facedown.arena.match import seated
from facedown.terminal import drawing
from facedown.terminal.audience import Lines
from facedown.terminal.drawing import Scene
from facedown.terminal.person import rules_of
from facedown.terminal.play import play_out
from facedown.terminal.results import result_table
from facedown.terminal.tricks import Trick
from facedown.terminal.words import trump_line
from positions import play
from test_terminal import NAMES, cards_in, drawn, game_on_screen, randomly_played
from trump_positions import deal, late

GAMES = ["sueca", "sueca:match=2", "bisca", "bisca:hand_size=3", "bisca:seats=4"]


def table(state: fd.State, seat: int = 0) -> str:
    """What a person in a seat sees."""
    return drawn(drawing.table(Scene(state.view(seat), NAMES)))


def secrets_from(state: fd.State, seat: int) -> set[str]:
    """The cards in other hands and in the stock that a seat cannot place."""
    facts = state.facts
    everything = {card for other, hand in enumerate(state.hands) if other != seat for card in hand} | set(facts["stock"])
    return everything - {facts["shown"]} - {card for held in facts["holds"] for card in held}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_no_hidden_card_is_on_the_table(game: str, seat: int) -> None:
    for state in islice(randomly_played(fd.load(game).deal(seed=seat)), 0, None, 3):
        assert not cards_in(table(state, seat)) & secrets_from(state, seat)
        assert set(state.hands[seat]) <= cards_in(table(state, seat))


@pytest.mark.parametrize("game", GAMES)
def test_the_table_fits_a_terminal_of_80_by_24(game: str) -> None:
    for state in islice(randomly_played(fd.load(game).deal(seed=1)), 0, None, 5):
        last = Trick([(seat, "KS") for seat in range(state.game.seats)], 1, 14)
        lines = drawn(drawing.table(Scene(state.view(0), NAMES, last))).splitlines()
        assert len(lines) <= 21, "room for a note of two lines and the question"
        assert max(len(line.rstrip()) for line in lines) <= 80


def test_the_partner_and_the_holder_of_the_shown_trump_are_marked() -> None:
    screen = table(deal("sueca", {0: "AK.23.23.2345"}, "6D"))
    assert "seat 2 ismcts (partner) · 0 points" in screen
    assert "10 cards, has 6♦" in screen
    assert "trump ♦   shown 6♦" in screen
    assert "partner" not in table(fd.load("bisca").deal(seed=1))


def test_the_stock_is_counted_and_the_other_hand_known_once_it_is_gone() -> None:
    assert "stock left 22" in table(fd.load("bisca").deal(seed=1))
    state = late("bisca", ["A.-.2.-", "7.A.-.-"], trump="D")
    screen = table(state)
    assert "stock" not in screen
    assert "has 7♣ A♦" in screen


def test_a_hand_lies_in_the_order_of_the_game() -> None:
    screen = table(deal("sueca", {0: "KQJ.7A.23.456"}, "2C"))
    assert "│ Q♣││ J♣││ K♣│  │ 7♦││ A♦│  │ 2♠││ 3♠│  │ 4♥││ 5♥││ 6♥│" in screen


@pytest.mark.parametrize(("game", "seat"), [("sueca", 0), ("sueca", 3), ("bisca", 1), ("bisca:seats=4,match=1", 2)])
def test_a_whole_game_can_be_played_on_a_screen(game: str, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("test_terminal.secrets_from", secrets_from)
    screen = game_on_screen(game, ["hint", "why", "history", "help", "rules"], seat)
    assert len(screen.frames) > 20
    assert any("Cards rank A 7 K J Q 6 5 4 3 2" in frame for frame in screen.frames)


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ([70, 50, 70, 50], "you and seat 2 win"),
        ([50, 70, 50, 70], "seat 1 and seat 3 win"),
        ([60, 60, 60, 60], "you, seat 1, seat 2 and seat 3 share the win"),
    ],
)
def test_partners_win_together(scores: list[float], words: str) -> None:
    game = fd.load("sueca")
    assert game.sides == [0, 1, 0, 1]
    assert words in drawn(result_table(game, NAMES, scores, 0))


def test_rules_are_those_of_both_games() -> None:
    assert "They rank A 7 K J Q 6 5 4 3 2" in drawn(rules_of(fd.load("bisca")))


# --- Lines --------------------------------------------------------------------------------------------------------------


def told(game: str, seat: int | None) -> list[str]:
    """The lines of a game of random players."""
    console = Console(file=io.StringIO(), width=80)
    state = fd.load(game).deal(seed=3)
    play_out(state, seated(["random"] * state.game.seats, state.game, 3), Lines(console, console, seat, seat))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(("game", "tricks"), [("sueca", 10), ("bisca", 20), ("bisca:seats=4", 10)])
def test_a_game_is_told_in_a_line_for_each_trick(game: str, tricks: int) -> None:
    assert sum(line.startswith("trick") for line in told(game, None)) == tricks


def test_each_deal_is_told_with_its_trumps() -> None:
    facts = fd.load("sueca").deal(seed=3).facts
    trump, shown = facts["trump"], facts["shown"]
    assert f"trump {trump}, shown {shown} (seat 3), partner seat 2" in told("sueca", 0)
    assert f"trump {trump}, shown {shown} (you), partner seat 1" in told("sueca", 3)
    facts = fd.load("bisca").deal(seed=3).facts
    assert f"trump {facts['trump']}, shown {facts['shown']}, stock 22" in told("bisca", None)
    lines = told("sueca:match=3", None)
    assert sum(line.startswith("trump") for line in lines) == 1 + sum("this deal" in line for line in lines) > 1


def test_the_shown_card_is_told_without_a_holder_once_it_is_played() -> None:
    state = play(late("sueca", ["2.-.-.2", "3.-.-.3", "5.-.-.4", "6.-.-.5"], trump="D"), "2C")
    line = trump_line(state.view(0).table, 0)
    assert line is not None
    assert line.plain == "trump ♦, shown 2♦, partner seat 2"
    assert trump_line(fd.load("hearts").deal(seed=1).table, None) is None
