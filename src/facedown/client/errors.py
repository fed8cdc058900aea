"""What a client is told instead of an answer."""

from facedown.errors import FacedownError


class ServerRefused(FacedownError):
    """The server refuses: a code for programs, a message for people, and the status of HTTP where there is one."""

    def __init__(self, code: str, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status


class ServerUnreachable(FacedownError):
    """Nobody answers, or somebody who is no arena server."""


def reason(error: Exception) -> str:
    """Why nobody could be reached, in words."""
    name = type(error).__name__  # of httpx, websockets or Python
    if "Timeout" in name:
        return "no answer in time"
    if name in ("ConnectError", "ConnectionRefusedError"):
        return "nobody who answers"
    words = " ".join(str(error).split())
    return f"a connection that fails: {words}" if words else "a connection that fails"
