"""The questions a game answers, and how search reaches the answers.

A game is a NumPy record and compiled functions on it. Search calls the questions below with a record of any game:
interpreted, the record's dtype finds the game; compiled, its Numba type does, once, at compile time. Each game's record
carries one extra byte whose name holds the game's name and a digest of its sources. So games with equal fields stay apart,
and search that was compiled for a game's old rules is never used for its new ones.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np

from facedown.compiler.registration import check_record, checked_answers
from facedown.errors import FacedownError, MissingAnswer
from facedown.kernel import Array, Record, compile_as, kernel
from facedown.kernel_cache import mark_of
from facedown.rng import draw

Question = TypeVar("Question", bound=Callable[..., Any])

EXPERT, REDUCED, PRINTED = range(3)  # styles of rule play: the best, a simple one with chance in it, by the letter of a text

QUESTIONS: dict[str, Callable[..., Any]] = {}
REQUIRED: set[str] = set()
SPECIAL: set[str] = set()


@dataclass(frozen=True, eq=False)
class Rules:
    """A record type and the compiled functions that answer questions about it."""

    name: str
    state: np.dtype[Any]
    answers: dict[str, Callable[..., Any]] = field(repr=False)

    def answer(self, question: str) -> Callable[..., Any]:
        """The function that answers a question."""
        if question not in self.answers:
            raise MissingAnswer(f"the game {self.name!r} must answer {question!r} for this, and does not")
        return self.answers[question]

    def require(self, asker: str, *questions: str) -> None:
        """Refuse, in words, what asks a game questions it does not answer."""
        for question in questions:
            if self.answers.get(question) in (None, QUESTIONS[question]):
                raise MissingAnswer(f"{asker} asks {question!r}, which the game {self.name!r} does not answer")


_rules: dict[str, Rules] = {}  # by the name of the record's last field


def register(name: str, state: np.dtype[Any], functions: Iterable[Callable[..., Any]]) -> Rules:
    """Make rules out of a record type and functions named after the questions they answer."""
    check_record(name, state)
    answers = checked_answers(name, functions, QUESTIONS, REQUIRED)
    mark = mark_of(name, answers.values())
    silent = {key: default for key, default in QUESTIONS.items() if key not in REQUIRED | SPECIAL}
    rules = Rules(name, _marked(state, mark), {**silent, **answers})
    _rules[mark] = rules
    return rules


def _marked(state: np.dtype[Any], mark: str) -> np.dtype[Any]:
    """The record type with the mark as its last field: the widest fields first, and no padding.

    NumPy leaves the bytes of padding as they happen to be, and equal views must have equal bytes.
    """
    names = sorted(state.names or (), key=lambda name: -state[name].base.alignment)
    fields: list[Any] = [(name, state[name].base, state[name].shape) for name in names]
    size = sum(state[name].itemsize for name in names)
    fill = -(size + 1) % max(state[name].base.alignment for name in names) + 1
    return np.dtype([*fields, (mark, np.uint8, (fill,))], align=True)


def rules_of(state: Record) -> Rules:
    """The rules of a record, by its dtype."""
    return _find(state.dtype.names)


def _rules_of_type(record: Any) -> Rules:
    """The rules of a record, by its Numba type."""
    return _find(tuple(record.fields) if hasattr(record, "fields") else ())


def _find(fields: tuple[str, ...]) -> Rules:
    for name in reversed(fields):
        if name in _rules:
            return _rules[name]
    raise FacedownError(f"expected a registered game's record, got one with the fields {', '.join(fields) or 'none'}")


def question(declared: Question) -> Question:
    """Declare a question that every game answers: the game of the record that is its first argument."""
    REQUIRED.add(declared.__name__)
    return cast(Question, _ask(declared))


def optional_question(declared: Question) -> Question:
    """Declare a question with an answer for the games that keep silent: the body."""
    return cast(Question, _ask(kernel(declared)))


def special_question(declared: Question) -> Question:
    """Declare a question that only some searches ask: a game that is silent cannot be searched by these."""
    SPECIAL.add(declared.__name__)
    return cast(Question, _ask(declared))


def _ask(default: Any) -> Any:
    name = default.__name__
    QUESTIONS[name] = default

    def ask(state: Any, *rest: Any) -> Any:
        return rules_of(state).answer(name)(state, *rest)

    def answer(record: Any) -> Any:
        return _rules_of_type(record).answer(name)

    ask.__name__ = name
    ask.__doc__ = default.__doc__
    compile_as(ask, answer, default.__annotations__["return"])
    return ask


# --- Playing ----------------------------------------------------------------------------------------------------------


@question
def deal(state: Record, rng: Array) -> None:
    """Set up a new deal; the options already stand in the record, and perhaps the remains of the last deal."""


@question
def to_move(state: Record) -> int:
    """The seat to act."""
    raise NotImplementedError
    ...


@question
def legal(state: Record, actions: Array) -> int:
    """Write the legal actions, lowest first, and return how many there are."""
    raise NotImplementedError
    ...


@optional_question
def allows(state: Record, action: int) -> bool:
    """Whether an action that `legal` does not list may be played as well: one that search need not think of."""
    return False


@question
def apply(state: Record, action: int) -> None:
    """Play a legal action, or another that `allows` lets pass."""


@question
def is_over(state: Record) -> bool:
    """Whether the deal has ended."""
    raise NotImplementedError
    ...


@question
def scores(state: Record, out: Array) -> None:
    """Write the game's own score of each seat."""


@optional_question
def another_deal_follows(state: Record) -> bool:
    """Whether a match goes on after this deal, which is over."""
    return False


# --- What the search asks beside --------------------------------------------------------------------------------------


@question
def reward(state: Record, kind: int, out: Array) -> None:
    """Write each seat's reward for a finished deal, of a kind listed in rewards.py; seats of one side share it."""


@optional_question
def playout_action(state: Record, actions: Array, rng: Array) -> int:
    """An action for a playout; here any legal one, each as likely."""
    return int(actions[draw(rng, legal(state, actions))])


@optional_question
def rule_action(state: Record, actions: Array, rng: Array) -> int:
    """An action by the game's own rules of thumb; who asks for them refuses games that have none."""
    return int(playout_action(state, actions, rng))


@optional_question
def rule_play_out(state: Record, actions: Array, rng: Array) -> None:
    """Play a deal to its end by the rules of thumb; only `scores`, `reward` and `turns` are asked afterwards."""
    while not is_over(state):
        apply(state, rule_action(state, actions, rng))


@special_question
def styled_action(state: Record, style: int, actions: Array, rng: Array) -> int:
    """An action in a style of rule play, such as REDUCED; EXPERT is `rule_action`."""
    raise NotImplementedError


@optional_question
def styled_play_out(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Play a deal to its end in a style of rule play; only `scores`, `reward` and `turns` are asked afterwards."""
    while not is_over(state):
        apply(state, styled_action(state, style, actions, rng))


@optional_question
def is_settled(state: Record) -> bool:
    """Whether the question now is one that a search decides itself, even if it leaves others to the game's rules."""
    return True


@optional_question
def settle(state: Record, style: int, actions: Array, rng: Array) -> None:
    """Answer, in a style of rule play, the questions before the next one for which `is_settled` holds, or the end."""


@optional_question
def play_out(state: Record, actions: Array, rng: Array) -> None:
    """Play a deal to its end by playout actions; only `scores` and `reward` are asked afterwards."""
    while not is_over(state):
        apply(state, playout_action(state, actions, rng))


@optional_question
def side_of(state: Record, seat: int) -> int:
    """The side a seat plays for: partners share one; here each seat its own."""
    return int(seat)


@optional_question
def turns(state: Record) -> int:
    """How many turns of the deal have been taken, as the game counts them; asked of views, and after a playout."""
    return 0


@special_question
def moves_left(state: Record) -> int:
    """How many actions the deal takes to its end, at most; asked of views too."""
    raise NotImplementedError


@special_question
def abstraction(state: Record, seat: int) -> int:
    """The information set of the seat to act, as coarse as the game likes: one number from 0, of at most 62 bits.

    The kind of the last hidden action (see `suppose`) goes in as if it had been played openly. Positions with equal
    numbers may differ in what is legal.
    """
    raise NotImplementedError


@special_question
def position_key(state: Record, seat: int, merge: bool, key: Array) -> None:
    """Write two numbers that are equal for positions in which a seat faces the same game.

    All that the seat knows and that still matters goes in, and nothing else; for seat -1, all there is. `merge` asks to
    take suits that differ only in name for the same, where the game can.
    """


@special_question
def relative_action(state: Record, seat: int, merge: bool, action: int) -> int:
    """The name of an action that is the same in all positions with the same key; below the number of actions."""
    raise NotImplementedError


# --- Compound moves: a subset of parts, asked for one by one --------------------------------------------------------------


@optional_question
def closing(state: Record) -> int:
    """The action that ends the compound move under way; -1 where the question is a plain one, as it is here."""
    return -1


@optional_question
def parts(state: Record, menu: Array) -> int:
    """Write what the compound move under way may still be made of, and return how many rows that takes, at most 64.

    A row of the menu is an action, how many times it may be taken, and what it costs each time. A part that costs less than
    nothing pays for others.
    """
    return 0


@optional_question
def allowance(state: Record) -> int:
    """What the parts of the compound move under way may still cost together, below 64."""
    return 0


# --- Chance that is still to come -----------------------------------------------------------------------------------------


@optional_question
def shuffle_stock(state: Record, rng: Array) -> None:
    """Put what lies face down for nobody in any order; all that seats hold stays theirs."""


@optional_question
def foresee(state: Record, action: int) -> int:
    """What chance brings if an action is played, as a number from 0; -1 if it has no part in it. Asked of whole states."""
    return -1


# --- What a seat knows ------------------------------------------------------------------------------------------------


@question
def hide(state: Record, seat: int) -> None:
    """Erase what a seat cannot know: the record becomes that seat's view."""


@question
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """Write who may hold which of the cards a seat cannot see into a record that is all zero: see worlds.knowledge."""


@question
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Put the cards drawn, hidden.held, into a view, so that it becomes a whole state."""


@optional_question
def suppositions(state: Record, seat: int) -> int:
    """How many kinds of action the last one may have been, for all that a seat saw of it; here one: nothing is hidden."""
    return 1


@optional_question
def suppose(state: Record, seat: int, which: int, hidden: Record) -> None:
    """Narrow `hidden`, as `unseen` has written it, to the worlds in which the last action was of a kind.

    For a kind that it cannot have been of, `hidden` must allow no world: some card or some place must be left over.
    """


@optional_question
def supposed(state: Record, seat: int) -> int:
    """Of which kind the last action was, of those that `suppositions` counts; asked of whole states."""
    return 0


@optional_question
def seen_as(state: Record, seat: int, action: int) -> int:
    """How a seat sees an action that is about to be played by another; here openly."""
    return int(action)
