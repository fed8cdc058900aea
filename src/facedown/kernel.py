"""The one compile decorator, and a cache of compiled code that cannot go stale.

Numba's own disk cache looks at one file at a time: edit a function that a cached function calls in another file, and the
caller keeps running the old code. It also numbers its data files, so two processes that compile at once can swap them. Here
a compiled function is stored under a name made from everything it depends on: its signature, the machine, and the sources of
its module and of every module that one imports. What has changed gets another name.
"""

import ast
import hashlib
import importlib.util
import os
import pickle
import sys
import sysconfig
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
import platformdirs
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.caching import _Cache, dumps
from numba.core.compiler import CompileResult
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

Record: TypeAlias = Any  # one NumPy record: attribute access, fixed fields
Array: TypeAlias = npt.NDArray[Any]

COMPILED = not numba.config.DISABLE_JIT
KEPT_DAYS = 30  # a folder of compiled code nobody has used for so long is removed


def kernel(function: Function) -> Function:
    """Compile `function` with Numba and keep the result on disk.

    nogil: searches run in parallel threads. error_model="numpy": no hidden branch before each division. boundscheck off: the
    Python door checks its input once. Fast-math stays off, so that results are the same on every machine.
    """
    if not COMPILED:
        return function
    dispatcher = numba.njit(nogil=True, error_model="numpy", boundscheck=False)(function)
    dispatcher._cache = KernelCache(function)
    return cast(Function, dispatcher)


def new_records(count: int, kind: np.dtype[Any]) -> Array:
    """Records for kernels, all zero: NumPy's record arrays for interpreted ones; compiled ones are called faster without."""
    records = np.zeros(count, kind)
    return records if COMPILED else records.view(np.recarray)


def record_in(records: Array, place: int = 0) -> Record:
    """One record of an array, for Python code: its fields are attributes, and writing them writes to the array."""
    return records.view(np.recarray)[place]


def copied(records: Array) -> Array:
    """A copy, byte by byte: NumPy's own goes field by field, and takes thirty times as long."""
    bytes_of = records.view(np.ndarray).view(np.uint8)
    copy = bytes_of.copy().view(records.dtype)
    return copy if COMPILED else copy.view(np.recarray)


def cache_folder() -> Path:
    """The folder of compiled code: FACEDOWN_CACHE, or the user's cache folder."""
    return Path(os.environ.get("FACEDOWN_CACHE") or platformdirs.user_cache_dir("facedown")) / "kernels"


# --- What a function's compiled code depends on -----------------------------------------------------------------------


@cache
def source_digest(file: str) -> str:
    """A digest of a source file, of the files it imports, however far, and of the tools that compile them."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {np.__version__}".encode())
    for path in sorted(_imported_files(Path(file))):
        digest.update(str(path).encode())
        digest.update(_read(path))
    return digest.hexdigest()


def _imported_files(file: Path) -> set[Path]:
    """The file and all source files its import statements lead to, less Python's own and the compiler's."""
    found: set[Path] = set()
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file() and not _is_foundation(path):
            found.add(path)
            waiting.extend(_files_imported_by(path))
    return found


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _files_imported_by(path: Path) -> tuple[Path, ...]:
    files: set[Path | None] = set()
    for node in ast.walk(ast.parse(_read(path))):
        if isinstance(node, ast.Import):
            files.update(_source(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            module = node.module or ""
            files.update(_source(f"{module}.{alias.name}") or _source(module) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            near = [
                folder.with_suffix(".py"),
                folder / "__init__.py",
                *(folder / f"{alias.name}.py" for alias in node.names),
            ]
            files.update(near)
    return tuple(file for file in files if file)


@cache
def _source(name: str) -> Path | None:
    """The source file of a module; None for what is no module."""
    origin: Any = getattr(sys.modules.get(name), "__file__", None)
    if name not in sys.modules and name.rpartition(".")[0] in ("", *sys.modules):
        try:
            origin = getattr(importlib.util.find_spec(name), "origin", None)
        except (ImportError, ValueError, AttributeError):
            return None
    return Path(str(origin)).resolve() if origin and origin.endswith(".py") else None


STANDARD = Path(sysconfig.get_paths()["stdlib"]).resolve()
COMPILER = tuple(Path(str(package.__file__)).resolve().parent for package in (np, numba))


def _is_foundation(path: Path) -> bool:
    """Whether a file belongs to Python itself or to the compiler, whose versions are in the digest."""
    inside_standard = path.is_relative_to(STANDARD) and "site-packages" not in path.parts
    return inside_standard or any(path.is_relative_to(folder) for folder in COMPILER)


# --- The cache --------------------------------------------------------------------------------------------------------


class KernelCache(_Cache):  # type: ignore[misc]  # Numba has no types
    """One function's compiled signatures, a file each."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._sources = source_digest(function.__code__.co_filename)
        self._folder = cache_folder() / self._sources[:16]
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder that holds the files."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None."""
        target_context.refresh()
        if not self._enabled:
            return None
        try:
            payload = self._file(sig, target_context.codegen()).read_bytes()
        except OSError:
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(payload))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code; a folder that cannot be written only costs the next start its speed."""
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        file = self._file(sig, data.codegen)
        unfinished = file.with_suffix(f".{uuid.uuid4().hex[:8]}")
        try:
            if not self._folder.is_dir():
                _forget_unused(self._folder.parent)
                self._folder.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(dumps(data._reduce()))
            unfinished.replace(file)
        except OSError:
            with suppress(OSError):
                unfinished.unlink()

    def _file(self, sig: Any, codegen: Any) -> Path:
        """The file's name says all the code depends on; no index that two processes could garble."""
        code = self._function.__code__
        parts = (sig, codegen.magic_tuple(), self._sources, code.co_qualname, code.co_firstlineno, code.co_code)
        return self._folder / f"{self._function.__name__}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}.nbc"

    def enable(self) -> None:
        """Use the cache."""
        self._enabled = True

    def disable(self) -> None:
        """Leave the cache alone."""
        self._enabled = False

    def flush(self) -> None:
        """Numba asks for this on recompilation; names by content leave nothing to clear."""


def _forget_unused(folder: Path) -> None:
    """Remove folders of compiled code that no process has opened for a month."""
    oldest = time.time() - KEPT_DAYS * 24 * 3600
    for old in folder.glob("*"):
        files = list(old.glob("*"))
        if all(file.stat().st_atime < oldest for file in files) and old.stat().st_mtime < oldest:
            for file in files:
                file.unlink(missing_ok=True)
            old.rmdir()


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

    @intrinsic
    def _deposit_bits(typing_context: Any, source: Any, mask: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            deposit = ir.FunctionType(word, [word, word])
            return builder.call(cgutils.get_or_insert_function(builder.module, deposit, "llvm.x86.bmi.pdep.64"), arguments)

        return types.uint64(types.uint64, types.uint64), code

    @kernel
    def count_ones(mask: Any) -> int:
        """How many bits of a mask are set."""
        return int(_count_ones(np.uint64(mask)))

    @kernel
    def lowest_bit(mask: Any) -> int:
        """The place of the lowest bit set; the mask is not empty."""
        return int(_trailing_zeros(np.uint64(mask)))

    # Choosing a random card of a set is the heart of every playout: one instruction makes Hearts 2.6 times as fast.
    HAS_DEPOSIT = binding.get_host_cpu_features().get("bmi2", False) and not numba.config.CPU_NAME

    if HAS_DEPOSIT:

        @kernel
        def nth_bit(mask: Any, n: int) -> int:
            """The place of the bit number n, counted from 0, of those set; there are that many."""
            return int(_trailing_zeros(_deposit_bits(np.uint64(1) << np.uint64(n), np.uint64(mask))))

    else:

        @kernel
        def nth_bit(mask: Any, n: int) -> int:
            """The place of the bit number n, counted from 0, of those set; there are that many."""
            for _ in range(n):
                mask &= mask - np.uint64(1)
            return lowest_bit(mask)

    @kernel
    def wrapping_sum(a: Any, b: Any) -> Any:
        """The sum of two 64-bit numbers, modulo 2^64."""
        return np.uint64(a) + np.uint64(b)

else:

    def count_ones(mask: Any) -> int:
        """How many bits of a mask are set."""
        return int(mask).bit_count()

    def lowest_bit(mask: Any) -> int:
        """The place of the lowest bit set; the mask is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def nth_bit(mask: Any, n: int) -> int:
        """The place of the bit number n, counted from 0, of those set; there are that many."""
        left = int(mask)
        for _ in range(n):
            left &= left - 1
        return lowest_bit(left)

    def wrapping_sum(a: Any, b: Any) -> Any:
        """The sum of two 64-bit numbers, modulo 2^64."""
        return np.uint64((int(a) + int(b)) & 0xFFFF_FFFF_FFFF_FFFF)
