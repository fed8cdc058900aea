"""What a search thought, for a person: in a line and in a table."""

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from facedown.analysis.reasons import (
    PLAIN,
    Risks,
    are_cards,
    half_of,
    in_short,
    is_loss,
    sentences,
    share_of,
    unsearched,
)
from facedown.analysis.value import LEAD, REWARD, SCORE, WIN, Measure
from facedown.search.decision import Candidate, Decision
from facedown.terminal.words import card, row_of

CANDIDATES_SHOWN = 13
BAR_LENGTH = 12

Say = Callable[[str], str]


def hint_line(decisions: Sequence[Decision], measure: Measure = PLAIN) -> Text:
    """What to do in one line: all that a turn asks for, and why the first."""
    words = row_of([text for decision in decisions for text in decision.texts])
    line = Text.assemble("hint: ", words, f", {in_short(decisions[0], measure)}")
    return line.append("; more: why") if decisions[0].candidates else line


def decision_table(
    decision: Decision,
    measure: Measure = PLAIN,
    taken: int | None = None,
    whose: str = "yours",
    *,
    say: Say = str,
    risks: Risks | None = None,
) -> RenderableType:
    """The candidates of a decision with what is expected of each, why the best is best, and the line that is expected."""
    if decision.forced:
        return Text.assemble(" ", card(decision.text), " was the only choice: there was nothing to search")
    if not decision.candidates:
        return Text.assemble(" ", card(decision.text), f", {unsearched(decision)}")
    rows = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    rows.add_column(no_wrap=True, overflow="ellipsis")
    for title in (heading(measure), "costs", "tried", ""):
        rows.add_column(title, justify="left" if title in ("tried", "") else "right", no_wrap=True)
    best = decision.candidates[0]
    ours = None if taken is None else next((one for one in decision.candidates if one.has(taken)), None)
    for candidate in decision.candidates[:CANDIDATES_SHOWN]:
        share = share_of(candidate, decision)
        rows.add_row(
            row_of(candidate.text.split()) if are_cards(candidate) else Text(say(candidate.text)),
            figure(candidate, measure),
            "" if candidate is best else cost(best, candidate, measure),
            Text.assemble(("█" * round(share * BAR_LENGTH), "cyan"), f" {share:.0%}"),
            f"← {whose}" if candidate is ours else "",
        )
    lines = [Text(f" {sentence}") for sentence in sentences(decision, measure, taken, whose, risks or {})]
    line = Text.assemble((" expected line  ", "dim"), row_of(decision.line))
    return Group(rows, *lines, line, Text(f" {about(decision)}", "dim"))


def heading(measure: Measure) -> str:
    """In which units a column of figures is."""
    unit = {WIN: "chance to win", LEAD: "points ahead", SCORE: "points", REWARD: f"{measure.name} reward"}[measure.unit]
    return f"{unit}, at least" if measure.at_least else unit


def figure(candidate: Candidate, measure: Measure) -> str:
    """What a search expects of an action, in the units of its column."""
    value, half = measure.value(candidate.mean), abs(measure.scale) * half_of(candidate)
    if measure.unit == WIN:
        return f"{100 * value:.0f} ± {100 * half:.0f} %"
    return f"{value:.3f} ± {half:.3f}" if measure.unit == REWARD else f"{value:+.1f} ± {half:.1f}"


def cost(best: Candidate, other: Candidate, measure: Measure) -> str:
    """What another action than the best would cost; a dash where it does as well."""
    loss = best.mean - other.mean
    words = measure.cost(loss).removesuffix(" of the chance to win").removeprefix("a lead of ")
    return words if is_loss(loss, measure) else "-"


def about(decision: Decision) -> str:
    """How much was searched."""
    seconds = f" in {decision.seconds:.2f} s" if decision.seconds else ""  # records do not keep them
    figures = f"{decision.iterations} iterations{seconds}"
    if decision.depth_most:
        figures += f"; depth {decision.depth_mean:.1f} on average, {decision.depth_most} at most"
    if isinstance(decision.beliefs, list) and len(decision.beliefs) > 1:
        figures += f"; the last action's kinds believed {', '.join(f'{belief:.0%}' for belief in decision.beliefs)}"
    return figures
