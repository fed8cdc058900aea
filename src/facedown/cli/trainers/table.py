"""The table of spade honours of Hearts, for agent ismcts-ti."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Group, RenderableType

from facedown.cli.trainers import Trainer

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.store import Store
    from facedown.training.self_play import Watch

COLUMNS = {
    "decisions": "decisions",
    "inferred": "inferred",
    "uniform": "uniform",
    "likelier": "truth likelier",
    "covered": "players covered",
}


class TableTrainer(Trainer):
    """Self-play without passing, or the deals of a store, make a table."""

    out = "hearts-table.npz"
    defaults: ClassVar[dict[str, str | None]] = {
        "games": "9000",
        "test_games": "500",
        "agent": "ismcts-t:iterations=500",
        "run": None,
        "players": "*",
    }

    def __init__(self, game: str, options: dict[str, str | None], seed: int, recorded: bool) -> None:
        """See Trainer."""
        from facedown.arena.addresses import agent_text

        super().__init__(game, options, seed, recorded)
        self.counts = (self.number("games", 1), self.number("test_games", 1))
        self.agent = agent_text(str(options["agent"]))

    def train(self, store: "Store", workers: "Workers", watch: "Watch") -> None:
        """See Trainer."""
        from facedown.training.honours import train_by_self_play, train_on_records

        if self.recorded:
            run, players = self.options["run"], str(self.options["players"])
            self.table = train_on_records(store, run, players, workers, watch)
        else:
            self.table = train_by_self_play(store, self.agent, self.counts, self.seed, workers, watch)

    def save(self, out: Path) -> None:
        """See Trainer."""
        self.table.save(out)

    def report(self) -> dict[str, Any]:
        """See Trainer."""
        return {"about": self.table.about}

    def summary(self) -> RenderableType:
        """See Trainer."""
        from rich.table import Table
        from rich.text import Text

        about = self.table.about
        test = about["test"]
        heading = f"hearts: {about['histories']} histories of {about['observations']} observations in {about['deals']} deals"
        share = about["observations"] / about["observations_made"]
        size = (
            f"{about['histories_reached']} histories were reached; those reached fewer than {about['least_observations']} "
            f"times are left out, and with them {1 - share:.1%} of the observations"
        )
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("trick", *COLUMNS.values()):
            table.add_column(name, justify="right")
        for row in (*test["by_trick"], {"trick": "all", **test}, {"trick": "Q♠ left", **test["queen_left"]}):
            cells = (row.get(name, "") for name in COLUMNS)
            table.add_row(str(row["trick"]), *(f"{cell:.1%}" if isinstance(cell, float) else str(cell) for cell in cells))
        note = (
            f"Worlds in which Q♠, K♠ and A♠ lie right, at decisions of {test['deals']} other deals where that is not known. "
            "A player is covered if its newest history is in the table."
        )
        return Group(Text(heading, style="bold"), Text(size), table, Text(note, style="dim"))

    def use(self, out: Path) -> str:
        """See Trainer."""
        return f"ismcts-ti:model={out} plays by it"
