"""What clients send and get who look at finished games and positions, as types."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from facedown.server.wire import Body, Count, OutcomeFacts, Seed, Text

MOST_MOMENTS = 2000

RecordWish = Annotated[int, Field(ge=1, lt=1 << 31)] | dict[str, Any]  # its id in the store, or the record itself
PositionText = Annotated[str, Field(min_length=1, max_length=4000)]


class StepsWish(Body):
    """A game to be seen position by position: as a seat sees it, as a spectator (-1), or with all cards open (null)."""

    record: RecordWish | None = None
    game: Text | None = None
    position: PositionText | None = None
    seat: Annotated[int, Field(ge=-1, lt=64)] | None = None


class NewAnalysis(Body):
    """What to look at: a record, by its id or whole, or a position of a game; and who is asked."""

    record: RecordWish | None = None
    game: Text | None = None
    position: PositionText | None = None
    agent: Text = "best:iterations=1000"  # or "recorded": who made each decision, with its own seed
    seed: Seed = 0
    depth: Annotated[int, Field(ge=0, le=4)] = 0
    hindsight: bool = False
    moves: Annotated[list[Count], Field(max_length=MOST_MOMENTS)] | None = None


# --- Answers ----------------------------------------------------------------------------------------------------------


class PlayedFacts(BaseModel):
    """An action as the viewer saw it."""

    seat: int
    action: str


class StepFacts(BaseModel):
    """A position of a game; `choice` is null where the viewer cannot know whether there was one."""

    moves: int
    to_move: int | None
    played: PlayedFacts | None
    choice: bool | None
    deal: int
    table: dict[str, Any]
    position: str | None


class StepsFacts(BaseModel):
    """A game position by position; `steps[n]` is after n actions."""

    game: str
    agents: list[str]
    names: list[str]
    seed: int | None
    scores: list[float]
    lower_is_better: bool
    outcome: OutcomeFacts | None
    ending: str | None
    steps: list[StepFacts]


class MeasureFacts(BaseModel):
    """How a mean reward reads in the game's own units: zero + scale * mean."""

    unit: Literal["win", "lead", "score", "reward"]
    scale: float
    zero: float
    name: str


Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]


class HindsightFacts(BaseModel):
    """What was best with all cards open, by exact solution or by UCT."""

    best: str
    value: float
    regret: float | None
    regret_half: float
    grade: Grade | None
    exact: bool


class DecisionFacts(BaseModel):
    """What an agent thinks of one decision; means, values and regrets are rewards, which `measure` reads."""

    moves: int
    deal: int
    seat: int
    played: str | None
    value: float | None
    regret: float | None
    regret_half: float
    grade: Grade | None
    agreed: bool
    identical: bool | None
    hindsight: HindsightFacts | None
    decision: dict[str, Any]


class PlayerFacts(BaseModel):
    """How a player did: result = expected + luck - regret."""

    seat: int
    name: str
    decisions: int
    priced: int
    regret: float
    regret_half: float
    hindsight_regret: float | None
    accuracy: float | None
    agreed: int
    expected: float | None
    result: float | None
    luck: float | None


class AnalysisFacts(BaseModel):
    """What an agent thinks of each decision, as far as it is known; the players when all is."""

    id: str
    game: str
    agent: str
    seed: int
    status: Literal["running", "done", "failed"]
    failure: str | None
    done: int
    total: int
    measure: MeasureFacts
    players: list[PlayerFacts] | None
    decisions: list[DecisionFacts]
