"""The decisions of a recorded game, or of a position: what each seat saw, and what it did."""

from dataclasses import dataclass, field

import numpy as np

from facedown.arena.replay import check_end
from facedown.compiler.asking import look, make_move, write_rewards
from facedown.errors import BadText
from facedown.game import Game
from facedown.kernel import copied
from facedown.notation.position import VIEW
from facedown.record import Data, GameRecord
from facedown.rewards import REWARDS
from facedown.state import State
from facedown.view import View

MOST_DECISIONS = 2000  # of one game


@dataclass(frozen=True)
class Moment:
    """A decision to look at: the view it was made from, and what was played."""

    view: View
    moves: int  # actions before
    deal: int = 1  # of a match
    action: int | None = None  # None for a position, where nothing was played yet
    state: State | None = None  # all cards, where these may be looked at
    recorded: Data | None = None  # what a search thought then, if the record has it


@dataclass
class Moments:
    """All decisions of a game at which there was something to decide, and what came of each deal."""

    found: list[Moment] = field(default_factory=list)
    results: list[list[float]] = field(default_factory=list)  # for each deal that was played to its end, by seat: its reward
    complete: bool = False  # whether these are all decisions of a game that came to its end


def moments_of_record(record: GameRecord, kind: str, only: frozenset[int] | None = None) -> Moments:
    """The decisions of a record, or only those after so many actions; refuses a record that breaks the rules."""
    moments = Moments()
    steps = record.steps()
    state = next(steps)
    game, room = state.game, np.empty(state.game.actions, np.int64)
    seen = np.empty(game.seats, np.int64)
    for number, (seat, action) in enumerate(record.history):
        mine = only is None or number in only
        if mine and state.seat == seat and len(state.legal) > 1 and len(moments.found) < MOST_DECISIONS:
            thought = record.decisions[number] if record.decisions else None
            whole = State(game, copied(state.data), 0, [])
            moments.found.append(Moment(state.view(seat), number, state.deals, action, whole, thought))
        before = copied(state.data)
        state = next(steps)  # refuses what is not legal
        make_move(before, action, seen)
        if look(before, room) < 0:
            rewards = np.zeros(game.seats)
            write_rewards(before, REWARDS[kind], rewards)
            moments.results.append(rewards.tolist())
    check_end(record, state)
    moments.complete = state.over and record.forfeit is None and only is None and len(moments.found) < MOST_DECISIONS
    return moments


def moments_of_position(game: Game, text: str) -> Moments:
    """The decision of a position: of a whole one, or of what one seat sees."""
    if f" {VIEW}" in f" {text}":
        view = game.view(text, trusted=False)
        if view.to_move != view.seat:
            raise BadText("expected the view of the seat to move, got another's")
        return Moments([Moment(view, 0)])
    state = game.position(text, trusted=False)
    if state.seat is None:
        raise BadText("expected a position in which somebody is to act, got the end of a game")
    return Moments([Moment(state.view(state.seat), 0, state=state)])
