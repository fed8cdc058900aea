"""The book's pages: Markdown and pictures made from stored outcomes, never typed by hand."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from facedown.errors import FacedownError
from facedown.files import write_text
from facedown.lab.book.learnt import what_we_learnt
from facedown.lab.book.markdown import anchor, table
from facedown.lab.book.outcomes import Outcome, claims_of
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments.claims import PROPOSAL, RULE, VERDICTS, Claim
from facedown.lab.experiments.written import SHARED
from facedown.lab.report.origin import duration
from facedown.lab.report.plots import standalone

MADE = "Made by `facedown book --out docs/book` from the outcomes that `facedown reproduce NAME --out FILE.json` wrote."


def book(outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    """All files of the book by their names."""
    files = {"README.md": front_page(outcomes)}
    for study in STUDIES:
        files[f"{study.name}.md"] = study_page(study, outcomes)
    for outcome in outcomes.values():
        files |= {name: f"{standalone(drawn.svg)}\n" for plots in outcome.plots() for name, drawn in plots}
    return files


def write_book(folder: Path, outcomes: Mapping[str, Outcome]) -> list[str]:
    """Write the book's files into a folder; their names. A folder with another README is left alone."""
    files = book(outcomes)
    front = folder / "README.md"
    if front.exists() and MADE not in front.read_text(encoding="utf-8", errors="replace"):
        raise FacedownError(f"expected a folder whose README.md is a book's, got {folder}, which has another README.md")
    (folder / "plots").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        write_text(folder / name, text)
    return list(files)


def verdicts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many of the claims that papers make have each verdict."""
    counts = Counter(claim.verdict for claim in claims if claim.kind != PROPOSAL)
    return {verdict: counts[verdict] for verdict in VERDICTS}


# --- Pages ------------------------------------------------------------------------------------------------------------


def front_page(outcomes: Mapping[str, Outcome]) -> str:
    """What holds of each study."""
    lines = ["# The reproduction book", "", "Every published claim that was tried, and whether it holds here.", "", RULE, ""]
    counts = {study.name: verdicts(claim for claim, _ in claims_of(study, outcomes)) for study in STUDIES}
    rows = [[f"[{one.title}]({one.name}.md)", *map(str, counts[one.name].values())] for one in STUDIES]
    lines += [table(["study", *VERDICTS], rows), "", *what_we_learnt(outcomes)]
    for study in STUDIES:
        claims = claims_of(study, outcomes)
        if claims:
            links = {name: f"[{name}]({study.name}.md#{anchor(one['title'])})" for name, one in outcomes.items()}
            lines += [f"## [{study.title}]({study.name}.md)", "", f"{study.source}.", ""]
            lines += [table([*CLAIM, "experiment"], [[*claim_row(one), links.get(name, "")] for one, name in claims]), ""]
    lines += [MADE, ""]
    return "\n".join(lines)


def study_page(study: Study, outcomes: Mapping[str, Outcome]) -> str:
    """All experiments of a study."""
    lines = [f"# {study.title}", "", f"{study.source}.", "", RULE, ""]
    lines += [f"## {SHARED}", "", study.shared_words, ""] if study.shared else []
    for name in study.experiments:
        if name in outcomes:
            lines += experiment_part(outcomes[name])
    if study.impossible:
        lines += ["## Not reproducible here", "", table(CLAIM, map(claim_row, study.impossible)), ""]
    waiting = [name for name in study.experiments if name not in outcomes]
    if waiting:
        lines += ["## Not run yet", "", ", ".join(f"`{name}`" for name in waiting) + ".", ""]
    return "\n".join(lines)


def experiment_part(outcome: Outcome) -> list[str]:
    """An experiment: its claims and setup, figures with plots, tests and notes."""
    lines = [f"## {outcome['title']}", "", f"{outcome['source']}.", ""]
    if outcome.claims:
        lines += [table(CLAIM, map(claim_row, outcome.claims)), ""]
    lines += [table(["setup", outcome["scale"]], facts(outcome)), ""]
    lines += [outcome["setup"], ""]
    within, figures = outcome.agreement
    lines += [f"Rows with a published figure that lies in our interval: {within} of {figures}.", ""] if figures else []
    for part, plots in zip(outcome.tables, outcome.plots(), strict=True):
        rows = [[row.label, *row.texts, row.count] for row in part.rows]
        lines += [f"### {part.title}", "", table(["", "published", "ours (95 %)", "n"], rows), ""]
        for name, drawn in plots:
            lines += [drawn.caption, "", f"![{part.title}]({name})", ""]
    for test in outcome.data.get("tests", []):
        lines += ["```text", test["text"], "```", ""]
    lines += [f"- {note}" for note in outcome["notes"]]
    return [*lines, ""] if outcome["notes"] else lines


def facts(outcome: Outcome) -> list[list[str]]:
    """How an outcome was made."""
    origin = outcome["origin"]
    rows = [["command", f"`{origin['command']}`"], ["code", origin["code"]], ["seed", outcome["seed"]]]
    rows += [["date", origin["date"]]]
    rows += [["time of all games", duration(origin["seconds_played"])]] if origin["seconds_played"] else []
    if "cpu_seconds" in origin:
        part = ", for the last part only: it was resumed" if origin.get("resumed") else ""
        part = f", without {origin['uncounted']:,} games" if origin.get("uncounted") else part
        rows.append(["CPU time", f"{duration(origin['cpu_seconds'])}{part}"])
    return [*rows, ["machine", origin["machine"]]]


CLAIM = ["claim", "published", "ours (95 %)", "verdict"]


def claim_row(claim: Claim) -> list[str]:
    """A claim with its figures and its verdict."""
    return [claim.text, claim.published, claim.ours, f"**{claim.verdict}**{f': {claim.remark}' if claim.remark else ''}"]
