"""Every command in README and docs is run to its end; tests/tools/documented.py says in which form.

Those before which a person sits are in test_documented_play.py.
"""

import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer

import documented
import facedown as fd
import needs
from documented import (
    EXIT_CODES,
    FILLED_IN,
    NOT_RUN,
    QUICK_FORM,
    ROOT,
    SHORTER,
    WHOLE,
    before,
    is_forked,
    is_played,
    program,
    short,
    surroundings,
    to_run,
    whole,
)
from facedown import cli
from facedown.kernel import COMPILED
from facedown.lab.book.outcomes import FOLDER as OUTCOMES
from facedown.lab.experiments import EXPERIMENTS
from forking import ALL_ROOMS, ForkServer

LONGEST = 600  # seconds, on a machine where much else runs
TYPED = {"NUMBA_DISABLE_JIT=1 python -m pdb my_script.py": "continue\nquit\n"}
NEEDS = {"optuna": r"^facedown tune (?!.*knockout)"}  # marks, and the commands that have them
OPEN_SPIEL = "open-spiel"

Ran = subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages take for granted: the examples, and files of one's own."""
    folder = tmp_path_factory.mktemp("desk")
    lay_out(folder)
    return folder


@pytest.fixture(scope="module")
def forks(desk: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Runs commands at the desk, where there is a store with games, without starting Python for each."""
    with ForkServer(desk, surroundings(desk), tmp_path_factory.mktemp("forks"), ALL_ROOMS) as server:
        for command in (
            "tournament hearts32 random ismcts:iterations=5 --deals 3 --name spring --on local",
            "tournament hearts ismcts:iterations=5 random --deals 4 --name hearts-1f3a2b4c --decisions --on local",
            "export spring --output spring.jsonl",
        ):
            assert server.run(command.split(), "", "", LONGEST).returncode == 0
        yield server


def lay_out(folder: Path) -> None:
    """Copy and write the files that the pages speak of."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "my_script.py").write_text("import facedown as fd\n\nprint(fd.games())\n")
    deck = re.search(r"^```text\n(16 land.*?)^```", (ROOT / "docs" / "magic.md").read_text(), re.MULTILINE | re.DOTALL)
    assert deck, "docs/magic.md shows a deck file"
    (folder / "bears.txt").write_text(deck[1])
    package = folder / "site" / "my_package"
    package.mkdir(parents=True)
    shutil.copy(ROOT / "examples" / "little_knaves.py", package / "little_knaves.py")
    declared = re.search(r"^```toml\n(.*?)^```", (ROOT / "docs" / "add-a-game.md").read_text(), re.MULTILINE | re.DOTALL)
    assert declared, "docs/add-a-game.md shows how a package declares a game"
    points = tomllib.loads(declared[1])["project"]["entry-points"]
    about = folder / "site" / "my_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in named.items()) for group, named in points.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines))
    with fd.Store.open(folder / "games.sqlite") as store:
        for seed in range(12):  # 50 claims of each kind are needed
            record = fd.play("cheat", ["cheat-person:style=3", "cheat-person:style=8"], seed=seed)
            store.add_game(replace(record, agents=["human", "mga"], agent_seeds=None))
        store.add_game(fd.play("hearts", ["random"] * 4, seed=1))
    (folder / "outcomes").mkdir()
    shutil.copy(OUTCOMES / "cheat-lies.json", folder / "outcomes")


def run(command: str, folder: Path) -> Ran:
    """Run a command in a folder, with nobody at the keyboard."""
    words, environment = program(command)
    return subprocess.run(
        words,
        cwd=folder,
        env={**surroundings(folder), **environment},
        input=TYPED.get(command, ""),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )


def cases() -> list[Any]:
    """The commands, each with the marks of what it needs."""
    found = []
    for command in to_run():
        if not is_played(command):
            marks = [getattr(pytest.mark, name) for name, pattern in NEEDS.items() if re.match(pattern, command)]
            if OPEN_SPIEL in command:
                marks.append(pytest.mark.skipif(not find_spec("pyspiel"), reason="OpenSpiel is not installed"))
            found.append(pytest.param(command, marks=marks, id=command))
    return found


@pytest.mark.skipif(not COMPILED, reason="the searches take hours when interpreted")
@pytest.mark.parametrize("command", cases())
def test_a_documented_command_runs_to_its_end(command: str, desk: Path, forks: ForkServer) -> None:
    if re.match(NEEDS["optuna"], command) and not find_spec("optuna"):
        needs.do_without("optuna", "Optuna is not installed")
    words = shlex.split(command)
    ran = forks.run(words[1:], TYPED.get(command, ""), before(words), LONGEST) if is_forked(command) else run(command, desk)
    assert ran.returncode == EXIT_CODES.get(command, 0), f"{command}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    assert "Traceback" not in ran.stdout + ran.stderr
    assert ran.stdout.strip() or ran.stderr.strip()


def test_commands_are_found_in_blocks_and_between_words() -> None:
    assert documented.commands_of(ROOT / "docs" / "tournaments.md")[0].startswith("facedown tournament hearts ismcts")
    assert "facedown play examples/little_knaves.py:GAME" in documented.commands_of(ROOT / "README.md")
    assert 'facedown replay 17 --with "ismcts:iterations=50000"' in documented.documented()
    assert len(to_run()) > 50


def test_the_tables_of_commands_speak_of_commands_that_are_documented() -> None:
    shown = documented.documented()
    assert not [command for command in (*NOT_RUN, *WHOLE) if command not in shown]
    words = {word for command in shown for word in command.split()}
    assert words >= FILLED_IN.keys()
    run = [whole(command) for command in shown if command not in NOT_RUN]
    assert not [pattern for number, (pattern, _) in enumerate(SHORTER) if not any(changes(number, one) for one in run)]


def changes(number: int, command: str) -> bool:
    """Whether a rule makes a command smaller, after the rules before it."""
    for pattern, smaller in SHORTER[:number]:
        command = re.sub(pattern, smaller, command)
    return re.search(SHORTER[number][0], command) is not None


def test_what_is_not_run_is_of_another_program_or_there() -> None:
    targets = [command.removeprefix("make ") for command in NOT_RUN if command.startswith("make ")]
    for target in targets:
        tried = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
    assert (
        "facedown play hearts"
        in subprocess.run(["make", "--dry-run", "play"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    )
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name for command in NOT_RUN for name in re.findall(r"facedown\[(\w+)\]", command)} <= extras.keys()
    modules = [command.split()[2] for command in NOT_RUN if command.startswith("python -m ")]
    assert all(find_spec(module) for module in modules)
    quick = {form[1] for command in documented.documented() if (form := QUICK_FORM.fullmatch(short(command)))}
    assert quick
    assert quick <= EXPERIMENTS.keys()
    files = [word for command in NOT_RUN for word in command.split() if word.endswith(".py")]
    assert all(list(ROOT.glob(file)) for file in files)


def test_a_shortened_command_begins_as_the_documented_one() -> None:
    for command in documented.documented().keys() - NOT_RUN.keys():
        begins = [re.sub(r"iterations=\d{3,}", "iterations=20", word) for word in whole(command).split()[:3]]
        assert short(command).split()[: len(begins)] == begins


def test_the_readme_lists_every_command_of_the_program_and_each_speaks_to_machines() -> None:
    readme = (ROOT / "README.md").read_text()
    rows = re.findall(r"^\| (`[^|]*`) \|", readme.split("| command | does |")[1].split("\n\n")[0], re.MULTILINE)
    listed = {name.strip("` ") for row in rows for name in row.split(",")}
    commands: dict[str, Any] = vars(typer.main.get_command(cli.app))["commands"]
    assert listed == set(commands)
    for name, command in commands.items():
        for part in vars(command).get("commands", {name: command}).values():
            assert "--json" in [option for parameter in part.params for option in parameter.opts], name
