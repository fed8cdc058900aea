"""The chance to win a match, for reward=match: of Hearts, Sueca and Bisca."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Group, RenderableType

from facedown.cli.trainers import GamesTrainer
from facedown.errors import BadOption
from facedown.options import parse_text

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.store import Store
    from facedown.training.self_play import Watch


class MatchTrainer(GamesTrainer):
    """Matches of self-play, or of a store, make a model of how matches end."""

    model = "match"
    out = "match-model.npz"
    defaults: ClassVar[dict[str, str | None]] = {
        "games": "200",
        "test_games": "40",
        "agent": "ismcts:iterations=300",
        "run": None,
    }

    def __init__(self, game: str, options: dict[str, str | None], seed: int, recorded: bool) -> None:
        """See Trainer."""
        from facedown.games import load

        super().__init__(game, options, seed, recorded)
        if not recorded and not load(game).options["match"].value:
            raise BadOption(f"expected a match to train on, such as {parse_text(game)[0]}:match=100, got {game}")

    def train(self, store: "Store", workers: "Workers", watch: "Watch") -> None:
        """See Trainer."""
        from facedown.training.match_model import matches_in

        self.matches, self.tests = map(matches_in, self.games(store, workers, watch))

    def save(self, out: Path) -> None:
        """See Trainer."""
        from facedown.training.match_model import calibration, fit

        model = fit(self.matches, out, {"command": self.command}, seed=self.seed)
        self.calibration = calibration(self.tests, model)

    def report(self) -> dict[str, Any]:
        """See Trainer."""
        return {"command": self.command, "matches": len(self.matches.deals), "test": vars(self.calibration)}

    def summary(self) -> RenderableType:
        """See Trainer."""
        from rich.table import Table
        from rich.text import Text

        found = self.calibration
        heading = f"{self.game}: {len(self.matches.all_deals)} deals in {len(self.matches.deals)} matches"
        fit = (
            f"Brier score {found.brier:.3f} on {found.matches} other matches; equal chances have {found.brier_of_equal:.3f}"
        )
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("said", "won", "forecasts"):
            table.add_column(name, justify="right")
        for said, won, count in found.table:
            table.add_row(f"{said:.0%}", f"{won:.0%}", str(count))
        return Group(Text(heading, style="bold"), Text(fit), table)

    def use(self, out: Path) -> str:
        """See Trainer."""
        return "a file of this form, in the game's folder, is what reward=match reads"
