"""The games that come with facedown, and how others are found."""

import importlib
import importlib.util
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from facedown.errors import BadOption, FacedownError, UnknownName
from facedown.game import Game
from facedown.options import Value, parse_text

GAMES = {
    "bisca": "facedown.games.trumps:BISCA",
    "cheat": "facedown.games.cheat:CHEAT",
    "hearts": "facedown.games.hearts:HEARTS52",
    "hearts32": "facedown.games.hearts:HEARTS32",
    "magic": "facedown.games.magic:MAGIC",
    "sueca": "facedown.games.trumps:SUECA",
}


_loaded: dict[str, Game] = {}  # by name, so that a record finds a game that came from a file


def games() -> list[str]:
    """The names of all games known here."""
    return sorted({*GAMES, *points("facedown.games")})


@cache
def points(group: str) -> dict[str, EntryPoint]:
    """What other packages offer under a group; looked up once, for it takes long."""
    return {point.name: point for point in entry_points(group=group)}


def load(name: str, **options: Value) -> Game:
    """A game by name, `module:attribute` or `file.py:attribute` (GAME if left out); options as keywords or in the text."""
    name, values = parse_text(f"{name}:GAME" if isinstance(name, str) and name.endswith(".py") else name)
    game = _loaded.get(name) or find(name, GAMES, "facedown.games", "game")
    if not isinstance(game, Game):
        raise FacedownError(f"expected {name!r} to be a facedown.Game, got {type(game).__name__}")
    if game.name not in GAMES:
        _loaded[game.name] = game
    if ":" in name:
        game.path = name
    values.update(options)
    return game.with_options(**values)


def find(name: str, known: dict[str, str], group: str, kind: str) -> Any:
    """What a name stands for: built in, from an entry point, or `module:attribute`."""
    if name in known:
        return _attribute(known[name])
    offered = points(group)
    if name in offered:
        return offered[name].load()
    if name.partition(":")[0] in {*known, *offered}:
        raise BadOption(f"expected {name.partition(':')[0]}:option=value,option=value, got {name!r}")
    if ":" in name:
        return _attribute(name)
    raise UnknownName(kind, name, {*known, *offered})


def _attribute(path: str) -> Any:
    """The object at `module:attribute` or `file.py:attribute`."""
    source, _, attribute = path.rpartition(":")
    module = _from_file(Path(source)) if source.endswith(".py") else _from_module(source)
    try:
        return getattr(module, attribute)
    except AttributeError:
        raise FacedownError(f"expected {source} to define {attribute!r}, got no such name") from None


def _from_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except (ImportError, TypeError, ValueError) as error:
        raise FacedownError(f"expected a module that can be imported, got {name!r}: {error}") from None


def _from_file(path: Path) -> Any:
    """A module from a file, under its own name, once in a process."""
    if not path.is_file():
        raise FacedownError(f"expected a Python file, got {str(path)!r}, which is not there")
    file = path.resolve()
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == str(file):
            return module
    name = file.stem if file.stem not in sys.modules else f"facedown_file_{abs(hash(str(file)))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise FacedownError(f"expected a Python file, got {str(path)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))  # its helpers may lie beside it
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        del sys.modules[name]
        raise FacedownError(f"expected all that {path} imports to be there: {error}") from None
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(str(file.parent))
    return module
