"""Checks of a game's record and answers when it is registered: errors appear early, and name the author's own line."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from facedown.errors import BadGame, MissingAnswer, UnknownName, calling_line, place
from facedown.kernel import COMPILED

Answers = dict[str, Callable[..., Any]]

RENAMED = {  # questions of earlier versions, and what is asked in their place
    **dict.fromkeys(("playout_action", "rule_action", "styled_action"), "choose, in a style"),
    **dict.fromkeys(("rule_play_out", "styled_play_out"), "play_out, in a style"),
    **dict.fromkeys(("closing", "parts", "allowance"), "compound_move"),
    "is_settled": "settle",
    "abstraction": "information_set",
    "foresee": "chance_outcome",
    **dict.fromkeys(("suppositions", "suppose"), "assume"),
    "reward_in_match": "reward: register it as match_reward",
}
MOVED = {  # those that only Python asked: functions of a game now, with the same arguments
    **{name: name for name in ("allows", "another_deal_follows", "damages", "first_guess", "hypothesis", "joint_choice")},
    "supposed": "hypothesis",
}


def check_record(name: str, state: Any) -> None:
    """A record type with fields that compiled code can hold: numbers, and arrays of them."""
    if not isinstance(state, np.dtype) or not state.names:
        expected = "a record type such as np.dtype([('hands', np.uint64, 4)])"
        raise BadGame(f"the game {name!r}: expected {expected}, got {state!r}{calling_line()}")
    for field in state.names:
        if state[field].base.kind not in "biuf":
            kind = state[field].base
            raise BadGame(f"the game {name!r}: expected numbers in the field {field!r}, got {kind}{calling_line()}")


def checked_answers(name: str, functions: Iterable[Any], questions: Mapping[str, Any]) -> Answers:
    """The functions by the questions that they answer: each with its arguments, each a kernel.

    A function answers because its game's author lists it. Its name alone does not make it an answer, nor do its name and a
    place in the list: its arguments must have the question's names too, so that a helper is not taken for one.
    """
    answers: Answers = {}
    for function in functions:
        question = getattr(function, "__name__", None)
        if not callable(function) or question is None:
            raise BadGame(f"the game {name!r}: expected functions as answers, got {function!r}{calling_line()}")
        if question not in questions:
            refuse_unknown(function, question, questions)
        if question in answers:
            raise BadGame(f"the game {name!r}: expected one answer to {question!r}, got two: {where(function)}")
        check_arguments(function, questions[question])
        answers[question] = function
    return answers


def refuse_unknown(function: Any, question: str, questions: Mapping[str, Any]) -> None:
    """Refuse a function whose name is no question, or no longer one."""
    if question in MOVED:
        given = f"fd.Game(..., {MOVED[question]}={question})"
        raise BadGame(f"{where(function)}: {question!r} is no question any more: give it to the game, {given}")
    if question in RENAMED:
        known = ", ".join(sorted(questions))
        raise BadGame(f"{where(function)}: {question!r} is now {RENAMED[question]}; known questions: {known}")
    raise UnknownName("question", question, questions)


def refuse_styled(name: str, functions: Iterable[Any], styled: Iterable[str]) -> None:
    """Refuse an answer that belongs to a style of play and is listed without one."""
    for function in functions:
        question = getattr(function, "__name__", "")
        if question in styled:
            expected = f"{question!r} to be listed in a style, such as styles={{'expert': [{question}]}}"
            raise BadGame(f"the game {name!r}: expected {expected}, got it among the other answers: {where(function)}")


def check_complete(name: str, answers: Answers, questions: Mapping[str, Any], required: Iterable[str]) -> None:
    """Refuse a game that leaves open what every game must answer."""
    for missing in sorted(set(required) - answers.keys()):
        meaning = (inspect.getdoc(questions[missing]) or "").partition("\n")[0]
        other = " Or register its score_range." if missing == "reward" else ""
        raise MissingAnswer(f"the game {name!r} must answer {missing!r}: {meaning}{other}")


def check_arguments(function: Any, question: Any) -> None:
    """An answer that is compiled, and takes what it will be called with."""
    if COMPILED and not hasattr(function, "py_func"):
        raise BadGame(f"{where(function)}: expected a kernel, got a plain function: put @fd.kernel above it")
    wanted = list(inspect.signature(getattr(question, "py_func", question)).parameters)
    given = list(inspect.signature(getattr(function, "py_func", function)).parameters)
    if [argument.lstrip("_") for argument in given] != wanted:
        name = function.__name__
        expected = f"{name}({', '.join(wanted)})"
        raise BadGame(f"{where(function)}: expected {expected}, got {name}({', '.join(given)})")


def where(function: Any) -> str:
    """The name of a function, its file and its line."""
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    if code is None:
        return f"{function.__name__}{calling_line()}"
    return f"{function.__name__} in {place(code.co_filename, code.co_firstlineno)}"
