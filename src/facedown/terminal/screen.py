"""A screen for a person at a game: the table drawn anew after each action, pages in its place, and answers."""

import importlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console, Group, RenderableType
from rich.text import Text

from facedown.state import State
from facedown.table.zones import Table
from facedown.terminal.audience import Lines, PlayerQuit, Turn
from facedown.terminal.drawing import Scene, table
from facedown.terminal.keys import key_by_key, keys_can_be_read, leaving_in_order
from facedown.terminal.reporter import Reporter, VisibleState
from facedown.terminal.results import deal_table
from facedown.terminal.tricks import has_trick, laid_cards, trick_line
from facedown.view import View

NEWS_SHOWN = 3
LEAST_ROOM = 10  # lines for the table, however much is printed below it
STEPS = {"left": -1, "up": -1, "right": 1, "down": 1}  # what arrow keys do


class Screen(Lines):
    """Reports a game by drawing the table anew after each action."""

    for_person = True

    def __init__(self, console: Console, seat: int, delay: float = 0.0) -> None:
        """Waiting is reported below the table."""
        super().__init__(console, console, seat, seat, delay)
        self.log: list[Text] = []
        self.news: list[Text] = []  # since the person's last action
        self.reporter = Reporter(seat, True, self.log.append)
        with suppress(ImportError):
            importlib.import_module("readline")  # its presence lets input() be edited with the arrow keys

    @contextmanager
    def stage(self, title: str) -> Iterator[None]:
        """A screen of its own, and the last trick and news on the old one."""
        with leaving_in_order(), self.console.screen(hide_cursor=False):
            yield
        if self.reporter.last:
            self.console.print(trick_line(self.reporter.last, self.own), soft_wrap=True)
        for sentence in self.news:
            self.console.print(sentence, soft_wrap=True)

    def draw(
        self,
        view: State | View,
        note: RenderableType | None = None,
        lies_there: bool = False,
        turn: Turn | None = None,
        pointed: str | None = None,
    ) -> None:
        """The table with what the person has chosen, the news and a note below it, all on one screen."""
        assert isinstance(view, View)  # a person never sees a state
        below = [*(Text.assemble((" ● ", "yellow"), line) for line in self.news[-NEWS_SHOWN:]), *([note] if note else [])]
        lines = self.console.render_lines(Group(*below), pad=False) if below else []
        room = max(LEAST_ROOM, self.console.height - 1)  # a line is left for the question
        scene = Scene(
            view,
            [player.name for player in self.players],
            self.reporter.last,
            lies_there,
            chosen=turn.texts if turn else (),
            legal=turn.legal if turn else None,
            wanted=turn.wanted if turn else 1,
            pointed=pointed,
            recent=self.reporter.recent,
        )
        with self.console:
            self.console.clear()
            self.console.print(table(scene, max(LEAST_ROOM, room - len(lines))))
            for line in lines[: room - LEAST_ROOM]:
                self.console.print(Text.assemble(*((part.text, part.style or "") for part in line)), soft_wrap=True)

    def dealt(self, visible: VisibleState) -> None:
        """The table shows the hand."""

    def acted(self, before: VisibleState, after: VisibleState) -> None:
        """Draw what can be seen of an action, and leave time to look at it."""
        finished = self.reporter.report(before, after)
        mover = after.last_action[0]
        self.news = [*(self.news if mover != self.seat else []), *map(Text, self.reporter.news)]
        redealt = after.is_next_deal_after(before)
        if finished:
            self.draw((before if redealt else after).position, lies_there=True)
            time.sleep(3 * self.delay)
        elif not has_trick(after.table) or laid_cards(after.table):
            self.draw(after.position)
            time.sleep(self.delay if mover != self.seat else 0)
        if redealt:
            self.reporter.next_deal()
            self.log.append(Text("next deal", "dim"))
            self.deal_over(before.table, after.table)
            self.news = []

    def deal_over(self, before: Table, after: Table) -> None:
        """Show what a deal of a match brought, and wait for the person."""
        words = [Text(f" {line}", "bold") for line in self.news]
        self.page(Group(*words, deal_table([player.text for player in self.players], before, after)))
        self.ask("Enter for the next deal: ")

    def show(self, turn: Turn, note: RenderableType | None, pointed: str | None = None) -> None:
        """The table, with what has been chosen."""
        self.draw(turn.first_view, note, turn=turn, pointed=pointed)

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

    def choose(self, prompt: str, choices: Sequence[str], point: Callable[[str | None], None]) -> str | None:
        """The person's answer: a line of text, or the choice that the arrow keys point at."""
        by_line = self.console.file is not sys.stdout or self.console.is_dumb_terminal
        if by_line or not choices or not keys_can_be_read():
            return self.ask(prompt)
        place: int | None = None

        def draw_again() -> None:
            self.console.set_alt_screen(True)
            point(None if place is None else choices[place])
            print(prompt, end="", flush=True)

        with key_by_key(sys.stdin.fileno(), draw_again) as keys:
            while True:
                print(f"\r\x1b[K{prompt}", end="", flush=True)
                key = keys.next()
                if key == "end":
                    raise PlayerQuit
                if key == "enter":
                    return "" if place is None else choices[place]
                if key in STEPS:
                    place = moved(place, STEPS[key], len(choices))
                    point(choices[place])
                elif key:
                    print("\r\x1b[K", end="", flush=True)
                    keys.show()
                    return self._read(prompt, key)

    def ask(self, prompt: str) -> str | None:
        """The person's next line."""
        return self._read(prompt)

    def _read(self, prompt: str, begun: str = "") -> str:
        """A line, whose first letters may have been typed already."""
        try:
            if self.console.file is sys.stdout:
                with typed(begun):
                    return input(prompt).strip()
            self.console.print(prompt, end="")
            line = sys.stdin.readline()
        except EOFError:
            line = ""
        if not line:
            raise PlayerQuit
        return line.strip()

    def history(self) -> RenderableType:
        """All lines so far."""
        return Group(*self.log) if self.log else Text("nothing has been played yet")


def moved(place: int | None, step: int, count: int) -> int:
    """Where an arrow key leads, round about; the first one to either end."""
    if place is None:
        return 0 if step > 0 else count - 1
    return (place + step) % count


@contextmanager
def typed(text: str) -> Iterator[None]:
    """Put letters that were typed already into the next line of input."""
    if not text:
        yield
        return
    import readline

    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
