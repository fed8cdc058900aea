"""Telling a game to a person as it goes: waiting, lines of text, and a screen that is drawn anew.

What is told comes from the position that may be shown: a seat's view, or the whole state for someone who watches.
"""

import importlib
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from threading import Timer
from typing import NamedTuple, Protocol

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from facedown.compiling import COMPILER
from facedown.game import Facts, State, View, listed
from facedown.terminal import (
    Scene,
    Trick,
    deal_table,
    hand_of,
    has_tricks,
    laid_cards,
    legal_texts,
    row_of,
    seat_name,
    suits_line,
    table,
    trick_line,
    trump_line,
)
from facedown.terminal_board import has_board, turn_line

COMPILING = "compiling the rules (once, 15 s to a minute)"
PATIENCE_SECONDS = 2.0  # how long a wait goes without a word
FIRST_LINE_SECONDS = 5.0  # how long a pipe may stay silent before it counts as empty


class Left(Exception):
    """The person has left the game."""


class Player(Protocol):
    """Who sits somewhere, as far as telling a game needs to know."""

    @property
    def name(self) -> str:
        """In a word."""

    @property
    def text(self) -> str:
        """With all options."""


# --- Waiting ----------------------------------------------------------------------------------------------------------


class Elapsed:
    """What is being waited for and for how long, once that has become worth a word; compiling is told as what it is."""

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
    """Tell a person who waits what for; without a terminal, say it once."""
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


# --- Telling a game ---------------------------------------------------------------------------------------------------


class Sight(NamedTuple):
    """A position that may be shown, and its facts, which take a while to gather."""

    position: State | View
    facts: Facts

    @property
    def last_action(self) -> tuple[int, str]:
        """Who acted last, and how."""
        seat, action = self.position.history[-1]
        return seat, self.position.game.text(action)

    @property
    def hands(self) -> list[list[str] | None]:
        """The hands, None for those that cannot be seen."""
        return list(self.position.hands) if self.position.game.has_hands else []

    def is_next_deal_after(self, before: "Sight") -> bool:
        """Whether the next deal of a match has been dealt in between."""
        return not self.position.over and before.facts.get("deals_over", 0) != self.facts.get("deals_over", 0)


class Teller:
    """Makes lines out of actions: one for each trick, one for the other actions that a seat takes in a row."""

    def __init__(self, own: int | None, signs: bool, say: Callable[[Text], None]) -> None:
        """`own` is the seat spoken to; `signs` draws suits as signs."""
        self.own = own
        self.signs = signs
        self.say = say
        self.last: Trick | None = None
        self._tricks = count(1)
        self._seat: int | None = None
        self._words: list[str] = []

    def tell(self, before: Sight, after: Sight) -> Trick | None:
        """Take note of an action; the trick it finished, if it did."""
        seat, word = after.last_action
        facts, then = before.facts, after.facts
        if not (has_tricks(facts) and has_tricks(then)) or not (facts["trick"] or then["trick"]):
            self.flush(but=seat)
            self._seat = seat
            self._words.append(word)
            return None
        self.flush()
        if len(then["trick"]) > len(facts["trick"]):
            return None
        self.last = finished_trick([*laid_cards(facts), (seat, word)], before, after)
        self.say(Text(f"trick {next(self._tricks):2}: ").append_text(trick_line(self.last, self.own, self.signs)))
        return self.last

    def flush(self, but: int | None = None) -> None:
        """Say what has been kept back for a line of its own, unless seat `but` may still go on."""
        if self._seat == but:
            return
        if self._seat is not None:
            words = row_of(self._words) if self.signs else Text(listed(self._words))
            self.say(Text(f"{seat_name(self._seat, self.own)}: ").append_text(words))
        self._seat, self._words = None, []

    def next_deal(self) -> None:
        """Count tricks anew."""
        self.flush()
        self.last = None
        self._tricks = count(1)


def finished_trick(cards: list[tuple[int, str]], before: Sight, after: Sight) -> Trick:
    """A trick with its taker, who leads to the next, as far as the facts still tell."""
    taker = None if after.is_next_deal_after(before) else after.facts.get("leader")
    if taker is None or "points" not in after.facts:
        return Trick(cards, taker, None)
    return Trick(cards, taker, after.facts["points"][taker] - before.facts["points"][taker])


class Lines:
    """Tells a game in lines of text, and asks for lines of text: for pipes, logs and `watch`."""

    for_person = False  # whether somebody certainly looks on

    def __init__(self, console: Console, notes: Console, seat: int | None, own: int | None, delay: float = 0.0) -> None:
        """Shown is what `seat` sees, or everything for None; `own` is the seat spoken to; waiting is told on `notes`."""
        self.console = console
        self.notes = notes
        self.players: Sequence[Player] = ()
        self.seat = seat
        self.own = own
        self.delay = delay
        self.teller = Teller(own, console.is_terminal, self.say)
        self._heard = False
        self._hands: list[list[str] | None] = []

    def meet(self, players: Sequence[Player]) -> None:
        """Get to know who plays."""
        self.players = players

    @contextmanager
    def stage(self, title: str) -> Iterator[None]:
        """All that is told of one game."""
        self.console.print(title, soft_wrap=True)
        yield

    def look(self, state: State) -> Sight:
        """What may be shown of a state."""
        position = state.copy() if self.seat is None else state.view(self.seat)
        return Sight(position, position.facts)

    def say(self, words: RenderableType) -> None:
        """Print a line, or a table."""
        self.console.print(words, soft_wrap=isinstance(words, Text))
        time.sleep(self.delay)

    def thinking(self, seat: int) -> AbstractContextManager[None]:
        """Something to look at while a player thinks."""
        return waiting(self.notes, f"seat {seat} {self.players[seat].name} thinks")

    def dealt(self, sight: Sight) -> None:
        """Show the hands that may be seen."""
        self._hands = sight.hands
        width = max(len(player.name) for player in self.players)
        for seat, hand in enumerate(self._hands):
            if hand is not None:
                name = f"{seat_name(seat, self.own):6} {self.players[seat].name:{width}}  "
                self.say(Text(name).append_text(suits_line(hand, self.teller.signs)))
        if trumps := trump_line(sight.facts, self.own, self.teller.signs):
            self.say(trumps)

    def acted(self, before: Sight, after: Sight) -> None:
        """Tell the action in between."""
        if has_tricks(before.facts) and not before.facts["trick"] and before.facts.get("tricks_played") == 0:
            self._dealt_again(before, after)
        self.teller.tell(before, after)
        if has_board(after.facts) and after.facts["turn"] > before.facts["turn"]:
            self.teller.flush()
            self.say(turn_line(after.facts))
        if after.position.over:
            self.teller.flush()
        elif after.is_next_deal_after(before):
            self.teller.next_deal()
            self.deal_over(before.facts, after.facts)
            self.dealt(after)

    def _dealt_again(self, before: Sight, after: Sight) -> None:
        """Show the hands once more if they have changed before the first card is led."""
        if after.facts["trick"] and before.hands != self._hands:
            self.teller.flush()
            self.dealt(before)

    def deal_over(self, before: Facts, after: Facts) -> None:
        """Show what a deal of a match brought."""
        self.say(deal_table([player.text for player in self.players], before, after))

    # What a person is asked and told.

    def show(self, view: View, note: RenderableType | None) -> None:
        """What the person has to know before the next answer."""
        if note is not None:
            self.say(note)
        facts = view.facts
        trumps = trump_line(facts, self.own, self.teller.signs)
        trick = f"trick {' '.join(word for _, word in laid_cards(facts)) or '-'}; " if has_tricks(facts) else ""
        trick = f"{trumps.plain}; {trick}" if trumps else trick
        self.say(Text(f"your turn: {trick}hand {listed(hand_of(view))}; may play {listed(legal_texts(view) or ())}"))

    def page(self, content: RenderableType) -> None:
        """Something longer than a note."""
        self.say(content)

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


class Screen(Lines):
    """Tells a game by drawing the table anew after each action."""

    for_person = True

    def __init__(self, console: Console, seat: int, delay: float = 0.0) -> None:
        """Waiting is talked about below the table."""
        super().__init__(console, console, seat, seat, delay)
        self.log: list[Text] = []
        self.teller = Teller(seat, True, self.log.append)
        with suppress(ImportError):
            importlib.import_module("readline")  # its presence lets input() be edited with the arrow keys

    @contextmanager
    def stage(self, title: str) -> Iterator[None]:
        """A screen of its own, and the last trick on the old one."""
        with self.console.screen(hide_cursor=False):
            yield
        if self.teller.last:
            self.console.print(trick_line(self.teller.last, self.own))

    def draw(self, view: State | View, note: RenderableType | None = None, lies_there: bool = False) -> None:
        """The table, and a note below it."""
        assert isinstance(view, View)  # a person never sees a state
        scene = Scene(view, [player.name for player in self.players], self.teller.last, lies_there)
        with self.console:
            self.console.clear()
            self.console.print(table(scene))
            if note is not None:
                self.console.print(note)

    def dealt(self, sight: Sight) -> None:
        """The table shows the hand."""

    def acted(self, before: Sight, after: Sight) -> None:
        """Draw what can be seen of an action, and leave time to look at it."""
        finished = self.teller.tell(before, after)
        redealt = after.is_next_deal_after(before)
        if finished:
            self.draw((before if redealt else after).position, lies_there=True)
            time.sleep(3 * self.delay)
        elif not has_tricks(after.facts) or after.facts["trick"]:
            self.draw(after.position)
            time.sleep(self.delay if after.last_action[0] != self.seat else 0)
        if redealt:
            self.teller.next_deal()
            self.log.append(Text("next deal", "dim"))
            self.deal_over(before.facts, after.facts)

    def deal_over(self, before: Facts, after: Facts) -> None:
        """Show what a deal of a match brought, and wait for the person."""
        self.page(deal_table([player.text for player in self.players], before, after))
        self.ask("Enter for the next deal: ")

    def show(self, view: View, note: RenderableType | None) -> None:
        """The table."""
        self.draw(view, note)

    def page(self, content: RenderableType) -> None:
        """Something in place of the table, screen by screen."""
        lines = self.console.render_lines(content, pad=False)
        room = max(5, self.console.height - 2)
        for start in range(0, len(lines), room):
            if start:
                self.ask("Enter for more: ")
            with self.console:
                self.console.clear()
                for line in lines[start : start + room]:
                    self.console.print(Text.assemble(*((part.text, part.style or "") for part in line)), soft_wrap=True)

    def ask(self, prompt: str) -> str | None:
        """The person's next line."""
        try:
            if self.console.file is sys.stdout:
                return input(prompt).strip()
            self.console.print(prompt, end="")
            line = sys.stdin.readline()
        except EOFError:
            line = ""
        if not line:
            raise Left
        return line.strip()

    def history(self) -> RenderableType:
        """All lines so far."""
        return Group(*self.log) if self.log else Text("nothing has been played yet")
