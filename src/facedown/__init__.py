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

if TYPE_CHECKING:
    from facedown.agents import Agent, agent, agents
    from facedown.arena.match import play
    from facedown.arena.tournament import TournamentResult, tournament
    from facedown.audit import AuditReport, audit
    from facedown.errors import (
        BadData,
        BadGame,
        BadOption,
        BadText,
        FacedownError,
        HiddenInformation,
        IllegalMove,
        MissingAnswer,
        NoWorlds,
        StoreError,
        UnknownName,
    )
    from facedown.game import Game
    from facedown.games import games, load
    from facedown.kernel import kernel
    from facedown.lab.tuning.tuning import TuningResult, tune
    from facedown.options import Option
    from facedown.outcome import Outcome
    from facedown.record import GameRecord
    from facedown.rules import register
    from facedown.search.decision import Candidate, Decision
    from facedown.state import State
    from facedown.store import Store
    from facedown.view import SPECTATOR, View

__version__ = "0.1.0"

# Where each public name lives. They are imported on first use: Numba alone takes longer to import than a command that
# needs no search should take to run.
_HOMES = {
    "Agent": "agents",
    "AuditReport": "audit",
    "BadData": "errors",
    "BadGame": "errors",
    "BadOption": "errors",
    "BadText": "errors",
    "Candidate": "search.decision",
    "Decision": "search.decision",
    "FacedownError": "errors",
    "Game": "game",
    "GameRecord": "record",
    "HiddenInformation": "errors",
    "IllegalMove": "errors",
    "MissingAnswer": "errors",
    "NoWorlds": "errors",
    "Option": "options",
    "Outcome": "outcome",
    "SPECTATOR": "view",
    "State": "state",
    "Store": "store",
    "StoreError": "errors",
    "TournamentResult": "arena.tournament",
    "TuningResult": "lab.tuning.tuning",
    "UnknownName": "errors",
    "View": "view",
    "agent": "agents",
    "agents": "agents",
    "audit": "audit",
    "games": "games",
    "kernel": "kernel",
    "load": "games",
    "play": "arena.match",
    "register": "rules",
    "tournament": "arena.tournament",
    "tune": "lab.tuning.tuning",
}

__all__ = [
    "SPECTATOR",
    "Agent",
    "AuditReport",
    "BadData",
    "BadGame",
    "BadOption",
    "BadText",
    "Candidate",
    "Decision",
    "FacedownError",
    "Game",
    "GameRecord",
    "HiddenInformation",
    "IllegalMove",
    "MissingAnswer",
    "NoWorlds",
    "Option",
    "Outcome",
    "State",
    "Store",
    "StoreError",
    "TournamentResult",
    "TuningResult",
    "UnknownName",
    "View",
    "agent",
    "agents",
    "audit",
    "games",
    "kernel",
    "load",
    "play",
    "register",
    "tournament",
    "tune",
]


class _Package(ModuleType):
    """The package itself, in which no submodule (facedown.games) takes the place of a public name (fd.games).

    The submodule is reached by `from facedown.games import ...`.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'facedown' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"facedown.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
