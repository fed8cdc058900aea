"""How far work of several tournaments has come, for those who look on."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WorkProgress:
    """What is being done, and how far all of it has come."""

    doing: str
    done: int  # with what was there before
    total: int
    new: int  # done now
    seconds: float
    best: str = ""  # so far, in words
    unit: str = "games"  # what is counted

    @property
    def left(self) -> float | None:
        """Seconds to go, if it goes on like this; None before the first game."""
        return (self.total - self.done) * self.seconds / self.new if self.new else None
