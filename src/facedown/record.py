"""A finished game as data: enough to play it again."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from facedown.errors import BadText
from facedown.game import State
from facedown.games import load

FORMAT = 1


@dataclass(frozen=True)
class GameRecord:
    """Who played what, from which seed, and how it ended."""

    game: str  # the text that loads it, options and all
    version: int  # of the rules
    seed: int
    agents: list[str]
    history: list[tuple[int, int]]  # (seat, action)
    actions: list[str]  # the same as text
    scores: list[float]

    @classmethod
    def of(cls, state: State, agents: Sequence[str]) -> "GameRecord":
        """The record of a state as far as it has been played."""
        history = state.history
        return cls(
            game=state.game.full_name,
            version=state.game.version,
            seed=state.seed,
            agents=list(agents),
            history=history,
            actions=[state.game.text(action) for _, action in history],
            scores=state.scores,
        )

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps({"format": FORMAT, **asdict(self)})

    @classmethod
    def from_json(cls, line: str) -> "GameRecord":
        """A record from its line."""
        try:
            data: dict[str, Any] = json.loads(line)
            if data.pop("format") != FORMAT:
                raise ValueError("another format")
            data["history"] = [(int(seat), int(action)) for seat, action in data["history"]]
            return cls(**data)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadText(f"expected a game record of format {FORMAT}, got {str(line)[:60]!r}: {error}") from None

    def replay(self) -> State:
        """The game played again, action by action, to its end."""
        game = load(self.game)
        if game.version != self.version:
            raise BadText(f"expected a record of {game.name}'s rules version {game.version}, got version {self.version}")
        state = game.deal(self.seed)
        for seat, action in self.history:
            if state.seat != seat:
                raise BadText(f"expected seat {state.seat} to move, got an action of seat {seat} in the record")
            state.play(action)
        return state
