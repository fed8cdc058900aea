"""Who sits at a table: a built-in agent, somebody with a token, or nobody yet."""

from dataclasses import asdict, dataclass
from typing import Any

from facedown.server.tokens import fits, hash_of, new_token

AGENT, REMOTE, OPEN = "agent", "remote", "open"


@dataclass
class Seat:
    """One seat."""

    kind: str = OPEN
    name: str = ""
    agent: str | None = None  # the text of a built-in agent
    agent_seed: int = 0
    token_hash: str | None = None

    def take(self, name: str) -> str:
        """Let somebody sit here; returns the token, which is nowhere else."""
        token = new_token()
        self.kind, self.name, self.token_hash = REMOTE, name, hash_of(token)
        return token

    def belongs_to(self, token: str) -> bool:
        """Whether a token is this seat's."""
        return fits(token, self.token_hash)

    def to_dict(self) -> dict[str, Any]:
        """The seat as it is stored."""
        return asdict(self)
