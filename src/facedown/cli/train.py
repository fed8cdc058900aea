"""The command facedown train."""

import json as jsons
import sys
from pathlib import Path

import typer
from rich.console import Console

from facedown.cli.arguments import AS_JSON, FIXED_SEED, ON, WHERE, WORKERS, whole
from facedown.cli.bar import Bar
from facedown.cli.trainers import TRAINERS, options_for, trainer_of
from facedown.files import check_place

MODELS = "; ".join(f"{game}: {', '.join(models)}" for game, models in TRAINERS.items())


def train(
    game: str = typer.Argument(help=f"The game: {', '.join(TRAINERS)}."),
    model: str = typer.Option(None, metavar="NAME", help=f"Which model of the game, by default the first. {MODELS}."),
    games: str = typer.Option(
        None,
        metavar="N",
        help="How many games to play and train on: 600 for claims and policy, 9000 for table, 200 for match.",
    ),
    test_games: str = typer.Option(
        None,
        metavar="N",
        help="How many others to test on; by default half as many for claims, 500 for table, 100 for policy, 40 for match.",
    ),
    agent: list[str] = typer.Option(
        None,
        metavar="AGENT",
        help="Who plays; by default ismcts-t:iterations=500 for table, ismcts:iterations=3000 for policy, 300 for match. "
        "Where it is given several times, they sit at one table in turn.",
    ),
    people: str = typer.Option(None, metavar="A-B", help="claims: the styles to train on; by default 0-59."),
    test_people: str = typer.Option(
        None, metavar="A-B", help="claims: the styles to test on, none of which is trained on; by default 60-89."
    ),
    ceiling: str = typer.Option(
        None, metavar="N", help="claims: games by which to measure the best that is possible for test players."
    ),
    from_store: str = typer.Option(None, "--from-store", metavar="FILE|URL", help="Train on recorded games of this store."),
    run: str = typer.Option(None, help="With --from-store: only the games of this run."),
    players: str = typer.Option(
        None,
        metavar="PATTERN",
        help="Whose actions, for policy; with --from-store for all: by default human for claims, * (everybody) for others.",
    ),
    seed: str = FIXED_SEED,
    trees: str = typer.Option(None, metavar="N", help="claims: how many trees the forest has; by default 80."),
    store: str = WHERE,
    on: str = ON,
    workers: str = WORKERS,
    out: Path = typer.Option(
        None, metavar="FILE", help="Where to write the model; by default cheat-model.npz, policy.json and the like."
    ),
    plot: Path = typer.Option(None, metavar="FILE", help="claims: write the ROC curves too, as SVG."),
    json: bool = AS_JSON,
) -> None:
    """Train a model of how a game is played; the same command resumes a run that was stopped."""
    from facedown.arena.executors import start_workers
    from facedown.store import Store

    name, kind = trainer_of(game, model)
    given: dict[str, str | None] = {
        "games": games,
        "test_games": test_games,
        "agent": "\n".join(agent) if agent else None,
        "people": people,
        "test_people": test_people,
        "ceiling": ceiling,
        "run": run,
        "players": players,
        "trees": trees,
        "plot": None if plot is None else str(plot),
    }
    target = out or Path(kind.out)
    check_place(target)
    trainer = kind(game, options_for(kind, name, given), whole("seed", seed, 0), from_store is not None)
    pool = start_workers(on, None if workers is None else whole("workers", workers, 1))
    with Store.open(from_store or store, create=from_store is None) as opened, pool, Bar(quiet=json) as bar:
        try:
            trainer.train(opened, pool, bar.show)
        except KeyboardInterrupt:
            bar.say_where_it_stopped(opened.name)
            raise
    trainer.save(target)
    if json:
        print(jsons.dumps({"model": str(target), **trainer.report()}))
    else:
        Console(highlight=False).print(trainer.summary())
        print(f"the model is in {target}: {trainer.use(target)}", file=sys.stderr)
