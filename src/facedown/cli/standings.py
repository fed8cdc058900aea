"""The standings of a tournament at a terminal, whatever its width: no label is ever given up for a figure."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from facedown.cli.cells import printable
from facedown.options import parse_text

if TYPE_CHECKING:
    from facedown.arena.standings import Ledger, Standing
    from facedown.stats import Estimate

GAP = 2  # columns between two figures
REASONS_SHOWN = 3  # of an agent's forfeits
LONGEST_REASON = 160  # letters
LEFT_OUT = "…"


class Standings:
    """How each agent did; `brief` where it is drawn again and again, and has to stay low."""

    def __init__(self, ledger: "Ledger", standings: "list[Standing]", brief: bool = False) -> None:
        """The letters are those of the order in which the agents were named."""
        self.agents, self.standings, self.brief = ledger.schedule.agents, standings, brief
        self.letters = letters_of(self.agents)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Names, figures and forfeits, within the width there is."""
        width = options.max_width
        labels = brief_labels(self.agents)
        for one in self.standings:
            letter = self.letters[one.agent]
            lines = [labels[one.agent]] if self.brief else broken(one.agent, width - len(letter) - GAP)
            for number, line in enumerate(lines):
                margin = f"{letter}  " if number == 0 else " " * (len(letter) + GAP)
                yield Text(margin + line, no_wrap=True, overflow="ellipsis")
        yield from self.figures(width)
        for line in self.forfeits():
            yield Text(line, no_wrap=self.brief, overflow="ellipsis" if self.brief else "fold")

    def figures(self, width: int) -> "list[Table]":
        """The figures, in as many tables as it takes to have all of them whole."""
        marks = [self.letters[one.agent] for one in self.standings]
        columns = {
            "games": [str(one.games) for one in self.standings],
            "score": [short(one.score).removeprefix("+") for one in self.standings],
            "lead": [short(one.lead) for one in self.standings],
            "wins": [short(one.wins) for one in self.standings],
            "par": [f"{one.par:.0%}" for one in self.standings],
        }
        if any(one.elo for one in self.standings):
            columns["Elo"] = [short(one.elo) for one in self.standings]
        label = max([len(mark) for mark in marks], default=1)
        parts: list[list[str]] = [[]]
        left = width - label
        for name, cells in columns.items():
            wide = max(cell_len(cell) for cell in (name, *cells)) + GAP
            if wide > left and parts[-1]:
                parts.append([])
                left = width - label
            parts[-1].append(name)
            left -= wide
        return [table_of(marks, {name: columns[name] for name in part}) for part in parts]

    def forfeits(self) -> list[str]:
        """Who forfeited how many games, and why: the commonest reasons."""
        lines = []
        for one in self.standings:
            if not one.forfeits:
                continue
            common = list(one.reasons.items())[:REASONS_SHOWN]
            more = len(one.reasons) - len(common)
            words = [reason if len(one.reasons) == 1 else f"{count} x {reason}" for reason, count in common]
            words += [f"{more} other reasons"] if more else []
            reasons = "; ".join(
                printable(word if len(word) <= LONGEST_REASON else f"{word[:LONGEST_REASON]}…") for word in words
            )
            games = "1 game" if one.forfeits == 1 else f"{one.forfeits} games"
            lines.append(f"{self.letters[one.agent]} forfeited {games}: {reasons}")
        return lines


def table_of(marks: Sequence[str], columns: dict[str, list[str]]) -> Table:
    """Figures under their names, each row with its letter."""
    table = Table(box=None, padding=0, pad_edge=False, header_style="dim")
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(f"{' ' * GAP}{name}", justify="right", no_wrap=True)
    for number, mark in enumerate(marks):
        table.add_row(mark, *(f"{' ' * GAP}{cells[number]}" for cells in columns.values()))
    return table


def letters_of(agents: Sequence[str]) -> dict[str, str]:
    """A letter for each agent, or a number where there are many: their texts are too long for a table."""
    few = len(agents) <= len(ascii_uppercase)
    return {agent: ascii_uppercase[place] if few else str(place + 1) for place, agent in enumerate(agents)}


def short(estimate: "Estimate | None") -> str:
    """A figure for a table, whose foot says if it was stopped early."""
    return str(estimate or "").removesuffix(", stopped early")


# --- Agents' texts ----------------------------------------------------------------------------------------------------


def broken(text: str, width: int) -> list[str]:
    """A text in lines, broken after commas where that is possible."""
    lines, line, most = [], "", max(1, width)
    *parts, last = text.split(",")
    for part in (*(f"{one}," for one in parts), last):
        if line and len(line) + len(part) > most:
            lines.append(line)
            line = ""
        line += part
        while len(line) > most:
            lines.append(line[:most])
            line = line[most:]
    return [*lines, line]


def brief_labels(agents: Sequence[str]) -> dict[str, str]:
    """Agents' texts less the options that all agents of the same name share: what is left distinguishes them."""
    parsed = {agent: parse_text(agent) for agent in agents}
    labels = {}
    for agent, (name, options) in parsed.items():
        alike = [others for other, (theirs, others) in parsed.items() if theirs == name and other != agent]
        own = [key for key in options if not alike or any(others.get(key) != options[key] for others in alike)]
        kept = [part for part in agent.removeprefix(f"{name}:").split(",") if part.partition("=")[0].strip() in own]
        kept += [LEFT_OUT] if len(own) < len(options) else []
        labels[agent] = f"{name}:{','.join(kept)}" if kept else name
    return labels
