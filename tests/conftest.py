"""What a test may need beside Python; what FACEDOWN_REQUIRE names and no test has run with is an error."""

import compileall
import io
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown import cli
from facedown.cli import bar
from forking import ForkServer
from needs import REQUIRED, empty_database, postgres_server
from terminals import PLAIN, Open, Run, Terminal

MARKS = {
    "postgres": "needs a PostgreSQL server",
    "ray": "needs Ray",
    "optuna": "needs Optuna",
    "browser": "needs a browser",
    "node": "needs Node",
}

pytest_plugins = ["web_fixtures"]

passed: set[str] = set()

# A shell starts what runs in the background deaf to Ctrl-C, and so would be the programs that the tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Games played by tests are not kept among those of who runs them.
own_store = tempfile.TemporaryDirectory()
os.environ["FACEDOWN_STORE"] = str(Path(own_store.name) / "store.sqlite")

# Programs that tests start find what tests share.
SHARED = [str(Path(__file__).parent / folder) for folder in ("tools", "oracles", "toys")]
os.environ["PYTHONPATH"] = os.pathsep.join([*SHARED, *filter(None, [os.environ.get("PYTHONPATH")])])


# Files that take longest come first: a worker that got one last would keep all others waiting. While one worker compiles all
# searches of all games for the first file, the others get what compiles for itself alone, or nothing.
TESTS = Path(__file__).parent
LONGEST = (
    "agents/test_agents.py",
    "compiler/test_authors_mistakes.py",
    "test_own_game.py",
    "test_kernel.py",
    "compiler/test_linking.py",
    "arena/test_run_identity.py",
    "test_needs.py",
    "cli/test_documented_commands.py",
    "web/test_web_games.py",
    "web/test_web_table.py",
    "arena/test_executors.py",
    "lab/test_experiments.py",
    "web/test_web_replay.py",
    "audit/test_audit.py",
    "web/test_web_pages.py",
    "web/test_web_runs.py",
    "audit/test_leaks.py",
    "server/test_server_thinking.py",
    "cli/test_documented_play.py",
    "test_contract.py",
    "arena/test_tournament.py",
    "arena/test_forfeits.py",
    "web/test_web_bench.py",
    "web/test_web_advise.py",
    "server/test_server_hidden.py",
    "server/test_server_kills.py",
    "attack/test_fuzz_commands.py",
    "games/test_hearts_oracle.py",
    "terminal/test_screens.py",
    "arena/test_kills.py",
    "search/test_ensemble.py",
    "cli/test_cli_tournament.py",
    "search/test_enhancements.py",
    "search/test_search_family.py",
    "client/test_client.py",
    "test_notation.py",
    "store/test_store.py",
    "games/test_hearts_keys.py",
    "advisor/test_told_games.py",
    "attack/test_fuzz_stores.py",
    "agents/test_last_stand.py",
    "terminal/test_replay.py",
    "search/test_interpreted.py",
    "lab/test_bench.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {TESTS / name: place for place, name in enumerate(LONGEST)}
    assert all(file.exists() for file in places), "LONGEST names files of tests"
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # or each process would compile a hundred sources, where none are kept
        compileall.compile_dir(Path(cli.__file__).parents[1], quiet=2)
    for name, meaning in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and report.passed:
        passed.update(name for name in MARKS if name in report.keywords)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where something is required and no test of it has passed; workers leave this to the process that started them."""
    missing = sorted(REQUIRED - passed)
    if missing and not hasattr(session.config, "workerinput") and not session.config.option.collectonly:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter:
            reporter.write_line(f"\nFACEDOWN_REQUIRE: expected tests that need {', '.join(missing)}, got none", red=True)
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine makes commands tell how far they are; tests of other things read what they print."""
    monkeypatch.setattr(bar, "FIRST_LINE", 3600.0)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command in this process, on a store of its own: its exit code, stdout and stderr."""
    monkeypatch.setenv("FACEDOWN_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")

    def command(*arguments: str, lines: str | None = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", None if lines is None else io.StringIO(lines))
        monkeypatch.setattr(sys, "path", list(sys.path))
        with pytest.raises(SystemExit) as exit:
            cli.main(arguments)
        out, err = capsys.readouterr()
        return int(exit.value.code or 0), out, err

    return command


@pytest.fixture(scope="session")
def forks_of_play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ForkServer]:
    """Runs the commands that a person sits before."""
    modules = ["facedown.cli.play", "facedown.cli.replay", "facedown.cli.watch"]
    with ForkServer(Path.cwd(), PLAIN, tmp_path_factory.mktemp("forks"), modules) as server:
        yield server


@pytest.fixture
def terminal(forks_of_play: ForkServer) -> Iterator[Open]:
    """Opens terminals with a command in each, and closes them afterwards."""
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, **environment: str) -> Terminal:
        here = {"FACEDOWN_STORE": os.environ["FACEDOWN_STORE"]}
        opened.append(Terminal(forks_of_play, arguments, {**here, **environment}))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL server where databases can be made."""
    with postgres_server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store can be made: a file that is not there yet, or an empty database of a real server."""
    if request.param == "sqlite":
        yield str(tmp_path / "games" / "store.sqlite")
    else:
        with empty_database(request.getfixturevalue("postgres")) as url:
            yield url
