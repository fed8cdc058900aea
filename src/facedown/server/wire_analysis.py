"""What clients send and get who look at finished games and positions, as types."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from facedown.server.wire import Body, Count, OutcomeFacts, SeatNumber, Seed, Text

MOST_MOMENTS = 2000

RecordWish = Annotated[int, Field(ge=1, lt=1 << 31)] | dict[str, Any]  # its id in the store, or the record itself
PositionText = Annotated[str, Field(min_length=1, max_length=4000)]

StartFact = (
    Annotated[str, Field(max_length=60)]
    | int
    | Annotated[list[int | Annotated[str, Field(max_length=60)]], Field(max_length=16)]
)


class StepsWish(Body):
    """A game to be seen position by position: as a seat sees it, as a spectator (-1), or with all cards open (null)."""

    record: RecordWish | None = None
    game: Text | None = None
    position: PositionText | None = None
    seat: Annotated[int, Field(ge=-1, lt=64)] | None = None


class ToldGame(Body):
    """A game played elsewhere, as one seat saw it: its hand, and then actions and cards in the order they were seen.

    `start` has what else is seen of the deal, by the names of facts.
    """

    game: Text | None = None
    seat: SeatNumber | None = None
    hand: Annotated[list[Text], Field(max_length=64)] | None = None
    entries: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=1000)] | None = None
    start: Annotated[dict[Annotated[str, Field(max_length=40)], StartFact], Field(max_length=16)] | None = None


class Source(ToldGame):
    """Whose view of what: of a record, of a table (the seat of the request's token), of a position, or of a told game."""

    record: RecordWish | None = None
    moves: Count | None = None  # actions of the record before; all of them by default
    table: Annotated[str, Field(max_length=40, pattern="^[A-Za-z0-9_-]+$")] | None = None
    position: PositionText | None = None


class BeliefsWish(Source):
    """A view whose unseen cards are asked about; `policy` adds what the plays so far suggest."""

    inference: Literal["none", "policy"] = "none"


class NewTree(Source):
    """A view to be searched, and by whom."""

    agent: Text = "best:seconds=1"
    seed: Seed = 0


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


class BeliefsFacts(BaseModel):
    """For each unseen card how likely each seat holds it; what is missing to 1 lies in no hand."""

    worlds: str  # a whole number, too large for many readers of JSON
    seats: int
    seat: int
    cards: dict[str, list[float]]
    inferred: dict[str, list[float]] | None


class NodeFacts(BaseModel):
    """An action in a tree, and the node that it leads to; `mean` is the reward of the seat that chooses it."""

    node: int
    text: str | None
    seat: int | None
    visits: int
    available: int
    mean: float | None
    share: float
    children: int
    again: bool
    on_line: bool


class ChildrenFacts(BaseModel):
    """Some of the children of a node, the most visited first, and how many come after these."""

    node: int
    children: list[NodeFacts]
    more: int


class TreeFacts(BaseModel):
    """A tree that was grown; `nodes` are those of the search, of which `kept` can be asked for."""

    id: str
    agent: str
    seed: int
    seat: int
    nodes: int
    kept: int
    iterations: int
    root: NodeFacts
    line: list[str]
    measure: MeasureFacts
    decision: dict[str, Any]


class ReasonFacts(BaseModel):
    """In words: what is expected of the best action, why it is better than the next one, and what that would cost."""

    best: str
    next: str | None
    cost: str | None


class HintFacts(BaseModel):
    """What the game's best player would do, why, and how likely some risks are after each of the best actions."""

    action: str
    actions: list[str]
    decision: dict[str, Any]
    measure: MeasureFacts
    reasons: ReasonFacts
    risks: dict[str, dict[str, float]]
