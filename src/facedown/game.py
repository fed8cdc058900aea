"""A game: its rules, options and words."""

import copy as copies
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from facedown import cards
from facedown.compiler.asking import side_of_seat
from facedown.elsewhere import PLAIN as PLAINLY_TOLD
from facedown.elsewhere import Elsewhere
from facedown.errors import BadGame, BadText, FacedownError, MissingAnswer, asked, shown
from facedown.kernel import Array, Record, new_records, record_in
from facedown.limits import check_game, check_size
from facedown.notation.position import PLAIN, UNFIT, Notation, check_world, read_position, read_view
from facedown.options import Option, Value, check_seed, full_text, read_number, set_options
from facedown.rules import Rules
from facedown.state import State, whole_number
from facedown.table.default import default_table
from facedown.table.outcome import Outcome, outcome_of
from facedown.table.plain import plain_facts
from facedown.table.zones import Table
from facedown.view import SPECTATOR, SPECTATOR_TEXT, Facts, History, Seconds, View
from facedown.worlds.knowledge import HIDDEN


class Functions(TypedDict, total=False):
    """The Python functions that a game may have beside its compiled rules: its words, and what only some games need."""

    # The words.
    text: Callable[[int], str]  # an action as text; here cards
    parse: Callable[[str], int]  # and back
    sort_key: Callable[[int], Any]  # puts the cards of a hand in order
    hand: Callable[[Record, int], list[str]]  # a seat's cards, where the record has no masks of them called `hands`
    facts: Callable[[Record, int | None], Facts]  # what a seat knows of a record; everything for seat None
    table: Callable[[Facts, int | None], Table]  # what lies on the table, given the facts and the seat that looks
    why_illegal: Callable[[Record, int], str]  # the rule that an action would break
    outcome: Callable[[Record], tuple[str, str]]  # of a game that is over: the reason in a few words, and in a sentence
    say: Callable[[str, Facts], str]  # an action as people say it, given its text and the facts before it
    news: Callable[[Facts, Facts, int | None], list[str]]  # what an action brought about: facts before and after, own seat
    # The deal.
    allows: Callable[[Record, int], bool]  # whether an action may be played that `legal` does not list
    another_deal_follows: Callable[[Record], bool]  # of a deal that is over: whether the match continues
    bind: Callable[["Game"], None]  # fits actions and texts to options that are texts of any kind, such as cards of a deck
    set_up: Callable[["Game", Record], None]  # writes such options into a new record
    deals: Callable[["Game"], Sequence[int]]  # the seeds of the only deals there are: a seed is the number of one
    forfeit: Callable[["Game"], tuple[float, float]]  # the scores of who forfeits, and of the others
    # Sets of actions that the seats choose face down, one action after another.
    joint_choice: Callable[[Record], int]  # rewinds a record to before the sets; how many actions a set has, 0 for none
    first_guess: Callable[[Record, int, Array, Array], None]  # writes what each set seems worth, as a reward
    damages: Callable[[Record, int, Array, Array], None]  # writes what damage each set must fear
    # For agents that see all, and the audit.
    hypothesis: Callable[[Record, int], int]  # which hypothesis about the last action is true, of those of `assume`
    rewind: Callable[[Record, Record, int, History, History], Sequence[int] | None]  # the deal and actions behind a world
    look_alike: Callable[[Record, int], Sequence[int]]  # the kind of each card that a view numbers, where some look alike


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
        help: str = "",
        opponent: str = "ismcts",
        best: str = "",
        risks: Mapping[str, Callable[[Record], bool]] | None = None,
        notation: Notation = PLAIN,
        elsewhere: Elsewhere = PLAINLY_TOLD,
        knowledge: np.dtype[Any] = HIDDEN,
        features: Sequence[str] = (),
        seat_features: Sequence[str] = (),
        measured_with: Mapping[str, Value] | None = None,
        **functions: Unpack[Functions],
    ) -> None:
        """Options and `fixed` values are written into the record's fields of the same names before each deal.

        An option called `seats` says how many there are. `help` is what a person at the table may want to be reminded of,
        `opponent` the searching agent that plays and advises there, `best` the strongest one known, without a budget.
        `risks` are things that may come of a deal, a noun each, known by the record at its end: advice says how likely.
        `notation` says how positions are written, `elsewhere` how a game played elsewhere is told, and `knowledge` is the
        type of what a seat knows of hidden cards.
        `features` names the columns that `action_features` writes, `seat_features` those of the question of that name.
        `measured_with` are the options of its benchmark, where these are not the ones it is played with.
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
        self.help = help
        self.opponent = opponent
        self.best = best or opponent
        self.risks = dict(risks or {})
        self.notation = notation
        self.elsewhere = elsewhere
        self.knowledge = knowledge  # the record that `unseen` writes into: HIDDEN, or batches.with_batches
        self.features = tuple(features)  # names of what a policy may look at
        self.seat_features = tuple(seat_features)
        self.measured_with = dict(measured_with or {})
        self.path: str | None = None  # where it was found, if it was not by its name
        self._functions = functions
        self._texts: dict[int, str] = {}
        for unknown in functions.keys() - Functions.__annotations__.keys():
            raise TypeError(f"Game.__init__() got an unexpected keyword argument {unknown!r}")
        if self.has("bind"):
            self._ask("bind", self)
        check_game(self, {**functions, **self.risks})

    def _ask(self, function: str, *arguments: Any, default: Callable[..., Any] | None = None) -> Any:
        """What one of the game's own functions answers."""
        chosen: Any = self._functions.get(function) or default
        return asked(function, chosen, *arguments)

    def has(self, function: str) -> bool:
        """Whether the game has one of the functions that a game may have."""
        return self._functions.get(function) is not None

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
        if self.has("forfeit"):
            worst, best = self._ask("forfeit", self)
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
        if self.has("bind"):
            self._ask("bind", game)
        check_size(game)
        return game

    def speak(self, text: Callable[[int], str], parse: Callable[[str], int]) -> None:
        """Take other words for the actions, as `bind` may find fit."""
        self._functions = {**self._functions, "text": text, "parse": parse}
        self._texts = {}

    def deal(self, seed: int) -> State:
        """A new game, fixed by its seed."""
        state = self.state_of(self.new_record(), check_seed(seed))
        state.deal_next()
        return state

    def new_record(self) -> Array:
        """An array of one record in which nothing is written but the options."""
        data = new_records(1, self.rules.state)
        for field, value in self.fixed.items():
            data[field] = value
        for field, option in self.options.items():
            if not option.read:
                data[field] = option.choices.index(option.value) if isinstance(option.value, str) else option.value
        if self.has("set_up"):
            self._ask("set_up", self, record_in(data))
        return data

    def state_of(self, data: Array, seed: int, history: History | None = None, seconds: Seconds | None = None) -> State:
        """A state from a record, as it is."""
        return State(self, data, seed, history or [], seconds)

    def position(self, text: str, seed: int = 0, *, trusted: bool = True) -> State:
        """A state from its `position`, without a history; the seed is that of further deals in a match.

        Text from outside is not `trusted`: it is taken by games that say which positions are possible.
        """
        state = self.state_of(read_position(self, text, trusted), check_seed(seed))
        state.set_up_by_hand()
        return state

    def view(self, text: str, history: Iterable[tuple[int, int | str]] = (), *, trusted: bool = True) -> View:
        """A view from its `position`, with the actions so far as its seat saw them, numbers or texts.

        Text from outside is not `trusted`: there must be cards that agree with a seat's view.
        """
        viewer, data = read_view(self, text, trusted)
        seat = SPECTATOR if viewer == SPECTATOR_TEXT else self.check_seat(read_number(viewer))
        seen = [
            (self.check_seat(mover), self.parse(action) if isinstance(action, str) else whole_number(action))
            for mover, action in history
        ]
        view = View(self, data, seat, seen)
        if not trusted and seat != SPECTATOR:
            try:
                world = view.sample(0)
            except UNFIT as error:
                raise BadText(f"expected a view that cards agree with, got one that has none: {error}") from None
            check_world(self, world.data)
        return view

    @property
    def chosen_deals(self) -> Sequence[int]:
        """The seeds of the deals that are dealt, one after another and again from the first; empty where any is."""
        chosen: Sequence[int] = self._ask("deals", self) if self.has("deals") else ()
        return chosen

    def another_deal_follows(self, record: Record) -> bool:
        """Whether the match continues after a deal that is over."""
        return bool(self._ask("another_deal_follows", record, default=lambda _: False))

    def allows(self, record: Record, action: int) -> bool:
        """Whether an action that `legal` does not list may be played as well: one that search need not think of."""
        return bool(self._ask("allows", record, action, default=lambda *_: False))

    def hypothesis(self, record: Record, seat: int) -> int:
        """Which of the hypotheses about the last action is true, in a whole state."""
        return int(self._ask("hypothesis", record, seat, default=lambda *_: 0))

    def joint_choice(self, record: Record) -> int:
        """Rewind a state or a view to before the sets that seats choose; how many actions a set has, 0 where none is due."""
        return int(self._ask("joint_choice", record, default=lambda _: 0))

    def judge_sets(self, judgement: str, view: View, sets: Array) -> Array:
        """What a judgement, `first_guess` or `damages`, says of each row of `sets`; the view is rewound."""
        out = np.zeros(len(sets))
        self._ask(judgement, view.record, view.seat, sets, out, default=lambda *_: None)
        return out

    def require(self, asker: str, function: str) -> None:
        """Refuse, in words, what needs one of the game's own functions that it does not have."""
        if not self.has(function):
            raise MissingAnswer(f"{asker} asks {function!r}, which the game {self.name!r} does not answer")

    @property
    def rewind(self) -> Any:
        """From which deal a world came, and by which actions, where the game has a function for it; the audit asks."""
        return self._functions.get("rewind")

    @property
    def look_alike(self) -> Any:
        """The kind of each card that a view numbers, where the game has a function for it: some cannot be distinguished."""
        return self._functions.get("look_alike")

    def text(self, action: int) -> str:
        """An action as text."""
        text = self._ask("text", whole_number(action), default=cards.text)
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
        number: int = self._ask("parse", text, default=cards.parse)
        return number

    def say(self, text: str, facts: Facts) -> str:
        """An action as people say it, from its text and the facts before it."""
        return str(self._ask("say", text, facts)) if self.has("say") else text

    def news(self, before: Facts, after: Facts, own: int | None = None) -> list[str]:
        """What an action brought about beside itself, in sentences to seat `own`, or to somebody who looks on."""
        return list(map(str, self._ask("news", before, after, own))) if self.has("news") else []

    @property
    def has_hands(self) -> bool:
        """Whether seats hold cards."""
        return self.has("hand") or "hands" in (self.rules.state.names or ())

    def hands(self, record: Record) -> list[list[str]]:
        """The cards each seat holds in a record, as text, in the game's own order."""
        if not self.has_hands:
            raise FacedownError(f"expected a game whose record has hands, got {self.name}")
        if self.has("hand"):
            return [self._ask("hand", record, seat) for seat in range(self.seats)]
        order = self._functions.get("sort_key", int)
        return [
            [cards.text(card) for card in sorted(cards.cards_of(hand), key=order)] for hand in record.hands[: self.seats]
        ]

    def facts(self, record: Record, seat: int | None) -> Facts:
        """What a seat knows of a record, or a spectator; everything for seat None."""
        facts = self._ask("facts", record, seat, default=plain_facts)
        if isinstance(facts, dict):
            return facts
        raise BadGame(f"expected the facts of {self.name} as a dict, got {facts!r}")

    def table(self, position: State | View, seat: int | None) -> Table:
        """What lies on the table as a seat sees it, in zones; everything for seat None, nothing hidden for a spectator."""
        facts, viewer = self.facts(position.record, seat), seat if seat in range(self.seats) else None
        if not self.has("table"):
            return default_table(position, facts, viewer)
        table: Table = self._ask("table", facts, viewer)
        if isinstance(table, dict) and table.keys() >= Table.__required_keys__:
            return table
        raise BadGame(f"expected the table of {self.name} as new_table makes it, got {shown(table)}")

    def why_illegal(self, record: Record, action: int) -> str:
        """The rule an action would break."""
        return str(self._ask("why_illegal", record, action, default=lambda *_: "the rules do not allow it now"))

    def outcome(self, record: Record, scores: Sequence[float]) -> Outcome:
        """Why a game that is over has ended, and who has won by its scores."""
        answer = self._ask("outcome", record, default=lambda _: ("game over", "the game is over"))
        if not (isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(part, str) for part in answer)):
            raise BadGame(f"expected the outcome of {self.name} as a reason and a sentence, got {shown(answer)}")
        return outcome_of(*answer, scores, self.lower_is_better)

    def check_seat(self, seat: Any) -> int:
        """A seat of this game."""
        if isinstance(seat, int | np.integer) and not isinstance(seat, bool) and 0 <= seat < self.seats:
            return int(seat)
        raise FacedownError(f"expected a seat from 0 to {self.seats - 1}, got {shown(seat)}")
