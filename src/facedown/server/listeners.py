"""Who is told what happens at a table: each socket has a queue of its own, so that a slow one holds up nobody."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

MOST_WAITING = 512  # messages that a slow client may be behind before it is cut off

TOO_SLOW = 1013  # the close code for "try again later"
GOING_AWAY = 1012  # for a server that restarts


class Listener:
    """One connected client: messages to it are queued, and sent as fast as it takes them."""

    def __init__(self, send: Callable[[str], Awaitable[None]], *, views: bool = False) -> None:
        """`views`: whether it wants its whole view after each action."""
        self.views = views
        self.closing: int | None = None  # the code to close with, once that has been decided
        self._send = send
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()
        self._delivering: asyncio.Task[object] | None = None

    def tell(self, message: str) -> None:
        """Queue a message; a client that is too far behind is cut off, and may come again and catch up."""
        if self.closing is None:
            self._waiting.append(message)
            if len(self._waiting) > MOST_WAITING:
                self.close(TOO_SLOW)
            self._news.set()

    def close(self, code: int = GOING_AWAY) -> None:
        """Send nothing more than what is queued, or nothing at all to one that is too slow."""
        if self.closing is None:
            self.closing = code
            if code == TOO_SLOW:
                self._waiting.clear()
                if self._delivering is not None:
                    self._delivering.cancel()  # it waits for a client that may never read again
            self._news.set()

    async def deliver(self) -> int:
        """Send what is queued, as it comes; returns the close code in the end."""
        self._delivering = asyncio.current_task()
        try:
            return await self._deliver()
        except asyncio.CancelledError:
            if self.closing == TOO_SLOW:
                return TOO_SLOW
            raise

    async def _deliver(self) -> int:
        while True:
            while self._waiting:
                await self._send(self._waiting.popleft())
            if self.closing is not None:
                return self.closing
            self._news.clear()
            await self._news.wait()
