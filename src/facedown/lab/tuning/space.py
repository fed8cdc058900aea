"""What a tuning may vary: options of an agent, the values they may take, and the texts of the resulting agents.

`exploration=0.1..2.0` is a range, `iterations=100..1000..100` one with steps, `exploration=0.01..10..log` one on a
logarithmic scale, and `playout=uniform|rules` a choice.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import floor, nan

from facedown.agents import Agent
from facedown.errors import BadOption, FacedownError, UnknownName, shown
from facedown.options import Option, Value, full_text, read_value

FIGURES = 4  # significant ones of a number: more would mean nothing, and be long to type
LOG = "log"
MOST_COMBINATIONS = 100_000
FORMS = "a..b, a..b..step, a..b..log or x|y"

Values = Mapping[str, Value]


@dataclass(frozen=True)
class Parameter:
    """An option and the values it may take: one of `choices`, or a number from `low` to `high`."""

    option: Option
    choices: tuple[Value, ...] = ()
    low: float = 0.0
    high: float = 0.0
    step: float | None = None
    log: bool = False

    @property
    def name(self) -> str:
        """The name of the option."""
        return self.option.name

    @property
    def whole(self) -> bool:
        """Whether it takes whole numbers only."""
        return isinstance(self.option.default, int)

    def __str__(self) -> str:
        """The text that it is parsed from."""
        if self.choices:
            return f"{self.name}={'|'.join(str(one).lower() if isinstance(one, bool) else str(one) for one in self.choices)}"
        end = f"..{LOG}" if self.log else f"..{self.step:g}" if self.step else ""
        return f"{self.name}={self.low:g}..{self.high:g}{end}"

    def grid(self) -> list[Value]:
        """All its values, if there are finitely many."""
        if self.choices:
            return list(self.choices)
        step = self.step or (1.0 if self.whole and not self.log else 0.0)
        if not step:
            raise BadOption(f"option {self.name}: expected steps for a knock-out, a..b..step or x|y, got {self}")
        count = floor((self.high - self.low) / step * (1 + 1e-12) + 1e-9) + 1
        return [self.rounded(self.low + place * step) for place in range(count)]

    def rounded(self, value: Value) -> Value:
        """A value rounded as it is played, within the range."""
        if self.choices or isinstance(value, str | None):
            return value
        if self.step:
            value = round(value, 10)  # removes rounding errors of adding steps
        elif not self.whole:
            value = min(max(float(f"{value:.{FIGURES}g}"), self.low), self.high)
        return self.option.with_value(value).value

    def holds(self, value: Value) -> bool:
        """Whether it may take a value."""
        if self.choices:
            return value in self.choices
        if isinstance(value, str | None) or not self.low <= value <= self.high:
            return False
        return self.step is None or value in self.grid()


def parameters(text: str, base: Agent) -> list[Parameter]:
    """Parse what may be varied of an agent."""
    found: dict[str, Parameter] = {}
    for part in text.split(","):
        name, equals, values = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not values:
            raise BadOption(f"expected option={FORMS}, got {part.strip()!r}")
        if name not in base.options:
            raise UnknownName(f"option of {base.name}", name, base.options)
        if name in found:
            raise BadOption(f"expected each option once, got {name!r} twice")
        option = base.options[name]
        found[name] = chosen(option, values) if "|" in values else ranged(option, values)
    return list(found.values())


def chosen(option: Option, text: str) -> Parameter:
    """A choice of values."""
    words = [word.strip() for word in text.split("|")]
    if not all(words):
        raise BadOption(f"option {option.name}: expected x|y, got {text!r}")
    values = tuple(option.with_value(read_value(word)).value for word in words)
    if len(set(values)) < len(values):
        raise BadOption(f"option {option.name}: expected each value once, got {text!r}")
    return Parameter(option, choices=values)


def ranged(option: Option, text: str) -> Parameter:
    """A range of numbers."""
    if option.choices or isinstance(option.default, bool | str | None):
        known = " or ".join(map(str, option.choices)) or "words"
        known = "true or false" if isinstance(option.default, bool) else known
        raise BadOption(f"option {option.name}: expected values apart, x|y, of {known}, got {text!r}")
    low, dots, rest = text.partition("..")
    high, _, step = rest.partition("..")
    if not dots:
        raise BadOption(f"option {option.name}: expected {FORMS}, got {text!r}")
    ends = [option.with_value(read_value(end)).value for end in (low, high)]
    first, last = (float(end) for end in ends if isinstance(end, int | float))
    if not first < last:
        raise BadOption(f"option {option.name}: expected the smaller end first and another one after it, got {text!r}")
    if step == LOG:
        if first <= 0:
            raise BadOption(f"option {option.name}: expected a range above 0 for {LOG}, got {text!r}")
        return Parameter(option, low=first, high=last, log=True)
    return Parameter(option, low=first, high=last, step=step_of(option, step, last - first) if step else None)


def step_of(option: Option, text: str, width: float) -> float:
    """The step between values of a range."""
    value = read_value(text)
    step = float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value <= width else nan
    whole = isinstance(option.default, int)
    if not 0 < step <= width or (whole and not step.is_integer()):
        kind = "whole step" if whole else "step"
        raise BadOption(f"option {option.name}: expected a {kind} above 0 and up to {width:g}, or {LOG}, got {text!r}")
    if width / step > MOST_COMBINATIONS:
        raise BadOption(f"option {option.name}: expected at most {MOST_COMBINATIONS} steps, got {shown(text)} in {width:g}")
    return step


def with_values(base: Agent, values: Values) -> str:
    """The text of an agent with some options changed."""
    options = {**base.options, **{name: base.options[name].with_value(value) for name, value in values.items()}}
    return full_text(base.path or base.name, options)


def every_combination(space: Iterable[Parameter]) -> Iterator[dict[str, Value]]:
    """All combinations of a grid."""
    names, grids = zip(*((one.name, one.grid()) for one in space), strict=True)
    return (dict(zip(names, values, strict=True)) for values in product(*grids))


def size_of(space: Iterable[Parameter]) -> int:
    """The number of combinations of a grid."""
    size = 1
    for one in space:
        size *= len(one.grid())
    if size < 2:
        raise FacedownError(f"expected at least two combinations, got {size}")
    if size > MOST_COMBINATIONS:
        raise FacedownError(f"expected at most {MOST_COMBINATIONS} combinations, got {size}")
    return size
