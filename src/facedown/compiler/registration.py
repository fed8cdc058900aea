"""Checks of a game's record and answers when it is registered: errors appear early, and name the author's own line."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from facedown.errors import BadGame, MissingAnswer, UnknownName, calling_line, place
from facedown.kernel import COMPILED

Answers = dict[str, Callable[..., Any]]


def check_record(name: str, state: Any) -> None:
    """A record type with fields that compiled code can hold: numbers, and arrays of them."""
    if not isinstance(state, np.dtype) or not state.names:
        expected = "a record type such as np.dtype([('hands', np.uint64, 4)])"
        raise BadGame(f"the game {name!r}: expected {expected}, got {state!r}{calling_line()}")
    for field in state.names:
        if state[field].base.kind not in "biuf":
            kind = state[field].base
            raise BadGame(f"the game {name!r}: expected numbers in the field {field!r}, got {kind}{calling_line()}")


def checked_answers(name: str, functions: Iterable[Any], questions: Mapping[str, Any], required: Iterable[str]) -> Answers:
    """The functions by the questions that they answer: all that must be, each with its arguments, each a kernel."""
    answers: Answers = {}
    for function in functions:
        question = getattr(function, "__name__", None)
        if not callable(function) or question is None:
            raise BadGame(f"the game {name!r}: expected functions as answers, got {function!r}{calling_line()}")
        if question not in questions:
            raise UnknownName("question", question, questions)
        if question in answers:
            raise BadGame(f"the game {name!r}: expected one answer to {question!r}, got two: {where(function)}")
        check_arguments(function, questions[question])
        answers[question] = function
    for missing in sorted(set(required) - answers.keys()):
        raise MissingAnswer(f"the game {name!r} must answer {missing!r}: {inspect.getdoc(questions[missing])}")
    return answers


def check_arguments(function: Any, question: Any) -> None:
    """An answer that is compiled, and takes what it will be called with."""
    if COMPILED and not hasattr(function, "py_func"):
        raise BadGame(f"{where(function)}: expected a kernel, got a plain function: put @fd.kernel above it")
    wanted = inspect.signature(getattr(question, "py_func", question))
    given = inspect.signature(getattr(function, "py_func", function))
    try:
        given.bind(*wanted.parameters)
    except TypeError:
        name = function.__name__
        expected = f"{name}({', '.join(wanted.parameters)})"
        raise BadGame(f"{where(function)}: expected {expected}, got {name}({', '.join(given.parameters)})") from None


def where(function: Any) -> str:
    """The name of a function, its file and its line."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        return f"{function.__name__}{calling_line()}"
    return f"{function.__name__} in {place(code.co_filename, code.co_firstlineno)}"
