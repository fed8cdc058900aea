"""The command facedown serve."""

import typer

from facedown.cli.arguments import AS_JSON, WHERE, number, whole
from facedown.errors import require_extra

POLITE = 50.0  # requests a second of one address, where others can reach the server


def serve(
    host: str = typer.Option("127.0.0.1", metavar="ADDRESS", help="Where to listen; others can reach 0.0.0.0."),
    port: str = typer.Option("8000", metavar="N", help="The port; 0 takes any free one."),
    store: str = WHERE,
    game: list[str] = typer.Option([], metavar="FILE:GAME", help="A game of your own to offer, from a file or module:GAME."),
    on: str = typer.Option("processes", metavar="PLACE", help="Where agents think: threads, processes, ray or ray:ADDRESS."),
    workers: str = typer.Option(None, metavar="N", help="How many think at once; by default one for each processor."),
    origin: list[str] = typer.Option([], metavar="URL", help="The origin of pages elsewhere that may use this server."),
    rate: str = typer.Option(None, metavar="N", help="Requests a second of one address: 0 is no limit, as on loopback."),
    most_iterations: str = typer.Option("200000", metavar="N", help="Iterations that an agent may take for an action."),
    most_seconds: str = typer.Option("10", metavar="S", help="Seconds that an agent may take for an action."),
    json: bool = AS_JSON,
) -> None:
    """Serve tables and competitions to bots and people; docs/server.md has the protocol."""
    require_extra("fastapi", "FastAPI", "server")
    require_extra("uvicorn", "uvicorn", "server")
    from facedown.arena.executors import check_place
    from facedown.server.asking import ServerSettings
    from facedown.server.caps import Caps
    from facedown.server.guards import is_loopback
    from facedown.server.run import serve as run

    check_place(on)
    settings = ServerSettings(
        store=store,
        origins=tuple(origin),
        rate=number("rate", rate, POLITE) if rate else 0.0 if is_loopback(host) else POLITE,
        on=on,
        workers=whole("workers", workers, 1) if workers else None,
        caps=Caps(
            iterations=whole("most_iterations", most_iterations, 1),
            seconds=number("most_seconds", most_seconds, 10.0, least=0.01),
        ),
        games=tuple(game),
    )
    run(host, int(number("port", port, 8000, most=65_535)), settings, json=json)
