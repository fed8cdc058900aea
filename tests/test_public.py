import ast
import re
import subprocess
import sys
from pathlib import Path

import facedown as fd
from facedown.run_identity import LOOKING_ON

PACKAGE = Path(fd.__file__).parent

# Each layer may import only those named before it; the design's list of modules, from the ground up.
LAYERS = [
    ["errors", "kernel_files"],
    ["compiling", "files", "kernel_cache", "kernel_errors", "memory", "options", "progress", "sources", "stats", "workers"],
    ["processes"],
    ["executors"],
    ["kernel"],
    ["keys", "registration", "rng"],
    ["cards"],
    ["plain_facts", "speech"],
    ["hidden"],
    ["laying"],
    ["deals", "rewards"],
    ["samplers"],
    ["rules"],
    ["limits", "turns"],
    ["game"],
    ["games"],
    ["inference", "search"],
    ["decision"],
    ["agents"],
    ["addresses", "record", "run_identity"],
    ["match", "store"],
    ["audit", "bench_open_spiel", "terminal_advice", "terminal_keys", "terminal_value", "terminal_words", "training"],
    ["terminal_board", "terminal_hand", "terminal_menu", "terminal_tricks"],
    ["terminal_claims", "terminal_decisions", "terminal_results", "terminal_risks", "terminal_telling"],
    ["adapters", "terminal", "terminal_choices"],
    ["bench_trials", "terminal_audience"],
    ["bench_searches", "terminal_screen"],
    ["bench_limits"],
    ["bench", "terminal_person"],
    ["terminal_play", "terminal_review"],
    ["journal", "schedule"],
    ["contest", "standings"],
    ["inquest"],
    ["tournament"],
    ["bench_strength", "tuning_space"],
    ["tuning"],
    ["plots", "report_origin"],
    ["report_parts"],
    ["report", "replay"],
    ["experiments"],
    ["terminal_replay"],
    ["cli_bar", "cli_output"],
    ["cli_audit", "cli_store"],
    ["cli_standings"],
    ["cli_play", "cli_replay", "cli_tournament"],
    ["cli_reproduce", "cli_train", "cli_tune"],
    ["cli"],
    ["__main__"],
]
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}


def modules_imported(source: Path) -> set[str]:
    """The package's own modules that a file imports at its top level."""
    found: set[str] = set()
    for node in ast.parse(source.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module == "facedown":
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("facedown."):
            found.add((node.module or "").split(".")[1])
    return found


def test_arrows_between_modules_point_one_way() -> None:
    for source in PACKAGE.rglob("*.py"):
        name = source.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if name == "__init__":
            continue
        for imported in modules_imported(source):
            below = HEIGHT[imported] < HEIGHT[name] or imported == name
            assert below, f"{source.relative_to(PACKAGE)} imports facedown.{imported}, which stands above it"


def test_what_plays_does_not_ask_what_looks_on() -> None:
    """Or a change of the latter would change games of a run that goes on (run_identity.code_digest)."""
    arena = {"__init__", "__main__", "adapters", "standings", "tournament", "tuning"}  # they ask for games, and count them
    names = [name for name in HEIGHT if not name.startswith(LOOKING_ON) and name not in arena]
    assert {"agents", "contest", "game", "games", "inference", "match", "search"} <= set(names)
    for name in names:
        for source in [PACKAGE / f"{name}.py", *(PACKAGE / name).rglob("*.py")]:
            text = source.read_text() if source.is_file() else ""
            found = re.findall(r"^ *(?:from facedown\.|from facedown import |import facedown\.)(\w+)", text, re.MULTILINE)
            assert not any(module.startswith(LOOKING_ON) for module in found), source


def test_search_names_no_game() -> None:
    for source in (PACKAGE / "search").rglob("*.py"):
        assert not any(name in source.read_text().lower() for name in fd.games()), source


def test_public_names_are_sorted_and_all_there() -> None:
    assert fd.__all__ == sorted(fd.__all__)
    assert set(fd.__all__) == set(fd._HOMES)
    for name in fd.__all__:
        assert getattr(fd, name).__name__ == name


def test_a_submodule_never_takes_the_place_of_a_public_name() -> None:
    script = (
        "import facedown.games, facedown.kernel, facedown.agents, facedown as fd; print(fd.games(), fd.agents(), fd.kernel)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.startswith(
        "['bisca', 'cheat', 'hearts', 'hearts32', 'magic', 'sueca'] ['cheat-person', 'ensemble', 'expert', 'fpmga', "
    )


def test_importing_the_package_does_not_import_the_compiler() -> None:
    script = "import sys, facedown; assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)
