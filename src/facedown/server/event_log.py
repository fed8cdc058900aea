"""The log of a server: one line an event on stderr, for people and for programs that collect logs.

Python's logging formats and flushes each line by itself, which takes as long as playing an action. Here lines are
collected and written together.
"""

import asyncio
import json
import sys
import time
from typing import Any

WRITES_EVERY = 0.1  # seconds


class EventLog:
    """Lines such as `2026-05-01T12:00:00Z move {"table": "x", "moves": 3}`; no cards and no actions are in them."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def write(self, event: str, fields: dict[str, Any]) -> None:
        """Add a line, to be written soon."""
        if not self._lines:
            asyncio.get_running_loop().call_later(WRITES_EVERY, self.flush)
        told = json.dumps(fields, ensure_ascii=False)
        self._lines.append(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {event} {told}\n")

    def flush(self) -> None:
        """Write what has been collected."""
        lines, self._lines = self._lines, []
        if lines:
            try:
                sys.stderr.write("".join(lines))
                sys.stderr.flush()
            except (OSError, ValueError):  # nobody reads the log any more
                pass
