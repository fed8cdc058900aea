"""The result of an audit: a finding for each check, with an example in words where something is wrong."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.stats import Estimate

MEANINGS = {
    "limits": "all answers keep to their arrays, and to the seats, actions and rewards declared",
    "replay": "every world drawn could have been dealt, and played as the game was",
    "complete": "the worlds counted are those that could have been dealt and played, no more, no fewer",
    "uniform": "each world is drawn as often as any other",
    "hide": "a view is the same whatever lies hidden",
    "choice": "the agent's choice is the same whatever lies hidden",
}


@dataclass(frozen=True)
class Example:
    """One fault, and how to reach the position where it shows."""

    words: str
    seat: int  # whose view it is about
    seed: int  # of the deal
    actions: list[str] = field(default_factory=list)  # that lead there

    def __str__(self) -> str:
        """The fault after the place."""
        return f"seed {self.seed}, after {len(self.actions)} actions, view of seat {self.seat}: {self.words}"

    def to_dict(self) -> dict[str, Any]:
        """The example as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    name: str
    positions: int = 0
    looked_at: int = 0  # worlds, draws, views or choices, in `unit`
    unit: str = "worlds"
    failures: int = 0
    example: Example | None = None  # the first failure
    p: float | None = None  # of a statistical check: the least, adjusted for the number of positions
    share: Estimate | None = None  # of failures, where there are any
    remark: str = ""  # what was left out, and why
    skipped: bool = False

    @property
    def passed(self) -> bool:
        """Whether nothing was found; also true for a skipped check."""
        return self.failures == 0

    @property
    def failed(self) -> str:
        """How much failed, in words."""
        by_position = self.name in ("complete", "uniform", "choice")
        amount, unit = (self.positions, "positions") if by_position else (self.looked_at, self.unit)
        return f"{self.failures:,} of {amount:,} {unit}"

    @property
    def meaning(self) -> str:
        """What holds true if the check passes."""
        return MEANINGS[self.name]

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data."""
        data = {one: getattr(self, one) for one in ("name", "meaning", "positions", "looked_at", "unit", "failures")}
        return {
            **data,
            "passed": self.passed,
            "skipped": self.skipped,
            "p": self.p,
            "share": self.share and self.share.to_dict(),
            "remark": self.remark,
            "example": self.example and self.example.to_dict(),
        }


@dataclass(frozen=True)
class AuditReport:
    """The findings of an audit of a game, perhaps with an agent."""

    game: str
    agent: str | None
    deals: int
    seed: int
    findings: Sequence[Finding]

    @property
    def passed(self) -> bool:
        """Whether something was checked, and no check failed."""
        return self.checked and all(finding.passed for finding in self.findings)

    @property
    def checked(self) -> bool:
        """Whether any check looked at something."""
        return any(finding.looked_at for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        return {finding.name: finding for finding in self.findings}[name]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        return {
            "game": self.game,
            "agent": self.agent,
            "deals": self.deals,
            "seed": self.seed,
            "passed": self.passed,
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def table(self) -> RenderableType:
        """The report as a table: a row for each check, then the first example of each fault."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for heading in ("check", "result", "looked at", "what holds if it passes"):
            table.add_column(heading, no_wrap=heading != "what holds if it passes")
        below: list[RenderableType] = []
        for finding in self.findings:
            table.add_row(finding.name, _result(finding), _amount(finding), finding.meaning)
            if finding.remark:
                below.append(Text(f"{finding.name}: {finding.remark}", style="dim"))
            if finding.example:
                below += [Text(), *_example(finding, finding.example)]
        players = f"{self.game}, {self.agent}" if self.agent else self.game
        found = "faults found" if not all(finding.passed for finding in self.findings) else "nothing could be checked"
        verdict = Text("nothing found", "bold green") if self.passed else Text(found, "bold red")
        first = Text.assemble((f"{players}: {self.deals} deals, seed {self.seed}: ", "bold"), verdict)
        return Group(first, Text(), table, *([Text()] if below else []), *below)


def _result(finding: Finding) -> Text:
    if finding.skipped:
        return Text("skipped", "dim")
    if finding.passed:
        return Text("passed", "green")
    return Text(f"FAILED {finding.failures:,}", "bold red")


def _amount(finding: Finding) -> str:
    if finding.skipped:
        return ""
    amount = f"{finding.looked_at:,} {finding.unit}"
    return amount if finding.p is None else f"{amount}, p {finding.p:.2g}"


def _example(finding: Finding, example: Example) -> list[Text]:
    """A fault's share, its first example, and the actions that lead there."""
    share = f", {finding.share}" if finding.share else ""
    lines = [Text(f"{finding.name}: {finding.failed}{share}", "bold red")]
    lines.append(Text(f"  {example}"))
    if example.actions:
        lines.append(Text(f"  actions from seed {example.seed}: {' '.join(example.actions)}", style="dim"))
    return lines
