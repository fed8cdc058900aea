"""What identifies a run: the code that plays, and the files that options name, as they were when it began.

Two digests of a run are equal exactly when nothing that plays has changed. Workers compare the code they load with it, file
by file, and refuse to play with any other.
"""

import hashlib
import inspect
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, NoReturn

from facedown import kernel_cache
from facedown.agents import agent, agent_class
from facedown.errors import FacedownError, loading
from facedown.game import Game
from facedown.games import load
from facedown.games.sources import PACKAGE, digest_of, remember, short_digest
from facedown.options import Option, parse_text

# The rooms that play, beside the files at the root: from the ground to the agents. The others show, store, count or request
# games: a run can be resumed after a change in them.
PLAYING = ("compiler", "table", "worlds", "notation", "games", "search", "inference", "agents")


class Source(NamedTuple):
    """A file, or something else, that a run depends on."""

    name: str  # of a file, without its folder, which differs between machines
    digest: str
    file: str  # where it is on this machine


PACKAGE_NAME, RULES_NAME, TOOLS_NAME = NO_FILES = ("facedown", "rules", "tools")  # sources that are no single file
TOOLS = ("llvmlite", "numba", "numpy")  # what compiles and computes


def run_digest(game: Game, agents: Sequence[str]) -> str:
    """A digest of all code that plays: of this package with its models, and of the game's and the agents' own files."""
    return digest_of_sources(sources_of(game, agents))


def digest_of_sources(sources: Iterable[Source]) -> str:
    """The digest of some sources, wherever their files are."""
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(sources):
        digest.update(f"{source.name} {source.digest}\n".encode())
    return digest.hexdigest()


def sources_of(game: Game, agents: Sequence[str]) -> tuple[Source, ...]:
    """All code that plays, file by file, as it was loaded; this package counts as one."""
    found = {
        Source(PACKAGE_NAME, package_digest(), str(PACKAGE)),
        Source(RULES_NAME, rules_digest(game), game.full_path),
        Source(TOOLS_NAME, tools_digest(), sys.executable),
    }
    kinds = [agent_class(parse_text(text)[0]) for text in agents]
    for file in {*code_files(game), *map(inspect.getsourcefile, kinds)}:
        found.update(Source(path.name, digest_of(path), str(path)) for path in remember(file))
    return tuple(sorted({*found, *files_read(game, agents)}))


def files_read(game: Game, agents: Sequence[str]) -> tuple[Source, ...]:
    """The files that options name, such as a model: they are read again for each game."""
    options = [*game.options.values(), *(option for text in agents for option in agent(text).options.values())]
    return tuple(Source(file.name, short_digest(file.read_bytes()), str(file)) for file in sorted(option_files(options)))


def functions_of(game: Game) -> list[FunctionType]:
    """The functions that a game is made of."""
    found = [getattr(one, "py_func", one) for one in (*game.rules.answers.values(), *vars(game).values())]
    return [one for one in found if isinstance(one, FunctionType)]


def code_files(game: Game) -> set[str]:
    """The files that a game's functions are written in."""
    return {function.__code__.co_filename for function in functions_of(game)}


def rules_digest(game: Game) -> str:
    """A digest of a game's name, version and fields, and of functions that are in no file; files have their own digests."""
    unwritten = [one for one in functions_of(game) if not Path(one.__code__.co_filename).is_file()]
    fields = (game.rules.state.names or ())[:-1]  # the last one identifies the code
    parts = (game.full_name, game.version, fields, sorted(kernel_cache.kernel_digest(one) for one in unwritten))
    return short_digest(repr(parts).encode())


@cache
def tools_digest() -> str:
    """A digest of the versions of Python and of what compiles."""
    return short_digest(repr([sys.version, *map(version, TOOLS)]).encode())


def option_files(options: Iterable[Option]) -> set[Path]:
    """The files that options name: any text value, unless the option replaces a file name by its content."""
    words = [one.value for one in options if isinstance(one.default, str) and not one.choices and not one.read]
    return {Path(word) for word in words if isinstance(word, str) and word and Path(word).is_file()}


@cache
def package_digest() -> str:
    """A digest of this package's files that play, as they were on disk when it was first asked for."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(PACKAGE.rglob("*")):
        if plays(file.relative_to(PACKAGE)):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def plays(file: Path) -> bool:
    """Whether a file of this package can change how a game is played."""
    return file.suffix in (".py", ".npz", ".json") and (len(file.parts) == 1 or file.parts[0] in PLAYING)


# --- While a run is under way -----------------------------------------------------------------------------------------


@cache
def loaded_as(text: str, agents: tuple[str, ...], expected: tuple[Source, ...]) -> Game:
    """A game by its text, if it and the agents have the expected sources; checked once in a process.

    Files are checked before anything is loaded, so that changed code does not run, and again as they were loaded.
    """
    check_files([one for one in expected if one.name not in NO_FILES])
    with loading(text):
        game = load(text)
    for word in agents:
        with loading(word):
            agent_class(parse_text(word)[0])
    found = {(one.name, one.digest) for one in sources_of(game, agents)}
    for one in expected:
        if (one.name, one.digest) not in found:
            refuse(one)
    return game


def check_files(expected: Iterable[Source]) -> None:
    """Refuse files that have changed; a missing one may be in another folder on this machine."""
    for one in expected:
        file = Path(one.file)
        if file.is_file() and short_digest(file.read_bytes()) != one.digest:
            refuse(one)


def refuse(changed: Source) -> NoReturn:
    """Raise an error that names what has changed."""
    names = {PACKAGE_NAME: "the facedown", RULES_NAME: f"the {changed.file}", TOOLS_NAME: "the Python, NumPy and Numba"}
    what = names.get(changed.name, f"the {changed.file}")
    raise FacedownError(f"expected {what} that the tournament began with, got another: put it back, or begin a new one")
