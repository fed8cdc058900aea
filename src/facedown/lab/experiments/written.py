"""The result of an experiment as a page with plots, and as comma-separated values."""

import re
from html import escape

from facedown.lab.experiments.claims import RULE
from facedown.lab.experiments.drawing import drawings
from facedown.lab.experiments.result import ExperimentResult, Table
from facedown.lab.report.origin import Origin
from facedown.lab.report.parts import code, facts, facts_of_origin, figure, html_table, page, section, shown
from facedown.lab.report.report import csv_text, plain


def html_result(result: ExperimentResult, origin: Origin | None = None, background: tuple[str, str] | None = None) -> str:
    """The result as one HTML page with plots: its origin at the top, and what its study says beside its own setup."""
    rows = {"source": escape(result.source), "scale": result.scale}
    rows["again"] = "" if origin else code(result.command)
    rows["runs"] = "<br>".join(code(run) for run in result.runs)
    rows.update(facts_of_origin(origin))
    tests = "\n".join(f"<pre>{escape(str(test))}</pre>" for test in result.tests)
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in result.notes)
    body = [f"<h1>{escape(result.title)}</h1>", facts(rows)]
    body += [html_setup("Setup", result.setup)] if result.setup else []
    body += [html_setup(*background)] if background else []
    body += [html_claims(result)] if result.claims else []
    body += [html_of(table) for table in result.tables]
    body += [section("Tests", tests)] if tests else []
    body += [section("Notes", notes)] if notes else []
    return page(result.title, body)


def html_claims(result: ExperimentResult) -> str:
    """What the paper claims, and whether it holds here."""
    rows = [
        [escape(one.text), escape(one.published), escape(one.ours), f"<strong>{one.verdict}</strong>{told(one.remark)}"]
        for one in result.claims_shown
    ]
    left = [f"<p>{escape(result.claims_left)}</p>"] if result.claims_left else []
    head = ("claim", "published", "ours", "verdict")
    shown = [f"<p>{marked(RULE)}</p>", html_table("Claims of the paper", head, rows)] if rows else []
    return section("Claims", *left, *shown)


def told(remark: str) -> str:
    """A remark after a verdict."""
    return f": {escape(remark)}" if remark else ""


def html_setup(title: str, setup: str) -> str:
    """How it was played: paragraphs, and numbered departures as their own lines, with the Markdown that the book has too."""
    lines = re.sub(r"\n(?!\d+\. |\n)", " ", setup).splitlines()
    return section(title, *(f"<p>{marked(line)}</p>" for line in lines if line.strip()))


def marked(text: str) -> str:
    """A line of Markdown, with its code and its bold words."""
    coded = re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", coded)


def html_of(table: Table) -> str:
    """A table of a page."""
    rows = [
        [escape(row.label), row.texts[0] or "–", shown(row.ours) if row.ours else "–", escape(row.count)]
        for row in table.rows
    ]
    figures = [figure(one.svg, one.caption) for one in drawings(table)]
    return section(table.title, html_table(table.title, ("", "published", "ours", "n"), rows, caption=False), *figures)


def csv_result(result: ExperimentResult) -> str:
    """A row for each figure."""
    head = ["experiment", "table", "row", "published", "published_half", "ours", "ours_low", "ours_high", "n", "unit"]
    rows = []
    for table in result.tables:
        for row in table.rows:
            published, ours = row.published, row.ours
            figures = [published.value, published.half] if published else [None, None]
            figures += [ours.value, ours.low, ours.high] if ours else [None, None, None]
            counted = [ours.count, ours.unit] if ours else ["", ""]
            rows.append([result.experiment, table.title, row.label, *map(plain, figures), *counted])
    return csv_text([head, *rows])
