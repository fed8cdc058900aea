"""The one compile decorator, records for kernels, and machine instructions that Numba has no name for."""

import importlib.util
import sys
import threading
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic

from facedown.compiler import arrays as _arrays  # noqa: F401 # which tells Numba how to make them
from facedown.compiler.errors import Kernel, check_result
from facedown.compiler.linking import PlainLibrary
from facedown.compiler.memory import with_room
from facedown.compiler.operators import remember_operators
from facedown.compiler.pipeline import KernelCompiler
from facedown.compiler.records import as_records
from facedown.compiler.repetition import (
    postpone_lifetimes,
    remember_arrays,
    remember_names,
    remember_sizes,
)
from facedown.kernel_cache import KernelCache

# To find out whether SciPy is installed, Numba imports its linear algebra: a fifth of the start-up time. It checks on use.
if "scipy.linalg" not in sys.modules and importlib.util.find_spec("scipy"):
    sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
    from numba.np import arraymath

    del sys.modules["scipy.linalg"]
    arraymath._HAVE_BLAS = True

Function = TypeVar("Function", bound=Callable[..., Any])

Record: TypeAlias = Any  # one NumPy record: attribute access, fixed fields
Array: TypeAlias = npt.NDArray[Any]

# A thread that waits for a lock spins for a while before it yields: another thread would keep the processor for far longer
# than the lock is held. But the holder may be waiting for this processor.
SPINS = 1 << 16
YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"  # the system call

COMPILED = not numba.config.DISABLE_JIT

remember_operators()
remember_names()
remember_sizes()
remember_arrays()
postpone_lifetimes()


def kernel(function: Function) -> Function:
    """Compile `function` with Numba and keep the result on disk.

    nogil: searches run in parallel threads. error_model="numpy": no hidden branch before each division. boundscheck off: the
    Python API checks its input once. Fast-math stays off, so that results are the same on every machine. no_cfunc_wrapper:
    no kernel is called from C, and the wrappers would be a tenth of the compile time. A kernel that does not compile
    raises BadGame, in one line.
    """
    if not COMPILED:
        return function
    dispatcher = numba.njit(
        nogil=True, error_model="numpy", boundscheck=False, no_cfunc_wrapper=True, pipeline_class=KernelCompiler
    )(function)
    dispatcher._cache = KernelCache(function)
    dispatcher.__class__ = Kernel
    return cast(Function, dispatcher)


def door(function: Function) -> Function:
    """A kernel that Python calls now and then, once a move: it is not optimized as a whole, which would take longer."""
    made = kernel(function)
    if COMPILED:
        cast(Any, made).library = PlainLibrary
    return made


def compile_as(
    call: Callable[..., Any], chosen: Callable[..., Any], result: type | None = object, by_constant: bool = False
) -> None:
    """Let compiled code that calls `call` call another kernel, which `chosen` picks by the type of the first argument.

    Where `by_constant`, it picks by the second as well, whose type holds its value. The kernel must return what `result`
    says: int, bool, None for nothing, or object for anything. Numba's `overload` would do, with one more function to
    compile for every call.
    """

    class Choice(AbstractTemplate):  # type: ignore[misc]  # Numba has no types
        key = call
        prefer_literal = by_constant
        compiled: ClassVar[dict[Any, Any]] = {}

        def generic(self, arguments: Any, keywords: Any) -> Any:
            answer = chosen(*arguments[: 1 + by_constant])
            if answer is None:
                raise TypingError(f"{call.__name__}: expected a constant as second argument, imported by its own name")
            function: Any = types.Dispatcher(answer)
            signature = function.get_call_type(self.context, arguments, keywords)
            check_result(answer.py_func, signature, result)
            self.compiled[signature.args] = function.get_overload(signature)
            return signature

        def get_impl_key(self, signature: Any) -> Any:
            return self.compiled[signature.args]

    infer_global(call, types.Function(Choice))


def by_field(field: str, with_it: Function, without: Function) -> Function:
    """A function that is one kernel or another, by whether its first argument is a record with a field of that name.

    Compiled, it is chosen by the record's type, and the other kernel is not compiled. The field must stand before some that
    all such records have: Numba takes a record that only has more fields at its end for one without them.
    """

    def call(record: Any, *rest: Any) -> Any:
        return (with_it if field in record.dtype.names else without)(record, *rest)

    compile_as(call, lambda record: with_it if field in record.fields else without)
    return cast(Function, call)


def new_records(count: int, kind: np.dtype[Any]) -> Array:
    """Records for kernels, all zero: NumPy record arrays if interpreted; compiled kernels are called faster without."""
    records: Array = with_room(count * kind.itemsize, lambda: np.zeros(count, kind))
    return records if COMPILED else as_records(records)


def room_for(count: int, kind: np.dtype[Any]) -> Array:
    """Uninitialized records, for kernels that write before they read."""
    records: Array = with_room(count * kind.itemsize, lambda: np.empty(count, kind))
    return records if COMPILED else as_records(records)


def record_in(records: Array, place: int = 0) -> Record:
    """One record of an array, for Python code: its fields are attributes, and writing them writes to the array."""
    return as_records(records)[place]


def bytes_of(records: Array) -> Array:
    """The same memory as bytes."""
    return records.view(np.ndarray).view(np.uint8)


def copied(records: Array) -> Array:
    """A copy, byte by byte: NumPy copies field by field, which takes four times as long."""
    copy = bytes_of(records).copy().view(records.dtype)
    return copy if COMPILED else as_records(copy)


# --- Machine instructions Numba has no name for -----------------------------------------------------------------

if COMPILED:

    @intrinsic
    def _count_ones(typing_context: Any, mask: Any) -> Any:
        return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

    @intrinsic
    def _trailing_zeros(typing_context: Any, mask: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

        return types.int64(types.uint64), code

    def _bmi2(name: str) -> Any:
        """An intrinsic for one of the two instructions that deposit and extract bits by a mask."""

        def declared(typing_context: Any, source: Any, mask: Any) -> Any:
            def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                word = ir.IntType(64)
                function = ir.FunctionType(word, [word, word])
                return builder.call(cgutils.get_or_insert_function(builder.module, function, name), arguments)

            return types.uint64(types.uint64, types.uint64), code

        return intrinsic(declared)

    _deposit_bits = _bmi2("llvm.x86.bmi.pdep.64")
    _extract_bits = _bmi2("llvm.x86.bmi.pext.64")

    @kernel
    def count_ones(mask: Any) -> int:
        """The number of set bits of a mask."""
        return int(_count_ones(np.uint64(mask)))

    @kernel
    def lowest_bit(mask: Any) -> int:
        """The index of the lowest set bit; the mask is not empty."""
        return int(_trailing_zeros(np.uint64(mask)))

    # Every playout chooses random cards of sets all the time: one instruction makes Hearts 2.6 times as fast.
    HAS_BMI2 = binding.get_host_cpu_features().get("bmi2", False) and not numba.config.CPU_NAME

    if HAS_BMI2:

        @kernel
        def nth_bit(mask: Any, n: int) -> int:
            """The index of the n-th set bit, counted from 0; the mask has that many."""
            return int(_trailing_zeros(_deposit_bits(np.uint64(1) << np.uint64(n), np.uint64(mask))))

        @kernel
        def gathered(source: Any, mask: Any) -> Any:
            """The bits of `source` at the set bits of `mask`, packed together."""
            return _extract_bits(np.uint64(source), np.uint64(mask))

    else:

        @kernel
        def nth_bit(mask: Any, n: int) -> int:
            """The index of the n-th set bit, counted from 0; the mask has that many."""
            for _ in range(n):
                mask &= mask - np.uint64(1)
            return lowest_bit(mask)

        @kernel
        def gathered(source: Any, mask: Any) -> Any:
            """The bits of `source` at the set bits of `mask`, packed together."""
            result = np.uint64(0)
            place = np.uint64(0)
            while mask != np.uint64(0):
                result |= (source >> np.uint64(lowest_bit(mask)) & np.uint64(1)) << place
                place += np.uint64(1)
                mask &= mask - np.uint64(1)
            return result

    @intrinsic
    def acquire(typing_context: Any, records: Any) -> Any:
        """Wait until no other thread holds the lock, which is the first field of the first record, and take it."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            lock = _first_word(context, builder, signature, arguments)
            spins = cgutils.alloca_once_value(builder, ir.Constant(word, 0))
            look, grab, held, tired, taken = (
                builder.append_basic_block(name) for name in ("look", "grab", "held", "tired", "taken")
            )
            builder.branch(look)
            builder.position_at_end(look)  # reading leaves the cache line of the lock with its holder
            is_held = builder.load_atomic(lock, "monotonic", 8)
            builder.cbranch(builder.icmp_unsigned("==", is_held, ir.Constant(word, 0)), grab, held)
            builder.position_at_end(grab)
            before = builder.atomic_rmw("xchg", lock, ir.Constant(word, 1), "acquire")
            builder.cbranch(builder.icmp_unsigned("==", before, ir.Constant(word, 0)), taken, held)
            builder.position_at_end(held)
            count = builder.add(builder.load(spins), ir.Constant(word, 1))
            builder.store(count, spins)
            tired_now = builder.icmp_unsigned("==", builder.and_(count, ir.Constant(word, SPINS - 1)), ir.Constant(word, 0))
            builder.cbranch(tired_now, tired, look)
            builder.position_at_end(tired)
            yield_call = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, yield_call, YIELD), [])
            builder.branch(look)
            builder.position_at_end(taken)
            return context.get_dummy_value()

        return types.none(records), code

    @intrinsic
    def release(typing_context: Any, records: Any) -> Any:
        """Release the lock."""

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lock = _first_word(context, builder, signature, arguments)
            builder.store_atomic(ir.Constant(ir.IntType(64), 0), lock, "release", 8)
            return context.get_dummy_value()

        return types.none(records), code

    def _first_word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """A pointer to the first eight bytes of an array."""
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.bitcast(array.data, ir.IntType(64).as_pointer())

    @kernel
    def wrapping_sum(a: Any, b: Any) -> Any:
        """The sum of two 64-bit numbers, modulo 2^64."""
        return np.uint64(a) + np.uint64(b)

    @kernel
    def wrapping_product(a: Any, b: Any) -> Any:
        """The product of two 64-bit numbers, modulo 2^64."""
        return np.uint64(a) * np.uint64(b)

else:
    _one_lock = threading.Lock()

    def acquire(records: Any) -> None:
        """Wait until no other thread holds the lock, and take it; interpreted, there is one lock for all."""
        _one_lock.acquire()

    def release(records: Any) -> None:
        """Release the lock."""
        _one_lock.release()

    def count_ones(mask: Any) -> int:
        """The number of set bits of a mask."""
        return int(mask).bit_count()

    def lowest_bit(mask: Any) -> int:
        """The index of the lowest set bit; the mask is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def nth_bit(mask: Any, n: int) -> int:
        """The index of the n-th set bit, counted from 0; the mask has that many."""
        left = int(mask)
        for _ in range(n):
            left &= left - 1
        return lowest_bit(left)

    def wrapping_sum(a: Any, b: Any) -> Any:
        """The sum of two 64-bit numbers, modulo 2^64."""
        return np.uint64((int(a) + int(b)) & 0xFFFF_FFFF_FFFF_FFFF)

    def wrapping_product(a: Any, b: Any) -> Any:
        """The product of two 64-bit numbers, modulo 2^64."""
        return np.uint64((int(a) * int(b)) & 0xFFFF_FFFF_FFFF_FFFF)

    def gathered(source: Any, mask: Any) -> Any:
        """The bits of `source` at the set bits of `mask`, packed together."""
        places = [place for place in range(64) if int(mask) >> place & 1]
        return np.uint64(sum((int(source) >> place & 1) << index for index, place in enumerate(places)))
