"""The application: how it starts and ends, and how it refuses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException

import facedown
from facedown.errors import FacedownError, StoreError
from facedown.games import offer
from facedown.server import wire
from facedown.server.advice import add_advice
from facedown.server.analyses import Analyses
from facedown.server.analysis_routes import add_analyses, add_beliefs, add_steps, add_trees
from facedown.server.asking import ServerSettings, hall
from facedown.server.competitions import Competitions
from facedown.server.guards import Guards
from facedown.server.hall import Hall
from facedown.server.pages import add_pages
from facedown.server.refusals import Refusal, refused
from facedown.server.routes import add_competitions, add_facts, add_records, add_tables, all_games
from facedown.server.run_routes import add_runs
from facedown.server.sockets import first_problem
from facedown.server.thinking import Thinkers
from facedown.server.trees import Trees
from facedown.store import Store

CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "bad_request"}
PROBLEMS: dict[int | str, Any] = {"4XX": {"model": wire.Problem}, "503": {"model": wire.Problem}}


def application(settings: ServerSettings) -> FastAPI:
    """The server as an ASGI application."""
    for text in settings.games:
        offer(text)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store.open(settings.store)
        hall = app.state.hall = Hall(store, Thinkers(settings.on, settings.workers, games=settings.games), settings.caps)
        try:
            app.state.competitions, app.state.analyses = Competitions(hall), Analyses(hall)
            app.state.trees = Trees(hall)
            await hall.restore()
            await app.state.competitions.restore()
            hall.spawn(hall.forget_abandoned())
            hall.spawn(asyncio.to_thread(all_games))  # so that the first page need not wait for them
            yield
        finally:
            await hall.close()
            store.close()

    app = FastAPIOffline(
        title="facedown",
        version=facedown.__version__,
        description="Tables and competitions of card games whose cards lie face down; docs/server.md explains the protocol.",
        lifespan=lifespan,
        responses=PROBLEMS,
        redoc_url=None,
    )
    app.state.settings = settings
    app.add_middleware(Guards, loopback=settings.loopback, origins=settings.origins, rate=settings.rate)
    answer_errors(app)
    add_facts(app)
    add_tables(app)
    add_competitions(app)
    add_records(app)
    add_steps(app)
    add_runs(app)
    add_analyses(app)
    add_beliefs(app)
    add_trees(app)
    add_advice(app)
    add_pages(app)
    return app


# --- Errors -----------------------------------------------------------------------------------------------------------


def answer_errors(app: FastAPI) -> None:
    """Every refusal has the same form."""

    def answer(request: Request, refusal: Refusal) -> JSONResponse:
        hall(request).metrics.refusals.labels(refusal.code).inc()
        headers = {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else None
        return JSONResponse(refusal.to_dict(), refusal.status, headers=headers)

    @app.exception_handler(Refusal)
    async def _refusal(request: Request, error: Refusal) -> JSONResponse:
        return answer(request, error)

    @app.exception_handler(FacedownError)
    async def _library(request: Request, error: FacedownError) -> JSONResponse:
        if isinstance(error, StoreError):
            return answer(request, Refusal(503, "no_store", f"please try again: {error}"))
        return answer(request, refused(error))

    @app.exception_handler(RequestValidationError)
    async def _validation(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(request, Refusal(422, "bad_request", first_problem(error.errors())))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        code = CODES.get(error.status_code, "refused")
        return answer(request, Refusal(error.status_code, code, f"{request.method} {request.url.path}: {error.detail}"))
