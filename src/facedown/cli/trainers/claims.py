"""A model of bluffing in Cheat, for agent pmga."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Group, RenderableType

from facedown.cli.trainers import Trainer
from facedown.errors import BadOption, require_extra, shown
from facedown.files import check_place, write_text
from facedown.options import read_number

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.store import Store
    from facedown.training.evaluation import Evaluation
    from facedown.training.self_play import Watch
    from facedown.training.training import Trained

LEAST_CLAIMS = 50  # of each kind
ROWS = {"forest": "random forest", "boosting": "gradient boosting"}


class ClaimsTrainer(Trainer):
    """Claims of simulated players, or of a store's games, make a forest."""

    out = "cheat-model.npz"
    defaults: ClassVar[dict[str, str | None]] = {
        "games": "600",
        "test_games": None,
        "people": "0-59",
        "test_people": "60-89",
        "ceiling": "0",
        "run": None,
        "players": "human",
        "trees": "80",
        "plot": None,
    }

    def __init__(self, game: str, options: dict[str, str | None], seed: int, recorded: bool) -> None:
        """See Trainer."""
        super().__init__(game, options, seed, recorded)
        self.plot = Path(options["plot"]) if options["plot"] else None
        if self.plot:
            check_place(self.plot)
        self.trees = self.number("trees", 1)
        games = self.number("games", 1)
        tests = self.number("test_games", 1) if options["test_games"] else max(1, games // 2)
        self.counts = [games, tests, self.number("ceiling", 0)]
        people, others = str(options["people"]), str(options["test_people"])
        self.groups = [styles("people", people), styles("test_people", others)]
        if set(self.groups[0]) & set(self.groups[1]):
            raise BadOption(f"expected other people to test on than to train on, got {people} and {others}")
        require_extra("sklearn", "scikit-learn", "train")

    def train(self, store: "Store", workers: "Workers", watch: "Watch") -> None:
        """See Trainer."""
        if self.recorded:
            run, players = self.options["run"], str(self.options["players"])
            self.result = from_records(store, run, players, self.seed, self.trees, workers, watch)
        else:
            self.result = from_people(store, self.groups, self.counts, self.seed, self.trees, workers, watch)

    def save(self, out: Path) -> None:
        """Write the model, and the ROC curves if they are wanted."""
        self.result.forest.save(out)
        if self.plot:
            write_text(self.plot, roc_plot(self.result))

    def report(self) -> dict[str, Any]:
        """See Trainer."""
        return {"about": self.result.forest.about, **self.result.to_dict()}

    def summary(self) -> RenderableType:
        """See Trainer."""
        return summary(self.result)

    def use(self, out: Path) -> str:
        """See Trainer."""
        return f"pmga:model={out} plays by it"


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
        "trained_on": "simulated players: agents cheat-person",
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
