"""What an author of a game meets: each mistake is one line, with function, file, line and what was expected."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import facedown as fd
from facedown import cli, rules
from facedown.arena import supervise
from facedown.arena.match import TurnTracker
from facedown.audit import AuditReport, Finding
from facedown.audit.trial import tried
from facedown.kernel import COMPILED
from faulty_games import AT_COMPILING, AT_LOADING, AT_PLAY, AT_TRIAL, SOURCE, Mistakes, mistaken

compiled_only = pytest.mark.skipif(not COMPILED, reason="Numba's messages, and what is safe to run only interpreted")


def cases(mistakes: Mistakes) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("mistake", mistakes.values(), ids=mistakes.keys())


def write(folder: Path, source: str) -> str:
    """A game's file of a name of its own, since a process loads a file once."""
    file = folder / f"{folder.name}.py"
    file.write_text(source)
    return str(file)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("authors_game")


def run(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """The program itself, in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-m", "facedown", *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, **environment},
        check=False,
    )
    return result.returncode, result.stdout, result.stderr


def commanded(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """A command in this process."""
    with pytest.raises(SystemExit) as exit:
        cli.main(arguments)
    out, err = capsys.readouterr()
    return int(exit.value.code or 0), out, err


# --- One line for each mistake ------------------------------------------------------------------------------------------


@compiled_only
@cases(AT_LOADING)
def test_a_mistake_that_loading_shows(mistake: tuple[str, str, str], folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken(mistake, file)
    write(folder, source)
    with pytest.raises(fd.FacedownError) as caught:
        fd.load(str(file))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@compiled_only
@cases(AT_COMPILING)
def test_a_mistake_that_numba_finds(mistake: tuple[str, str, str], folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken(mistake, file)
    game = fd.load(write(folder, source))
    with pytest.raises(fd.BadGame) as caught:
        game.deal(seed=1).view(0).unseen()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None or "returned" in message  # all that Numba said, for who wants it


@cases(AT_PLAY)
def test_a_mistake_that_the_first_look_at_a_deal_shows(mistake: tuple[str, str, str], folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken(mistake, file)
    game = fd.load(write(folder, source))
    with pytest.raises(fd.BadGame) as caught:
        print(game.deal(seed=1).legal)
    assert message in str(caught.value)


TRY_ALL = """
import json, sys
import facedown as fd
from facedown.audit.trial import tried

for line in sys.stdin:
    print(json.dumps(str(tried(fd.load(line.strip()), 1, 0).example)))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """For each mistake what should be told, and what the trial of all answers tells, interpreted and in one process."""
    folder = tmp_path_factory.mktemp("tried")
    messages, files = {}, []
    for number, (name, mistake) in enumerate({**AT_PLAY, **AT_TRIAL}.items()):
        files.append(folder / f"tried_{number}.py")
        source, messages[name] = mistaken(mistake, files[-1])
        files[-1].write_text(source)
    result = subprocess.run(
        [sys.executable, "-c", TRY_ALL],
        input="\n".join(map(str, files)),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = map(json.loads, result.stdout.splitlines())
    return {name: (message, words) for (name, message), words in zip(messages.items(), told, strict=True)}


@pytest.mark.parametrize("name", [*AT_PLAY, *AT_TRIAL])
def test_a_mistake_that_the_trial_of_all_answers_finds(name: str, found: dict[str, tuple[str, str]]) -> None:
    message, words = found[name]
    assert message in words


@compiled_only
@pytest.mark.parametrize("name", ["no legal action", "rewards of 100", "an index past the array"])
def test_the_audit_finds_it_before_it_runs_compiled_code(name: str, folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken({**AT_PLAY, **AT_TRIAL}[name], file)
    report = fd.audit(write(folder, source), "random", deals=1)
    assert not report.passed
    assert message in str(report["limits"].example)
    assert [finding.name for finding in report.findings if not finding.skipped] == ["limits"]
    assert report["limits"].remark.startswith("the other checks were left out")


def test_the_game_without_mistakes_passes(folder: Path) -> None:
    finding = tried(fd.load(write(folder, SOURCE)), 2, 0)
    assert finding.passed, finding.example
    assert (finding.name, finding.positions) == ("limits", 12)
    assert finding.looked_at > 50


# --- Through the commands ---------------------------------------------------------------------------------------------

NO_FIELD = AT_COMPILING["a field that is not there"]


@compiled_only
@pytest.mark.parametrize(
    "arguments",
    ["watch {}:GAME random", "play {} random", "tournament {} random ismcts:iterations=5 --deals 2 --store {}.sqlite"],
    ids=["watch", "play", "tournament"],
)
def test_every_command_says_it_in_one_line(arguments: str, folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken(NO_FIELD, file)
    write(folder, source)
    code, _, err = run(*arguments.replace("{}", str(file)).split())
    assert code == 2
    assert f"error: {message}" in err.splitlines()
    assert "Traceback" not in err


@compiled_only
def test_the_audit_says_of_a_game_that_runs_only_interpreted_where_it_does_not_compile(folder: Path) -> None:
    file = folder / f"{folder.name}.py"
    source, message = mistaken(AT_COMPILING["a plain helper"], file)
    write(folder, source)
    code, out, err = run("audit", str(file), "--deals", "1")
    assert (code, out) == (2, "")
    assert f"error: {message}" in err.splitlines()


@compiled_only
def test_the_traceback_is_there_for_who_wants_it(folder: Path) -> None:
    source, _ = mistaken(NO_FIELD, "file")
    code, _, err = run("watch", write(folder, source), "random", FACEDOWN_DEBUG="1")
    assert code == 1
    assert "KeyError: 'trun'" in err
    assert "facedown.errors.BadGame: is_over in " in err


def test_an_error_in_a_games_own_python_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, message = mistaken(AT_TRIAL["words that fail"], folder / f"{folder.name}.py")
    code, _, err = commanded(capsys, "watch", write(folder, source), "random", "--seed", "1")
    assert code == 2
    assert f"error: {message}" in err.splitlines()


def test_an_error_in_an_agents_own_python_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = write(folder, SOURCE)
    agent = folder / f"{folder.name}_agent.py"
    lines = ["import facedown as fd", "", "", "class Odd(fd.Agent):", "    name = 'odd'", "    def choose(self, view):"]
    agent.write_text("\n".join([*lines, "        return view.legal[99]", ""]))
    code, _, err = commanded(capsys, "watch", game, f"{agent}:Odd", "--seed", "1")
    assert code == 2
    assert f"error: IndexError: list index out of range (choose in {agent}, line 7)" in err.splitlines()


@pytest.mark.parametrize("fault", ["rewards of 100", "an index past the array"])
@compiled_only
def test_check_has_a_line_for_each_check(fault: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, message = mistaken(AT_TRIAL[fault], folder / f"{folder.name}.py")
    code, out, err = commanded(capsys, "check", write(folder, source))
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert [line.split()[:2] for line in lines] == [
        ["load", "passed"],
        ["limits", "FAILED"],
        *([name, "skipped"] for name in ("replay", "complete", "uniform", "hide")),
    ]
    assert message in lines[1]


@compiled_only
def test_check_passes_a_game_without_mistakes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = commanded(capsys, "check", write(folder, SOURCE))
    assert (code, err) == (0, "")
    assert out.startswith("load      passed   tiny-duel: 2 seats, 8 actions\nlimits    passed   all answers keep to ")
    assert out.count(" passed ") == 6


def test_a_game_at_fault_forfeits_nobodys_game(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = fd.load(write(folder, SOURCE))
    spec = supervise.TournamentSpec(game, ("random", "random"), ((0, 1),), 1)

    def fail(state: fd.State, players: object, thoughts: object, turn: TurnTracker) -> None:
        turn.seat = 0
        raise fd.BadGame("the game's own fault")

    monkeypatch.setattr(supervise, "play_on", fail)
    with pytest.raises(fd.BadGame, match="the game's own fault"):
        supervise.play_game(spec, game, 0, 0)


# --- An audit that looked at nothing ------------------------------------------------------------------------------------


def test_an_audit_that_checked_nothing_has_not_passed() -> None:
    report = AuditReport("empty", None, 1, 0, [Finding("replay"), Finding("uniform", skipped=True), Finding("hide")])
    assert not report.passed
    assert not report.checked
    assert not report.to_dict()["passed"]


# --- Bounds, and the cache ----------------------------------------------------------------------------------------------

PAST = """
import numpy as np
import facedown as fd

@fd.kernel
def third(numbers):
    return numbers[2]

try:
    third(np.arange(5)[:2])
    print("unchecked")
except IndexError as error:
    print(error)
"""


@compiled_only
def test_code_with_bounds_checks_and_without_never_stand_in_for_each_other(tmp_path: Path) -> None:
    (tmp_path / "past.py").write_text(PAST)
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache")}
    for checked, printed in (("0", "unchecked"), ("1", "index is out of bounds"), ("0", "unchecked")):
        result = subprocess.run(
            [sys.executable, str(tmp_path / "past.py")],
            env={**environment, "NUMBA_BOUNDSCHECK": checked},
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == printed
    assert len(list((tmp_path / "cache").rglob("third-*.nbc"))) == 2


def test_a_games_digest_does_not_depend_on_what_else_is_loaded(tmp_path: Path) -> None:
    example = shutil.copy(Path(__file__).parents[2] / "examples" / "little_knaves.py", tmp_path / "knaves.py")
    names = set()
    for others in ("", "import facedown.audit, facedown.arena.tournament, facedown.store; "):
        script = f"{others}import facedown as fd; print(fd.load({str(example)!r}).rules.state.names[-1])"
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        names.add(result.stdout)
    assert len(names) == 1


def test_a_question_that_a_game_leaves_open_is_named() -> None:
    game = fd.load("hearts32")
    with pytest.raises(fd.MissingAnswer, match="the game 'hearts' must answer 'information_set' for this, and does not"):
        rules.information_set(game.deal(1).record, 0)


def test_a_mistake_in_a_game_keeps_its_class_however_the_game_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import facedown as fd\n\nRULES = fd.register('mistaken', 'no record', [])\n"
    (tmp_path / "mistaken_game.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("mistaken_game:GAME", f"{tmp_path}/mistaken_game.py:GAME"):
        with pytest.raises(fd.BadGame, match="the game 'mistaken': expected a record type"):
            fd.load(name)
