"""The questions a game answers, and how search reaches the answers.

A game is a NumPy record and compiled functions on it. Search calls the questions below with a record of any game:
interpreted, the record's dtype finds the game; compiled, its Numba type does, once, at compile time. Each game's record
carries one extra byte whose name holds the game's name and a digest of its sources. So games with equal fields stay apart,
and search that was compiled for a game's old rules is never used for its new ones.
"""

import hashlib
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from numba.core import types
from numba.core.typing.templates import AbstractTemplate, infer_global

from facedown import deals
from facedown.errors import FacedownError, MissingAnswer, UnknownName
from facedown.kernel import Array, Record, kernel
from facedown.kernel_cache import code_digest, source_digest
from facedown.rng import draw

Question = TypeVar("Question", bound=Callable[..., Any])

QUESTIONS: dict[str, Callable[..., Any]] = {}
REQUIRED: set[str] = set()

# How the search sees a result: what `reward` is asked for.
POINTS = 0
REWARDS = {"points": POINTS}


@dataclass(frozen=True, eq=False)
class Rules:
    """A record type and the compiled functions that answer questions about it."""

    name: str
    state: np.dtype[Any]
    answers: dict[str, Callable[..., Any]] = field(repr=False)


_rules: dict[str, Rules] = {}  # by the name of the record's last field


def register(name: str, state: np.dtype[Any], functions: Iterable[Callable[..., Any]]) -> Rules:
    """Make rules out of a record type and functions named after the questions they answer."""
    answers = {function.__name__: function for function in functions}
    for unknown in answers.keys() - QUESTIONS.keys():
        raise UnknownName("question", unknown, QUESTIONS)
    for missing in sorted(REQUIRED - answers.keys()):
        raise MissingAnswer(f"the game {name!r} must answer {missing!r}: {inspect.getdoc(QUESTIONS[missing])}")
    kernels = [getattr(function, "py_func", function) for function in answers.values()]
    digests = sorted(code_digest(kernel) + source_digest(kernel.__code__.co_filename) for kernel in kernels)
    mark = f"{name}_{hashlib.sha256(repr(digests).encode()).hexdigest()[:16]}"
    rules = Rules(name, _marked(state, mark), {**QUESTIONS, **answers})
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


def _ask(default: Any) -> Any:
    name = default.__name__
    QUESTIONS[name] = default

    def ask(state: Any, *rest: Any) -> Any:
        return rules_of(state).answers[name](state, *rest)

    class Answer(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        """How Numba types a call: as a call of the answer itself, with no function in between to compile."""

        key = ask
        compiled: ClassVar[dict[Any, Any]] = {}

        def generic(self, arguments: Any, keywords: Any) -> Any:
            function: Any = _rules_of_type(arguments[0]).answers[name]
            answer: Any = types.Dispatcher(function)
            signature = answer.get_call_type(self.context, arguments, keywords)
            self.compiled[signature.args] = answer.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.compiled[signature.args]

    ask.__name__ = name
    ask.__doc__ = default.__doc__
    infer_global(ask, types.Function(Answer))
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


@question
def apply(state: Record, action: int) -> None:
    """Play a legal action."""


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
    """Write each seat's reward for a finished deal, from 0 to 1; seats of one team share it."""


@optional_question
def playout_action(state: Record, actions: Array, rng: Array) -> int:
    """An action for a playout; here any legal one, each as likely."""
    return int(actions[draw(rng, legal(state, actions))])


@optional_question
def play_out(state: Record, actions: Array, rng: Array) -> None:
    """Play a deal to its end by playout actions; only `scores` and `reward` are asked afterwards."""
    while not is_over(state):
        apply(state, playout_action(state, actions, rng))


# --- What a seat knows ------------------------------------------------------------------------------------------------


@question
def hide(state: Record, seat: int) -> None:
    """Erase what a seat cannot know: the record becomes that seat's view."""


@question
def unseen(state: Record, seat: int, hidden: Record) -> None:
    """Write who may hold which of the cards a seat cannot see into a record that is all zero: see deals.HIDDEN."""


@question
def place(state: Record, seat: int, hidden: Record, rng: Array) -> None:
    """Put the cards drawn, hidden.held, into a view, so that it becomes a whole state."""


@optional_question
def seen_as(state: Record, seat: int, action: int) -> int:
    """How a seat sees an action that is about to be played by another; here openly."""
    return int(action)


@kernel
def deal_unseen(state: Record, seat: int, hidden: Record, ways: Array, rng: Array) -> None:
    """Fill a view's hidden part with one of the worlds it allows, each equally likely; deals.prepare has been called."""
    deals.draw_exact(hidden, ways, rng)
    place(state, seat, hidden, rng)
