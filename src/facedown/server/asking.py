"""Who asks for what: the parts of the application that a request is about, and the token it has."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from fastapi import Path as InPath
from fastapi import Request, WebSocket

from facedown.server.analyses import Analyses
from facedown.server.caps import Caps
from facedown.server.competitions import Competitions
from facedown.server.hall import Hall
from facedown.server.refusals import no_token, wrong_token
from facedown.server.tokens import fits

if TYPE_CHECKING:
    from facedown.server.trees import Trees  # which asks here who may see what

Id = Annotated[str, InPath(max_length=40, pattern="^[A-Za-z0-9_-]+$")]


@dataclass(frozen=True)
class ServerSettings:
    """How a server runs."""

    store: str | Path | None = None
    loopback: bool = True
    admin_hash: str | None = None  # of the administrator's token
    origins: tuple[str, ...] = ()  # of pages elsewhere that may use it
    rate: float = 0.0  # requests a second of one address; 0: no limit
    on: str = "processes"
    workers: int | None = None
    caps: Caps = field(default_factory=Caps)
    games: tuple[str, ...] = ()  # the operator's own, from files or modules


def hall(request: Request | WebSocket) -> Hall:
    """The tables of the application."""
    found: Hall = request.app.state.hall
    return found


def token_of(request: Request) -> str | None:
    """The token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


def check_admin(request: Request) -> None:
    """Where others can reach the server, some things are the administrator's."""
    settings: ServerSettings = request.app.state.settings
    if settings.loopback:
        return
    token = token_of(request)
    if token is None:
        raise no_token()
    if not fits(token, settings.admin_hash):
        raise wrong_token()


def competitions(request: Request | WebSocket) -> Competitions:
    """The competitions of the application."""
    found: Competitions = request.app.state.competitions
    return found


def analyses(request: Request | WebSocket) -> Analyses:
    """The analyses of the application."""
    found: Analyses = request.app.state.analyses
    return found


def trees(request: Request) -> "Trees":
    """The search trees of the application."""
    found: Trees = request.app.state.trees
    return found
