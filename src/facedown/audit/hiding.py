"""Checks of views and agents: neither may depend on cards that the seat cannot see."""

from collections.abc import Iterable
from typing import Any

from facedown.agents import Agent
from facedown.audit.positions import OwnPosition, Position
from facedown.audit.report import Example, Finding
from facedown.audit.rewinding import CannotTell, Impossible
from facedown.game import Game
from facedown.state import State

TWINS = 1  # worlds for each seat's view, and as many replayed
CHOICES = 40  # positions in which an agent is asked
CHOICE_TWINS = 3  # worlds in which it is asked again


def check_hide(positions: Iterable[Position]) -> Finding:
    """Compare a position's views with those of worlds that differ only in hidden cards."""
    seen = looked_at = failures = 0
    example: Example | None = None
    for position in positions:
        seen += 1
        for viewer in every_viewer(position):
            faults = [viewer.what_differs(world) for world in twins(viewer, TWINS)]
            if viewer.why_no_world is not None:
                faults.append(f"no world can be drawn: {viewer.why_no_world}")
            looked_at += len(faults)
            for fault in filter(None, faults):
                failures += 1
                example = example or viewer.example(fault)
    return Finding("hide", seen, looked_at, "views", failures, example)


def every_viewer(position: Position) -> list[Position]:
    """The position as each seat sees it; where another program's worlds are drawn, as the seat to move does."""
    if not isinstance(position, OwnPosition):
        return [position]
    return [position.seen_by(seat) for seat in range(position.state.game.seats)]


def twins(position: Position, count: int) -> list[Any]:
    """States that differ only in hidden cards: worlds, and the same worlds played from their own deals where they can be."""
    worlds = [] if position.why_no_world is not None else list(position.sample(count))
    if isinstance(position, OwnPosition):
        for world in list(worlds):
            try:
                worlds.append(position.rewinding.replay(world))
            except (CannotTell, Impossible):
                continue  # the check of replays says so
    return worlds


def check_choice(positions: Iterable[OwnPosition], agent: Agent) -> Finding:
    """Ask the agent again with the same seed and other cards hidden."""
    seen = choices = failures = 0
    example: Example | None = None
    for position in positions:
        if seen == CHOICES:
            break
        if len(position.state.legal) < 2:
            continue
        seen += 1
        fault = None
        mine = choice_on(agent, position.state, position.seat)
        choices += 1
        if choice_on(agent, position.state, position.seat) != mine:
            fault = "the same view and seed gave two different choices: an agent must be repeatable to be audited"
        for world in twins(position, CHOICE_TWINS) if fault is None else []:
            choices += 1
            other = choice_on(agent, world, position.seat)
            if other != mine:
                fault = difference(position.state.game, mine, other, hidden_cards(position, world))
                break
        if fault is not None:
            failures += 1
            example = example or position.example(fault)
    return Finding("choice", seen, choices, "choices", failures, example)


Choice = tuple[int, list[tuple[Any, ...]]]


def choice_on(agent: Agent, state: State, seat: int) -> Choice:
    """What an agent chooses, and how often it tried what; no other state is within reach of this call."""
    action = int(agent.choose(state.view(seat)))
    candidates = agent.decision.candidates if agent.decision is not None else []
    return action, [(one.action, one.visits, one.available, one.mean, one.votes) for one in candidates]


def difference(game: Game, mine: Choice, other: Choice, where: str) -> str:
    """How two choices differ, in words."""
    if mine[0] != other[0]:
        return f"the agent chooses {game.text(mine[0])}, and {game.text(other[0])} when {where}"
    return f"the agent chooses {game.text(mine[0])} both times, but with other visits when {where}"


def hidden_cards(position: OwnPosition, world: State) -> str:
    """How a world's cards lie, where they do not lie as in the position."""
    slots = position.rewinding.slots
    real, drawn = slots.values(position.state.data), slots.values(world.data)
    return (
        " and ".join(slots.words(drawn, slot) for slot in range(len(real)) if real[slot] != drawn[slot]) or "nothing differs"
    )
