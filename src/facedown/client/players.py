"""Who plays at a seat: a function, or one of our agents."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, TypeAlias

from facedown.agents import Agent, agent
from facedown.client.errors import ServerRefused
from facedown.client.events import CompetitionOver, Over, YourTurn
from facedown.client.seat import HERE, Entry, Seat
from facedown.client.session import Session
from facedown.errors import FacedownError
from facedown.game import Game
from facedown.games import load
from facedown.server.wire import ViewFacts
from facedown.view import View

AGAIN = "not_stored"  # the code of a refusal that asks to try again
TRIES, BETWEEN = 30, 1.0  # how many times, and after how many seconds


@dataclass(frozen=True)
class Turn:
    """What a seat is asked."""

    game: str  # the text that loads it
    legal: list[str]
    moves: int  # that were played before
    seconds_left: float | None
    view: ViewFacts  # the last that came: with `views`, what the seat sees now
    history: list[tuple[int, str]]  # the actions so far as the seat saw them
    table: str | None = None  # in a competition

    def seen(self) -> View:
        """What the seat sees, as agents are given it."""
        if self.view.position is None or self.view.moves != self.moves:
            raise FacedownError("expected a session with `views`, whose turns have a whole view, got one without")
        return loaded(self.game).view(self.view.position, self.history, trusted=False)


Choose: TypeAlias = Callable[[Turn], str | Awaitable[str]]


@lru_cache(maxsize=64)
def loaded(text: str) -> Game:
    """A game by a server's text."""
    return load(text, trusted=False)


async def play(seat: Seat, choose: Choose) -> Over:
    """Play a seat to the end of its game."""
    async for event in seat.events():
        if isinstance(event, YourTurn):
            await answer(seat, event, seat.game, choose)
    assert seat.over is not None  # or an error was raised
    return seat.over


async def play_all(entry: Entry, choose: Choose, told: Callable[[Over], None] = lambda over: None) -> CompetitionOver:
    """Play all games of an entrant; `told` hears of the end of each."""
    ended: CompetitionOver | None = None
    try:
        async with asyncio.TaskGroup() as thinking:
            async for event in entry.events():
                if isinstance(event, YourTurn):
                    thinking.create_task(answer(entry, event, entry.game, choose))
                elif isinstance(event, Over):
                    told(event)
                elif isinstance(event, CompetitionOver):
                    ended = event
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    assert ended is not None  # or an error was raised
    return ended


async def answer(session: Session, event: YourTurn, game: str, choose: Choose) -> None:
    """Answer a turn; the game may have ended meanwhile."""
    place = (event.table, event.viewer) if event.table is not None else HERE
    track = session.tracks[place]
    assert track.view is not None  # it came before the turn
    if event.moves != len(track.history):
        return  # somebody else with the same token has answered
    turn = Turn(game, event.legal, event.moves, event.seconds_left, track.view, list(track.history), event.table)
    chosen = choose(turn)
    action = chosen if isinstance(chosen, str) else await chosen
    for left in reversed(range(TRIES)):
        try:
            await session._play(place, action)
            return
        except ServerRefused as error:
            if track.over is not None:
                return  # too late, and the seat has forfeited
            if error.code != AGAIN or not left:
                raise
        await asyncio.sleep(BETWEEN)


def by_agent(player: str | Agent, seed: int = 0) -> Choose:
    """Let an agent choose, in another thread; of a text as many are made as think at once."""
    return Thinking(player, seed)


class Thinking:
    """Agents that think in threads, so that the socket stays alive."""

    def __init__(self, player: str | Agent, seed: int) -> None:
        """An agent that sees all cannot play over the network."""
        first = agent(player, seed)
        if first.sees_all:
            raise FacedownError(f"expected an agent that needs no more than its view, got {first.text}, which sees all")
        self.seed = seed
        self._text = player if isinstance(player, str) else None
        self._one = asyncio.Lock()  # for an agent that there is once
        self._first = first
        self._free = [first]

    @property
    def name(self) -> str:
        """The agent's name, without its options."""
        return self._first.name

    async def warm_up(self, game: str) -> None:
        """Let the agent choose once on a deal of its own: what is compiled for a first choice is so before it counts."""
        rules = loaded(game)
        state = rules.deal(0)
        if state.seat is not None:
            view = state.view(state.seat)
            self._first.check_game(view)
            await self._in_thread(self._first, partial(self._first.choose, view))

    async def __call__(self, turn: Turn) -> str:
        """The action that an agent chooses."""
        if self._text is None:
            async with self._one:
                return await self._ask(self._first, turn)
        player = self._free.pop() if self._free else agent(self._text, self.seed)
        try:
            return await self._ask(player, turn)
        finally:
            self._free.append(player)

    async def _ask(self, player: Agent, turn: Turn) -> str:
        chosen: str = await self._in_thread(player, partial(choice, player, turn))
        return chosen

    async def _in_thread(self, player: Agent, work: Callable[[], Any]) -> Any:
        thinking = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            if interrupt := getattr(player, "interrupt", None):
                interrupt()  # or the program would not end before the agent has
            raise


def choice(player: Agent, turn: Turn) -> str:
    """What an agent chooses, as text."""
    view = turn.seen()
    player.check_game(view)
    return view.game.text(int(player.choose(view)))
