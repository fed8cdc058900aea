"""Compiled code is kept on disk, and never outlives the sources it was made from."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import facedown
from facedown import rules
from facedown.compiler import questions
from facedown.errors import FacedownError, MissingAnswer, UnknownName
from facedown.game import Game
from facedown.games.hearts import RULES
from facedown.games.hearts.rules import STATE
from facedown.kernel import kernel
from facedown.kernel_cache import KernelCache, _imported_files, _imports_by_line, _statements, source_digest

DEAL = "import facedown as fd; print(fd.load('hearts32').deal(seed=1).hands)"


def run(script: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_an_edited_rule_of_the_package_never_runs_stale(tmp_path: Path) -> None:
    shutil.copytree(Path(facedown.__file__).parent, tmp_path / "facedown")
    places = {"PYTHONPATH": str(tmp_path), "FACEDOWN_CACHE": str(tmp_path / "cache")}
    before = run(DEAL, **places)
    compiled = set((tmp_path / "cache").rglob("*.nbc"))
    assert compiled
    assert run(DEAL, **places) == before
    assert set((tmp_path / "cache").rglob("*.nbc")) == compiled, "a second start compiles nothing"

    source = tmp_path / "facedown" / "rng.py"
    original = source.read_text()
    source.write_text(original.replace("rng[1] = rotate_left(b, 28)", "rng[1] = rotate_left(b, 27)"))
    assert run(DEAL, **places) != before, "a function called in another file has changed"
    source.write_text(original)
    assert run(DEAL, **places) == before


def test_a_cache_folder_that_cannot_be_written_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run(DEAL, FACEDOWN_CACHE=str(tmp_path / "file")) == run(DEAL)


INTERRUPTED = """
import signal
from facedown.kernel import compile_as, kernel

@kernel
def answer(number):
    return number

def ask(number):
    return answer(number)

class Dropped:
    def __del__(self):  # what is raised here goes no further
        signal.raise_signal(signal.SIGINT)

def chosen(kind):  # by the compiler, in the midst of its work
    Dropped()
    return answer

compile_as(ask, chosen)

@kernel
def asking(number):
    return ask(number)

try:
    asking(1)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_a_compilation_whatever_the_compiler_makes_of_it(tmp_path: Path) -> None:
    file = tmp_path / "interrupted.py"
    file.write_text(INTERRUPTED)
    command, empty = [sys.executable, str(file)], {**os.environ, "FACEDOWN_CACHE": str(tmp_path)}  # nothing is compiled yet
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=empty)
    assert result.stdout == "interrupted\n"


def test_a_digest_changes_with_any_file_imported(tmp_path: Path) -> None:
    top, middle, far = (tmp_path / name for name in ("top_of_three.py", "middle_of_three.py", "far_of_three.py"))
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import top_of_three; "
    script += f"from facedown.kernel_cache import source_digest; print(source_digest({str(top)!r}))"
    top.write_text("from middle_of_three import number\n")
    middle.write_text("import far_of_three\nnumber = far_of_three.number\n")
    far.write_text("number = 1\n")
    first = run(script)
    assert run(script) == first
    far.write_text("number = 2\n")
    assert run(script) != first


def test_a_digest_follows_relative_imports(tmp_path: Path) -> None:
    package = tmp_path / "relative_game"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text("from .numbers_of_it import number\nfrom . import other\n")
    (package / "numbers_of_it.py").write_text("number = 1\n")
    (package / "other.py").write_text("number = 1\n")
    script = f"from facedown.kernel_cache import source_digest; print(source_digest({str(package / 'rules.py')!r}))"
    digests = [run(script)]
    for name in ("numbers_of_it.py", "other.py"):
        (package / name).write_text("number = 2\n")
        digests.append(run(script))
    assert len(set(digests)) == 3


FROM_OUTSIDE = """
import os
from facedown.kernel import kernel
STEP = int(os.environ["STEP"])

@kernel
def next_number(number):
    return number + STEP

@kernel
def twice_next(number):
    return 2 * next_number(number)
"""


def test_a_value_that_comes_from_outside_the_sources_never_runs_stale(tmp_path: Path) -> None:
    (tmp_path / "from_outside.py").write_text(FROM_OUTSIDE)
    places = {"PYTHONPATH": str(tmp_path), "FACEDOWN_CACHE": str(tmp_path / "cache")}
    script = "import from_outside; print(from_outside.twice_next(1))"
    assert [run(script, STEP=step, **places) for step in "123"] == ["4\n", "6\n", "8\n"]


def test_code_without_a_file_never_runs_stale(tmp_path: Path) -> None:
    for step in (5, 7):
        script = f"from facedown.kernel import kernel\n@kernel\ndef f(x):\n    return x + {step}\nprint(f(1))"
        assert run(script, FACEDOWN_CACHE=str(tmp_path)) == f"{1 + step}\n"


def test_a_damaged_file_is_compiled_anew(tmp_path: Path) -> None:
    script = "import facedown.rng as r; print(r.draw(r.stream(1), 6))"
    before = run(script, FACEDOWN_CACHE=str(tmp_path))
    files = list(tmp_path.rglob("*.nbc"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    assert run(script, FACEDOWN_CACHE=str(tmp_path)) == before


@kernel
def twice(number: int) -> int:
    return 2 * number


def test_every_kernel_is_cached_under_its_sources() -> None:
    assert twice(21) == 42
    cache = twice._cache  # type: ignore[attr-defined]
    assert isinstance(cache, KernelCache)
    assert Path(cache.cache_path).name == source_digest(__file__)[:16]


# --- Registering rules ------------------------------------------------------------------------------------------------


def test_records_with_equal_fields_are_kept_apart() -> None:
    answers = [function for name, function in RULES.answers.items() if name in rules.REQUIRED]
    twin = rules.register("twin", STATE, answers)
    assert twin.state != RULES.state
    assert rules.rules_of(np.zeros(1, twin.state)[0]) is twin
    assert rules.rules_of(np.zeros(1, RULES.state)[0]) is RULES


RECORDS = """
import facedown as fd
from facedown import rules
for number in range(20):
    rules.style(f"a stranger's style {number}")
import facedown.agents.epimc  # which imports parts of Hearts
print([str(fd.load(name).rules.state) for name in ("magic", "hearts")])
"""


def test_compiled_code_of_a_game_is_found_again_whatever_was_loaded_before() -> None:
    assert run(RECORDS) == f"{[str(facedown.load(name).rules.state) for name in ('magic', 'hearts')]}\n"


def test_a_record_has_no_padding() -> None:
    for names in ([("a", np.int8), ("b", np.uint64), ("c", np.int16, 3)], [("a", np.int8)], [("a", np.float32, (2, 2))]):
        marked = questions._marked(np.dtype(names), "mark")
        assert marked.itemsize == sum(marked[name].itemsize for name in marked.names or ())
        assert marked.names is not None
        assert marked.names[-1] == "mark"


def test_a_game_that_leaves_out_a_question_is_told_which() -> None:
    with pytest.raises(MissingAnswer, match="the game 'empty' must answer 'apply': Play a legal action"):
        rules.register("empty", STATE, [])


def test_an_answer_to_no_question_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"unknown question 'twice'; known: action_features, apply"):
        rules.register("odd", STATE, [twice])


def test_a_record_of_no_game_is_refused() -> None:
    with pytest.raises(FacedownError, match="expected a registered game's record, got one with the fields a"):
        rules.rules_of(np.zeros(1, [("a", np.int8)])[0])


def test_an_option_needs_a_field_in_the_record() -> None:
    with pytest.raises(UnknownName, match="unknown field of odd's record 'colour'"):
        Game("odd", RULES, seats=4, actions=53, fixed={"colour": 1})


def test_no_kernel_of_the_package_depends_on_files_outside_it() -> None:
    """Digests of other packages' files would take seconds in every process; their kernels get files of their own."""
    package = Path(facedown.__file__).parent
    for source in package.rglob("*.py"):
        if "@kernel\n" in source.read_text() or "@door\n" in source.read_text():
            assert all(file.is_relative_to(package) for file in _imported_files(source)), source


def test_no_kernel_of_the_tests_depends_on_large_packages() -> None:
    """Every process that collects the tests would read all their files: scipy's take three seconds."""
    for source in Path(__file__).parent.rglob("*.py"):
        if "@kernel\n" in source.read_text() or "@door\n" in source.read_text():
            packages = {part for file in _imported_files(source) for part in file.parts}
            assert packages.isdisjoint({"scipy", "hypothesis", "sqlalchemy"}), source


def test_imports_found_line_by_line_are_those_of_the_syntax() -> None:
    for source in sorted(Path(facedown.__file__).parent.rglob("*.py")):
        parsed = _statements(ast.parse(source.read_bytes()))
        exact = {ast.unparse(node) for node in parsed if isinstance(node, ast.Import | ast.ImportFrom)}
        found = {ast.unparse(node) for node in _imports_by_line(source)}
        assert found >= exact, source
        assert found == exact or "lab" in source.parts, source  # which holds scripts for other processes
