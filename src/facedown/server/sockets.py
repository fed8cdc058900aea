"""A websocket: a first message that says who it is, then events out and actions in."""

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any, TypeAlias, TypeVar

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from facedown.errors import FacedownError
from facedown.server.analyses import Analyses
from facedown.server.competitions import Competitions
from facedown.server.hall import Hall
from facedown.server.listeners import Listener
from facedown.server.messages import encoded
from facedown.server.refusals import NOT_STORED, Refusal, refused, wrong_token
from facedown.server.wire import Body, Hello, Move, TableMove
from facedown.view import SPECTATOR

HELLO_WITHIN = 10.0  # seconds
LONGEST_MESSAGE = 4096  # letters
MOST_MISTAKES = 50  # messages refused before a client is cut off
MOST_SOCKETS = 5000
POLICY_VIOLATION = 1008
NORMAL = 1000

Message: TypeAlias = MutableMapping[str, Any]
Kind = TypeVar("Kind", bound=Body)


class Mistake(Refusal):
    """A message that is no message."""

    def __init__(self, message: str) -> None:
        super().__init__(422, "bad_message", message)


class Socket:
    """One websocket, from its first message to its end."""

    def __init__(self, socket: WebSocket, hall: Hall) -> None:
        self.socket = socket
        self.hall = hall
        self.mistakes = 0

    async def __aenter__(self) -> "Socket":
        self.hall.metrics.sockets.inc()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.hall.metrics.sockets.dec()

    async def hello(self) -> Hello:
        """Its first message."""
        await self.socket.accept()
        try:
            text = await asyncio.wait_for(self.socket.receive(), HELLO_WITHIN)
        except TimeoutError:
            raise Mistake(f"expected a first message within {HELLO_WITHIN:g} s, got none") from None
        return read(Hello, text)

    async def refuse(self, refusal: Refusal) -> None:
        """Say why it is closed, and close it."""
        self.hall.metrics.refusals.labels(refusal.code).inc()
        with suppress(RuntimeError, WebSocketDisconnect):
            await self.socket.send_text(encoded(refusal.to_event()))
            await self.socket.close(POLICY_VIOLATION, refusal.code)

    async def serve(self, listener: Listener, carry_out: Callable[[Message], Awaitable[None]]) -> None:
        """Deliver events and carry out what comes, until one side ends it."""
        delivering = asyncio.create_task(listener.deliver())
        receiving = asyncio.create_task(self._receive(listener, carry_out))
        try:
            await asyncio.wait({delivering, receiving}, return_when=asyncio.FIRST_COMPLETED)
            code = delivering.result() if delivering.done() and not delivering.exception() else NORMAL
        finally:
            for task in (delivering, receiving):
                task.cancel()
            with suppress(Exception):
                await asyncio.gather(delivering, receiving, return_exceptions=True)
        if (
            self.socket.application_state == WebSocketState.CONNECTED
            and self.socket.client_state == WebSocketState.CONNECTED
        ):
            with suppress(RuntimeError, WebSocketDisconnect):
                await asyncio.wait_for(self.socket.close(code), HELLO_WITHIN)

    async def _receive(self, listener: Listener, carry_out: Callable[[Message], Awaitable[None]]) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                await carry_out(message)
                continue
            except Refusal as refusal:
                problem = refusal
            except FacedownError as error:
                problem = refused(error)
            self.mistakes += problem.status != NOT_STORED
            self.hall.metrics.refusals.labels(problem.code).inc()
            listener.tell(encoded(problem.to_event()))
            if self.mistakes >= MOST_MISTAKES:
                listener.close(POLICY_VIOLATION)
                await asyncio.sleep(HELLO_WITHIN)


def read(kind: type[Kind], message: Message) -> Kind:
    """A message of a kind."""
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", NORMAL))
    text = message.get("text")
    if text is None or len(text) > LONGEST_MESSAGE:
        raise Mistake(f"expected a text of at most {LONGEST_MESSAGE} letters, got {'bytes' if text is None else len(text)}")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Mistake(f"expected an object in JSON, got {text[:60]!r}") from None
    if not isinstance(data, dict):
        raise Mistake(f"expected an object in JSON, got {text[:60]!r}")
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        raise Mistake(first_problem(error.errors())) from None


def first_problem(errors: Any) -> str:
    """What is wrong with the first field that is."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    got = repr(first.get("input"))
    got = got if len(got) <= 60 else f"{got[:59]}…"
    what = first["msg"][:1].lower() + first["msg"][1:]
    return f"{place or 'body'}: {what}, got {got}"


async def table_socket(socket: WebSocket, id: str, hall: Hall) -> None:
    """A seat or a spectator of one table."""
    async with Socket(socket, hall) as client:
        try:
            hello = await client.hello()
            table = await hall.find(id)
            if hello.token is None:
                hall.check_watching(table)
            viewer = SPECTATOR if hello.token is None else table.seat_of(hello.token)
        except Refusal as refusal:
            await client.refuse(refusal)
            return
        except WebSocketDisconnect:
            return
        listener = Listener(socket.send_text, views=hello.views)

        async def carry_out(message: Message) -> None:
            move = read(Move, message)
            if viewer == SPECTATOR:
                raise wrong_token()
            await table.move(viewer, move.action, move.moves)

        table.join(viewer, listener, hello.since)
        try:
            await client.serve(listener, carry_out)
        finally:
            table.leave(viewer, listener)


async def competition_socket(socket: WebSocket, id: str, hall: Hall, competitions: Competitions) -> None:
    """An entrant with all its games, or a spectator of the standings."""
    async with Socket(socket, hall) as client:
        try:
            hello = await client.hello()
            competition = competitions.find(id)
            number = None if hello.token is None else competition.entrant_of(hello.token)
        except Refusal as refusal:
            await client.refuse(refusal)
            return
        except WebSocketDisconnect:
            return
        listener = Listener(socket.send_text, views=hello.views)

        async def carry_out(message: Message) -> None:
            move = read(TableMove, message)
            if number is None:
                raise wrong_token()
            try:
                await competition.move(number, move.table, move.action, move.moves)
            except Refusal as refusal:
                refusal.table = move.table
                raise

        competition.join(number, listener)
        try:
            await client.serve(listener, carry_out)
        finally:
            competition.leave(number, listener)


async def analysis_socket(socket: WebSocket, id: str, hall: Hall, analyses: Analyses) -> None:
    """Decisions of an analysis as they are found."""
    async with Socket(socket, hall) as client:
        try:
            await client.hello()
            analysis = analyses.find(id)
        except Refusal as refusal:
            await client.refuse(refusal)
            return
        except WebSocketDisconnect:
            return
        listener = Listener(socket.send_text)

        async def carry_out(message: Message) -> None:
            raise Mistake("expected no more messages, got one")

        analysis.join(listener)
        try:
            await client.serve(listener, carry_out)
        finally:
            if listener in analysis.listeners:
                analysis.listeners.remove(listener)
