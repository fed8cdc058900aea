"""One thread at a time: an agent refuses a second thread while it chooses, since it has only one `decision`."""

from collections.abc import Callable
from functools import wraps
from threading import Lock, get_ident
from typing import Any

from facedown.errors import FacedownError

_lock = Lock()


def one_thread_at_a_time(choose: Callable[..., int]) -> Callable[..., int]:
    """The same method, which refuses other threads while one is inside; that one may call it again through `super`."""

    @wraps(choose)
    def asked(self: Any, *position: Any, **named: Any) -> int:
        thread = get_ident()
        with _lock:
            inside = vars(self).get("_asked_by")
            if inside not in (None, thread):
                raise FacedownError(
                    f"expected one thread at a time to ask {self.name}, got a second one: make an agent for each"
                )
            self._asked_by = thread
        try:
            return choose(self, *position, **named)
        finally:
            self._asked_by = inside

    return asked
