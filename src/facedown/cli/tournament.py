"""The command facedown tournament."""

import json as jsons
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group, RenderableType

from facedown.cli.arguments import AS_JSON, FIXED_SEED, MOST, ON, WHERE, WORKERS, number, whole
from facedown.cli.output import stdout_for_results
from facedown.cli.standings import Standings, letters_of, short
from facedown.errors import BadOption, FacedownError, require_extra, shown
from facedown.files import check_place, write_text
from facedown.options import read_number

if TYPE_CHECKING:
    from facedown.arena.tournament import Progress, TournamentResult

SHOWN_EVERY = 0.5  # seconds, at least
SHARE_FOR_SHOWING = 0.05  # of the time

MOST_ELO = 10_000.0  # that a sequential test may ask about


def tournament(
    game: str = typer.Argument(help="A game: hearts, sueca:match=10, file.py:NAME or module:NAME."),
    agents: list[str] = typer.Argument(help="Two agents or more: random, ismcts:iterations=2000, module:NAME."),
    deals: str = typer.Option("100", metavar="N", help="How many deals; each is played in all seatings."),
    seed: str = FIXED_SEED,
    name: str = typer.Option(None, help="A name for the run; the same name resumes it. By default one of its own."),
    store: str = WHERE,
    on: str = ON,
    workers: str = WORKERS,
    pairing: str = typer.Option("round-robin", help="Who meets: round-robin, or field: the first against each other."),
    seating: str = typer.Option("all", help="Who sits where on each deal: all arrangements, or rotations."),
    sprt: str = typer.Option(
        None, metavar="ELO0,ELO1", help="Stop as soon as a sequential test decides between two agents: 0,5."
    ),
    decisions: bool = typer.Option(False, "--decisions", help="Keep what the agents thought, for facedown replay."),
    move_seconds: str = typer.Option("600", metavar="S", help="An agent that takes longer for an action forfeits its game."),
    anova: bool = typer.Option(False, "--anova", help="Say how much each option of the agents explains."),
    html: Path = typer.Option(None, metavar="FILE", help="Write a report with plots."),
    csv: Path = typer.Option(None, metavar="FILE", help="Write the standings as comma-separated values."),
    json: bool = AS_JSON,
) -> None:
    """Play agents against each other on duplicate deals; the same command resumes a run that was stopped."""
    from facedown.arena.tournament import tournament as play
    from facedown.store import Store

    if anova:
        require_extra("statsmodels", "statsmodels", "stats")
    test = bounds(sprt) if sprt is not None else None
    for file in (html, csv):
        if file is not None:
            check_place(file)
    begin = time.perf_counter()
    with Store.open(store) as opened, Screen(quiet=json) as screen, stdout_for_results():
        try:
            result = play(
                game,
                agents,
                deals=whole("deals", deals, 1),
                seed=whole("seed", seed, 0),
                name=name,
                store=opened,
                on=on,
                workers=None if workers is None else whole("workers", workers, 1),
                pairing=pairing,
                seating=seating,
                decisions=decisions,
                move_seconds=number("move_seconds", move_seconds, 0.0, most=MOST["move_seconds"]),
                sprt=test,
                progress=screen.show,
            )
        except KeyboardInterrupt:
            screen.say_where_it_stopped()
            raise
    if html:
        from facedown.lab.report.origin import origin_of, tournament_words
        from facedown.lab.report.report import html_report

        how: dict[str, str | bool | None] = {
            "pairing": pairing,
            "seating": seating,
            "sprt": sprt,
            "decisions": decisions,
            "move-seconds": move_seconds,
        }
        words = tournament_words(game, agents, {"deals": deals, "seed": seed, "name": name, **how})
        origin = origin_of(words, time.perf_counter() - begin, screen.played_before())
        write_text(html, html_report(result, origin))
    if csv:
        from facedown.lab.report.report import csv_report

        write_text(csv, csv_report(result))
    if json:
        print(jsons.dumps({**result.to_dict(), **(analysis(result) if anova else {})}))
        return
    Console(highlight=False).print(summary(result))
    if anova:
        print(analysis_text(result))


def analysis(result: "TournamentResult") -> dict[str, Any]:
    """How much each option explains; None where these games do not say, for the rest of the result stands all the same."""
    try:
        return {"anova": result.anova().to_dict()["rows"]}
    except FacedownError:
        return {"anova": None}


def analysis_text(result: "TournamentResult") -> str:
    """The same for a person."""
    try:
        return str(result.anova())
    except FacedownError as error:
        return f"no analysis of variance: {error}"


def bounds(text: str) -> tuple[float, float]:
    """The two differences in Elo between which a sequential test decides."""
    found = [read_number(part) for part in text.split(",")]
    if len(found) != 2 or not all(isinstance(part, int | float) and abs(part) <= MOST_ELO for part in found):
        raise BadOption(f"option sprt: expected two numbers such as 0,5, got {shown(text)}")
    return float(found[0]), float(found[1])


# --- What a person sees -----------------------------------------------------------------------------------------------


class Screen:
    """A live table at a terminal; elsewhere a line now and then."""

    def __init__(self, quiet: bool) -> None:
        from rich.live import Live

        from facedown.cli.bar import Lines, Pace

        console = Console(stderr=True, highlight=False)
        self.pace = Pace()
        self.lines = Lines(quiet or console.is_terminal)
        self.live = None if quiet or not console.is_terminal else Live(console=console, refresh_per_second=2, transient=True)
        self.next = 0.0  # when the table may be drawn again: ratings of many games take a while
        self.last: Progress | None = None

    def __enter__(self) -> "Screen":
        if self.live:
            self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.live:
            self.live.stop()

    def show(self, progress: "Progress") -> None:
        """Draw how far it has come, a few times a second at most."""
        self.last = progress
        self.pace.note(progress.done, progress.total)
        begin = time.monotonic()
        if self.live and begin > self.next:
            self.live.update(Group(under_way(progress), HowFar(self)), refresh=True)
            end = time.monotonic()
            self.next = end + max(SHOWN_EVERY, (end - begin) / SHARE_FOR_SHOWING)
        self.lines.report(progress.name or "", f"{progress.done} of {progress.total} games", pace=self.pace)

    def played_before(self) -> str:
        """How many of the games were there when it began, in words; nothing if none were."""
        before = self.last.done - self.last.new if self.last else 0
        return f"{before} of {self.last.done} games were played before" if self.last and before else ""

    def say_where_it_stopped(self) -> None:
        """Tell that nothing is lost, below the table."""
        self.__exit__()
        if self.last:
            kept = f"{self.last.done} of {self.last.total} games are kept as {self.last.name}"
            print(f"stopped: {kept}; the same command resumes", file=sys.stderr)


def under_way(progress: "Progress") -> RenderableType:
    """The standings so far."""
    from rich.text import Text

    ledger = progress.ledger()
    return Group(Text(progress.name or "", style="bold"), Standings(ledger, ledger.standings(skills=False), brief=True))


class HowFar:
    """A line that goes with the clock, also while the table above it stays as it is."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def __rich__(self) -> RenderableType:
        """As it is now."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        last, pace, line = self.screen.last, self.screen.pace, Table.grid(padding=(0, 1))
        if last:
            bar = ProgressBar(last.total, last.done, width=12)
            line.add_row(f"{last.done} of {last.total} games", bar, pace.speed, ", ".join(pace.words))
        return line


def summary(result: "TournamentResult") -> RenderableType:
    """The whole result for a person."""
    from rich.text import Text

    plan = result.schedule
    letters = letters_of(plan.agents)
    deals = len(result.ledger.complete_deals())
    heading = f"{plan.game.full_name}: {deals} deals in {len(plan.lineups)} seatings, seed {plan.seed}; run {result.name}"
    lines: list[RenderableType] = [Text(heading, style="bold"), Standings(result.ledger, result.standings)]
    for one in result.comparisons:
        p = "" if one.p_adjusted is None else f", p {one.p_adjusted:.2g}"
        lines.append(Text(f"{letters[one.first]} against {letters[one.second]}: lead {short(one.difference)}{p}"))
    notes = "intervals are 95 %, over deals; p is adjusted for all comparisons"
    if result.sequential is not None:
        test = result.sequential
        low, high = test.bounds
        lines.append(Text(f"sequential test: {test.verdict or 'undecided'}, LLR {test.llr:.2f} in {low:.2f} to {high:.2f}"))
    if result.stopped_early:
        notes += "; stopped early by the test, so that they are too narrow and means too large"
    lines.append(Text(notes, style="dim"))
    return Group(*lines)
