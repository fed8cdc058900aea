"""A finished game as data: enough to play it again, and the same on every machine, bit for bit.

docs/records.md explains each field; record.schema.json is the JSON schema.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import repeat
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol

import facedown as package
from facedown.errors import BadText, FacedownError
from facedown.options import SEED_DIGITS
from facedown.table.outcome import Outcome, winners_of

if TYPE_CHECKING:  # reading records needs no rules, and none of the compiler that they import
    from facedown.state import State

FORMAT = 2
FORMATS = (1, FORMAT)  # that can be read
SMALL = 1 << 31  # beyond the whole numbers of databases
LARGEST_ACTION = (1 << 63) - 1  # that a kernel accepts
PLACE = ("run", "deal", "seating")  # what an exported line may have beside the game itself: its place in a tournament

ENCODER = json.JSONEncoder(separators=(",", ":"), check_circular=False, allow_nan=False)

Data = dict[str, Any]


class Player(Protocol):
    """What a record needs of an agent."""

    seed: int

    @property
    def text(self) -> str:
        """The text that makes it again."""


class Decided(Protocol):
    """What a record needs of a decision."""

    def to_dict(self) -> Data:
        """The decision as plain data."""


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
    lower_is_better: bool | None = None  # which scores are the best; None where an old record does not say
    agent_seeds: list[int] | None = None
    seen: list[list[int] | None] | None = None  # for each action how each seat saw it; None where all saw it openly
    decisions: list[Data | None] | None = None  # for each action what the search thought, if that was asked for
    seconds: list[float | None] | None = None  # for each action how long it took, None where unknown
    forfeit: Data | None = None  # {"seat", "reason", "traceback"}: the history ends there, the scores are the forfeit's
    facedown: str | None = package.__version__
    trusted: bool = field(default=True, compare=False, repr=False)  # it may name files to load; no part of the line

    @classmethod
    def of(
        cls,
        state: "State",
        agents: Sequence[Player | str],
        *,
        decisions: Sequence[Decided | None] | None = None,
        forfeit: Data | None = None,
        scores: Sequence[float] | None = None,
    ) -> "GameRecord":
        """The record of a state as far as it has been played; `scores` are those of a forfeit."""
        if not state.dealt:
            raise FacedownError("expected a state played from its deal, got one set up from a position: it has no history")
        history, seconds = state.history, state.seconds
        players = [agent for agent in agents if not isinstance(agent, str)]
        return cls(
            game=state.game.full_path,
            version=state.game.version,
            seed=state.seed,
            agents=[agent if isinstance(agent, str) else agent.text for agent in agents],
            history=history,
            actions=state.game.texts([action for _, action in history]),
            scores=state.scores if scores is None else list(scores),
            lower_is_better=state.game.lower_is_better,
            agent_seeds=[player.seed for player in players] if len(players) == len(agents) else None,
            seen=state.seen,
            decisions=None if decisions is None else [None if one is None else timeless(one) for one in decisions],
            seconds=None if set(seconds) <= {None} else seconds,
            forfeit=forfeit,
        )

    @property
    def best(self) -> list[bool] | None:
        """For each seat whether nobody had a better score; None where the record does not say which scores are better."""
        if self.lower_is_better is None:
            return None
        best = min(self.scores) if self.lower_is_better else max(self.scores)
        return [score == best for score in self.scores]

    @property
    def outcome(self) -> Outcome | None:
        """Why the game ended: by a forfeit, or as the state says that is reached by playing it again; None if it has not."""
        if self.forfeit is None:
            return self.replay().outcome
        seat, reason = self.forfeit["seat"], self.forfeit["reason"]
        winners = () if self.lower_is_better is None else winners_of(self.scores, self.lower_is_better)
        return Outcome("forfeit", winners, f"seat {seat} forfeits: {reason}")

    def to_json(self) -> str:
        """One line of JSON, the same for equal records; without `seconds` where no times are known."""
        timeless = {name: getattr(self, name) for name in FIELDS if name != "seconds" or self.seconds is not None}
        return ENCODER.encode({"format": FORMAT, **timeless})

    @classmethod
    def from_json(cls, line: str, *, trusted: bool = False) -> "GameRecord":
        """A record from its line, checked; unless it is trusted it loads no files, see docs/records.md."""
        return cls.placed(line, trusted=trusted)[0]

    @classmethod
    def placed(cls, line: str, *, trusted: bool = False) -> tuple["GameRecord", Data]:
        """A record from its line, and its place in a tournament if the line has it: run, deal, seating."""
        try:
            data = json.loads(line, parse_constant=no_number)
            if not isinstance(data, dict) or data.pop("format", None) not in FORMATS:
                raise ValueError("another format")
            place = {key: data.pop(key) for key in PLACE if key in data}
            check(data, place)
            data["history"] = [(seat, action) for seat, action in data["history"]]
            return cls(**{"facedown": None, **data}, trusted=trusted), place
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise BadText(f"expected a game record of format {FORMAT}, got {str(line)[:60]!r}: {error}") from None

    def start(self) -> "State":
        """The game as it was dealt."""
        from facedown.games import load

        game = load(self.game, trusted=self.trusted)
        if game.version != self.version:
            raise BadText(f"expected a record of {game.name}'s rules version {game.version}, got version {self.version}")
        return game.deal(self.seed)

    def steps(self) -> "Iterator[State]":
        """The state at the start and after each action; always the same object, so copy what you keep."""
        state = self.start()
        yield state
        for (seat, action), seconds in zip(self.history, self.seconds or repeat(None), strict=False):
            if state.seat != seat:
                raise BadText(f"expected seat {state.seat} to move, got an action of seat {seat} in the record")
            state.play(action, seconds)
            yield state

    def replay(self) -> "State":
        """The game played again, action by action, to its end."""
        *_, state = self.steps()
        return state


def timeless(decision: Decided) -> Data:
    """A decision as plain JSON data, without the seconds it took, which differ every time."""
    data = {key: value for key, value in decision.to_dict().items() if key != "seconds"}
    plain: Data = json.loads(ENCODER.encode(data))
    return plain


# --- Checks of what comes in ------------------------------------------------------------------------------------------
# Written by hand, since jsonschema takes ten times as long and cannot compare the lengths of lists.


def no_number(word: str) -> None:
    """Refuse NaN and Infinity, which only Python accepts in JSON."""
    raise ValueError(f"expected a number, got {word}")


def is_text(value: Any) -> bool:
    """Text that is not empty."""
    return isinstance(value, str) and value != ""


def is_whole(value: Any) -> bool:
    """A whole number from 0 up."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_small(value: Any) -> bool:
    """A whole number small enough for every database."""
    return is_whole(value) and value < SMALL


def is_seed(value: Any) -> bool:
    """A whole number of not too many digits."""
    return is_whole(value) and value < 10**SEED_DIGITS


def is_number(value: Any) -> bool:
    """A finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def is_data(value: Any) -> bool:
    """An object of JSON."""
    return isinstance(value, dict)


def is_list(value: Any, of: Callable[[Any], bool], length: int | None = None) -> bool:
    """A list, of `length` elements if one is given."""
    return isinstance(value, list) and length in (None, len(value)) and all(map(of, value))


FIELDS = [one.name for one in fields(GameRecord) if one.name != "trusted"]  # of a line, which cannot declare itself trusted
REQUIRED = FIELDS[:7]


def check(data: Data, place: Data) -> None:
    """Refuse what is not the data of a record."""
    missing = [name for name in REQUIRED if name not in data]
    unknown = [name for name in data if name not in FIELDS]
    if missing or unknown:
        raise ValueError(f"no field {missing[0]!r}" if missing else f"unknown field {unknown[0]!r}")
    seats = len(data["agents"]) if isinstance(data["agents"], list) else 0
    moves = len(data["history"]) if isinstance(data["history"], list) else 0

    def is_seat(value: Any) -> bool:
        return is_whole(value) and value < seats

    def is_move(value: Any) -> bool:
        return is_list(value, is_whole, 2) and is_seat(value[0]) and value[1] <= LARGEST_ACTION

    def is_forfeit(value: Any) -> bool:
        if not is_data(value) or set(value) != {"seat", "reason", "traceback"}:
            return False
        return is_seat(value["seat"]) and is_text(value["reason"]) and isinstance(value["traceback"], str | None)

    right: dict[str, tuple[Callable[[Any], bool], str]] = {
        "game": (is_text, "the text of a game"),
        "version": (is_small, "a whole number"),
        "seed": (is_seed, "a whole number from 0 up"),
        "agents": (lambda value: is_list(value, is_text) and seats > 0, "a list of texts"),
        "history": (lambda value: is_list(value, is_move), "a list of [seat, action]"),
        "actions": (lambda value: is_list(value, is_text, moves), "a text for each action"),
        "scores": (lambda value: is_list(value, is_number, seats), "a number for each seat"),
        "lower_is_better": (lambda value: isinstance(value, bool), "true or false"),
        "agent_seeds": (lambda value: is_list(value, is_seed, seats), "a whole number for each seat"),
        "seen": (
            lambda value: is_list(value, lambda one: one is None or is_list(one, is_whole, seats), moves),
            "an action for each seat, or null, for each action",
        ),
        "decisions": (lambda value: is_list(value, lambda one: one is None or is_data(one), moves), "one for each action"),
        "seconds": (
            lambda value: is_list(value, lambda one: one is None or (is_number(one) and one >= 0), moves),
            "a number from 0 up, or null, for each action",
        ),
        "forfeit": (is_forfeit, "seat, reason and traceback"),
        "facedown": (is_text, "a version"),
        "run": (is_text, "the name of a run"),
        "deal": (is_small, "a whole number"),
        "seating": (is_small, "a whole number"),
    }
    for name, value in {**data, **place}.items():
        is_right, expected = right[name]
        if not (is_right(value) or (value is None and name not in REQUIRED and name not in PLACE)):
            raise ValueError(f"{name}: expected {expected}, got {json.dumps(value)[:60]}")
