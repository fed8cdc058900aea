"""Source files of users' own games and agents, as they were when loaded: a later edit does not change what runs.

A file counts with all that it imports, as far as that is users' own code: not Python's, and of installed packages only the
one that the file itself belongs to.
"""

import ast
import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.errors import FacedownError

PACKAGE = Path(__file__).resolve().parents[1]
STANDARD = Path(sysconfig.get_paths()["stdlib"]).resolve()
INSTALLED = {"site-packages", "dist-packages"}


@dataclass(frozen=True)
class Source:
    """A source file as it was read."""

    digest: str
    imports: tuple[str, ...]  # modules


_sources: dict[Path, Source] = {}


def remember(file: str | Path | None) -> list[Path]:
    """Remember a source file and those it imports as they are now, when they have just been loaded; return all of them."""
    found = survey(file)
    for path, source in found.items():
        _sources.setdefault(path, source)
    return sorted(found)


@contextmanager
def being_loaded(file: Path) -> Iterator[None]:
    """Remember a source file while it is loaded, and refuse one that changes meanwhile."""
    before = survey(file)
    yield
    after = survey(file)
    for path, source in before.items():
        if after.get(path) != source:
            raise FacedownError(f"expected {path} to stay as it was while it was loaded, got a change: load it again")
    remember(file)


def survey(file: str | Path | None) -> dict[Path, Source]:
    """A source file and those it imports: as they were loaded, or else as they are."""
    found: dict[Path, Source] = {}
    waiting = [Path(file).resolve()] if file else []
    home = installed_package(waiting[0]) if waiting else None
    while waiting:
        path = waiting.pop()
        if path not in found and is_own(path, home) and path.is_file():
            found[path] = _sources.get(path) or read(path)
            waiting += [source for name in found[path].imports for source in files_of(name)]
    return found


def digest_of(path: Path) -> str:
    """The digest of a remembered file."""
    return _sources[path].digest


def read(path: Path) -> Source:
    """A source file, and what it imports."""
    content = path.read_bytes()
    try:
        names = tuple(dict.fromkeys(imported(ast.parse(content), package_of(path))))
    except (SyntaxError, ValueError):  # edited since it was loaded
        names = ()
    return Source(short_digest(content), names)


def short_digest(content: bytes) -> str:
    """A digest long enough to distinguish two contents."""
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """The modules that a source's import statements name, with the packages that contain them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from with_parents(module)
            yield from (f"{module}.{alias.name}" for alias in node.names)


def with_parents(name: str) -> Iterator[str]:
    """A module's name, and those of the packages that contain it."""
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def package_of(path: Path) -> str:
    """The name of the package that a loaded file belongs to."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == str(path):
            return getattr(module, "__package__", None) or ""
    return ""


def files_of(name: str) -> list[Path]:
    """The source file of a module, if it has one."""
    module: Any = sys.modules.get(name)
    origin = getattr(module, "__file__", None)
    parent = name.rpartition(".")[0]
    if module is None and (not parent or hasattr(sys.modules.get(parent), "__path__")):
        try:
            origin = getattr(importlib.util.find_spec(name), "origin", None)
        except (ImportError, ValueError, AttributeError):
            return []
    return [Path(origin).resolve()] if isinstance(origin, str) and origin.endswith(".py") else []


def installed_package(path: Path) -> Path | None:
    """The folder of the installed package that a file is in, or the file itself; None if it is not installed."""
    for number, part in enumerate(path.parts):
        if part in INSTALLED:
            return Path(*path.parts[: number + 2])
    return None


def is_own(path: Path, home: Path | None) -> bool:
    """Whether a file is a user's own: not Python's, not of this package, not of another installed one."""
    if path.is_relative_to(PACKAGE):
        return False
    package = installed_package(path)
    return package == home if package else not path.is_relative_to(STANDARD)
