"""The command facedown train."""

import json as jsons
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group, RenderableType

from facedown.cli.arguments import AS_JSON, FIXED_SEED, ON, WHERE, WORKERS, whole
from facedown.cli.bar import Bar
from facedown.errors import BadOption, FacedownError, require_extra, shown
from facedown.files import check_place, write_text
from facedown.options import read_number

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.store import Store
    from facedown.training.evaluation import Evaluation
    from facedown.training.games import Watch
    from facedown.training.training import Trained

LEAST_CLAIMS = 50  # of each kind
ROWS = {"forest": "random forest", "boosting": "gradient boosting"}


def train(
    game: str = typer.Argument(help="The game whose claims are modelled: cheat."),
    games: str = typer.Option("600", metavar="N", help="How many games simulated players play to train on."),
    test_games: str = typer.Option(None, metavar="N", help="How many others play to test on; by default half as many."),
    people: str = typer.Option("0-59", metavar="A-B", help="The styles to train on."),
    test_people: str = typer.Option("60-89", metavar="A-B", help="The styles to test on, none of which is trained on."),
    ceiling: str = typer.Option(
        "0", metavar="N", help="Games by which to measure the best that is possible for test players."
    ),
    from_store: str = typer.Option(None, "--from-store", metavar="FILE|URL", help="Train on recorded games of this store."),
    run: str = typer.Option(None, help="With --from-store: only the games of this run."),
    players: str = typer.Option("human", metavar="PATTERN", help="With --from-store: whose claims; * is everybody's."),
    seed: str = FIXED_SEED,
    trees: str = typer.Option("80", metavar="N", help="How many trees the forest has."),
    store: str = WHERE,
    on: str = ON,
    workers: str = WORKERS,
    out: Path = typer.Option(Path("cheat-model.npz"), metavar="FILE", help="Where to write the model."),
    plot: Path = typer.Option(None, metavar="FILE", help="Write the ROC curves too, as SVG."),
    json: bool = AS_JSON,
) -> None:
    """Train a model of bluffing for agent pmga; the same command resumes a run that was stopped."""
    from facedown.arena.executors import start_workers
    from facedown.store import Store

    if game != "cheat":
        raise FacedownError(f"expected cheat, the game whose claims may be lies, got {game}")
    for file in (out, plot):
        if file is not None:
            check_place(file)
    start, size = whole("seed", seed, 0), whole("trees", trees, 1)
    count = whole("games", games, 1)
    counts = [count, whole("test_games", test_games, 1) if test_games else max(1, count // 2), whole("ceiling", ceiling, 0)]
    groups = [styles("people", people), styles("test_people", test_people)]
    if set(groups[0]) & set(groups[1]):
        raise BadOption(f"expected other people to test on than to train on, got {people} and {test_people}")
    require_extra("sklearn", "scikit-learn", "train")
    pool = start_workers(on, None if workers is None else whole("workers", workers, 1))
    where = from_store or store
    with Store.open(where, create=from_store is None) as opened, pool, Bar(quiet=json) as bar:
        try:
            if from_store:
                result = from_records(opened, run, players, start, size, pool, bar.show)
            else:
                result = from_people(opened, groups, counts, start, size, pool, bar.show)
        except KeyboardInterrupt:
            bar.say_where_it_stopped(opened.name)
            raise
    result.forest.save(out)
    if plot:
        write_text(plot, roc_plot(result))
    if json:
        print(jsons.dumps({"model": str(out), "about": result.forest.about, **result.to_dict()}))
    else:
        Console(highlight=False).print(summary(result))
        print(f"the model is in {out}: pmga:model={out} plays by it", file=sys.stderr)


def styles(name: str, text: str) -> range:
    """Numbers of simulated players, from A-B."""
    from facedown.games.cheat.styles import STYLES

    first, last = (read_number(part) for part in text.partition("-")[::2])
    if not (isinstance(first, int) and isinstance(last, int) and 0 <= first < last < STYLES):
        raise BadOption(f"option {name}: expected A-B, from 0-1 to {STYLES - 2}-{STYLES - 1}, got {shown(text)}")
    return range(first, last + 1)


def from_people(
    store: "Store", groups: list[range], counts: list[int], seed: int, trees: int, workers: "Workers", watch: "Watch"
) -> "Trained":
    """Let simulated players play, and train on their claims."""
    from facedown.training.games import check_enough, claims_in, play_people, span
    from facedown.training.training import train as fit

    found = []
    for people, games, step in ((groups[0], counts[0], 0), (groups[1], counts[1], 1), (groups[1], counts[2], 2)):
        if games:
            run = play_people(store, people, games, seed * 10 + step, workers, watch)  # other deals for each group
            found.append(claims_in(store, run, "*", workers, watch, games))
            check_enough(found[-1], f"the games of people {span(people)}", "*", LEAST_CLAIMS)
    about = {
        "trained_on": "make-believe people: agents cheat-person",
        "people": span(groups[0]),
        "test_people": span(groups[1]),
        "seed": seed,
        "command": f"facedown train cheat --games {counts[0]} --test-games {counts[1]} --ceiling {counts[2]} "
        f"--people {span(groups[0])} --test-people {span(groups[1])} --trees {trees} --seed {seed}",
    }
    return fit(found[0], about, found[1], found[2] if counts[2] else None, seed, trees, watch)


def from_records(
    store: "Store", run: str | None, players: str, seed: int, trees: int, workers: "Workers", watch: "Watch"
) -> "Trained":
    """Train on the games of a store."""
    from facedown.training.games import check_enough, claims_in
    from facedown.training.training import train as fit

    claims = claims_in(store, run, players, workers, watch)
    check_enough(claims, store.name, players, LEAST_CLAIMS)
    only = f" --run {run}" if run else ""
    about = {
        "trained_on": f"recorded games of players that match {players}",
        "seed": seed,
        "command": f"facedown train cheat --from-store ...{only} --players '{players}' --trees {trees} --seed {seed}",
    }
    return fit(claims, about, seed=seed, trees=trees, watch=watch)


# --- What a person sees -----------------------------------------------------------------------------------------------


def summary(result: "Trained") -> RenderableType:
    """The figures for a person."""
    from rich.table import Table
    from rich.text import Text

    about = result.forest.about
    heading = f"cheat: {about['claims']} claims of {about['players']} players in {about['games']} games"
    tests = [(f"{ROWS[kind]}, each player left out", one) for kind, one in result.left_out.items()]
    tests += [(f"{ROWS[kind]}, test players", one) for kind, one in result.test.items()]
    tests += [("who knows their styles, test players", result.ceiling)] if result.ceiling else []
    tables = [figures_table(tests, names) for names in (("AUC", "G-mean"), ("TPR", "TNR"), ("Brier", "claims"))]
    note = "Intervals are 95 %, over players. Thresholds were chosen on training data."
    chances = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("chance said", "lies", "claims"):
        chances.add_column(name, justify="right")
    for row in (result.test or result.left_out)["forest"].reliability:
        chances.add_row(f"{row['chance']:.0%}", f"{row['lies']:.0%}", f"{row['claims']:.0f}")
    return Group(Text(heading, style="bold"), *tables, chances, Text(note, style="dim"))


def figures_table(tests: list[tuple[str, "Evaluation"]], names: tuple[str, ...]) -> RenderableType:
    """Some figures of all tests; not all at once, for a terminal is not so wide."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("", min_width=41, no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for tested, one in tests:
        plain = [f"{figure.value:.3f} ({figure.low:.3f}-{figure.high:.3f})" for figure in (one.auc, one.brier)]
        cells = {
            "AUC": plain[0],
            "G-mean": one.g_mean,
            "TPR": one.tpr,
            "TNR": one.tnr,
            "Brier": plain[1],
            "claims": one.claims,
        }
        table.add_row(tested, *(str(cells[name]) for name in names))
    return table


def roc_plot(result: "Trained") -> str:
    """The ROC curves as SVG."""
    from facedown.lab.report.plots import shares, standalone

    found: dict[str, Any] = {}
    for kind, one in (result.test or result.left_out).items():
        found[f"{ROWS[kind]}: AUC {one.auc.value:.3f}"] = one.curve
    if result.ceiling:
        found[f"who knows styles: AUC {result.ceiling.auc.value:.3f}"] = result.ceiling.curve
    return standalone(shares(found, "ROC curves", "truths taken for lies", "lies found"))
