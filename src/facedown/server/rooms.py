"""How much of something may be under way for one owner: a table, or an address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from facedown.server.refusals import Refusal


class Room:
    """Some places for each owner; what finds none is refused, so that nothing piles up."""

    def __init__(self, what: str, most: int) -> None:
        self.what = what
        self.most = most
        self._taken: Counter[str] = Counter()

    @contextmanager
    def place(self, owner: str) -> Iterator[None]:
        """A place while something is under way."""
        if self._taken[owner] >= self.most:
            raise Refusal(409, "busy", f"expected at most {self.most} {self.what} under way at once, got one more")
        self._taken[owner] += 1
        try:
            yield
        finally:
            self._taken[owner] -= 1
            if not self._taken[owner]:
                del self._taken[owner]
