"""What Numba works out again and again for every kernel: here once, or when somebody asks.

The types and the code are those that Numba itself would choose.
"""

from functools import cache
from typing import Any

from numba.core import types
from numba.core.analysis import compute_live_variables
from numba.core.base import BaseContext
from numba.core.ir import FunctionIR
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.np import arrayobj


def remember_names() -> None:
    """Let each type of record spell its name once: all types that hold it spell theirs with it."""
    spell = types.Record.__repr__
    known: dict[int, Any] = {}

    def name(self: Any) -> str:
        if id(self) not in known:
            known[id(self)] = self, spell(self)  # which keeps `self`, so that its number stays its own
        return str(known[id(self)][1])

    types.Record.__repr__ = name  # type: ignore[method-assign]  # Numba has no types


def remember_sizes() -> None:
    """Let the size of a type be found once: LLVM is asked by way of a program with one variable of that type."""
    find = BaseContext.get_abi_sizeof
    known: dict[str, int] = {}

    def size(self: Any, kind: Any) -> int:
        name = str(kind)
        if "%" in name:  # a type with a name of its own, which does not say what is in it
            return int(find(self, kind))
        if name not in known:
            known[name] = find(self, kind)
        return known[name]

    BaseContext.get_abi_sizeof = size


def remember_arrays() -> None:
    """Let the class that stands for a type of array in generated code be made once.

    Whenever it is used, it looks for a way to make an array of what is one already, and for news of such ways.
    """
    make = arrayobj.make_array

    @cache
    def made(kind: Any) -> Any:
        proxy = make(kind)
        if type(kind) in (types.Array, types.NestedArray):
            del proxy._make_refs
        return proxy

    arrayobj.make_array = made


def postpone_lifetimes() -> None:
    """Let Numba find which variables live where a block begins when it asks, as it does for generators.

    It finds that after every step that changes a kernel.
    """
    run = PostProcessor.run
    find = FunctionIR.get_block_entry_vars

    def run_late(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = self.func_ir
        if code.is_generator:
            run(self, emit_dels, extend_lifetimes)
            return
        code.blocks = canonicalize_cfg(code.blocks)
        code.variable_lifetime = VariableLifetime(code.blocks)
        code.block_entry_vars.clear()
        code.generator_info = None
        if emit_dels:
            self._insert_var_dels(extend_lifetimes=extend_lifetimes)

    def find_late(self: Any, block: Any) -> Any:
        if block not in self.block_entry_vars:
            lifetime = self.variable_lifetime
            defined, dead = lifetime.usedefs.defmap, lifetime.deadmaps.combined
            found = compute_live_variables(lifetime.cfg, self.blocks, defined, dead)
            self.block_entry_vars.update((one, found[offset]) for offset, one in self.blocks.items())
        return find(self, block)

    PostProcessor.run = run_late
    FunctionIR.get_block_entry_vars = find_late
