"""Kernels that only other kernels call: they are linked into these, and made into machine code there alone.

Numba makes machine code of every function, with a way in from Python, before its callers are compiled, which contain it once
more. Most kernels are only called by kernels. Here machine code waits until somebody asks for its address. Linked code is
simplified before, and optimized to the end with its callers: not simplified, it ran for a quarter longer. It is simplified
with the kernels that it calls itself and not with what those call, or the work would grow with the depth of calls.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.binding import Linkage, parse_bitcode
from numba.core import event, sigutils, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, Flags
from numba.core.compiler_lock import global_compiler_lock, require_global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher

from facedown.compiler.borrowing import counting_if_needed
from facedown.compiler.memory import promote, uncollected

ENVIRONMENT = "_ZN08NumbaEnv"  # how its name begins

_within = threading.local()  # how many kernels a thread is compiling, one for another


class Library(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code that is made into machine code when somebody asks for an address in it.

    Until then it is simplified, with those functions inlined that it calls itself; what they call is linked in the end.
    """

    _is_machine_code = False
    _bitcode = b""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.called: dict[bytes, None] = {}  # the bitcode of all that this code calls, however far
        self.environments: dict[str, None] = {}  # the names of those in it and in what it calls

    def add_llvm_module(self, module: Any) -> None:
        """Take code as it is: it is optimized with all that it calls."""
        module.data_layout = self._codegen._data_layout
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Make code ready to be linked."""
        self._find_called()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(to_inline(bitcode_of(library)))
        self._optimize(opt=1, loop_vectorize=False, slp_vectorize=False)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _find_called(self) -> None:
        """Collect what this code calls."""
        require_global_compiler_lock()
        self._codegen._check_llvm_bugs()
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._dynamic_globals += library._dynamic_globals
            for code in (bitcode_of(library), *getattr(library, "called", ())):
                self.called.pop(code, None)  # callers first: LLVM links only what has been called so far
                self.called[code] = None
            self.environments |= getattr(library, "environments", None) or environments_in(library)
        self.environments |= environments_in(self)

    @property
    def bitcode(self) -> bytes:
        """The code as it is linked in the end."""
        if not self._bitcode:
            self._bitcode = self._get_module_for_linking().as_bitcode()
        return self._bitcode

    def _optimize(self, **options: Any) -> None:
        """Optimize all of it as far as Numba does, but for what the options say."""
        manager, builder = self._codegen._module_pass_manager(**options)
        manager.run(self._final_module, builder)
        self._final_module.verify()

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function."""
        if not self._is_machine_code:
            if not self._finalized:
                self._find_called()
            for code in self.called:
                self._final_module.link_in(parse_bitcode(code))
            self._optimize_whole()
            self._dynamic_globals.clear()  # they are looked for again
            self._finalize_final_module()
        return int(super().get_pointer_to_function(name))

    def _optimize_whole(self) -> None:
        self._optimize(loop_vectorize=False)  # loops over cards are short: it would take time and bring none

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        self._is_machine_code = True


def bitcode_of(library: Any) -> bytes:
    """A library's code as it is linked; one that Numba made for somebody else's function has all it calls in it."""
    if isinstance(library, Library):
        return library.bitcode
    return bytes(library._get_module_for_linking().as_bitcode())


def to_inline(bitcode: bytes) -> Any:
    """Code as its callers may inline it, without keeping it."""
    module = parse_bitcode(bitcode)
    for function in module.functions:
        if function.linkage == Linkage.linkonce_odr:
            function.linkage = Linkage.available_externally
    return module


def environments_in(library: Any) -> dict[str, None]:
    """The names of the environments in a library's own code."""
    names = (variable.name for variable in library._final_module.global_variables)
    return dict.fromkeys(name for name in names if name.startswith(ENVIRONMENT))


@contextmanager
def own_libraries(codegen: Any, kind: type[Library]) -> Iterator[None]:
    """What is compiled meanwhile goes into libraries of ours; functions of others, compiled at other times, do not."""
    before, codegen._library_class = codegen._library_class, kind
    try:
        yield
    finally:
        codegen._library_class = before


class PlainLibrary(Library):
    """Code whose parts are simplified, and not optimized as a whole: that would take longer than all its calls."""

    def _optimize_whole(self) -> None:
        self._optimize(opt=0, loop_vectorize=False, slp_vectorize=False)


class Linked:
    """Stands for a kernel that other kernels call, where Numba wants something that Python could call."""


class LinkedKernel(CPUDispatcher):  # type: ignore[misc]  # Numba has no types
    """Numba's dispatcher, which makes machine code only of what Python calls."""

    library: type[Library] = Library

    def compile(self, sig: Any) -> Any:
        """Compile for some types of arguments: to be linked if a kernel asks, to be called if Python does."""
        linked = getattr(_within, "depth", 0) > 0
        own = own_libraries(self.targetctx.codegen(), Library if linked else self.library)
        with global_compiler_lock, self._compiling_counter, one_deeper(), own:
            arguments, result = sigutils.normalize_signature(sig)
            known = self.overloads.get(tuple(arguments))
            if known is not None and (linked or not isinstance(known.entry_point, Linked)):
                return known.entry_point
            compiled = self._cache.load_overload(sig, self.targetctx, linked)
            counts = self._cache_misses if compiled is None else self._cache_hits
            counts[sig] += 1
            if compiled is None:
                details = {"dispatcher": self, "args": arguments, "return_type": result}
                self._compiler._customize_flags = to_be_linked if linked else to_be_called
                with event.trigger_event("numba:compile", data=details):
                    compiled = counting_if_needed(lambda: self._compiler.compile(arguments, result))
                    if linked:
                        compiled = compiled._replace(entry_point=Linked())
                self._cache.save_overload(sig, compiled)
            set_environments(compiled)
            self.targetctx.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
            self.add_overload(compiled)
            return compiled.entry_point

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What Numba needs to know of a call by a kernel: of one version for all signed integers and for constants.

        A style stays the constant that it is, since it chooses what is called. So does a constant without which a kernel
        does not compile.
        """
        names = self.py_func.__code__.co_varnames
        styles = {place for place, name in enumerate(names) if name.endswith("style")}
        wide = tuple(kind if place in styles else widened(kind) for place, kind in enumerate(args))
        try:
            return super().get_call_template(wide, kws)
        except NumbaError:
            if not any(isinstance(kind, types.Literal) for kind in args):
                raise
            return super().get_call_template(args, kws)

    def add_overload(self, compiled: Any) -> None:
        """Remember what was compiled; Python calls what it can."""
        if isinstance(compiled.entry_point, Linked):
            self.overloads[tuple(compiled.signature.args)] = compiled
        else:
            super().add_overload(compiled)

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Compile for a call from Python."""
        depth, _within.depth = getattr(_within, "depth", 0), 0
        try:
            with uncollected():
                result = super()._compile_for_args(*arguments, **named)
                promote()
            return result
        finally:
            _within.depth = depth


def widened(kind: Any) -> Any:
    """The type that a kernel gets an argument as."""
    kind = types.unliteral(kind)  # type: ignore[attr-defined]  # Numba has no types
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind  # type: ignore[attr-defined]  # the same


@contextmanager
def one_deeper() -> Iterator[None]:
    """Whatever is compiled meanwhile is called by what is being compiled now."""
    _within.depth = getattr(_within, "depth", 0) + 1
    try:
        yield
    finally:
        _within.depth -= 1


def to_be_linked(flags: Flags) -> Flags:
    """No way in from Python, and no machine code."""
    flags.no_cpython_wrapper = True
    flags.no_compile = True
    return flags


def to_be_called(flags: Flags) -> Flags:
    """As Numba has it."""
    return flags


def set_environments(compiled: CompileResult) -> None:
    """Let machine code know the constants of all that is linked into it."""
    if not isinstance(compiled.entry_point, Linked):
        for environment in compiled._find_referenced_environments():
            compiled.codegen.set_env(environment.env_name, environment)


# --- On disk ------------------------------------------------------------------------------------------------------------


def linked_parts(compiled: CompileResult) -> tuple[Any, ...]:
    """What has to be kept of a kernel that others link."""
    library, fndesc = compiled.library, compiled.fndesc
    library._ensure_finalized()
    found = (lookup_environment(name) for name in library.environments)
    environments = tuple(environment for environment in found if environment is not None and environment.can_cache())
    fndesc.typemap = fndesc.calltypes = None  # only its own compilation needs them
    code = library.name, library.bitcode, tuple(library.called)
    return code, fndesc, compiled.environment, compiled.signature, compiled.reload_init, environments


def linked_result(
    context: Any, code: Any, fndesc: Any, environment: Any, signature: Any, reload_init: Any, environments: Any
) -> CompileResult:
    """The kernel that such parts make."""
    for function in reload_init:
        function()
    name, bitcode, called = code
    library = context.codegen().create_library(name)
    library._final_module = parse_bitcode(bitcode)
    library._finalized = True
    library.called = dict.fromkeys(called)
    library.environments = {one.env_name: None for one in environments}
    nothing = dict.fromkeys(CompileResult._fields)
    return CompileResult(
        **nothing
        | {
            "target_context": context,
            "typing_context": context.typing_context,
            "library": library,
            "entry_point": Linked(),
            "fndesc": fndesc,
            "environment": environment,
            "signature": signature,
            "objectmode": False,
            "lifted": (),
            "reload_init": reload_init,
            "referenced_envs": environments,
        }
    )
