"""What a command has to import before it answers: those that only read data need no compiler and no statistics."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stores import fill

HEAVY = {"alembic", "numba", "numpy", "openskill", "pandas", "scipy", "sklearn", "sqlalchemy", "statsmodels"}
REPORTING = """
import json, sys
from facedown.cli import main
try:
    main()
finally:
    print(json.dumps(sorted(set(sys.modules) & set({heavy}))), file=sys.stderr)
"""


def heavy_imports(*arguments: str) -> tuple[int, set[str]]:
    """The exit code of a command, and what it imported of all that takes long."""
    script = REPORTING.format(heavy=sorted(HEAVY))
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, set(json.loads(done.stderr.splitlines()[-1]))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("games") / "store.sqlite")
    fill(place, 0, 1)
    return place


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["replay", "--help"],
        ["query", "SELECT * FROM runs"],
        ["query", "SELECT record FROM games", "--json"],
        ["store", "info"],
        ["store", "info", "--json"],
        ["export"],
        ["export", "spring", "--output", "OUT"],
    ],
)
def test_what_only_reads_imports_nothing_that_takes_long(store: str, tmp_path: Path, arguments: list[str]) -> None:
    place = ["--store", store] if arguments[0] in ("query", "export", "store") else []
    written = [str(tmp_path / "out.jsonl") if word == "OUT" else word for word in arguments]
    assert heavy_imports(*written, *place) == (0, set())


def test_a_file_of_records_is_imported_without_the_compiler(store: str, tmp_path: Path) -> None:
    """The lines are checked, not replayed."""
    file = str(tmp_path / "out.jsonl")
    assert heavy_imports("export", "--output", file, "--store", store) == (0, set())
    code, found = heavy_imports("import", file, "--store", str(tmp_path / "other.sqlite"))
    assert (code, found & {"numba", "numpy"}) == (0, set())


def test_records_are_read_and_written_without_the_compiler() -> None:
    script = (
        "import sys, facedown as fd\n"
        "record = fd.GameRecord('hearts32', 1, 1, ['random'] * 4, [], [], [0, 0, 0, 0])\n"
        "assert fd.GameRecord.from_json(record.to_json()) == record\n"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
