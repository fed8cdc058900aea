"""The book's pages: Markdown and pictures made from stored outcomes, never typed by hand."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from facedown.files import write_text
from facedown.lab.book.outcomes import Outcome
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments.claims import VERDICTS, Claim

RULE = (
    "A claim that something is larger is **confirmed** where the whole 95 % interval of ours lies on that side, and "
    "**refuted** where it lies on the other. A claim of a figure is confirmed where ours cannot differ from it by "
    "more than the stated margin, and refuted where it does. All else is **not decided**: more deals would be needed. "
    "**Not reproducible here** says why."
)
MADE = "Made by `facedown book --out docs/book` from the outcomes that `facedown reproduce NAME --out FILE.json` wrote."


def book(outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    """All files of the book by their names."""
    files = {"README.md": front_page(outcomes)}
    for study in STUDIES:
        files[f"{study.name}.md"] = study_page(study, outcomes)
    for name, outcome in outcomes.items():
        files |= {f"plots/{name}-{number}.svg": f"{plot}\n" for number, plot in enumerate(outcome.plots(), 1)}
    return files


def write_book(folder: Path, outcomes: Mapping[str, Outcome]) -> list[str]:
    """Write the book's files into a folder; their names."""
    files = book(outcomes)
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_text(folder / name, text)
    return list(files)


def claims_of(study: Study, outcomes: Mapping[str, Outcome]) -> list[tuple[Claim, str]]:
    """The claims of a study, each with the experiment that tries it."""
    tried = [(claim, name) for name in study.experiments if name in outcomes for claim in outcomes[name].claims]
    return [*tried, *((claim, "") for claim in study.impossible)]


def verdicts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many claims have each verdict."""
    counts = Counter(claim.verdict for claim in claims)
    return {verdict: counts[verdict] for verdict in VERDICTS}


# --- Pages ------------------------------------------------------------------------------------------------------------


def front_page(outcomes: Mapping[str, Outcome]) -> str:
    """What holds of each study."""
    lines = ["# The reproduction book", "", "Every published claim that was tried, and whether it holds here.", "", RULE, ""]
    counts = {study.name: verdicts(claim for claim, _ in claims_of(study, outcomes)) for study in STUDIES}
    rows = [[f"[{one.title}]({one.name}.md)", *map(str, counts[one.name].values())] for one in STUDIES]
    lines += [table(["study", *VERDICTS], rows), ""]
    for study in STUDIES:
        claims = claims_of(study, outcomes)
        if claims:
            lines += [f"## [{study.title}]({study.name}.md)", "", f"{study.source}.", "", claim_table(claims), ""]
    lines += [MADE, ""]
    return "\n".join(lines)


def study_page(study: Study, outcomes: Mapping[str, Outcome]) -> str:
    """All experiments of a study."""
    lines = [f"# {study.title}", "", f"{study.source}.", "", RULE, ""]
    claims = claims_of(study, outcomes)
    if claims:
        lines += ["## Claims", "", claim_table(claims), ""]
    for name in study.experiments:
        if name in outcomes:
            lines += experiment_part(outcomes[name])
    waiting = [name for name in study.experiments if name not in outcomes]
    if waiting:
        lines += ["## Not run yet", "", ", ".join(f"`{name}`" for name in waiting) + ".", ""]
    return "\n".join(lines)


def experiment_part(outcome: Outcome) -> list[str]:
    """An experiment: its setup, figures, plots, tests and notes."""
    origin, name = outcome["origin"], outcome["experiment"]
    lines = [f"## {outcome['title']}", "", f"{outcome['source']}.", ""]
    facts = [
        ["command", f"`{origin['command']}`"],
        ["code", origin["code"]],
        ["date", origin["date"]],
        ["time of all games", duration(origin["seconds_played"])],
        ["machine", origin["machine"]],
    ]
    lines += [table(["setup", outcome.data.get("scale", "")], facts), ""]
    for part in outcome["tables"]:
        rows = [[row["label"], row["published_text"], row["ours_text"], row["count"]] for row in part["rows"]]
        lines += [f"### {part['title']}", "", table(["", "published", "ours (95 %)", "n"], rows), ""]
    lines += [f"![{outcome['title']}](plots/{name}-{number}.svg)\n" for number, _ in enumerate(outcome.plots(), 1)]
    for test in outcome.data.get("tests", []):
        lines += ["```text", test["text"], "```", ""]
    lines += [f"- {note}" for note in outcome["notes"]]
    return [*lines, ""]


def claim_table(claims: Iterable[tuple[Claim, str]]) -> str:
    """Claims with their figures and verdicts."""
    rows = []
    for claim, name in claims:
        verdict = f"**{claim.verdict}**{f': {claim.reason}' if claim.reason else ''}"
        rows.append([claim.text, claim.published, claim.ours, verdict, f"`{name}`" if name else ""])
    return table(["claim", "published", "ours (95 %)", "verdict", "experiment"], rows)


def table(head: list[str], rows: Iterable[list[Any]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def duration(seconds: float) -> str:
    """A time in words."""
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min" if minutes else f"{seconds:.0f} s"
