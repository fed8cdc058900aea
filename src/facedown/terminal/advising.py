"""A game played elsewhere at the terminal: somebody types what they see, and asks what to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from facedown.advisor import Session
from facedown.agents import agent
from facedown.analysis.risks import risks_of
from facedown.analysis.value import measure_of
from facedown.errors import BadText, FacedownError, ImpossibleEntry
from facedown.games.speech import seat_name
from facedown.options import read_number
from facedown.search.decision import Decision
from facedown.terminal.audience import Lines, PlayerQuit, waiting
from facedown.terminal.choices import rehearse
from facedown.terminal.decisions import decision_table, hint_line
from facedown.terminal.person import COMPARED, rules_of
from facedown.terminal.reporter import Reporter, VisibleState, text_in_words
from facedown.terminal.screen import Screen
from facedown.terminal.words import row_of
from facedown.view import View

HELP = """\
 a card       tells that it was played, by whose turn it is: qs, Q♠ or 10c
 cards        several things in one line, in the order they happened: 2c 5c kc
 2: qs        the same, and that it was seat 2
 Enter, hint  what to do, where it is your turn
 why          what the search expects of each of your choices
 ok           tells that you did what the hint said
 beliefs      where the unseen cards may lie; beliefs inferred: by the plays so far
 undo, undo 3 takes back the last line, or three
 fix 7 qd     corrects line 7
 entries      all lines, with their numbers
 table        draws the table again
 rules        the rules of this game
 quit         leaves, as do Ctrl-C and Ctrl-D: what was told is kept"""
INFERRED = ("inferred", "policy")


@dataclass(frozen=True)
class Sitter:
    """Who sits somewhere, by a word."""

    name: str

    @property
    def text(self) -> str:
        """The same: nothing else is known of them."""
        return self.name


class Desk:
    """Somebody who tells a game to a session, and is advised."""

    def __init__(self, session: Session, audience: Lines, adviser: str, told: Callable[[Session], None]) -> None:
        """`told` is called whenever there is more to keep, or less."""
        self.session, self.audience, self.adviser, self.told = session, audience, adviser, told
        self.note: RenderableType | None = None
        self.audience.meet([Sitter(seat_name(seat, session.seat)) for seat in range(session.game.seats)])
        self._reported: list[View] = []
        self._thoughts: dict[View, Decision] = {}
        self._paged = False
        self._commands: dict[str, Callable[[str], RenderableType | None]] = {
            "": self._hint,
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "why": self._why,
            "ok": self._ok,
            "beliefs": self._beliefs,
            "undo": self._undo,
            "fix": self._fix,
            "entries": self._entries,
            "table": lambda words: None,
            "rules": lambda words: self._page(rules_of(self.session.game)),
            "quit": self._quit,
            "exit": self._quit,
        }

    def run(self, strict: bool) -> None:
        """Take lines until there are no more; `strict` raises what is refused, for nobody is there to correct it."""
        while True:
            self._report()
            self._show()
            line = self.audience.ask(f" {self.session.expects.words} (? for help): ")
            if line is None:
                return
            self.note = None
            try:
                self.note = self._answer(line)
            except PlayerQuit:
                if strict:  # lines of a pipe: the rest is as if they ended here
                    return
                raise
            except ImpossibleEntry as error:
                if strict:
                    raise ImpossibleEntry(f"{line.strip()!r}: {error}", error.entry) from None
                self.note = Text(f" {self._where(error, line)}", "red")
            except FacedownError as error:
                if strict:
                    raise
                self.note = Text(f" {error}", "red")

    def _where(self, error: ImpossibleEntry, line: str) -> str:
        """What is wrong, and in which line, if that is an earlier one."""
        earlier = error.entry is not None and error.entry < len(self.session.entries)
        return f"in line {(error.entry or 0) + 1}: {error}" if earlier else str(error)

    def _answer(self, line: str) -> RenderableType | None:
        """Do what a line asks for, or tell it; a note about it, if there is one."""
        name, _, words = line.strip().partition(" ")
        command = self._commands.get(name.lower())
        if command and (not words or name.lower() in ("undo", "fix", "beliefs")):
            return command(words.strip())
        self.session.tell(line)
        self.told(self.session)
        return None

    # What is shown.

    def _report(self) -> None:
        """Make lines of the actions since the last time, and begin again where some were taken back."""
        views, printed = self.session.views, self.audience.reporter
        same = sum(1 for old, new in zip(self._reported, views, strict=False) if old is new)
        if same < len(self._reported):
            quiet: list[Text] = []
            self.audience.reporter, same = Reporter(self.session.seat, printed.signs, quiet.append), 0
        for before, after in zip(views[max(0, same - 1) :], views[max(1, same) :], strict=False):
            if len(after.history) == len(before.history) + 1:
                seen = VisibleState(before), VisibleState(after)
                self.audience.reporter.report(*seen)
                if seen[1].is_next_deal_after(seen[0]):
                    self.audience.reporter.next_deal()
        self.audience.reporter.print_line = printed.print_line
        self._reported = views

    def _show(self) -> None:
        view, audience = self.session.view, self.audience
        if self._paged:
            self._paged = False
        elif isinstance(audience, Screen) and view is not None:
            audience.draw(view, self.note)
        elif isinstance(audience, Screen):
            audience.page(Group(Text(f" {self.session.game.full_name}, seat {self.session.seat}"), self.note or Text("")))
        elif self._is_own_turn() and view is not None:
            turn = SimpleNamespace(view=view, first_view=view, texts=[], legal=[], wanted=1)
            audience.show(turn, self.note)
        else:
            if self.note is not None:
                audience.print(self.note)
            if self.session.expects.kind != "action":
                audience.print(Text(f"expected: {self.session.expects.words}"))

    def _is_own_turn(self) -> bool:
        view = self.session.view
        return view is not None and not self.session.pending and view.to_move == self.session.seat

    def _page(self, content: RenderableType) -> None:
        self._paged = True
        self.audience.page(content)

    # Commands: each returns a note for below the table.

    def _help(self, words: str) -> None:
        self._page(Text("\n\n".join(part for part in (HELP, self.session.game.help) if part)))

    def advised(self) -> list[Decision]:
        """What to do in this turn: one decision, or one after another where they lie face down."""
        view = self.session.view
        if view is None or not self._is_own_turn():
            raise BadText(f"expected {self.session.expects.words}: advice is for your own turn")
        found: list[Decision] = []
        while view is not None:
            found.append(self._think(view))
            view = None if len(found[-1].texts) > 1 else rehearse(view, found[-1].action)
        return found

    def _hint(self, words: str) -> RenderableType:
        found = self.advised()
        return Text(" ").append_text(hint_line(found, measure_of(agent(self.adviser), self.session.game, found[0].solved)))

    def _ok(self, words: str) -> None:
        for text in [text for decision in self.advised() for text in decision.texts]:
            self.session.tell(text)
        self.told(self.session)

    def _why(self, words: str) -> None:
        """What the search expects of each choice, why the best is best, and what may come of it."""
        decision, view = self.advised()[0], self.session.view
        assert view is not None
        game = view.game
        with waiting(self.audience.notes, "the adviser thinks"):
            risks = risks_of(view, [candidate.key for candidate in decision.candidates[:COMPARED]])
        measure = measure_of(agent(self.adviser), game, decision.solved)
        self._page(decision_table(decision, measure, say=partial(text_in_words, game, view.facts), risks=risks))

    def _think(self, view: View) -> Decision:
        if view not in self._thoughts:
            with waiting(self.audience.notes, "the adviser thinks"):
                adviser = agent(self.adviser)
                action = adviser.choose(view)
            self._thoughts = {view: adviser.decision or Decision(action, view.game.text(action))}
        return self._thoughts[view]

    def _beliefs(self, words: str) -> None:
        view = self.session.view
        if view is None:
            raise BadText(f"expected {self.session.expects.words} before there is anything to believe")
        if words and words not in INFERRED:
            raise BadText(f"expected beliefs, or beliefs inferred, got {words!r}")
        with waiting(self.audience.notes, "worlds are weighed"):
            found = view.beliefs("policy" if words else "none")
        worlds = view.worlds()
        self._page(Group(Text(f" {worlds:,} worlds are possible"), beliefs_table(found, view.game.seats, view.seat)))

    def _undo(self, words: str) -> RenderableType:
        count = read_number(words) if words else 1
        if not isinstance(count, int):
            raise BadText(f"expected undo, or undo and a number, got {words!r}")
        taken = self.session.undo(count)
        self.told(self.session)
        return Text.assemble(" taken back: ", row_of(taken))

    def _fix(self, words: str) -> RenderableType:
        number, _, entry = words.partition(" ")
        place = read_number(number)
        if not isinstance(place, int) or not entry.strip():
            raise BadText(f"expected fix, the number of a line and what it should be, as in fix 7 QD, got {words!r}")
        self.session.fix(place - 1, entry.strip())
        self.told(self.session)
        return Text(f" line {number} is now {entry.strip()}")

    def _entries(self, words: str) -> None:
        lines = [Text(f" {number:3}  {entry}") for number, entry in enumerate(self.session.entries, 1)]
        self._page(Group(*lines) if lines else Text(" nothing has been told yet"))

    def _quit(self, words: str) -> None:
        raise PlayerQuit


def beliefs_table(beliefs: dict[str, list[float]], seats: int, own: int) -> RenderableType:
    """How likely each other seat holds each unseen card; cards of which the same is believed share a row."""
    rows = Rows(box=box.SIMPLE_HEAD, padding=(0, 1))
    rows.add_column("unseen")
    others = [seat for seat in range(seats) if seat != own]
    for seat in others:
        rows.add_column(seat_name(seat), justify="right")
    rows.add_column("no hand", justify="right")
    alike: dict[tuple[str, ...], list[str]] = {}
    for card, shares in beliefs.items():
        placed = [*(shares[seat] for seat in others), max(0.0, 1 - sum(shares))]
        alike.setdefault(tuple(f"{share:.0%}" for share in placed), []).append(card)
    for figures, cards in alike.items():
        rows.add_row(row_of(cards), *figures)
    return rows


def asked_at_start(audience: Lines, choices: dict[str, Sequence[object]], words: dict[str, str]) -> dict[str, str]:
    """What somebody chooses of the first deal: Enter takes the first of some values."""
    found: dict[str, str] = {}
    for name, values in choices.items():
        known = ", ".join(map(str, values))
        answer = audience.ask(f" {words.get(name, name)} ({known}; Enter for {values[0]}): ")
        if answer:
            found[name] = answer
    return found
