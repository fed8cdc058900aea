"""The requests of a client, each a coroutine; what comes back is typed."""

from collections.abc import Sequence
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, ValidationError

from facedown.client.errors import ServerRefused, ServerUnreachable, reason
from facedown.client.seat import Entry, Seat
from facedown.errors import shown
from facedown.server import wire
from facedown.server.wire_analysis import HintFacts

ANSWERS_WITHIN = 60.0  # seconds; the first table of a game may have to be compiled
PATIENCE = 60.0  # seconds for which a lost connection is tried again

Data = dict[str, Any]
Facts = TypeVar("Facts", bound=BaseModel)


class Client:
    """Somebody who asks an arena server."""

    def __init__(self, url: str, *, token: str | None = None, patience: float = PATIENCE) -> None:
        """`token` is the administrator's; `patience`: for how many seconds a lost connection is tried again."""
        try:
            address = httpx.URL(url)
            usable = address.scheme in ("http", "https") and bool(address.host) and (address.port or 1) in range(1, 1 << 16)
        except (httpx.InvalidURL, UnicodeError):
            usable = False
        if not usable:
            raise ServerUnreachable(f"expected the address of a server, such as http://127.0.0.1:8000, got {shown(url)}")
        self.url = url.rstrip("/")
        self.patience = patience
        self._token = token
        certificates = address.scheme == "https"  # they take 30 ms to load, and plain http has no use for them
        self._http = httpx.AsyncClient(base_url=self.url, timeout=ANSWERS_WITHIN, verify=certificates)

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End all connections but those of seats."""
        await self._http.aclose()

    async def ask(self, method: str, path: str, body: Data | None = None, token: str | None = None) -> Any:
        """The answer to any request, as plain data."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            answer = await self._http.request(method, path, json=body, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise ServerUnreachable(f"expected a server at {self.url}, got {reason(error)}") from None
        try:
            data = answer.json()
        except ValueError:
            raise ServerUnreachable(f"expected an arena server at {self.url}, got no JSON from {path}") from None
        if answer.is_success:
            return data
        problem = data.get("error") if isinstance(data, dict) else None
        if not isinstance(problem, dict):
            raise ServerUnreachable(f"expected an arena server at {self.url}, got status {answer.status_code} from {path}")
        raise ServerRefused(str(problem.get("code")), str(problem.get("message")), answer.status_code)

    async def _facts(self, kind: type[Facts], *request: Any, **more: Any) -> Facts:
        return self._read(kind, await self.ask(*request, **more))

    def _read(self, kind: type[Facts], data: Any) -> Facts:
        try:
            return kind.model_validate(data)
        except ValidationError:
            raise ServerUnreachable(
                f"expected {kind.__name__} as this version knows it from {self.url}, got {shown(data)}"
            ) from None

    # --- What there is ------------------------------------------------------------------------------------------------

    async def health(self) -> Data:
        """Whether the server works, and its version."""
        found: Data = await self.ask("GET", "/api/health")
        return found

    async def games(self) -> list[Data]:
        """The games with their seats and options."""
        found: list[Data] = await self.ask("GET", "/api/games")
        return found

    async def agents(self) -> list[Data]:
        """The agents with their options."""
        found: list[Data] = await self.ask("GET", "/api/agents")
        return found

    # --- Tables -------------------------------------------------------------------------------------------------------

    async def new_table(self, game: str, seats: Sequence[Data] = (), **wishes: Any) -> wire.TableFacts:
        """A new table: `{"open": True}` or `{"agent": "ismcts"}` for each seat, and wishes such as `move_seconds`."""
        return await self._facts(wire.TableFacts, "POST", "/api/tables", {"game": game, "seats": [*seats], **wishes})

    async def tables(self, limit: int = 200) -> list[wire.TableFacts]:
        """The newest tables: those that are not over first."""
        return [self._read(wire.TableFacts, one) for one in await self.ask("GET", f"/api/tables?limit={limit}")]

    async def table(self, id: str) -> wire.TableFacts:
        """What everybody may know of a table."""
        return await self._facts(wire.TableFacts, "GET", f"/api/tables/{id}")

    async def take_seat(self, table: str, name: str, seat: int | None = None) -> wire.SeatTaken:
        """Take an open seat, without connecting to it."""
        return await self._facts(wire.SeatTaken, "POST", f"/api/tables/{table}/seats", {"name": name, "seat": seat})

    async def view(self, table: str, token: str | None = None) -> wire.ViewFacts:
        """What the seat of a token sees, or a spectator."""
        return await self._facts(wire.ViewFacts, "GET", f"/api/tables/{table}/view", token=token)

    async def move(self, table: str, token: str, action: str, moves: int | None = None) -> int:
        """Play an action; returns how many were played then. With `moves`, how many before, it can be sent again safely."""
        body = {"action": action, "moves": moves}
        return (await self._facts(wire.Moved, "POST", f"/api/tables/{table}/moves", body, token=token)).moves

    async def hint(self, table: str, token: str, seconds: float = 1.0) -> HintFacts:
        """What the game's best player would do."""
        return await self._facts(HintFacts, "POST", f"/api/tables/{table}/hint", {"seconds": seconds}, token=token)

    async def rematch(self, table: str, token: str) -> wire.TableFacts:
        """A new table for the same players; the token is good there too."""
        return await self._facts(wire.TableFacts, "POST", f"/api/tables/{table}/rematch", token=token)

    # --- Competitions and records -------------------------------------------------------------------------------------

    async def new_competition(self, game: str, entrants: Sequence[Data], **wishes: Any) -> wire.CompetitionFacts:
        """A new competition, with wishes such as `deals` and `seed`."""
        body = {"game": game, "entrants": [*entrants], **wishes}
        return await self._facts(wire.CompetitionFacts, "POST", "/api/competitions", body, token=self._token)

    async def competitions(self) -> list[wire.CompetitionSummary]:
        """All competitions, the newest first."""
        return [self._read(wire.CompetitionSummary, one) for one in await self.ask("GET", "/api/competitions")]

    async def competition(self, id: str) -> wire.CompetitionFacts:
        """A competition with its standings."""
        return await self._facts(wire.CompetitionFacts, "GET", f"/api/competitions/{id}")

    async def take_part(self, competition: str, name: str, at_once: int = 1) -> wire.Entered:
        """Take an open place, without connecting."""
        body = {"name": name, "at_once": at_once}
        return await self._facts(wire.Entered, "POST", f"/api/competitions/{competition}/entrants", body)

    async def record(self, id: int) -> Data:
        """A finished game as a record."""
        found: Data = await self.ask("GET", f"/api/records/{id}")
        return found

    # --- Live ---------------------------------------------------------------------------------------------------------

    def sit(self, table: str, name: str, seat: int | None = None, *, views: bool = True) -> Seat:
        """Take an open seat: `async with client.sit(...) as seat`. `views`: the whole view comes after each action."""
        return Seat(self, table, name=name, wanted=seat, views=views)

    def rejoin(self, table: str, token: str, *, views: bool = True) -> Seat:
        """Play on at a seat that was taken before."""
        return Seat(self, table, token=token, views=views)

    def watch(self, table: str, *, views: bool = True) -> Seat:
        """Look on without a seat."""
        return Seat(self, table, views=views)

    def enter(self, competition: str, name: str, at_once: int = 1, *, views: bool = True) -> Entry:
        """Take part in a competition, with so many games at once."""
        return Entry(self, competition, name=name, at_once=at_once, views=views)

    def reenter(self, competition: str, token: str, *, views: bool = True) -> Entry:
        """Take part again, after all."""
        return Entry(self, competition, token=token, views=views)
