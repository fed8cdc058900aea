"""The addresses of runs. A run's name may have any letters, also those that part an address: it is one part, encoded."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse

from facedown.server import runs, wire
from facedown.server.asking import competitions, hall
from facedown.server.messages import Data
from facedown.server.refusals import Refusal
from facedown.server.runs import Results, disposition

RunName = Annotated[str, InPath(min_length=1, max_length=1000)]
DOWNLOADS = {"games.csv": "text/csv", "games.jsonl": "application/x-ndjson", "report.html": "text/html"}


def add_runs(app: FastAPI) -> None:
    """Runs of the store: listed, shown, downloaded."""
    results = Results()
    counting = asyncio.Lock()  # one large run at a time

    async def counted(request: Request, question: Callable[..., Any], name: str) -> Any:
        async with counting:
            return await hall(request).read(question, hall(request), results, name)

    async def shown(request: Request, name: str) -> Data:
        await check_open(request, name)
        found: Data = await counted(request, runs.facts, name)
        return found

    async def download(request: Request, name: str, ending: str) -> Response:
        if not request.scope["raw_path"].endswith(f"/{ending}".encode()):  # the name of a run itself ends like this
            return JSONResponse(await shown(request, f"{name}/{ending}"))
        await check_open(request, name)
        how = "inline" if ending == "report.html" else "attachment"
        headers = {"content-disposition": disposition(how, name, f".{ending}")}
        kind = f"{DOWNLOADS[ending]}; charset=utf-8"
        if ending == "games.jsonl":
            return StreamingResponse(runs.lines(hall(request), name), media_type=kind, headers=headers)
        if ending == "report.html":
            headers["content-security-policy"] = runs.REPORT_POLICY
        text = await counted(request, runs.csv if ending == "games.csv" else runs.report, name)
        return Response(text, media_type=kind, headers=headers)

    @app.get("/api/runs", response_model=list[wire.RunSummary])
    async def list_runs(request: Request, limit: Annotated[int, Query(ge=1, le=10_000)] = 1000) -> list[Data]:
        """The runs of the store, the newest first."""
        found: list[Data] = await hall(request).read(runs.newest, hall(request), limit, runs_over(request))
        return found

    def add_download(ending: str, what: str) -> None:
        @app.get(
            f"/api/runs/{{name:path}}/{ending}",
            response_class=PlainTextResponse,
            responses={200: {"content": {DOWNLOADS[ending]: {"schema": {"type": "string"}}}, "description": what}},
            name=f"run_{ending.replace('.', '_')}",
            description=what,
        )
        async def one_download(request: Request, name: RunName) -> Response:
            return await download(request, name, ending)

    add_download("games.csv", "The games of a run as comma-separated values, a row for each seat.")
    add_download("games.jsonl", "The records of a run, one a line, as `facedown export` writes them.")
    add_download("report.html", "The report of a run, with plots, as `facedown tournament --html` writes it.")

    @app.get("/api/runs/{name:path}", response_model=wire.RunFacts)
    async def one_run(request: Request, name: RunName) -> Data:
        """A run with its standings, comparisons and forfeits, and what its report plots."""
        return await shown(request, name)


def runs_over(request: Request) -> set[str]:
    """The runs of competitions that are over."""
    return competitions(request).open_runs()


async def check_open(request: Request, name: str) -> None:
    """Refuse a run that is not there, and one whose deals others may still play."""
    found: Data = await hall(request).read(runs.by_name, hall(request), name, runs_over(request))
    if found["closed"]:
        raise Refusal(403, "not_yet", "expected a competition that is over: others may still play the same deals")
