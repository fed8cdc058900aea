"""The command facedown bench."""

import json as jsons

import typer
from rich.console import Console

import facedown
from facedown.cli.arguments import AS_JSON, MOST, number
from facedown.cli.output import stdout_for_results
from facedown.errors import require_extra

MOST_REPEATS = 100_000
MOST_SOCKETS = 4000  # that a server is loaded with


def bench(
    games: list[str] = typer.Argument(
        None, help="The games to measure, all by default; server: what the server carries; web: how soon pages are there."
    ),
    against: str = typer.Option(None, metavar="PROGRAM", help="Measure another program on the same work: open-spiel."),
    repeats: str = typer.Option("5", metavar="N", help="How often each figure is taken."),
    strength: bool = typer.Option(False, "--strength", help="Measure how strong the searches are, not how fast."),
    deals: str = typer.Option("100", metavar="N", help="Over how many deals strength is measured."),
    seconds: str = typer.Option("8", metavar="S", help="For how long each load of the server is measured."),
    tables: str = typer.Option("500", metavar="N", help="At how many tables of the server people play."),
    spectators: str = typer.Option("1000", metavar="N", help="How many look on at one table of the server."),
    json: bool = AS_JSON,
) -> None:
    """Measure how fast this machine plays, searches and starts; or how strong its searches are."""
    if games == ["server"]:
        most = {"most": MOST_SOCKETS, "least": 1}
        many, seen_by = (
            int(number(name, text, 1, **most)) for name, text in (("tables", tables), ("spectators", spectators))
        )
        bench_server(number("seconds", seconds, 8.0, least=0.5, most=3600), many, seen_by, json)
        return
    times = int(number("repeats", repeats, 1, least=1, most=MOST_REPEATS))
    if games == ["web"]:
        bench_web(times, json)
        return
    from facedown.cli.bar import StepBar
    from facedown.lab.bench.speed import measure
    from facedown.lab.bench.strength import measure_strength, table

    many = int(number("deals", deals, 1, least=2, most=MOST["deals"]))
    with StepBar("getting ready", quiet=json) as bar, stdout_for_results():
        if strength:
            found = {name: measure_strength(name, deals=many, progress=bar.report) for name in games or facedown.games()}
        else:
            report = measure(games or None, against, times, bar.report)
    if strength and json:
        print(jsons.dumps([one.to_dict() for results in found.values() for one in results]))
    elif strength:
        for results in found.values():
            Console(highlight=False).print(table(results))
    elif json:
        print(jsons.dumps(report.to_dict()))
    else:
        Console(highlight=False).print(report.table())


def bench_server(seconds: float, tables: int, spectators: int, json: bool) -> None:
    """Measure what the server carries."""
    require_extra("uvicorn", "uvicorn", "server")
    from facedown.cli.bar import StepBar
    from facedown.server.bench import Scale, grid, measure_server, to_data

    with StepBar("starting a server", quiet=json) as bar, stdout_for_results():
        found = measure_server(Scale(seconds, tables, spectators), bar.report)
    if json:
        print(jsons.dumps(to_data(found)))
    else:
        Console(highlight=False).print(grid(found))


def bench_web(repeats: int, json: bool) -> None:
    """Measure how soon the pages are there."""
    require_extra("uvicorn", "uvicorn", "server")
    require_extra("playwright", "Playwright", "dev")
    from facedown.cli.bar import StepBar
    from facedown.server.page_bench import grid, measure_pages, to_data

    with StepBar("starting a browser", quiet=json) as bar, stdout_for_results():
        found = measure_pages(repeats, bar.report)
    if json:
        print(jsons.dumps(to_data(found)))
    else:
        Console(highlight=False).print(grid(found))
