"""Kernels that own no array: they need not count references.

Numba counts a reference whenever an array is assigned, passed or forgotten, and LLVM takes most of that out again. A kernel
that makes no array and returns none only borrows those of its caller, which holds them until it returns. Without counting
there is a tenth less to compile, and searches are faster by a twentieth.
"""

import threading
from collections.abc import Callable
from typing import Any

from numba.core import ir, types
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.errors import NumbaRuntimeError

PARTS = {"getattr", "getitem", "static_getitem", "build_tuple", "exhaust_iter", "cast", "phi"}  # what makes no array

COPIES = (ir.SetItem, ir.StaticSetItem, ir.SetAttr)  # of an array into another, by way of a third where they overlap

_refused = threading.local()  # whether a thread compiles a kernel again, with references


@register_pass(mutates_CFG=False, analysis_only=True)
class Borrowing(AnalysisPass):  # type: ignore[misc]  # Numba has no types
    """Compile without references where a kernel only borrows."""

    _name = "borrowing"

    def __init__(self) -> None:
        """Numba makes one."""

    def run_pass(self, state: Any) -> bool:
        """Decide, once types are known; the target is this kernel's own copy."""
        if not getattr(_refused, "now", False) and only_borrows(state):
            state.targetctx.enable_nrt = False
            vars(state.targetctx).pop("nrt", None)  # which remembers
        return False


def only_borrows(state: Any) -> bool:
    """Whether all arrays come from arguments or constants, whole or in part, and none is returned."""
    models, kinds = state.targetctx.data_model_manager, state.typemap

    def is_counted(kind: Any) -> bool:
        return bool(models[kind].contains_nrt_meminfo())

    counted = {name for name, kind in kinds.items() if is_counted(kind)}
    known = types.Array | types.BaseTuple  # type: ignore[attr-defined]  # Numba has no types
    if is_counted(state.return_type) or not all(isinstance(kinds[name], known) for name in counted):
        return False
    statements = [statement for block in state.func_ir.blocks.values() for statement in block.body]
    if any(isinstance(one, COPIES) and one.value.name in counted for one in statements):
        return False
    values = [
        one.value
        for one in statements
        if isinstance(one, ir.Assign) and one.target.name in counted and isinstance(one.value, ir.Expr)
    ]
    return all(one.op in PARTS and not (one.op == "getitem" and one.index.name in counted) for one in values)


def counting_if_needed(compile_kernel: Callable[[], Any]) -> Any:
    """What a compilation gives; made once more with references where something in a kernel turns out to need them."""
    try:
        return compile_kernel()
    except NumbaRuntimeError:
        before, _refused.now = getattr(_refused, "now", False), True
        try:
            return compile_kernel()
        finally:
            _refused.now = before
