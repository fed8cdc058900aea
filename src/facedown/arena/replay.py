"""A recorded game, position by position: its searches run again, and what another agent would have done.

A record is played through once before anything is shown, so that a damaged one is refused and never shown in part.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from facedown.agents import Agent, agent
from facedown.agents.best import Best
from facedown.agents.player import shown_to
from facedown.arena.supervise import forfeit_scores
from facedown.errors import BadText, FacedownError, IllegalMove, loading
from facedown.game import Game
from facedown.games import load
from facedown.options import parse_text
from facedown.record import Data, GameRecord, is_list, is_number, is_text, is_whole, timeless
from facedown.search.decision import Candidate, Decision
from facedown.state import State

HUMAN = "human"  # the text of a person in a record
ADVISER_SEED = 0  # always the same


@dataclass(frozen=True)
class Move:
    """A recorded action, and the position it was taken in."""

    number: int  # from 1
    seat: int
    action: int
    text: str
    state: State  # before
    decision: Decision | None  # as recorded

    @property
    def is_choice(self) -> bool:
        """Whether there was more than one legal action."""
        return len(self.state.legal) > 1


class Replay:
    """A record played through; `states[n]` is the position after n actions."""

    def __init__(self, record: GameRecord, seat: int | float | str | None = None) -> None:
        """Refuses a record that contradicts the rules; the message reveals no other seat's cards to `seat`."""
        self.record = record
        with loading(record.game):
            self.game = load(record.game, trusted=record.trusted)
        self.seat = None if seat is None else self.game.check_seat(seat)
        if self.game.version != record.version:
            expected = f"expected a record of {self.game.name}'s rules version {self.game.version}"
            raise BadText(f"{expected}, got version {record.version}: the rules have changed since")
        if len(record.agents) != self.game.seats:
            raise BadText(f"expected {self.game.seats} agents in the record, got {len(record.agents)}")
        self.names = [name_of(text) for text in record.agents]
        self.states = [self.game.deal(record.seed)]
        self.moves = [self._next(number) for number in range(1, len(record.history) + 1)]
        check_end(record, self.states[-1])

    def _next(self, number: int) -> Move:
        """Play the next recorded action, and check all that the record says about it."""
        (seat, action), recorded = self.record.history[number - 1], self.record.actions[number - 1]
        seconds = self.record.seconds[number - 1] if self.record.seconds else None
        state = self.states[-1]
        try:
            after = state.copy()
            if state.seat != seat:
                turn = "nobody" if state.seat is None else f"seat {state.seat}"
                raise BadText(f"expected {turn} to move, got an action of seat {seat}")
            after.play(action, seconds)
            text = self.game.text(action)
            if text != recorded:
                raise BadText(f"expected the text {text}, got {recorded!r}")
            found = self.record.decisions and self.record.decisions[number - 1]
            decision = decision_from(found) if found else None
        except FacedownError as error:
            why = error if self.seat in (None, seat) else f"expected a legal action of seat {seat}, got another"
            raise BadText(f"the record is damaged at action {number}: {why}") from None
        self.states.append(after)
        return Move(number, seat, action, text, state, decision)

    def ending(self, seat: int | None = None) -> str | None:
        """Why the game stopped early, as far as a seat may know it; None if it came to its end."""
        return ending_of(self.record, self.states[-1], seat)

    def to_dict(self, seat: int | None = None) -> dict[str, Any]:
        """The game as plain data: all of it, or what one seat saw."""
        record = self.record
        seconds = self.states[-1].seconds
        moves = []
        for move in self.moves:
            own = seat in (None, move.seat)
            seen = move.text if own else self.game.text(self.states[move.number].view(seat or 0).history[-1][1])
            data: dict[str, Any] = {
                "number": move.number,
                "seat": move.seat,
                "agent": record.agents[move.seat],
                "text": seen,
                "seconds": seconds[move.number - 1],
            }
            if own:
                data["action"] = move.action
                data["legal"] = self.game.texts(move.state.legal)
                data["decision"] = record.decisions[move.number - 1] if record.decisions else None
            moves.append(data)
        start = self.states[0]
        facts = start.facts if seat is None else dict(start.view(seat).facts)
        forfeit = record.forfeit
        if forfeit and seat not in (None, forfeit["seat"]):
            forfeit = {"seat": forfeit["seat"]}
        return {
            "game": record.game,
            "version": record.version,
            **({"seed": record.seed, "agent_seeds": record.agent_seeds} if seat is None else {"seat": seat}),
            "agents": record.agents,
            "start": facts,
            "moves": moves,
            "scores": record.scores,
            "over": self.states[-1].over,
            "forfeit": forfeit,
            "facedown": record.facedown,
        }


def check_end(record: GameRecord, end: State) -> None:
    """Refuse a record whose end is not what its actions lead to."""
    forfeit = record.forfeit
    if forfeit and end.history and end.seat != forfeit["seat"]:  # before the first action it may be anybody
        raise BadText(f"the record is damaged: expected seat {end.seat} to forfeit, got seat {forfeit['seat']}")
    scores = forfeit_scores(end, forfeit["seat"]) if forfeit else end.scores
    if scores != record.scores:
        raise BadText(f"the record is damaged: expected the scores {scores}, got {record.scores}")
    if record.seen is not None and record.seen != end.seen:
        raise BadText("the record is damaged: expected what each seat saw of these actions, got something else")


def ending_of(record: GameRecord, end: State, seat: int | None = None) -> str | None:
    """Why a game stopped early, as far as a seat may know it; None if it came to its end."""
    if record.forfeit:
        loser, reason = record.forfeit["seat"], record.forfeit["reason"]
        shown = f": {reason}" if seat in (None, loser) else ""  # a refused action's reason names the cards held
        return f"seat {loser} {record.agents[loser]} forfeited{shown}"
    return None if end.over else "the record ends before the game does"


def name_of(text: str) -> str:
    """An agent's text without its options."""
    try:
        return parse_text(text)[0]
    except FacedownError:
        return text


# --- Decisions as data ------------------------------------------------------------------------------------------------


def is_flag(value: Any) -> bool:
    """True or false."""
    return isinstance(value, bool)


def is_interval(value: Any) -> bool:
    """Two numbers."""
    return is_list(value, is_number, 2)


def is_candidate(value: Any) -> bool:
    """The data of a candidate."""
    return (
        isinstance(value, dict)
        and all(name in value and right(value[name]) for name, right in CANDIDATE.items())
        and is_list(value.get("actions", []), is_whole)
    )


CANDIDATE: dict[str, Callable[[Any], bool]] = {
    "action": is_whole,
    "text": is_text,
    "visits": is_whole,
    "available": is_whole,
    "mean": is_number,
    "interval": is_interval,
    "votes": is_number,
}
NUMBERS = ("iterations", "worlds", "nodes", "depth_mean", "depth_most", "transpositions")
DECISION: dict[str, Callable[[Any], bool]] = {
    "action": is_whole,
    "text": is_text,
    "candidates": lambda value: is_list(value, is_candidate),
    "line": lambda value: is_list(value, is_text),
    "forced": is_flag,
    "solved": is_flag,
    **dict.fromkeys(NUMBERS, is_number),
}


def decision_from(data: Data) -> Decision:
    """A decision from its data, checked; the tree is not among them."""
    for name, right in DECISION.items():
        if name not in data or not right(data[name]):
            raise BadText(f"expected a decision with its {name}, got {str(data.get(name))[:60]}")
    if not is_list(data.get("beliefs", []), is_number):
        raise BadText(f"expected a decision's beliefs as numbers, got {str(data['beliefs'])[:60]}")
    known = {one.name for one in fields(Decision) if not one.name.startswith("_")}
    candidates = [
        Candidate(
            **{name: one[name] for name in CANDIDATE if name != "interval"},
            interval=tuple(one["interval"]),
            actions=tuple(one.get("actions", ())),
        )
        for one in data["candidates"]
    ]
    return Decision(**{**{name: data[name] for name in known & data.keys()}, "candidates": candidates})


# --- Searches run again -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Checked:
    """A recorded action, compared with what its agent chooses now."""

    move: Move
    difference: str | None  # between then and now, if any
    figures: bool  # whether the figures of a recorded decision were compared too


def same_agent(record: GameRecord, seat: int) -> Agent | str:
    """The agent of a seat as it was, or the reason why it cannot be asked again."""
    text = record.agents[seat]
    if text == HUMAN:
        return "a person played"
    if record.agent_seeds is None:
        return "the record has no seeds of the agents"
    try:
        made = agent(text, record.agent_seeds[seat], trusted=record.trusted)
    except Exception as error:
        return f"it cannot be made here: {error}"
    values = {name: option.value for name, option in made.options.items()}
    if (made.budget() if isinstance(made, Best) else values).get("seconds"):
        return "its searches end by the clock (seconds)"
    if values.get("parallel") == "tree" and values.get("threads") != 1:
        return "its threads race on one tree (parallel=tree)"
    return made


def choice_of(player: Agent, state: State) -> int:
    """What an agent chooses in a position, from what it may see there."""
    return int(player.choose(shown_to(player, state)))


def research(moves: Sequence[Move], players: Sequence[Agent | str]) -> Iterator[Checked]:
    """Ask each agent again for each of its actions; a seat whose player is a text (a reason not to) is left out."""
    for move in moves:
        player = players[move.seat]
        if isinstance(player, str):
            continue
        try:
            action = choice_of(player, move.state)
        except Exception as error:
            yield Checked(move, f"expected {move.text}, got {type(error).__name__}: {error}", False)
            continue
        if action != move.action:
            yield Checked(move, f"expected {move.text}, got {action_text(move.state.game, action)}", False)
        else:
            yield Checked(move, figures_differ(move.decision, player.decision), move.decision is not None)


def action_text(game: Game, action: int) -> str:
    """An action as text, even one that does not exist."""
    return game.text(action) if 0 <= action < game.actions else f"action {action}"


def figures_differ(recorded: Decision | None, found: Decision | None) -> str | None:
    """The first figure of a recorded decision that differs now."""
    if recorded is None:
        return None
    if found is None:
        return "expected the recorded decision, got none"
    before, now = timeless(recorded), timeless(found)
    for old, new in zip(before["candidates"], now["candidates"], strict=False):
        for name in CANDIDATE:
            if old[name] != new[name]:
                return f"{name} of {old['text']}: expected {old[name]}, got {new[name]}"
    for name in before:
        if before[name] != now[name]:
            return f"{name}: expected {str(before[name])[:60]}, got {str(now[name])[:60]}"
    return None


# --- Another agent ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Opinion:
    """What another agent would have played in place of a recorded action."""

    move: Move
    text: str
    decision: Decision | None

    @property
    def agrees(self) -> bool:
        """Whether it is the recorded action."""
        return self.text == self.move.text


def opinions(moves: Sequence[Move], adviser: Agent) -> Iterator[Opinion]:
    """Ask another agent at each position; its first failure ends the replay."""
    for move in moves:
        try:
            action = choice_of(adviser, move.state)
        except FacedownError:
            raise
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
            raise FacedownError(f"expected {adviser.text} to choose at action {move.number}, got {failure}") from error
        try:
            move.state.copy().play(action)  # a game may allow more than it lists
        except IllegalMove:
            text = action_text(move.state.game, action)
            raise FacedownError(f"expected a legal choice of {adviser.text} at action {move.number}, got {text}") from None
        yield Opinion(move, move.state.game.text(action), adviser.decision)
