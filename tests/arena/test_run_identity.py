"""What a run is made of: changed code, helpers and models make another, and no worker plays by anything else."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import facedown as fd
from facedown.agents import _agent_class
from facedown.arena.run_identity import run_digest, sources_of
from facedown.arena.supervise import TournamentSpec, play_games
from facedown.arena.tournament import Progress, tournament
from facedown.games import sources
from facedown.inference import cheat
from facedown.store import Store

COMMAND = [sys.executable, "-c", "from facedown.cli import main; main()"]
KNAVES = Path(__file__).parents[2] / "examples" / "little_knaves.py"
INTERPRETED = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
MODEL = Path(cheat.__file__).parent / "cheat.npz"

AGENT = """
import time
import facedown as fd
from fd_helper import pick

class Mine(fd.Agent):
    name = "mine"
    declared = (fd.Option("weights", "", "a file"), fd.Option("depth", 3, "a number"))

    def choose(self, view):
        time.sleep({nap})
        return pick(view.legal)
"""
HELPER = "from fd_tables import FIRST\n\ndef pick(legal):\n    return legal[FIRST]\n"
TABLES = "FIRST = 0\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An agent with helpers beside it, a game and a model of one's own; nothing of them is loaded yet, or stays."""
    (tmp_path / "fd_agent.py").write_text(AGENT.format(nap=0))
    (tmp_path / "fd_helper.py").write_text(HELPER)
    (tmp_path / "fd_tables.py").write_text(TABLES)
    shutil.copy(KNAVES, tmp_path / "knaves.py")
    shutil.copy(MODEL, tmp_path / "m.npz")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "_sources", {})
    _agent_class.cache_clear()
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("fd_") or name == "knaves"]:
        del sys.modules[name]


RUNS = {
    "agent": ("hearts32", "fd_agent.py:Mine"),
    "weights": ("hearts32", "fd_agent.py:Mine:weights=m.npz"),
    "game": ("knaves.py:GAME", "random"),
    "model": ("cheat", "pmga:model=m.npz"),
    "nothing": ("hearts32", "random"),
}
DIGESTS = f"""
import json, facedown as fd
from facedown.arena.run_identity import run_digest
print(json.dumps({{name: run_digest(fd.load(game), [agent]) for name, (game, agent) in {RUNS!r}.items()}}))
"""


def digests(folder: Path) -> dict[str, str]:
    """Those that a new process finds."""
    command = [sys.executable, "-c", DIGESTS]
    done = subprocess.run(command, cwd=folder, env=INTERPRETED, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_what_counts_is_what_plays(folder: Path) -> None:
    before = digests(folder)
    assert digests(folder) == before
    for changed, counts in {
        "fd_agent.py": {"agent", "weights"},
        "fd_tables.py": {"agent", "weights"},
        "knaves.py": {"game"},
        "m.npz": {"weights", "model"},
    }.items():
        file = folder / changed
        content = file.read_bytes()
        file.write_bytes(content + b"\n")
        after = digests(folder)
        assert {name for name in RUNS if after[name] != before[name]} == counts
        file.write_bytes(content)


def test_the_digest_is_that_of_the_code_that_was_loaded(folder: Path) -> None:
    game = fd.load("hearts32")
    before = run_digest(game, ["fd_agent.py:Mine"])
    (folder / "fd_tables.py").write_text("FIRST = -1\n")
    assert run_digest(game, ["fd_agent.py:Mine"]) == before, "this process plays on by what it has loaded"


def test_a_file_that_changes_while_it_is_loaded_is_refused(folder: Path) -> None:
    file = folder / "fd_agent.py"
    file.write_text(f"from pathlib import Path\nPath({str(file)!r}).write_text('# another')\n{file.read_text()}")
    with pytest.raises(
        fd.FacedownError, match=r"expected .*fd_agent.py to stay as it was while it was loaded, got a change"
    ):
        fd.agent("fd_agent.py:Mine")


def test_packages_relative_imports_and_broken_files_are_followed_as_far_as_they_go(folder: Path) -> None:
    package = folder / "fd_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "agent.py").write_text(
        "import facedown as fd\nfrom . import deep\nclass Mine(fd.Agent):\n    name = 'mine'\n"
    )
    (package / "deep.py").write_text(
        "import os.path, numpy\ntry:\n    import nowhere.at_all\nexcept ImportError:\n    pass\n"
    )
    sys.path.insert(0, str(folder))
    try:
        names = {one.name for one in sources_of(fd.load("hearts32"), ["fd_package.agent:Mine"])}
    finally:
        sys.path.remove(str(folder))
    assert names == {"facedown", "rules", "tools", "__init__.py", "agent.py", "deep.py"}
    (folder / "broken.py").write_text("import fd_tables\nthis is no Python")
    assert [path.name for path in sources.remember(folder / "broken.py")] == ["broken.py"]


def test_of_installed_packages_only_the_agents_own_counts(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    assert sources.is_own(site / "mine" / "helper.py", sources.installed_package(site / "mine" / "agent.py"))
    assert not sources.is_own(site / "other" / "helper.py", sources.installed_package(site / "mine" / "agent.py"))
    assert not sources.is_own(site / "other" / "helper.py", sources.installed_package(tmp_path / "agent.py"))
    assert not sources.is_own(Path(os.__file__), None)


# --- Workers ----------------------------------------------------------------------------------------------------------


def spec_of(game: str, *agents: str) -> TournamentSpec:
    loaded = fd.load(game)
    return TournamentSpec(
        loaded.full_path, agents, ((0, 1, 0, 1),), 0, game_path=loaded.path, sources=sources_of(loaded, agents)
    )


@pytest.mark.parametrize("changed", ["fd_agent.py", "fd_helper.py", "fd_tables.py"])
def test_a_worker_refuses_code_that_the_run_did_not_begin_with_before_it_runs_any(changed: str, folder: Path) -> None:
    spec = spec_of("hearts32", "fd_agent.py:Mine", "random")
    (folder / changed).write_text("raise SystemExit('it was run')\n")
    with pytest.raises(
        fd.FacedownError, match=rf"^expected .*{changed} that the tournament began with, got another: put it"
    ):
        play_games(spec, [(0, 0)])


@pytest.mark.parametrize(
    ("name", "message"),
    [("facedown", "the facedown that"), ("rules", "the hearts32 that"), ("tools", "the Python, NumPy and Numba that")],
)
def test_a_worker_with_another_facedown_or_other_rules_refuses(name: str, message: str) -> None:
    agents = ("random", "ismcts")
    wrong = tuple(one._replace(digest="0") if one.name == name else one for one in sources_of(fd.load("hearts32"), agents))
    with pytest.raises(fd.FacedownError, match=f"expected {message} the tournament began with"):
        play_games(TournamentSpec("hearts32", agents, ((0, 1, 0, 1),), 0, sources=wrong), [(0, 0)])


def test_a_model_that_changes_between_two_games_ends_the_run_with_nothing_of_it_kept(folder: Path) -> None:
    """On every kind of worker: it is read anew for each game."""
    place = folder / "store.sqlite"

    def change(progress: Progress) -> None:
        if progress.new:
            (folder / "m.npz").write_bytes(MODEL.read_bytes() + b" ")

    agents = ["fd_agent.py:Mine:weights=m.npz", "random"]
    with pytest.raises(fd.FacedownError, match=r"expected the m.npz that the tournament began with, got another"):
        tournament("hearts32", agents, deals=3, store=place, name="run", progress=change)
    with Store.open(place) as store:
        assert 0 < store.count() < 18


CHECK = """
import facedown as fd
print({record.scores == record.replay().scores for record in fd.Store.open("store.sqlite").run("run").records()})
"""


def edited(text: str) -> str:
    return text.replace("JACK_COST = np.array([2, 3, 1, 4])", "JACK_COST = np.array([2, 3, 1, 5])")


def test_an_edited_game_and_a_killed_worker_do_not_mix_rules(folder: Path) -> None:
    """As it was found: 344 of 360 records followed the new rules under the old digest, and the exit code was 0."""
    place = folder / "store.sqlite"
    (folder / "fd_agent.py").write_text(AGENT.format(nap=0.02))
    command = [*COMMAND, "tournament", "knaves.py", "random", "fd_agent.py:Mine", "--deals", "100", "--store", str(place)]
    process = subprocess.Popen(
        [*command, "--name", "run", "--workers", "1"],
        cwd=folder,
        env=INTERPRETED,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )

    def count() -> int:
        try:
            with Store.open(place, create=False) as store:
                return store.count()
        except fd.StoreError:
            return 0

    deadline = time.monotonic() + 120
    while count() < 3 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    old = (folder / "knaves.py").read_text()
    (folder / "knaves.py").write_text(edited(old))
    assert edited(old) != old
    found = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "spawn_main"], capture_output=True, text=True, check=True)
    os.kill(int(found.stdout.split()[0]), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert err.splitlines()[-1].startswith("error: expected ")
    assert "knaves.py that the tournament began with, got another: put it back, or begin a new one" in err
    (folder / "knaves.py").write_text(old)
    check = [sys.executable, "-c", CHECK]
    done = subprocess.run(check, cwd=folder, env=INTERPRETED, capture_output=True, text=True, check=True)
    assert done.stdout == "{True}\n", "all that is kept follows the rules it began with"
