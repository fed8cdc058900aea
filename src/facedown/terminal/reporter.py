"""Making lines out of a game's actions: tricks, what seats did in a row, and what came of it."""

from collections import deque
from collections.abc import Callable
from functools import cached_property
from itertools import count

from rich.text import Text

from facedown.game import Game
from facedown.games.speech import is_card, seat_name
from facedown.state import State, listed
from facedown.table.zones import Table, numbers_of
from facedown.terminal.tricks import Trick, laid_cards, trick_leader, trick_line
from facedown.terminal.words import card, row_of
from facedown.view import Facts, View

RECENT = 4  # actions that are remembered beside the table


class VisibleState:
    """A position that may be shown, with its facts and its table, which take a while to gather."""

    def __init__(self, position: State | View) -> None:
        """A state shows everything, a view what its seat sees."""
        self.position = position

    @cached_property
    def facts(self) -> Facts:
        """For the game's own words."""
        return self.position.facts

    @cached_property
    def table(self) -> Table:
        """What is drawn."""
        return self.position.table

    @property
    def last_action(self) -> tuple[int, str]:
        """Who acted last, and how."""
        seat, action = self.position.history[-1]
        return seat, self.position.game.text(action)

    @property
    def hands(self) -> list[list[str] | None]:
        """The hands, None for those that cannot be seen."""
        return list(self.position.hands) if self.position.game.has_hands else []

    def is_next_deal_after(self, before: "VisibleState") -> bool:
        """Whether the next deal of a match has been dealt in between."""
        return not self.position.over and before.table["deal"] != self.table["deal"]


class Reporter:
    """Makes lines out of actions: one for each trick, one for the other actions that a seat takes in a row."""

    def __init__(self, own: int | None, signs: bool, print_line: Callable[[Text], None]) -> None:
        """`own` is the seat spoken to; `signs` draws suits as signs."""
        self.own = own
        self.signs = signs
        self.print_line = print_line
        self.last: Trick | None = None
        self.news: list[str] = []  # what the last action brought about
        self._recent: deque[Text] = deque(maxlen=RECENT)
        self._tricks = count(1)
        self._seat: int | None = None
        self._words: list[str] = []

    def report(self, before: VisibleState, after: VisibleState) -> Trick | None:
        """Take note of an action, and of what came of it; the trick it finished, if it did."""
        seat, word = after.last_action
        game = after.position.game
        spoken = word if is_card(word) else game.say(word, before.facts)
        self._recent.append(Text.assemble((f"{seat_name(seat, self.own)}: ", "dim"), card(spoken)))
        trick = self._report(before, after, spoken)
        self.news = game.news(before.facts, after.facts, self.own)
        if self.news:
            self.flush()
            for sentence in self.news:
                self.print_line(Text(sentence))
        return trick

    @property
    def recent(self) -> list[Text]:
        """The last actions in words."""
        return list(self._recent)

    def _report(self, before: VisibleState, after: VisibleState, spoken: str) -> Trick | None:
        seat, word = after.last_action
        if not plays_to_trick(before, after):
            self.flush(but=seat)
            self._seat = seat
            self._words.append(spoken)
            return None
        self.flush()
        seats = after.position.game.seats
        laid = laid_cards(before.table)
        laid = [*(laid if len(laid) < seats else ()), (seat, word)]  # a full trick may lie there until the next lead
        if laid_cards(after.table) and len(laid) < seats:
            return None
        self.last = finished_trick(laid, before, after)
        self.print_line(Text(f"trick {next(self._tricks):2}: ").append_text(trick_line(self.last, self.own, self.signs)))
        return self.last

    def flush(self, but: int | None = None) -> None:
        """Print the actions kept back for one line, unless seat `but` may still add to it."""
        if self._seat == but:
            return
        if self._seat is not None:
            words = row_of(self._words) if self.signs else Text(listed(self._words))
            self.print_line(Text(f"{seat_name(self._seat, self.own)}: ").append_text(words))
        self._seat, self._words = None, []

    def next_deal(self) -> None:
        """Count tricks anew."""
        self.flush()
        self.last = None
        self._recent.clear()
        self._tricks = count(1)


def plays_to_trick(before: VisibleState, after: VisibleState) -> bool:
    """Whether an action laid a card to a trick."""
    return bool(laid_cards(before.table) or laid_cards(after.table)) and is_card(after.last_action[1])


def finished_trick(cards: list[tuple[int, str]], before: VisibleState, after: VisibleState) -> Trick:
    """A trick with its taker, who leads to the next, as far as the table still shows it."""
    taker = None if after.is_next_deal_after(before) else trick_leader(after.table)
    if taker is None:
        return Trick(cards, None, None)
    then, now = (numbers_of(seen.table, "score") for seen in (before, after))
    return Trick(cards, taker, now[taker] - then[taker])


def text_in_words(game: Game, facts: Facts, text: str) -> str:
    """An action's text, and what people call it if that is something else."""
    words = game.say(text, facts)
    return text if words == text else f"{text}: {words}"
