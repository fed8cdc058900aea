"""The pages: files of the package, without a build step. A page is one more client of the public API."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).parent.parent / "web"
ASK_AGAIN = {"cache-control": "no-cache"}  # a browser keeps a file, and asks each time whether it is still the same
PAGES = {
    "/": "index",
    "/table/{id}": "table",
    "/replay": "replay",
    "/replay/{id}": "replay",
    "/position": "position",
    "/competitions": "competitions",
    "/competitions/{id}": "competition",
    "/runs": "runs",
    "/runs/{name:path}": "run",
    "/advise": "advise",
    "/advise/{game}": "advise",
}


class Assets(StaticFiles):
    """Scripts, styles and pictures."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, not older than that of the package."""
        response = await super().get_response(path, scope)
        response.headers.update(ASK_AGAIN)
        return response


def add_pages(app: FastAPI) -> None:
    """The pages, and what they load."""
    for address, name in PAGES.items():
        app.get(address, include_in_schema=False, response_class=FileResponse)(page(FOLDER / f"{name}.html"))
    app.mount("/web", GZipMiddleware(Assets(directory=FOLDER)))


def page(file: Path) -> Callable[[], Awaitable[FileResponse]]:
    """What answers with a page; the page itself reads the address."""

    async def answer() -> FileResponse:
        return FileResponse(file, headers=ASK_AGAIN)

    return answer
