"""People at browsers, for tests of the pages: real clicks and keys in a real browser, on a real server.

def test_the_lobby_says_hello(visit: Visit) -> None:
    visitor = visit("/")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Play")

A test fails if anything went wrong in a browser that it has opened: an error on the console or in a script, a request
that failed, was refused, or went to another host. What is meant to go wrong is said: `with visitor.trouble():`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, ViewportSize, WebSocket, expect

WAITS = 60_000.0  # milliseconds, on a busy machine that compiles meanwhile
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}

expect.set_options(timeout=WAITS)

Visit = Callable[..., "Visitor"]


class Visitor:
    """Somebody's browser, with seats and settings of its own, and all that it is told."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        """Cards do not move unless `reduced_motion` says so."""
        self.url = url
        self.context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce", **options})
        self.context.set_default_timeout(WAITS)
        self.problems: list[str] = []
        self.frames: list[str] = []  # that came over sockets
        self.answers: list[Response] = []  # to requests of the API
        self._expects_trouble = False
        self.page = self.new_page()

    def new_page(self) -> Page:
        """One more page of this browser."""
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self._wrong(f"error in a script: {error}"))
        page.on("request", self._asked)
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        page.on("websocket", self._connected)
        return page

    def open(self, path: str) -> Page:
        """Go to a page of the server."""
        self.page.goto(f"{self.url}{path}")
        return self.page

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """While this lasts, things may go wrong."""
        self._expects_trouble = True
        try:
            yield
        finally:
            self.page.wait_for_timeout(0)  # what was told before is heard now
            self._expects_trouble = False

    def close(self) -> None:
        """Close it, and fail if anything went wrong."""
        self.page.wait_for_timeout(0)
        self.context.close()
        assert not self.problems, "\n".join(self.problems)

    # --- What goes wrong --------------------------------------------------------------------------------------------

    def _wrong(self, words: str) -> None:
        if not self._expects_trouble:
            self.problems.append(words)

    def _said(self, message: ConsoleMessage) -> None:
        refused = message.text.startswith("Failed to load resource")  # told by its answer, too
        if message.type in ("error", "warning") and not refused:
            self._wrong(f"{message.type} on the console: {message.text} ({message.location.get('url')})")

    def _asked(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != urlsplit(self.url).netloc:
            self._wrong(f"a request to another host: {request.url}")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # by leaving the page
            self._wrong(f"{request.method} {request.url} failed: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._wrong(f"{response.request.method} {response.url} was refused: {response.status}")
        if urlsplit(response.url).path.startswith("/api/"):
            self.answers.append(response)

    def _connected(self, socket: WebSocket) -> None:
        if urlsplit(socket.url).netloc != urlsplit(self.url).netloc:
            self._wrong(f"a socket to another host: {socket.url}")
        socket.on("framereceived", lambda frame: self.frames.append(str(frame)))
        socket.on("socketerror", lambda error: self._wrong(f"the socket {socket.url} failed: {error}"))
