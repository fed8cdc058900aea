"""The result of an experiment: our figures beside the published ones, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any

from facedown.lab.experiments.claims import Claim
from facedown.lab.experiments.published import Published
from facedown.stats import AnovaTable, ChiSquared, Estimate

ALONE = {"people": "person", "series": "series"}  # words for one whose plural has more than another s


@dataclass(frozen=True)
class Row:
    """One figure: as published, and ours with its 95 % interval."""

    label: str
    published: Published | None
    ours: Estimate | None

    @property
    def count(self) -> str:
        """The number of independent observations of ours, if it rests on any."""
        if self.ours is None or self.ours.counted:
            return ""
        return f"{self.ours.count:,} {one_of(self.ours.unit) if self.ours.count == 1 else self.ours.unit}"

    @property
    def texts(self) -> tuple[str, str]:
        """The published figure and ours in words; what is missing is empty."""
        signed = self.ours.signed if self.ours else True
        return self.published.text(signed) if self.published else "", str(self.ours or "")

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data."""
        texts = dict(zip(("published_text", "ours_text"), self.texts, strict=True)) | {"count": self.count}
        return {**asdict(self), "ours": self.ours.to_dict() if self.ours else None, **texts}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Row":
        """A row from plain data."""
        published, ours = data["published"], data["ours"]
        ends = {name: end for name, end in (("low", -inf), ("high", inf)) if ours and ours[name] is None}
        return cls(
            data["label"], Published(**published) if published else None, Estimate(**{**ours, **ends}) if ours else None
        )


TOO_QUICK = "a quick run decides nothing"  # why a claim is not decided


def one_of(unit: str) -> str:
    """The word for one of some."""
    return ALONE.get(unit, unit.removesuffix("s"))


@dataclass(frozen=True)
class Plot:
    """How a table is drawn: what stands before a colon in its labels is a group or a series."""

    kind: str = "forest"  # intervals below each other; "bars" in groups; "curves" with bands
    across: str = ""  # the word beside the number that lies across, as in "trick 3"; of bars, that stands below each
    log: bool = False  # powers of ten up the side, of a forest below; bars have none, for they begin at zero
    up: str = ""  # the unit of figures that are no shares, as in "points"; a forest has it below


FOREST, BARS = Plot(), Plot("bars")


def forest(up: str, log: bool = False) -> Plot:
    """Intervals below each other, of figures that are no shares."""
    return Plot("forest", log=log, up=up)


def bars(up: str = "", across: str = "") -> Plot:
    """Bars in groups, of figures that are no shares, or in one colour where labels differ in the number beside a word."""
    return Plot("bars", across, up=up)


def curves(across: str, log: bool = False, up: str = "") -> Plot:
    """A line for each series, over the numbers that follow or precede a word in the labels."""
    return Plot("curves", across, log, up)


@dataclass(frozen=True)
class Table:
    """A published table or figure."""

    title: str
    rows: Sequence[Row]
    plot: Plot = FOREST

    def to_dict(self) -> dict[str, Any]:
        """The table as plain data."""
        return {"title": self.title, "rows": [row.to_dict() for row in self.rows], "plot": asdict(self.plot)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Table":
        """A table from plain data; one that does not say how it is drawn is a forest."""
        return cls(data["title"], [Row.from_dict(row) for row in data["rows"]], Plot(**data.get("plot", {})))


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
    cpu_seconds: float = 0.0  # of the processor, for all of it, with workers
    uncounted: int = 0  # games that were in the store already, whose processor time is not known
    resumed: bool = False  # whether some games were in the store already
    setup: str = ""  # how it was played, and where it departs from the paper

    @property
    def claims_shown(self) -> list[Claim]:
        """The claims that people see: a quick run leaves out those that it cannot decide, which are nearly all."""
        return [claim for claim in self.claims if claim.reason != TOO_QUICK]

    @property
    def claims_left(self) -> str:
        """What stands in place of the others; nothing if there are none."""
        left = len(self.claims) - len(self.claims_shown)
        counted = f"{left} {'claim is' if left == 1 else 'claims are'}"
        return f"{TOO_QUICK.capitalize()}; {counted} judged with --scale full." if left else ""

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, the same however often it was stopped."""
        return {
            **{name: getattr(self, name) for name in ("experiment", "title", "source", "setup", "scale", "seed", "command")},
            "tables": [table.to_dict() for table in self.tables],
            "tests": [test.to_dict() for test in self.tests],
            "notes": list(self.notes),
            "runs": list(self.runs),
            "claims": [claim.to_dict() for claim in self.claims],
        }
