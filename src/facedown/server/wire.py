"""What clients send and get, as types: FastAPI checks requests against them and writes the OpenAPI document from them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST = 300  # letters of a text that names a game, an agent or an action
MOST_MOVES = 1 << 31
SMALLEST_LIMIT = 0.05  # seconds

Text = Annotated[str, Field(min_length=1, max_length=LONGEST)]
Seed = Annotated[int, Field(ge=0, lt=1 << 62)]
Limit = Annotated[float, Field(ge=SMALLEST_LIMIT, le=86_400, allow_inf_nan=False)]
SeatNumber = Annotated[int, Field(ge=0, lt=64)]
Count = Annotated[int, Field(ge=0, lt=MOST_MOVES)]


class Body(BaseModel):
    """A request's body: nothing unknown in it, and no value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewSeat(Body):
    """A seat of a new table: for an agent, or open."""

    agent: Text | None = None
    open: bool = False


class NewTable(Body):
    """A new table; all that is missing has a default, and seats that are not mentioned are the game's opponent."""

    game: Text
    seats: list[NewSeat] = Field(default_factory=list, max_length=64)
    seed: Seed | None = None
    move_seconds: Limit | None = None
    game_seconds: Limit | None = None
    name: Annotated[str, Field(max_length=80)] = ""
    hints: bool = True


class Sitting(Body):
    """Somebody who takes a seat."""

    name: Text
    seat: SeatNumber | None = None


class Move(Body):
    """An action; `moves` is how many were played before it."""

    action: Text
    moves: Count | None = None


class HintWish(Body):
    """How long to think about a hint."""

    seconds: Annotated[float, Field(gt=0, le=10, allow_inf_nan=False)] = 1.0


class Hello(Body):
    """The first message of a socket."""

    token: Text | None = None
    since: Count | None = None
    views: bool = False


class TableMove(Move):
    """An action at one of several tables."""

    table: Text


class NewEntrant(Body):
    """An entrant of a new competition: an agent, or open."""

    agent: Text | None = None
    open: bool = False


class NewCompetition(Body):
    """A new competition, as `facedown tournament` takes it."""

    game: Text
    entrants: list[NewEntrant] = Field(min_length=2, max_length=64)
    deals: Annotated[int, Field(ge=1, le=100_000)] = 20
    seed: Seed | None = None
    seating: Literal["all", "rotations"] = "all"
    pairing: Literal["round-robin", "field"] = "round-robin"
    move_seconds: Limit = 60.0
    name: Annotated[str, Field(max_length=80)] = ""


class Entering(Body):
    """Somebody who takes part in a competition."""

    name: Text
    at_once: Annotated[int, Field(ge=1, le=64)] = 1


# --- Answers ----------------------------------------------------------------------------------------------------------


class SeatFacts(BaseModel):
    """Who sits at a seat."""

    seat: int
    name: str
    kind: Literal["agent", "remote", "open"]
    connected: bool


class TableFacts(BaseModel):
    """What everybody may know of a table."""

    id: str
    game: str
    name: str
    status: Literal["waiting", "playing", "over"]
    seats: list[SeatFacts]
    to_move: int | None
    moves: int
    scores: list[float]
    move_seconds: float | None
    game_seconds: float | None
    hints: bool
    seed_chosen: bool
    spectators: int
    competition: str | None
    seed: int | None
    record: int | None
    rematch: str | None


class Tables(BaseModel):
    """The tables, the newest first."""

    tables: list[TableFacts]


class SeatTaken(BaseModel):
    """A seat and its token, which is shown this once."""

    seat: int
    token: str


class OutcomeFacts(BaseModel):
    """Why a game ended."""

    reason: str
    winners: list[int]
    words: str


class ViewFacts(BaseModel):
    """What a seat or a spectator sees."""

    seat: int | None
    to_move: int | None
    moves: int
    legal: list[str]
    facts: dict[str, Any]
    table: dict[str, Any]
    history: list[tuple[int, str]]
    over: bool
    scores: list[float]
    outcome: OutcomeFacts | None
    position: str | None


class Moved(BaseModel):
    """How many actions were played."""

    moves: int


class EntrantFacts(BaseModel):
    """Who takes part."""

    name: str
    kind: Literal["agent", "remote", "open"]
    connected: bool


class CompetitionSummary(BaseModel):
    """What everybody may know of a competition."""

    id: str
    name: str
    game: str
    status: Literal["waiting", "playing", "over"]
    entrants: list[EntrantFacts]
    deals: int
    seating: str
    pairing: str
    move_seconds: float
    games: int | None
    games_played: int
    tables: list[str]
    run: str | None
    seed: int | None


class CompetitionFacts(CompetitionSummary):
    """The same with standings and comparisons; each figure has its interval."""

    standings: list[dict[str, Any]]
    comparisons: list[dict[str, Any]]
    running: list["RunningDifference"]


class CompetitionCost(BaseModel):
    """How many games a competition would have, and in how many seatings each deal would be played."""

    games: int
    seatings: int


class Entered(BaseModel):
    """An entrant's token, which is shown this once."""

    name: str
    token: str


class RecordSummary(BaseModel):
    """A finished game."""

    id: int
    game: str
    players: list[str]
    scores: list[float]
    actions: int
    forfeit: int | None
    finished: str
    run: str | None
    deal: int | None
    seating: int | None


class RunSummary(BaseModel):
    """A tournament of the store; `closed`: a competition that is not over, whose seed and games are not told yet."""

    name: str
    game: str
    agents: list[str]
    games: int | None
    games_played: int
    created: str
    finished: str | None
    seed: str | None  # text: larger than the numbers of many JSON readers
    competition: str | None
    closed: bool


class Forfeit(BaseModel):
    """A game that an agent failed to play to the end."""

    deal: int
    seating: int
    seat: int
    agent: str
    reason: str


class RunningDifference(BaseModel):
    """The lead of one agent less that of another after so many deals, with its 95 % interval."""

    first: str
    second: str
    at: list[int]
    values: list[float]
    lows: list[float | None]
    highs: list[float | None]


class Distribution(BaseModel):
    """How many games of an agent had which score: bins of one width, and the mean."""

    agent: str
    start: float
    width: float
    counts: list[int]
    mean: float


class RunFacts(RunSummary):
    """The same with all figures; without them, `problem` says why there are none."""

    settings: dict[str, Any]
    command: str | None
    problem: str | None
    deals: int | None
    seatings: int | None
    lower_is_better: bool | None
    standings: list[dict[str, Any]]
    comparisons: list[dict[str, Any]]
    forfeits: list[Forfeit]
    running: list[RunningDifference]
    distributions: list[Distribution]


class Imported(BaseModel):
    """How many records came, and how many of them are new."""

    games: int
    new: int


class ErrorFacts(BaseModel):
    """What was expected, and what came."""

    code: str
    message: str


class ProblemFacts(ErrorFacts):
    """The same in the answer to a request; of a told game with the entry that cannot be, counted from 0."""

    entry: int | None = None


class Problem(BaseModel):
    """The body of every refusal."""

    error: ProblemFacts
