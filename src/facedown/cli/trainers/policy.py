"""The learnt policy of a game, for the options inference=policy and playout=policy."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Group, RenderableType

from facedown.cli.trainers import GamesTrainer
from facedown.files import write_text
from facedown.options import parse_text

if TYPE_CHECKING:
    from facedown.arena.workers import Workers
    from facedown.store import Store
    from facedown.training.self_play import Watch


class PolicyTrainer(GamesTrainer):
    """Self-play, or the games of a store, make a policy."""

    model = "policy"
    out = "policy.json"
    defaults: ClassVar[dict[str, str | None]] = {
        "games": "600",
        "test_games": "100",
        "agent": "ismcts:iterations=3000",
        "run": None,
        "players": "*",
    }

    def train(self, store: "Store", workers: "Workers", watch: "Watch") -> None:
        """See Trainer."""
        from facedown.training.policies import train_policy

        players = str(self.options["players"])
        source = f"recorded games of players that match {players}"
        whose = f" --players '{players}'"
        if not self.recorded and players == "*":
            source, whose = f"self-play of {', '.join(self.agents)}", ""
        elif not self.recorded:
            source = f"games of {', '.join(self.agents)}, actions of players that match {players}"
        about = {"trained_on": source, "command": f"{self.command}{whose}"}
        records, tests = self.games(store, workers, watch)
        self.policy = train_policy(parse_text(self.game)[0], records, tests, about, players, watch)

    def save(self, out: Path) -> None:
        """See Trainer."""
        write_text(out, self.policy.to_json())

    def report(self) -> dict[str, Any]:
        """See Trainer."""
        return {"about": self.policy.about}

    def summary(self) -> RenderableType:
        """See Trainer."""
        from rich.table import Table
        from rich.text import Text

        about, test = self.policy.about, self.policy.about["test"]
        heading = f"{self.game}: {about['choices']} choices in {about['deals']} deals, {len(self.policy.weights)} modes"
        fit = (
            f"mean log chance of a choice: {test['log_chance']:.3f}, uniformly {test['log_chance_uniform']:.3f}; "
            f"{test['choices']} choices of {test['games']} other games"
        )
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("quarter", "decisions", "true world (log)", "likelier", "right holder", "uniform", "gain", "effective"):
            table.add_column(name, justify="right")
        for row in test["by_quarter"]:
            ratio, gain = row["log_ratio"], row["gain"]
            table.add_row(
                str(row["quarter"]),
                str(row["decisions"]),
                f"{ratio[0]:+.2f} ({ratio[1]:+.2f} to {ratio[2]:+.2f})",
                f"{row['better']:.0%}",
                f"{row['right_holder']:.1%}",
                f"{row['right_holder_uniform']:.1%}",
                f"{gain[0]:+.1%} ({gain[1]:+.1%} to {gain[2]:+.1%})",
                f"{row['effective_share']:.0%}",
            )
        note = (
            f"Worlds drawn uniformly and weighed by the policy, at {test['microseconds_a_world']} microseconds of CPU each."
        )
        return Group(Text(heading, style="bold"), Text(fit), table, Text(note, style="dim"))

    def use(self, out: Path) -> str:
        """See Trainer."""
        return f"ismcts:inference=policy,model={out} plays by it"
