"""What is installed only when asked for: without it a command says in one line how to get it, and the rest works."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import facedown as fd
from facedown import stats
from terminals import Run

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
EXTRAS = {
    "sklearn",
    "threadpoolctl",
    "statsmodels",
    "pandas",
    "openskill",
    "optuna",
    "ray",
    "psycopg",
    "pyspiel",
    "open_spiel",
    "fastapi",
    "uvicorn",
    "httpx",
    "websockets",
    "pydantic",
}
BLOCKED = f"import sys; sys.modules.update(dict.fromkeys({sorted(EXTRAS)}))\n"


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """As if these were not installed."""
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("module", "command", "package", "extra"),
    [
        ("sklearn", ["train", "cheat", "--games", "1"], "scikit-learn", "train"),
        ("httpx", ["bot", "http://127.0.0.1:1"], "httpx", "server"),
        ("websockets", ["bot", "http://127.0.0.1:1"], "websockets", "server"),
        ("statsmodels", ["tournament", "hearts32", "random", "reduced", "--deals", "1", "--anova"], "statsmodels", "stats"),
    ],
)
def test_a_command_without_its_extra_says_how_to_install_it_before_anything_is_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, command: list[str], package: str, extra: str
) -> None:
    without(monkeypatch, module)
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert err == f"error: expected {package} to be installed, got none: run pip install 'facedown[{extra}]'\n"
    assert not (tmp_path / "store.sqlite").exists()
    assert extra in PROJECT["optional-dependencies"]


def test_statistics_without_their_extra_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "statsmodels", "openskill")
    with pytest.raises(fd.FacedownError, match=r"expected statsmodels .*'facedown\[stats\]'"):
        stats.one_way_anova([[1.0, 2.0], [3.0, 4.5]])
    with pytest.raises(fd.FacedownError, match=r"expected OpenSkill .*'facedown\[stats\]'"):
        stats.openskill_ratings([[("a", 1.0), ("b", 0.0)]])


def test_a_tournament_without_openskill_has_all_but_its_ratings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "openskill")
    code, out, _ = run("tournament", "hearts32", "random", "expert", "--deals", "2", "--on", "local", "--json")
    standings = json.loads(out)["standings"]
    assert code == 0
    assert [one["skill"] for one in standings] == [None, None]
    assert all(one["lead"] for one in standings)


def test_what_is_always_installed_is_enough_to_play_and_to_compare(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store.sqlite")]
    commands = [
        ["games"],
        ["agents"],
        ["play", "hearts32", "random", "--seed", "1", *store],
        ["replay", "last", *store],
        ["tournament", "hearts32", "random", "expert", "--deals", "1", "--on", "local", *store],
    ]
    script = f"{BLOCKED}\nfrom facedown.cli import main\nfor command in {commands}:\n    try:\n        main(command)\n"
    script += "    except SystemExit as end:\n        assert not end.code, command\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
