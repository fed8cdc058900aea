"""Tokens: random, 256 bits, and only their hashes are kept."""

import hashlib
import hmac
import secrets

ID_BYTES = 9  # of an id, which is public
TOKEN_BYTES = 32


def new_id() -> str:
    """An id that tells nothing, not even how many there were before."""
    while (text := secrets.token_urlsafe(ID_BYTES)).startswith("-"):  # would look like an option of a command
        pass
    return text


def new_token() -> str:
    """A token for one seat, one entrant or the administrator."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """What is stored of a token; a slow hash would add nothing to 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()


def fits(token: str, stored: str | None) -> bool:
    """Whether a token is the one with this hash; takes the same time whatever the token."""
    return stored is not None and hmac.compare_digest(hash_of(token), stored)


def new_seed() -> int:
    """The seed of a game that nobody can guess, small enough for every database."""
    return secrets.randbits(62)
