"""The command facedown reproduce."""

import json as jsons
import shlex
import time
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console, Group, RenderableType

from facedown.cli.arguments import AS_JSON, FIXED_SEED, ON, WHERE, WORKERS, whole
from facedown.cli.bar import Bar
from facedown.cli.output import stdout_for_results
from facedown.errors import FacedownError
from facedown.files import check_place, write_text

if TYPE_CHECKING:
    from facedown.lab.experiments import ExperimentResult, Table
    from facedown.lab.report.origin import Origin

FORMS = (".html", ".csv", ".json")
RUNS_SHOWN = 4
INSTALLED = "Of installed packages"


def reproduce(
    experiment: str = typer.Argument(None, help="An experiment, module:NAME or FILE.py:NAME; without one they are listed."),
    scale: str = typer.Option("quick", help="How large: quick, for a look, or full, as published."),
    seed: str = FIXED_SEED,
    deals: str = typer.Option(
        None,
        metavar="N",
        help="N deals in each tournament, in place of as many as it has; for cheat-models N claims of each person.",
    ),
    from_store: str = typer.Option(
        None, "--from-store", metavar="FILE|URL", help="hearts-moons: judge the recorded games of this store."
    ),
    run: str = typer.Option(None, metavar="NAME", help="With --from-store: only the games of this run."),
    store: str = WHERE,
    on: str = ON,
    workers: str = WORKERS,
    out: Path = typer.Option(None, metavar="FILE", help="Write the outcome too: as .html, .csv or .json."),
    json: bool = AS_JSON,
) -> None:
    """Make a published experiment again, our figures beside its own; the same command resumes a run that was stopped."""
    from facedown.lab.experiments import ExperimentSettings
    from facedown.lab.experiments import experiment as find
    from facedown.store import Store

    if experiment is None:
        if out:
            raise FacedownError(f"expected an experiment, to write its outcome to {out}; `facedown reproduce` lists them")
        print_list(json)
        return
    found = find(experiment)
    check_file(out)
    start, count = whole("seed", seed, 0), None if workers is None else whole("workers", workers, 1)
    most = None if deals is None else whole("deals", deals, 1)
    settings = ExperimentSettings(scale, start, on=on, workers=count, deals=most, recorded=from_store is not None, run=run)
    found.check(settings)  # refused before a store is made
    begin = time.perf_counter()
    with Store.open(from_store or store, create=from_store is None) as opened, Bar(quiet=json) as bar, stdout_for_results():
        try:
            outcome = found.run(replace(settings, store=opened, progress=bar.show))
        except KeyboardInterrupt:
            bar.say_where_it_stopped(opened.name)
            raise
    if experiment != outcome.experiment:  # one of the user's own, which has no name to be found by
        again = outcome.command.replace(f" {outcome.experiment} ", f" {shlex.quote(experiment)} ", 1)
        outcome = replace(outcome, command=again)
    if out:
        from facedown.lab.report.origin import origin_of

        words = outcome.command.split()[1:]
        write_text(out, written(outcome, out.suffix, origin_of(words, time.perf_counter() - begin)))
    if json:
        print(jsons.dumps(outcome.to_dict()))
    else:
        Console(highlight=False).print(summary(outcome))
        if out:
            print(f"written to {out}")


def check_file(file: Path | None) -> None:
    """Refuse what cannot be written before anything is played."""
    if file is not None and file.suffix not in FORMS:
        raise FacedownError(f"expected a file that ends in {', '.join(FORMS)}, got {file}")
    if file is not None:
        check_place(file)


def print_list(json: bool) -> None:
    """The experiments there are, study by study."""
    from rich.text import Text

    from facedown.lab.book.studies import STUDIES
    from facedown.lab.experiments import experiment as find
    from facedown.lab.experiments import experiments

    entries = {name: find(name) for name in experiments()}
    if json:
        print(jsons.dumps([{"name": one.name, "title": one.title, "source": one.source} for one in entries.values()]))
        return
    groups = {f"{study.title}: {study.source}": list(study.experiments) for study in STUDIES}
    named = {name for names in groups.values() for name in names}
    groups[INSTALLED] = [name for name in entries if name not in named]
    width = max(map(len, entries))
    console = Console(highlight=False)
    for heading, names in groups.items():
        lines = [Text.assemble((f"{name:{width}}", "bold green"), f"  {entries[name].title}") for name in names]
        for line in [Text(heading, style="bold"), *lines] if names else []:
            if console.is_terminal:
                line.truncate(console.width, overflow="ellipsis")
            console.print(line, soft_wrap=True)


def written(outcome: "ExperimentResult", suffix: str, origin: "Origin") -> str:
    """The outcome as a file."""
    from facedown.lab.book.studies import background_of
    from facedown.lab.experiments.written import csv_result, html_result

    if suffix == ".json":
        spent = {name: round(getattr(outcome, name), 1) for name in ("seconds_played", "cpu_seconds")}
        made = {**asdict(origin), "date": f"{date.today()}", **spent, "uncounted": outcome.uncounted}
        return f"{jsons.dumps({**outcome.to_dict(), 'origin': made}, indent=1, ensure_ascii=False)}\n"
    if suffix == ".csv":
        return csv_result(outcome)
    return html_result(outcome, origin, background_of(outcome.experiment))


# --- What a person sees -----------------------------------------------------------------------------------------------


def summary(outcome: "ExperimentResult") -> RenderableType:
    """The whole outcome for a person."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(outcome.title, style="bold"), Text(outcome.source), Text("")]
    for table in outcome.tables:
        parts += [figures(table), Text("")]
    parts += [claims(outcome), Text("")] if outcome.claims_shown else []
    parts += [Text(outcome.claims_left), Text("")] if outcome.claims_left else []
    parts += [Text(str(test)) for test in outcome.tests]
    parts += [Text(note, style="dim") for note in outcome.notes]
    if outcome.runs:
        more = f" and {len(outcome.runs) - RUNS_SHOWN} more" if len(outcome.runs) > RUNS_SHOWN else ""
        parts.append(Text(f"runs {', '.join(outcome.runs[:RUNS_SHOWN])}{more}", style="dim"))
    return Group(*parts, Text(f"again: {outcome.command}", style="dim"))


def claims(outcome: "ExperimentResult") -> RenderableType:
    """What the paper claims, and whether it holds here."""
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column("Claims", overflow="fold")
    grid.add_column("ours", justify="right", no_wrap=True)
    grid.add_column("verdict", no_wrap=True)
    for claim in outcome.claims_shown:
        told = [f"published {claim.published}"] if claim.published else []
        words = Text(claim.text).append("\n" + "; ".join([*told, *filter(None, [claim.remark])]), style="dim")
        grid.add_row(words, claim.ours, claim.verdict)
    return grid


def figures(table: "Table") -> RenderableType:
    """A table of the outcome."""
    from rich.table import Table as Grid

    grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(table.title, overflow="fold")
    for name in ("published", "ours", "n"):
        grid.add_column(name, justify="right", no_wrap=True)
    for row in table.rows:
        grid.add_row(row.label, *row.texts, row.count)
    return grid
