"""The result of an experiment: our figures beside the published ones, as data, as a page and as CSV."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

from facedown.lab.experiments.claims import Claim
from facedown.lab.experiments.published import Published
from facedown.lab.report.origin import Origin
from facedown.lab.report.parts import code, facts, facts_of_origin, figure, html_table, page, section, shown
from facedown.lab.report.plots import Interval, forest
from facedown.lab.report.report import csv_text, plain
from facedown.stats import AnovaTable, ChiSquared, Estimate


@dataclass(frozen=True)
class Row:
    """One figure: as published, and ours with its 95 % interval."""

    label: str
    published: Published | None
    ours: Estimate | None

    @property
    def count(self) -> str:
        """The number of independent observations of ours."""
        return f"{self.ours.count} {self.ours.unit}" if self.ours else ""

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        texts = {"published_text": str(self.published or ""), "ours_text": str(self.ours or ""), "count": self.count}
        return {**asdict(self), "ours": self.ours.to_dict() if self.ours else None, **texts}


@dataclass(frozen=True)
class Table:
    """A published table or figure."""

    title: str
    rows: Sequence[Row]

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {"title": self.title, "rows": [row.to_dict() for row in self.rows]}


@dataclass(frozen=True)
class Significance:
    """A test of significance."""

    title: str
    result: AnovaTable | ChiSquared | Estimate  # of an estimate, its p

    def __str__(self) -> str:
        if isinstance(self.result, Estimate):
            p = "" if self.result.p is None else f", p {self.result.p:.2g}"
            return f"{self.title}: {self.result}{p}"
        return f"{self.title}:{chr(10) if isinstance(self.result, AnovaTable) else ' '}{self.result}"

    def to_dict(self) -> dict[str, Any]:
        """The test as plain data."""
        kind = type(self.result).__name__
        return {"title": self.title, "kind": kind, "result": self.result.to_dict(), "text": str(self)}


@dataclass(frozen=True)
class ExperimentResult:
    """The result of an experiment."""

    experiment: str
    title: str
    source: str
    scale: str
    seed: int
    command: str  # that reproduces it
    tables: Sequence[Table]
    tests: Sequence[Significance] = ()
    notes: Sequence[str] = ()
    runs: Sequence[str] = field(default_factory=list)  # in the store
    claims: Sequence[Claim] = ()
    seconds_played: float = 0.0  # of all games, one after another

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, the same however often it was stopped."""
        return {
            **{name: getattr(self, name) for name in ("experiment", "title", "source", "scale", "seed", "command")},
            "tables": [table.to_dict() for table in self.tables],
            "tests": [test.to_dict() for test in self.tests],
            "notes": list(self.notes),
            "runs": list(self.runs),
            "claims": [claim.to_dict() for claim in self.claims],
        }


def html_result(result: ExperimentResult, origin: Origin | None = None) -> str:
    """The result as one HTML page with plots; its origin is at the top."""
    rows = {"source": escape(result.source), "scale": result.scale}
    rows["again"] = "" if origin else code(result.command)
    rows["runs"] = "<br>".join(code(run) for run in result.runs)
    rows.update(facts_of_origin(origin))
    tests = "\n".join(f"<pre>{escape(str(test))}</pre>" for test in result.tests)
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in result.notes)
    body = [f"<h1>{escape(result.title)}</h1>", facts(rows)]
    body += [html_claims(result.claims)] if result.claims else []
    body += [html_of(table) for table in result.tables]
    body += [section("Tests", tests)] if tests else []
    body += [section("Notes", notes)] if notes else []
    return page(result.title, body)


def html_claims(claims: Sequence[Claim]) -> str:
    """What the paper claims, and whether it holds here."""
    rows = [
        [escape(one.text), escape(one.published), escape(one.ours), f"<strong>{one.verdict}</strong> {escape(one.reason)}"]
        for one in claims
    ]
    return section("Claims", html_table("Claims of the paper", ("claim", "published", "ours", "verdict"), rows))


def html_of(table: Table) -> str:
    """A table of a page."""
    rows = [
        [escape(row.label), str(row.published or "–"), shown(row.ours) if row.ours else "–", escape(row.count)]
        for row in table.rows
    ]
    return section(table.title, html_table(table.title, ("", "published", "ours", "n"), rows), *plots_of(table))


def plots_of(table: Table) -> list[str]:
    """Our figures with their intervals beside the published ones; shares and other figures have a scale each."""
    drawn = []
    for rate, axis in ((True, "per cent"), (False, "")):
        times = 100.0 if rate else 1.0
        rows = [(row.label, row.published, row.ours) for row in table.rows if row.ours and row.ours.rate == rate]
        intervals = [
            Interval(
                label,
                times * ours.value,
                times * ours.low,
                times * ours.high,
                shown(ours),
                times * published.value if published and published.rate == rate else None,
            )
            for label, published, ours in rows
            if ours
        ]
        if intervals:
            note = " Diamonds are the published figures." if any(one.published is not None for one in intervals) else ""
            drawn.append(figure(forest(intervals, table.title, axis), f"Ours, with 95 % intervals.{note}"))
    return drawn


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
