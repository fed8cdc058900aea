"""A websocket that comes back: what was missed is caught up on, and nothing is told twice.

The server's first event at a table is the whole view with its history. So after a lost connection the actions that were
missed are in it; an action that was sent and is not among them is sent again, and the server counts it once.
"""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI, WebSocketException

from facedown.client.errors import ServerRefused, ServerUnreachable, reason
from facedown.client.events import Event, Moved, Over, Problem, Viewed, YourTurn, read_event
from facedown.errors import FacedownError
from facedown.server.wire import ViewFacts

if TYPE_CHECKING:
    from facedown.client.client import Client

FIRST_DELAY, LONGEST_DELAY = 0.05, 5.0  # seconds between attempts to connect
LARGEST_MESSAGE = 8 << 20
POLICY_VIOLATION = 1008

Place: TypeAlias = tuple[str | None, int | None]  # a table and a seat there, in a competition
END = object()


@dataclass
class Track:
    """What is known of one seat at one table."""

    view: ViewFacts | None = None  # the last that came
    history: list[tuple[int, str]] = field(default_factory=list)  # as the seat saw it
    asked: int = -1  # how many actions were played when the seat was last asked to act
    over: Over | None = None


@dataclass
class Sent:
    """An action on its way."""

    action: str
    moves: int
    done: "asyncio.Future[int]"
    socket: ClientConnection | None = None  # on which it was sent


class Session:
    """A client's end of a websocket, over all its connections."""

    many = False  # whether events say at which of several tables

    def __init__(self, client: "Client", path: str, token: str | None, views: bool) -> None:
        self.client = client
        self.token = token
        self.views = views
        self.connections = 0  # so far
        self.tracks: dict[Place, Track] = {}
        self._path = path
        self._sent: dict[Place, Sent] = {}  # the first one sent comes first
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._socket: ClientConnection | None = None
        self._joined: asyncio.Future[None] | None = None
        self._runner: asyncio.Task[None] | None = None
        self._ended = False

    async def _start(self) -> None:
        """Connect, and wait for the first event."""
        self._joined = asyncio.get_running_loop().create_future()
        self._runner = asyncio.create_task(self._run())
        try:
            await self._joined
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Leave; the seat remains taken."""
        if self._runner is not None:
            self._runner.cancel()
            with suppress(asyncio.CancelledError):
                await self._runner
            self._runner = None

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def events(self) -> AsyncIterator[Event]:
        """What happens, until it is over."""
        while (event := await self._events.get()) is not END:
            if isinstance(event, FacedownError):
                raise event
            yield event
        self._events.put_nowait(END)  # for whoever asks again

    # --- Connections --------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        error: FacedownError | None = None
        try:
            await self._connect_again_and_again()
        except FacedownError as refusal:
            error = refusal
            self._events.put_nowait(refusal)
        finally:
            error = error or ServerRefused("over", "expected a game under way, got one that is over")
            for sent in self._sent.values():
                if not sent.done.done():
                    sent.done.set_exception(error)
            self._sent.clear()
            if self._joined is not None and not self._joined.done():
                self._joined.set_exception(error)
            self._events.put_nowait(END)

    async def _connect_again_and_again(self) -> None:
        delay, heard = FIRST_DELAY, time.monotonic()
        while not self._ended:
            before = self.connections
            try:
                await self._connect()
                problem = "a connection that was closed"
            except (OSError, TimeoutError, WebSocketException) as error:
                self._raise_if_final(error)
                problem = reason(error)
            if self._ended:
                return
            if self.connections > before:
                delay, heard = FIRST_DELAY, time.monotonic()
            elif time.monotonic() - heard > self.client.patience:
                raise ServerUnreachable(f"expected a server at {self.client.url}, got {problem}")
            await asyncio.sleep(random.uniform(delay / 2, delay))
            delay = min(LONGEST_DELAY, 2 * delay)

    async def _connect(self) -> None:
        """One connection, from its first message to its end."""
        address = "ws" + self.client.url.removeprefix("http") + self._path
        async with connect(address, max_size=LARGEST_MESSAGE, user_agent_header="facedown") as socket:
            await socket.send(json.dumps({"token": self.token, "views": self.views}))
            first = True
            async for text in socket:
                event = read_event(read_json(text), many=self.many)
                if first:
                    if isinstance(event, Problem):
                        raise ServerRefused(event.code, event.message)
                    self.connections += 1
                    self._socket, first = socket, False
                await self._take(event)
                if self._joined is not None and not self._joined.done():
                    self._joined.set_result(None)
                if self._ended:
                    return

    def _raise_if_final(self, error: Exception) -> None:
        """Give up where trying again is of no use."""
        if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code == POLICY_VIOLATION:
            raise ServerRefused(error.rcvd.reason or "cut_off", "expected fewer mistakes, got cut off by the server")
        if isinstance(error, InvalidURI | InvalidHandshake) and not self.connections:
            raise ServerUnreachable(f"expected an arena server at {self.client.url}, got {reason(error)}")

    # --- Events -------------------------------------------------------------------------------------------------------

    async def _take(self, event: Event) -> None:
        """Tell an event, if it is news, and what it brings to light."""
        place = (event.table, event.viewer)
        if isinstance(event, Viewed):
            self._catch_up(place, event.view)
            track = self.tracks[place]
            news = track.view is None or track.view.moves < event.view.moves
            track.view = event.view
            if news:
                self._tell(event)
            if place in self._sent and self._sent[place].socket is not self._socket:
                await self._send(place)
        elif isinstance(event, Moved):
            self._moved(event)
        elif isinstance(event, YourTurn):
            track = self.tracks.setdefault(place, Track())
            if event.moves > track.asked:
                track.asked = event.moves
                self._tell(event)
        elif isinstance(event, Over):
            self._over(event)
        elif isinstance(event, Problem):
            self._refused(event)
        else:
            self._tell(event)

    def _tell(self, event: Event) -> None:
        self._events.put_nowait(event)

    def _catch_up(self, place: Place, view: ViewFacts) -> None:
        """Tell the actions that a view has and that were not told; the first view has none that were missed."""
        if place not in self.tracks:
            self.tracks[place] = Track(history=[(seat, action) for seat, action in view.history])
            return
        for number in range(len(self.tracks[place].history), view.moves):
            seat, action = view.history[number]
            self._moved(Moved(table=place[0], viewer=place[1], seat=seat, action=action, moves=number + 1))

    def _moved(self, event: Moved) -> None:
        place = (event.table, event.viewer)
        track = self.tracks.setdefault(place, Track())
        if event.moves != len(track.history) + 1:
            return  # told before
        track.history.append((event.seat, event.action))
        self._tell(event)
        own = track.view.seat if track.view is not None else None
        if place in self._sent and event.seat == own and event.moves == self._sent[place].moves + 1:
            sent = self._sent.pop(place)  # other actions that were sent are refused, and the server says so
            if not sent.done.done():
                sent.done.set_result(event.moves)

    def _over(self, event: Over) -> None:
        place = (event.table, event.viewer)
        track = self.tracks.setdefault(place, Track())
        if track.over is None:
            track.over = event
            self._refuse(place, ServerRefused("over", "expected a game under way, got one that is over"))
            self._tell(event)

    def _refused(self, event: Problem) -> None:
        """A refusal is of the first action that was sent to its table, where it names one."""
        place = next((place for place in self._sent if event.table in (None, place[0])), None)
        if place is not None:
            self._refuse(place, ServerRefused(event.code, event.message))
        else:
            self._tell(event)

    def _refuse(self, place: Place, error: ServerRefused) -> None:
        if (sent := self._sent.pop(place, None)) is not None and not sent.done.done():
            sent.done.set_exception(error)

    # --- Actions ------------------------------------------------------------------------------------------------------

    async def _play(self, place: Place, action: str) -> int:
        """Play an action, and wait until it is played; raises ServerRefused if it is not."""
        if self._runner is None or self._runner.done():
            raise ServerRefused("over", "expected a connection that has not ended, got one that has")
        if place in self._sent:
            raise FacedownError("expected one action at a time, got another before the first was answered")
        track = self.tracks.setdefault(place, Track())
        sent = Sent(action, len(track.history), asyncio.get_running_loop().create_future())
        self._sent[place] = sent
        try:
            await self._send(place)
            return await sent.done
        finally:
            if self._sent.get(place) is sent:
                del self._sent[place]

    async def _send(self, place: Place) -> None:
        """Send an action; where the connection is lost, it is sent again when there is a new one."""
        sent, socket = self._sent[place], self._socket
        message: dict[str, Any] = {"action": sent.action, "moves": sent.moves}
        if place[0] is not None:
            message["table"] = place[0]
        sent.socket = socket
        if socket is not None:
            with suppress(ConnectionClosed):
                await socket.send(json.dumps(message))


def read_json(text: str | bytes) -> Any:
    """A message as plain data."""
    try:
        return json.loads(text)
    except ValueError:
        raise ServerUnreachable(f"expected an arena server, got a message that is no JSON: {text[:60]!r}") from None
