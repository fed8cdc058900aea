"""A finished game on its way into a store and out of it: with its record, or only with what statistics need.

Nothing here needs SQLAlchemy: workers that play games need these types and no database.
"""

from typing import NamedTuple

from facedown.record import GameRecord


class PlayedGame(NamedTuple):
    """A finished game of a run."""

    deal: int
    seating: int
    record: GameRecord
    seconds: float | None  # that it took to play, where known
    cpu_seconds: float | None = None  # of the processor, where known


class GameResult(NamedTuple):
    """What statistics need of a game."""

    deal: int
    seating: int
    scores: tuple[float, ...]  # by seat
    forfeit: int | None = None  # seat
    reason: str | None = None  # of the forfeit
    agents: tuple[str, ...] = ()  # by seat

    @classmethod
    def of(cls, played: PlayedGame) -> "GameResult":
        """The result of a finished game."""
        record = played.record
        forfeit = record.forfeit or {}
        scores, agents = tuple(record.scores), tuple(record.agents)
        return cls(played.deal, played.seating, scores, forfeit.get("seat"), forfeit.get("reason"), agents)
