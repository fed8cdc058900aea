"""What is wrong with a kernel that does not compile, in one line: its function, its file and line, what was expected.

Numba tells it in hundreds of lines, level by level, and begins with the outermost: facedown's own. Here the innermost kernel
of a person's file writes its line into Numba's message, between two marks, and whoever entered compiled code reads it there.
What is raised in between stays Numba's, since a failure that it meets while types are still unknown may yet be overcome.
"""

import dis
import inspect
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from numba.core import types
from numba.core.errors import ForceLiteralArg, NumbaError, TypingError
from numba.core.registry import CPUDispatcher

from facedown.errors import BadGame, FacedownError, is_own, place

LINE = re.compile("\x02(.*?)\x03", re.DOTALL)  # the line for a person, in Numba's message
CALL = re.compile("\x04(.*?)\x05", re.DOTALL)  # facedown's own function that does not take what it was called with

MOST_NAMED = 16  # fields in a message: all that a game writes into `hidden`
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

SIGNS = {
    **{"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"},
    **{"and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "invert": "~", "neg": "-", "not_": "not"},
    **{"iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "ifloordiv": "//=", "imod": "%="},
    **{"iand": "&=", "ior": "|=", "ixor": "^=", "ilshift": "<<=", "irshift": ">>="},
    **{"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "contains": "in"},
}


class Kernel(CPUDispatcher):  # type: ignore[misc]  # Numba has no types
    """Numba's dispatcher, which explains itself when it does not compile; nothing else about it is different."""

    def compile(self, sig: Any) -> Any:
        """Compile for some types of arguments."""
        try:
            return super().compile(sig)
        except (FacedownError, ForceLiteralArg, MemoryError):
            raise
        except NumbaError as error:
            _write_line(error, self.py_func, sig)
            raise
        except Exception as error:  # not even Numba knew what this was
            failure = TypingError(f"{type(error).__name__}: {error}")
            _write_line(failure, self.py_func, sig, error)
            raise failure from error

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Compile for a call from Python: this is where compiled code is entered."""
        try:
            with interruptible():
                return super()._compile_for_args(*arguments, **named)
        except NumbaError as error:
            line = LINE.search(str(error))
            raise BadGame(line[1] if line else _line(self.py_func, (), error)) from error


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end a compilation: Numba may take it for a mistake in the code that it compiles, or drop it."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    came = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal came
        try:
            before(number, frame)
        except KeyboardInterrupt:
            came = True
            raise

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except Exception as error:
        if came:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def check_result(function: Callable[..., Any], signature: Any, wanted: type | None) -> None:
    """Refuse a kernel that returns something else than was asked for."""
    if wanted is object:
        return
    kind = signature.return_type
    if wanted is None and kind != types.none:
        expected = "nothing to be returned: results are written into the arguments"
    elif wanted is not None and not isinstance(kind, types.Integer | types.Boolean):
        expected = "a whole number to be returned in every case" if wanted is int else "true or false to be returned"
    else:
        return
    code = function.__code__
    where = place(code.co_filename, code.co_firstlineno)
    raise BadGame(f"{function.__name__} in {where}: expected {expected}, got {_plain(str(kind))}")


def _write_line(error: NumbaError, function: Any, arguments: Any, cause: Exception | None = None) -> None:
    """Write into an error what its reader should know, unless a kernel further in has."""
    text = str(error)
    if LINE.search(text):
        return
    if is_own(function.__code__.co_filename):
        call = f"{function.__name__}({', '.join(_plain(str(kind)) for kind in arguments)})"
        error.patch_message(f"\x04{call}\x05\n{CALL.sub('', text)}")
    else:
        error.patch_message(f"\x02{_line(function, arguments, cause or error)}\x03\n{text}")


def _line(function: Callable[..., Any], arguments: Any, error: Exception) -> str:
    """Function, file, line, and what was expected."""
    words, line = _told(function, arguments, error)
    code = function.__code__
    loc = getattr(error, "loc", None)
    if line is None and loc is not None and loc.filename == code.co_filename:
        line = loc.line
    return f"{function.__name__} in {place(code.co_filename, line or code.co_firstlineno)}: {words}"


# --- Words ------------------------------------------------------------------------------------------------------------


def _told(function: Callable[..., Any], arguments: Any, error: Exception) -> tuple[str, int | None]:
    """What is wrong, and the line if the error does not know it."""
    text = COLOUR.sub("", str(error))
    name = str(error.args[0]) if isinstance(error, KeyError) and error.args else ""
    for variable, line in _uses(function, name):
        fields = _fields(function, arguments, variable)
        return f"expected a field of `{variable}`{fields}, got {name!r}", line
    if call := CALL.search(text):
        return f"expected arguments that facedown's {call[1].partition('(')[0]} takes, got {call[1]}", None
    for pattern, words in PATTERNS:
        if found := re.search(pattern, text):
            told, word = words(*found.groups())
            return told, next((line for _, line in _uses(function, word)), None)
    if found := re.match(r"(.*?)\.? Raised from (?:.*\((\d+)\)|None)$", text, re.DOTALL):
        return f"expected what Numba can compile, got: {found[1]}", int(found[2]) if found[2] else None
    return f"expected what Numba can compile, got {type(error).__name__}: {_plain(_first_words(text))}", None


def _uses(function: Callable[..., Any], name: str) -> Iterator[tuple[str, int]]:
    """Where a function uses a name: the variable before it, if it is an attribute, and the line."""
    line, before = function.__code__.co_firstlineno, ""
    for step in dis.get_instructions(function):
        line = step.starts_line or line
        if name and step.argval == name and ("ATTR" in step.opname or "METHOD" in step.opname or "GLOBAL" in step.opname):
            yield before, line
        before = str(step.argval) if step.opname.startswith("LOAD_FAST") else ""


def _fields(function: Callable[..., Any], arguments: Any, variable: str) -> str:
    """The fields of the record that a variable is, if it is a parameter; without the mark of the game."""
    for parameter, kind in zip(inspect.signature(function).parameters, arguments, strict=False):
        if parameter == variable and hasattr(kind, "fields"):
            names = [name for name in kind.fields if not re.search(r"_[0-9a-f]{16}$", name)]
            return f" ({', '.join(names[:MOST_NAMED])}{', ...' * (len(names) > MOST_NAMED)})"
    return ""


Words = tuple[str, str]  # what is wrong, and the name that is the cause, if one is


def _untyped(name: str, kind: str) -> Words:
    if kind == "function":
        return f"expected {name} to be a kernel too, got a plain function: put @fd.kernel above it", name
    return f"expected numbers, arrays and kernels in a kernel, got {name}, which is a {kind}", name


def _undefined(name: str) -> Words:
    return f"expected a name that is defined, got {name!r}", name


def _no_attribute(name: str, kind: str) -> Words:
    return f"expected an attribute of {_plain(kind)}, got {name!r}", name


def _not_in_module(module: str, name: str) -> Words:
    return f"expected a name that {module} has, got {name!r}", name


def _two_types(one: str, other: str, variable: str) -> Words:
    name = variable.partition(".")[0]
    kept = "a result of one type" if name.startswith("$") else f"{name} to keep one type"
    return f"expected {kept}, got {_plain(one)} and {_plain(other)}", ""


def _not_bound(signature: str, why: str, callee: str) -> Words:
    return f"expected the arguments of {callee}{signature}, got others: {why}", ""


def _no_match(name: str, arguments: str) -> Words:
    kinds = _plain(arguments)
    if name in ("getitem", "setitem", "delitem", "static_getitem", "static_setitem"):
        return f"expected an index and a value that fit, got ({kinds})", ""
    return f"expected types that {SIGNS.get(name, name)} takes, got ({kinds})", ""


def _unknown_type() -> Words:
    return "expected an expression whose type Numba can tell, got one too involved: write it in simpler steps", ""


PATTERNS: list[tuple[str, Callable[..., Words]]] = [
    (r"Untyped global name '(\w+)':.*?<class '([^']*)'>", _untyped),
    (r"NameError: (?:global )?name '(\w+)' is not defined", _undefined),
    (r"Cannot bind .* to signature '(\([^']*\))' due to \"TypeError: (.*?)\"(?s:.*?)\(<function (\w+) at", _not_bound),
    (r"Unknown attribute '(\w+)' of type (.*)", _no_attribute),
    (r"module '([\w.]+)' has no attribute '(\w+)'", _not_in_module),
    (r"Cannot unify (.*?) and (.*?) for '(.*?)', defined at", _two_types),
    (r"Type of variable '.*?' cannot be determined", _unknown_type),
    (r"UnsupportedError: (.*)", lambda words: (f"expected what Numba can compile, got: {words}", "")),
    (r">>> (\w+)\((.*)\)\n", _no_match),
]


def _first_words(text: str) -> str:
    """The first line of Numba's that is about the fault."""
    lines = [line.strip() for line in text.splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in nopython mode")), "nothing more")


def _plain(kinds: str) -> str:
    """Numba's names of types as a person would write them."""
    start = kinds.find("Record(")
    while start >= 0:
        end, depth = start + len("Record("), 1
        while depth and end < len(kinds):
            depth += {"(": 1, ")": -1}.get(kinds[end], 0)
            end += 1
        kinds = f"{kinds[:start]}record{kinds[end:]}"
        start = kinds.find("Record(")
    kinds = re.sub(r"nestedarray\((\w+), \([^)]*\)\)", r"\1 array", kinds)
    kinds = re.sub(r"(?:unaligned )?array\((\w+), \d+d, \w+\)", r"\1 array", kinds)
    kinds = re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", kinds)
    kinds = re.sub(r"DictType\[[^\]]*\](?:<iv=\w+>)?", "dict", kinds)
    kinds = re.sub(r"Module\(<module '([\w.]+)'.*?>\)", r"the module \1", kinds)
    kinds = re.sub(r"\w+ generator\(.*\)", "a generator", kinds)
    kinds = re.sub(r"OptionalType\((\w+)\)|Optional\((\w+)\)|\?(\w+)", r"\1\2\3 or none", kinds)
    return kinds.replace("unicode_type", "str").replace("readonly ", "")
