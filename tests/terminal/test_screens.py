"""Every screen of whole games fits the terminal: nothing is torn, nothing scrolls away, and what may be done is there."""

import io
import random
import re
from functools import partial
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

import facedown as fd
from cheat_positions import set_up
from facedown.analysis.advice import advice
from facedown.arena.match import seated
from facedown.terminal import person as terminal_person
from facedown.terminal.person import Person
from facedown.terminal.play import play_out
from facedown.terminal.screen import Screen
from magic_boards import board, play
from test_terminal import KNAVES

GAMES = ["hearts", "hearts32", "hearts:match=30", "sueca", "bisca", "bisca:seats=4", "cheat", "magic", KNAVES]
SIZES = [(80, 24), (120, 40)]


class Measured(Screen):
    """A screen that a person plays at by chance, and whose every frame must fit."""

    def __init__(self, width: int, height: int, seat: int = 0, delay: float = 0.0) -> None:
        console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system="truecolor")
        super().__init__(console, seat, delay)
        self.chance = random.Random(width)
        self.frames: list[str] = []
        self.table = ""
        self.commands = ["zz", "rules", "history", "why last", "why", "hint", "?"]

    def shown(self) -> list[str]:
        """The lines on the screen since it was cleared."""
        assert isinstance(self.console.file, io.StringIO)
        text = self.console.file.getvalue().rpartition("\x1b[2J")[2]
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text).splitlines()

    def check(self) -> None:
        lines = self.shown()
        self.frames.append("\n".join(lines))
        assert len(lines) < self.console.height, "a line is left for the question\n" + self.frames[-1]
        assert max(map(cell_len, lines), default=0) <= self.console.width, self.frames[-1]
        for line in lines:
            for left, right in ("╭╮", "╰╯", "╔╗", "╚╝"):
                assert line.count(left) == line.count(right), self.frames[-1]

    def draw(self, view: Any, note: RenderableType | None = None, *how: Any, **more: Any) -> None:
        super().draw(view, note, *how, **more)
        self.check()
        self.table = self.frames[-1]

    def page(self, content: RenderableType) -> None:
        super().page(content)
        self.check()

    def choose(self, prompt: str, choices: Any, point: Any) -> str | None:
        assert cell_len(prompt) < self.console.width
        if "Enter" in prompt:
            return ""
        for choice in choices:
            assert seen_in(self.table, choice), f"{choice} may be chosen, and is not on the screen\n{self.table}"
        point(choices[-1])
        if self.commands and self.chance.random() < 0.3:
            return self.commands.pop()
        return str(self.chance.choice(choices))

    def ask(self, prompt: str) -> str | None:
        return ""


def seen_in(screen: str, choice: str) -> bool:
    """Whether a choice is there, as a card or in words; claims are there by number."""
    if re.fullmatch("[2-9TJQKA][CDSH]", choice):
        choice = choice[0].replace("T", "10") + "♣♦♠♥"["CDSH".index(choice[1])]
    if choice.startswith(("up ", "down ")):
        return choice.rpartition(" ")[0] in screen
    return choice in screen or bool(re.search(r"\d\) " + re.escape(choice), screen))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", GAMES)
def test_every_screen_of_a_game_fits(name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_person, "advice", partial(advice, iterations=50))
    for seed in range(2 if size == SIZES[0] else 1):
        state = fd.load(name).deal(seed)
        seat = seed % state.game.seats
        screen = Measured(*size, seat)
        players = seated(["random"] * state.game.seats, state.game, seed)
        players[seat] = Person(screen, players[seat])
        play_out(state, players, screen)
        assert state.over
        assert len(screen.frames) > 5


# --- Crowds -----------------------------------------------------------------------------------------------------------


def seen(state: fd.State, seat: int, note: str = "a note") -> str:
    """What a person in a seat has on a screen of 80 by 24."""
    screen = Measured(80, 24, seat)
    screen.meet(seated(["random"] * state.game.seats, state.game, 0))
    screen.draw(state.view(seat), Text(note))
    assert note[:70] in screen.frames[-1]
    return screen.frames[-1]


def attacked(creatures: str) -> fd.State:
    """A board of the same creatures on both sides, after all of the active seat's have attacked."""
    state = board(creatures, creatures, hand="land, land, land", lands=7, life=(18, 7))
    while state.facts["phase"] == "attack":
        state.play(next(action for action in state.legal if state.game.text(action).startswith("attack")))
    return state


DECK = "6/6, 5/5, 5/5, 5/3, 4/4, 4/4, 2/4, 3/3, 3/3, 3/3, 3/2, 3/2, 2/3, 2/3, 2/3, 1/3, 2/2, 2/2, 2/2, 2/1, 2/1, 1/1, 1/1"


@pytest.mark.parametrize("creatures", ["3/3", "3/3, 2/2, 1/1", DECK[:53], DECK])
def test_both_lives_and_all_blocks_stay_on_the_screen(creatures: str) -> None:
    state = attacked(creatures)
    screen = seen(state, 1, "x" * 79)
    assert "life 18" in screen
    assert "life 7" in screen
    assert len(re.findall(r"\d\) ", screen)) == len(state.legal)
    assert re.search(r"\d\) no block", screen)


def test_all_that_magic_allows_is_in_the_menu() -> None:
    state = board(hand="land, 2/2 for 2, 3/3 for 4, 6/6 for 7", lands=4)
    assert "1) land  2) 3/3 for 4  3) 2/2 for 2  4) done" in seen(state, 0)
    assert "land  2)" in seen(play(state, "2/2 for 2"), 0)


def test_a_hand_of_forty_cards_and_a_long_pile_fit() -> None:
    ranks = "23456789TJQKA"
    hand = " ".join(f"{rank}{suit}" for rank in ranks for suit in "CDS")
    state = set_up(hand, "2H 3H", "5", claims=[(turn % 2, ranks[3 + turn % 2], f"{ranks[turn + 4]}H") for turn in range(7)])
    screen = seen(state, 0, "x" * 200)
    assert "last named" in screen
    assert re.search(r"\d\) call", screen)


def test_a_long_refusal_leaves_the_table_on_the_screen() -> None:
    state = fd.load("hearts").deal(seed=1)
    screen = seen(state, 0, "x" * 400)
    assert "▶ you" in screen
    assert all(f"{card[0].replace('T', '10')}{'♣♦♠♥'['CDSH'.index(card[1])]}" in screen for card in state.hands[0])
