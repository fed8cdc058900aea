"""A plain client of an arena server for tests: requests, sockets, and players that take the first action they are told.

It knows nothing of the server's code: what it sends and reads is the wire's.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

Data = dict[str, Any]
Choice = Callable[[Sequence[str], int], str]

WAITS = 20.0  # seconds for an answer, on a busy machine


def some(legal: Sequence[str], moves: int) -> str:
    """An action that depends on how many were played."""
    return legal[(moves * 7) % len(legal)]


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


class Door:
    """The way into a server."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=WAITS, verify=False)  # no certificates to load: it is plain http

    def __enter__(self) -> "Door":
        return self

    def __exit__(self, *error: object) -> None:
        self.http.close()

    def get(self, path: str, token: str | None = None) -> httpx.Response:
        return self.http.get(f"/api/{path}", headers=bearer(token))

    def post(self, path: str, body: Any = None, token: str | None = None) -> httpx.Response:
        content = json.dumps({} if body is None else body)
        return self.http.post(f"/api/{path}", content=content, headers={"Content-Type": "application/json", **bearer(token)})

    def table(self, game: str, *seats: str | None, **wish: Any) -> str:
        """The id of a new table; a seat is an agent's text, or None where it is open."""
        told = [{"open": True} if seat is None else {"agent": seat} for seat in seats]
        answer = self.post("tables", {"game": game, "seats": told, **wish})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def sit(self, id: str, name: str = "guest", seat: int | None = None) -> tuple[int, str]:
        """Take a seat: its number and token."""
        answer = self.post(f"tables/{id}/seats", {"name": name} if seat is None else {"name": name, "seat": seat})
        assert answer.status_code == 201, answer.text
        return answer.json()["seat"], answer.json()["token"]

    def full_table(self, game: str, seats: int, **wish: Any) -> tuple[str, list[str]]:
        """A table where remote players have all seats, and their tokens."""
        id = self.table(game, *[None] * seats, **wish)
        return id, [self.sit(id, f"player {seat}", seat)[1] for seat in range(seats)]

    def facts(self, id: str) -> Data:
        return self.ok(self.get(f"tables/{id}"))

    def view(self, id: str, token: str | None = None) -> Data:
        return self.ok(self.get(f"tables/{id}/view", token))

    def move(self, id: str, token: str | None, action: str, moves: int | None = None) -> httpx.Response:
        body = {"action": action} if moves is None else {"action": action, "moves": moves}
        return self.post(f"tables/{id}/moves", body, token)

    def ok(self, answer: httpx.Response) -> Data:
        assert answer.status_code == 200, answer.text
        data: Data = answer.json()
        return data

    def play(self, id: str, tokens: Sequence[str], most: int = 1 << 30, choice: Choice = some) -> int:
        """Play for all seats by requests alone, to the end or for so many actions; returns how many were played."""
        for played in range(most):
            mover = self.facts(id)["to_move"]
            if mover is None:
                return played
            view = self.view(id, tokens[mover])
            answer = self.move(id, tokens[mover], choice(view["legal"], view["moves"]), view["moves"])
            assert answer.json() == {"moves": view["moves"] + 1}, answer.text
        return most

    @contextmanager
    def live(self, path: str, token: str | None = None, **hello: Any) -> Iterator["Live"]:
        """A socket that has said who it is."""
        with connect(f"ws{self.url.removeprefix('http')}/api/{path}/live", open_timeout=WAITS) as socket:
            live = Live(socket)
            live.send(hello if token is None else {"token": token, **hello})
            yield live


class Live:
    """A socket, message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[Data] = []

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def next(self, timeout: float = WAITS) -> Data:
        message: Data = json.loads(self.socket.recv(timeout))
        self.heard.append(message)
        return message

    def until(self, event: str, timeout: float = WAITS) -> Data:
        """The next event of a kind."""
        while (message := self.next(timeout))["event"] != event:
            pass
        return message

    def play(self, choice: Choice = some) -> Data:
        """Play whenever asked; returns the last event."""
        while True:
            message = self.next()
            if message["event"] == "your_turn":
                self.send({"action": choice(message["legal"], message["moves"]), "moves": message["moves"]})
            elif message["event"] in ("over", "error"):
                return message


def problem(answer: httpx.Response) -> tuple[int, str]:
    """Status and code of a refusal, whose form is checked."""
    body = answer.json()
    assert list(body) == ["error"], body
    assert sorted(body["error"]) == ["code", "message"], body
    assert body["error"]["message"].isprintable(), body
    return answer.status_code, body["error"]["code"]
