"""The progress of work that takes several tournaments."""

from dataclasses import dataclass


@dataclass(frozen=True)
class WorkProgress:
    """What is being done, and how much of it is done."""

    doing: str
    done: int  # with what was done before
    total: int
    new: int  # done now
    seconds: float
    best: str = ""  # so far, in words
    unit: str = "games"  # what is counted

    @property
    def left(self) -> float | None:
        """Estimated seconds to the end; None before the first game."""
        return (self.total - self.done) * self.seconds / self.new if self.new else None
