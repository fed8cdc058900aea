"""What tests of the pages ask for: a server, browsers, and the API beside them.

Imports come late: every test session loads this file, and few of them need what it needs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from browsing import Visit
    from serving import ServerProcess
    from sitting import Door

OWN_GAME = Path(__file__).parents[2] / "examples" / "little_knaves.py"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator["ServerProcess"]:
    """A server with the built-in games and one of somebody's own."""
    needs.browser()
    from serving import ServerProcess

    with ServerProcess(tmp_path_factory.mktemp("site") / "store.sqlite", "--game", f"{OWN_GAME}:GAME") as running:
        yield running


@pytest.fixture
def door(site: "ServerProcess") -> Iterator["Door"]:
    """The server's API, without a browser."""
    from sitting import Door

    with Door(site.url) as opened:
        yield opened


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """A browser; not for longer than a module, since no other event loop can run meanwhile."""
    needs.browser()
    from facedown.server.browser import launched_browser

    with launched_browser() as running:
        yield running


@pytest.fixture
def visit(site: "ServerProcess", browser: "Browser") -> Iterator["Visit"]:
    """Opens browsers at a page, and closes them afterwards."""
    from browsing import Visitor

    visitors: list[Visitor] = []

    def open_browser(path: str | None = None, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, site.url, **options))
        if path is not None:
            visitors[-1].open(path)
        return visitors[-1]

    yield open_browser
    for visitor in visitors:
        visitor.close()
