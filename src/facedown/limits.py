"""What a game declares, and what its answers must keep to: compiled code counts on it and checks nothing."""

from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.compiler.registration import where
from facedown.errors import BadGame, UnknownName, calling_line
from facedown.rewards import DERIVED, REWARDS
from facedown.rules import Rules
from facedown.worlds.knowledge import HOLDERS

if TYPE_CHECKING:
    from facedown.game import Game

MOST_SEATS = HOLDERS - 1  # one holder is left for the cards that the "random" sampler leaves out
MOST_ACTIONS = 1 << 20  # searches have arrays of that size
SPARE = 64  # room beyond the actions declared, so that one too many is reported and not written into foreign memory


# --- When a game is made ----------------------------------------------------------------------------------------------


def check_game(game: "Game", functions: dict[str, Any]) -> None:
    """Refuse, with the line that makes the game, what it cannot be played with."""
    if not isinstance(game.rules, Rules):
        _refuse(game, "rules made by fd.register", repr(game.rules))
    for name, function in functions.items():
        if function is not None and not callable(function):
            _refuse(game, f"a function as {name!r}", repr(function))
    for kind in game.rewards:
        if kind not in REWARDS:
            raise UnknownName(f"reward of {game.name}", kind, REWARDS)
        if not {"reward", f"reward:{kind}"} & game.rules.own and kind not in DERIVED:
            _refuse(game, f"rewards that scores decide ({', '.join(DERIVED)}), or an answer to 'reward'", repr(kind))
    fields = game.rules.state.names or ()
    for field in [*(name for name, option in game.options.items() if not option.read), *game.fixed]:
        if field not in fields:
            raise UnknownName(f"field of {game.name}'s record", field, fields)
    check_size(game)
    if functions.get("hand") is None and "hands" in fields:
        hands = game.rules.state["hands"]
        if hands.base != np.uint64 or len(hands.shape) != 1 or hands.shape[0] < game.seats:
            expected = f"the field 'hands' to be a mask of cards for each seat, np.uint64 and {game.seats} of them"
            _refuse(game, expected, f"np.{hands.base}{f' and {hands.shape[0]} of them' if hands.shape else ''}")


def check_size(game: "Game") -> None:
    """Seats and actions that compiled code has room for."""
    for what, number, most in (("seats", game.seats, MOST_SEATS), ("actions", game.actions, MOST_ACTIONS)):
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 1 <= number <= most:
            _refuse(game, f"a number of {what} from 1 to {most}", repr(number))


def _refuse(game: "Game", expected: str, got: str) -> None:
    raise BadGame(f"the game {game.name!r}: expected {expected}, got {got}{calling_line()}")


# --- When it is played ------------------------------------------------------------------------------------------------


def check_legal(game: "Game", count: int, legal: list[int], turn: int) -> None:
    """Refuse legal actions, the lowest first, that the game has not declared; `turn` actions have been played."""
    if count < 1:
        words = "at least one action until `is_over` says that the deal has ended, got none"
    elif count > game.actions:
        words = f"at most {game.actions} actions, as the game declares, got {count}"
    else:
        strange = next(action for action in legal if not 0 <= action < game.actions)
        words = f"actions from 0 to {game.actions - 1}, as the game declares, got {strange}"
    raise broken(game, "legal", words, turn)


def check_mover(game: "Game", seat: int, turn: int) -> None:
    """Refuse a seat to act that is none."""
    if not 0 <= seat < game.seats:
        raise broken(game, "to_move", f"a seat from 0 to {game.seats - 1}, got {seat}", turn)


def check_begun(game: "Game", over: bool, turn: int) -> None:
    """Refuse a deal in which nobody is to act."""
    if over:
        raise broken(game, "is_over", "a deal in which somebody may act, got one that is over as soon as it is dealt", turn)


def check_holders(game: "Game", hidden: Any, turn: int) -> None:
    """Refuse more holders of cards, or batches, than there is room for."""
    holders, most = int(hidden[0].holders), HOLDERS - 1
    if not 1 <= holders <= most:
        raise broken(game, "unseen", f"a number of holders from 1 to {most}, got {holders}", turn)
    room = hidden[0].room.tolist()
    if min(room) < 0:
        raise broken(game, "unseen", f"room for 0 cards or more, got {min(room)} for holder {room.index(min(room))}", turn)


def check_scores(game: "Game", scores: Any, turn: int) -> None:
    """Refuse scores that are no numbers."""
    if not np.isfinite(scores).all():
        raise broken(game, "scores", f"a number for each seat, got {scores.tolist()}", turn)


def broken(game: "Game", answer: str, words: str, turn: int) -> BadGame:
    """An answer that breaks what the game declares, with its file and line."""
    return BadGame(f"{where(game.rules.answers[answer])}: expected {words} (after {turn} actions of {game.name})")
