"""The commands facedown store info and facedown store upgrade."""

import json as jsons

import typer

from facedown.cli.arguments import AS_JSON, WHERE
from facedown.cli.cells import print_table
from facedown.cli.output import counted

app = typer.Typer(rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def about(context: typer.Context) -> None:
    """Say what is in a store, or bring it up to date."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def info(store: str = WHERE, json: bool = AS_JSON) -> None:
    """Say where the store is, and which runs it holds."""
    from facedown.store.places import REVISION
    from facedown.store.reading import count_in, reader, runs_in

    with reader(store) as opened:
        runs, count, name = runs_in(opened), count_in(opened), opened.name
    if json:
        print(jsons.dumps({"store": name, "version": REVISION, "games": count, "runs": runs}, default=str))
        return
    print(f"{name}, version {REVISION}: {counted(count, 'game')}, {counted(len(runs), 'run')}")
    if runs:
        columns = ["run", "games", "created", "facedown"]
        print_table(
            columns, [(run["name"], run["games"], f"{run['created']:%Y-%m-%d %H:%M}", run["facedown"]) for run in runs]
        )


@app.command()
def upgrade(store: str = WHERE, json: bool = AS_JSON) -> None:
    """Bring a store that an older version has made up to date."""
    from facedown.store import Store

    before, now = Store.upgrade(store)
    if json:
        print(jsons.dumps({"from": before, "to": now}))
    else:
        print(f"the store is up to date: version {now}" if before == now else f"the store had version {before}, now {now}")
