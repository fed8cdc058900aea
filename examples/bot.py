"""A bot for the arena server of facedown, with nothing but `websockets`: it plays any legal action until the game is over.

python examples/bot.py http://127.0.0.1:8000 [TABLE] takes an open seat at that table, or makes a table of Hearts.
"""

import asyncio
import json
import random
import sys
import urllib.error
import urllib.request
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def post(url: str, data: dict[str, Any]) -> Any:
    """Send a request, and read the answer."""
    request = urllib.request.Request(url, json.dumps(data).encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise SystemExit(f"error: {json.load(refusal)['error']['message']}") from None


def choose(event: dict[str, Any]) -> str:
    """The action to play: your idea goes here. The last view has all that the seat sees."""
    return str(random.choice(event["legal"]))


async def play(server: str, table: str, token: str) -> dict[str, Any]:
    """Play a seat to the end of its game; returns the last event."""
    address = server.replace("http", "ws", 1) + f"/api/tables/{table}/live"
    async for socket in connect(address):  # again and again, if the connection is lost
        try:
            await socket.send(json.dumps({"token": token}))
            async for message in socket:
                event = json.loads(message)
                if event["event"] == "your_turn":
                    await socket.send(json.dumps({"action": choose(event), "moves": event["moves"]}))
                elif event["event"] == "error":
                    raise SystemExit(f"error: {event['message']}")
                elif event["event"] == "over":
                    return dict(event)
        except ConnectionClosed:
            continue
    raise SystemExit("error: the server is gone")


def main(server: str, table: str | None = None) -> None:
    """Take a seat, play, and print the scores."""
    if table is None:
        table = post(f"{server}/api/tables", {"game": "hearts", "seats": [{"open": True}]})["id"]
    taken = post(f"{server}/api/tables/{table}/seats", {"name": "python example"})
    print(f"table {table}, seat {taken['seat']}")
    over = asyncio.run(play(server, str(table), taken["token"]))
    print("scores", *over["scores"])
    print(over["outcome"]["words"])


if __name__ == "__main__":
    main(*sys.argv[1:3])
