"""Running the server: one process, until it is told to stop."""

import json as jsons
import logging
import os
import socket
import sys
from dataclasses import replace

import uvicorn

from facedown.errors import FacedownError
from facedown.server.app import application
from facedown.server.asking import ServerSettings
from facedown.server.guards import LARGEST_BODY, is_loopback
from facedown.server.sockets import MOST_SOCKETS
from facedown.server.tokens import hash_of, new_token
from facedown.store import Store

ADMIN_TOKEN = "FACEDOWN_ADMIN_TOKEN"  # the environment's token for the administrator; a new one for each start by default
WAITING_CONNECTIONS = 2048
IDLE_SECONDS = 75  # until a connection is closed: clients that close theirs after 5 s are not to meet it closing just then
DRAINS_SECONDS = 5  # that requests under way have to end when the server stops


def serve(host: str, port: int, settings: ServerSettings, *, json: bool = False) -> None:
    """Serve until SIGTERM or Ctrl-C. Says where it is on stdout, and logs a line an event to stderr."""
    token = os.environ.get(ADMIN_TOKEN) or new_token()
    loopback = is_loopback(host)
    settings = replace(settings, loopback=loopback, admin_hash=hash_of(token))
    Store.open(settings.store).close()  # refuses a store that cannot be used before anything is said
    app = application(settings)  # and a game that cannot be offered
    listening = bound(host, port)
    start_log()
    url = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
    told = jsons.dumps({"url": url, "admin_token": token}) if json else f"facedown serves at {url}\nadmin token: {token}"
    print(told, flush=True)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_SOCKETS,
        backlog=WAITING_CONNECTIONS,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=DRAINS_SECONDS,
        ws="websockets-sansio",
        ws_max_size=LARGEST_BODY,
        ws_per_message_deflate=False,  # takes more time than it saves for messages as short as ours
        h11_max_incomplete_event_size=LARGEST_BODY,
    )
    uvicorn.Server(config).run(sockets=[listening])


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(WAITING_CONNECTIONS)  # from now on who connects waits until the server is ready
    except (OSError, ValueError, TypeError) as error:  # not here, no address, or not even a name
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise FacedownError(f"expected a free address to serve at, got {host}:{port}: {why}") from None
    return listening


def start_log() -> None:
    """Log to stderr, one line an event."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s", stream=sys.stderr)
    for noisy in ("websockets", "httpx", "httpcore"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
