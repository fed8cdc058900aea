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
