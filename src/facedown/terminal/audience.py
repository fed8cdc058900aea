"""Reporting a game to a person as it is played: waiting, and lines of text.

What is printed comes from the position that may be shown: a seat's view, or the whole state for someone who watches.
"""

import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Timer
from typing import Protocol

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from facedown.compiler.activity import COMPILER
from facedown.games.speech import seat_name
from facedown.state import State, listed
from facedown.table.zones import Table, first_zone, own_hand
from facedown.terminal.board import turn_line
from facedown.terminal.reporter import Reporter, VisibleState
from facedown.terminal.results import deal_table
from facedown.terminal.tricks import before_first_trick, has_trick, laid_cards
from facedown.terminal.words import legal_texts, suits_line, trump_line
from facedown.view import View

COMPILING = "compiling the rules (once, 15 s to a minute)"
PATIENCE_SECONDS = 2.0  # how long a wait stays unexplained
FIRST_LINE_SECONDS = 5.0  # how long a pipe may stay silent before it counts as empty


class PlayerQuit(Exception):
    """The person at the terminal has quit."""


class Player(Protocol):
    """Who sits somewhere, as far as reporting a game needs to know."""

    @property
    def name(self) -> str:
        """In a word."""

    @property
    def text(self) -> str:
        """With all options."""


class Turn(Protocol):
    """What a person is asked, as far as showing it needs to know."""

    @property
    def view(self) -> View:
        """What the seat sees, its choices counted."""

    @property
    def first_view(self) -> View:
        """What the seat saw before it chose anything."""

    @property
    def texts(self) -> list[str]:
        """What has been chosen and not sent."""

    @property
    def legal(self) -> list[str]:
        """What may be chosen now."""

    @property
    def wanted(self) -> int:
        """How many choices the turn needs in all."""


# --- Waiting ----------------------------------------------------------------------------------------------------------


class Elapsed:
    """What is being waited for and for how long, once that takes long; compiling is named as such."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.begin = time.monotonic()
        COMPILER.listen()
        self.compiled = COMPILER.seconds  # before

    @property
    def doing(self) -> str:
        """What is being done at this moment."""
        return COMPILING if COMPILER.at_work else self.label

    def __rich__(self) -> Text:
        """Nothing at first."""
        seconds = time.monotonic() - self.begin
        compiled = COMPILER.seconds - self.compiled
        if self.label != COMPILING:
            seconds = compiled if COMPILER.at_work else seconds - compiled
        dots = "." * (1 + int(seconds * 2) % 3)
        return Text(f" {self.doing} {dots:3} {seconds:.0f} s" if seconds >= PATIENCE_SECONDS else "", "dim")


@contextmanager
def waiting(console: Console, label: str) -> Iterator[None]:
    """Show a person what the program is waiting for; without a terminal, print it once."""
    elapsed = Elapsed(label)
    if console.is_terminal:
        with Live(elapsed, console=console, transient=True, refresh_per_second=4):
            yield
        return
    notice = Timer(PATIENCE_SECONDS, lambda: console.print(f"{elapsed.doing} ...", soft_wrap=True))
    notice.daemon = True
    notice.start()
    try:
        yield
    finally:
        notice.cancel()


# --- Reporting a game -------------------------------------------------------------------------------------------------


class Lines:
    """Reports a game in lines of text, and asks for lines of text: for pipes, logs and `watch`."""

    for_person = False  # whether somebody certainly watches

    def __init__(self, console: Console, notes: Console, seat: int | None, own: int | None, delay: float = 0.0) -> None:
        """Shown is what `seat` sees, or everything for None; `own` is the seat spoken to; waiting is reported on `notes`."""
        self.console = console
        self.notes = notes
        self.players: Sequence[Player] = ()
        self.seat = seat
        self.own = own
        self.delay = delay
        self.reporter = Reporter(own, console.is_terminal, self.print)
        self._heard = False
        self._hands: list[list[str] | None] = []

    def meet(self, players: Sequence[Player]) -> None:
        """Get to know who plays."""
        self.players = players

    @contextmanager
    def stage(self, title: str) -> Iterator[None]:
        """All that is printed of one game."""
        self.console.print(title, soft_wrap=True)
        yield

    def look(self, state: State) -> VisibleState:
        """What may be shown of a state."""
        return VisibleState(state.copy() if self.seat is None else state.view(self.seat))

    def print(self, words: RenderableType) -> None:
        """Print a line, or a table."""
        self.console.print(words, soft_wrap=isinstance(words, Text))
        time.sleep(self.delay)

    def thinking(self, seat: int) -> AbstractContextManager[None]:
        """Something to look at while a player thinks."""
        return waiting(self.notes, f"seat {seat} {self.players[seat].name} thinks")

    def dealt(self, visible: VisibleState) -> None:
        """Show the hands that may be seen."""
        self._hands = visible.hands
        width = max(len(player.name) for player in self.players)
        for seat, hand in enumerate(self._hands):
            if hand is not None:
                name = f"{seat_name(seat, self.own):6} {self.players[seat].name:{width}}  "
                self.print(Text(name).append_text(suits_line(hand, self.reporter.signs)))
        if trumps := trump_line(visible.table, self.own, self.reporter.signs):
            self.print(trumps)

    def acted(self, before: VisibleState, after: VisibleState) -> None:
        """Report the action in between."""
        if before_first_trick(before.table):
            self._dealt_again(before, after)
        self.reporter.report(before, after)
        if first_zone(after.table, "board") and after.table["turn"] != before.table["turn"]:
            self.reporter.flush()
            self.print(turn_line(after.table))
        if after.position.over:
            self.reporter.flush()
        elif after.is_next_deal_after(before):
            self.reporter.next_deal()
            self.deal_over(before.table, after.table)
            self.dealt(after)

    def _dealt_again(self, before: VisibleState, after: VisibleState) -> None:
        """Show the hands once more if they have changed before the first card is led."""
        if laid_cards(after.table) and before.hands != self._hands:
            self.reporter.flush()
            self.dealt(before)

    def deal_over(self, before: Table, after: Table) -> None:
        """Show what a deal of a match brought."""
        self.print(deal_table([player.text for player in self.players], before, after))

    # What a person is asked and shown.

    def show(self, turn: Turn, note: RenderableType | None, pointed: str | None = None) -> None:
        """What the person has to know before the next answer."""
        if note is not None:
            self.print(note)
        table = turn.view.table
        trumps = trump_line(table, self.own, self.reporter.signs)
        trick = f"trick {' '.join(word for _, word in laid_cards(table)) or '-'}; " if has_trick(table) else ""
        trick = f"{trumps.plain}; {trick}" if trumps else trick
        hand, legal = own_hand(table), legal_texts(turn.view) or ()
        self.print(Text(f"your turn: {trick}hand {listed(hand)}; may play {listed(legal)}"))

    def page(self, content: RenderableType) -> None:
        """Something longer than a note."""
        self.print(content)

    def choose(self, prompt: str, choices: Sequence[str], point: Callable[[str | None], None]) -> str | None:
        """The person's answer, which may be one of the choices; `point` shows one that is pointed at."""
        return self.ask(prompt)

    def ask(self, prompt: str) -> str | None:
        """The next line of input; None when there will be no more."""
        if sys.stdin is None or not (self._heard or input_comes()):
            return None
        line = sys.stdin.readline()
        self._heard = True
        return line.strip() if line else None

    def history(self) -> RenderableType:
        """What has been played: it stands above."""
        return Text("all that was played stands above")


def input_comes() -> bool:
    """Whether a line comes, or the end of input, before long: a pipe that nobody writes to must not hold up a game."""
    if sys.stdin.isatty():
        return True
    try:
        return bool(select.select([sys.stdin], [], [], FIRST_LINE_SECONDS)[0])
    except (OSError, ValueError):  # no real file: reading it does not wait
        return True
