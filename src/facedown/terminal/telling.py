"""Making lines out of a game's actions: tricks, what seats did in a row, and what came of it."""

from collections import deque
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from rich.text import Text

from facedown.game import Game
from facedown.games.speech import is_card, seat_name
from facedown.state import State, listed
from facedown.terminal.tricks import Trick, has_tricks, laid_cards, trick_line
from facedown.terminal.words import card, row_of
from facedown.view import Facts, View

RECENT = 4  # actions that are remembered beside the table


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
        self.news: list[str] = []  # what the last action brought about
        self._recent: deque[Text] = deque(maxlen=RECENT)
        self._tricks = count(1)
        self._seat: int | None = None
        self._words: list[str] = []

    def tell(self, before: Sight, after: Sight) -> Trick | None:
        """Take note of an action, and of what came of it; the trick it finished, if it did."""
        seat, word = after.last_action
        game = after.position.game
        spoken = word if is_card(word) else game.say(word, before.facts)
        self._recent.append(Text.assemble((f"{seat_name(seat, self.own)}: ", "dim"), card(spoken)))
        trick = self._tell(before, after, spoken)
        self.news = game.news(before.facts, after.facts, self.own)
        if self.news:
            self.flush()
            for sentence in self.news:
                self.say(Text(sentence))
        return trick

    @property
    def recent(self) -> list[Text]:
        """The last actions in words."""
        return list(self._recent)

    def _tell(self, before: Sight, after: Sight, spoken: str) -> Trick | None:
        seat, word = after.last_action
        facts, then = before.facts, after.facts
        if not plays_to_trick(before, after):
            self.flush(but=seat)
            self._seat = seat
            self._words.append(spoken)
            return None
        self.flush()
        seats = after.position.game.seats
        laid = laid_cards(facts) if len(facts["trick"]) < seats else []  # a full trick may lie there until the next lead
        laid.append((seat, word))
        if then["trick"] and len(laid) < seats:
            return None
        self.last = finished_trick(laid, before, after)
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
        self._recent.clear()
        self._tricks = count(1)


def plays_to_trick(before: Sight, after: Sight) -> bool:
    """Whether an action laid a card to a trick."""
    facts, then = before.facts, after.facts
    tricks = has_tricks(facts) and has_tricks(then) and bool(facts["trick"] or then["trick"])
    return tricks and is_card(after.last_action[1])


def finished_trick(cards: list[tuple[int, str]], before: Sight, after: Sight) -> Trick:
    """A trick with its taker, who leads to the next, as far as the facts still tell."""
    taker = None if after.is_next_deal_after(before) else after.facts.get("leader")
    if taker is None:
        return Trick(cards, None, None)
    then, now = (points_told(sight) for sight in (before, after))
    return Trick(cards, taker, now[taker] - then[taker])


def points_told(sight: Sight) -> list[float]:
    """The points of each seat, or else the scores."""
    points = sight.facts.get("points")
    seats = sight.position.game.seats
    return points if isinstance(points, list) and len(points) == seats else sight.position.scores


def told_with_words(game: Game, facts: Facts, text: str) -> str:
    """An action's text, and what people call it if that is something else."""
    words = game.say(text, facts)
    return text if words == text else f"{text}: {words}"
