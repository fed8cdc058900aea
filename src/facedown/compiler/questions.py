"""How search reaches a game's answers: questions that the record of a game directs to that game's own kernels.

Interpreted, the record's dtype finds the game; compiled, its Numba type does, once, at compile time. Each game's record
carries one extra field whose name holds the game's name and a digest of its sources. So games with equal fields stay apart,
and search that was compiled for a game's old rules is never used for its new ones.

A question that has a style, such as `choose`, may be answered by one kernel for each style. The style must be a constant
where kernels ask: it chooses the answer at compile time too, and the others are not compiled. `reward` is answered by its
kind in the same way, where a game has an answer of its own for a kind and the kind is a constant.
"""

import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import numpy as np

from facedown.errors import FacedownError, MissingAnswer
from facedown.kernel import Record, compile_as, kernel
from facedown.kernel_cache import mark_of

Answer = Callable[..., Any]
Question = TypeVar("Question", bound=Answer)

QUESTIONS: dict[str, Answer] = {}  # each with the answer for games that give none
PURPOSES: dict[str, str] = {}  # what an answer makes possible
REQUIRED: set[str] = set()
SPECIAL: set[str] = set()
STYLED: set[str] = set()
STYLES: dict[int, str] = {}  # names, by their numbers
OF_KINDS: dict[
    str, Mapping[int, str]
] = {}  # questions that may have an answer for a constant alone: names, by their numbers


def style(name: str) -> int:
    """The number of a style of play: the same for all games that have a style of this name.

    It is made from the name. If styles were counted, compiled code, which has the number in it, would be found again only by
    processes that load the same games in the same order.
    """
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big")
    STYLES[number] = name
    return number


UNIFORM = style("uniform")  # any legal action, uniformly; every game has this style
EXPERT = style("expert")  # the best rules of thumb that a game has
REDUCED = style("reduced")  # simpler ones, with chance in them


def styled(question: str, style_name: str) -> str:
    """The key of an answer in a style, as `Rules.answers` and `Rules.require` name it: choose:expert."""
    return f"{question}:{style_name}"


@dataclass(frozen=True, eq=False)
class Rules:
    """A record type and the compiled functions that answer questions about it."""

    name: str
    state: np.dtype[Any]
    answers: dict[str, Answer] = field(repr=False)  # by question, or by question and style
    own: frozenset[str] = field(repr=False)  # those that the game gives itself

    def answer(self, question: str) -> Answer:
        """The function that answers a question."""
        if question not in self.answers:
            raise MissingAnswer(f"the game {self.name!r} must answer {question!r} for this, and does not")
        return self.answers[question]

    def answer_in(self, question: str, number: int) -> Answer:
        """The function that answers in a style; that of plain chance where the game has no such style: see `require`."""
        key = styled(question, STYLES[number])
        return self.answers[key if key in self.answers else styled(question, STYLES[UNIFORM])]

    def answer_of(self, question: str, kind: str) -> Answer:
        """The function that answers for a constant, or the one for all kinds."""
        return self.answers.get(styled(question, kind)) or self.answer(question)

    def require(self, asker: str, *questions: str) -> None:
        """Refuse, in words, what asks a game questions it does not answer; `choose:expert` is one in a style."""
        for question in questions:
            if question not in self.own:
                name, _, chosen = question.partition(":")
                words = f"{name!r} in the style {chosen!r}" if chosen else f"{name!r}"
                raise MissingAnswer(f"{asker} asks {words}, which the game {self.name!r} does not answer")


_rules: dict[str, Rules] = {}  # by the name of the record's last field


def new_rules(name: str, state: np.dtype[Any], answers: dict[str, Answer], own: frozenset[str]) -> Rules:
    """Make rules known by the type of their record."""
    mark = mark_of(name, answers)
    silent = {key: default for key, default in QUESTIONS.items() if key not in REQUIRED | SPECIAL | STYLED}
    rules = Rules(name, _marked(state, mark), {**silent, **answers}, own)
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
    """The rules of a record, or of an array of records, by its dtype."""
    return _find(state.dtype.names)


def _rules_of_type(record: Any) -> Rules:
    """The rules of a record, by its Numba type."""
    return _find(tuple(record.fields) if hasattr(record, "fields") else ())


def _find(fields: tuple[str, ...]) -> Rules:
    for name in reversed(fields):
        if name in _rules:
            return _rules[name]
    raise FacedownError(f"expected a registered game's record, got one with the fields {', '.join(fields) or 'none'}")


def signature_of(question: str) -> list[str]:
    """The names of a question's arguments."""
    declared = QUESTIONS[question]
    return list(inspect.signature(getattr(declared, "py_func", declared)).parameters)


# --- Declaring questions ----------------------------------------------------------------------------------------------


def question(declared: Question) -> Question:
    """Declare a question that every game answers: the game of the record that is its first argument."""
    REQUIRED.add(declared.__name__)
    return cast(Question, _ask(declared, ""))


def question_of_kinds(kinds: Mapping[int, str]) -> Callable[[Question], Question]:
    """Declare a question that every game answers, some kinds of its second argument by a kernel of their own perhaps."""

    def declare(declared: Question) -> Question:
        OF_KINDS[declared.__name__] = kinds
        return question(declared)

    return declare


def optional_question(purpose: str) -> Callable[[Question], Question]:
    """Declare a question with an answer for the games that keep silent: the body."""

    def declare(declared: Question) -> Question:
        return cast(Question, _ask(kernel(declared), purpose))

    return declare


def special_question(purpose: str) -> Callable[[Question], Question]:
    """Declare a question that only some searches ask: they cannot search a game that is silent."""

    def declare(declared: Question) -> Question:
        SPECIAL.add(declared.__name__)
        return cast(Question, _ask(declared, purpose))

    return declare


def styled_question(purpose: str) -> Callable[[Question], Question]:
    """Declare a question whose second argument, a constant, is a style; `rules.register` gives each style an answer."""

    def declare(declared: Question) -> Question:
        STYLED.add(declared.__name__)
        return cast(Question, _ask(declared, purpose))

    return declare


def _ask(default: Any, purpose: str) -> Any:
    name = default.__name__
    QUESTIONS[name], PURPOSES[name] = default, purpose
    kinds = OF_KINDS.get(name, {})
    by_constant = name in STYLED or bool(kinds)

    def chosen(rules: Rules, constant: int | None) -> Any:
        if name in STYLED:
            return None if constant is None else rules.answer_in(name, constant)
        return rules.answer(name) if constant is None else rules.answer_of(name, kinds.get(constant, ""))

    def ask(state: Any, *rest: Any) -> Any:
        return chosen(rules_of(state), rest[0] if by_constant else None)(state, *rest)

    def compiled(record: Any, number: Any = None) -> Any:
        return chosen(_rules_of_type(record), getattr(number, "literal_value", None))

    ask.__name__ = name
    ask.__doc__ = default.__doc__
    result = default.__annotations__["return"]
    compile_as(ask, compiled, result if result in (int, bool, None) else object, by_constant)
    return ask
