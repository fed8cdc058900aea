"""Choosing at the table: by number, with the arrow keys, and by Enter alone; in a terminal where a person would."""

import io
import os
import pty
import re
import signal
import termios
import threading

import pytest

import facedown as fd
from facedown.games.speech import face
from facedown.terminal.choices import Choices, chosen
from facedown.terminal.keys import key_by_key, keys_can_be_read, read_arrow, read_letter
from facedown.terminal.menu import Menu, menu_of
from magic_boards import board
from positions import deal
from terminals import NORMAL, Open, Terminal
from test_terminal import game_on_screen

RIGHT, LEFT = "\x1b[C", "\x1b[D"


def names(view: fd.View, line: str) -> list[str]:
    return [view.game.text(action) for action in chosen(view, line)]


# --- Numbers ------------------------------------------------------------------------------------------------------------


def test_a_number_is_the_place_of_a_card_in_the_hand() -> None:
    view = fd.load("hearts").deal(seed=7).view(0)
    hand = view.hand(0)
    assert names(view, "3") == [hand[2]]
    assert names(view, "1, 13 2") == [hand[0], hand[12], hand[1]]


def test_the_number_of_a_card_that_may_not_be_played_is_refused_with_the_reason() -> None:
    state = deal("hearts:passing=false", {0: "2.AK.AKQ.AKQJT98"})
    (action,) = chosen(state.view(0), "2")
    with pytest.raises(fd.IllegalMove, match="the first trick is opened with 2C"):
        state.play(action)


@pytest.mark.parametrize("number", ["0", "14", "99999999999999999999"])
def test_a_number_that_is_not_there_is_refused(number: str) -> None:
    with pytest.raises(fd.BadText, match=f"expected a number from 1 to 13, got {number}"):
        chosen(fd.load("hearts").deal(seed=7).view(0), number)


def test_a_menu_is_numbered_where_no_cards_are_played() -> None:
    view = board(hand="land, 2/2 for 2", lands=2).view(0)
    assert menu_of(view).choices == ["land", "2/2 for 2", "done"]
    assert [names(view, number) for number in "123"] == [["land"], ["2/2 for 2"], ["done"]]
    assert names(view, "2/") == ["2/2 for 2"], "the beginning of an action is more than a number"


def test_in_cheat_two_numbers_are_a_claim_and_one_is_a_choice() -> None:
    view = fd.load("cheat").deal(seed=3).view(0)
    assert names(view, "1") == [menu_of(view).choices[0]]
    assert names(view, "4 2") == ["4 2"]


def test_numbers_that_are_actions_themselves_stay_what_they_are() -> None:
    assert Menu(["QS", "AH"], ["1", "2", "pass"]).numbers == {}
    assert Menu(["QS", "AH"], ["1", "2", "pass"]).choices == ["1", "2", "pass"]


def test_numbers_stay_the_same_while_cards_are_collected() -> None:
    turn = Choices(fd.load("hearts").deal(seed=7).view(0))
    hand = turn.first_view.hand(0)
    turn.add(chosen(turn.view, "1", turn.menu))
    turn.add(chosen(turn.view, "2", turn.menu))
    assert turn.texts == hand[:2]
    assert turn.wanted == 3


def test_enter_plays_the_only_card_there_is() -> None:
    screen = game_on_screen("hearts:passing=false", [])
    forced = [prompt for prompt in screen.prompts if prompt.startswith(" only ")]
    assert forced
    assert all("Enter plays it" in prompt for prompt in forced)


def test_enter_plays_nothing_where_there_is_a_choice() -> None:
    screen = game_on_screen("hearts32", ["", "", ""])
    assert screen.prompts[0].startswith(" only ")
    assert screen.prompts[1:4] == [" your turn by number, text or arrow keys (? for help): "] * 3


# --- Keys ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "key"), [("[A", "up"), ("OB", "down"), ("[C", "right"), ("[D", "left"), ("[3~", ""), ("", "")]
)
def test_arrow_keys_are_told_from_others(typed: str, key: str) -> None:
    reader, writer = os.pipe()
    os.write(writer, typed.encode())
    assert read_arrow(reader) == key
    os.close(writer)
    assert read_letter(reader) == "\x04", "nothing is left"
    os.close(reader)


def test_a_letter_of_several_bytes_is_one_key() -> None:
    reader, writer = os.pipe()
    os.write(writer, "♠2".encode())
    assert [read_letter(reader), read_letter(reader)] == ["♠", "2"]
    os.close(reader)
    os.close(writer)


def begun(terminal: Open, game: str, *more: str) -> Terminal:
    found = terminal("play", game, "random", "--seed", "7", "--delay", "0", "--no-store", "--no-review", *more)
    found.wait_for("? for help")
    return found


def left(game: Terminal, keys: str = "quit\n") -> str:
    """Leave, and make sure that the terminal is as it was."""
    game.type(keys)
    assert game.exit_code() == 0
    return game.shown


def plain(game: Terminal) -> str:
    """What has been shown, without its colours."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", game.shown)


def is_line_by_line(game: Terminal) -> bool:
    """Whether the terminal shows what is typed, and hands it over line by line."""
    modes = termios.tcgetattr(game.keyboard)[3]
    return bool(modes & termios.ICANON) and bool(modes & termios.ECHO)


def wait_for_keys(game: Terminal) -> None:
    """Read until the terminal hands over keys as they come."""
    for _ in range(600):
        if not is_line_by_line(game):
            return
        game.read()
    raise AssertionError("the terminal stays line by line")


def answered(game: Terminal, keys: str, reply: str) -> None:
    """Type, and read what is shown after it."""
    before = len(game.shown)
    game.type(keys)
    for _ in range(600):
        if reply in game.shown[before:]:
            return
        game.read()
    raise AssertionError(game.shown[before:][-2000:])


def test_arrow_keys_point_and_enter_chooses(terminal: Open) -> None:
    hand = fd.load("hearts").deal(seed=7).hands[0]
    game = begun(terminal, "hearts")
    answered(game, RIGHT, "═1═")
    answered(game, RIGHT, "═2═")
    answered(game, "\n", "choose 2 more")
    answered(game, LEFT, "13═")
    answered(game, "\n", "choose 1 more")
    answered(game, "1\n", "Enter sends")
    assert f"chosen 3 of 3: {face(hand[1])} {face(hand[12])} {face(hand[0])}" in plain(game)
    answered(game, "\n", "? for help")
    assert NORMAL in left(game)
    assert is_line_by_line(game)


def test_text_is_edited_as_ever_after_its_first_letter(terminal: Open) -> None:
    hand = fd.load("hearts").deal(seed=7).hands[0]
    game = begun(terminal, "hearts")
    answered(game, f"x\x7f{hand[4]}x{LEFT} {hand[3]} \x1b[F\x7f\n", "choose 1 more")
    assert f"chosen 2 of 3: {face(hand[4])} {face(hand[3])}" in plain(game)
    left(game)


def test_what_is_typed_ahead_is_not_lost(terminal: Open) -> None:
    game = begun(terminal, "hearts")
    answered(game, "1\n2\n3\n", "Enter sends")
    left(game, "undo\nquit\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_left_as_it_was_found(terminal: Open, number: signal.Signals) -> None:
    game = begun(terminal, "hearts")
    answered(game, RIGHT, "╔")
    wait_for_keys(game)
    game.process.send_signal(number)
    assert game.exit_code() == (0 if number == signal.SIGINT else 128 + number)
    assert NORMAL in game.shown
    assert is_line_by_line(game)


def test_a_program_that_was_stopped_goes_on_where_it_was(terminal: Open) -> None:
    """As after Ctrl-Z and fg: a shell has set the terminal line by line meanwhile."""
    game = begun(terminal, "hearts")
    answered(game, RIGHT, "═1═")
    game.process.send_signal(signal.SIGSTOP)
    modes = termios.tcgetattr(game.keyboard)
    modes[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(game.keyboard, termios.TCSANOW, modes)
    game.process.send_signal(signal.SIGCONT)
    wait_for_keys(game)
    answered(game, RIGHT, "═2═")
    left(game)


def test_a_stopped_program_draws_again_when_it_waits_for_a_key_and_not_in_the_middle_of_something() -> None:
    keyboard, screen = pty.openpty()
    drawn: list[str] = []
    with key_by_key(screen, lambda: drawn.append("again")) as keys:
        signal.raise_signal(signal.SIGCONT)
        assert drawn == []
        assert not termios.tcgetattr(screen)[3] & termios.ICANON
        threading.Timer(0.2, os.write, (keyboard, b"x")).start()
        assert keys.next() == "x"
    assert drawn == ["again"]
    assert termios.tcgetattr(screen)[3] & termios.ICANON
    os.close(keyboard)
    os.close(screen)


def test_without_a_terminal_no_keys_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert not keys_can_be_read()
