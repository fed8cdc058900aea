"""The games that come with facedown, and how others are found."""

import copy
import importlib
import importlib.util
import os
import sys
import threading
from functools import cache
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import Any

from facedown.errors import BadOption, FacedownError, UnknownName, loading
from facedown.game import Game
from facedown.games.sources import being_loaded, remember
from facedown.options import TRUSTING, Value, parse_text, refuse_files

GAMES = {
    "bisca": "facedown.games.trumps:BISCA",
    "cheat": "facedown.games.cheat:CHEAT",
    "hearts": "facedown.games.hearts:HEARTS52",
    "hearts32": "facedown.games.hearts:HEARTS32",
    "magic": "facedown.games.magic:MAGIC",
    "sueca": "facedown.games.trumps:SUECA",
}


_loaded: dict[str, Game] = {}  # by name, so that a record finds a game loaded from a file
_offered: dict[str, Game] = {}  # by where they were found: games that texts from outside may name
_one_file_at_a_time = threading.RLock()  # reentrant: a file may load another


def games() -> list[str]:
    """The names of all known games."""
    return sorted({*GAMES, *points("facedown.games")})


def offered() -> list[str]:
    """The names of the games that this process offers beside those that are known everywhere."""
    return sorted(game.name for game in _offered.values())


def offer(text: str) -> Game:
    """Load a game from a file or a module, and let texts from outside name it from now on, by its own name."""
    if text in _offered:
        return _offered[text]
    game = copy.copy(load(text))
    others = {*games(), *offered()}
    if game.name in others:
        raise BadOption(f"expected a game whose name is none of {', '.join(sorted(others))}, got {game.name!r} of {text}")
    game.path = None  # nobody outside is told where it lies
    _loaded[game.name] = _offered[text] = game
    return game


@cache
def points(group: str) -> dict[str, EntryPoint]:
    """The entry points of a group that other packages offer; looked up once, since it takes long."""
    installed = distributions(path=[place for place in sys.path if place])  # not the current folder
    offered = [point for found in installed for point in found.entry_points.select(group=group)]
    return {point.name: point for point in reversed(offered)}  # of two with one name, the one that an import would find


def load(name: str, *, trusted: bool = True, **options: Value) -> Game:
    """A game by name, `module:attribute` or `file.py:attribute` (GAME if left out); options as keywords or in the text.

    Text from outside is not `trusted`: it may name built-in and installed games, and those loaded before, but no file.
    """
    name, values = parse_text(f"{name}:GAME" if isinstance(name, str) and name.endswith(".py") else name)
    with loading(name):
        game = _loaded.get(name) or find(name, GAMES, "facedown.games", "game", trusted)
    if not isinstance(game, Game):
        raise FacedownError(f"expected {name!r} to be a facedown.Game, got {type(game).__name__}")
    if ":" in name:
        game = copy.copy(game)  # the original keeps its own path
        game.path = name
    if game.name not in GAMES:
        _loaded[game.name] = game
    values.update(options)
    if not trusted:
        refuse_files(game.options.values(), values)
    return game.with_options(**values)


def find(name: str, known: dict[str, str], group: str, kind: str, trusted: bool = True) -> Any:
    """What a name stands for: built in, from an entry point, or, if it is trusted, `module:attribute`."""
    if name in known:
        return _attribute(known[name])
    offered = points(group)
    if name in offered:
        return offered[name].load()
    if name.partition(":")[0] in {*known, *offered}:
        raise BadOption(f"expected {name.partition(':')[0]}:option=value,option=value, got {name!r}")
    if ":" in name and not trusted:
        raise BadOption(f"expected a built-in or installed {kind} in text from outside, got {name!r}; {TRUSTING}")
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
    """A module by its name; the current folder is searched last."""
    try:
        top = name.partition(".")[0]
        if top not in sys.modules and importlib.util.find_spec(top) is None and "" not in sys.path:
            sys.path.append("")
        module = importlib.import_module(name)
    except FacedownError:  # a ValueError too, but with a message of its own
        raise
    except (ImportError, TypeError, ValueError) as error:
        raise FacedownError(f"expected a module that can be imported, got {name!r}: {error}") from None
    remember(getattr(module, "__file__", None))
    return module


def _from_file(path: Path) -> Any:
    """A module from a file, under its own name, once in a process; other threads wait until it is loaded."""
    if not os.path.isfile(path):  # unlike Path.is_file, it accepts any name
        raise FacedownError(f"expected a Python file, got {str(path)!r}, which is not there")
    file = path.resolve()
    with _one_file_at_a_time:
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) == str(file):
                return module
        return _executed(path, file)


def _executed(path: Path, file: Path) -> Any:
    """The module of a file that has not been run yet."""
    name = file.stem if file.stem not in sys.modules else f"facedown_file_{abs(hash(str(file)))}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise FacedownError(f"expected a Python file, got {str(path)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))  # it may import modules beside it
    try:
        with being_loaded(file):
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
