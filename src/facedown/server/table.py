"""A table: a game that is waiting for players, under way, or over.

An action goes through four steps, one action at a time: it is checked, stored, played, and told to everybody. So whatever
was told is stored, and a server that is killed finds each table as the players last saw it.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Protocol

from facedown.agents.random import Random
from facedown.arena.supervise import forfeit_scores
from facedown.errors import FacedownError
from facedown.record import GameRecord
from facedown.server import messages, storage
from facedown.server.hints import HintQuestion
from facedown.server.journal import Journal
from facedown.server.messages import Data, encoded
from facedown.server.refusals import NOT_STORED, Refusal
from facedown.server.seats import AGENT, OPEN, Seat
from facedown.server.shown_table import PLAYING, ShownTable, TableSettings
from facedown.server.storage import OtherMove, StoredMove
from facedown.server.thinking import AgentFailed, Answer, Question, Shown, Thinkers, player
from facedown.state import State
from facedown.view import View

TRIES_AGAIN = 1.0  # seconds after which the server's own writes are tried again
LONGEST_PAD = 2.0  # seconds that an agent's answer is held back at most
HINT_SECONDS = 1.0
CLOCK_TICK = 0.002  # seconds by which an alarm may come early


class House(Protocol):
    """What a table needs of the server."""

    journal: Journal
    thinkers: Thinkers

    def log(self, event: str, **fields: Any) -> None:
        """Write a line of the log."""

    def moved(self, seconds: float) -> None:
        """Count an action, and how long it took from its arrival until it was told."""

    def ended(self, table: "Table") -> None:
        """A game is over."""

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in the background."""


class Table(ShownTable):
    """One table."""

    def __init__(self, id: str, settings: TableSettings, seats: Sequence[Seat], state: State, house: House) -> None:
        super().__init__(id, settings, seats, state)
        self.house = house

    # --- Seats --------------------------------------------------------------------------------------------------------

    async def sit(self, name: str, wanted: int | None) -> tuple[int, str]:
        """Take an open seat: its number and its token."""
        async with self.lock:
            free = [number for number, seat in enumerate(self.seats) if seat.kind == OPEN]
            number = wanted if wanted is not None else next(iter(free), -1)
            if number not in free:
                expected = f"one of the open seats {free}" if free else "a table with an open seat"
                raise Refusal(
                    409, "seat_taken", f"expected {expected}, got seat {number}" if free else f"expected {expected}"
                )
            seat = replace(self.seats[number])
            token = seat.take(name)
            seats = [*self.seats[:number], seat, *self.seats[number + 1 :]]
            data = [one.to_dict() for one in seats]
            await self.house.journal.write(lambda connection: storage.set_seats(connection, self.id, data))
            self.seats = seats
        self.house.log("seat", table=self.id, seat=number, name=name)
        self.tell_seat(number)
        if self.status == PLAYING:
            self.begin_turn()
        return number, token

    # --- Actions ------------------------------------------------------------------------------------------------------

    async def move(self, seat: int, action: str, moves: int | None) -> int:
        """Play an action of a remote seat; returns how many were played then. The same action sent twice counts once."""
        begin = time.perf_counter()
        async with self.lock:
            if moves is not None and self._was_played(seat, action, moves):
                return moves + 1
            if self.status != PLAYING:
                raise Refusal(409, self.status, f"expected a game under way, got one that is {self.status}")
            if moves is not None and moves != self.moves:
                raise Refusal(409, "stale", f"expected moves {self.moves}, as many as were played, got {moves}")
            if seat != self.state.seat:
                raise Refusal(409, "not_your_turn", f"expected seat {self.state.seat} to move, got seat {seat}")
            number = self._checked(seat, action)
            seconds = round(time.monotonic() - self.turn_began, 3)
            try:
                await self._play(StoredMove(number, seconds))
            except Refusal as refusal:
                if refusal.status == NOT_STORED:  # which takes time, and is not the player's fault
                    self._start_clock()
                raise
        self.house.moved(time.perf_counter() - begin)
        return self.moves

    def _checked(self, seat: int, action: str) -> int:
        """The number of a legal action. Legality and the refusal's words follow from the seat's own view."""
        view = self.view_of(seat)
        try:
            return State(view.game, view.data, 0, view.history).check(action)
        except FacedownError as error:
            raise Refusal(422, "illegal_move", str(error)) from None

    def _was_played(self, seat: int, action: str, number: int) -> bool:
        """Whether a seat, or another of the same entrant, has played just this at this number."""
        if not 0 <= number < self.moves:
            return False
        mover, played = self.state.history[number]
        if mover != seat and self.seats[mover].token_hash != self.seats[seat].token_hash:
            return False
        try:
            return played == self.game.parse(action)
        except FacedownError:
            return False

    async def _play(self, move: StoredMove) -> None:
        """Store an action, play it, and tell it."""
        number = self.moves
        try:
            await self.house.journal.write(lambda connection: storage.add_move(connection, self.id, number, move))
        except OtherMove as other:
            self._carry_out(other.stored)
            raise Refusal(409, "stale", f"expected moves {self.moves}, as many as were played, got {number}") from None
        self._carry_out(move)

    def _carry_out(self, move: StoredMove) -> None:
        """Play an action that is stored, and ask the next seat."""
        number = self.moves
        self._advance(move)
        self.tell_move(number)
        self.house.log("move", table=self.id, moves=number + 1)
        self.begin_turn()

    # --- Turns --------------------------------------------------------------------------------------------------------

    def begin_turn(self) -> None:
        """Ask the seat to act, or end the game."""
        self._stop_clock()
        if self.status != PLAYING:
            return
        self.turn_began = time.monotonic()
        number = self.state.seat
        if number is None:
            self.house.spawn(self._insist(self.moves, self.end))
        elif self.seats[number].kind == AGENT:
            self.house.spawn(self._ask_agent(number))
        else:
            self._start_clock()
            if listeners := self.listeners.get(number):
                text = encoded(messages.turn_event(self.view_of(number), self.seconds_left()))
                for listener in listeners:
                    listener.tell(text)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start_clock(self) -> None:
        """From now on the seat to move has all its time."""
        self._stop_clock()
        self.turn_began = time.monotonic()
        left = self.seconds_left()
        if left is not None:
            late = partial(self._out_of_time, self.moves)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, left), lambda: self.house.spawn(late()))

    async def _out_of_time(self, moves: int) -> None:
        async def forfeit() -> None:
            number, limit = self.state.seat, self.settings.move_seconds
            late = self.seconds_left()
            if number is None or late is None or late > CLOCK_TICK:
                return  # its clock was started again
            left = self.settings.game_seconds - self.spent[number] if self.settings.game_seconds else limit
            slow = f"took longer than {limit:g} s for an action"
            whole = f"took longer than {self.settings.game_seconds:g} s for all its actions"
            await self._forfeit(number, slow if limit and limit <= left else whole)

        await self._insist(moves, forfeit)

    async def _ask_agent(self, number: int) -> None:
        """Let a built-in agent act."""
        moves, seat = self.moves, self.seats[number]
        try:
            answer = await self._answer(number, self.view_of(number))
        except AgentFailed as error:
            await self._insist(moves, partial(self._forfeit, number, str(error)))
            return

        async def play() -> None:
            try:
                self.state.check(answer.action)
            except FacedownError as error:
                self.house.log("illegal", table=self.id, agent=seat.agent)
                await self._forfeit(number, str(error))
                return
            await self._play(StoredMove(answer.action, answer.said_seconds))

        await self._insist(moves, play)

    async def _answer(self, number: int, view: View) -> Answer:
        """An agent's answer, no sooner than its slowest so far: how long it thinks may tell what it holds."""
        seat = self.seats[number]
        assert seat.agent is not None
        if seat.agent == Random.name:
            return Answer(int(player(seat.agent, seat.agent_seed).choose(view)), 0.0)
        begin = time.monotonic()
        answer = await self.house.thinkers.ask(self.id, Question.of(view, seat.agent, seat.agent_seed))
        self.slowest[number] = min(LONGEST_PAD, max(self.slowest[number], answer.seconds))
        await asyncio.sleep(max(0.0, self.slowest[number] - (time.monotonic() - begin)))
        return answer

    async def _insist(self, moves: int, step: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do what nobody can be asked to send again, as soon as the store can be written; nobody waits for it meanwhile."""
        while True:
            async with self.lock:
                if self.moves != moves or self.status != PLAYING:
                    return
                try:
                    await step()
                    return
                except Refusal as error:
                    if error.status != NOT_STORED:
                        raise
                    self.house.log("not_stored", table=self.id, reason=error.message)
            await asyncio.sleep(TRIES_AGAIN)

    # --- The end ------------------------------------------------------------------------------------------------------

    async def _forfeit(self, number: int, reason: str) -> None:
        forfeit = {"seat": number, "reason": " ".join(reason.split()), "traceback": None}
        await self.end(forfeit)

    async def end(self, forfeit: Data | None = None) -> None:
        """Store the finished game, and tell everybody."""
        record = self._record(forfeit)
        self.record = await self.house.journal.write(
            lambda connection: storage.end_table(connection, self.id, record, self.settings.place)
        )
        self.finished = record
        self._stop_clock()
        self.house.log("over", table=self.id, record=self.record)
        self.tell_all(encoded(self.over_event()))
        self.house.ended(self)

    def _record(self, forfeit: Data | None) -> GameRecord:
        texts = [seat.agent or seat.name for seat in self.seats]
        scores = None if forfeit is None else forfeit_scores(self.state, forfeit["seat"])
        record = GameRecord.of(self.state, texts, forfeit=forfeit, scores=scores)
        own = all(seat.kind == AGENT for seat in self.seats)
        seeds = [seat.agent_seed for seat in self.seats] if own else None
        return replace(record, agent_seeds=seeds, trusted=own)

    # --- Advice -------------------------------------------------------------------------------------------------------

    async def hint(self, seat: int, seconds: float = HINT_SECONDS) -> Data:
        """What the game's best player would do in a seat, whose turn it must be."""
        self.check_hints()
        if self.to_move != seat:
            raise Refusal(409, "not_your_turn", f"expected seat {self.to_move} to ask for a hint, got seat {seat}")
        if self._hinting:
            raise Refusal(409, "busy", "expected one hint at a time, got another while the first is thought about")
        self._hinting = True
        try:
            return await self.house.thinkers.ask(self.id, HintQuestion(Shown.of(self.view_of(seat)), seconds))
        except AgentFailed as error:
            raise Refusal(422, "no_hint", str(error)) from None
        finally:
            self._hinting = False

    def stored(self) -> tuple[Data, list[Data]]:
        """Settings and seats as they are stored."""
        return asdict(self.settings), [seat.to_dict() for seat in self.seats]
