"""The agents that come with facedown, and how others are found."""

import os
from functools import cache

from facedown.agents.player import Agent
from facedown.errors import FacedownError, UnknownName
from facedown.games import find, points
from facedown.options import parse_text, refuse_files

__all__ = ["AGENTS", "Agent", "agent", "agent_class", "agents"]

AGENTS = {
    "best": "facedown.agents.best:Best",
    "cheat-person": "facedown.agents.simulated:CheatPerson",
    "easy": "facedown.agents.best:Easy",
    "ensemble": "facedown.agents.ensemble:Ensemble",
    "epimc": "facedown.agents.epimc:Epimc",
    "expert": "facedown.agents.heuristic:Expert",
    "fpmga": "facedown.agents.sdmcts:Fpmga",
    "hard": "facedown.agents.best:Hard",
    "ismcts": "facedown.agents.tree:Ismcts",
    "ismcts-t": "facedown.agents.tree:IsmctsT",
    "ismcts-ti": "facedown.agents.ismcts_ti:IsmctsTi",
    "mga": "facedown.agents.sdmcts:Mga",
    "minimax": "facedown.agents.voting:Minimax",
    "mo-ismcts": "facedown.agents.tree:MoIsmcts",
    "normal": "facedown.agents.best:Normal",
    "pimc": "facedown.agents.voting:Pimc",
    "pmga": "facedown.agents.pmga:Pmga",
    "random": "facedown.agents.random:Random",
    "reduced": "facedown.agents.heuristic:Reduced",
    "sdmcts": "facedown.agents.sdmcts:Sdmcts",
    "uct": "facedown.agents.tree:Uct",
}


def agents() -> list[str]:
    """The names of all known agents."""
    return sorted({*AGENTS, *points("facedown.agents")})


def agent_class(name: str, trusted: bool = True) -> type[Agent]:
    """An agent's class by name or, if it is trusted, `module:attribute`."""
    return _agent_class(name, trusted, os.getcwd() if ":" in name else "")


@cache
def _agent_class(name: str, trusted: bool, folder: str) -> type[Agent]:
    """The same, cached for each folder: a relative path means another file in another folder."""
    found = find(name, AGENTS, "facedown.agents", "agent", trusted)
    if not (isinstance(found, type) and issubclass(found, Agent)):
        raise FacedownError(f"expected {name!r} to be a subclass of facedown.Agent, got {found!r}")
    return found


def agent(text: str | Agent, seed: int = 0, *, trusted: bool = True) -> Agent:
    """An agent from its text, `name` or `name:option=value,option=value`; text from outside is not `trusted`, see load()."""
    if isinstance(text, Agent):
        return text
    name, options = parse_text(text)
    kind = agent_class(name, trusted)
    for key in ("seed", "self"):  # arguments of the class, not options
        if key in options:
            raise UnknownName(f"option of {name}", key, [option.name for option in kind.declared])
    if not trusted:
        refuse_files(kind.declared, options)
    made = kind(seed, **options)
    if ":" in name:
        made.path = name  # its own name would not load it
    return made
