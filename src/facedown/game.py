"""A game: its rules, options and words."""

import copy as copies
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from facedown import cards
from facedown.errors import BadGame, BadText, FacedownError, asked, shown
from facedown.kernel import Record, new_records, record_in
from facedown.limits import check_game, check_size
from facedown.options import Option, Value, check_seed, full_text, set_options
from facedown.rules import Rules
from facedown.state import Facts, History, State, whole_number
from facedown.table.plain import plain_facts
from facedown.turns import side_of_seat


class Game:
    """The rules of a game together with its options and its words."""

    def __init__(
        self,
        name: str,
        rules: Rules,
        *,
        seats: int,
        actions: int,
        summary: str = "",
        version: int = 1,
        lower_is_better: bool = False,
        rewards: Sequence[str] = ("points",),
        options: Sequence[Option] = (),
        fixed: Mapping[str, int] | None = None,
        text: Callable[[int], str] = cards.text,
        parse: Callable[[str], int] = cards.parse,
        sort_key: Callable[[int], Any] = int,
        hand: Callable[[Record, int], list[str]] | None = None,
        facts: Callable[[Record, int | None], Facts] | None = None,
        why_illegal: Callable[[Record, int], str] | None = None,
        forfeit: Callable[["Game"], tuple[float, float]] | None = None,
        help: str = "",
        opponent: str = "ismcts",
        rewind: Callable[[Record, Record, int, History, History], Sequence[int] | None] | None = None,
        look_alike: Callable[[Record, int], Sequence[int]] | None = None,
        bind: Callable[["Game"], None] | None = None,
        set_up: Callable[["Game", Record], None] | None = None,
        deals: Callable[["Game"], Sequence[int]] | None = None,
        say: Callable[[str, Facts], str] | None = None,
        news: Callable[[Facts, Facts, int | None], list[str]] | None = None,
        risks: Mapping[str, Callable[[Record], bool]] | None = None,
    ) -> None:
        """Options and `fixed` values are written into the record's fields of the same names before each deal.

        An option called `seats` says how many there are; `sort_key` puts the cards of a hand in order (or `hand` tells
        a seat's cards, where a record has no masks of them, `hands`), and `help` is what a
        person at the table may want to be reminded of. `opponent` is the searching agent that plays and
        advises there. Where options are texts of any kind, such as the cards of a deck, `bind` fits the game's actions and
        their texts to them, and `set_up` writes them into a new record. `deals` may give the seeds of a few deals: then
        these are dealt and no others, and a seed is their number.

        For people at a table: `say` words an action, given its text and the facts before it; `news` tells in sentences
        what an action brought about, given the facts before and after it and the seat spoken to; `risks` are things that
        may come of a deal, a noun each, known by the record at its end: advice says how likely they are.
        """
        self.name = name
        self.rules = rules
        self._seats = seats
        self.actions = actions  # actions are numbers below this
        self.summary = summary
        self.version = version
        self.lower_is_better = lower_is_better
        self.rewards = tuple(rewards)  # the kinds of reward that its rules answer
        self.options = {option.name: option for option in options}
        self.fixed = dict(fixed or {})
        self._text = text
        self._parse = parse
        self._sort_key = sort_key
        self._hand = hand
        self.help = help
        self.opponent = opponent
        self._facts = facts or plain_facts
        self._why_illegal = why_illegal
        self._forfeit = forfeit
        self._texts: dict[int, str] = {}
        self.path: str | None = None  # where it was found, if it was not by its name
        self.rewind = rewind  # from which deal a world came, and by which actions; the audit asks
        self.look_alike = look_alike  # the kind of each card that a view numbers, where some cannot be told apart
        self._bind = bind
        self._set_up = set_up
        self._deals = deals
        self._say = say
        self._news = news
        self.risks = dict(risks or {})
        if bind:
            asked("bind", bind, self)
        functions: Facts = {"text": text, "parse": parse, "sort_key": sort_key, "hand": hand, "facts": facts, "bind": bind}
        functions |= {"why_illegal": why_illegal, "forfeit": forfeit, "rewind": rewind, "look_alike": look_alike}
        functions |= {"set_up": set_up, "deals": deals, "say": say, "news": news, **self.risks}
        check_game(self, functions)

    def __repr__(self) -> str:
        """The text that loads it."""
        return f"<Game {self.full_name}>"

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return int(self.options["seats"].value or 0) if "seats" in self.options else self._seats

    @property
    def full_name(self) -> str:
        """The name with the options that are not at their defaults: fd.load() takes it, once it has met the game."""
        return full_text(self.name, self.options)

    @property
    def full_path(self) -> str:
        """The same with the path that the game was found by, if it was not by its name: fd.load() takes it anywhere."""
        return full_text(self.path or self.name, self.options)

    @property
    def forfeit_scores(self) -> tuple[float, float]:
        """The scores of who forfeits a game and of all others: the worst and the best it can end with."""
        if self._forfeit:
            worst, best = asked("forfeit", self._forfeit, self)
            return worst, best
        return (1.0, 0.0) if self.lower_is_better else (0.0, 1.0)

    @property
    def sides(self) -> list[int]:
        """The side each seat plays for: partners share one."""
        data = self.deal(0).data
        return [int(side_of_seat(data, seat)) for seat in range(self.seats)]

    def with_options(self, /, **values: Value) -> "Game":
        """The same game with other options."""
        game = copies.copy(self)
        game.options = set_options(self.name, self.options.values(), values)
        if self._bind:
            asked("bind", self._bind, game)
        check_size(game)
        return game

    def speak(self, text: Callable[[int], str], parse: Callable[[str], int]) -> None:
        """Take other words for the actions, as `bind` may find fit."""
        self._text, self._parse, self._texts = text, parse, {}

    def deal(self, seed: int) -> State:
        """A new game, fixed by its seed."""
        data = new_records(1, self.rules.state)
        for field, value in self.fixed.items():
            data[field] = value
        for field, option in self.options.items():
            if not option.read:
                data[field] = option.choices.index(option.value) if isinstance(option.value, str) else option.value
        if self._set_up:
            asked("set_up", self._set_up, self, record_in(data))
        state = State(self, data, check_seed(seed), [])
        state.deal_next()
        return state

    @property
    def chosen_deals(self) -> Sequence[int]:
        """The seeds of the deals that are dealt, one after another and again from the first; empty where any is."""
        chosen: Sequence[int] = asked("deals", self._deals, self) if self._deals else ()
        return chosen

    def text(self, action: int) -> str:
        """An action as text."""
        text = asked("text", self._text, whole_number(action))
        if isinstance(text, str):
            return text
        raise BadGame(f"expected the text of action {action} of {self.name}, got {text!r}")

    def texts(self, actions: Sequence[int]) -> list[str]:
        """Actions as text, many at a time: each is asked for once."""
        for action in set(actions) - self._texts.keys():
            self._texts[action] = self.text(action)
        return [self._texts[action] for action in actions]

    def parse(self, text: str) -> int:
        """An action from text."""
        if not isinstance(text, str):
            raise BadText(f"expected an action as text, got {shown(text)}")
        number: int = asked("parse", self._parse, text)
        return number

    def say(self, text: str, facts: Facts) -> str:
        """An action as people say it, from its text and the facts before it."""
        return str(asked("say", self._say, text, facts)) if self._say else text

    def news(self, before: Facts, after: Facts, own: int | None = None) -> list[str]:
        """What an action brought about beside itself, in sentences to seat `own`, or to somebody who looks on."""
        return list(map(str, asked("news", self._news, before, after, own))) if self._news else []

    @property
    def has_hands(self) -> bool:
        """Whether seats hold cards."""
        return self._hand is not None or "hands" in (self.rules.state.names or ())

    def hands(self, record: Record) -> list[list[str]]:
        """The cards each seat holds in a record, as text, in the game's own order."""
        if not self.has_hands:
            raise FacedownError(f"expected a game whose record has hands, got {self.name}")
        if self._hand:
            return [asked("hand", self._hand, record, seat) for seat in range(self.seats)]
        return [
            [cards.text(card) for card in sorted(cards.cards_of(hand), key=self._sort_key)]
            for hand in record.hands[: self.seats]
        ]

    def facts(self, record: Record, seat: int | None) -> Facts:
        """What a seat knows of a record; everything for seat None."""
        facts = asked("facts", self._facts, record, seat)
        if isinstance(facts, dict):
            return facts
        raise BadGame(f"expected the facts of {self.name} as a dict, got {facts!r}")

    def why_illegal(self, record: Record, action: int) -> str:
        """The rule an action would break."""
        if self._why_illegal is None:
            return "the rules do not allow it now"
        return str(asked("why_illegal", self._why_illegal, record, action))

    def check_seat(self, seat: Any) -> int:
        """A seat of this game."""
        if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < self.seats:
            return int(seat)
        raise FacedownError(f"expected a seat from 0 to {self.seats - 1}, got {shown(seat)}")
