"""The code that people's own files hold, as it was when it was loaded: what runs is not what an edited file says.

A file counts with all it imports, as far as that is somebody's own: not Python's, and of installed packages only the one
that the file itself belongs to.
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
class Text:
    """A source file as it was read."""

    digest: str
    imports: tuple[str, ...]  # modules


_texts: dict[Path, Text] = {}


def remember(file: str | Path | None) -> list[Path]:
    """Keep what a source file, and those it leads to, say now: call it when they have just been loaded. All of them."""
    found = survey(file)
    for path, text in found.items():
        _texts.setdefault(path, text)
    return sorted(found)


@contextmanager
def being_loaded(file: Path) -> Iterator[None]:
    """Keep what a source file says that is loaded now, and refuse one that changes meanwhile."""
    before = survey(file)
    yield
    after = survey(file)
    for path, text in before.items():
        if after.get(path) != text:
            raise FacedownError(f"expected {path} to stay as it was while it was loaded, got a change: load it again")
    remember(file)


def survey(file: str | Path | None) -> dict[Path, Text]:
    """A source file and those it leads to: as they were loaded, or else as they are."""
    found: dict[Path, Text] = {}
    waiting = [Path(file).resolve()] if file else []
    home = installed_package(waiting[0]) if waiting else None
    while waiting:
        path = waiting.pop()
        if path not in found and is_own(path, home) and path.is_file():
            found[path] = _texts.get(path) or read(path)
            waiting += [source for name in found[path].imports for source in files_of(name)]
    return found


def digest_of(path: Path) -> str:
    """The digest of a file that is remembered."""
    return _texts[path].digest


def read(path: Path) -> Text:
    """A source file, and what it imports."""
    content = path.read_bytes()
    try:
        names = tuple(dict.fromkeys(imported(ast.parse(content), package_of(path))))
    except (SyntaxError, ValueError):  # it was another when it was loaded
        names = ()
    return Text(short_digest(content), names)


def short_digest(content: bytes) -> str:
    """Enough of a digest to tell two contents apart."""
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """The modules, or names of modules, that a source's import statements mention, with the packages around them."""
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
    """A module's name, and those of the packages that it is in."""
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def package_of(path: Path) -> str:
    """The package that a loaded file belongs to, by name."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == str(path):
            return getattr(module, "__package__", None) or ""
    return ""


def files_of(name: str) -> list[Path]:
    """The source file of a module, if it is one that has any."""
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
    """The folder of the installed package that a file is in, or the file itself; None for what nobody installed."""
    for number, part in enumerate(path.parts):
        if part in INSTALLED:
            return Path(*path.parts[: number + 2])
    return None


def is_own(path: Path, home: Path | None) -> bool:
    """Whether a file is somebody's own: not Python's, not of this package, not of another that was installed."""
    if path.is_relative_to(PACKAGE):
        return False
    package = installed_package(path)
    return package == home if package else not path.is_relative_to(STANDARD)
