"""`np.empty` and `np.zeros` in kernels, without functions of their own, and records that are copied as a whole.

Numba compiles up to four functions for each kind of array that a kernel makes. The types and the code are those that Numba
itself would choose. It copies a record as an array of bytes, which LLVM takes apart into a load and a store for each byte:
a third of the code of Magic's ensembles, which copy worlds.
"""

import operator
from typing import Any, ClassVar

import numpy as np
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.npydecl import parse_dtype, parse_shape
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.arrayobj import (
    _empty_nd_impl,
    _parse_empty_args,
    basic_indexing,
    make_array,
    normalize_indices,
    setitem_array,
)

from facedown.compiler.operators import FIRST


@infer_global(np.empty)
@infer_global(np.zeros)
class NewArray(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
    """A new array of some shape, of floats or of a type that is given."""

    metadata: ClassVar[dict[str, str]] = FIRST

    def generic(self, args: Any, kws: Any) -> Any:
        """The signature, or None for anything else: Numba knows what to say about it."""
        if kws or len(args) not in (1, 2):
            return None
        dimensions = parse_shape(args[0])
        kind = parse_dtype(args[1]) if len(args) == 2 else types.float64
        if dimensions is None or kind is None:
            return None
        return signature(types.Array(kind, dimensions, "C"), *args)


def new_array(function: Any, is_zero: bool) -> None:
    """The code of `empty` or `zeros`."""

    @lower_builtin(function, types.Any)
    @lower_builtin(function, types.Any, types.Any)
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = _empty_nd_impl(context, builder, *_parse_empty_args(context, builder, signature, arguments))
        if is_zero:
            cgutils.memset(builder, array.data, builder.mul(array.itemsize, array.nitems), 0)
        return array._getvalue()


new_array(np.empty, False)
new_array(np.zeros, True)


@lower_builtin(operator.setitem, types.Array, types.Integer, types.Record)
def copy_record(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The code of `records[place] = record`."""
    kind, place_kind, record_kind = signature.args
    records, place, record = arguments
    if kind.ndim != 1 or kind.dtype != record_kind:
        return setitem_array(context, builder, signature, arguments)
    array = make_array(kind)(context, builder, records)
    place_kinds, places = normalize_indices(context, builder, (place_kind,), (place,))
    check = context.enable_boundscheck
    target, _, _ = basic_indexing(context, builder, kind, array, place_kinds, places, boundscheck=check)
    cgutils.raw_memcpy(builder, target, record, context.get_constant(types.intp, kind.dtype.size), 1)
    return context.get_dummy_value()
