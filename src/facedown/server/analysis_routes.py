"""The addresses of what looks at finished games and positions."""

import asyncio
from contextlib import nullcontext
from typing import Annotated

from fastapi import FastAPI, Query, Request, WebSocket

from facedown.server import wire_analysis as wire
from facedown.server.asking import Id, analyses, check_admin, hall, trees
from facedown.server.beliefs import BeliefsQuestion
from facedown.server.messages import Data
from facedown.server.refusals import Refusal
from facedown.server.rooms import Room
from facedown.server.sockets import analysis_socket
from facedown.server.sources import sight, wished_record
from facedown.server.steps import steps_of_position, steps_of_record
from facedown.server.thinking import AgentFailed, Shown

MOST_STEPS_ASKED = 8  # by one address at once: those of a long match take seconds
MOST_BELIEFS_ASKED = 4  # of one table at once


def add_steps(app: FastAPI) -> None:
    """Games position by position."""
    room = Room("games to be shown", MOST_STEPS_ASKED)
    drawing = asyncio.Semaphore(2)  # the other threads are for the store

    @app.post("/api/steps", response_model=wire.StepsFacts)
    async def steps(request: Request, wish: wire.StepsWish) -> Data:
        """All positions of a record, or the one of a text: with all cards open, or as a seat or a spectator sees them."""
        with room.place(request.client.host if request.client else ""):
            record = await wished_record(request, wish.record)
            if record is not None:
                game = await hall(request).game(record.game)
                async with drawing:
                    return await asyncio.to_thread(steps_of_record, game, record, wish.seat)
            if wish.game is None or wish.position is None:
                raise Refusal(422, "bad_request", "expected a record, or a game and a position, got neither")
            game = await hall(request).game(wish.game)
            async with drawing:
                return await asyncio.to_thread(steps_of_position, game, wish.position, wish.seat)


def add_analyses(app: FastAPI) -> None:
    """What agents think of finished games and positions."""

    @app.post("/api/analyses", status_code=201, response_model=wire.AnalysisFacts)
    async def new_analysis(request: Request, wish: wire.NewAnalysis) -> Data:
        """Ask an agent about every decision of a record, or about a position."""
        check_admin(request)
        return (await analyses(request).new(wish, await wished_record(request, wish.record))).facts()

    @app.get("/api/analyses/{id}", response_model=wire.AnalysisFacts)
    async def one_analysis(request: Request, id: Id) -> Data:
        """What is known so far."""
        return analyses(request).find(id).facts()

    @app.websocket("/api/analyses/{id}/live")
    async def live_analysis(socket: WebSocket, id: str) -> None:
        """Decisions as they are found."""
        await analysis_socket(socket, id, hall(socket), analyses(socket))


def add_beliefs(app: FastAPI) -> None:
    """Where unseen cards may lie."""
    room = Room("questions of a table", MOST_BELIEFS_ASKED)

    @app.post("/api/beliefs", response_model=wire.BeliefsFacts)
    async def beliefs(request: Request, wish: wire.BeliefsWish) -> Data:
        """For each unseen card of a view how likely each seat is to hold it, and how many worlds are possible."""
        found = await sight(request, wish)
        question = BeliefsQuestion(Shown.of(found.view), wish.inference == "policy")
        try:
            with nullcontext() if found.table is None else room.place(found.table):
                return await hall(request).thinkers.ask(found.table or "beliefs", question)
        except AgentFailed as error:
            raise Refusal(422, "no_beliefs", str(error)) from None


def add_trees(app: FastAPI) -> None:
    """Search trees."""

    @app.post("/api/trees", status_code=201, response_model=wire.TreeFacts)
    async def new_tree(request: Request, wish: wire.NewTree) -> Data:
        """Search a view, and keep the whole tree for some time."""
        return await trees(request).grow(await sight(request, wish), wish)

    @app.get("/api/trees/{id}", response_model=wire.ChildrenFacts)
    async def children(
        request: Request,
        id: Id,
        node: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
        start: Annotated[int, Query(ge=0, lt=1 << 31)] = 0,
        limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    ) -> Data:
        """Some of the children of a node, the most visited first."""
        return trees(request).children(id, node, start, limit)
