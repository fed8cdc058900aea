"""The addresses of the server: what each takes, and what it answers."""

import asyncio
import json
from functools import cache
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response, WebSocket
from fastapi import Path as InPath

import facedown
from facedown.agents import agent, agent_class, agents
from facedown.games import games, load, offered
from facedown.options import Option
from facedown.server import records, wire
from facedown.server.asking import Id, check_admin, competitions, hall, token_of
from facedown.server.caps import checked_name
from facedown.server.events import schemas
from facedown.server.messages import Data
from facedown.server.sockets import competition_socket, table_socket
from facedown.server.sources import open_record
from facedown.server.wire_analysis import HintFacts
from facedown.view import SPECTATOR

# --- What there is ----------------------------------------------------------------------------------------------------


def option_facts(option: Option) -> Data:
    """An option as plain data."""
    bounds = {"least": option.least, "most": option.most}
    finite = {name: value for name, value in bounds.items() if abs(value) != float("inf")}
    return {
        "name": option.name,
        "default": option.default,
        "meaning": option.meaning,
        "choices": list(option.choices),
        **(finite if isinstance(option.default, int | float) and not isinstance(option.default, bool) else {}),
    }


def add_facts(app: FastAPI) -> None:
    """Health, games, agents, metrics."""

    @app.get("/api/health")
    async def health(request: Request) -> Data:
        """Whether the server works, and its version."""
        here = hall(request)
        return {"status": "ok", "version": facedown.__version__, "tables": len(here.tables)}

    @app.get("/api/games")
    async def list_games() -> list[Data]:
        """The games with their seats and options."""
        return await asyncio.to_thread(all_games)

    @app.get("/api/agents")
    async def list_agents() -> list[Data]:
        """The agents with their options."""
        return await asyncio.to_thread(lambda: [agent_facts(name) for name in agents()])

    @app.get("/api/schemas")
    async def message_schemas() -> Data:
        """A JSON Schema for each message of the websockets."""
        return schemas()

    @app.get("/api/metrics", response_class=Response)
    async def metrics(request: Request) -> Response:
        """Figures for Prometheus."""
        return Response(hall(request).metrics.text(), media_type="text/plain; version=0.0.4")


def all_games() -> list[Data]:
    """The games that can be named here, as plain data."""
    return [game_facts(name) for name in [*games(), *offered()]]


@cache
def game_facts(name: str) -> Data:
    """A game as plain data."""
    game = load(name, trusted=False)
    return {
        "name": name,
        "seats": game.seats,
        "summary": game.summary,
        "help": game.help,
        "lower_is_better": game.lower_is_better,
        "opponent": game.opponent,
        "options": [option_facts(option) for option in game.options.values()],
    }


def agent_facts(name: str) -> Data:
    """An agent as plain data."""
    kind = agent_class(name, trusted=False)
    return {
        "name": name,
        "summary": kind.summary,
        "sees_all": kind.sees_all,
        "plays": games_of(name),
        "options": [option_facts(option) for option in kind.declared],
    }


def games_of(name: str) -> list[str]:
    """The games, of those that can be named here, whose answers suffice for an agent; empty: all."""
    player = agent(name, trusted=False)
    if not player.asks:
        return list(player.plays)
    here = {game: load(game, trusted=False).rules.own for game in [*games(), *offered()]}
    return [game for game, own in here.items() if game in (player.plays or here) and own.issuperset(player.asks)]


# --- Tables -----------------------------------------------------------------------------------------------------------


def add_tables(app: FastAPI) -> None:
    """Tables: made, seen, joined, played at."""

    @app.post("/api/tables", status_code=201, response_model=wire.TableFacts)
    async def new_table(request: Request, wish: wire.NewTable) -> Data:
        """A new table."""
        return (await hall(request).new_table(wish)).facts()

    @app.get("/api/tables", response_model=list[wire.TableFacts])
    async def list_tables(request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 200) -> list[Data]:
        """The newest tables: those that are not over first, then some that are."""
        here = hall(request)
        shown = [*reversed(here.tables.values()), *reversed(here.finished.values())]
        return [table.facts() for table in shown[:limit]]

    @app.get("/api/tables/{id}", response_model=wire.TableFacts)
    async def one_table(request: Request, id: Id) -> Data:
        """What everybody may know of a table."""
        return (await hall(request).find(id)).facts()

    @app.post("/api/tables/{id}/seats", status_code=201, response_model=wire.SeatTaken)
    async def take_seat(request: Request, id: Id, sitting: wire.Sitting) -> Data:
        """Take an open seat; play begins when all are taken."""
        table = await hall(request).find(id)
        seat, token = await table.sit(checked_name(sitting.name), sitting.seat)
        return {"seat": seat, "token": token}

    @app.get("/api/tables/{id}/view", response_model=wire.ViewFacts)
    async def view(request: Request, id: Id) -> Data:
        """What the seat of the token sees, or a spectator."""
        table = await hall(request).find(id)
        token = token_of(request)
        if token is None:
            hall(request).check_watching(table)
        return table.view(SPECTATOR if token is None else table.seat_of(token))

    @app.post("/api/tables/{id}/moves", response_model=wire.Moved)
    async def play(request: Request, id: Id, move: wire.Move) -> Data:
        """Play an action."""
        table = await hall(request).find(id)
        return {"moves": await table.move(table.seat_of(token_of(request)), move.action, move.moves)}

    @app.post("/api/tables/{id}/hint", response_model=HintFacts)
    async def hint(request: Request, id: Id, wish: wire.HintWish | None = None) -> Data:
        """What the game's best player would do in the seat of the token."""
        table = await hall(request).find(id)
        return await table.hint(table.seat_of(token_of(request)), (wish or wire.HintWish()).seconds)

    @app.post("/api/tables/{id}/rematch", status_code=201, response_model=wire.TableFacts)
    async def rematch(request: Request, id: Id) -> Data:
        """A new table for the same players, whose tokens are good there too."""
        here = hall(request)
        return (await here.rematch(await here.find(id), token_of(request))).facts()

    @app.websocket("/api/tables/{id}/live")
    async def live(socket: WebSocket, id: str) -> None:
        """Events of a table, and actions of a seat."""
        await table_socket(socket, id, hall(socket))


# --- Competitions -----------------------------------------------------------------------------------------------------


def add_competitions(app: FastAPI) -> None:
    """Competitions: made, entered, watched."""

    @app.post("/api/competitions", status_code=201, response_model=wire.CompetitionFacts)
    async def new_competition(request: Request, wish: wire.NewCompetition) -> Data:
        """A new competition; it begins when no place is open."""
        check_admin(request)
        return await (await competitions(request).new(wish)).facts()

    @app.post("/api/competitions/cost", response_model=wire.CompetitionCost)
    async def competition_cost(request: Request, wish: wire.NewCompetition) -> Data:
        """How many games a competition would have; what cannot be played is refused as it would be."""
        check_admin(request)
        return await competitions(request).cost(wish)

    @app.get("/api/competitions", response_model=list[wire.CompetitionSummary])
    async def list_competitions(request: Request) -> list[Data]:
        """All competitions, the newest first."""
        return [one.summary() for one in reversed(competitions(request).by_id.values())]

    @app.get("/api/competitions/{id}", response_model=wire.CompetitionFacts)
    async def one_competition(request: Request, id: Id) -> Data:
        """A competition with its standings."""
        return await competitions(request).find(id).facts()

    @app.post("/api/competitions/{id}/entrants", status_code=201, response_model=wire.Entered)
    async def enter(request: Request, id: Id, entering: wire.Entering) -> Data:
        """Take an open place; the token is good for all games."""
        name = checked_name(entering.name)
        return {"name": name, "token": await competitions(request).find(id).enter(name, entering.at_once)}

    @app.websocket("/api/competitions/{id}/live")
    async def live_competition(socket: WebSocket, id: str) -> None:
        """All games of an entrant over one socket."""
        await competition_socket(socket, id, hall(socket), competitions(socket))


# --- Records ----------------------------------------------------------------------------------------------------------


def add_records(app: FastAPI) -> None:
    """Finished games of the store."""

    @app.get("/api/records", response_model=list[wire.RecordSummary])
    async def list_records(
        request: Request,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        before: Annotated[int | None, Query(ge=1, lt=1 << 31)] = None,
        game: Annotated[str | None, Query(max_length=300, pattern=r"^[^\x00]*$")] = None,
        run: Annotated[str | None, Query(max_length=1000, pattern=r"^[^\x00]*$")] = None,
    ) -> list[Data]:
        """The finished games, the newest first; `before` is the id to go on from."""
        here = hall(request)
        found: list[Data] = await here.read(records.newest, here.store.engine, limit, before, game, run)
        closed = competitions(request).closed_runs()
        return [{**one, "deal": None, "seating": None} if one["run"] in closed else one for one in found]

    @app.get("/api/records/{id}")
    async def one_record(request: Request, id: Annotated[int, InPath(ge=1, lt=1 << 31)]) -> Data:
        """A finished game as a record; not while its deal may still be played in a competition."""
        data: Data = json.loads((await open_record(request, id)).to_json())
        return data

    @app.post("/api/records", status_code=201, response_model=wire.Imported)
    async def import_records(request: Request) -> Data:
        """Store records, one a line; they are checked, and load no files when they are replayed."""
        check_admin(request)
        body = (await request.body()).decode("utf-8", "replace")
        here = hall(request)
        counts: Data = await here.read(records.import_lines, here.store, body)
        return counts
