"""Options of games and agents: their values, their checks, and the text `name:option=value,option=value`."""

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isinf
from typing import Any

from facedown.errors import BadOption, UnknownName, shown

Value = bool | int | float | str | None

TRUSTING = "--trust, or trusted=True in Python, allows it"  # the end of the error when text from outside names a file
LARGEST = 10**18  # whole number that fits into kernels and databases
FAR = 50_000  # a larger bound is shown only when it is exceeded
MOST_FLOAT = sys.float_info.max
SEED_DIGITS = 100  # more would be useless, and Python refuses to print very long numbers


def plain(number: float) -> str:
    """A bound in an error: a whole number with all its digits."""
    return str(int(number)) if abs(number) < LARGEST and number == int(number) else f"{number:g}"


@dataclass(frozen=True)
class Option:
    """A named value with its meaning; the type of its default is its type."""

    name: str
    default: Value
    meaning: str
    choices: tuple[Value, ...] = ()  # the only values it takes, if not empty
    least: float = 0  # the smallest number it takes
    most: float = inf  # the largest; for whole numbers LARGEST by default
    joint: str = ""  # the sign between choices where several are taken at once, in order
    words: Mapping[Value, str] = field(default_factory=dict)  # other spellings of a choice, such as true for "cycle"
    read: Callable[[Any], str] | None = None  # turns a value into a text of its own, or refuses it
    opens: Callable[[Any], bool] | None = None  # whether a value names a file, which text from outside may not do
    value: Value = None

    def __post_init__(self) -> None:
        """Start from the default."""
        if self.value is None:
            object.__setattr__(self, "value", self.default)

    def with_value(self, value: Any) -> "Option":
        """The same option set to another value."""
        return replace(self, value=self._checked(value))

    def _checked(self, value: Any) -> Value:
        if self.read:
            return self.read(value)
        if self.choices:
            word = self.words.get(value, value) if isinstance(value, bool | str) else value
            if word in self.choices and not isinstance(word, bool):
                return self.choices[self.choices.index(word)]
            parts = value.split(self.joint) if self.joint and isinstance(value, str) else []
            if len(parts) > 1 and len(set(parts)) == len(parts) and set(parts) <= set(self.choices):
                return str(value)
            several = f", or some of them joined by {self.joint}" if self.joint else ""
            raise self._refusal(f"one of {', '.join(map(str, self.choices))}{several}", value)
        if isinstance(self.default, bool):
            if isinstance(value, bool) or value in (0, 1):
                return bool(value)
            raise self._refusal("true or false", value)
        if isinstance(self.default, int | float):
            return self._number(value)
        return os.path.expanduser(str(value)) if self.opens else str(value)

    def _number(self, value: Any) -> int | float:
        """A number within its bounds; NaN is refused."""
        whole = isinstance(self.default, int)
        most = LARGEST if whole and self.most == inf else self.most
        fits = isinstance(value, int) or (isinstance(value, float) and (not whole or value.is_integer()))
        if not fits or isinstance(value, bool) or not self.least <= value <= min(most, MOST_FLOAT):
            end = "up" if most >= FAR and not (fits and value > most) else f"to {plain(most)}"
            raise self._refusal(f"a {'whole ' if whole else ''}number from {plain(self.least)} {end}", value)
        return int(value) if whole else float(value)

    def _refusal(self, expected: str, value: Any) -> BadOption:
        return BadOption(f"option {self.name}: expected {expected}, got {shown(value)}")


def set_options(kind: str, options: Iterable[Option], values: Mapping[str, Any]) -> dict[str, Option]:
    """Options by name, set to the values given; `kind` names their owner in an error."""
    known = {option.name: option for option in options}
    for name, value in values.items():
        if name not in known:
            raise UnknownName(f"option of {kind}", name, known)
        known[name] = known[name].with_value(value)
    return known


def refuse_files(options: Iterable[Option], values: Mapping[str, Any]) -> None:
    """Refuse values with which text from outside would read a file; options with `read` but no `opens` might do so."""
    for option in options:
        value = values.get(option.name)
        if option.name in values and (option.opens(value) if option.opens else option.read):
            raise BadOption(f"option {option.name}: expected no file in text from outside, got {value!r}; {TRUSTING}")


def parse_text(text: str) -> tuple[str, dict[str, Value]]:
    """A name and its options from `name:option=value,option=value`; a colon with no `=` after it belongs to the name."""
    if not isinstance(text, str) or not text.strip():
        raise BadOption(f"expected a name or name:option=value,..., got {shown(text)}")
    name, colon, rest = text.strip().rpartition(":")
    if not colon or "=" not in rest:
        return text.strip(), {}
    options: dict[str, Value] = {}
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise BadOption(f"expected option=value after {name!r}, got {part!r} in {text!r}")
        if key in options:
            raise BadOption(f"expected each option once, got {key!r} twice in {text!r}")
        options[key] = read_value(value)
    return name, options


def read_value(word: str) -> Value:
    """A number, true or false, or else the word itself."""
    return word.lower() == "true" if word.lower() in ("true", "false") else read_number(word)


def read_number(word: str) -> int | float | str:
    """A number, or else the word itself, also for a number that overflows; a later check refuses it."""
    for kind in (int, float):
        try:
            number = kind(word)
        except ValueError:
            continue
        overflown = kind is float and isinf(number) and any(letter.isdigit() for letter in word)
        return word if overflown else number
    return word


def full_text(name: str, options: Mapping[str, Option]) -> str:
    """A name with the options that differ from their defaults."""
    parts = [f"{key}={_word(option.value)}" for key, option in options.items() if option.value != option.default]
    return f"{name}:{','.join(parts)}" if parts else name


def _word(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_seed(seed: Any) -> int:
    """A seed: a whole number from 0 up, of a hundred digits at most."""
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise BadOption(f"expected a seed that is a whole number from 0 up, got {shown(seed)}")
    if seed >= 10**SEED_DIGITS:
        raise BadOption(f"expected a seed of at most {SEED_DIGITS} digits, got {shown(seed)}")
    return seed
