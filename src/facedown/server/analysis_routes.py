"""The addresses of what looks at finished games and positions."""

import asyncio

from fastapi import FastAPI, Request, WebSocket

from facedown.server import wire_analysis as wire
from facedown.server.asking import Id, analyses, check_admin, hall
from facedown.server.messages import Data
from facedown.server.refusals import Refusal
from facedown.server.sockets import analysis_socket
from facedown.server.sources import wished_record
from facedown.server.steps import steps_of_position, steps_of_record


def add_steps(app: FastAPI) -> None:
    """Games position by position."""

    @app.post("/api/steps", response_model=wire.StepsFacts)
    async def steps(request: Request, wish: wire.StepsWish) -> Data:
        """All positions of a record, or the one of a text: with all cards open, or as a seat or a spectator sees them."""
        record = await wished_record(request, wish.record)
        if record is not None:
            game = await hall(request).game(record.game)
            return await asyncio.to_thread(steps_of_record, game, record, wish.seat)
        if wish.game is None or wish.position is None:
            raise Refusal(422, "bad_request", "expected a record, or a game and a position, got neither")
        game = await hall(request).game(wish.game)
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
