"""A person's part in a game at the terminal.

A person is an agent like any other: handed a view, it answers with an action. What it chooses is first tried in worlds
drawn from that view, so a choice that is taken back has shown nothing.
"""

import sys
import time
from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from facedown.agents import Agent, agent
from facedown.compiling import COMPILER
from facedown.decision import Decision
from facedown.errors import BadText, FacedownError, IllegalMove
from facedown.game import Game, View
from facedown.terminal import card, decision_table, hint_line, is_card, legal_texts, row_of
from facedown.terminal_advice import ADVISER_ITERATIONS, searcher
from facedown.terminal_audience import Left, Lines, waiting

WORLDS_TRIED = 3
CLOCK_DIGITS = 2  # of the seconds a person took

HELP = """\
 a card     plays it: qs, QS, Q♠ or 10c
 cards      where several are chosen: qs ah kh
 hint       what the search would do, knowing what you know
 why        its figures for each of your choices
 why last   the same for the move you made last
 undo       takes back the last choice that has not been sent yet
 table      draws the table again
 history    what has been played
 rules      the rules of this game
 quit       leaves the game, as do Ctrl-C and Ctrl-D"""


# --- Choices that can be taken back -----------------------------------------------------------------------------------


class Choices:
    """What a person has chosen in this turn and not yet sent.

    Only face-down choices are collected, such as the cards to pass: a card laid open completes the turn.
    """

    def __init__(self, view: View) -> None:
        """Nothing chosen yet."""
        self.actions: list[int] = []
        self.complete = False
        self.sent = False
        self.views = [view]  # what the seat sees before each of its choices

    @property
    def view(self) -> View:
        """What the seat sees, its earlier choices counted."""
        return self.views[-1]

    @property
    def texts(self) -> list[str]:
        """The choices as text."""
        return [self.view.game.text(action) for action in self.actions]

    def add(self, actions: Sequence[int]) -> None:
        """Choose these, or none of them if one is refused."""
        chosen = len(self.actions)
        try:
            for action in actions:
                if self.complete:
                    raise IllegalMove(f"expected {len(self.actions) - chosen or 'no more'} now, got {len(actions)}")
                after = rehearse(self.view, action)
                self.actions.append(action)
                self.complete = after is None
                self.views += [after] if after else []
        except FacedownError:
            while len(self.actions) > chosen:
                self.take_back()
            raise

    def take_back(self) -> str:
        """Forget the last choice; its text."""
        if not self.complete:
            self.views.pop()
        self.complete = False
        return self.view.game.text(self.actions.pop())

    def missing(self) -> int:
        """How many choices the turn still needs."""
        view, count = None if self.complete else self.view, 0
        while view:
            view = rehearse(view, view.legal[0])
            count += 1
        return count


def rehearse(view: View, action: int) -> View | None:
    """What a seat sees after a choice if it chooses on; None if its turn is over. Tried in worlds it holds possible.

    The turn goes on only where the choice lies face down and brings nothing to light.
    """
    worlds = [view.sample(seed) for seed in range(WORLDS_TRIED)]
    for world in worlds:
        world.play(action)
    others = [seat for seat in range(view.game.seats) if seat != view.seat]
    face_down = all(worlds[0].view(seat).history[-1] != worlds[0].history[-1] for seat in others)
    afterwards = {world.view(view.seat) for world in worlds}
    goes_on = face_down and len(afterwards) == 1 and all(world.seat == view.seat for world in worlds)
    return afterwards.pop() if goes_on else None


# --- The person -------------------------------------------------------------------------------------------------------


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
        self._thought: tuple[View, Decision] | None = None
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
        """The person's next action: several may have been sent together, and then the first took all the time."""
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
        missing = turn.missing()
        note: RenderableType | None = (
            Text(f" choose {missing}, face down: all in one line or one by one") if missing > 1 else None
        )
        while not turn.sent:
            if not self._paged:
                self.audience.show(turn.view, note)
            self._paged = False
            line = self.audience.ask(self._prompt(turn))
            if line is None:
                self._left_to = self.deputy.text
                self.audience.say(Text(f"no more input: {self.deputy.text} plays on"))
                return []
            try:
                note = self._answer(line, turn)
            except FacedownError as error:
                note = Text(f" {error}", "red")
        self._last = turn.view, turn.actions[-1]
        return turn.actions

    def _prompt(self, turn: Choices) -> str:
        if turn.complete:
            return f" send {' '.join(turn.texts)}? Enter sends, undo takes back: "
        missing = turn.missing()
        if missing == 1 and not turn.actions:
            return " your turn (? for help): "
        return f" choose {missing}{' more' if turn.actions else ''} (? for help): "

    def _answer(self, line: str, turn: Choices) -> RenderableType | None:
        """Do what a line says; what there is to say about it."""
        command = self._commands.get(" ".join(line.lower().split()))
        if command and line not in (legal_texts(turn.view) or ()):
            return command(turn)
        if turn.complete:
            if line.lower() not in ("", "y", "yes", "send"):
                raise BadText(f"expected Enter to send, or undo, got {line!r}")
            turn.sent = True
        elif line:
            turn.add(chosen(turn.view, line))
            turn.sent = turn.complete and not self._asks_again(turn)
        return Text.assemble(" chosen ", row_of(turn.texts)) if turn.actions else None

    def _asks_again(self, turn: Choices) -> bool:
        return self.audience.for_person and len(turn.actions) > 1 if self.confirm is None else self.confirm

    # Commands: each returns a note for below the table.

    def _help(self, turn: Choices) -> None:
        self._page(Text("\n\n".join(part for part in (HELP, turn.view.game.help) if part)))

    def _hint(self, turn: Choices) -> RenderableType:
        return Text(" ").append_text(hint_line(self._think(turn.view)))

    def _why(self, turn: Choices) -> None:
        self._page(decision_table(self._think(turn.view)))

    def _why_last(self, turn: Choices) -> RenderableType | None:
        if self._last is None:
            return Text(" you have not played yet")
        view, action = self._last
        self._page(decision_table(self._think(view), action))
        return None

    def _undo(self, turn: Choices) -> RenderableType:
        if not turn.actions:
            return Text(" nothing to take back: what has been sent is played")
        return Text.assemble(" taken back: ", card(turn.take_back()))

    def _quit(self, turn: Choices) -> None:
        raise Left

    def _page(self, content: RenderableType) -> None:
        self._paged = True
        self.audience.page(content)

    def _think(self, view: View) -> Decision:
        """A search from what the person can see; kept until the person asks about another position."""
        if self._thought is None or self._thought[0] != view:
            began, compiled = time.perf_counter(), COMPILER.seconds
            with waiting(self.audience.notes, "the adviser thinks"):
                self._thought = view, advice(view)
            self._waited += time.perf_counter() - began - (COMPILER.seconds - compiled)
        return self._thought[1]


def advice(view: View, iterations: int = ADVISER_ITERATIONS, seed: int = 0) -> Decision:
    """What the adviser would do, knowing what the view tells; without figures, where it gives none."""
    adviser = agent(searcher(view.game, iterations), seed)
    action = adviser.choose(view)
    return adviser.decision or Decision(action, view.game.text(action))


def chosen(view: View, line: str) -> list[int]:
    """The actions a line names; the beginning of one is enough where it is no card and no other begins so."""
    begun = [action for action in view.legal if view.game.text(action).startswith(" ".join(line.lower().split()))]
    if len(begun) == 1 and not is_card(view.game.text(begun[0])):
        return begun
    return parsed(view.game, line)


def parsed(game: Game, line: str) -> list[int]:
    """The actions a line names: one, or one in each word."""
    try:
        return [game.parse(line)]
    except BadText:
        words = line.replace(",", " ").split()
        if len(words) < 2:
            raise
    return [game.parse(word) for word in words]


def rules_of(game: Game) -> RenderableType:
    """What a game says about itself: the first words of the module that makes it, and its options."""
    homes = [module for module in list(sys.modules.values()) if _makes(module, game)]
    words = (homes[0].__doc__ or "").strip() if homes else ""
    options = [f"{option.name} = {option.value}: {option.meaning}" for option in game.options.values()]
    return Text("\n".join([game.summary, "", words, "", *options]).strip())


def _makes(module: object, game: Game) -> bool:
    things = list(getattr(module, "__dict__", {}).values())
    return any(issubclass(type(thing), Game) and thing.rules is game.rules for thing in things)
