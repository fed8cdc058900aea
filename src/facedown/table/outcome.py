"""Why a game ended, as data and in words."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """The end of a game."""

    reason: str  # a few words that are the same whoever wins: "all tricks played", "moon", "100 turns"
    winners: tuple[int, ...]  # the seats with the best score; several share the win
    words: str  # a sentence, with who has won

    @property
    def cause(self) -> str:
        """The sentence without who has won."""
        return self.words.rpartition("; ")[0] or self.words


def outcome_of(reason: str, cause: str, scores: Sequence[float], lower_is_better: bool) -> Outcome:
    """An outcome from what ended the game, and the scores."""
    winners = winners_of(scores, lower_is_better)
    return Outcome(reason, winners, f"{cause}; {who_wins(winners, len(scores))}")


def winners_of(scores: Sequence[float], lower_is_better: bool) -> tuple[int, ...]:
    """The seats with the best score."""
    best = min(scores) if lower_is_better else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def who_wins(winners: Sequence[int], seats: int) -> str:
    """Who has won, in words."""
    if len(winners) == 1:
        return f"seat {winners[0]} wins"
    names = f"{', '.join(map(str, winners[:-1]))} and {winners[-1]}"
    return f"seats {names} {'share the win' if len(winners) == seats else 'win'}"
