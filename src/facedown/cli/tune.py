"""The command facedown tune."""

import json as jsons
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console, Group, RenderableType

from facedown.cli.arguments import AS_JSON, FIXED_SEED, ON, WHERE, WORKERS, whole
from facedown.cli.bar import Bar
from facedown.cli.output import stdout_for_results
from facedown.files import check_place, write_text

if TYPE_CHECKING:
    from facedown.lab.tuning.result import TuningResult

TRIALS_SHOWN = 10
MATCHES_SHOWN = 8  # the rounds from here on are shown match by match


def tune(
    game: str = typer.Argument(help="A game: hearts, sueca:match=10, file.py:NAME or module:NAME."),
    agent: str = typer.Argument(help="The agent to tune, with the options that stay: ismcts:iterations=500."),
    over: str = typer.Option(..., metavar="SPACE", help="What to vary: exploration=0.1..2.0,playout=uniform|rules."),
    against: list[str] = typer.Option(None, metavar="AGENT", help="Who it plays; may be repeated. By default itself."),
    method: str = typer.Option("optuna", help="How: optuna (its TPE), or knockout of all combinations."),
    objective: str = typer.Option("auto", help="What is best: lead or wins; auto is wins where a game has no points."),
    trials: str = typer.Option("50", metavar="N", help="How many trials, for optuna."),
    deals: str = typer.Option(None, metavar="N", help="How many deals a trial (50) or a match (about 100 games) has."),
    fresh: str = typer.Option(None, metavar="N", help="Deals to measure the best on at the end; by default twice as many."),
    seed: str = FIXED_SEED,
    store: str = WHERE,
    on: str = ON,
    workers: str = WORKERS,
    out: Path = typer.Option(None, metavar="FILE", help="Write the whole result as JSON too."),
    json: bool = AS_JSON,
) -> None:
    """Find the options an agent plays best with; the same command resumes a run that was stopped."""
    from facedown.arena.tournament import tournament
    from facedown.lab.tuning.tuning import Tuning
    from facedown.store import Store

    if out is not None:
        check_place(out)
    with stdout_for_results():
        tuning = Tuning(
            game,
            agent,
            over,
            against=against or (),
            method=method,
            trials=whole("trials", trials, 1),
            deals=None if deals is None else whole("deals", deals, 1),
            fresh=None if fresh is None else whole("fresh", fresh, 1),
            seed=whole("seed", seed, 0),
            objective=objective,
        )
    count = None if workers is None else whole("workers", workers, 1)
    with Store.open(store) as opened, Bar(quiet=json) as bar, stdout_for_results():
        try:
            result = tuning.run(partial(tournament, store=opened, on=on, workers=count), bar.show)
        except KeyboardInterrupt:
            bar.say_where_it_stopped(opened.name)
            raise
    if out:
        write_text(out, f"{jsons.dumps(result.to_dict(), indent=2)}\n")
    if json:
        print(jsons.dumps(result.to_dict()))
    else:
        Console(highlight=False).print(summary(result))


# --- What a person sees -----------------------------------------------------------------------------------------------


def summary(result: "TuningResult") -> RenderableType:
    """The whole result for a person."""
    from rich.text import Text

    how = f"{len(result.trials)} trials" if result.trials else f"a knock-out of {len(result.bracket)} rounds"
    heading = f"{result.game}: {result.agent} over {result.over}; {how} of {result.deals} deals, seed {result.seed}"
    parts: list[RenderableType] = [Text(heading, style="bold")]
    parts.append(trials_table(result) if result.trials else bracket_table(result))
    parts.append(Text.assemble("best: ", (result.best, "bold")))
    if result.fresh is None:
        parts.append(Text("that is the agent as it was: nothing better was found"))
    else:
        fresh = result.fresh
        parts.append(Text(f"its lead over {result.agent} on {fresh.deals} fresh deals: {fresh.lead}"))
        parts.append(Text(f"its wins there: {fresh.wins}, par {fresh.par:.0%}"))
    note = (
        "Only the fresh deals say what it is worth: the figures it was chosen by flatter it, being the best of many. "
        "Intervals are 95 %, over deals."
    )
    return Group(*parts, Text(note, style="dim"))


def trials_table(result: "TuningResult") -> RenderableType:
    """The best trials; each named by the values that were tried."""
    from rich.table import Table

    failed = any(trial.forfeits for trial in result.trials)
    names = list(result.trials[0].values)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("trial", *names, result.objective, *(["forfeits"] if failed else [])):
        table.add_column(name, justify="right")
    for trial in result.best_trials[:TRIALS_SHOWN]:
        values = [str(value).lower() if isinstance(value, bool) else str(value) for value in trial.values.values()]
        table.add_row(str(trial.number), *values, str(trial.objective), *([str(trial.forfeits)] if failed else []))
    return table


def bracket_table(result: "TuningResult") -> RenderableType:
    """The last rounds, match by match."""
    from rich.table import Table

    names = [part.partition("=")[0] for part in result.over.split(",")]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("round", "winner", "over", "wins"):
        table.add_column(name, overflow="fold", justify="right" if name == "wins" else "left")
    for number, matches in enumerate(result.bracket, 1):
        if len(matches) > MATCHES_SHOWN:
            table.add_row(str(number), f"{len(matches)} matches", "", "")
            continue
        for match in matches:
            loser = match.second if match.winner == match.first else match.first
            over = tried(loser, names) if loser else "nobody: a bye"
            table.add_row(str(number), tried(match.winner, names), over, str(match.wins or ""))
    return table


def tried(text: str, names: list[str]) -> str:
    """The values of an agent that were tried, for the others are the same in every row."""
    from facedown.agents import agent

    options = agent(text).options
    return ",".join(f"{name}={options[name].value}" for name in names)
