"""A disk cache of compiled code that cannot go stale.

Numba's own cache checks one file at a time: after an edit of a function in another file, a cached caller keeps running the
old code. It also numbers its data files, so two processes that compile at once can swap them. Here a compiled function is
stored under a name made from everything it depends on: its signature and the machine; the sources of its module and of every
module that one imports; its own code, the global values compiled into it, and those of every kernel it calls. After a change
the name is another. The game that answers generic questions is part of the signature: see rules.py.

Inside compiled code functions have names too, which Numba makes from a number and from the numbers of record types. Both are
counted from 1 in every process. So the code of two processes may have equal names, and in a third process that loads both,
one would call the other's code (numba issue 10486). Here the numbers are random, and no two functions share one.
"""

import ast
import hashlib
import importlib.util
import os
import pickle
import re
import secrets
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache, dumps
from numba.core.compiler import CompileResult

from facedown.compiler import files as kernel_files
from facedown.compiler.linking import Linked, linked_parts, linked_result
from facedown.errors import is_own

DECORATOR = Path(__file__).with_name("kernel.py")
IMPORTS = re.compile(  # a statement on lines of its own; or a block for type checkers, see _statements
    rb"^[ \t]*from [.\w]+ import (?:\([^)]*\)|[^\n]+)|^[ \t]*import [\w., ]+"
    rb"|^if TYPE_CHECKING:[^\n]*\n(?:[ \t]+[^\n]*\n|\n)*",
    re.MULTILINE,
)

FunctionIdentity._unique_ids = iter(lambda: secrets.randbits(64), None)


def cache_folder() -> Path:
    """The folder of compiled code: FACEDOWN_CACHE, or the user's cache folder."""
    return Path(os.path.expanduser(os.environ.get("FACEDOWN_CACHE") or platformdirs.user_cache_dir("facedown")), "kernels")


# --- What a function's compiled code depends on -----------------------------------------------------------------------


@cache
def source_digest(file: str) -> str:
    """A digest of a source file, of the files it imports, however far, and of the tools that compile them."""
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    files = _imported_files(Path(file)) | _imported_files(DECORATOR)  # which `import facedown` alone does not import
    for name, content in sorted((path.name, _read(path)) for path in files):
        digest.update(name.encode() + content)
    return digest.hexdigest()


@cache
def _imported_files(file: Path) -> frozenset[Path]:
    """The file and all source files that it imports, directly or not, except Python's own and the compiler's."""
    found: set[Path] = set()
    waiting = [file.resolve()]
    while waiting:
        path = waiting.pop()
        if path not in found and _is_source(path):
            found.add(path)
            waiting.extend(_files_imported_by(path))
    return frozenset(found)


@cache
def _read(path: Path) -> bytes:
    return path.read_bytes()


@cache
def _files_imported_by(path: Path) -> tuple[Path, ...]:
    files: set[Path | None] = set()
    for node in _imports_by_line(path) if is_own(str(path)) else _statements(ast.parse(_read(path))):
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


def _imports_by_line(path: Path) -> Iterator[ast.AST]:
    """The imports of a file that is formatted as ours are: to parse all of a hundred files takes a quarter of a second."""
    found = [line.strip() for line in IMPORTS.findall(_read(path)) if not line.startswith(b"if")]
    return iter(ast.parse(b"\n".join(found)).body)


def _statements(block: Any) -> Iterator[ast.AST]:
    """All statements of a block and of the blocks in it; expressions, most of a source, hold no imports.

    Imports for type checkers only are left out: facedown's own name nearly all its modules, of which one command loads more
    than another, so that the digests of a game's compiled code would differ between commands.
    """
    skipped = isinstance(block, ast.If) and ast.unparse(block.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")
    for part in ("orelse",) if skipped else ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(block, part, ()):
            yield statement
            yield from _statements(statement)


@cache
def _source(name: str) -> Path | None:
    """The source file of a module; None if it has none, or if nothing is loaded of the package that it lies in."""
    origin: Any = getattr(sys.modules.get(name), "__file__", None)
    if name not in sys.modules and name.partition(".")[0] in (name, *sys.modules):
        try:
            origin = getattr(_spec(name), "origin", None)
        except (ImportError, ValueError, AttributeError):
            return None
    return Path(str(origin)).resolve() if origin and origin.endswith(".py") else None


def _spec(name: str) -> ModuleSpec | None:
    """Where a module is found, whether or not the packages around it are loaded, which one process does before another."""
    above = name.rpartition(".")[0]
    if not above or above in sys.modules:
        return importlib.util.find_spec(name)
    package = _spec(above)
    places = package.submodule_search_locations if package else None
    return PathFinder.find_spec(name, places) if places else None


STANDARD = Path(sysconfig.get_paths()["stdlib"]).resolve()
COMPILER = tuple(Path(str(package.__file__)).resolve().parent for package in (np, numba, llvmlite, platformdirs))


@cache
def _is_source(path: Path) -> bool:
    """Whether a file is there and belongs neither to Python itself nor to the compiler, whose versions are in the digest."""
    inside_standard = path.is_relative_to(STANDARD) and "site-packages" not in path.parts
    return path.is_file() and not inside_standard and not any(path.is_relative_to(folder) for folder in COMPILER)


def kernel_digest(function: Callable[..., Any]) -> str:
    """A digest of a kernel's code, of the global values compiled into it, and of all kernels it calls.

    The sources do not determine these when a value is read from a file or the environment, or where there is no file at all.
    """
    digest = hashlib.sha256()
    seen: set[Any] = set()

    def add_code(code: CodeType) -> None:
        digest.update(code.co_code)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                add_code(constant)
            else:
                digest.update(repr(constant).encode())

    def add_value(value: Any) -> None:
        called = getattr(value, "py_func", None)
        if called is not None:
            add_function(called)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
        elif isinstance(value, bool | int | float | str | tuple | np.generic | np.dtype):
            digest.update(repr(value).encode())

    def add_function(function: Any) -> None:
        if function in seen:
            return
        seen.add(function)
        add_code(function.__code__)
        names = function.__code__.co_names
        for name in names:
            value = function.__globals__.get(name)
            for part in [getattr(value, name, None) for name in names] if isinstance(value, ModuleType) else [value]:
                add_value(part)
        for cell in function.__closure__ or ():
            add_value(cell.cell_contents)

    add_function(function)
    return digest.hexdigest()


def mark_of(name: str, kernels: Mapping[str, Any]) -> str:
    """A name with a digest of kernels by role, and of all they depend on: a record's field of that name stands for them."""
    functions = {role: getattr(function, "py_func", function) for role, function in kernels.items()}
    digests = [
        (role, kernel_digest(function), source_digest(function.__code__.co_filename)) for role, function in functions.items()
    ]
    return f"{name}_{hashlib.sha256(repr(sorted(digests)).encode()).hexdigest()[:16]}"


# --- The cache --------------------------------------------------------------------------------------------------------


class KernelCache(_Cache):  # type: ignore[misc]  # Numba has no types
    """One function's compiled signatures, a file each."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._sources = source_digest(function.__code__.co_filename)
        self._folder = cache_folder() / self._sources[: kernel_files.NAME_SIZE]
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder that holds the files."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any, linked: bool = False) -> Any:
        """The compiled code for a signature, or None; or only what other kernels link."""
        if not linked:  # then its caller has
            target_context.refresh()
        if not self._enabled:
            return None
        content = kernel_files.read(*self._place(sig, target_context.codegen(), linked))
        if content is None:
            return None
        try:
            parts = pickle.loads(content)
            return linked_result(target_context, *parts) if linked else CompileResult._rebuild(target_context, *parts)
        except Exception:  # unusable although we wrote it: it is compiled and written again
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code."""
        if self._enabled and not data.lifted and not data.library.has_dynamic_globals:
            linked = isinstance(data.entry_point, Linked)
            parts = linked_parts(data) if linked else data._reduce()
            kernel_files.write(*self._place(sig, data.codegen, linked), dumps(parts))

    def _place(self, sig: Any, codegen: Any, linked: bool) -> tuple[Path, bytes]:
        """A file, and the key it is named after: all that the code depends on. There is no index to corrupt."""
        name = self._function.__qualname__
        checked = numba.config.BOUNDSCHECK  # NUMBA_BOUNDSCHECK: code with and without checks is kept apart
        parts = (sig, codegen.magic_tuple(), self._sources, name, kernel_digest(self._function), checked, linked)
        key = repr(parts).encode()
        return self._folder / f"{self._function.__name__}-{hashlib.sha256(key).hexdigest()[:24]}.nbc", key

    def enable(self) -> None:
        """Use the cache."""
        self._enabled = True

    def disable(self) -> None:
        """Do not use the cache."""
        self._enabled = False

    def flush(self) -> None:
        """Numba calls this on recompilation; files named by content need no clearing."""
