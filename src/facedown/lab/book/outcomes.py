"""Outcomes of experiments as the book keeps them: small JSON files, as `facedown reproduce --out FILE.json` writes them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from facedown.errors import BadText, FacedownError
from facedown.lab.book.studies import STUDIES, Study
from facedown.lab.experiments.claims import VERDICTS, Claim
from facedown.lab.experiments.drawing import Drawing, drawings
from facedown.lab.experiments.result import Table

KNOWN = [name for study in STUDIES for name in study.experiments]
FOLDER = Path(__file__).parent / "outcomes"
NEEDED = ("experiment", "title", "source", "setup", "scale", "seed", "tables", "notes", "claims", "origin")


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

    @property
    def tables(self) -> list[Table]:
        """The tables, with our figures and the published ones."""
        return [Table.from_dict(one) for one in self.data["tables"]]

    def plots(self) -> list[list[tuple[str, Drawing]]]:
        """For each table its pictures, with the names of their files."""
        numbers = count(1)
        return [
            [(f"plots/{self['experiment']}-{next(numbers)}.svg", one) for one in drawings(table)] for table in self.tables
        ]


def read_outcome(file: Path) -> Outcome:
    """An outcome from a file, checked."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise FacedownError(f"expected an outcome that `facedown reproduce` wrote to {file.name}, got {error}") from None
    missing = [name for name in NEEDED if not isinstance(data, dict) or name not in data]
    if missing:
        raise BadText(f"expected an outcome of an experiment in {file.name}, got one without {missing[0]!r}")
    if data["experiment"] not in KNOWN:
        raise BadText(f"expected an experiment of the five studies in {file.name}, got {data['experiment']!r}")
    try:
        check_parts(Outcome(data))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadText(f"expected an outcome that this facedown can show in {file.name}, got {error!r}") from None
    if any(claim.verdict not in VERDICTS for claim in Outcome(data).claims):
        raise BadText(f"expected verdicts {', '.join(VERDICTS)} in {file.name}, got another")
    return Outcome(data)


def check_parts(outcome: Outcome) -> None:
    """Take an outcome apart as a page does, so that a damaged one fails before anything is written."""
    outcome.plots()
    checked = [*(outcome[name] for name in ("title", "source", "setup", "scale")), *outcome["notes"]]
    checked += [part for claim in outcome.claims for part in (claim.text, claim.published, claim.ours)]
    checked += [outcome["origin"][name] for name in ("command", "code", "date", "machine")]
    checked += [test["text"] for test in outcome.data.get("tests", [])]
    for part in checked:
        if not isinstance(part, str):
            raise TypeError(f"{part!r} in place of a text")
    if not isinstance(outcome["origin"]["seconds_played"], int | float):
        raise TypeError("games that took no number of seconds")


def all_outcomes(folder: Path = FOLDER) -> dict[str, Outcome]:
    """The outcomes of a folder by their experiments."""
    found: dict[str, Outcome] = {}
    for file in sorted(folder.glob("*.json")):
        outcome = read_outcome(file)
        if outcome["experiment"] in found:
            raise BadText(f"expected one outcome of {outcome['experiment']} in {folder.name}, got another in {file.name}")
        found[outcome["experiment"]] = outcome
    if not found:
        raise FacedownError(f"expected outcomes that `facedown reproduce --out NAME.json` wrote in {folder}, got none")
    return found


def claims_of(study: Study, outcomes: Mapping[str, Outcome]) -> list[tuple[Claim, str]]:
    """The claims of a study, each with the experiment that tries it."""
    tried = [(claim, name) for name in study.experiments if name in outcomes for claim in outcomes[name].claims]
    return [*tried, *((claim, "") for claim in study.impossible)]
