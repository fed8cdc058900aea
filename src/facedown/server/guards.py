"""What stands before every request: where it comes from, how large it is and how many there are; and headers of answers.

Written by hand as one ASGI layer: Starlette has pieces of it, but none that also sees websockets and sizes.
"""

import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult, urlsplit

from starlette.requests import ClientDisconnect

from facedown.server.refusals import Refusal

LARGEST_BODY = 64 << 10  # bytes
LARGEST_IMPORT = 8 << 20  # of records
LARGEST_RECORD = 1 << 20  # of one, with what searches thought
MOST_ADDRESSES = 10_000  # whose rates are remembered
IMPORTS = "/api/records"
WITH_RECORD = ("/api/steps", "/api/analyses", "/api/beliefs", "/api/trees")  # whose body may have one in it
LOCAL_NAMES = ("localhost",)

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
DOCS_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'").replace(
    "style-src 'self'", "style-src 'self' 'unsafe-inline'"
)  # the page of the OpenAPI document starts itself by a script inside it
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def address_of(text: str) -> SplitResult:
    """An address by parts; one that is none has none."""
    try:
        return urlsplit(text)
    except ValueError:
        return urlsplit("")


class Rates:
    """How many requests each address may send: so many a second, and some more at once."""

    def __init__(self, rate: float, burst: float = 4.0) -> None:
        """A rate of 0 is no limit; `burst` seconds' worth may come at once."""
        self.rate = rate
        self.most = rate * burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether one more is allowed now."""
        if not self.rate:
            return True
        now = time.monotonic()
        left, then = self._left.pop(address, (self.most, now))
        left = min(self.most, left + (now - then) * self.rate)
        self._left[address] = (left - 1.0 if left >= 1.0 else left, now)
        while len(self._left) > MOST_ADDRESSES:
            self._left.popitem(last=False)
        return left >= 1.0


class Guards:
    """One layer around the application."""

    def __init__(self, app: Any, *, loopback: bool, origins: tuple[str, ...] = (), rate: float = 0.0) -> None:
        """On loopback only names of this machine are taken for it, so that no page elsewhere can pass for one of ours."""
        self.app = app
        self.loopback = loopback
        self.origins = origins
        self.rates = Rates(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {key: value.decode("latin-1") for key, value in scope["headers"]}
        try:
            self.check(scope, headers)
        except Refusal as refusal:
            await refuse(scope, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        limited = Body(receive, largest_body(scope))
        with suppress(ClientDisconnect):  # while it sent its body, or we have stopped reading it
            await self.app(scope, limited.receive, limited.unless_too_large(with_headers(send, scope["path"])))
        if limited.too_large:
            await refuse(scope, receive, send, too_large(scope, "more"))

    def check(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """Refuse a request by its headers."""
        host, origin = headers.get(b"host", ""), headers.get(b"origin")
        name = address_of(f"//{host}").hostname or ""
        if self.loopback and not (is_loopback(name) or name in LOCAL_NAMES):
            raise Refusal(421, "wrong_host", f"expected a request for this machine, got one for {name[:60]!r}")
        changes = scope["type"] == "websocket" or scope.get("method") not in ("GET", "HEAD", "OPTIONS")
        if changes and origin is not None and address_of(origin).netloc != host and origin not in self.origins:
            raise Refusal(403, "wrong_origin", f"expected a page of this server, got one of {origin[:60]!r}")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > largest_body(scope):
            raise too_large(scope, length[:20])
        if not self.rates.allows(scope["client"][0] if scope.get("client") else ""):
            raise Refusal(429, "too_many_requests", f"expected at most {self.rates.rate:g} requests a second, got more")


def largest_body(scope: Scope) -> int:
    """How large a body may be."""
    if scope["path"] in WITH_RECORD:
        return LARGEST_RECORD
    return LARGEST_IMPORT if scope["path"] == IMPORTS else LARGEST_BODY


def too_large(scope: Scope, got: str) -> Refusal:
    """A body that is larger than allowed."""
    return Refusal(413, "too_large", f"expected at most {largest_body(scope)} bytes, got {got}")


class Body:
    """A body that ends the request when it is larger than it said."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most

    @property
    def too_large(self) -> bool:
        """Whether more has come than is allowed."""
        return self._left < 0

    async def receive(self) -> dict[str, Any]:
        """The next part."""
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return {"type": "http.disconnect"} if self.too_large else message

    def unless_too_large(self, send: Send) -> Send:
        """Send what the application answers, unless it was cut off."""

        async def sending(message: dict[str, Any]) -> None:
            if not self.too_large:
                await send(message)

        return sending


def with_headers(send: Send, path: str) -> Send:
    """Add our headers to the answer."""
    policy = (DOCS_POLICY if path in ("/docs", "/redoc") else POLICY).encode()

    async def sending(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            given = message.get("headers", ())
            own = [*HEADERS]
            if not any(name.lower() == b"content-security-policy" for name, _ in given):  # a stricter one of its own
                own.append((b"content-security-policy", policy))
            if path.startswith("/api"):
                own.append((b"cache-control", b"no-store"))
            message = {**message, "headers": [*given, *own]}
        await send(message)

    return sending


async def refuse(scope: Scope, receive: Receive, send: Send, refusal: Refusal) -> None:
    """Answer with a refusal; a socket is closed before it is accepted."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.code})
        return
    body = json.dumps(refusal.to_dict()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
