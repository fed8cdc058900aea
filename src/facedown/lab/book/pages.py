"""The book's pages: Markdown and pictures made from stored outcomes, never typed by hand."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from facedown.errors import FacedownError
from facedown.files import write_text
from facedown.lab.book.learnt import how_many_hold, refuted_list, verdicts
from facedown.lab.book.lessons import in_words
from facedown.lab.book.markdown import anchor, table
from facedown.lab.book.outcomes import Outcome, claims_of
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments.claims import PROPOSAL, READING, RULE, Claim
from facedown.lab.report.origin import duration
from facedown.lab.report.plots import standalone

MADE = "Made by `facedown book --out docs/book` from the outcomes that `facedown reproduce NAME --out FILE.json` wrote."
WHOSE = (
    "Figures are those of the code that is named beside them, which may be older than the words: setups and claims are "
    "today's, and verdicts follow by today's ranges."
)
LONG = 12  # rows of a table that stays open


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


# --- Pages ------------------------------------------------------------------------------------------------------------


def front_page(outcomes: Mapping[str, Outcome]) -> str:
    """What holds of each study, and what was learnt; each claim is on the page of its study."""
    lines = [
        "# The reproduction book",
        "",
        "Which published claims of five studies hold here.",
        "",
        *how_many_hold(outcomes),
    ]
    lines += ["## What the verdicts mean", "", RULE, "", "## What we learnt", ""]
    for study in STUDIES:
        if lessons := in_words(study, outcomes, page=f"{study.name}.md", most=2):
            lines += [f"### [{study.title}]({study.name}.md)", "", f"{study.source}.", *terms(study), "", *lessons, ""]
    return "\n".join([*lines, f"{MADE} {WHOSE}", ""])


def terms(study: Study) -> list[str]:
    """The words that the claims of a study use."""
    return ["", study.terms] if study.terms else []


def study_page(study: Study, outcomes: Mapping[str, Outcome]) -> str:
    """A study: what was learnt, what does not hold, and all experiments."""
    claims = [claim for claim, _ in claims_of(study, outcomes)]
    lines = [f"# {study.title}", "", f"{study.source}.", *terms(study), "", in_a_line(claims), ""]
    if lessons := in_words(study, outcomes):
        lines += ["## What we learnt", "", *lessons, ""]
    if refuted := refuted_list(claims):
        lines += ["## What does not hold", "", *refuted, ""]
    found = {name: outcomes[name] for name in study.experiments if name in outcomes}
    lines += ["## Contents", "", *map(entry, found.values()), "", "## What the verdicts mean", "", RULE, "", WHOSE, ""]
    told: dict[str, str] = {}
    first = next((name for name in found if name in study.sharing), None)
    for name, outcome in found.items():
        lines += [f"## {study.shared_title}", "", study.shared_words, ""] if name == first else []
        lines += experiment_part(outcome, told)
    if study.impossible:
        lines += ["## Not reproducible here", "", table(CLAIM, map(claim_row, study.impossible)), ""]
    waiting = [name for name in study.experiments if name not in outcomes]
    if waiting:
        lines += ["## Not run yet", "", ", ".join(f"`{name}`" for name in waiting) + ".", ""]
    return "\n".join(lines)


def entry(outcome: Outcome) -> str:
    """An experiment in the list of contents."""
    came_out = f": {in_a_line(outcome.claims)}" if outcome.claims else ""
    return f"- [{outcome['title']}](#{anchor(outcome['title'])}), `{outcome['experiment']}`{came_out}"


def in_a_line(claims: Iterable[Claim]) -> str:
    """How many claims have each verdict; those that do not count stand apart."""
    claims = list(claims)
    counts = [f"{count} {verdict}" for verdict, count in verdicts(claims).items() if count]
    kinds = Counter(claim.kind for claim in claims)
    apart = {READING: "by other readings or decks", PROPOSAL: "proposed"}
    return ", ".join([*counts, *(f"{kinds[kind]} {words}" for kind, words in apart.items() if kinds[kind])])


def experiment_part(outcome: Outcome, told: dict[str, str]) -> list[str]:
    """An experiment: its claims, how it was played, figures with plots, tests and notes.

    `told` has the setups so far, which several experiments may have in common, and where each of them stands.
    """
    title = outcome["title"]
    lines = [f"## {title}", "", f"{outcome['source']}.", ""]
    if outcome.claims:
        lines += [table(CLAIM, map(claim_row, outcome.claims)), ""]
    first = told.setdefault(outcome["setup"], title)
    lines += [outcome["setup"] if first == title else f"The setup is that of [{first}](#{anchor(first)}).", ""]
    for part, plots in zip(outcome.tables, outcome.plots(), strict=True):
        lines += [f"### {part.title}", ""]
        for name, drawn in plots:
            lines += [drawn.caption, "", f"![{part.title}]({name})", ""]
        rows = [[row.label, *row.texts, row.count] for row in part.rows]
        lines += folded(table(["", "published", "ours (95 %)", "n"], rows), f"{len(rows)} rows", len(rows) > LONG)
    for test in outcome.data.get("tests", []):
        lines += ["```text", test["text"], "```", ""]
    lines += [f"- {note}" for note in outcome["notes"]]
    lines += [""] if outcome["notes"] else []
    return [*lines, table(["how it was made", ""], facts(outcome)), ""]


def folded(text: str, summary: str, long: bool) -> list[str]:
    """A table; a long one unfolds when its summary is clicked."""
    return ["<details>", f"<summary>{summary}</summary>", "", text, "", "</details>", ""] if long else [text, ""]


def facts(outcome: Outcome) -> list[list[str]]:
    """How an outcome was made; processor time only where that of all games is known."""
    origin = outcome["origin"]
    rows = [["command", f"`{origin['command']}`"], ["code", origin["code"]], ["date", origin["date"]]]
    rows += [["time of all games", duration(origin["seconds_played"])]] if origin["seconds_played"] else []
    if "cpu_seconds" in origin and not origin.get("resumed") and not origin.get("uncounted"):
        rows.append(["CPU time", duration(origin["cpu_seconds"])])
    return [*rows, ["machine", origin["machine"]]]


CLAIM = ["claim", "published", "ours (95 %)", "verdict"]


def claim_row(claim: Claim) -> list[str]:
    """A claim with its figures and its verdict; one that does not count says so."""
    apart = {PROPOSAL: "a proposal", READING: "not counted"}.get(claim.kind, "")
    remark = "; ".join(filter(None, [claim.remark, apart]))
    return [claim.text, claim.published, claim.ours, f"**{claim.verdict}**{f': {remark}' if remark else ''}"]
