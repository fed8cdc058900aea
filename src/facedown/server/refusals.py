"""What the server refuses: a status, a code for programs, and a message for people."""

from typing import Any

from facedown.errors import FacedownError, plain_line

NOT_STORED = 503  # the status of what is refused because of the store


class Refusal(Exception):
    """A request that is not carried out; nothing has changed."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = plain_line(message)
        self.table: str | None = None  # where it was, on a socket of several tables
        self.entry: int | None = None  # where it was, in a list of entries

    def to_dict(self) -> dict[str, Any]:
        """The body of the answer."""
        place = {} if self.entry is None else {"entry": self.entry}
        return {"error": {"code": self.code, "message": self.message, **place}}

    def to_event(self) -> dict[str, Any]:
        """The same as an event of a socket."""
        place = {} if self.table is None else {"table": self.table}
        return {"event": "error", "code": self.code, "message": self.message, **place}


def refused(error: FacedownError) -> Refusal:
    """What somebody has sent that the library refuses."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in type(error).__name__)
    return Refusal(422, words.strip("_"), str(error))


def no_token() -> Refusal:
    """A request without a token."""
    return Refusal(401, "unauthorized", "expected a token as `Authorization: Bearer ...`, got none")


def wrong_token() -> Refusal:
    """A request with a token that is not good for this."""
    return Refusal(403, "forbidden", "expected a token that is good for this, got another")


def unknown(kind: str, id: str) -> Refusal:
    """Something that is not there."""
    return Refusal(404, "not_found", f"expected the id of a {kind}, got {id[:40]!r}")


def not_stored(reason: str) -> Refusal:
    """A change that could not be stored, and so was not made."""
    return Refusal(NOT_STORED, "not_stored", f"nothing was changed, please try again: {reason}")
