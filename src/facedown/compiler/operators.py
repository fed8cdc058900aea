"""Operators, whose types are found once; `int`, `min` and `max` of numbers without functions of their own.

Numba tries dozens of candidates for every `+`, those for text, dates, lists and sets too, and each time anew: a third of the
time to infer types. It also compiles a function for each kind of number that `int`, `min` or `max` is called with. The types
and the code are those that Numba itself would choose.
"""

import operator
from typing import Any, ClassVar

from numba.core import types
from numba.core.imputils import lower_builtin
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.cpython.builtins import do_minmax

NUMBERS = (types.Integer, types.Float, types.Boolean)
OPERANDS = (*NUMBERS, types.Array, types.BaseTuple, types.Record)  # type: ignore[attr-defined]  # Numba has no types
REMEMBERED = {*filter(callable, vars(operator).values()), bool, float, int, max, min}
FIRST = {"target": "cpu"}  # before what Numba has for all kinds of machines


def remember_operators() -> None:
    """Let Numba find the types of each operation once."""
    find = types.Function.get_call_type
    context = cpu_target.typing_context
    known: dict[Any, Any] = {}

    def found(self: Any, asking: Any, args: Any, kws: Any) -> Any:
        is_plain = self.typing_key in REMEMBERED and all(isinstance(kind, OPERANDS) for kind in args)
        if kws or asking is not context or not is_plain:
            return find(self, asking, args, kws)
        key = (id(self), *args)
        if key not in known:
            known[key] = self, find(self, asking, args, kws)  # which keeps `self`, so that its number stays its own
        return known[key][1]

    types.Function.get_call_type = found  # type: ignore[method-assign, assignment]  # Numba has no types


@infer_global(int)
class Whole(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """A number as an integer: an integer keeps its type."""

    metadata: ClassVar[dict[str, str]] = FIRST

    def generic(self, args: Any, kws: Any) -> Any:
        """The signature, or None for what is not a number."""
        if kws or len(args) != 1 or not isinstance(args[0], NUMBERS):
            return None
        return signature(args[0] if isinstance(args[0], types.Integer) else types.intp, args[0])


@lower_builtin(int, types.Integer)
@lower_builtin(int, types.Boolean)
@lower_builtin(int, types.Float)
def whole(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The code of `int`."""
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


@infer_global(min)
@infer_global(max)
class Extreme(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """The smallest or greatest of two numbers, of a type that holds both."""

    metadata: ClassVar[dict[str, str]] = FIRST

    def generic(self, args: Any, kws: Any) -> Any:
        """The signature, or None for anything else."""
        if kws or len(args) != 2 or not all(isinstance(kind, types.Integer | types.Float) for kind in args):
            return None
        return signature(self.context.unify_types(*args), *args)


def extreme(function: Any, is_better: Any) -> None:
    """The code of `min` or `max`."""

    @lower_builtin(function, types.Number, types.Number)
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return do_minmax(context, builder, signature.args, arguments, is_better)


extreme(min, operator.lt)
extreme(max, operator.gt)
