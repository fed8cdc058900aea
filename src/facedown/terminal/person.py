"""A person's part in a game at the terminal: an agent like any other, handed a view and answering with an action."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from facedown.agents import Agent, agent
from facedown.analysis.advice import ADVISER_ITERATIONS, advice, searcher
from facedown.analysis.risks import risks_of
from facedown.analysis.value import Measure, measure_of
from facedown.compiler.activity import COMPILER
from facedown.errors import BadText, FacedownError
from facedown.game import Game
from facedown.games.speech import face, is_card
from facedown.search.decision import Decision
from facedown.terminal.audience import Lines, PlayerQuit, waiting
from facedown.terminal.choices import Choices, chosen, rehearse
from facedown.terminal.decisions import decision_table, hint_line
from facedown.terminal.reporter import text_in_words
from facedown.terminal.words import card, legal_texts, reflowed
from facedown.view import View

CLOCK_DIGITS = 2  # of the seconds a person took
COMPARED = 3  # actions whose risks are shown
THOUGHTS_KEPT = 8

HELP = """\
 a card     plays it: qs, QS, Q♠ or 10c
 a number   plays the card, or the action, that has this number
 ← →        point at a card or an action, Enter takes it
 Enter      plays the only card there is, or sends what you have chosen
 cards      where several are chosen: qs ah kh, or their numbers: 8 12 13
 hint       what the search would do, knowing what you know
 why        what it expects of each of your choices
 why last   the same for the move you made last
 undo       takes back the last choice that has not been sent yet
 table      draws the table again
 history    what has been played
 rules      the rules of this game
 quit       leaves the game, as do Ctrl-C and Ctrl-D"""


class Person(Agent):
    """Someone at the terminal; a deputy plays on when there is no more input."""

    name = "human"
    summary = "a person at the terminal"

    def __init__(self, audience: Lines, deputy: Agent, confirm: bool | None = None) -> None:
        """Choices are confirmed before they are sent: always, never, or (None) several at once on a screen."""
        super().__init__(deputy.seed)
        self.audience = audience
        self.deputy = deputy
        self.confirm = confirm
        self._left_to = ""  # the deputy's text, once it plays
        self._sent: list[int] = []
        self._waited = 0.0  # seconds in which the adviser thought, not the person
        self.choices: list[tuple[View, int]] = []  # what the person has chosen, and from what view
        self._last: tuple[View, int] | None = None
        self._thoughts: dict[View, Decision] = {}
        self._paged = False  # something else than the table is on the screen
        self._commands = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "why": self._why,
            "why last": self._why_last,
            "undo": self._undo,
            "table": lambda turn: None,
            "history": lambda turn: self._page(self.audience.history()),
            "rules": lambda turn: self._page(rules_of(turn.view.game)),
            "quit": self._quit,
            "exit": self._quit,
        }

    @property
    def text(self) -> str:
        """The deputy's text for a game in which nobody answered."""
        return self._left_to if self._left_to and self._last is None else self.name

    def choose(self, view: View) -> int:
        """The person's next action: several may have been sent at once, and then the first took all the time."""
        self.seconds = None
        if not self._sent and not self._left_to:
            COMPILER.listen()
            self._waited = -COMPILER.seconds
            asked = time.perf_counter()
            self._sent = self._ask(Choices(view))
            waited = self._waited + COMPILER.seconds
            self.seconds = max(0.0, round(time.perf_counter() - asked - waited, CLOCK_DIGITS))
        if self._sent:
            self.choices.append((view, self._sent[0]))
            return self._sent.pop(0)
        action = self.deputy.choose(view)
        self.seconds = self.deputy.seconds
        return action

    def _ask(self, turn: Choices) -> list[int]:
        """The actions of a turn, once they are sent; none when there is no more input."""
        note: RenderableType | None = (
            Text(f" choose {turn.wanted}, face down: all in one line or one by one") if turn.wanted > 1 else None
        )
        while not turn.sent:
            if not self._paged:
                self.audience.show(turn, note)
            self._paged = False
            line = self._line(turn, note)
            if line is None:
                self._left_to = self.deputy.text
                self.audience.print(Text(f"no more input: {self.deputy.text} plays on"))
                return []
            try:
                note = self._answer(line, turn)
            except FacedownError as error:
                note = Text(f" {error}", "red")
        self._last = turn.view, turn.actions[-1]
        return turn.actions

    def _line(self, turn: Choices, note: RenderableType | None) -> str | None:
        """The person's answer."""
        choices = [word for word in turn.menu.choices if word in turn.legal]
        return self.audience.choose(
            self._prompt(turn), choices, lambda pointed: self.audience.show(turn, note, pointed=pointed)
        )

    def _prompt(self, turn: Choices) -> str:
        words = [face(word) if is_card(word) else word for word in turn.texts]
        if turn.complete:
            return f" send {' '.join(words)}? Enter sends, undo takes back: "
        if turn.only is not None:
            only = turn.legal[0]
            return f" only {face(only) if is_card(only) else only}, Enter plays it (? for help): "
        if turn.wanted == 1 and not turn.menu.numbers:
            return " your turn (? for help): "
        if turn.wanted == 1:
            return " your turn by number, text or arrow keys (? for help): "
        return f" choose {turn.wanted - len(words)}{' more' if words else ''} (? for help): "

    def _answer(self, line: str, turn: Choices) -> RenderableType | None:
        """Do what a line asks for; a note about it, if there is one."""
        command = self._commands.get(" ".join(line.lower().split()))
        if command and line not in (legal_texts(turn.view) or ()):
            return command(turn)
        if turn.complete:
            if line.lower() not in ("", "y", "yes", "send"):
                raise BadText(f"expected Enter to send, or undo, got {line!r}")
            turn.sent = True
        elif line or turn.only is not None:
            turn.add(chosen(turn.view, line, turn.menu) if line else [turn.view.legal[0]])
            turn.sent = turn.complete and not self._asks_again(turn)
        return None

    def _asks_again(self, turn: Choices) -> bool:
        return self.audience.for_person and len(turn.actions) > 1 if self.confirm is None else self.confirm

    # Commands: each returns a note for below the table.

    def _help(self, turn: Choices) -> None:
        self._page(Text("\n\n".join(part for part in (HELP, turn.view.game.help) if part)))

    def _hint(self, turn: Choices) -> RenderableType:
        """All that the turn still needs: the search continues through choices that lie face down."""
        if turn.complete:
            return Text(" all chosen: Enter sends, undo takes back")
        found, view = [], turn.view
        while True:
            found.append(self._think(view))
            whole_set = len(found[-1].texts) > 1
            after = None if whole_set else rehearse(view, found[-1].action)
            if after is None:
                return Text(" ").append_text(hint_line(found, self._measure(turn.view.game, found[0])))
            view = after

    def _why(self, turn: Choices) -> None:
        self._explain(turn.view, None)

    def _why_last(self, turn: Choices) -> RenderableType | None:
        if self._last is None:
            return Text(" you have not played yet")
        self._explain(*self._last)
        return None

    def _explain(self, view: View, taken: int | None) -> None:
        """What the search expects of each choice, why the best is best, and what may come of it."""
        decision = self._think(view)
        best = decision.candidates[:COMPARED]
        compared = [candidate.key for candidate in best]
        if taken is not None and not any(candidate.has(taken) for candidate in best):
            compared[-1:] = [next((one.key for one in decision.candidates if one.has(taken)), taken)]
        facts = view.facts
        with self._adviser_at_work():
            measure, risks = self._measure(view.game, decision), risks_of(view, compared)
        say = partial(text_in_words, view.game, facts)
        self._page(decision_table(decision, measure, taken, say=say, risks=risks))

    def _undo(self, turn: Choices) -> RenderableType:
        if not turn.actions:
            return Text(" nothing to take back: what has been sent is played")
        return Text.assemble(" taken back: ", card(turn.take_back()))

    def _quit(self, turn: Choices) -> None:
        raise PlayerQuit

    def _page(self, content: RenderableType) -> None:
        self._paged = True
        self.audience.page(content)

    def _think(self, view: View) -> Decision:
        """A search from what the person can see; kept until the person asks about another turn."""
        if view not in self._thoughts:
            if len(self._thoughts) >= THOUGHTS_KEPT:
                self._thoughts.clear()
            with self._adviser_at_work():
                self._thoughts[view] = advice(view)
        return self._thoughts[view]

    @contextmanager
    def _adviser_at_work(self) -> Iterator[None]:
        """Time that is not the person's."""
        began, compiled = time.perf_counter(), COMPILER.seconds
        with waiting(self.audience.notes, "the adviser thinks"):
            yield
        self._waited += time.perf_counter() - began - (COMPILER.seconds - compiled)

    def _measure(self, game: Game, decision: Decision) -> Measure:
        """How to read the adviser's figures."""
        return measure_of(agent(searcher(game, ADVISER_ITERATIONS)), game, decision.solved)


def rules_of(game: Game) -> RenderableType:
    """A game's rules: the docstring of the module that makes it, and its options."""
    homes = [module for module in list(sys.modules.values()) if _makes(module, game)]
    words = (homes[0].__doc__ or "").strip() if homes else ""
    options = [f"- {option.name} = {option.value}: {option.meaning}" for option in game.options.values()]
    return Text(reflowed("\n".join([game.summary, "", words, "", *options]).strip()))


def _makes(module: object, game: Game) -> bool:
    things = list(getattr(module, "__dict__", {}).values())
    return any(issubclass(type(thing), Game) and thing.rules is game.rules for thing in things)
