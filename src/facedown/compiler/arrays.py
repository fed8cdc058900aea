"""`np.empty` and `np.zeros` in kernels, without functions of their own.

Numba compiles up to four functions for each kind of array that a kernel makes. The types and the code are those that Numba
itself would choose.
"""

from typing import Any, ClassVar

import numpy as np
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.npydecl import parse_dtype, parse_shape
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.arrayobj import _empty_nd_impl, _parse_empty_args

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
