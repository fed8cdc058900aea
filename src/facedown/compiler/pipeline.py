"""Numba's steps of compilation, without those that most kernels have no use for."""

from types import CodeType
from typing import Any

from numba.core import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import AnnotateTypes, IRLegalization, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, MakeFunctionToJitFunction

from facedown.compiler.borrowing import Borrowing

FOR_READERS = {AnnotateTypes}  # of the source with its types
FOR_CLOSURES = {InlineClosureLikes, MakeFunctionToJitFunction}  # and for comprehensions


@register_pass(mutates_CFG=True, analysis_only=False)
class ArrayRewrites(NopythonRewrites):  # type: ignore[misc]  # Numba has no types
    """What Numba rewrites once types are known: arithmetic on whole arrays, and fields that are named by text."""

    _name = "array_rewrites"

    def run_pass(self, state: Any) -> bool:
        """Rewrite, if there is something of the kind."""
        makes_arrays = any(sig and isinstance(sig.return_type, types.Array) for sig in state.calltypes.values())
        text = types.StringLiteral  # type: ignore[attr-defined]  # Numba has no types
        if makes_arrays or any(isinstance(kind, text) for kind in state.typemap.values()):
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class Forgetting(IRLegalization):  # type: ignore[misc]  # Numba has no types
    """Where a kernel forgets each variable: a half of its statements."""

    _name = "forgetting"

    def run_pass(self, state: Any) -> bool:
        """Write it down, if references are counted."""
        return bool(state.targetctx.enable_nrt and super().run_pass(state))


OURS = {NopythonRewrites: ArrayRewrites, IRLegalization: Forgetting}


class KernelCompiler(CompilerBase):  # type: ignore[misc]  # Numba has no types
    """Numba's compiler, which looks for functions in a kernel, and for arrays to rewrite, only where there are some."""

    def define_pipelines(self) -> list[Any]:
        """The steps."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        has_closures = any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts)
        unused = FOR_READERS if has_closures else FOR_READERS | FOR_CLOSURES
        pipeline.passes = [(OURS.get(step, step), name) for step, name in pipeline.passes if step not in unused]
        pipeline.add_pass_after(Borrowing, ArrayRewrites)
        pipeline.finalize()
        return [pipeline]
