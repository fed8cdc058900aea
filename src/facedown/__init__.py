"""facedown plays card games whose cards lie face down.

>>> import facedown as fd
>>> game = fd.load("hearts", passing=False)
>>> state = game.deal(seed=7)
>>> game.text(state.legal[0])
'2C'
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names as below, for type checkers
    from facedown.agents import Agent as Agent
    from facedown.agents import agent as agent
    from facedown.agents import agents as agents
    from facedown.arena.match import play as play
    from facedown.arena.tournament import TournamentResult as TournamentResult
    from facedown.arena.tournament import tournament as tournament
    from facedown.audit import AuditReport as AuditReport
    from facedown.audit import audit as audit
    from facedown.errors import BadData as BadData
    from facedown.errors import BadGame as BadGame
    from facedown.errors import BadOption as BadOption
    from facedown.errors import BadText as BadText
    from facedown.errors import FacedownError as FacedownError
    from facedown.errors import HiddenInformation as HiddenInformation
    from facedown.errors import IllegalMove as IllegalMove
    from facedown.errors import ImpossibleEntry as ImpossibleEntry
    from facedown.errors import MissingAnswer as MissingAnswer
    from facedown.errors import NoWorlds as NoWorlds
    from facedown.errors import StoreError as StoreError
    from facedown.errors import UnknownName as UnknownName
    from facedown.game import Game as Game
    from facedown.games import games as games
    from facedown.games import load as load
    from facedown.kernel import kernel as kernel
    from facedown.lab.tuning.result import TuningResult as TuningResult
    from facedown.lab.tuning.tuning import tune as tune
    from facedown.options import Option as Option
    from facedown.record import GameRecord as GameRecord
    from facedown.rules import register as register
    from facedown.search.decision import Candidate as Candidate
    from facedown.search.decision import Decision as Decision
    from facedown.state import State as State
    from facedown.store import Store as Store
    from facedown.table.outcome import Outcome as Outcome
    from facedown.view import SPECTATOR as SPECTATOR
    from facedown.view import View as View

__version__ = "0.1.0"

# The public names of each module. A module is imported when one of its names is first used: Numba alone takes longer to
# import than a command that needs no search should take to run.
_PUBLIC = {
    "agents": ("Agent", "agent", "agents"),
    "arena.match": ("play",),
    "arena.tournament": ("TournamentResult", "tournament"),
    "audit": ("AuditReport", "audit"),
    "errors": (
        "BadData",
        "BadGame",
        "BadOption",
        "BadText",
        "FacedownError",
        "HiddenInformation",
        "IllegalMove",
        "ImpossibleEntry",
        "MissingAnswer",
        "NoWorlds",
        "StoreError",
        "UnknownName",
    ),
    "game": ("Game",),
    "games": ("games", "load"),
    "kernel": ("kernel",),
    "lab.tuning.result": ("TuningResult",),
    "lab.tuning.tuning": ("tune",),
    "options": ("Option",),
    "record": ("GameRecord",),
    "rules": ("register",),
    "search.decision": ("Candidate", "Decision"),
    "state": ("State",),
    "store": ("Store",),
    "table.outcome": ("Outcome",),
    "view": ("SPECTATOR", "View"),
}
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(_HOMES)


class _Package(ModuleType):
    """The package itself: importing a submodule (facedown.games) does not replace the public name (fd.games).

    The submodule is imported by `from facedown.games import ...`.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"facedown.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
