"""Outcomes of experiments as the book keeps them: small JSON files, as `facedown reproduce --out FILE.json` writes them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.errors import BadText, FacedownError
from facedown.lab.experiments.claims import VERDICTS, Claim
from facedown.lab.report.plots import Interval, forest, standalone

FOLDER = Path(__file__).parent / "outcomes"
NEEDED = ("experiment", "title", "source", "scale", "seed", "tables", "notes", "claims", "origin")


@dataclass(frozen=True)
class Outcome:
    """An outcome, as plain data with names."""

    data: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    @property
    def claims(self) -> list[Claim]:
        """The claims of the paper, with verdicts."""
        return [Claim(**one) for one in self.data["claims"]]

    def plots(self) -> list[str]:
        """A picture for each table that has figures with intervals: ours, and the published ones marked."""
        drawn = []
        for table in self.data["tables"]:
            for rate in (True, False):
                rows = [row for row in table["rows"] if row["ours"] and row["ours"]["rate"] == rate]
                if rows:
                    axis = "per cent" if rate else ""
                    drawn.append(standalone(forest([interval(row, rate) for row in rows], table["title"], axis)))
        return drawn


def interval(row: dict[str, Any], rate: bool) -> Interval:
    """A row of a table as a line of a plot."""
    times, ours, published = 100.0 if rate else 1.0, row["ours"], row["published"]
    low, high = (bound(ours[name], sign) for name, sign in (("low", -1), ("high", 1)))
    mark = times * published["value"] if published and published["rate"] == rate else None
    return Interval(row["label"], times * ours["value"], times * low, times * high, row["ours_text"], mark)


def bound(value: float | None, sign: int) -> float:
    """An end of an interval; None stands for infinity."""
    return sign * float("inf") if value is None else value


def read_outcome(file: Path) -> Outcome:
    """An outcome from a file, checked."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FacedownError(f"expected an outcome that `facedown reproduce` wrote to {file.name}, got {error}") from None
    missing = [name for name in NEEDED if not isinstance(data, dict) or name not in data]
    if missing:
        raise BadText(f"expected an outcome of an experiment in {file.name}, got one without {missing[0]!r}")
    if any(claim.get("verdict") not in VERDICTS for claim in data["claims"]):
        raise BadText(f"expected verdicts {', '.join(VERDICTS)} in {file.name}, got another")
    return Outcome(data)


def all_outcomes(folder: Path = FOLDER) -> dict[str, Outcome]:
    """The outcomes of a folder by their experiments."""
    found = [read_outcome(file) for file in sorted(folder.glob("*.json"))]
    return {outcome["experiment"]: outcome for outcome in found}
